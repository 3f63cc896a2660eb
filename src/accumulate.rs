//! Sums: every feature votes on every bit, for 1 where its hash has a 1, for 0 where it has a 0.
//! The signs of the sums are the fingerprint (Charikar 2002). Integers only, so that the order of
//! the features cannot matter.

use crate::{mix, scheme::Scheme};

/// The votes of a text's features so far.
#[derive(Clone, Debug)]
pub(crate) struct Sums {
    /// How many votes there were for a 1, per bit.
    ones: [i64; 128],
    /// How many votes there were.
    total: i64,
}

impl Sums {
    pub const fn new() -> Self {
        Sums { ones: [0; 128], total: 0 }
    }

    /// The bits of a feature of this hash: all 128 where the scheme asks for them.
    #[inline]
    pub fn bits(scheme: &Scheme, hash: u64) -> u128 {
        if !scheme.mix {
            return hash.into();
        }
        let low = u128::from(mix::fmix64(hash));
        if scheme.width.bits() <= 64 {
            return low;
        }
        low | u128::from(mix::high_half(hash)) << 64
    }

    /// Adds one vote of the feature of this hash.
    #[inline]
    pub fn add(&mut self, scheme: &Scheme, hash: u64) {
        let bits = Sums::bits(scheme, hash);
        self.total += 1;
        let mut low = bits as u64;
        for one in &mut self.ones[..64] {
            *one += (low & 1) as i64;
            low >>= 1;
        }
        if scheme.width.bits() > 64 {
            let mut high = (bits >> 64) as u64;
            for one in &mut self.ones[64..] {
                *one += (high & 1) as i64;
                high >>= 1;
            }
        }
    }

    /// The sum of bit `at`: the votes for a 1 less those for a 0.
    #[inline]
    pub fn sum(&self, at: usize) -> i64 {
        2 * self.ones[at] - self.total
    }

    /// The fingerprint: a 1 where the sum is above 0.
    pub fn sign(&self, scheme: &Scheme) -> u128 {
        (0..scheme.width.bits() as usize)
            .filter(|&at| self.sum(at) > 0)
            .fold(0, |print, at| print | 1 << at)
    }

    pub fn clear(&mut self) {
        *self = Sums::new();
    }
}
