//! Counts: how often each feature has occurred in a text (term frequency), which the logarithmic and the binary weights
//! need.
//!
//! A hash table counts the features of most texts. When it has [`MAX_TABLE`] of them, [`Sorted`] counts the others: its memory
//! per feature is smaller. The table's hash function is public, so anyone can write a text whose features collide. A text
//! with too many collisions continues in `Sorted` alone, where time and memory do not depend on the hashes.

use super::{count_table::Table, features::BATCH_FEATURES, sorted::Sorted};

/// The counts of one text's features. Its memory is used again for the next text.
#[derive(Clone, Debug)]
pub(crate) struct Counts {
    table: Table,
    /// The features that are not in the table, once it is full or has had too many collisions.
    sorted: Option<Sorted>,
}

/// The maximum number of features in the table. With one more batch they fit in 2^16 features and 2^17 slots, which take 1.5 MiB.
const MAX_TABLE: usize = (1 << 16) - BATCH_FEATURES - 1;

impl Counts {
    pub fn new() -> Self {
        Counts { table: Table::new(), sorted: None }
    }

    /// Counts each hash once more and writes its new count to `counts`. The hashes are mixed.
    ///
    /// In a long or a hostile text some counts are not known at once. They get [`UNKNOWN`](super::count_table::UNKNOWN), the
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
        if table.used > MAX_TABLE && are_known {
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

    /// Returns the number of different features that have been reported.
    pub fn distinct(&self) -> usize {
        self.table.used + self.sorted.as_ref().map_or(0, Sorted::distinct)
    }

    /// Forgets the text and prepares for one of about `expected` features. O(1) unless the table grows.
    pub fn clear(&mut self, expected: usize) {
        self.sorted = None;
        self.table.clear(expected);
    }
}

#[cfg(test)]
mod tests {
    use alloc::{vec, vec::Vec};
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;
    use crate::simhash::count_table::{LAST_FIRST, UNKNOWN};

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
        assert!(counts.distinct() > MAX_TABLE);
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
