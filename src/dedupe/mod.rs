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
//! | [`Sketcher::sketch`] | O(text) |
//! | [`query`](Deduplicator::query), [`observe`](Deduplicator::observe) | O(1): 13 look-ups, at most 64 documents read under each key, 32 verified |
//! | [`add`](Deduplicator::add), [`remove`](Deduplicator::remove) | O(1), amortised; O(log n) for ids that came in ascending order |
//! | [`pairs`](Deduplicator::pairs), [`clusters`](Deduplicator::clusters) | O(n), and O(n log n) for the order of the clusters |
//! | [`to_bytes`](Deduplicator::to_bytes), [`from_bytes`](Deduplicator::from_bytes) | O(n) |
//!
//! Memory: about 140 bytes a document; 80 are the record and about 57 the postings. An expiry time takes another 24 to 75
//! bytes. During `pairs` and `clusters`, a document takes about 90 more, and up to 1,400 if it has more than 128
//! near-duplicates.
//!
//! # Ids
//!
//! An id is a `u64`: a record stays small, ids are stored once, and the set does not depend on how another type is hashed. Ids
//! of another type are numbered by their positions in a list, which also gives them back. A [note](Deduplicator::to_bytes_with)
//! carries them in a snapshot.
//!
//! ```
//! use nearprint::dedupe::{Decision, Deduplicator, Options, Sketcher};
//! use std::collections::HashMap;
//!
//! let pages = [
//!     ("/news/7", "The river burst its banks early on Tuesday, and the road to the harbour is closed."),
//!     ("/print/7", "Print: The river burst its banks early on Tuesday, and the road to the harbour is closed."),
//! ];
//! let mut sketcher = Sketcher::default();
//! let mut kept = Deduplicator::default();
//! let (mut urls, mut numbers) = (vec![], HashMap::new());
//! for (url, text) in pages {
//!     let number = *numbers.entry(url).or_insert_with(|| {
//!         urls.push(url);
//!         urls.len() as u64 - 1
//!     });
//!     if let Decision::Duplicate(hit) = kept.observe(number, &sketcher.sketch(text), &Options::default())? {
//!         assert_eq!((url, urls[hit.id as usize]), ("/print/7", "/news/7"));
//!     }
//! }
//! assert_eq!(kept.len(), 1);
//! # Ok::<(), nearprint::Error>(())
//! ```

mod clusters;
mod decision;
mod deduplicator;
mod expiry;
mod graph;
mod kept;
mod leases;
mod observe;
mod options;
mod pairs;
mod postings;
mod rule;
mod search;
mod settle;
mod snapshot;
pub mod versions;

pub use crate::sketch::{
    BRIEF_FEATURES, Comparison, Feature, FeatureSet, MIN_BRIEF_RESEMBLANCE, MIN_FEATURES,
    MIN_RESEMBLANCE, Scope, Side, Sketch, SketchScheme, SketchStream, Sketcher,
};
pub use clusters::{Clusters, ClustersIter, Linkage, Member};
pub use decision::{ComparisonRequest, Decision, Hit};
pub use deduplicator::{Deduplicator, Documents};
pub use options::Options;
pub use pairs::{Pair, PairCursor, Pairs};
