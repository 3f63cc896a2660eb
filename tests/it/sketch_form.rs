//! The crate's sketches in the form of the reference.

use nearprint::{Fingerprinter, Scope, Sketch};
use nearprint_reference as reference;

/// Returns the crate's sketch of a text in a scope.
pub fn sketch_in(core: &mut Fingerprinter, scope: &str, text: &str) -> Sketch {
    core.sketch_in(Scope::new(scope), text)
}

/// Asserts that a sketch of the crate equals one of the reference: its binary form and its keys.
#[track_caller]
pub fn assert_same(sketch: &Sketch, expected: &[u8], why: &str) {
    assert_eq!(sketch.to_bytes(), expected, "{why}");
    assert_eq!(sketch.keys(), Some(reference::keys(expected)), "{why}: keys");
}
