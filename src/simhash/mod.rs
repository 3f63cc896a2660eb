//! SimHash: from words or characters to a fingerprint (M. Charikar, *Similarity estimation techniques from rounding
//! algorithms*, STOC 2002).
//!
//! In: the words or characters of a text, and a [`Scheme`]. Out: a fingerprint.
//! [`features`] combines word hashes into feature hashes, [`counts`] counts each feature (in [`sorted`] order for long and
//! hostile texts), [`votes`] turns counts into votes, [`sums`] adds the votes, and the signs of the sums are the
//! fingerprint. [`stream`] runs the chain for a text in chunks, [`fingerprint`](mod@fingerprint) for whole texts.
//! [`weighted`] takes the caller's own features, and [`inspection`] returns the features and the sums of a text.

mod counts;
mod feature_set;
mod features;
mod fingerprint;
mod grams;
mod inspection;
pub(crate) mod minima;
pub(crate) mod odd_sketch;
mod scheme;
mod scheme_id;
mod scope;
pub(crate) mod sequence;
mod shingles;
mod sorted;
mod stream;
mod sums;
mod votes;
mod weighted;

pub use feature_set::FeatureSet;
pub use fingerprint::{Fingerprinter, fingerprint};
pub use inspection::{Comparison, Feature, Side};
pub use scheme::{Features, Scheme, Weights, Width};
pub use scope::Scope;
pub use stream::Stream;
pub(crate) use votes::Purpose;
pub use weighted::Weighted;
