//! Search in given buckets: what a deduplicator asks of the tables.

use alloc::vec::Vec;
use core::hint::black_box;

use super::collection::Collection;

/// Buckets whose first cache lines are read ahead.
const AHEAD: usize = 16;

impl Collection {
    /// Calls `hit` once for every different fingerprint that is within `distance` of `query` and whose block, in one of
    /// the tables, differs from the query's by one of `flips[table]`, with its distance. Blocks are of 16 bits, the
    /// flips of a table are all different.
    ///
    /// A table of few fingerprints has fewer than 2^16 buckets, each of several block values. The result is the same: what
    /// lies in a bucket with another block value is left out.
    pub(crate) fn probe(
        &self,
        query: u128,
        flips: &[&[u16]],
        distance: u32,
        hit: &mut dyn FnMut(u128, u32),
    ) {
        let mut buckets: Vec<usize> = Vec::with_capacity(flips.first().map_or(0, |f| f.len()));
        for (at, (table, own)) in self.tables.iter().zip(flips).enumerate() {
            let key = table.key(query);
            let block = table.block(key);
            buckets.clear();
            for &flip in *own {
                let bucket = usize::from(block ^ flip) >> (16 - table.prefix());
                if table.prefix() == 16 || !buckets.contains(&bucket) {
                    buckets.push(bucket);
                }
            }
            for some in buckets.chunks(AHEAD) {
                // The buckets are far apart in memory: reading from each first lets their cache misses overlap.
                for &bucket in some {
                    black_box(table.touch(bucket));
                }
                for &bucket in some {
                    table.scan(bucket, key, distance, &mut |found, distance| {
                        let is_probed = |table: usize| {
                            let table_of = &self.tables[table];
                            let flip = table_of.block(table_of.key(found ^ query));
                            flips[table].contains(&flip)
                        };
                        if (table.prefix() == 16 || is_probed(at)) && !(0..at).any(is_probed) {
                            hit(found, distance);
                        }
                    });
                }
            }
        }
    }
}
