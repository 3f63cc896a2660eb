//! Sums: every feature votes on every bit, for 1 where its hash has a 1, for 0 where it has a 0.
//! The signs of the sums are the fingerprint (Charikar 2002). Integers only, so that the order of
//! the features cannot matter.
//!
//! The votes for a 1 are counted *bit-sliced*: 64 counters lie across a few words, word `i` holding bit `i` of each.
//! One addition then is a handful of operations on whole words for all 64 counters together, where 64 counters of
//! their own take 64 additions: Harley and Seal's tree of carry-save adders, as in Muła, Kurz and Lemire, *Faster
//! Population Counts Using AVX2 Instructions* (2018), here by bit position.

use crate::simd::Bytes;

/// Votes that are added together, two by two.
const BLOCK: usize = 32;
/// The bits of a count that those come to, in each of its halves.
const LEVELS: usize = (BLOCK / 2).ilog2() as usize;

/// The votes of a text's features so far, on 64 bits.
#[derive(Clone, Debug)]
pub(crate) struct Sums {
    /// The votes for a 1: twice 64 counters of 64 bits, which count together. Word `i` of each half holds bit `i` of each.
    ones: [Bytes; 64],
    /// How many votes there were: no counter is above that.
    total: u64,
}

impl Sums {
    pub fn new() -> Self {
        Sums { ones: [Bytes::default(); 64], total: 0 }
    }

    /// Adds so many votes: the bits of each, and 0 where there is none.
    pub fn add(&mut self, votes: u64, bits: &[u64]) {
        self.total += votes;
        let used = bits_of(self.total);
        let Some((first, rest)) = self.ones.split_first_chunk_mut() else { return };
        // What is over in the end is filled up with zeros, which add nothing.
        let over = bits.as_chunks::<BLOCK>().1;
        let mut last = [0; BLOCK];
        last.iter_mut().zip(over).for_each(|(to, &word)| *to = word);
        let last = if over.is_empty() { &[] } else { &last[..] };
        for block in blocks(bits).iter().chain(blocks(last)) {
            let mut carry = eights(first, block);
            // To the last bit in use, since where a carry ends is nothing that a processor foresees.
            for sum in rest.iter_mut().take(used.saturating_sub(LEVELS)) {
                (*sum, carry) = (sum.xor(carry), sum.and(carry));
            }
        }
    }

    /// The fingerprint: a 1 where the sum is above 0, which is where more than half the votes are for a 1. The highest bit in
    /// which a counter and that half differ says.
    pub fn sign(&self) -> u64 {
        let (mut above, mut carry) = (0, 0);
        for (at, halves) in self.ones.iter().enumerate().take(bits_of(self.total)) {
            let [a, b] = halves.to_u64s();
            let word = a ^ b ^ carry;
            carry = a & b | (a ^ b) & carry;
            let limit = (((self.total / 2) >> at) & 1).wrapping_neg();
            above = word & !limit | above & !(word ^ limit);
        }
        above
    }

    pub fn clear(&mut self) {
        let used = bits_of(self.total).max(LEVELS);
        self.ones[..used].fill(Bytes::default());
        self.total = 0;
    }
}

/// How many bits a number up to this one has.
fn bits_of(most: u64) -> usize {
    (u64::BITS - most.leading_zeros()) as usize
}

/// A full adder for each bit: what is counted, and what is carried.
#[inline(always)]
fn add(sum: &mut Bytes, a: Bytes, b: Bytes) -> Bytes {
    let half = a.xor(b);
    let carry = a.and(b).or(half.and(*sum));
    *sum = half.xor(*sum);
    carry
}

type Ones = [[u64; 2]; 2];
type Twos = [Ones; 2];
type Fours = [Twos; 2];
type Eights = [Fours; 2];

/// The whole blocks of these words.
fn blocks(words: &[u64]) -> &[Eights] {
    words.as_chunks().0.as_chunks().0.as_chunks().0.as_chunks().0.as_chunks().0
}

// Each takes in twice what it can hold, and hands on a carry.

#[inline(always)]
fn ones(sums: &mut [Bytes; LEVELS], [a, b]: &Ones) -> Bytes {
    add(&mut sums[0], Bytes::from_u64s(*a), Bytes::from_u64s(*b))
}

#[inline(always)]
fn twos(sums: &mut [Bytes; LEVELS], [a, b]: &Twos) -> Bytes {
    let [a, b] = [ones(sums, a), ones(sums, b)];
    add(&mut sums[1], a, b)
}

#[inline(always)]
fn fours(sums: &mut [Bytes; LEVELS], [a, b]: &Fours) -> Bytes {
    let [a, b] = [twos(sums, a), twos(sums, b)];
    add(&mut sums[2], a, b)
}

#[inline(always)]
fn eights(sums: &mut [Bytes; LEVELS], [a, b]: &Eights) -> Bytes {
    let [a, b] = [fours(sums, a), fours(sums, b)];
    add(&mut sums[3], a, b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn signs_are_those_of_plain_sums(
            votes in prop::collection::vec(prop::option::weighted(0.8, any::<u64>()), 0..300),
            at_once in 1_usize..200,
            same in 0_usize..5000,
        ) {
            let mut sums = Sums::new();
            let mut plain = [0_i64; 64];
            for votes in [votes, std::vec![Some(42); same]] {
                for votes in votes.chunks(at_once) {
                    let bits: std::vec::Vec<u64> = votes.iter().map(|vote| vote.unwrap_or(0)).collect();
                    sums.add(votes.iter().flatten().count() as u64, &bits);
                }
                for bits in votes.into_iter().flatten() {
                    for (bit, sum) in plain.iter_mut().enumerate() {
                        *sum += if bits >> bit & 1 == 1 { 1 } else { -1 };
                    }
                }
            }
            for (bit, sum) in plain.into_iter().enumerate() {
                prop_assert_eq!(sums.sign() >> bit & 1 == 1, sum > 0);
            }
            sums.clear();
            prop_assert_eq!(sums.sign(), 0);
        }
    }
}
