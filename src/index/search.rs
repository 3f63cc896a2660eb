//! Queries and pairs: every document within a distance of a fingerprint, or of each other.
//!
//! The plan states how far each table is searched: `plans[d]` satisfies the token rule of [`blocks`](super::blocks) for
//! distance `d`, and so is sufficient. If several tables find a fingerprint, only the first one reports it.

use alloc::{collections::TryReserveError, vec::Vec};
use core::{fmt, hint::black_box};

use super::blocks::{self, Flips, MAX_TABLES, Tokens};
use super::{Hit, NearIndex, Pair};
use crate::Error;
use crate::hash::hamming::distance as hamming_distance;
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
pub struct PairCursor {
    /// The version of the index.
    version: u64,
    distance: u32,
    /// The next entry whose pairs with later ones are to be found.
    next: u32,
    /// Pairs of the entry before it: as [`NearIndex::find`] returns them.
    found: Vec<u64>,
}

impl fmt::Debug for PairCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PairCursor").finish_non_exhaustive()
    }
}

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
        let mut hits = Vec::new();
        let mut found = self.find(fingerprint, max_distance)?;
        found.truncate(limit);
        hits.try_reserve_exact(found.len())?;
        hits.extend(found.into_iter().map(|number| {
            let (entry, distance) = (number as u32, (number >> 32) as u32);
            let fingerprint = self.fingerprints.get(entry);
            Hit { id: self.ids.id(entry), fingerprint, distance }
        }));
        Ok(hits)
    }

    /// Returns all pairs of documents within `max_distance` of each other, each once, in no particular order.
    ///
    /// The iterator finds pairs as it advances, and stores only the pairs of one document.
    ///
    /// # Errors
    /// `max_distance` is above a quarter of the bits.
    ///
    /// # Panics
    /// The iterator panics if memory for the pairs of one document cannot be allocated.
    pub fn pairs(&self, max_distance: u32) -> Result<impl Iterator<Item = Pair>, Error> {
        let mut cursor = self.pair_cursor(max_distance)?;
        Ok(core::iter::from_fn(move || {
            self.next_pair(&mut cursor).unwrap_or_else(|error| panic!("{error}"))
        }))
    }

    /// Returns a cursor over the [`pairs`](Self::pairs), for a caller that cannot keep a reference to the index.
    ///
    /// # Errors
    /// The errors of [`pairs`](Self::pairs).
    #[doc(hidden)]
    pub fn pair_cursor(&self, max_distance: u32) -> Result<PairCursor, Error> {
        blocks::check_distance(self.width.bits(), max_distance)?;
        let (version, distance) = (self.version, max_distance);
        Ok(PairCursor { version, distance, next: 0, found: Vec::new() })
    }

    /// Advances a cursor of this index, and returns the next pair.
    ///
    /// # Errors
    /// The index has changed since the cursor was made, or there is not enough memory.
    #[doc(hidden)]
    pub fn next_pair(&self, cursor: &mut PairCursor) -> Result<Option<Pair>, Error> {
        if self.version != cursor.version {
            return Err(Error::Changed);
        }
        loop {
            while let Some(found) = cursor.found.pop() {
                let (first, second) = (cursor.next - 1, found as u32);
                if second > first {
                    let [a, b] = [first, second].map(|entry| self.ids.id(entry));
                    return Ok(Some(Pair { a, b, distance: (found >> 32) as u32 }));
                }
            }
            if cursor.next == self.ids.end() {
                return Ok(None);
            }
            if self.ids.is_live(cursor.next) {
                let fingerprint = self.fingerprints.get(cursor.next);
                cursor.found = self.find(fingerprint, cursor.distance)?;
            }
            cursor.next += 1;
        }
    }

    /// Returns whether an earlier table than `table` has already reported the pair `a`, `b`.
    #[inline]
    fn is_reported(&self, tokens: &Tokens, table: usize, a: u128, b: u128) -> bool {
        let mut earlier = self.tables[..table].iter().zip(tokens);
        earlier.any(|(table, &tokens)| table.prefix_distance(a, b) < tokens.into())
    }

    /// Returns the entries within `distance` of `query`, in the order of [`query`](Self::query): as numbers with the distance
    /// in the high half.
    #[inline(never)]
    pub(super) fn find(&self, query: u128, distance: u32) -> Result<Vec<u64>, TryReserveError> {
        let tokens = self.plans[distance as usize];
        let tables = self.tables.iter().enumerate().filter(|&(at, _)| tokens[at] > 0);
        let mut probes = tables.flat_map(|(at, table)| {
            let (bucket, rest) = table.place(query);
            let flips = Flips::new(table.prefix, u32::from(tokens[at]) - 1);
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
            for (place, probe) in waiting.iter_mut().zip(&mut probes) {
                read ^= probe.items.first().copied().unwrap_or(0);
                *place = probe;
                count += 1;
            }
            black_box(read);
            for probe in &waiting[..count] {
                self.scan(probe, query, distance, &tokens, &mut found)?;
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
        tokens: &Tokens,
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
            if differing > distance || self.is_reported(tokens, probe.table, query, fingerprint) {
                continue;
            }
            for entry in self.members(head) {
                found.try_reserve(1)?;
                found.push(u64::from(differing) << 32 | u64::from(entry));
            }
        }
        Ok(())
    }

    /// Makes the plans: each adds one token to the plan before it, at the table where it costs least.
    ///
    /// Up to half the prefix, each token of a table costs more than the last: greedy is optimal. If all probes together cost
    /// more than reading a whole table, the plan reads all of the first table: radius `prefix`.
    #[inline(never)]
    pub(super) fn plan(&mut self) {
        let mut tokens = Tokens::default();
        let mut costs = [0.0; MAX_TABLES];
        for distance in 0..=blocks::max_distance_of(self.width.bits()) {
            let step = |table: usize| self.tables[table].cost(tokens[table].into()) - costs[table];
            let cheapest = (0..self.tables.len()).min_by(|&a, &b| step(a).total_cmp(&step(b)));
            let cheapest = cheapest.expect("there is a table");
            costs[cheapest] += step(cheapest);
            tokens[cheapest] += 1;
            let first = &self.tables[0];
            self.plans[distance as usize] = if costs.iter().sum::<f64>() > first.cost_of_all() {
                let mut whole = Tokens::default();
                whole[0] = first.prefix as u8 + 1;
                whole
            } else {
                tokens
            };
        }
        self.unplanned = 0;
    }

    /// Returns the number of buckets that a query within `distance` examines, and the number of fingerprints that it
    /// compares on average if it resembles the indexed ones.
    pub(super) fn cost(&self, distance: u32) -> (f64, f64) {
        let tokens = self.plans[distance as usize];
        let tables = self.tables.iter().zip(tokens).filter(|(_, tokens)| *tokens > 0);
        tables.fold((0.0, 0.0), |(probes, comparisons), (table, tokens)| {
            let ball = blocks::ball(table.prefix, u32::from(tokens) - 1);
            let compared = (ball * table.comparisons()).min(self.heads.len() as f64);
            (probes + ball, comparisons + compared)
        })
    }
}
