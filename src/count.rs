//! How often each feature has come: what the logarithmic and the binary weights need to know.

use alloc::{vec, vec::Vec};

/// A map from feature hash to count, made to be filled and emptied once a text: open addressing
/// with linear probing, and cleared in O(1) by moving on to the next generation.
///
/// Whether a feature is new is a guess that a processor gets wrong as often as not, so nothing branches on it.
#[derive(Clone, Debug)]
pub(crate) struct Counts {
    slots: Vec<Slot>,
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
/// The smallest table, a power of two: 16 KiB, enough for texts of some hundred words.
const SMALLEST: usize = 1024;
/// The largest table that is kept for the next text.
const LARGEST_KEPT: usize = 1 << 17;

impl Counts {
    pub fn new() -> Self {
        Counts { slots: vec![Slot::default(); SMALLEST], used: 0, generation: 0 }
    }

    /// Counts `hash` once more and returns its count, which stops at `u32::MAX`. Amortised O(1).
    #[inline]
    pub fn increment(&mut self, hash: u64) -> u32 {
        if 4 * self.used >= self.slots.len() {
            self.grow();
        }
        let at = self.find(hash);
        let slot = &mut self.slots[at];
        // A free slot counts from the generation on.
        let stamp = (slot.stamp.max(self.generation) + 1).min(self.generation + (GENERATION - 1));
        *slot = Slot { hash, stamp };
        let count = stamp as u32;
        self.used += usize::from(count == 1);
        count
    }

    /// How many different features came.
    pub fn distinct(&self) -> usize {
        self.used
    }

    /// Forgets everything. O(1), but for a table that one very long text has left behind.
    pub fn clear(&mut self) {
        self.used = 0;
        if self.slots.len() > LARGEST_KEPT {
            *self = Counts::new();
        } else if let Some(next) = self.generation.checked_add(GENERATION) {
            self.generation = next;
        } else {
            self.slots.fill(Slot::default());
            self.generation = 0;
        }
    }

    /// The slot that holds `hash`, or the free one that would.
    #[inline]
    fn find(&self, hash: u64) -> usize {
        // The hash may be a raw FNV-1, whose low bits are poor: Fibonacci hashing takes high ones.
        let mask = self.slots.len() - 1;
        let mut at = (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        loop {
            let slot = &self.slots[at];
            // That another hash has the slot is rare, so that is what to branch on: told by whether the search moves,
            // or compilers branch on either half.
            let is_taken = (slot.stamp > self.generation) & (slot.hash != hash);
            let next = (at + usize::from(is_taken)) & mask;
            if next == at {
                return at;
            }
            at = next;
        }
    }

    fn grow(&mut self) {
        let bigger = vec![Slot::default(); 2 * self.slots.len()];
        let old = core::mem::replace(&mut self.slots, bigger);
        for slot in old.into_iter().filter(|slot| slot.stamp > self.generation) {
            let at = self.find(slot.hash);
            self.slots[at] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn counts_like_a_hash_map(texts in prop::collection::vec(prop::collection::vec(0_u64..3000, 0..4000), 1..4)) {
            let mut counts = Counts::new();
            for text in texts {
                let mut expected = HashMap::<u64, u32>::new();
                for hash in text {
                    let count = expected.entry(hash).or_default();
                    *count += 1;
                    prop_assert_eq!(counts.increment(hash), *count);
                }
                prop_assert_eq!(counts.distinct(), expected.len());
                counts.clear();
            }
        }
    }

    #[test]
    fn survives_the_last_generation() {
        let mut counts = Counts::new();
        counts.generation = u64::MAX - u64::MAX % GENERATION;
        assert_eq!(counts.increment(7), 1);
        counts.clear();
        assert_eq!(counts.increment(7), 1);
        assert_eq!(counts.increment(7), 2);
    }
}
