//! Counts: how often each feature has occurred in a text (term frequency), which the logarithmic and the binary weights
//! need.
//!
//! A hash table counts the features of most texts. When it has [`MOST`] of them, [`Sorted`] counts the others: its memory
//! per feature is smaller. The table's hash function is public, so anyone can write a text whose features collide. A text
//! with too many collisions continues in `Sorted` alone, where time and memory do not depend on the hashes.

use alloc::{vec, vec::Vec};

use super::{
    features::BATCH_FEATURES,
    sorted::{CountedFeature, Sorted},
};

/// The counts of one text's features. Its memory is used again for the next text.
#[derive(Clone, Debug)]
pub(crate) struct Counts {
    table: Table,
    /// The features that are not in the table, once it is full or has had too many collisions.
    sorted: Option<Sorted>,
}

/// The most features in the table. With one more batch they fit in 2^16 features and 2^17 slots, which take 1.5 MiB.
const MOST: usize = (1 << 16) - BATCH_FEATURES - 1;

/// The count of a feature whose count is not known yet. It is no power of two, so the feature does not vote.
const UNKNOWN: u64 = u64::MAX;

impl Counts {
    pub fn new() -> Self {
        Counts { table: Table::new(), sorted: None }
    }

    /// Counts each hash once more and writes its new count to `counts`. The hashes are mixed.
    ///
    /// In a long or a hostile text some counts are not known at once. They get a count of which no weight grows, the
    /// result is false, and [`settle`](Self::settle) or [`finish`](Self::finish) reports them later. Amortised O(1) per
    /// hash in the table, and O(log distinct) otherwise.
    pub fn increment(&mut self, hashes: &[u64], counts: &mut [u64]) -> bool {
        let Counts { table, sorted } = self;
        if let Some(sorted) = sorted {
            table.increment_known(hashes, counts, sorted);
        } else {
            table.increment(hashes, counts);
        }
        let are_known = sorted.is_none();
        if table.used > MOST && are_known {
            *sorted = Some(Sorted::new());
        }
        if table.has_too_many_collisions() {
            sorted.get_or_insert_with(Sorted::new).insert(&table.take());
        }
        are_known
    }

    /// Reports the counts that are not known yet if they are many, as `(hash, count before, count now)`.
    pub fn settle(&mut self, report: &mut dyn FnMut(u64, u64, u64)) {
        if let Some(sorted) = &mut self.sorted
            && sorted.is_full()
        {
            sorted.settle(report);
        }
    }

    /// Ends the text: reports the counts that are not known yet, and frees the memory of a long text. Only
    /// [`distinct`](Self::distinct) and [`clear`](Self::clear) may follow.
    pub fn finish(&mut self, report: &mut dyn FnMut(u64, u64, u64)) {
        if let Some(sorted) = &mut self.sorted {
            sorted.finish(report, self.table.used);
            self.table = Table::new();
        }
    }

    /// The number of different features, of which those not reported yet are left out.
    pub fn distinct(&self) -> usize {
        self.table.used + self.sorted.as_ref().map_or(0, Sorted::distinct)
    }

    /// Forgets the text and prepares for one of about `expected` features. O(1) unless the table grows.
    pub fn clear(&mut self, expected: usize) {
        self.sorted = None;
        self.table.clear(expected);
    }
}

/// A map from mixed hash to count, which is filled and emptied once per text.
///
/// The features are stored in the order of their first occurrence. An open-addressing table with linear probing holds
/// their numbers: a slot has four bytes, so the table of most texts fits in the first-level cache. Numbers continue
/// from text to text, so that starting a new text frees all slots at once.
#[derive(Clone, Debug)]
struct Table {
    /// The text's features, then spare ones.
    features: Vec<CountedFeature>,
    used: usize,
    /// Numbers of features. A number below `first` is one of an earlier text: the slot is free.
    slots: Vec<u32>,
    /// The number of slots in use, a power of two: a short text uses only the start of a large table.
    size: usize,
    /// The number of the text's first feature.
    first: u32,
    /// The number of further collisions that the text may have in the table.
    collisions_left: isize,
}

/// The smallest table, and the largest one that a text starts with: powers of two.
const SMALLEST: usize = 1 << 8;
const LARGEST: usize = 1 << 16;

/// The highest number that a text may start with. It leaves room for one number per slot.
const LAST_FIRST: u32 = u32::MAX / 2;

/// The collisions that a text may have, and those for each of its features. At a load of 1/2, linear probing expects
/// at most 1.5 per feature (Knuth, *The Art of Computer Programming*, vol. 3, 6.4).
const COLLISIONS: isize = 1 << 12;
const COLLISIONS_PER_FEATURE: usize = 8;

impl Table {
    fn new() -> Self {
        Table {
            features: Vec::new(),
            used: 0,
            slots: vec![0; SMALLEST],
            size: SMALLEST,
            first: 1,
            collisions_left: COLLISIONS,
        }
    }

    fn increment(&mut self, hashes: &[u64], counts: &mut [u64]) {
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

    /// As [`increment`](Self::increment), with room for all hashes.
    ///
    /// Whether a feature is new is unpredictable, so there is no branch on it. The function is not inlined: its
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
    fn increment_known(&mut self, hashes: &[u64], counts: &mut [u64], sorted: &mut Sorted) {
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

    fn has_too_many_collisions(&self) -> bool {
        self.collisions_left < 0
    }

    /// Takes the features out and frees the memory.
    fn take(&mut self) -> Vec<CountedFeature> {
        let Table { mut features, used, .. } = core::mem::replace(self, Table::new());
        features.truncate(used);
        features
    }

    fn clear(&mut self, expected: usize) {
        self.free();
        self.used = 0;
        self.collisions_left = COLLISIONS;
        // A collision is a branch misprediction, so the load is at most 1/8.
        self.resize((8 * expected).next_power_of_two().clamp(SMALLEST, LARGEST));
    }

    /// Frees all slots: the numbers in them become those of an earlier text.
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

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    /// Counts the hashes, `batch` at a time, and returns the last count that is reported for each.
    fn count(counts: &mut Counts, hashes: &[u64], batch: usize) -> HashMap<u64, u64> {
        let mut found = HashMap::new();
        let mut known = vec![0; batch];
        for hashes in hashes.chunks(batch) {
            let are_known = counts.increment(hashes, &mut known);
            for (&hash, &now) in hashes.iter().zip(&known) {
                if now != UNKNOWN {
                    assert_eq!(found.insert(hash, now).unwrap_or(0) + 1, now);
                }
            }
            assert!(!are_known || known[..hashes.len()].iter().all(|&now| now != UNKNOWN));
            counts.settle(&mut reporter(&mut found));
        }
        counts.finish(&mut reporter(&mut found));
        assert_eq!(counts.distinct(), found.len());
        found
    }

    fn reporter(found: &mut HashMap<u64, u64>) -> impl FnMut(u64, u64, u64) {
        |hash, before, now| assert_eq!(found.insert(hash, now).unwrap_or(0), before)
    }

    fn expected(hashes: &[u64]) -> HashMap<u64, u64> {
        let mut counts = HashMap::new();
        hashes.iter().for_each(|&hash| *counts.entry(hash).or_default() += 1);
        counts
    }

    proptest! {
        #[test]
        fn counts_equal_those_of_a_hash_map(
            texts in prop::collection::vec((prop::collection::vec(0_u64..3000, 0..4000), 0_usize..5000), 1..4),
            batch in 1_usize..192,
            shift in prop_oneof![Just(0), Just(40)],
            first in prop_oneof![Just(1), LAST_FIRST - 3000..=LAST_FIRST],
        ) {
            let mut counts = Counts::new();
            counts.table.first = first;
            for (hashes, size) in texts {
                // The shifted ones collide in every table.
                let hashes: Vec<u64> = hashes.into_iter().map(|hash| hash << shift).collect();
                counts.clear(size);
                prop_assert_eq!(count(&mut counts, &hashes, batch), expected(&hashes));
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "a million features")]
    fn a_long_text_is_counted() {
        let mut counts = Counts::new();
        let hashes: Vec<u64> = (0..1_000_000_u64)
            .map(|n| if n % 3 == 0 { n % 1000 } else { n * n % 900_001 })
            .map(crate::hash::mix::fmix64)
            .collect();
        assert_eq!(count(&mut counts, &hashes, 192), expected(&hashes));
        assert!(counts.distinct() > MOST);
        counts.clear(0);
        assert_eq!(count(&mut counts, &[7, 8, 7], 192), expected(&[7, 8, 7]));
    }

    /// Collisions that begin when the table is full.
    #[test]
    #[cfg_attr(miri, ignore = "400,000 features")]
    fn a_text_that_becomes_hostile_is_counted() {
        let mut counts = Counts::new();
        let hashes = (0..70_000_u64).map(crate::hash::mix::fmix64);
        let hashes: Vec<u64> =
            hashes.chain((0..90_000).map(|n| (n % 30_000) << 16)).chain(0..200_000).collect();
        assert_eq!(count(&mut counts, &hashes, 192), expected(&hashes));
        assert!(counts.sorted.is_some());
    }

    /// An attacker knows the constants: these hashes collide in every table.
    #[test]
    #[cfg_attr(miri, ignore = "150,000 features")]
    fn collisions_are_bounded_per_feature() {
        for bits in [8, 16, 32] {
            let mut counts = Counts::new();
            let (mut collisions, mut known) = (0, [0; 64]);
            for n in (0..50_000_u64).step_by(64) {
                let hashes: [u64; 64] = core::array::from_fn(|at| (n + at as u64) << bits);
                let before = counts.table.collisions_left;
                counts.increment(&hashes, &mut known);
                collisions += (before - counts.table.collisions_left).max(0);
            }
            assert!(collisions < 16 * 50_000, "{collisions} collisions in the low {bits} bits");
        }
    }
}
