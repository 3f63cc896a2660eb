//! From words to a fingerprint.
//!
//! In: the words or characters of a text, and a [`Scheme`]. Out: a fingerprint.
//! [`features`] combines word hashes into features, [`counts`] counts how often each occurs, [`votes`] turns counts into
//! weights, [`sums`] adds the votes bit by bit, and the signs of the sums are the fingerprint. [`stream`] runs the whole
//! chain for a text in chunks, [`fingerprint`](mod@fingerprint) for whole texts. [`weighted`] takes the caller's own
//! features, [`inspection`] shows what a fingerprint is made of.

mod counts;
mod features;
mod fingerprint;
mod inspection;
pub(crate) mod minhash;
mod scheme;
mod sorted;
mod stream;
mod sums;
mod votes;
mod weighted;

pub use fingerprint::{Fingerprinter, fingerprint};
pub use inspection::{Comparison, Feature, Side};
pub use scheme::{Features, Scheme, SchemeError, Weights, Width};
pub use stream::Stream;
pub use weighted::{WeightError, Weighted};
