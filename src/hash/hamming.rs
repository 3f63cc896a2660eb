//! How far two fingerprints are apart.
//!
//! Fingerprints are plain integers; `u32`, `u64` and `u128` all serve.

/// How many bits of `a` and `b` differ: 0 for equal fingerprints, about half the width for
/// unrelated texts. O(1).
///
/// ```
/// assert_eq!(nearprint::distance(0b1010_u64, 0b0110_u64), 2);
/// ```
#[inline]
pub fn distance(a: impl Into<u128>, b: impl Into<u128>) -> u32 {
    (a.into() ^ b.into()).count_ones()
}

/// The share of equal bits, `1 - distance / bits`, from 0 to 1. O(1).
///
/// ```
/// assert_eq!(nearprint::similarity(0b1010_u64, 0b0110_u64, 64), 1.0 - 2.0 / 64.0);
/// ```
pub fn similarity(a: impl Into<u128>, b: impl Into<u128>, bits: u32) -> f64 {
    1.0 - f64::from(distance(a, b)) / f64::from(bits)
}

/// The cosine of the two feature vectors as SimHash estimates it, `cos(π · distance / bits)`,
/// from -1 to 1. O(1).
///
/// A bit of a fingerprint is the side of a random hyperplane that the text's feature vector lies
/// on; two vectors at the angle θ fall on different sides with probability θ / π (Charikar,
/// *Similarity estimation techniques from rounding algorithms*, STOC 2002).
///
/// ```
/// assert_eq!(nearprint::cosine(7_u64, 7_u64, 64), 1.0);
/// assert!(nearprint::cosine(0_u64, 0xffff_ffff_u64, 64).abs() < 1e-9);
/// ```
pub fn cosine(a: impl Into<u128>, b: impl Into<u128>, bits: u32) -> f64 {
    libm::cos(core::f64::consts::PI * f64::from(distance(a, b)) / f64::from(bits))
}
