//! The self-join: every pair of documents within a distance, table by table and bucket by bucket.
//!
//! In every table, each bucket is compared with itself and with the later buckets within the table's radius, which
//! [`blocks`](super::blocks) proves sufficient. Invariant: a pair that an earlier table leads to is left out, so each pair
//! is found once.

use alloc::{collections::TryReserveError, vec::Vec};
use core::fmt;

use super::blocks::{self, Flips, Tokens};
use super::entries::Group;
use super::{NearIndex, Pair};
use crate::Error;
use crate::hash::hamming::distance as hamming_distance;

/// The number of comparisons in a step; the last row may exceed it.
const COMPARISONS: usize = 4096;

/// A position among the pairs of an index, see [`NearIndex::pair_cursor`].
#[derive(Clone)]
pub struct PairCursor {
    /// The version of the index.
    version: u64,
    distance: u32,
    tokens: Tokens,
    table: usize,
    bucket: usize,
    flips: Flips,
    /// The keys of the bucket, and of the bucket that it is compared with; `None` while it is compared with itself.
    keys: Vec<u128>,
    others: Option<Vec<u128>>,
    row: usize,
    /// Pairs of groups with their distances, found but not yet returned.
    found: Vec<(Group, Group, u32)>,
    /// The members of the last pair of groups to return next.
    at: (usize, usize),
}

impl NearIndex {
    /// Returns all pairs of documents within `max_distance` of each other, each once, in no particular order.
    ///
    /// The iterator finds pairs as it advances, and stores only the next few.
    ///
    /// # Errors
    /// `max_distance` is above a quarter of the bits, or there is not enough memory.
    ///
    /// # Panics
    /// The iterator panics if memory for two buckets cannot be allocated.
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
        let mut cursor = PairCursor::distinct(self, max_distance)?;
        cursor.found.try_reserve_exact(self.entries.shared().count())?;
        cursor.found.extend(self.entries.shared().map(|group| (group, group, 0)));
        Ok(cursor)
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
            if let Some((a, b, distance)) = cursor.take(self) {
                return Ok(Some(Pair { a: self.entries.id(a), b: self.entries.id(b), distance }));
            }
            if !cursor.step(self)? {
                return Ok(None);
            }
        }
    }
}

impl fmt::Debug for PairCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PairCursor").finish_non_exhaustive()
    }
}

impl PairCursor {
    /// Returns a cursor over the pairs of different fingerprints.
    fn distinct(index: &NearIndex, distance: u32) -> Result<Self, TryReserveError> {
        let mut cursor = Self {
            version: index.version,
            distance,
            tokens: index.plans[distance as usize],
            table: 0,
            bucket: 0,
            flips: Flips::new(0, 0),
            keys: Vec::new(),
            others: None,
            row: 0,
            found: Vec::new(),
            at: (0, 0),
        };
        cursor.open(index)?;
        Ok(cursor)
    }

    /// Returns a pair that has been found: the earlier entry, the later entry and their distance.
    fn take(&mut self, index: &NearIndex) -> Option<(u32, u32, u32)> {
        loop {
            let &(a, b, distance) = self.found.last()?;
            let (row, column) = self.at;
            let Some(first) = index.entries.member(a, row) else {
                self.found.pop();
                self.at = (0, 0);
                continue;
            };
            let column = if a == b { column.max(row + 1) } else { column };
            let Some(second) = index.entries.member(b, column) else {
                self.at = (row + 1, 0);
                continue;
            };
            self.at = (row, column + 1);
            return Some((first.min(second), first.max(second), distance));
        }
    }

    /// Advances by a bounded number of comparisons. Returns false at the end.
    ///
    /// Steps are short calls because a WebAssembly engine switches to optimised code when a function is called, and not
    /// while it runs.
    #[inline(never)]
    fn step(&mut self, index: &NearIndex) -> Result<bool, TryReserveError> {
        let Some(table) = index.tables.get(self.table) else { return Ok(false) };
        let mut compared = 0;
        while let Some(&key) = self.keys.get(self.row) {
            let others = self.others.as_deref().unwrap_or(&self.keys[self.row + 1..]);
            self.row += 1;
            for &other in others {
                // The low half almost always decides, as in the scan of a table.
                if hamming_distance(key as u64, other as u64) > self.distance {
                    continue;
                }
                let distance = hamming_distance(key, other);
                if distance > self.distance {
                    continue;
                }
                let (a, b) = (table.fingerprint(key), table.fingerprint(other));
                if index.is_reported(&self.tokens, self.table, a, b) {
                    continue;
                }
                let group = |fingerprint| {
                    index.entries.group(fingerprint).expect("tables have what entries have")
                };
                self.found.try_reserve(1)?;
                self.found.push((group(a), group(b), distance));
            }
            compared += others.len();
            if compared > COMPARISONS {
                return Ok(true);
            }
        }
        self.next_buckets(index)?;
        Ok(true)
    }

    /// Moves on to the next two buckets to compare.
    fn next_buckets(&mut self, index: &NearIndex) -> Result<(), TryReserveError> {
        let table = &index.tables[self.table];
        self.row = 0;
        if !self.keys.is_empty() {
            for flip in &mut self.flips {
                // Each pair of buckets is compared once.
                if self.bucket ^ flip > self.bucket {
                    let others = self.others.get_or_insert_default();
                    others.clear();
                    table.read(self.bucket ^ flip, others)?;
                    if !others.is_empty() {
                        return Ok(());
                    }
                }
            }
        }
        self.bucket += 1;
        if self.bucket == table.buckets() {
            self.bucket = 0;
            self.table += 1;
        }
        self.open(index)
    }

    /// Starts on a bucket: compares it with itself.
    fn open(&mut self, index: &NearIndex) -> Result<(), TryReserveError> {
        self.keys.clear();
        self.others = None;
        let searched = |table: &usize| self.tokens[*table] > 0;
        self.table = (self.table..index.tables.len()).find(searched).unwrap_or(index.tables.len());
        if let Some(table) = index.tables.get(self.table) {
            table.read(self.bucket, &mut self.keys)?;
            self.flips = Flips::new(table.prefix(), u32::from(self.tokens[self.table]) - 1);
            // The bucket itself.
            self.flips.next();
        }
        Ok(())
    }
}

/// Calls `pair` with every pair of different fingerprints within `distance`.
pub(super) fn each_pair(
    index: &NearIndex,
    distance: u32,
    pair: &mut dyn FnMut(Group, Group),
) -> Result<(), TryReserveError> {
    let mut cursor = PairCursor::distinct(index, distance)?;
    while cursor.step(index)? {
        for &(a, b, _) in &cursor.found {
            pair(a, b);
        }
        cursor.found.clear();
    }
    Ok(())
}
