//! Lines of JSON: the id and the text of each, straight from the bytes, without the object.
//!
//! In: lines of JSON, each an object with a line feed. Out: the place of its id and its text ([`Fields::read`]), and the
//! text itself ([`unescape`]). A line is read here only if all of it is valid and plain, so that the result is that of
//! JavaScript's `JSON.parse`. Any other line is left to `JSON.parse`: an invalid one, for example, whose error it words.
//!
//! Lines are read, unescaped and sketched in one pass of [`Batch::read`].

mod batch;
mod cursor;
mod fields;
mod unescape;

pub use {batch::Batch, fields::Fields};
