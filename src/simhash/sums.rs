//! Sums: every feature votes on every bit, +1 where its hash has a 1 and -1 where it has a 0.
//! The signs of the sums are the fingerprint (M. Charikar, *Similarity estimation techniques from rounding
//! algorithms*, STOC 2002). The sums are integers, so the order of the votes does not matter.
//!
//! The votes for 1 are counted *bit-sliced*: word `i` holds bit `i` of all 64 counters. A few operations on whole words then
//! add to all counters, instead of 64 additions. The votes pass a tree of carry-save adders (Harley and Seal; Muła, Kurz and
//! Lemire, *Faster Population Counts Using AVX2 Instructions*, 2018), here with one counter per bit position.

use crate::simd::Bytes;

/// The number of votes that one tree of adders takes.
const TREE: usize = 32;
/// The number of levels of the tree. Each half of the counters takes half of the votes.
const LEVELS: usize = (TREE / 2).ilog2() as usize;

/// The sums of 64 bits.
#[derive(Clone, Debug)]
pub(crate) struct Sums {
    /// The votes for 1, in two sets of 64 counters: the count of a bit is the sum of both. Word `i` of each set holds
    /// bit `i` of its 64 counters.
    ones: [Bytes; 64],
    /// The number of votes. No counter exceeds it.
    total: u64,
}

impl Sums {
    pub fn new() -> Self {
        Sums { ones: [Bytes::default(); 64], total: 0 }
    }

    /// Adds the words of `bits`: `votes` of them are votes, and the others are zero.
    pub fn add(&mut self, votes: u64, bits: &[u64]) {
        self.total += votes;
        let used = width(self.total);
        let Some((first, rest)) = self.ones.split_first_chunk_mut() else { return };
        // Zeros fill the last tree: they add nothing to the counters.
        let remainder = bits.as_chunks::<TREE>().1;
        let mut last = [0; TREE];
        last.iter_mut().zip(remainder).for_each(|(to, &word)| *to = word);
        let last = if remainder.is_empty() { &[] } else { &last[..] };
        for tree in trees(bits).iter().chain(trees(last)) {
            let mut carry = eights(first, tree);
            // Up to the highest bit in use: the end of a carry chain is not predictable.
            for sum in rest.iter_mut().take(used.saturating_sub(LEVELS)) {
                (*sum, carry) = (sum.xor(carry), sum.and(carry));
            }
        }
    }

    /// Returns the signs: bit = 1 where the sum is above 0, which is where more than half of the votes are for 1.
    pub fn sign(&self) -> u64 {
        let mut above = 0;
        for (at, word) in self.counters().enumerate() {
            // The highest bit in which a counter and half of the votes differ decides.
            let limit = (((self.total / 2) >> at) & 1).wrapping_neg();
            above = word & !limit | above & !(word ^ limit);
        }
        above
    }

    /// Returns the votes for 1: word `i` holds bit `i` of all 64 counts.
    fn counters(&self) -> impl Iterator<Item = u64> {
        self.ones.iter().take(width(self.total)).scan(0, |carry, sets| {
            let [a, b] = sets.to_u64s();
            let word = a ^ b ^ *carry;
            *carry = a & b | (a ^ b) & *carry;
            Some(word)
        })
    }

    pub fn clear(&mut self) {
        let used = width(self.total).max(LEVELS);
        self.ones[..used].fill(Bytes::default());
        self.total = 0;
    }
}

/// Returns the number of bits that hold the numbers up to `largest`.
fn width(largest: u64) -> usize {
    (u64::BITS - largest.leading_zeros()) as usize
}

/// Adds `a` and `b` to `sum`, bit by bit, and returns the carries (a full adder).
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

/// Returns the whole trees of these words.
fn trees(words: &[u64]) -> &[Eights] {
    words.as_chunks().0.as_chunks().0.as_chunks().0.as_chunks().0.as_chunks().0
}

// Each level adds two votes (or carries) of the level below to its counter bit and returns the carry.

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
