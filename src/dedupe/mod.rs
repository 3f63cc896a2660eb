//! Deduplication of large collections: search by vote margin, verification by sketch.
//!
//! In: an id and a [`Sketch`]. Out: a [`Decision`], with the most similar kept document ([`Hit`]) for a duplicate.
//!
//! The fingerprint finds candidates: the query probes buckets of the tables of [`index`](crate::index), in the order that
//! `margins.rs` gives, and keeps the documents within 16 bits. The MinHash verifies them: it estimates the resemblance of
//! each, and the [`Deduplicator`] returns the best.
//!
//! # Complexity
//!
//! For *n* kept documents, with the default of 43 probes a block:
//!
//! | operation | time |
//! | --- | --- |
//! | [`Fingerprinter::sketch`](crate::Fingerprinter::sketch) | O(text) |
//! | [`query`](Deduplicator::query), [`observe`](Deduplicator::observe) | O(probes × bucket), 172 probes of *n* / 65,536 documents each |
//! | [`add`](Deduplicator::add), [`remove`](Deduplicator::remove) | O(bucket), amortised |
//! | [`pairs`](Deduplicator::pairs), [`clusters`](Deduplicator::clusters) | O(n log n) |
//! | [`to_bytes`](Deduplicator::to_bytes), [`from_bytes`](Deduplicator::from_bytes) | O(n) |
//!
//! Memory: 116 bytes a document at a million; 64 are the MinHash. From ten thousand documents on, at most 133 if ids ascend
//! and few documents share a fingerprint, up to 10 more for other ids, and up to 310 if all share one. An expiry time takes
//! another 24 to 75 bytes. During `pairs` and `clusters`, a document takes about 90 more, and up to 1,400 if it has more than
//! 128 near-duplicates.

mod clusters;
mod deduplicator;
mod kept;
mod long;
mod margins;
mod pairs;
mod search;
mod sketch;
mod snapshot;

pub use clusters::Member;
pub use deduplicator::{Decision, Deduplicator, Hit, MIN_RESEMBLANCE, Options, PROBES};
pub use pairs::{Pair, PairCursor};
pub use sketch::{BRIEF_FEATURES, MIN_BRIEF_RESEMBLANCE, MIN_FEATURES, Sketch};
