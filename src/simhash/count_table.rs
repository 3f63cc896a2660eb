//! The hash table of [`Counts`](super::counts::Counts).

use alloc::{vec, vec::Vec};

use super::sorted::{CountedFeature, Sorted};

/// The count of a feature whose count is not known yet. It is not a power of two, so the feature does not vote.
pub(super) const UNKNOWN: u64 = u64::MAX;

/// A map from mixed hash to count, which is filled and emptied once per text.
///
/// The features are stored in the order of their first occurrence. An open-addressing table with linear probing holds
/// their numbers: a slot has four bytes, so the table of most texts fits in the first-level cache. Numbers continue
/// from text to text, so that starting a new text frees all slots at once.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// The text's features, then spare ones.
    features: Vec<CountedFeature>,
    /// The number of features.
    pub used: usize,
    /// Numbers of features. A number below `first` is one of an earlier text: the slot is free.
    slots: Vec<u32>,
    /// The number of slots in use, a power of two: a short text uses only the start of a large table.
    size: usize,
    /// The number of the text's first feature.
    pub first: u32,
    /// The number of further collisions that the text may have in the table.
    pub collisions_left: isize,
}

/// The minimum number of slots, and the maximum with which a text starts: powers of two.
const MIN_SLOTS: usize = 1 << 8;
const MAX_START_SLOTS: usize = 1 << 16;

/// The highest number that a text may start with. One number per slot is left above it.
pub(super) const LAST_FIRST: u32 = u32::MAX / 2;

/// The collisions that a text may have, and those for each of its features. At a load of 1/2, linear probing expects
/// at most 1.5 per feature (Knuth, *The Art of Computer Programming*, vol. 3, 6.4).
const COLLISIONS: isize = 1 << 12;
const COLLISIONS_PER_FEATURE: usize = 8;

impl Table {
    pub fn new() -> Self {
        Table {
            features: Vec::new(),
            used: 0,
            slots: vec![0; MIN_SLOTS],
            size: MIN_SLOTS,
            first: 1,
            collisions_left: COLLISIONS,
        }
    }

    pub fn increment(&mut self, hashes: &[u64], counts: &mut [u64]) {
        // One spare feature ends the search for a new hash.
        let most = self.used + hashes.len() + 1;
        if self.features.len() < most {
            self.features.resize(most.next_power_of_two(), CountedFeature::default());
        }
        if self.size < 2 * most {
            self.resize((2 * most).next_power_of_two());
        }
        self.collisions_left += (COLLISIONS_PER_FEATURE * hashes.len()) as isize;
        self.increment_in_place(hashes, counts);
    }

    /// Increments the counts. The caller has reserved space for all hashes.
    ///
    /// Whether a feature is new is unpredictable, so no branch depends on it. The function is not inlined, so that its
    /// variables stay in registers.
    #[inline(never)]
    fn increment_in_place(&mut self, hashes: &[u64], counts: &mut [u64]) {
        let first = self.first;
        let mut used = self.used;
        let mut collisions = 0;
        let features = &mut self.features[..];
        let slots = &mut self.slots[..self.size];
        if slots.is_empty() {
            return; // never: it removes the bounds checks below
        }
        let mask = slots.len() - 1;
        for (&hash, count) in hashes.iter().zip(counts) {
            // The next new feature. A free slot counts as its slot, so that the search ends there.
            features[used] = CountedFeature { hash, count: 0 };
            let mut at = hash as usize & mask;
            let number = loop {
                let number = (slots[at & mask].wrapping_sub(first) as usize).min(used);
                if features[number].hash == hash {
                    break number;
                }
                at = (at + 1) & mask;
                collisions += 1;
            };
            slots[at & mask] = first.wrapping_add(number as u32);
            let feature = &mut features[number];
            feature.count += 1;
            *count = feature.count;
            used += usize::from(number == used);
        }
        self.used = used;
        self.collisions_left -= collisions;
    }

    /// Counts the hashes that are in the table once more, and adds the others to `sorted`.
    #[inline(never)]
    pub fn increment_known(&mut self, hashes: &[u64], counts: &mut [u64], sorted: &mut Sorted) {
        self.collisions_left += (COLLISIONS_PER_FEATURE * hashes.len()) as isize;
        let slots = &self.slots[..self.size];
        let mask = slots.len() - 1;
        for (&hash, count) in hashes.iter().zip(counts) {
            let mut at = hash as usize & mask;
            *count = loop {
                // A free slot has the number of no feature.
                let number = slots[at].wrapping_sub(self.first) as usize;
                if number >= self.used {
                    sorted.push(hash);
                    break UNKNOWN;
                }
                let feature = &mut self.features[number];
                if feature.hash == hash {
                    feature.count += 1;
                    break feature.count;
                }
                at = (at + 1) & mask;
                self.collisions_left -= 1;
            };
        }
    }

    pub fn has_too_many_collisions(&self) -> bool {
        self.collisions_left < 0
    }

    /// Removes and returns the features, and frees the memory.
    pub fn take(&mut self) -> Vec<CountedFeature> {
        let Table { mut features, used, .. } = core::mem::replace(self, Table::new());
        features.truncate(used);
        features
    }

    pub fn clear(&mut self, expected: usize) {
        self.free();
        self.used = 0;
        self.collisions_left = COLLISIONS;
        // A collision is a branch misprediction, so the load is at most 1/8.
        self.resize((8 * expected).next_power_of_two().clamp(MIN_SLOTS, MAX_START_SLOTS));
    }

    /// Frees all slots: their numbers become numbers of an earlier text.
    fn free(&mut self) {
        let next = self.first + self.used as u32;
        if next <= LAST_FIRST {
            self.first = next;
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
                self.collisions_left -= 1;
            }
            self.slots[at] = number;
        }
    }
}
