//! Features: from the words or characters of a text to hashes.
//!
//! In: a text in chunks, and a [`Choice`]. Out: the hash of each feature, to a [`Sink`]: votes of a fingerprint, minima of a
//! sketch, or a list. [`pieces`] cuts the text where its words cannot change, [`extractor`] finds the words and hashes them,
//! [`grams`] and [`shingles`] combine the hashes. [`names`] has the features as text, and [`id`] the choices in ids of schemes.

mod batch;
mod choice;
mod extractor;
mod grams;
pub(crate) mod id;
pub(crate) mod names;
pub(crate) mod pieces;
mod shingles;

pub(crate) use batch::{BATCH_FEATURES, BATCH_WORDS, MULTIPLIER};
pub use choice::Features;
pub(crate) use choice::{Choice, check_secret};
pub(crate) use extractor::{Sink, Tokens, WordHash, spans};
pub(crate) use pieces::{AS_WRITTEN, FOLDED, extract};
