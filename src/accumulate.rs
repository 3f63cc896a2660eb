//! Sums: every feature votes on every bit, for 1 where its hash has a 1, for 0 where it has a 0.
//! The signs of the sums are the fingerprint (Charikar 2002). Integers only, so that the order of
//! the features cannot matter.
//!
//! The votes for a 1 are counted *bit-sliced*: 64 counters lie across a few words, word `i` holding bit `i` of each.
//! One addition then is a handful of operations on whole words for all 64 counters together, where 64 counters of
//! their own take 64 additions: Harley and Seal's tree of carry-save adders, as in Muła, Kurz and Lemire, *Faster
//! Population Counts Using AVX2 Instructions* (2018), here by bit position.

use crate::{
    features, mix,
    scheme::{Scheme, Weights},
};

/// Votes that are added together.
const BLOCK: usize = 16;
/// The bits of a count that those come to.
const LEVELS: usize = BLOCK.ilog2() as usize;
/// The most votes at once, in whole blocks.
const MOST: usize = features::AT_ONCE.next_multiple_of(BLOCK);

/// The votes of a text's features so far.
#[derive(Clone, Debug)]
pub(crate) struct Sums {
    /// The votes for a 1, on the low 64 bits and on the high ones.
    ones: [Counters; 2],
    /// How many votes there were.
    total: u64,
    /// Scratch space: the bits of features.
    bits: [u64; MOST],
}

/// 64 counters of 64 bits: word `i` holds bit `i` of each.
#[derive(Clone, Debug)]
struct Counters([u64; 64]);

impl Sums {
    pub const fn new() -> Self {
        Sums { ones: [const { Counters::new() }; 2], total: 0, bits: [0; MOST] }
    }

    /// The bits of a feature of this hash: all 128 where the scheme asks for them.
    #[inline]
    pub fn bits(scheme: &Scheme, hash: u64) -> u128 {
        let low = u128::from(if scheme.mix { mix::fmix64(hash) } else { hash });
        if scheme.width.bits() <= 64 {
            return low;
        }
        low | u128::from(mix::fmix64(hash ^ mix::HIGH_HALF)) << 64
    }

    /// Adds a vote of each of the features of these hashes, of which there are at most [`features::AT_ONCE`], if it votes
    /// when it has come for as many times as `counts` says.
    pub fn add(&mut self, scheme: &Scheme, hashes: &[u64], counts: &[u64]) {
        let Sums { ones: [low, high], bits, total } = self;
        // A 0 in every place adds nothing: the last block need not be full.
        let blocks = hashes.len().div_ceil(BLOCK);
        if let Some(last) = bits.as_chunks_mut().0.get_mut(hashes.len() / BLOCK) {
            *last = [0; BLOCK];
        }
        // 1 + floor(log2 count) grows by one where the count reaches a power of two: exact, and no logarithm is ever taken.
        // Otherwise the first vote is the only one.
        let all = if scheme.weights == Weights::Log { 0 } else { u64::MAX };
        *total += if scheme.mix {
            vote_mixed(bits, hashes, counts, all, 0)
        } else {
            vote(bits, hashes, counts, all, |hash| hash)
        };
        low.add_all(&bits[..blocks * BLOCK], *total);
        if scheme.width.bits() > 64 {
            vote_mixed(bits, hashes, counts, all, mix::HIGH_HALF);
            high.add_all(&bits[..blocks * BLOCK], *total);
        }
    }

    /// The fingerprint: a 1 where the sum is above 0, which is where more than half the votes are for a 1.
    pub fn sign(&self, scheme: &Scheme) -> u128 {
        let sign = |half: usize| u128::from(self.ones[half].above_half(self.total));
        let high = if scheme.width.bits() > 64 { sign(1) } else { 0 };
        (sign(0) | high << 64) & scheme.width.mask()
    }

    pub fn clear(&mut self) {
        let used = bits_of(self.total).max(LEVELS);
        self.ones.iter_mut().for_each(|ones| ones.0[..used].fill(0));
        self.total = 0;
    }
}

impl Counters {
    const fn new() -> Self {
        Counters([0; 64])
    }

    /// Adds each bit of the words, which are whole blocks, to the counter at its place. None comes above `most`.
    fn add_all(&mut self, words: &[u64], most: u64) {
        let used = bits_of(most);
        for block in words.as_chunks().0 {
            self.add(block, used);
        }
    }

    /// Adds each bit of the block's words to the counter at its place. The counters have so many bits in use.
    #[inline]
    fn add(&mut self, block: &[u64; BLOCK], used: usize) {
        // Each word takes in twice what it can hold, and hands half as many carries on to the next.
        let (first, rest) = self.0.split_at_mut(LEVELS);
        let mut carries = *block;
        let mut left = BLOCK;
        for sum in first {
            left /= 2;
            for at in 0..left {
                (*sum, carries[at]) = add(carries[2 * at], carries[2 * at + 1], *sum);
            }
        }
        // To the last bit in use, since where a carry ends is nothing that a processor foresees.
        let mut carry = carries[0];
        for sum in rest.iter_mut().take(used.saturating_sub(LEVELS)) {
            (*sum, carry) = (*sum ^ carry, *sum & carry);
        }
    }

    /// A bit for each counter: whether it is above half of `total`, which none exceeds. From the highest word down,
    /// the first at which the two differ says.
    fn above_half(&self, total: u64) -> u64 {
        let used = bits_of(total);
        let (mut above, mut equal) = (0, u64::MAX);
        for (at, &word) in self.0.iter().enumerate().take(used).rev() {
            let limit = (((total / 2) >> at) & 1).wrapping_neg();
            above |= equal & word & !limit;
            equal &= !(word ^ limit);
        }
        above
    }
}

/// How many bits a number up to this one has.
fn bits_of(most: u64) -> usize {
    (u64::BITS - most.leading_zeros()) as usize
}

/// [`vote`] with the finaliser, of the hashes moved by `by`. A function of its own since there is one for both halves.
#[inline(never)]
fn vote_mixed(bits: &mut [u64], hashes: &[u64], counts: &[u64], all: u64, by: u64) -> u64 {
    vote(bits, hashes, counts, all, |hash| mix::fmix64(hash ^ by))
}

/// The bits of each feature, or none if it does not vote, and how many do. One votes at this count if that is a power of
/// two, or, with every bit of `all`, if it is 1.
#[inline(always)]
fn vote(
    bits: &mut [u64],
    hashes: &[u64],
    counts: &[u64],
    all: u64,
    mix: impl Fn(u64) -> u64,
) -> u64 {
    let mut votes = 0_u64;
    for ((bits, &hash), &count) in bits.iter_mut().zip(hashes).zip(counts) {
        let does = if (count | all) & count.wrapping_sub(1) == 0 { u64::MAX } else { 0 };
        votes = votes.wrapping_sub(does);
        *bits = mix(hash) & does;
    }
    votes
}

/// A full adder for each bit: the sum's low and high bit.
#[inline]
fn add(a: u64, b: u64, c: u64) -> (u64, u64) {
    let half = a ^ b;
    (half ^ c, a & b | half & c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Width;
    use proptest::prelude::*;
    use std::vec::Vec;

    proptest! {
        #[test]
        fn signs_are_those_of_plain_sums(
            features in prop::collection::vec((any::<u64>(), prop_oneof![1_u64..9, any::<u64>().prop_map(|count| count.max(1))]), 0..300),
            same in 0_usize..5000,
            log in any::<bool>(),
            mix in any::<bool>(),
            width in prop::sample::select(std::vec![Width::W32, Width::W64, Width::W128]),
        ) {
            let weights = if log { Weights::Log } else { Weights::Binary };
            let scheme = Scheme { mix: mix || width == Width::W128, width, weights, ..Scheme::default() };
            let mut sums = Sums::new();
            let mut plain = [0_i64; 128];
            for features in [features, std::vec![(42, 1); same]] {
                for features in features.chunks(features::AT_ONCE) {
                    let (hashes, counts): (Vec<_>, Vec<_>) = features.iter().copied().unzip();
                    sums.add(&scheme, &hashes, &counts);
                }
                for (hash, count) in features {
                    if !(count == 1 || log && count.is_power_of_two()) {
                        continue;
                    }
                    for (bit, sum) in plain.iter_mut().enumerate() {
                        *sum += if Sums::bits(&scheme, hash) >> bit & 1 == 1 { 1 } else { -1 };
                    }
                }
            }
            let print = sums.sign(&scheme);
            for (bit, sum) in plain.into_iter().enumerate() {
                prop_assert_eq!(print >> bit & 1 == 1, bit < width.bits() as usize && sum > 0);
            }
            sums.clear();
            prop_assert_eq!(sums.sign(&scheme), 0);
        }
    }
}
