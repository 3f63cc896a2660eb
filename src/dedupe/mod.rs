//! Deduplication of large collections: candidates by bands of minima, verified by odd sketch.
//!
//! In: an id and a [`Sketch`]. Out: a [`Decision`], with the most similar kept document ([`Hit`]) for a duplicate.
//!
//! A sketch has 12 keys, each made of three minima of the text's features, and one that equal documents have in common. The
//! set files each document under its keys in one table (`postings.rs`). Documents that share a key with the sketch are
//! candidates (`search.rs`); the odd sketch verifies them: it estimates the resemblance of each, and the [`Deduplicator`]
//! returns the best.
//!
//! # Complexity
//!
//! For *n* kept documents:
//!
//! | operation | time |
//! | --- | --- |
//! | [`Fingerprinter::sketch`](crate::Fingerprinter::sketch) | O(text) |
//! | [`query`](Deduplicator::query), [`observe`](Deduplicator::observe) | O(1): 13 look-ups, at most 64 documents read under each key, 32 verified |
//! | [`add`](Deduplicator::add), [`remove`](Deduplicator::remove) | O(1), amortised; O(log n) for ids that came in ascending order |
//! | [`pairs`](Deduplicator::pairs), [`clusters`](Deduplicator::clusters) | O(n), and O(n log n) for the order of the clusters |
//! | [`to_bytes`](Deduplicator::to_bytes), [`from_bytes`](Deduplicator::from_bytes) | O(n) |
//!
//! Memory: about 140 bytes a document; 80 are the record and about 57 the postings. An expiry time takes another 24 to 75
//! bytes. During `pairs` and `clusters`, a document takes about 90 more, and up to 1,400 if it has more than 128
//! near-duplicates.

mod clusters;
#[doc(hidden)]
pub mod decide;
mod deduplicator;
mod kept;
mod leases;
mod pairs;
mod postings;
mod search;
mod sketch;
mod snapshot;
#[doc(hidden)]
pub mod versions;

pub use clusters::{Clusters, Linkage, Member};
pub use deduplicator::{Decision, Deduplicator, Hit, MIN_RESEMBLANCE, Options};
#[doc(hidden)]
pub use deduplicator::{KeptVersions, Observed};
pub use pairs::Pair;
#[doc(hidden)]
pub use pairs::PairCursor;
pub use sketch::{BRIEF_FEATURES, MIN_BRIEF_RESEMBLANCE, MIN_FEATURES, Sketch};
