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

/// Returns the estimate of the cosine of the feature vectors of two fingerprints of this width,
/// `cos(π · distance / width)`, from -1 to 1. O(1).
///
/// Each bit of a fingerprint is the side of a random hyperplane on which the feature vector of the text lies. Two
/// vectors at the angle θ lie on different sides with probability θ / π (M. Charikar, *Similarity estimation techniques
/// from rounding algorithms*, STOC 2002).
///
/// ```
/// use nearprint::simhash::{Width, cosine};
/// assert_eq!(cosine(7_u64, 7_u64, Width::W64), 1.0);
/// assert!(cosine(0_u64, 0xffff_ffff_u64, Width::W64).abs() < 1e-9);
/// ```
#[must_use]
pub fn cosine(a: impl Into<u128>, b: impl Into<u128>, width: Width) -> f64 {
    libm::cos(core::f64::consts::PI * f64::from(distance(a, b)) / f64::from(width.bits()))
}
