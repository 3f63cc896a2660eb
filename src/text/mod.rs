//! From text to words and characters.
//!
//! In: a text in UTF-8. Out: the normalised text ([`normalize`]), the positions of its words ([`words`]) and its characters
//! ([`chars`]).

pub(crate) mod chars;
mod columns;
pub mod normalize;
pub(crate) mod words;

pub use normalize::Normalize;
