//! How often each feature has come: what the logarithmic and the binary weights need to know.

use alloc::{vec, vec::Vec};

/// A map from feature hash to count, made to be filled and emptied once a text.
///
/// The features stand in a row, in the order in which they first came, and an open-addressing table of their numbers says
/// where: a slot of four bytes, so that the table of most texts stays in the nearest cache. Numbers go on from text to
/// text, which frees all slots at once.
#[derive(Clone, Debug)]
pub(crate) struct Counts {
    /// The different ones first, then room for more.
    features: Vec<Feature>,
    used: usize,
    /// Each has the number of a feature, or an earlier text's, and then is free.
    slots: Vec<u32>,
    /// How many of them are in use, a power of two: a short text uses but the start of a table that longer ones have left.
    size: usize,
    /// The number of the text's first feature.
    first: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Feature {
    hash: u64,
    count: u64,
}

/// The smallest table, the largest that a text starts with and the largest that is kept for the next one: powers of two.
const SMALLEST: usize = 1 << 8;
const LARGEST: usize = 1 << 16;
const LARGEST_KEPT: usize = 1 << 18;

/// The highest number that a text may start with: it leaves room for as many as there can be slots.
const LAST_FIRST: u32 = u32::MAX / 2;

impl Counts {
    pub fn new() -> Self {
        Counts { features: Vec::new(), used: 0, slots: vec![0; SMALLEST], size: SMALLEST, first: 1 }
    }

    /// Counts each hash once more, whose low bits had better differ, and tells how often it has come now. Amortised O(hashes).
    pub fn increment(&mut self, hashes: &[u64], counts: &mut [u64]) {
        // One more, for a search to end at.
        let most = self.used + hashes.len() + 1;
        if self.features.len() < most {
            self.features.resize(most.next_power_of_two(), Feature::default());
        }
        if self.size < 2 * most {
            self.resize((2 * most).next_power_of_two());
        }
        let slots = &mut self.slots[..self.size];
        self.used = increment(slots, self.first, &mut self.features, self.used, hashes, counts);
    }

    /// How many different features came.
    pub fn distinct(&self) -> usize {
        self.used
    }

    /// Forgets everything, for a text that has some `features`. O(1), but for a larger table than there was.
    pub fn clear(&mut self, features: usize) {
        if self.slots.len() > LARGEST_KEPT {
            *self = Counts::new();
        }
        self.free();
        self.used = 0;
        // Two of a home are a branch that the processor does not foresee, so there is much room.
        self.resize((8 * features).next_power_of_two().clamp(SMALLEST, LARGEST));
    }

    /// Frees all slots: the numbers in them are those of a text before.
    fn free(&mut self) {
        let next = self.first.saturating_add(self.used.try_into().unwrap_or(u32::MAX));
        if next <= LAST_FIRST {
            self.first = next;
        } else {
            self.slots.fill(0);
            self.first = 1;
        }
    }

    /// Puts the features into as many slots.
    fn resize(&mut self, size: usize) {
        // Numbers end there, and before them the memory.
        assert!(size as u64 <= 1 << 32);
        self.free();
        self.size = size;
        if self.slots.len() < size {
            self.slots.resize(size, 0);
        }
        let mask = size - 1;
        for (number, feature) in (self.first..).zip(&self.features[..self.used]) {
            let mut at = feature.hash as usize & mask;
            while self.slots[at] >= self.first {
                at = (at + 1) & mask;
            }
            self.slots[at] = number;
        }
    }
}

/// Counts each hash once more. `used` features there were, and as many as it returns there are.
///
/// Whether one is new is a guess that a processor gets wrong as often as not, so nothing branches on it. A function of its
/// own, with few variables, which then stay in registers.
#[inline(never)]
fn increment(
    slots: &mut [u32],
    first: u32,
    features: &mut [Feature],
    mut used: usize,
    hashes: &[u64],
    counts: &mut [u64],
) -> usize {
    if slots.is_empty() {
        return used; // never; but this says so once, and not for each hash
    }
    let mask = slots.len() - 1;
    for (&hash, count) in hashes.iter().zip(counts) {
        // This is the next new one, unless the search ends before: a slot with the number of none counts as that one's.
        features[used] = Feature { hash, count: 0 };
        let mut at = hash as usize & mask;
        let number = loop {
            let number = (slots[at & mask].wrapping_sub(first) as usize).min(used);
            if features[number].hash == hash {
                break number;
            }
            at = (at + 1) & mask;
        };
        slots[at & mask] = first.wrapping_add(number as u32);
        let feature = &mut features[number];
        feature.count += 1;
        *count = feature.count;
        used += usize::from(number == used);
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    /// Counts, and tells each count.
    fn increment(counts: &mut Counts, hashes: &[u64]) -> Vec<u64> {
        let mut told = vec![0; hashes.len()];
        counts.increment(hashes, &mut told);
        told
    }

    proptest! {
        #[test]
        fn counts_like_a_hash_map(
            texts in prop::collection::vec((prop::collection::vec(0_u64..3000, 0..4000), 0_usize..5000), 1..4),
            at_once in 1_usize..300,
            first in prop_oneof![Just(1), LAST_FIRST - 3000..=LAST_FIRST],
        ) {
            let mut counts = Counts::new();
            counts.first = first;
            for (hashes, size) in texts {
                counts.clear(size);
                let mut expected = HashMap::<u64, u64>::new();
                for hashes in hashes.chunks(at_once) {
                    let more = |hash: &u64| {
                        let count = expected.entry(*hash).or_default();
                        *count += 1;
                        *count
                    };
                    let expected: Vec<_> = hashes.iter().map(more).collect();
                    prop_assert_eq!(increment(&mut counts, hashes), expected);
                }
                prop_assert_eq!(counts.distinct(), expected.len());
            }
        }
    }

    #[test]
    fn a_large_table_is_not_kept() {
        let mut counts = Counts::new();
        let hashes = Vec::from_iter(0..LARGEST_KEPT as u64);
        assert!(increment(&mut counts, &hashes).iter().all(|&count| count == 1));
        assert_eq!(counts.distinct(), hashes.len());
        assert!(counts.slots.len() > LARGEST_KEPT);
        counts.clear(0);
        assert_eq!(counts.slots.len(), SMALLEST);
        assert_eq!(increment(&mut counts, &[7, 8, 7]), [1, 1, 2]);
    }
}
