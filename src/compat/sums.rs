//! The sums behind a fingerprint, one a bit.

use core::ops::{AddAssign, SubAssign};

/// One sum for each of the low `BITS` bits of a hash.
///
/// `T` is a whole number where the original counts, and `f64` where it weighs: there every sum is made of the same
/// additions in the same order as the original's, so that it rounds alike.
pub(super) struct Sums<T, const BITS: usize>([T; BITS]);

impl<T: Copy + Default + AddAssign + SubAssign, const BITS: usize> Sums<T, BITS> {
    pub(super) fn new() -> Self {
        Self([T::default(); BITS])
    }

    /// Adds the weight where the hash has a one, and takes it off where it has a zero.
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

    /// The fingerprint: a one where `is_one` says so of the sum.
    pub(super) fn sign(&self, is_one: impl Fn(T) -> bool) -> u128 {
        self.0.iter().rev().fold(0, |bits, &sum| bits << 1 | u128::from(is_one(sum)))
    }
}
