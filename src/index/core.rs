//! Entries, their tables, and the search.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;
use core::hint::black_box;

use super::blocks::{self, Flips, MAX_TABLES, Tokens};
use super::entries::Entries;
use super::table::Table;

/// Buckets read ahead.
const PROBES: usize = 16;

#[derive(Clone)]
pub(crate) struct Core {
    bits: u32,
    pub(crate) entries: Entries,
    pub(crate) tables: Vec<Table>,
    /// For every distance up to the cap, how far each table is searched.
    plans: Vec<Tokens>,
    /// How many different fingerprints there were when the plans were made.
    planned: usize,
    /// Whether the tables lack entries, which happens only between the calls of one addition.
    stale: bool,
}

/// An entry found and its distance, the distance in the high half: they sort as results do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Found(u64);

impl Found {
    fn new(entry: u32, distance: u32) -> Self {
        Self(u64::from(distance) << 32 | u64::from(entry))
    }

    pub(crate) fn entry(self) -> u32 {
        self.0 as u32
    }

    pub(crate) fn distance(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

impl Core {
    pub(crate) fn new(bits: u32, max_distance: u32) -> Self {
        let count = blocks::table_count(bits, max_distance);
        let tables = blocks::cut(bits, count)
            .map(|(start, width)| Table::new(bits, start, width, 0))
            .collect();
        let mut core = Self {
            bits,
            entries: Entries::new(bits),
            tables,
            plans: Vec::new(),
            planned: 0,
            stale: false,
        };
        core.plan();
        core
    }

    pub(crate) fn bits(&self) -> u32 {
        self.bits
    }

    /// Deals the tokens: for every distance one more than for the last, to the table where it costs least.
    ///
    /// A ball's growth grows with its radius, so dealing greedily is dealing best. Where all of that costs more than going
    /// through one table whole, every token goes to the first: radius `prefix` is the whole of it.
    #[inline(never)]
    fn plan(&mut self) {
        let mut tokens = Tokens::default();
        let mut costs = [0.0; MAX_TABLES];
        self.plans.clear();
        for _ in 0..=blocks::cap(self.bits) {
            let step = |table: usize| self.tables[table].cost(tokens[table].into()) - costs[table];
            let cheapest =
                (0..self.tables.len()).min_by(|&a, &b| step(a).total_cmp(&step(b))).unwrap_or(0);
            costs[cheapest] += step(cheapest);
            tokens[cheapest] += 1;
            let all = &self.tables[0];
            self.plans.push(if costs.iter().sum::<f64>() > all.cost_of_all() {
                let mut whole = Tokens::default();
                whole[0] = all.prefix() as u8 + 1;
                whole
            } else {
                tokens
            });
        }
        self.planned = self.entries.distinct();
    }

    /// After a change: tables with as many buckets as they need, and plans that fit them.
    fn settle(&mut self) {
        let count = self.tables.len() as f64;
        let mut rebuilt = false;
        for at in 0..self.tables.len() {
            rebuilt |= self.tables[at].fit(at as f64 / count, &self.entries);
        }
        if rebuilt || self.entries.distinct().abs_diff(self.planned) > self.planned / 8 {
            self.plan();
        }
    }

    /// Adds a document, or gives the one that has this id another fingerprint. An error changes nothing.
    pub(crate) fn add(&mut self, id: u64, fingerprint: u128) -> Result<(), TryReserveError> {
        for table in &mut self.tables {
            table.reserve(fingerprint)?;
        }
        let (gone, new) = self.enter(id, fingerprint, 1)?;
        self.update(gone, new);
        Ok(())
    }

    /// Adds a document to the entries, of `more` in all that are to come. The fingerprint that the tables are to lose, and
    /// the one that they are to get.
    #[inline(never)]
    fn enter(
        &mut self,
        id: u64,
        fingerprint: u128,
        more: usize,
    ) -> Result<(Option<u128>, Option<u128>), TryReserveError> {
        self.entries.reserve(more, id)?;
        let Some(entry) = self.entries.find(id) else {
            let new = self.entries.push(id, fingerprint);
            return Ok((None, new.then_some(fingerprint)));
        };
        let old = self.entries.fingerprint(entry);
        if old == fingerprint {
            return Ok((None, None));
        }
        let (gone, new) = self.entries.replace(entry, fingerprint);
        Ok((gone.then_some(old), new.then_some(fingerprint)))
    }

    #[inline(never)]
    fn update(&mut self, gone: Option<u128>, new: Option<u128>) {
        for table in &mut self.tables {
            if let Some(fingerprint) = gone {
                table.remove(fingerprint);
            }
            if let Some(fingerprint) = new {
                table.insert(fingerprint);
            }
        }
        self.settle();
    }

    /// Adds many, and expects `left` more with the next calls, before any other. From a quarter of what is held upwards,
    /// building the tables anew at the end is faster than filling them.
    pub(crate) fn add_all(
        &mut self,
        count: usize,
        left: usize,
        items: &mut dyn Iterator<Item = (u64, u128)>,
    ) -> Result<(), TryReserveError> {
        let coming = count + left;
        if !self.stale && coming >= 64 + self.entries.distinct() / 4 {
            self.try_room(coming)?;
            self.stale = true;
        }
        let mut added = Ok(());
        for (at, (id, fingerprint)) in items.enumerate() {
            added = if self.stale {
                self.enter(id, fingerprint, coming - at).map(drop)
            } else {
                self.add(id, fingerprint)
            };
            if added.is_err() {
                break;
            }
        }
        if self.stale && (left == 0 || added.is_err()) {
            self.stale = false;
            self.tables.iter_mut().for_each(|table| table.rebuild(&self.entries));
            self.plan();
        }
        added
    }

    /// Sees whether there is memory for `count` more, by asking for all of it in one piece: half an addition is none.
    fn try_room(&self, count: usize) -> Result<(), TryReserveError> {
        let bytes = self.bits as usize / 8;
        let each = 10 + bytes + self.tables.len() * (bytes - 2);
        let mut room: Vec<u8> = Vec::new();
        room.try_reserve_exact(count.saturating_mul(each))?;
        // Otherwise the compiler may think that nobody wants it.
        black_box(room);
        Ok(())
    }

    pub(crate) fn remove(&mut self, id: u64) -> bool {
        self.remove_and_compact(id, &mut |_| true)
    }

    /// [`remove`](Self::remove). Now and then that renumbers the entries: `renumber` then gets the old ones, and those that
    /// are live get new numbers from 0 on in their order. If it returns false, the numbers stay as they are.
    pub(crate) fn remove_and_compact(
        &mut self,
        id: u64,
        renumber: &mut dyn FnMut(&Entries) -> bool,
    ) -> bool {
        let Some(entry) = self.entries.find(id) else { return false };
        let fingerprint = self.entries.fingerprint(entry);
        let gone = self.entries.remove(entry);
        self.update(gone.then_some(fingerprint), None);
        if self.entries.end() as usize > 2 * self.entries.len() + 64 {
            self.compact(renumber);
        }
        true
    }

    /// Closes the holes, if there is memory for it.
    fn compact(&mut self, renumber: &mut dyn FnMut(&Entries) -> bool) {
        let mut compact = Entries::new(self.bits);
        let moved = self.entries.iter().try_for_each(|entry| {
            let (id, fingerprint) = (self.entries.id(entry), self.entries.fingerprint(entry));
            compact.reserve(1, id)?;
            compact.push(id, fingerprint);
            Ok::<_, TryReserveError>(())
        });
        if moved.is_ok() && renumber(&self.entries) {
            self.entries = compact;
        }
    }

    /// How far each table has to be searched for everything within `distance`.
    pub(crate) fn tokens(&self, distance: u32) -> Tokens {
        self.plans.get(distance as usize).copied().unwrap_or_default()
    }

    /// Whether a table before `table` leads to `b` from `a`, so that it is known by now.
    #[inline]
    pub(crate) fn known(&self, tokens: &Tokens, table: usize, a: u128, b: u128) -> bool {
        let mut earlier = self.tables[..table].iter().zip(tokens);
        earlier.any(|(table, &tokens)| table.prefix_distance(a, b) < tokens.into())
    }

    /// Calls `hit` once for every different fingerprint within `distance` of `query`, with its distance.
    fn search(&self, query: u128, distance: u32, hit: &mut dyn FnMut(u128, u32)) {
        let tokens = self.tokens(distance);
        let mut keys = [0; MAX_TABLES];
        let mut probes = [(0, 0); PROBES];
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
                    // The buckets are far apart in memory. Reading from each of a handful before any is gone through
                    // lets their cache misses overlap.
                    black_box(table.touch(bucket ^ flip));
                    probes[waiting] = (at, bucket ^ flip);
                    waiting += 1;
                }
                if waiting == PROBES || last && flip.is_none() {
                    for &(at, bucket) in &probes[..waiting] {
                        self.tables[at].scan(bucket, keys[at], distance, &mut |found, distance| {
                            if !self.known(&tokens, at, query, found) {
                                hit(found, distance);
                            }
                        });
                    }
                    waiting = 0;
                }
                if flip.is_none() {
                    break;
                }
            }
        }
    }

    /// Makes `found` everything within `distance` of `query`, nearest first, then in insertion order.
    pub(crate) fn query(&self, query: u128, distance: u32, limit: usize, found: &mut Vec<Found>) {
        found.clear();
        self.search(query, distance, &mut |fingerprint, distance| {
            if let Some(sharing) = self.entries.sharing(fingerprint) {
                let entries = (0..limit).map_while(|at| self.entries.shares(sharing, at));
                found.extend(entries.map(|entry| Found::new(entry, distance)));
            }
        });
        sort(found);
        found.truncate(limit);
    }
}

/// Shell's sort, with the gaps of Gonnet and Baeza-Yates: for few items an insertion sort, for many as fast as a heap, and
/// a tenth of the code of the standard library's sort.
fn sort(found: &mut [Found]) {
    let mut gap = found.len();
    while gap > 1 {
        gap = (gap * 5 / 11).max(1);
        for end in gap..found.len() {
            let mut at = end;
            while at >= gap && found[at - gap] > found[at] {
                found.swap(at - gap, at);
                at -= gap;
            }
        }
    }
}
