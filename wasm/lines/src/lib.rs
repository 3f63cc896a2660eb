//! Lines of JSON: the id of each, and the sketch of its text, straight from the bytes, without the object.
//!
//! A [`LineSketcher`] reads lines in one pass: it finds the id and the text of each, unescapes the text and sketches it.
//! A line is read only if the result is certain to be the result of JavaScript's `JSON.parse`. All other lines are left to
//! `JSON.parse`, which also words the errors of invalid ones.
#![no_std]

extern crate alloc;

mod fields;
mod line_sketcher;

pub use line_sketcher::{CELLS, LineSketcher};
