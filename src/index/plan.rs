//! The plan of a search: how far each table is searched for everything within a distance.
//!
//! Invariant: `plans[d]` satisfies the token rule of [`blocks`](super::blocks) for distance `d`.

use super::NearIndex;
use super::blocks::{self, MAX_TABLES, Tokens};

impl NearIndex {
    /// Deals the tokens: each distance has one token more than the distance before it, dealt to the table where it costs
    /// least.
    ///
    /// The number of values within a radius grows faster than the radius, so greedy dealing is optimal. If all probes
    /// together cost more than reading a whole table, every token goes to the first table: radius `prefix` covers all of it.
    #[inline(never)]
    pub(super) fn plan(&mut self) {
        let mut tokens = Tokens::default();
        let mut costs = [0.0; MAX_TABLES];
        for distance in 0..=blocks::cap(self.width.bits()) {
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
    pub(super) fn settle(&mut self, changes: usize) {
        self.changes += changes;
        let count = self.tables.len() as f64;
        let mut changed = false;
        for at in 0..self.tables.len() {
            changed |= self.tables[at].fit(at as f64 / count, true);
        }
        if changed || self.changes > self.entries.distinct() / 8 {
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
