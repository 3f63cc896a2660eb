//! Queries and pairs: every document within a distance of a fingerprint, or of each other. Pairs are a self-join of each table.
//!
//! The plan states how far each table is searched: `plans[d]` satisfies the rule of quotas of [`blocks`] for
//! distance `d`, and so is sufficient. If several tables find a fingerprint, only the first one reports it.

use alloc::{collections::TryReserveError, vec::Vec};
use core::{fmt, hint::black_box, iter::FusedIterator};

use super::blocks::{self, Flips, MAX_TABLES, Quotas};
use super::{Hit, NearIndex, Pair};
use crate::Error;
use crate::rows::columns::collect;
use crate::simhash::hamming::distance as hamming_distance;
use crate::sort::sort;

/// The number of probes whose memory is requested before the first is scanned.
const AHEAD: usize = 16;

/// A bucket to scan.
#[derive(Clone, Copy, Default)]
struct Probe<'a> {
    table: usize,
    items: &'a [u64],
    /// The bits of the query after the prefix.
    rest: u32,
    /// The number of bits of the prefix in which the bucket differs from the query.
    outside: u32,
}

/// A position among the pairs of an index, see [`NearIndex::pair_cursor`].
#[derive(Clone)]
#[must_use]
pub struct PairCursor {
    /// The version of the index.
    version: u64,
    distance: u32,
    quotas: Quotas,
    /// The next item to compare with later items of its table.
    table: usize,
    bucket: usize,
    row: usize,
    /// Pairs of heads with their distances, found but not yet returned. A group of several entries is a pair of its head and
    /// itself.
    found: Vec<(u32, u32, u32)>,
    /// The members of the last pair of heads that were examined last.
    at: Option<(u32, u32)>,
}

impl fmt::Debug for PairCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PairCursor").finish_non_exhaustive()
    }
}

/// The pairs of a [`NearIndex`]: see [`NearIndex::pairs`].
#[derive(Clone, Debug)]
#[must_use]
pub struct Pairs<'a> {
    index: &'a NearIndex,
    cursor: PairCursor,
}

impl Iterator for Pairs<'_> {
    type Item = Pair;

    fn next(&mut self) -> Option<Pair> {
        self.index.next_pair(&mut self.cursor).unwrap_or_else(|error| panic!("{error}"))
    }
}

impl FusedIterator for Pairs<'_> {}

impl NearIndex {
    /// Returns up to `limit` documents within `max_distance` of `fingerprint`, the nearest first, ties in insertion order.
    ///
    /// `max_distance` may be smaller or larger than the distance that the index is made for. Results for a larger one are
    /// also exact, but take longer than in an index made for it.
    ///
    /// # Errors
    /// The fingerprint has more bits than the index takes, `max_distance` is above a quarter of the bits, or there is not
    /// enough memory.
    pub fn query(
        &self,
        fingerprint: u128,
        max_distance: u32,
        limit: usize,
    ) -> Result<Vec<Hit>, Error> {
        let bits = self.width.bits();
        blocks::check_fingerprint(bits, fingerprint)?;
        blocks::check_distance(bits, max_distance)?;
        let mut found = self.find(fingerprint, max_distance)?;
        found.truncate(limit);
        let hit = |number: u64| {
            let (entry, distance) = (number as u32, (number >> 32) as u32);
            let fingerprint = self.fingerprints.get(entry);
            Hit { id: self.ids.id(entry), fingerprint, distance }
        };
        Ok(collect(found.len(), found.into_iter().map(hit))?)
    }

    /// Returns all pairs of documents within `max_distance` of each other, each once, in no particular order.
    ///
    /// The iterator finds pairs as it advances, and stores only the pairs of one fingerprint. The groups that pairs connect
    /// follow by union-find:
    ///
    /// ```
    /// use nearprint::simhash::index::{NearIndex, Settings};
    ///
    /// let mut index = NearIndex::new(Settings::default().max_distance(1))?;
    /// index.add_all([(0, 0b000), (1, 0b001), (2, 0b011), (3, 0b11_0000)])?;
    ///
    /// fn root(parents: &mut [usize], mut id: usize) -> usize {
    ///     while parents[id] != id {
    ///         parents[id] = parents[parents[id]];
    ///         id = parents[id];
    ///     }
    ///     id
    /// }
    ///
    /// let mut parents: Vec<usize> = (0..index.len()).collect();
    /// for pair in index.pairs(1)? {
    ///     let [a, b] = [pair.a, pair.b].map(|id| root(&mut parents, id as usize));
    ///     parents[a.max(b)] = a.min(b);
    /// }
    /// let groups: Vec<usize> = (0..index.len()).map(|id| root(&mut parents, id)).collect();
    /// assert_eq!(groups, [0, 0, 0, 3]);
    /// # Ok::<(), nearprint::Error>(())
    /// ```
    ///
    /// # Errors
    /// `max_distance` is above a quarter of the bits.
    ///
    /// # Panics
    /// The iterator panics if memory for the pairs of one fingerprint cannot be allocated.
    pub fn pairs(&self, max_distance: u32) -> Result<Pairs<'_>, Error> {
        Ok(Pairs { index: self, cursor: self.pair_cursor(max_distance)? })
    }

    /// Returns a cursor over the [`pairs`](Self::pairs), for a caller that cannot keep a reference to the index.
    ///
    /// ```
    /// use nearprint::simhash::{NearIndex, index::Settings};
    ///
    /// let mut index = NearIndex::new(Settings::default())?;
    /// index.add_all([(1, 0b01), (2, 0b11), (3, 0b10)])?;
    /// let (mut cursor, mut pairs) = (index.pair_cursor(1)?, vec![]);
    /// while let Some(pair) = index.next_pair(&mut cursor)? {
    ///     pairs.push((pair.a, pair.b));
    /// }
    /// pairs.sort();
    /// assert_eq!(pairs, [(1, 2), (2, 3)]);
    /// # Ok::<(), nearprint::Error>(())
    /// ```
    ///
    /// # Errors
    /// `max_distance` is above a quarter of the bits.
    pub fn pair_cursor(&self, max_distance: u32) -> Result<PairCursor, Error> {
        blocks::check_distance(self.width.bits(), max_distance)?;
        Ok(PairCursor {
            version: self.version,
            distance: max_distance,
            quotas: self.plans[max_distance as usize],
            table: 0,
            bucket: 0,
            row: 0,
            found: Vec::new(),
            at: None,
        })
    }

    /// Advances a cursor of this index, and returns the next pair.
    ///
    /// # Errors
    /// The index has changed since the cursor was made, or there is not enough memory.
    pub fn next_pair(&self, cursor: &mut PairCursor) -> Result<Option<Pair>, Error> {
        if self.version != cursor.version {
            return Err(Error::Changed);
        }
        loop {
            while let Some(&(a, b, distance)) = cursor.found.last() {
                let next = |entry: u32| self.next[entry as usize];
                let at = match cursor.at {
                    None => Some((a, b)),
                    // A removed document is in no pair.
                    Some((first, second)) if self.ids.is_live(first) && next(second) != b => {
                        Some((first, next(second)))
                    }
                    Some((first, _)) if next(first) != a => Some((next(first), b)),
                    Some(_) => None,
                };
                cursor.at = at;
                let Some((first, second)) = at else {
                    cursor.found.pop();
                    continue;
                };
                let is_live = self.ids.is_live(first) && self.ids.is_live(second);
                if is_live && (a != b || first < second) {
                    let [a, b] =
                        [first.min(second), first.max(second)].map(|entry| self.ids.id(entry));
                    return Ok(Some(Pair { a, b, distance }));
                }
            }
            if !self.find_pairs(cursor)? {
                return Ok(None);
            }
        }
    }

    /// Finds the pairs of one item with later items of its table. Returns false at the end.
    #[inline(never)]
    fn find_pairs(&self, cursor: &mut PairCursor) -> Result<bool, TryReserveError> {
        let Some(table) = self.tables.get(cursor.table) else { return Ok(false) };
        let quotas = &cursor.quotas;
        let items = table.items(cursor.bucket);
        let Some(&item) = items.get(cursor.row).filter(|_| quotas[cursor.table] > 0) else {
            cursor.row = 0;
            cursor.bucket += 1;
            if quotas[cursor.table] == 0 || cursor.bucket >> table.prefix != 0 {
                (cursor.table, cursor.bucket) = (cursor.table + 1, 0);
            }
            return Ok(true);
        };
        cursor.row += 1;
        let head = item as u32;
        // Every table has every head.
        if quotas[..cursor.table].iter().all(|&quota| quota == 0)
            && self.next[head as usize] != head
        {
            cursor.found.try_reserve(1)?;
            cursor.found.push((head, head, 0));
        }
        for flip in Flips::new(table.prefix, u32::from(quotas[cursor.table]) - 1) {
            let other = cursor.bucket ^ flip;
            let Some(within) = cursor.distance.checked_sub(flip.count_ones()) else { continue };
            let others = match flip {
                0 => &items[cursor.row..],
                // Each pair of buckets is compared once.
                _ if other > cursor.bucket => table.items(other),
                _ => continue,
            };
            for &other in others {
                if ((item ^ other) >> 32).count_ones() > within {
                    continue;
                }
                // Few items come so far, so few fingerprints are read.
                let [a, b] = [head, other as u32].map(|head| self.fingerprints.get(head));
                let distance = hamming_distance(a, b);
                if distance > cursor.distance || self.is_reported(quotas, cursor.table, a, b) {
                    continue;
                }
                cursor.found.try_reserve(1)?;
                cursor.found.push((head, other as u32, distance));
            }
        }
        Ok(true)
    }

    /// Returns whether an earlier table than `table` has already reported the pair `a`, `b`.
    #[inline]
    fn is_reported(&self, quotas: &Quotas, table: usize, a: u128, b: u128) -> bool {
        let mut earlier = self.tables[..table].iter().zip(quotas);
        earlier.any(|(table, &quota)| table.prefix_distance(a, b) < quota.into())
    }

    /// Returns the entries within `distance` of `query`, in the order of [`query`](Self::query): as numbers with the distance
    /// in the high half.
    #[inline(never)]
    fn find(&self, query: u128, distance: u32) -> Result<Vec<u64>, TryReserveError> {
        let quotas = self.plans[distance as usize];
        let tables = self.tables.iter().enumerate().filter(|&(at, _)| quotas[at] > 0);
        let mut probes = tables.flat_map(|(at, table)| {
            let (bucket, rest) = table.bucket_and_rest(query);
            let flips = Flips::new(table.prefix, u32::from(quotas[at]) - 1);
            flips.map(move |flip| {
                let items = table.items(bucket ^ flip);
                Probe { table: at, items, rest, outside: flip.count_ones() }
            })
        });
        let mut found = Vec::new();
        loop {
            // The buckets are far apart in memory. Reading from several of them before the first is scanned lets their cache
            // misses overlap.
            let mut waiting = [Probe::default(); AHEAD];
            let mut count = 0;
            let mut read = 0;
            for (to, probe) in waiting.iter_mut().zip(&mut probes) {
                read ^= probe.items.first().copied().unwrap_or(0);
                *to = probe;
                count += 1;
            }
            black_box(read);
            for probe in &waiting[..count] {
                self.scan(probe, query, distance, &quotas, &mut found)?;
            }
            if count < AHEAD {
                break;
            }
        }
        sort(&mut found);
        Ok(found)
    }

    /// Appends the documents of a bucket within `distance` of `query` that no earlier table reports.
    #[inline(never)]
    fn scan(
        &self,
        probe: &Probe<'_>,
        query: u128,
        distance: u32,
        quotas: &Quotas,
        found: &mut Vec<u64>,
    ) -> Result<(), TryReserveError> {
        let Some(within) = distance.checked_sub(probe.outside) else { return Ok(()) };
        for &item in probe.items {
            if ((item >> 32) as u32 ^ probe.rest).count_ones() > within {
                continue;
            }
            let head = item as u32;
            let fingerprint = self.fingerprints.get(head);
            let differing = hamming_distance(fingerprint, query);
            if differing > distance || self.is_reported(quotas, probe.table, query, fingerprint) {
                continue;
            }
            for entry in self.members(head) {
                found.try_reserve(1)?;
                found.push(u64::from(differing) << 32 | u64::from(entry));
            }
        }
        Ok(())
    }

    /// Makes the plans: each adds 1 to a quota of the plan before it, at the table where it costs least.
    ///
    /// Up to half the prefix, each increment of a quota costs more than the last: greedy is optimal. If all probes together cost
    /// more than reading a whole table, the plan reads all of the first table: radius `prefix`.
    #[inline(never)]
    pub(super) fn plan(&mut self) {
        let mut quotas = Quotas::default();
        let mut costs = [0.0; MAX_TABLES];
        for distance in 0..=blocks::max_distance_of(self.width.bits()) {
            let step = |table: usize| self.tables[table].cost(quotas[table].into()) - costs[table];
            let cheapest = (0..self.tables.len()).min_by(|&a, &b| step(a).total_cmp(&step(b)));
            let cheapest = cheapest.expect("there is a table");
            costs[cheapest] += step(cheapest);
            quotas[cheapest] += 1;
            let first = &self.tables[0];
            self.plans[distance as usize] = if costs.iter().sum::<f64>() > first.cost_of_all() {
                let mut whole = Quotas::default();
                whole[0] = first.prefix as u8 + 1;
                whole
            } else {
                quotas
            };
        }
        self.unplanned = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{hash::fmix64, simhash::index::Settings};

    /// Returns an index of `count` random fingerprints, with ids from 0.
    fn random_index(count: u64) -> NearIndex {
        let mut index = NearIndex::default();
        index.add_all((0..count as u32).map(|id| (id.into(), fmix64(id.into()).into()))).unwrap();
        index
    }

    /// Checks how many buckets a query within the largest distance examines, and how many fingerprints it compares on average.
    #[track_caller]
    fn check(index: &NearIndex, max_probes: f64, max_comparisons: f64) {
        let quotas = index.plans[index.max_distance as usize];
        let (mut probes, mut comparisons) = (0.0, 0.0);
        for (table, quota) in index.tables.iter().zip(quotas).filter(|&(_, quota)| quota > 0) {
            let ball = blocks::ball(table.prefix, u32::from(quota) - 1);
            probes += ball;
            comparisons += (ball * table.comparisons()).min(index.heads.len() as f64);
        }
        assert!(probes <= max_probes && comparisons <= max_comparisons, "{probes}, {comparisons}");
    }

    /// Too few probes of large buckets and too many of small ones are slow.
    #[test]
    fn queries_probe_little_and_compare_little() {
        check(&random_index(100_000), 140.0, 2000.0);
        let count = 10_000;
        let mut index = random_index(count);
        check(&index, 100.0, 1300.0);
        // These all share their first 32 bits, so two tables have one large bucket each: the other two are probed further.
        for id in count..2 * count {
            index.add(id, u128::from(fmix64(id) >> 32)).unwrap();
        }
        check(&index, 300.0, 16_000.0);
        // Without them, once the index is built anew, the plan is about the first ones again.
        for id in count - 100..2 * count {
            assert!(index.remove(id));
        }
        check(&index, 100.0, 1300.0);
        // An index that is nearly empty is read whole.
        index.clear();
        index.add(1, 1).unwrap();
        check(&index, 1.0, 1.0);
    }

    #[test]
    fn tables_have_buckets_for_what_they_hold() {
        let check = |index: &NearIndex, min: f64| {
            for table in &index.tables {
                let items = index.heads.len() as f64 / f64::from(1 << table.prefix);
                assert!((min..=28.1).contains(&items), "{items} items in a bucket");
            }
        };
        // Tables grow at 16 items a bucket at the earliest, and at 32 at the latest.
        let mut index = NearIndex::new(Settings::default()).unwrap();
        for id in 0..40_000 {
            index.add(id, fmix64(id).into()).unwrap();
            if id > 1000 && id % 100 == 0 {
                check(&index, 8.0);
            }
        }
        let prefix = index.tables[0].prefix;
        let differs = index.tables.iter().any(|table| table.prefix != prefix);
        assert!(differs, "tables do not all grow at once");
        for id in 0..39_000 {
            assert!(index.remove(id));
        }
        check(&index, 2.0);
        assert!(index.bytes() < 1000 * 150, "{}", index.bytes());
        index.clear();
        assert!(index.bytes() < 2000, "{}", index.bytes());
    }
}
