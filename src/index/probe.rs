//! The tables of a deduplicator: a search of given buckets, each read up to a bound.
//!
//! Anyone can write texts whose fingerprints have the same block values. So a search reads the first [`MAX_READ`] documents
//! of a bucket, in the order of addition: these are *visible*, and the table has only their fingerprints. A hidden document
//! becomes visible when one before it is removed.
//!
//! Invariants, for every table and every value of its block:
//! - All visible documents were added before all hidden ones: the first hidden entry is the *cut*.
//! - The table has each visible fingerprint once; `repeated` counts the further visible documents with these fingerprints.
//! - There are at most [`MAX_READ`] visible documents, and exactly that many if any are hidden (fewer if memory ran out).

use alloc::{
    collections::{TryReserveError, VecDeque},
    vec::Vec,
};
use core::hint::black_box;

use super::{
    columns::{Pages, allocated},
    entries::Entries,
    table::{FULL_FOR_PROBES, PAGE_BITS, Table, touch},
};

/// The maximum number of documents that a search reads in a bucket. Among a million real texts, the largest bucket has 238.
pub(crate) const MAX_READ: usize = 512;

/// The number of blocks of a fingerprint, each of 16 bits.
pub(crate) const BLOCKS: usize = 4;

/// The number of buckets whose memory is requested before the first is scanned: so their cache misses overlap.
const AHEAD: usize = 64;

/// The cut of a bucket without hidden documents.
const NO_CUT: u32 = u32::MAX;

/// A table for each block, with the hidden and the repeated documents of its buckets.
#[derive(Clone)]
pub(crate) struct ProbeTables {
    tables: Vec<Table>,
    hidden: Hidden,
    /// The counts of repeated documents by place, almost all 0.
    repeated: Pages<u16>,
}

/// Returns block `at` of a fingerprint. The first block has the highest bits.
#[inline]
pub(crate) fn block(fingerprint: u64, at: usize) -> u16 {
    (fingerprint >> (48 - 16 * at)) as u16
}

/// Returns the number of the bucket of a value of block `at`, among the buckets of all blocks.
#[inline]
fn place(at: usize, value: u16) -> u32 {
    (at as u32) << 16 | u32::from(value)
}

/// A fingerprint that a search has found in a bucket.
#[derive(Clone, Copy, Default)]
pub(crate) struct Found {
    pub fingerprint: u64,
    pub distance: u32,
    /// Entries with this fingerprint are visible in the bucket if they are below `cut`.
    pub cut: u32,
}

impl ProbeTables {
    pub(crate) fn new() -> Result<Self, TryReserveError> {
        let mut tables = Vec::new();
        tables.try_reserve_exact(BLOCKS)?;
        for at in 0..BLOCKS {
            tables.push(Table::new(64, 16 * at as u32, 16, FULL_FOR_PROBES, PAGE_BITS)?);
        }
        Ok(ProbeTables { tables, hidden: Hidden::default(), repeated: Pages::default() })
    }

    /// Returns the allocated memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let tables: usize = self.tables.iter().map(Table::bytes).sum();
        tables + self.hidden.bytes() + self.repeated.bytes()
    }

    pub(crate) fn clear(&mut self) {
        self.tables.iter_mut().for_each(Table::clear);
        self.hidden = Hidden::default();
        self.repeated = Pages::default();
    }

    fn repeated(&self, place: u32) -> u16 {
        self.repeated.try_get(place).copied().unwrap_or(0)
    }

    fn add_repeated(&mut self, place: u32, times: i16) {
        self.repeated.set(place, self.repeated(place).wrapping_add_signed(times));
    }

    /// Returns the number of visible documents with this block value, or an upper bound that is below [`MAX_READ`].
    fn count(&self, at: usize, value: u16) -> usize {
        let table = &self.tables[at];
        let bucket = usize::from(value) >> (16 - table.prefix());
        let repeated = usize::from(self.repeated(place(at, value)));
        let all = table.len_of(bucket) + repeated;
        if all < MAX_READ || table.prefix() == 16 {
            return all;
        }
        let mut count = repeated;
        table.scan(bucket, table.stored(bucket), 0, 64, |fingerprint, _| {
            count += usize::from(block(fingerprint as u64, at) == value);
        });
        count
    }

    /// Reserves memory to insert a document with this fingerprint.
    pub(crate) fn reserve(
        &mut self,
        fingerprint: u64,
        entries: &Entries,
    ) -> Result<(), TryReserveError> {
        let is_repeated = entries.group(fingerprint.into()).is_some();
        for at in 0..BLOCKS {
            self.tables[at].reserve(fingerprint.into())?;
            let value = block(fingerprint, at);
            let place = place(at, value);
            if is_repeated {
                self.repeated.reserve(place)?;
            }
            if self.hidden.contains(place) || self.count(at, value) >= MAX_READ {
                self.hidden.reserve(place)?;
                // With a bucket for each value, a search of this value reads no others.
                self.tables[at].split_fully();
            }
        }
        Ok(())
    }

    /// Inserts the last entry, for which memory is reserved. `is_new` states that no other entry has its fingerprint.
    pub(crate) fn insert(&mut self, entry: u32, fingerprint: u64, is_new: bool) {
        for at in 0..BLOCKS {
            let value = block(fingerprint, at);
            let place = place(at, value);
            if !self.hidden.is_empty()
                && (self.hidden.contains(place) || self.count(at, value) >= MAX_READ)
            {
                self.hidden.push(place, entry);
            } else if is_new {
                self.tables[at].insert(fingerprint.into());
            } else {
                self.add_repeated(place, 1);
            }
        }
    }

    /// Removes an entry, which `entries` no longer has. `first` is the first other entry with its fingerprint.
    pub(crate) fn remove(
        &mut self,
        entry: u32,
        fingerprint: u64,
        first: Option<u32>,
        entries: &Entries,
    ) {
        for at in 0..BLOCKS {
            let place = place(at, block(fingerprint, at));
            let cut = self.hidden.cut(place);
            if entry >= cut {
                self.hidden.remove(place, entry);
                continue;
            }
            if first.is_some_and(|first| first < cut) {
                self.add_repeated(place, -1);
            } else {
                self.tables[at].remove(fingerprint.into());
            }
            if cut != NO_CUT && self.reveal(at, cut, entries).is_ok() {
                self.hidden.remove(place, cut);
            }
        }
    }

    /// Makes the first hidden entry of a bucket visible.
    fn reveal(&mut self, at: usize, cut: u32, entries: &Entries) -> Result<(), TryReserveError> {
        let fingerprint = entries.fingerprint(cut);
        let group = entries.group(fingerprint).expect("every entry is in a group");
        if entries.head(group) < cut {
            let place = place(at, block(fingerprint as u64, at));
            self.repeated.reserve(place)?;
            self.add_repeated(place, 1);
        } else {
            self.tables[at].reserve(fingerprint)?;
            self.tables[at].insert(fingerprint);
        }
        Ok(())
    }

    /// Adapts the number of buckets to the number of documents.
    pub(crate) fn fit(&mut self) {
        // A table that is split fully stays so while documents are hidden.
        let may_shrink = self.hidden.is_empty();
        for (at, table) in self.tables.iter_mut().enumerate() {
            table.fit(at as f64 / BLOCKS as f64, may_shrink);
        }
    }

    /// Replaces the numbers of the entries.
    pub(crate) fn renumber(&mut self, old: &Entries, new: &Entries) {
        for entry in self.hidden.0.iter_mut().flat_map(|(_, hidden)| hidden) {
            *entry = new.find(old.id(*entry)).expect("a hidden document is kept");
        }
    }

    /// Returns the largest cut of the buckets of a fingerprint: its entries below the cut are visible in some bucket.
    pub(crate) fn cut(&self, fingerprint: u64) -> u32 {
        let places = (0..BLOCKS).map(|at| place(at, block(fingerprint, at)));
        places.fold(0, |cut, place| cut.max(self.hidden.cut(place)))
    }

    /// Calls `hit` for every different fingerprint that is within `distance` of `query` and visible in a probed bucket: in
    /// one of the tables, its block differs from the query's by one of `flips[table]`. The flips of a table are distinct,
    /// and include all subsets of each. If some bucket has hidden documents, a fingerprint may be found several times. `hit`
    /// returns the distance for the rest of the search, which never increases.
    ///
    /// The search reads [`MAX_READ`] documents of a bucket besides `except`.
    ///
    /// A table of few fingerprints has fewer than 2^16 buckets, each of several block values. The result is the same:
    /// fingerprints with other block values are skipped.
    pub(crate) fn probe(
        &self,
        query: u64,
        flips: &[&[u16]; BLOCKS],
        mut distance: u32,
        entries: &Entries,
        except: Option<u32>,
        hit: &mut dyn FnMut(Found) -> u32,
    ) {
        let is_probed =
            |found: u64, at: usize| flips[at].contains(&(block(found, at) ^ block(query, at)));
        let mut buckets = [(0, &[][..]); AHEAD];
        for (at, table) in self.tables.iter().enumerate() {
            let key = table.key(query.into());
            let is_exact = table.prefix() == 16;
            let within_bucket = ((1 << (16 - table.prefix())) - 1) as u16;
            for some in flips[at].chunks(AHEAD) {
                // Flips that differ only in the bits below the prefix lead to the same bucket, which is listed once. The
                // code has no branch, because it would be mispredicted.
                let mut len = 0;
                for &flip in some {
                    buckets[len].0 = usize::from(block(query, at) ^ flip) >> (16 - table.prefix());
                    len += usize::from(flip & within_bucket == 0);
                }
                let buckets = &mut buckets[..len];
                buckets.iter_mut().for_each(|(bucket, stored)| *stored = table.stored(*bucket));
                black_box(buckets.iter().fold(0, |read, (_, stored)| read | touch(stored)));
                for &mut (bucket, stored) in buckets {
                    table.scan(bucket, stored, key, distance, |fingerprint, found| {
                        let fingerprint = fingerprint as u64;
                        if found <= distance && (is_exact || is_probed(fingerprint, at)) {
                            let cut = self.hidden.cut(place(at, block(fingerprint, at)));
                            // Most hits were already found in the bucket of an earlier block.
                            let is_known = |at| {
                                is_probed(fingerprint, at)
                                    && self.hidden.cut(place(at, block(fingerprint, at))) >= cut
                            };
                            if !(0..at).any(is_known) {
                                distance = hit(Found { fingerprint, distance: found, cut });
                            }
                        }
                    });
                }
            }
        }
        // Without the entry `except`, one more document of its buckets is visible.
        let Some(except) = except.filter(|_| !self.hidden.is_empty()) else { return };
        let own = entries.fingerprint(except) as u64;
        for at in (0..BLOCKS).filter(|&at| is_probed(own, at)) {
            let [first, second] = self.hidden.first_two(place(at, block(own, at)));
            if except < first && first != NO_CUT {
                let fingerprint = entries.fingerprint(first) as u64;
                let differing = (fingerprint ^ query).count_ones();
                if differing <= distance {
                    distance = hit(Found { fingerprint, distance: differing, cut: second });
                }
            }
        }
    }
}

/// The hidden entries of buckets, by place.
#[derive(Clone, Default)]
struct Hidden(Vec<(u32, VecDeque<u32>)>);

impl Hidden {
    #[inline]
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[inline(never)]
    fn at(&self, place: u32) -> Result<usize, usize> {
        self.0.binary_search_by_key(&place, |&(place, _)| place)
    }

    #[inline]
    fn contains(&self, place: u32) -> bool {
        self.cut(place) != NO_CUT
    }

    /// Returns the first hidden entry of a bucket.
    #[inline]
    fn cut(&self, place: u32) -> u32 {
        if self.is_empty() { NO_CUT } else { self.first_two(place)[0] }
    }

    /// Returns the first two hidden entries of a bucket.
    fn first_two(&self, place: u32) -> [u32; 2] {
        let hidden = self.at(place).map(|at| &self.0[at].1);
        [0, 1].map(|at| hidden.ok().and_then(|hidden| hidden.get(at)).copied().unwrap_or(NO_CUT))
    }

    /// Reserves memory for one more entry of a bucket.
    fn reserve(&mut self, place: u32) -> Result<(), TryReserveError> {
        match self.at(place) {
            Ok(at) => self.0[at].1.try_reserve(1),
            Err(at) => {
                self.0.try_reserve(1)?;
                let mut entries = VecDeque::new();
                entries.try_reserve(1)?;
                self.0.insert(at, (place, entries));
                Ok(())
            }
        }
    }

    /// Adds the last entry of a bucket, for which memory is reserved.
    fn push(&mut self, place: u32, entry: u32) {
        let at = self.at(place).expect("memory is reserved");
        self.0[at].1.push_back(entry);
    }

    /// Removes a hidden entry of a bucket.
    fn remove(&mut self, place: u32, entry: u32) {
        let at = self.at(place).expect("the entry is hidden");
        let entries = &mut self.0[at].1;
        let found = entries.binary_search(&entry).expect("the entry is hidden");
        entries.remove(found);
        if entries.is_empty() {
            self.0.remove(at);
        }
    }

    fn bytes(&self) -> usize {
        let entries: usize =
            self.0.iter().map(|(_, hidden)| hidden.capacity() * size_of::<u32>()).sum();
        entries + allocated(&self.0)
    }
}
