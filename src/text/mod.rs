//! From a text to its words or characters.
//!
//! In: a text in UTF-8. Out: the normalised text ([`normalize`]), and then the positions of its words ([`words`]) or its
//! characters ([`chars`]). Each takes linear time, whatever the text. In addition to its output it needs memory for one
//! segment.

pub(crate) mod chars;
pub(crate) mod columns;
pub mod normalize;
pub(crate) mod rows;
pub(crate) mod words;

pub use normalize::Normalize;
