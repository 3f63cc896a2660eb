//! The self-join: every pair within a distance, table by table and bucket by bucket.

use alloc::vec::Vec;

use super::blocks::{Flips, Tokens};
use super::core::Core;
use super::entries::Sharing;

/// Comparisons in a step, give or take a bucket.
const STEP: usize = 4096;

/// Where a self-join has got to. It holds no reference, so that a caller can stop and go on at will.
///
/// In every table each bucket meets itself and the later buckets within the table's radius, one row at a time; a pair
/// that an earlier table leads to is left out there, so each comes once.
#[derive(Clone)]
pub(crate) struct Cursor {
    distance: u32,
    tokens: Tokens,
    table: usize,
    bucket: usize,
    flips: Flips,
    /// The keys of the bucket, and of the other one that it meets; none when it meets itself.
    keys: Vec<u128>,
    others: Option<Vec<u128>>,
    row: usize,
    /// Pairs of fingerprints (who shares either, and the distance) found and not handed out, and how far the last of them is handed out.
    blocks: Vec<(Sharing, Sharing, u32)>,
    at: (usize, usize),
}

impl Cursor {
    /// The join of different fingerprints.
    fn distinct(core: &Core, distance: u32) -> Self {
        let tokens = core.tokens(distance);
        let mut cursor = Self {
            distance,
            tokens,
            table: 0,
            bucket: 0,
            flips: Flips::new(0, 0),
            keys: Vec::new(),
            others: None,
            row: 0,
            blocks: Vec::new(),
            at: (0, 0),
        };
        cursor.open(core);
        cursor
    }

    /// The join of all entries.
    pub(crate) fn new(core: &Core, distance: u32) -> Self {
        let mut cursor = Self::distinct(core, distance);
        cursor.blocks.extend(core.entries.shared().map(|sharing| (sharing, sharing, 0)));
        cursor
    }

    /// The next of the pairs of entries that are found already: the earlier one, the later one and their distance.
    pub(crate) fn take(&mut self, core: &Core) -> Option<(u32, u32, u32)> {
        loop {
            let &(a, b, distance) = self.blocks.last()?;
            let (row, column) = self.at;
            let Some(first) = core.entries.shares(a, row) else {
                self.blocks.pop();
                self.at = (0, 0);
                continue;
            };
            let column = if a == b { column.max(row + 1) } else { column };
            let Some(second) = core.entries.shares(b, column) else {
                self.at = (row + 1, 0);
                continue;
            };
            self.at = (row, column + 1);
            return Some((first.min(second), first.max(second), distance));
        }
    }

    /// Compares some more. False at the end.
    ///
    /// Steps are small, and a function of their own, because a wasm engine moves on to optimised code when a function is
    /// called, and not while it runs.
    #[inline(never)]
    pub(crate) fn step(&mut self, core: &Core) -> bool {
        let Some(table) = core.tables.get(self.table) else { return false };
        let mut compared = 0;
        while let Some(&key) = self.keys.get(self.row) {
            let others = self.others.as_deref().unwrap_or(&self.keys[self.row + 1..]);
            self.row += 1;
            for &other in others {
                // One half tells enough mostly, as in a table's scan.
                if (key as u64 ^ other as u64).count_ones() > self.distance {
                    continue;
                }
                let distance = (key ^ other).count_ones();
                if distance > self.distance {
                    continue;
                }
                let (a, b) = (table.fingerprint(key), table.fingerprint(other));
                if core.known(&self.tokens, self.table, a, b) {
                    continue;
                }
                if let (Some(a), Some(b)) = (core.entries.sharing(a), core.entries.sharing(b)) {
                    self.blocks.push((a, b, distance));
                }
            }
            compared += others.len();
            if compared > STEP {
                return true;
            }
        }
        self.turn(core);
        true
    }

    /// Goes on to the next two buckets that meet.
    fn turn(&mut self, core: &Core) {
        let table = &core.tables[self.table];
        self.row = 0;
        if !self.keys.is_empty() {
            for flip in &mut self.flips {
                // Each two buckets meet once.
                if self.bucket ^ flip > self.bucket {
                    let others = self.others.get_or_insert_default();
                    others.clear();
                    table.read(self.bucket ^ flip, others);
                    if !others.is_empty() {
                        return;
                    }
                }
            }
        }
        self.bucket += 1;
        if self.bucket == table.buckets() {
            self.bucket = 0;
            self.table += 1;
        }
        self.open(core);
    }

    /// Starts on a bucket, with itself.
    fn open(&mut self, core: &Core) {
        self.keys.clear();
        self.others = None;
        let searched = |table: &usize| self.tokens[*table] > 0;
        self.table = (self.table..core.tables.len()).find(searched).unwrap_or(core.tables.len());
        if let Some(table) = core.tables.get(self.table) {
            table.read(self.bucket, &mut self.keys);
            self.flips = Flips::new(table.prefix(), u32::from(self.tokens[self.table]) - 1);
            // The bucket itself.
            self.flips.next();
        }
    }
}

/// Calls `pair` with every two different fingerprints within `distance`.
pub(crate) fn each_pair(core: &Core, distance: u32, pair: &mut dyn FnMut(Sharing, Sharing)) {
    let mut cursor = Cursor::distinct(core, distance);
    while cursor.step(core) {
        for &(a, b, _) in &cursor.blocks {
            pair(a, b);
        }
        cursor.blocks.clear();
    }
}
