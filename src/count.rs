//! How often each feature has come: what the logarithmic and the binary weights need to know.

use alloc::{vec, vec::Vec};

use crate::scheme::Weights;

/// A map from feature hash to count, made to be filled and emptied once a text: open addressing with linear probing,
/// and cleared in O(1) by moving on to the next generation.
///
/// A short text uses but the start of a table that longer ones have left, so that it stays in the nearest cache.
#[derive(Clone, Debug)]
pub(crate) struct Counts {
    slots: Vec<Slot>,
    /// How many of them are in use: a power of two.
    size: usize,
    /// Different hashes.
    used: usize,
    /// A multiple of [`GENERATION`].
    generation: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    hash: u64,
    /// The generation and the count. The slot is free unless this is above the map's generation: those before it were
    /// below.
    stamp: u64,
}

/// From one generation to the next: room for a count of 32 bits.
const GENERATION: u64 = 1 << 32;
/// The smallest table, a power of two.
const SMALLEST: usize = 256;
/// The largest table that is kept for the next text.
const LARGEST_KEPT: usize = 1 << 17;

/// At which counts a feature votes: where the count less one has none of the bits of `count & of_count | all`.
#[derive(Clone, Copy)]
struct When {
    of_count: u64,
    all: u64,
}

impl When {
    fn new(weights: Weights) -> Self {
        match weights {
            // 1 + floor(log2 count) grows by one where the count reaches a power of two: exact, and no logarithm is ever
            // taken.
            Weights::Log => When { of_count: u64::MAX, all: 0 },
            Weights::Tf => When { of_count: 0, all: 0 },
            Weights::Binary => When { of_count: 0, all: u64::MAX },
        }
    }
}

impl Counts {
    pub fn new() -> Self {
        Counts { slots: vec![Slot::default(); SMALLEST], size: SMALLEST, used: 0, generation: 0 }
    }

    /// Counts each hash once more, and writes those that vote at their new count, which stops at `u32::MAX`: as many as
    /// it returns. `voting` has room for all. Amortised O(hashes).
    pub fn increment(&mut self, weights: Weights, hashes: &[u64], voting: &mut [u64]) -> usize {
        while 2 * (self.used + hashes.len()) > self.size {
            self.grow();
        }
        let slots = &mut self.slots[..self.size];
        let (voted, new) = increment(slots, self.generation, When::new(weights), hashes, voting);
        self.used += new;
        voted
    }

    /// How many different features came.
    pub fn distinct(&self) -> usize {
        self.used
    }

    /// Forgets everything, for a text that has some `features`. O(1), but for a larger table than there was.
    pub fn clear(&mut self, features: usize) {
        let size = (2 * features).next_power_of_two().clamp(SMALLEST, LARGEST_KEPT);
        let next = self.generation.checked_add(GENERATION);
        match next.filter(|_| (size..=LARGEST_KEPT).contains(&self.slots.len())) {
            Some(next) => self.generation = next,
            None => {
                self.slots = vec![Slot::default(); size];
                self.generation = 0;
            }
        }
        (self.size, self.used) = (size, 0);
    }

    fn grow(&mut self) {
        let mut bigger = vec![Slot::default(); self.slots.len().max(2 * self.size)];
        for slot in &self.slots[..self.size] {
            if slot.stamp > self.generation {
                *find(&mut bigger[..2 * self.size], self.generation, slot.hash) = *slot;
            }
        }
        self.slots = bigger;
        self.size *= 2;
    }
}

/// Counts each hash once more, and returns how many vote and how many are new.
///
/// Both are guesses that a processor gets wrong as often as not, so nothing branches on them: the next one to vote is
/// written over one that does not. A function of its own, with few variables, which then stay in registers.
#[inline(never)]
fn increment(
    slots: &mut [Slot],
    generation: u64,
    When { of_count, all }: When,
    hashes: &[u64],
    voting: &mut [u64],
) -> (usize, usize) {
    let (mut voted, mut new) = (0, 0);
    if slots.is_empty() {
        return (voted, new); // never; but this says so once, and not for each hash
    }
    for &hash in hashes {
        let slot = find(slots, generation, hash);
        // A free slot counts from the generation on.
        let stamp = (slot.stamp.max(generation) + 1).min(generation + (GENERATION - 1));
        *slot = Slot { hash, stamp };
        let count = stamp - generation;
        voting[voted] = hash;
        voted += usize::from((count & of_count | all) & (count - 1) == 0);
        new += usize::from(count == 1);
    }
    (voted, new)
}

/// The slot that holds `hash`, or the free one that would. There is one.
#[inline]
fn find(slots: &mut [Slot], generation: u64, hash: u64) -> &mut Slot {
    let mask = slots.len() - 1;
    // The hash may be a raw FNV-1, whose low bits are poor: Fibonacci hashing takes high ones.
    let mut at = (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
    loop {
        let slot = &slots[at & mask]; // masked for the compiler to see, too
        // That another hash has the slot is rare, so that is what to branch on: told by whether the search moves,
        // or compilers branch on either half.
        let is_taken = (slot.stamp > generation) & (slot.hash != hash);
        let next = (at + usize::from(is_taken)) & mask;
        if next == at {
            return &mut slots[at & mask];
        }
        at = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    /// Counts, and tells which vote.
    fn increment(counts: &mut Counts, weights: Weights, hashes: &[u64]) -> Vec<u64> {
        let mut voting = vec![0; hashes.len()];
        let voted = counts.increment(weights, hashes, &mut voting);
        voting.truncate(voted);
        voting
    }

    proptest! {
        #[test]
        fn counts_like_a_hash_map(
            texts in prop::collection::vec((prop::collection::vec(0_u64..3000, 0..4000), 0_usize..5000), 1..4),
            at_once in 1_usize..300,
            weights in prop::sample::select(vec![Weights::Log, Weights::Tf, Weights::Binary]),
        ) {
            let mut counts = Counts::new();
            for (hashes, size) in texts {
                counts.clear(size);
                let mut expected = HashMap::<u64, u32>::new();
                for hashes in hashes.chunks(at_once) {
                    let votes = |hash: &&u64| {
                        let count = expected.entry(**hash).or_default();
                        *count += 1;
                        match weights {
                            Weights::Log => count.is_power_of_two(),
                            Weights::Tf => true,
                            Weights::Binary => *count == 1,
                        }
                    };
                    let expected: Vec<_> = hashes.iter().filter(votes).copied().collect();
                    prop_assert_eq!(increment(&mut counts, weights, hashes), expected);
                }
                prop_assert_eq!(counts.distinct(), expected.len());
            }
        }
    }

    #[test]
    fn survives_the_last_generation() {
        let mut counts = Counts::new();
        counts.generation = u64::MAX - u64::MAX % GENERATION;
        for votes in [&[7][..], &[]] {
            assert_eq!(increment(&mut counts, Weights::Binary, &[7]), votes);
        }
        counts.clear(0);
        assert_eq!(increment(&mut counts, Weights::Binary, &[7, 7]), [7]);
    }

    #[test]
    fn counts_stop() {
        let mut counts = Counts::new();
        counts.clear(0);
        increment(&mut counts, Weights::Log, &[7]);
        for slot in &mut counts.slots {
            slot.stamp = slot.stamp.max(GENERATION - 3 + counts.generation);
        }
        assert_eq!(increment(&mut counts, Weights::Log, &[7; 9]), []);
        assert_eq!(counts.distinct(), 1);
    }
}
