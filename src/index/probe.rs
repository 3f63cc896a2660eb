//! Search in given buckets: what a deduplicator asks of the tables.

use core::hint::black_box;

use super::collection::Collection;

/// Buckets whose memory is requested before the first is scanned: they are far apart, and their cache misses overlap.
const AHEAD: usize = 32;

/// Bytes of a cache line.
const LINE: usize = 64;

impl Collection {
    /// Calls `hit` once for every different fingerprint that is within `distance` of `query` and whose block, in one of
    /// the tables, differs from the query's by one of `flips[table]`, with its distance. The fingerprints have 64 bits, the
    /// blocks 16. The flips of a table are all different, and with each come all of its subsets.
    ///
    /// A table of few fingerprints has fewer than 2^16 buckets, each of several block values. The result is the same: what
    /// has another block value is left out.
    pub(crate) fn probe(
        &self,
        query: u64,
        flips: &[&[u16]; 4],
        distance: u32,
        hit: &mut dyn FnMut(u64, u32),
    ) {
        // Block `table` of a fingerprint. The first table has the highest bits.
        let block = |fingerprint: u64, table: usize| (fingerprint >> (48 - 16 * table)) as u16;
        let is_probed = |found: u64, table: usize| {
            flips[table].contains(&(block(found, table) ^ block(query, table)))
        };
        let mut own = [0; AHEAD];
        let mut buckets = [(0, &[][..]); AHEAD];
        for (at, table) in self.tables.iter().enumerate() {
            let rotation = 16 * at as u32;
            let key = query.rotate_left(rotation);
            let is_exact = table.prefix() == 16;
            let within_bucket = ((1 << (16 - table.prefix())) - 1) as u16;
            for some in flips[at].chunks(AHEAD) {
                // Without the bits that do not number buckets, a flip is another one, of the same bucket. Arithmetic instead
                // of a branch, which would be mispredicted.
                let mut len = 0;
                for &flip in some {
                    own[len] = flip;
                    len += usize::from(flip & within_bucket == 0);
                }
                for (bucket, flip) in buckets.iter_mut().zip(&own[..len]) {
                    let number = usize::from(block(query, at) ^ flip) >> (16 - table.prefix());
                    *bucket = (number, table.stored(number));
                }
                let mut read = 0;
                for (_, stored) in &buckets[..len] {
                    read |= stored.iter().step_by(LINE).fold(0, |read, byte| read | byte);
                    read |= stored.last().map_or(0, |&byte| byte);
                }
                black_box(read);
                for &(number, stored) in &buckets[..len] {
                    table.scan_stored(stored, number, key, distance, |key, distance| {
                        let found = key.rotate_right(rotation);
                        if (is_exact || is_probed(found, at))
                            && !(0..at).any(|earlier| is_probed(found, earlier))
                        {
                            hit(found, distance);
                        }
                    });
                }
            }
        }
    }
}
