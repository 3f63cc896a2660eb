//! From a text to its words or characters.
//!
//! In: a text in UTF-8. Out: the normalised text ([`normalize`]), and then the positions of its words ([`words`]) or its
//! characters ([`chars`]). Each is linear in the text, whatever the text, and needs constant memory beside its output and one
//! segment.

pub(crate) mod chars;
mod columns;
pub mod normalize;
pub(crate) mod words;

pub use normalize::Normalize;
