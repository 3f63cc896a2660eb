//! Counts of the features of a text (term frequencies), which the logarithmic and the binary weights need.
//!
//! A hash table counts the features of most texts. Its hash function is public, so anyone can write a text whose features
//! collide. So a search takes at most [`MAX_STEPS`] slots. Once a feature finds no slot, or the table has [`MAX_FEATURES`],
//! it accepts no new features: [`Sorted`] counts the others, in time and memory that do not depend on the hashes.

use alloc::{vec, vec::Vec};

use super::sorted::Sorted;
use crate::features::BATCH_FEATURES;

/// The count of a feature whose count is not known yet. It is not a power of two, so the feature does not vote.
const UNKNOWN: u64 = u64::MAX;

/// A feature's mixed hash and its count.
#[derive(Clone, Copy, Debug, Default)]
struct CountedFeature {
    hash: u64,
    count: u64,
}

/// A map from mixed hash to count, which is filled and emptied once per text.
///
/// The features are stored in the order of their first occurrence. An open-addressing table with linear probing holds
/// their numbers: a slot has four bytes, so the table of most texts fits in the first-level cache. Numbers continue
/// from text to text, so that starting a new text frees all slots at once.
#[derive(Clone, Debug)]
pub(crate) struct Counts {
    /// The text's features, then spare ones.
    features: Vec<CountedFeature>,
    /// The number of features.
    used: usize,
    /// Numbers of features. A number below `first` belongs to an earlier text: the slot is free.
    slots: Vec<u32>,
    /// The number of slots in use, a power of two: a short text uses only the start of a large table.
    size: usize,
    /// The number of the text's first feature.
    first: u32,
    /// The features that are not in the table.
    sorted: Option<Sorted>,
}

/// The minimum number of slots, the maximum with which a text starts, and the maximum: powers of two.
const MIN_SLOTS: usize = 1 << 8;
const MAX_START_SLOTS: usize = 1 << 16;
const MAX_SLOTS: usize = 1 << 17;

/// The number of features at which the table accepts no more. With one more batch they fit in 2^16 features and 2^17 slots,
/// which take 1.5 MiB.
const MAX_FEATURES: usize = (1 << 16) - BATCH_FEATURES;

/// The maximum number of slots that a search examines. Up to a load of 1/4, evenly distributed features need more with a
/// probability of about 10^-9 (Knuth, *The Art of Computer Programming*, vol. 3, 6.4).
///
/// Growth keeps every feature within this distance: features are inserted in the same order, and a slot that is taken in the
/// larger table was taken in the smaller one too.
const MAX_STEPS: usize = 32;

/// The highest number that a text may start with. There are enough numbers above it for all slots.
const LAST_FIRST: u32 = u32::MAX / 2;

impl Counts {
    pub fn new() -> Self {
        Counts {
            features: Vec::new(),
            used: 0,
            slots: vec![0; MIN_SLOTS],
            size: MIN_SLOTS,
            first: 1,
            sorted: None,
        }
    }

    /// Counts each hash once more and writes its new count to `counts`. The hashes are mixed.
    ///
    /// In a long or a hostile text some counts are not known at once: they get [`UNKNOWN`], the result is false, and
    /// [`settle`](Self::settle) or [`finish`](Self::finish) reports them later. Amortised O(1) per hash in the table, and
    /// O(log distinct) otherwise.
    pub fn increment(&mut self, hashes: &[u64], counts: &mut [u64]) -> bool {
        let mut done = 0;
        if self.sorted.is_none() && self.used < MAX_FEATURES {
            // One spare feature ends the search for a new hash.
            let most = self.used + hashes.len() + 1;
            if self.features.len() < most {
                self.features.resize(most.next_power_of_two(), CountedFeature::default());
            }
            let size = (4 * most).next_power_of_two().min(MAX_SLOTS);
            if self.size < size {
                self.resize(size);
            }
            done = self.increment_or_add(hashes, counts);
        }
        if done < hashes.len() {
            self.increment_known(&hashes[done..], &mut counts[done..]);
        }
        done == hashes.len()
    }

    /// Increments the counts up to the first hash that finds no slot, and returns the number of counted hashes. The caller
    /// has reserved space for all hashes.
    ///
    /// Whether a feature is new is unpredictable, so no branch depends on it. The function is not inlined, so that its
    /// variables stay in registers.
    #[inline(never)]
    fn increment_or_add(&mut self, hashes: &[u64], counts: &mut [u64]) -> usize {
        let first = self.first;
        let mut used = self.used;
        let features = &mut self.features[..];
        let slots = &mut self.slots[..self.size];
        if slots.is_empty() {
            return 0; // never: it removes the bounds checks below
        }
        let mask = slots.len() - 1;
        let counts = &mut counts[..hashes.len()];
        let mut done = 0;
        'hashes: while done < hashes.len() {
            let hash = hashes[done];
            // Writes the hash as a new feature. A free slot stands for this feature, so the search ends there.
            features[used] = CountedFeature { hash, count: 0 };
            let mut at = hash as usize;
            let number = loop {
                at &= mask;
                let number = (slots[at].wrapping_sub(first) as usize).min(used);
                if features[number].hash == hash {
                    break number;
                }
                at += 1;
                if at.wrapping_sub(hash as usize) & mask == MAX_STEPS {
                    break 'hashes;
                }
            };
            slots[at & mask] = first.wrapping_add(number as u32);
            let feature = &mut features[number];
            feature.count += 1;
            counts[done] = feature.count;
            used += usize::from(number == used);
            done += 1;
        }
        self.used = used;
        done
    }

    /// Counts the hashes that are in the table once more, and leaves the others to `sorted`.
    #[inline(never)]
    fn increment_known(&mut self, hashes: &[u64], counts: &mut [u64]) {
        let sorted = self.sorted.get_or_insert_with(Sorted::new);
        let slots = &self.slots[..self.size];
        for (&hash, count) in hashes.iter().zip(counts) {
            let start = hash as usize & (slots.len() - 1);
            let mut steps = start..start + MAX_STEPS;
            *count = loop {
                // The number in a free slot is out of range.
                let number = steps.next().map_or(usize::MAX, |at| {
                    slots[at & (slots.len() - 1)].wrapping_sub(self.first) as usize
                });
                let Some(feature) = self.features[..self.used].get_mut(number) else {
                    sorted.pending.push(hash);
                    break UNKNOWN;
                };
                if feature.hash == hash {
                    feature.count += 1;
                    break feature.count;
                }
            };
        }
    }

    /// Reports the unknown counts if there are many, as `(hash, count before, count now)`.
    pub fn settle(&mut self, report: &mut dyn FnMut(u64, u64, u64)) {
        if let Some(sorted) = &mut self.sorted
            && sorted.is_full()
        {
            sorted.settle(report);
        }
    }

    /// Ends the text: reports the unknown counts, and frees the memory of a long text. Only [`clear`](Self::clear) may follow.
    pub fn finish(&mut self, report: &mut dyn FnMut(u64, u64, u64)) {
        if let Some(mut sorted) = self.sorted.take() {
            sorted.report(report);
            *self = Counts::new();
        }
    }

    /// Returns the number of different features that have been reported.
    pub fn distinct(&self) -> usize {
        self.used + self.sorted.as_ref().map_or(0, |sorted| sorted.distinct)
    }

    /// Forgets the text and prepares for one of about `expected` features. O(1) unless the table grows.
    pub fn clear(&mut self, expected: usize) {
        self.sorted = None;
        self.free();
        self.used = 0;
        // A collision is a branch misprediction, so the load is at most 1/8.
        self.resize((8 * expected).next_power_of_two().clamp(MIN_SLOTS, MAX_START_SLOTS));
    }

    /// Frees all slots: their numbers then belong to an earlier text.
    fn free(&mut self) {
        let next = self.first as usize + self.used;
        if next <= LAST_FIRST as usize {
            self.first = next as u32;
        } else {
            self.slots.fill(0);
            self.first = 1;
        }
    }

    /// Moves the features to a table of `size` slots.
    fn resize(&mut self, size: usize) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::fmix64;

    /// After 2^31 features, no slot of an earlier text is in use.
    #[test]
    fn numbers_start_again() {
        let mut counts = Counts { first: LAST_FIRST - 6000, ..Counts::new() };
        for text in 0..80 {
            counts.clear(0);
            for count in 1..4 {
                for batch in 0..3 {
                    let features = 50 * batch..50 * (batch + 1);
                    let hashes: Vec<u64> = features.map(|n| fmix64(text << 8 | n)).collect();
                    let mut counted = [0; 50];
                    assert!(counts.increment(&hashes, &mut counted));
                    assert_eq!(counted, [count; 50], "text {text}");
                }
            }
        }
        assert!(counts.first < LAST_FIRST / 2);
    }
}
