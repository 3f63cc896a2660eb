//! How similar two documents are.

use crate::sketch::record::Record;

/// How similar two documents are.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Similarity {
    /// The resemblance, from 0 to 1.
    pub resemblance: f64,
}

impl Similarity {
    pub(super) fn new(a: &Record, b: &Record) -> Self {
        // Features of equal words can differ where hashes of 64 bits collide.
        let is_equal = a.equals(b) && !a.is_blank();
        Similarity { resemblance: if is_equal { 1.0 } else { a.resemblance(b) } }
    }
}
