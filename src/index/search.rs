//! Queries: every document within a distance of a fingerprint.
//!
//! The plan states how far each table is searched; [`blocks`](super::blocks) proves that this is sufficient. Only the first
//! table that leads to a fingerprint reports it.

use alloc::{collections::TryReserveError, vec::Vec};
use core::hint::black_box;

use super::blocks::{self, Flips, MAX_TABLES, Tokens};
use super::table::touch;
use super::{Hit, NearIndex};
use crate::Error;

/// The number of probes whose memory is requested before the first is scanned.
const PROBES: usize = 16;

impl NearIndex {
    /// Returns the documents within `max_distance` of `fingerprint`: at most `limit`, the nearest first, ties in insertion
    /// order.
    ///
    /// `max_distance` may be smaller or larger than the distance that the index is made for. Results for a larger one are
    /// also exact, but take longer than in an index made for it.
    ///
    /// # Errors
    ///
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

    /// Returns whether a table before `table` leads from `a` to `b`, and so has reported it.
    #[inline]
    pub(super) fn known(&self, tokens: &Tokens, table: usize, a: u128, b: u128) -> bool {
        let mut earlier = self.tables[..table].iter().zip(tokens);
        earlier.any(|(table, &tokens)| table.prefix_distance(a, b) < tokens.into())
    }

    /// Calls `hit` once for every different fingerprint within `distance` of `query`, with its distance.
    fn search(&self, query: u128, distance: u32, hit: &mut dyn FnMut(u128, u32)) {
        let tokens = self.plans[distance as usize];
        let mut keys = [0; MAX_TABLES];
        let mut probes = [(0, 0, &[][..]); PROBES];
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
                if waiting == PROBES || last && flip.is_none() {
                    for &(at, bucket, stored) in &probes[..waiting] {
                        self.tables[at].scan(
                            bucket,
                            stored,
                            keys[at],
                            distance,
                            |found, distance| {
                                if !self.known(&tokens, at, query, found) {
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
}
