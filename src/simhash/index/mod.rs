//! Exact near-duplicate search: [`NearIndex`], and [`block_keys`] for external stores.
//!
//! In: ids and fingerprints, and queries. Out: every document within a Hamming distance, pairs and snapshots.
//! Nothing here knows about text.
//!
//! # How it works
//!
//! Fingerprints are cut into blocks of 16 bits (wider ones for small distances). Every block has a table of all
//! fingerprints, in buckets by that block. Two fingerprints that differ in few bits in all differ in very few bits within
//! some block. So a query compares only the buckets within a small radius of its own block in each table; `blocks` (in
//! the source) proves that none is missed, and cites the papers. The radius depends on the sizes of the buckets, and where
//! reading everything is faster, a query reads everything. This affects speed only: results are always exact.
//!
//! # Complexity
//!
//! For *n* fingerprints that are distributed evenly, on average:
//!
//! | operation | time |
//! | --- | --- |
//! | [`add`](NearIndex::add) | O(tables), amortised |
//! | [`remove`](NearIndex::remove), [`get`](NearIndex::get), [`contains`](NearIndex::contains) | O(1), or O(log n) for ids that came in ascending order |
//! | [`query`](NearIndex::query) | O(probes × bucket + results × log results) |
//! | [`pairs`](NearIndex::pairs) | half of a query for each fingerprint |
//! | [`to_bytes`](NearIndex::to_bytes), [`from_bytes`](NearIndex::from_bytes) | O(n) |
//!
//! Memory: 65 bytes for each 64-bit fingerprint at distance 3 to 16 when ids ascend and are below 2^32 (60 in WebAssembly), 70
//! when they come in any other order, and 4 more when they are larger; 8 bytes for each further document that has a
//! fingerprint in common with another, and its id. Removed documents keep their memory until half of all documents are removed:
//! then the index is built anew. A table that grows exists twice until it is complete.
//!
//! # Worst case
//!
//! Fingerprints that cluster (text with plain word features) make large buckets, and their queries take proportionally
//! longer. Equal fingerprints do not slow a query: each distinct fingerprint is compared once.
//!
//! An attacker who chooses fingerprints can put all of them in one bucket. `query` then takes O(n): this is inherent in exact
//! search by blocks, whose positions are public. Nothing else depends on the values: `get`, `contains` and `add` read at most
//! 128 cache lines of hashed ids or fingerprints, whatever the others are.

mod blocks;
mod search;
mod snapshot;
mod table;

use alloc::{string::String, vec::Vec};
use core::{fmt, iter::FusedIterator, ops::Range};

pub use self::blocks::block_keys;
pub use self::search::{PairCursor, Pairs};
use self::{
    blocks::{MAX_DISTANCE, Quotas},
    table::Table,
};
use super::scheme::Width;
use crate::{
    Error,
    rows::{
        columns::{self, Numbers},
        ids::Ids,
        slots::Slots,
    },
};

/// One document found by a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_structs, reason = "plain data, which tests of a caller can make")]
pub struct Hit {
    /// The document's id.
    pub id: u64,
    /// Its fingerprint.
    pub fingerprint: u128,
    /// Its Hamming distance from the query.
    pub distance: u32,
}

/// Two documents that are near each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_structs, reason = "plain data, which tests of a caller can make")]
pub struct Pair {
    /// The id of the document that was added first.
    pub a: u64,
    /// The other.
    pub b: u64,
    /// Their Hamming distance.
    pub distance: u32,
}

/// The settings of an index.
///
/// ```
/// use nearprint::simhash::{NearIndex, Width, index::Settings};
///
/// let settings = Settings::default().width(Width::W128).max_distance(3).scheme("v1:128");
/// assert_eq!(NearIndex::new(settings)?.max_distance(), 3);
/// # Ok::<(), nearprint::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Settings {
    /// The width of the fingerprints.
    pub width: Width,
    /// The distance that queries are fast for, at most a quarter of the bits; it does not bound them. It determines the number
    /// of tables, and so the memory: one more than the distance, at most one for each 16 bits.
    pub max_distance: u32,
    /// The id of the fingerprints' scheme, any text. Snapshots contain it.
    pub scheme: String,
}

impl Default for Settings {
    /// Fingerprints of `v1:64`, within 8 bits.
    fn default() -> Self {
        Settings { width: Width::W64, max_distance: 8, scheme: "v1:64".into() }
    }
}

impl Settings {
    /// Sets [`width`](field@Self::width).
    #[must_use]
    pub fn width(mut self, width: Width) -> Self {
        self.width = width;
        self
    }

    /// Sets [`max_distance`](field@Self::max_distance).
    #[must_use]
    pub fn max_distance(mut self, max_distance: u32) -> Self {
        self.max_distance = max_distance;
        self
    }

    /// Sets [`scheme`](field@Self::scheme).
    #[must_use]
    pub fn scheme(mut self, scheme: impl Into<String>) -> Self {
        self.scheme = scheme.into();
        self
    }
}

/// An index of fingerprints that finds everything within a Hamming distance, always.
///
/// A document is an id and a fingerprint. Ids are any `u64`; they take less memory if they are added in ascending order, or
/// are below 2^32. Fingerprints have the low `bits` bits of a `u128`.
///
/// ```
/// use nearprint::simhash::{NearIndex, index::Settings};
///
/// let mut index = NearIndex::new(Settings::default())?;
/// index.add(1, 0xff00_ff00)?;
/// index.add(2, 0xff00_ff01)?;
/// index.add(3, !0 >> 64)?;
/// let hits = index.query(0xff00_ff03, 8, usize::MAX)?;
/// assert_eq!(hits.iter().map(|hit| (hit.id, hit.distance)).collect::<Vec<_>>(), [(2, 1), (1, 2)]);
/// # Ok::<(), nearprint::Error>(())
/// ```
#[derive(Clone)]
pub struct NearIndex {
    width: Width,
    max_distance: u32,
    scheme: String,
    /// A document is an *entry*, numbered in insertion order. A removed one stays, unknown to `ids`, until
    /// [`close_holes`](Self::close_holes).
    ids: Ids,
    fingerprints: Numbers<u64>,
    /// The entries of equal fingerprints form a *group*, whose first entry is its *head*. All heads, by fingerprint.
    heads: Slots,
    /// The next entry of the group of each entry: a ring, in which the head is followed by the entry that was added last.
    next: Vec<u32>,
    /// Each has all heads.
    tables: Vec<Table>,
    /// For every distance, the quota of each table.
    plans: [Quotas; MAX_DISTANCE as usize + 1],
    /// The number of documents added since the plans were made.
    unplanned: usize,
    /// Counts changes, so that a cursor notices them.
    version: u64,
}

impl fmt::Debug for NearIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NearIndex")
            .field("scheme", &self.scheme)
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

impl Default for NearIndex {
    /// Returns an empty index with the default settings.
    ///
    /// # Panics
    /// There is not enough memory.
    fn default() -> Self {
        Self::new(Settings::default()).expect("an empty index has less than 2 kB")
    }
}

impl NearIndex {
    /// Creates an empty index.
    ///
    /// # Errors
    /// `max_distance` is above a quarter of the bits, or there is not enough memory.
    pub fn new(settings: Settings) -> Result<Self, Error> {
        let Settings { width, max_distance, scheme } = settings;
        let bits = width.bits();
        blocks::check_distance(bits, max_distance)?;
        let count = blocks::table_count(bits, max_distance);
        let table = |(start, width)| Table::new(bits, start, width);
        let tables = columns::collect(count as usize, blocks::cut(bits, count).map(table))?;
        let mut index = Self {
            width,
            max_distance,
            scheme,
            ids: Ids::default(),
            fingerprints: Numbers::default(),
            heads: Slots::default(),
            next: Vec::new(),
            tables,
            plans: [Quotas::default(); MAX_DISTANCE as usize + 1],
            unplanned: 0,
            version: 0,
        };
        index.plan();
        Ok(index)
    }

    /// Returns the width of the fingerprints.
    pub fn width(&self) -> Width {
        self.width
    }

    /// Returns the distance that the index is made for.
    pub fn max_distance(&self) -> u32 {
        self.max_distance
    }

    /// Returns the id of the scheme of the fingerprints.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// Returns the number of documents.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns whether the index has no documents.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a document, last in insertion order. Replaces a document with this id, unless the fingerprint is the same.
    ///
    /// # Errors
    /// The fingerprint has more bits than the index takes, there are 2^31 - 3 documents already, or there is not enough
    /// memory. The index is then unchanged.
    pub fn add(&mut self, id: u64, fingerprint: u128) -> Result<(), Error> {
        self.add_documents(1, &mut core::iter::once((id, fingerprint)))
    }

    /// Adds many documents: the same as [`add`](Self::add) for each, but faster. An error adds none of them.
    ///
    /// # Errors
    /// The errors of [`add`](Self::add).
    pub fn add_all<D>(&mut self, documents: D) -> Result<(), Error>
    where
        D: IntoIterator<Item = (u64, u128), IntoIter: ExactSizeIterator>,
    {
        let mut documents = documents.into_iter();
        self.add_documents(documents.len(), &mut documents)
    }

    /// Adds `count` documents, or none if there is an error.
    fn add_documents(
        &mut self,
        count: usize,
        documents: &mut dyn Iterator<Item = (u64, u128)>,
    ) -> Result<(), Error> {
        self.ids.check_capacity(count)?;
        let start = self.ids.end();
        // The entries of ids that were there before: the new entry and the old one. The old one stays until nothing can fail.
        let mut replaced = Vec::new();
        let added = documents
            .take(count)
            .enumerate()
            .try_for_each(|(at, document)| self.add_one(document, count - at, &mut replaced));
        if added.is_ok() {
            replaced.iter().for_each(|&(_, old)| self.ids.bury(old));
            self.close_holes();
        } else {
            while self.ids.end() > start {
                let last = self.ids.end() - 1;
                self.pop(replaced.pop_if(|(new, _)| *new == last).map(|(_, old)| old));
            }
            self.plan();
        }
        added
    }

    /// Adds the first of `more` documents. An error adds nothing.
    fn add_one(
        &mut self,
        (id, fingerprint): (u64, u128),
        more: usize,
        replaced: &mut Vec<(u32, u32)>,
    ) -> Result<(), Error> {
        blocks::check_fingerprint(self.width.bits(), fingerprint)?;
        let old = self.ids.find(id);
        if old.is_some_and(|old| self.fingerprints.get(old) == fingerprint) {
            return Ok(());
        }
        self.version += 1;
        let entry = self.ids.end();
        let Self { ids, fingerprints, heads, next, tables, .. } = self;
        replaced.try_reserve(old.is_some().into())?;
        ids.reserve(id, more)?;
        fingerprints.reserve(more, fingerprint)?;
        columns::reserve(next, entry as usize + more)?;
        let head = heads.find(fingerprint, |head| fingerprints.get(head));
        let mut is_planned = true;
        if head.is_none() {
            let fingerprint_of = &|entry| fingerprints.get(entry);
            let count = tables.len() as f64;
            for (at, table) in tables.iter_mut().enumerate() {
                let grows = table.reserve(fingerprint, at as f64 / count, fingerprint_of)?;
                is_planned &= !grows;
            }
            heads.reserve(more, entry + more as u32, fingerprint_of)?;
            heads.insert(fingerprint, entry, fingerprint_of)?;
        }
        if let Err(error) = ids.push(id, old) {
            if head.is_none() {
                heads.remove(fingerprint, entry);
            }
            return Err(error.into());
        }
        fingerprints.push(fingerprint);
        if let Some(head) = head {
            let last = core::mem::replace(&mut next[head as usize], entry);
            next.push(last);
        } else {
            next.push(entry);
            tables.iter_mut().for_each(|table| table.push(fingerprint, entry));
        }
        replaced.extend(old.map(|old| (entry, old)));
        self.unplanned += 1;
        if !is_planned || self.unplanned > self.heads.len() / 8 {
            self.plan();
        }
        Ok(())
    }

    /// Undoes the addition of the last entry, before which its id had the entry `old`.
    fn pop(&mut self, old: Option<u32>) {
        let entry = self.ids.end() - 1;
        let fingerprint = self.fingerprints.get(entry);
        match self.heads.find(fingerprint, |head| self.fingerprints.get(head)) {
            Some(head) if head != entry => self.next[head as usize] = self.next[entry as usize],
            _ => {
                self.heads.remove(fingerprint, entry);
                self.tables.iter_mut().for_each(|table| table.pop(fingerprint));
            }
        }
        self.next.pop();
        self.fingerprints.pop();
        self.ids.pop(old);
    }

    /// Builds the index anew without removed documents if there are many. If memory runs out, they stay.
    fn close_holes(&mut self) {
        if self.ids.has_many_holes()
            && let Ok(dense) = self.dense(self.max_distance)
        {
            *self = Self {
                scheme: core::mem::take(&mut self.scheme),
                version: self.version + 1,
                ..dense
            };
        }
    }

    /// Returns an index of the same documents without holes, made for this distance, and without the scheme.
    fn dense(&self, max_distance: u32) -> Result<Self, Error> {
        let mut dense =
            Self::new(Settings { width: self.width, max_distance, scheme: String::new() })?;
        dense.add_documents(self.len(), &mut self.iter())?;
        Ok(dense)
    }

    /// Removes a document. Returns false if the id is unknown.
    pub fn remove(&mut self, id: u64) -> bool {
        let Some(entry) = self.ids.find(id) else { return false };
        self.version += 1;
        self.ids.remove(entry);
        self.close_holes();
        true
    }

    /// Removes all documents, and frees their memory.
    pub fn clear(&mut self) {
        self.version += 1;
        self.ids = Ids::default();
        self.fingerprints = Numbers::default();
        self.heads = Slots::default();
        self.next = Vec::new();
        self.tables.iter_mut().for_each(Table::clear);
        self.plan();
    }

    /// Returns whether there is a document with this id.
    pub fn contains(&self, id: u64) -> bool {
        self.ids.find(id).is_some()
    }

    /// Returns the fingerprint of the document with this id.
    pub fn get(&self, id: u64) -> Option<u128> {
        self.ids.find(id).map(|entry| self.fingerprints.get(entry))
    }

    /// Returns all documents, id and fingerprint, in insertion order.
    pub fn iter(&self) -> Documents<'_> {
        Documents { index: self, entries: 0..self.ids.end() }
    }

    /// Returns the entries of a group that are not removed.
    fn members(&self, head: u32) -> impl Iterator<Item = u32> {
        let after =
            move |&entry: &u32| Some(self.next[entry as usize]).filter(|&next| next != head);
        core::iter::successors(Some(head), after).filter(|&entry| self.ids.is_live(entry))
    }

    /// Returns the allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        let columns = self.ids.bytes() + self.fingerprints.bytes() + self.heads.bytes();
        let tables = self.tables.iter().map(Table::bytes).sum::<usize>();
        columns + columns::allocated(&self.next) + tables
    }
}

/// The documents of a [`NearIndex`], id and fingerprint, in insertion order: see [`NearIndex::iter`].
#[derive(Clone, Debug)]
#[must_use]
pub struct Documents<'a> {
    index: &'a NearIndex,
    /// The entries that follow, some of them removed.
    entries: Range<u32>,
}

impl Iterator for Documents<'_> {
    type Item = (u64, u128);

    fn next(&mut self) -> Option<Self::Item> {
        let NearIndex { ids, fingerprints, .. } = self.index;
        let entry = self.entries.find(|&entry| ids.is_listed(entry))?;
        Some((ids.id(entry), fingerprints.get(entry)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.entries.len()))
    }
}

impl FusedIterator for Documents<'_> {}

impl<'a> IntoIterator for &'a NearIndex {
    type Item = (u64, u128);
    type IntoIter = Documents<'a>;

    fn into_iter(self) -> Documents<'a> {
        self.iter()
    }
}
