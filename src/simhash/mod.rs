//! SimHash: from a text to a fingerprint, and the search of fingerprints (M. Charikar, *Similarity estimation techniques from
//! rounding algorithms*, STOC 2002).
//!
//! In: the hashes of the features of a text, and a [`Scheme`]. Out: a fingerprint of 32, 64 or 128 bits. It never changes under
//! the name of its scheme.
//!
//! `counts` counts each feature (in `sorted` order for long and hostile texts), `votes` turns counts into votes, `sums` adds the
//! votes, and the signs of the sums are the fingerprint. [`Weighted`] takes the caller's own features, and `bits` returns the
//! features and the sums of a text. [`NearIndex`] finds fingerprints by their Hamming distance.

mod bits;
#[cfg(feature = "compat")]
pub mod compat;
mod counts;
mod fingerprint;
pub(crate) mod hamming;
pub mod index;
pub mod rabin;
mod scheme;
mod scheme_id;
mod sorted;
mod stream;
mod sums;
mod votes;
mod weighted;

pub use bits::{BitComparison, Feature, Side};
pub use fingerprint::{Fingerprinter, fingerprint};
pub use hamming::{distance, similarity};
pub use index::{NearIndex, block_keys};
pub use scheme::{Scheme, Weights, Width};
pub use stream::Stream;
pub use weighted::Weighted;
