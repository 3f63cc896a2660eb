//! How often each feature has come: what the logarithmic and the binary weights need to know.

/// A map from feature hash to count, made to be filled and emptied once a text: open addressing
/// with linear probing, and cleared in O(1) by counting up the generation.
#[derive(Clone, Debug)]
pub(crate) struct Counts {
    slots: Vec<Slot>,
    used: usize,
    generation: u32,
}

use alloc::{vec, vec::Vec};

/// A slot is empty unless it is of the map's generation.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    hash: u64,
    count: u32,
    generation: u32,
}

/// The smallest table, a power of two: 16 KiB, enough for texts of some 3 KB.
const SMALLEST: usize = 1024;
/// The largest table that is kept for the next text.
const LARGEST_KEPT: usize = 1 << 17;

impl Counts {
    pub fn new() -> Self {
        Counts { slots: vec![Slot::default(); SMALLEST], used: 0, generation: 1 }
    }

    /// Counts `hash` once more and returns its count, which stops at `u32::MAX`. Amortised O(1).
    #[inline]
    pub fn increment(&mut self, hash: u64) -> u32 {
        if 2 * self.used >= self.slots.len() {
            self.grow();
        }
        let at = self.find(hash);
        let slot = &mut self.slots[at];
        // Whether a feature is new is anyone's guess, a processor's too: no branch on it.
        let is_new = slot.generation != self.generation;
        let count = if is_new { 1 } else { slot.count.saturating_add(1) };
        *slot = Slot { hash, count, generation: self.generation };
        self.used += usize::from(is_new);
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
        } else if self.generation == u32::MAX {
            self.slots.fill(Slot::default());
            self.generation = 1;
        } else {
            self.generation += 1;
        }
    }

    /// The slot that holds `hash`, or the empty one that would.
    #[inline]
    fn find(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        // The hash may be a raw FNV-1, whose low bits are poor: Fibonacci hashing takes high ones.
        let spread = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut at = (spread >> 32) as usize & mask;
        loop {
            let slot = &self.slots[at];
            // One condition, not two: that the slot is either is likely, which of them is a guess.
            if (slot.generation != self.generation) | (slot.hash == hash) {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let bigger = vec![Slot::default(); 2 * self.slots.len()];
        let old = core::mem::replace(&mut self.slots, bigger);
        for slot in old.into_iter().filter(|slot| slot.generation == self.generation) {
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
        counts.generation = u32::MAX;
        assert_eq!(counts.increment(7), 1);
        counts.clear();
        assert_eq!(counts.increment(7), 1);
        assert_eq!(counts.increment(7), 2);
    }
}
