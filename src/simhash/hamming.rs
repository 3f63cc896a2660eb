//! The Hamming distance of two fingerprints, and the similarities derived from it.
//!
//! Fingerprints are integers: `u32`, `u64` or `u128`.

use super::scheme::Width;

/// Returns the number of bits in which `a` and `b` differ: 0 for equal texts, about half the width for unrelated ones. O(1).
///
/// ```
/// assert_eq!(nearprint::simhash::distance(0b1010_u64, 0b0110_u64), 2);
/// ```
#[inline]
#[must_use]
pub fn distance(a: impl Into<u128>, b: impl Into<u128>) -> u32 {
    (a.into() ^ b.into()).count_ones()
}

/// Returns the share of equal bits of two fingerprints of this width, `1 - distance / width`, from 0 to 1. O(1).
///
/// ```
/// use nearprint::simhash::{Width, similarity};
/// assert_eq!(similarity(0b1010_u64, 0b0110_u64, Width::W64), 1.0 - 2.0 / 64.0);
/// ```
#[must_use]
pub fn similarity(a: impl Into<u128>, b: impl Into<u128>, width: Width) -> f64 {
    1.0 - f64::from(distance(a, b)) / f64::from(width.bits())
}
