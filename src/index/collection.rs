//! The documents, their tables, and the plan of a search.
//!
//! Invariants, except while an addition is in progress:
//! - Every table has every different fingerprint of the entries.
//! - `plans[d]` satisfies the token rule of [`blocks`](super::blocks) for distance `d`.
//!
//! Additions are in [`addition`](super::addition), queries in [`search`](super::search).

use alloc::collections::TryReserveError;
use alloc::vec::Vec;

use super::addition::Addition;
use super::blocks::{self, MAX_DISTANCE, MAX_TABLES, Tokens};
use super::entries::Entries;
use super::table::{FULL, Table};

/// The documents with their tables. See the head of this file.
#[derive(Clone)]
pub(crate) struct Collection {
    bits: u32,
    pub(crate) entries: Entries,
    pub(crate) tables: Vec<Table>,
    /// For every distance up to the widest, how far each table is searched.
    plans: [Tokens; MAX_DISTANCE as usize + 1],
    /// The number of documents added, changed or removed since the plans were made.
    changes: usize,
    /// The addition in progress, which spans several calls.
    pub(super) addition: Option<Addition>,
}

impl Collection {
    pub(crate) fn new(bits: u32, max_distance: u32) -> Result<Self, TryReserveError> {
        let count = blocks::table_count(bits, max_distance);
        let mut tables = Vec::new();
        tables.try_reserve_exact(count as usize)?;
        for (start, width) in blocks::cut(bits, count) {
            tables.push(Table::new(bits, start, width, FULL)?);
        }
        let mut collection = Self {
            bits,
            entries: Entries::new(bits),
            tables,
            plans: [Tokens::default(); MAX_DISTANCE as usize + 1],
            changes: 0,
            addition: None,
        };
        collection.plan();
        Ok(collection)
    }

    pub(crate) fn bits(&self) -> u32 {
        self.bits
    }

    /// Allocated memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.entries.bytes() + self.tables.iter().map(Table::bytes).sum::<usize>()
    }

    /// Removes all documents and frees all memory except the empty buckets.
    pub(crate) fn clear(&mut self) {
        self.addition = None;
        self.entries.clear();
        self.tables.iter_mut().for_each(Table::clear);
        self.settle(0);
        self.plan();
    }

    /// Deals the tokens: for every distance one more than for the last, to the table where it costs least.
    ///
    /// The number of values within a radius grows faster than the radius, so greedy dealing is optimal. Where all probes
    /// together cost more than reading one table whole, every token goes to the first: radius `prefix` covers all of it.
    #[inline(never)]
    pub(super) fn plan(&mut self) {
        let mut tokens = Tokens::default();
        let mut costs = [0.0; MAX_TABLES];
        for distance in 0..=blocks::cap(self.bits) {
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

    /// Fits the tables and the plans after `changes` documents have changed.
    pub(super) fn settle(&mut self, changes: usize) {
        self.changes += changes;
        let count = self.tables.len() as f64;
        let mut changed = false;
        for at in 0..self.tables.len() {
            changed |= self.tables[at].fit(at as f64 / count, Some(&self.entries));
        }
        if changed || self.changes > self.entries.distinct() / 8 {
            self.plan();
        }
    }

    /// Removes a document. Returns false if the id is unknown.
    pub(crate) fn remove(&mut self, id: u64) -> bool {
        let Some(entry) = self.entries.find(id) else { return false };
        if let Some(fingerprint) = self.entries.remove(entry) {
            self.tables.iter_mut().for_each(|table| table.remove(fingerprint));
        }
        self.settle(1);
        self.entries.close_holes(&mut |_| {});
        true
    }

    /// How far each table has to be searched for everything within `distance`.
    pub(crate) fn tokens(&self, distance: u32) -> Tokens {
        self.plans[distance as usize]
    }

    /// The buckets that a query within `distance` examines, and the fingerprints that it compares on average, if it
    /// resembles the indexed fingerprints.
    pub(crate) fn cost(&self, distance: u32) -> (f64, f64) {
        let tables =
            self.tables.iter().zip(self.tokens(distance)).filter(|(_, tokens)| *tokens > 0);
        tables.fold((0.0, 0.0), |(probes, comparisons), (table, tokens)| {
            let ball = blocks::ball(table.prefix(), u32::from(tokens) - 1);
            let compared = (ball * table.comparisons()).min(self.entries.distinct() as f64);
            (probes + ball, comparisons + compared)
        })
    }
}
