//! Queries: every document within a distance of a fingerprint.
//!
//! The plan states how far each table is searched: `plans[d]` satisfies the token rule of [`blocks`](super::blocks) for
//! distance `d`, and so is sufficient. If several tables find a fingerprint, only the first one reports it.

use alloc::{collections::TryReserveError, vec::Vec};
use core::hint::black_box;

use super::blocks::{self, Flips, MAX_TABLES, Tokens};
use super::table::touch;
use super::{Hit, NearIndex};
use crate::Error;

/// The number of probes whose memory is requested before the first is scanned.
const AHEAD: usize = 16;

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
        let found = self.find(fingerprint, max_distance, limit)?;
        hits.try_reserve_exact(found.len())?;
        hits.extend(found.into_iter().map(|number| {
            let (entry, distance) = (number as u32, (number >> 32) as u32);
            let fingerprint = self.entries.fingerprint(entry);
            Hit { id: self.entries.id(entry), fingerprint, distance }
        }));
        Ok(hits)
    }

    /// Returns whether an earlier table than `table` has already reported the pair `a`, `b`.
    #[inline]
    pub(super) fn is_reported(&self, tokens: &Tokens, table: usize, a: u128, b: u128) -> bool {
        let mut earlier = self.tables[..table].iter().zip(tokens);
        earlier.any(|(table, &tokens)| table.prefix_distance(a, b) < tokens.into())
    }

    /// Calls `hit` once for every different fingerprint within `distance` of `query`, with its distance.
    fn search(&self, query: u128, distance: u32, hit: &mut dyn FnMut(u128, u32)) {
        let tokens = self.plans[distance as usize];
        let mut keys = [0; MAX_TABLES];
        let mut probes = [(0, 0, &[][..]); AHEAD];
        let mut waiting = 0;
        for (at, table) in self.tables.iter().enumerate() {
            let Some(radius) = tokens[at].checked_sub(1) else { continue };
            keys[at] = table.key(query);
            let bucket = table.bucket(keys[at]);
            let mut flips = Flips::new(table.prefix(), radius.into());
            let last = tokens[at + 1..].iter().all(|&tokens| tokens == 0);
            loop {
                let flip = flips.next();
                if let Some(flip) = flip {
                    // The buckets are far apart in memory. Reading from several of them before the first is scanned lets
                    // their cache misses overlap.
                    let stored = table.stored(bucket ^ flip);
                    black_box(touch(stored));
                    probes[waiting] = (at, bucket ^ flip, stored);
                    waiting += 1;
                }
                if waiting == AHEAD || last && flip.is_none() {
                    for &(at, bucket, stored) in &probes[..waiting] {
                        self.tables[at].scan(
                            bucket,
                            stored,
                            keys[at],
                            distance,
                            |found, distance| {
                                if !self.is_reported(&tokens, at, query, found) {
                                    hit(found, distance);
                                }
                            },
                        );
                    }
                    waiting = 0;
                }
                if flip.is_none() {
                    break;
                }
            }
        }
    }

    /// Returns the entries within `distance` of `query`, in the order of [`query`](Self::query): as numbers with the distance
    /// in the high half. The crate already sorts such numbers; sorting another type would add 4 kB of WebAssembly.
    pub(super) fn find(
        &self,
        query: u128,
        distance: u32,
        limit: usize,
    ) -> Result<Vec<u64>, TryReserveError> {
        let mut found = Vec::new();
        let mut reserved = Ok(());
        self.search(query, distance, &mut |fingerprint, distance| {
            let group = self.entries.group(fingerprint).expect("tables have what entries have");
            for entry in (0..limit).map_while(|at| self.entries.member(group, at)) {
                // After a failure, later reservations may succeed, but the result would lack a hit.
                if reserved.is_ok() {
                    reserved = found.try_reserve(1);
                }
                if reserved.is_err() {
                    return;
                }
                found.push(u64::from(distance) << 32 | u64::from(entry));
            }
        });
        reserved?;
        found.sort_unstable();
        found.truncate(limit);
        Ok(found)
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
                whole[0] = first.prefix() as u8 + 1;
                whole
            } else {
                tokens
            };
        }
        self.changes = 0;
    }

    /// Adapts the tables and the plans after `changes` documents have changed.
    pub(super) fn fit_tables(&mut self, changes: usize) {
        self.changes += changes;
        let count = self.tables.len() as f64;
        let version = self.version;
        for at in 0..self.tables.len() {
            self.version += u64::from(self.tables[at].fit(at as f64 / count));
        }
        if self.version != version || self.changes > self.entries.distinct() / 8 {
            self.plan();
        }
    }

    /// Returns the number of buckets that a query within `distance` examines, and the number of fingerprints that it
    /// compares on average if it resembles the indexed ones.
    pub(super) fn cost(&self, distance: u32) -> (f64, f64) {
        let tokens = self.plans[distance as usize];
        let tables = self.tables.iter().zip(tokens).filter(|(_, tokens)| *tokens > 0);
        tables.fold((0.0, 0.0), |(probes, comparisons), (table, tokens)| {
            let ball = blocks::ball(table.prefix(), u32::from(tokens) - 1);
            let compared = (ball * table.comparisons()).min(self.entries.distinct() as f64);
            (probes + ball, comparisons + compared)
        })
    }
}
