//! The sums of a fingerprint, one per bit.

use core::ops::{AddAssign, SubAssign};

/// One sum for each of the low `BITS` bits of a hash.
///
/// `T` is an integer where the original counts, and `f64` where it adds weights. The additions are in the same order as the
/// original's, so the rounding is the same.
pub(super) struct Sums<T, const BITS: usize>([T; BITS]);

impl<T: Copy + Default + AddAssign + SubAssign, const BITS: usize> Sums<T, BITS> {
    pub(super) fn new() -> Self {
        Self([T::default(); BITS])
    }

    /// Adds the weight where the hash has a one, and subtracts it where the hash has a zero.
    pub(super) fn add(&mut self, mut hash: u128, weight: T) {
        for sum in &mut self.0 {
            if hash & 1 == 1 {
                *sum += weight;
            } else {
                *sum -= weight;
            }
            hash >>= 1;
        }
    }

    /// Returns the fingerprint: a bit is 1 where `is_one` of its sum is true.
    pub(super) fn sign(&self, is_one: impl Fn(T) -> bool) -> u128 {
        self.0.iter().rev().fold(0, |bits, &sum| bits << 1 | u128::from(is_one(sum)))
    }
}
