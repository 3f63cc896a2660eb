//! Exact near-duplicate search: [`NearIndex`], and [`block_keys`] for external stores.
//!
//! In: ids and fingerprints, and queries. Out: every document within a Hamming distance, pairs, clusters and snapshots.
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
//! *n* fingerprints, 64 bits, distance 8, on average over fingerprints that are distributed evenly:
//!
//! | operation | time | at a million |
//! | --- | --- | --- |
//! | [`add`](NearIndex::add), [`remove`](NearIndex::remove) | O(bucket), amortised | 4 tables, 15 items a bucket |
//! | [`get`](NearIndex::get), [`contains`](NearIndex::contains) | O(1), or O(log n) for ids that came in ascending order | |
//! | [`query`](NearIndex::query) | O(probes × bucket + results × log results) | 188 probes, 2 900 items compared |
//! | [`pairs`](NearIndex::pairs) | O(n × probes × bucket / 2 + results) | |
//! | [`to_bytes`](NearIndex::to_bytes), [`from_bytes`](NearIndex::from_bytes) | O(n) | 12 bytes each |
//!
//! Memory: 42 to 45 bytes for each 64-bit fingerprint at distance 3 to 16 when ids ascend and are below 2^32, 47 to 50 when
//! they come in any other order, and 4 more when they are larger; 4 bytes for each further document that has a fingerprint
//! in common with another, and its id. A table that grows, or is built anew, exists twice until it is complete.
//!
//! # Worst case
//!
//! Fingerprints that cluster (text with plain word features) make large buckets, and their queries take proportionally
//! longer. Equal fingerprints do not slow a query: each distinct fingerprint is compared once.
//!
//! An attacker who chooses fingerprints can put all of them in one bucket. `query` and `remove` then take O(n): this is
//! inherent in exact search by blocks, whose positions are public. To remove one of *m* documents with equal fingerprints
//! takes O(m). Nothing else depends on the values: `get`, `contains` and `add` read at most 128 cache lines of hashed ids or
//! fingerprints, whatever the others are, and `add` moves at most 32 items a table.

mod addition;
mod blocks;
pub(crate) mod cluster;
pub(crate) mod columns;
pub(crate) mod entries;
pub(crate) mod ids;
mod join;
mod search;
mod slots;
pub(crate) mod snapshot;
mod table;

use alloc::{string::String, vec::Vec};
use core::fmt;

pub use self::blocks::block_keys;
pub use self::cluster::{Clusters, Linkage};
#[doc(hidden)]
pub use self::join::PairCursor;
use self::{
    blocks::{MAX_DISTANCE, Tokens},
    entries::Entries,
    table::{PAGE_BITS, Table},
};
use crate::{Error, Width, error::decimal};

/// The maximum number of documents of an index.
pub(crate) const MAX_DOCUMENTS: usize = i32::MAX as usize - 2;

/// One document found by a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The document's id.
    pub id: u64,
    /// Its fingerprint.
    pub fingerprint: u128,
    /// Its Hamming distance from the query.
    pub distance: u32,
}

/// Two documents that are near each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The id of the document that was added first.
    pub a: u64,
    /// The other.
    pub b: u64,
    /// Their Hamming distance.
    pub distance: u32,
}

/// The size and the shape of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stats {
    /// Documents.
    pub size: usize,
    /// Different fingerprints among them.
    pub distinct: usize,
    /// The number of documents that share the most common fingerprint.
    pub largest_group: usize,
    /// Memory allocated, in bytes.
    pub bytes: usize,
    /// For every table, the width of its block in bits, and the binary logarithm of its number of buckets.
    pub tables: Vec<(u32, u32)>,
    /// The number of buckets that a query within `max_distance` examines.
    pub probes: u64,
    /// The number of fingerprints that such a query compares on average, if it resembles the indexed ones.
    pub comparisons: u64,
}

/// An index of fingerprints that finds everything within a Hamming distance, always.
///
/// A document is an id and a fingerprint. Ids are any `u64`; they take less memory if they are added in ascending order, or
/// are below 2^32. Fingerprints have the low `bits` bits of a `u128`.
///
/// ```
/// use nearprint::{NearIndex, Width};
///
/// let mut index = NearIndex::new(Width::W64, 8, "v1:64")?;
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
    entries: Entries,
    /// Each has every different fingerprint of the entries, except while an addition is in progress.
    tables: Vec<Table>,
    /// For every distance, the tokens of each table.
    plans: [Tokens; MAX_DISTANCE as usize + 1],
    /// The number of documents added, changed or removed since the plans were made.
    changes: usize,
    /// Counts changes, so that a join notices them.
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

impl NearIndex {
    /// Creates an empty index of fingerprints of this width, made for queries within `max_distance`, a quarter of the bits at
    /// most. `scheme` is the id of their scheme; indexes of different schemes do not mix.
    ///
    /// `max_distance` determines the number of tables, and so the memory: `max_distance + 1` tables, at most one for each 16
    /// bits. It does not bound queries.
    ///
    /// # Errors
    /// `max_distance` is out of range, or there is not enough memory.
    pub fn new(width: Width, max_distance: u32, scheme: impl Into<String>) -> Result<Self, Error> {
        let bits = width.bits();
        blocks::check_distance(bits, max_distance)?;
        let count = blocks::table_count(bits, max_distance);
        let mut tables = Vec::new();
        tables.try_reserve_exact(count as usize)?;
        for (start, width) in blocks::cut(bits, count) {
            tables.push(Table::new(bits, start, width, PAGE_BITS)?);
        }
        let mut index = Self {
            width,
            max_distance,
            scheme: scheme.into(),
            entries: Entries::default(),
            tables,
            plans: [Tokens::default(); MAX_DISTANCE as usize + 1],
            changes: 0,
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
        self.entries.len()
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

    /// Adds all documents of `other`, in its order. Where both have an id, the fingerprint in `other` replaces this one.
    ///
    /// # Errors
    /// The width or scheme of `other` differs, there are too many documents, or memory runs out. Nothing is added then.
    pub fn merge(&mut self, other: &Self) -> Result<(), Error> {
        if (self.width, &self.scheme) != (other.width, &other.scheme) {
            let describe = |index: &Self| {
                [&decimal(index.width.bits()), " bits of scheme ", &index.scheme].concat()
            };
            let requirement = ["an index of ", &describe(self)].concat();
            return Err(Error::argument("other", requirement, describe(other)));
        }
        self.add_documents(other.len(), &mut other.iter())
    }

    /// Removes a document. Returns false if the id is unknown.
    pub fn remove(&mut self, id: u64) -> bool {
        let Some(entry) = self.entries.find(id) else { return false };
        self.version += 1;
        if let Some(fingerprint) = self.entries.remove(entry) {
            self.tables.iter_mut().for_each(|table| table.remove(fingerprint));
        }
        self.fit_tables(1);
        self.entries.close_holes();
        true
    }

    /// Removes all documents, and frees all memory except the empty buckets.
    pub fn clear(&mut self) {
        self.version += 1;
        self.entries = Entries::default();
        self.tables.iter_mut().for_each(Table::clear);
        self.fit_tables(1);
    }

    /// Returns whether there is a document with this id.
    pub fn contains(&self, id: u64) -> bool {
        self.entries.find(id).is_some()
    }

    /// Returns the fingerprint of the document with this id.
    pub fn get(&self, id: u64) -> Option<u128> {
        self.entries.find(id).map(|entry| self.entries.fingerprint(entry))
    }

    /// Returns all documents, id and fingerprint, in insertion order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u128)> {
        self.entries.iter().map(|entry| (self.entries.id(entry), self.entries.fingerprint(entry)))
    }

    /// Returns the size and the shape of the index.
    pub fn stats(&self) -> Stats {
        let (probes, comparisons) = self.cost(self.max_distance);
        Stats {
            size: self.len(),
            distinct: self.entries.distinct(),
            largest_group: self.entries.largest_group(),
            bytes: self.entries.bytes() + self.tables.iter().map(Table::bytes).sum::<usize>(),
            tables: self.tables.iter().map(|table| (table.width(), table.prefix())).collect(),
            probes: probes as u64,
            comparisons: comparisons as u64,
        }
    }
}
