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
//! the source) proves that none is missed, and cites the papers. The number of buckets of a table follows from its size.
//! The radius of a search follows from the distance and from the sizes of the buckets. Where reading everything is
//! faster, a query reads everything. All of this affects speed only: results are always exact.
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
//! Fingerprints that cluster (text with plain word features) make large buckets, and their queries take longer by as much.
//! Documents with equal fingerprints do not: every different fingerprint is compared once.
//!
//! An attacker who chooses fingerprints can put all of them in one bucket. `query` and `remove` then take O(n): this is
//! inherent in exact search by blocks, whose positions are public. To remove one of *m* documents with equal fingerprints
//! takes O(m). Nothing else depends on the values: `get`, `contains` and `add` find an id or a fingerprint in at most 160
//! steps, whatever the others are, and `add` moves at most 32 items a table.
//!
//! # Memory limits
//!
//! Additions are all or nothing: one that fails for want of memory returns an error and leaves the index as it was. So do
//! queries, clusters and reading a snapshot. Removals need no memory.

mod addition;
mod blocks;
pub(crate) mod cluster;
pub(crate) mod collection;
pub(crate) mod columns;
pub(crate) mod entries;
mod join;
pub(crate) mod probe;
mod search;
mod slots;
pub(crate) mod snapshot;
mod steps;
mod table;
mod trie;

use alloc::{format, string::String, vec::Vec};

pub use self::blocks::block_keys;
pub use self::cluster::{Clusters, Linkage};
use self::collection::Collection;
use self::join::Cursor;
use self::search::Found;
use crate::Error;

/// The maximum number of documents of an index.
pub(crate) const MAX_DOCUMENTS: usize = i32::MAX as usize - 2;

/// Steps of a self-join between two returns to the caller: some ten milliseconds.
const JOIN_STEPS: usize = 4096;

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

/// Two documents near each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The one added first.
    pub a: u64,
    /// The other.
    pub b: u64,
    /// Their Hamming distance.
    pub distance: u32,
}

/// Size and shape of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stats {
    /// Documents.
    pub size: usize,
    /// Different fingerprints among them.
    pub distinct: usize,
    /// Documents that share the most common fingerprint.
    pub largest_bucket: usize,
    /// Memory allocated, in bytes.
    pub bytes: usize,
    /// For every table the width of its block and how many bits of it number the buckets.
    pub tables: Vec<(u32, u32)>,
    /// Probes of a query within the distance that the index is made for.
    pub probes: u64,
    /// Fingerprints that such a query compares on average, if it resembles those of the index.
    pub comparisons: u64,
}

/// An index of fingerprints that finds everything within a Hamming distance, always.
///
/// A document is an id and a fingerprint. Ids are any `u64`; those that come in ascending order, or stay below 2^32,
/// take less memory. Fingerprints have the low `bits` bits of a `u128`.
///
/// # Examples
///
/// ```
/// use nearprint::index::NearIndex;
///
/// let mut index = NearIndex::new(64, 8, "v1:64")?;
/// index.add(1, 0xff00_ff00)?;
/// index.add(2, 0xff00_ff01)?;
/// index.add(3, !0 >> 64)?;
/// let hits = index.query(0xff00_ff03, 8, usize::MAX)?;
/// assert_eq!(hits.iter().map(|hit| (hit.id, hit.distance)).collect::<Vec<_>>(), [(2, 1), (1, 2)]);
/// # Ok::<(), nearprint::Error>(())
/// ```
#[derive(Clone)]
pub struct NearIndex {
    bits: u32,
    max_distance: u32,
    scheme: String,
    collection: Collection,
    /// Counts changes, so that a join notices them.
    version: u64,
}

impl NearIndex {
    /// An empty index of fingerprints of `bits` bits (32, 64 or 128), made for queries within `max_distance` (a quarter
    /// of `bits` at most). `scheme` is the id of their scheme; indexes of different schemes do not mix.
    ///
    /// `max_distance` decides how many tables there are, and so memory: one more than it, up to `bits / 16`. It does not
    /// bound queries.
    ///
    /// # Errors
    ///
    /// `bits` or `max_distance` out of range, or a lack of memory.
    pub fn new(bits: u32, max_distance: u32, scheme: impl Into<String>) -> Result<Self, Error> {
        blocks::check_bits(bits)?;
        blocks::check_distance(bits, max_distance)?;
        Ok(Self {
            bits,
            max_distance,
            scheme: scheme.into(),
            collection: Collection::new(bits, max_distance)?,
            version: 0,
        })
    }

    /// Width of the fingerprints: 32, 64 or 128.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The distance the index is made for.
    pub fn max_distance(&self) -> u32 {
        self.max_distance
    }

    /// The id of the scheme of its fingerprints.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// The number of documents.
    pub fn len(&self) -> usize {
        self.collection.entries.len()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a document. If there is one with this id, it gets the fingerprint and keeps its place in insertion order.
    ///
    /// # Errors
    ///
    /// A fingerprint of more bits than the index takes, 2^31 - 3 documents already, or a lack of memory. The index is then
    /// as it was.
    pub fn add(&mut self, id: u64, fingerprint: u128) -> Result<(), Error> {
        blocks::check_fingerprint(self.bits, fingerprint)?;
        self.check_capacity(1)?;
        self.extend(1, 0, &mut core::iter::once((id, fingerprint)))
    }

    /// Adds many documents: the same as [`add`](Self::add) for each, but faster. An error adds none of them.
    ///
    /// # Errors
    ///
    /// Those of `add`, and slices of different lengths.
    pub fn add_all(&mut self, ids: &[u64], fingerprints: &[u128]) -> Result<(), Error> {
        self.add_each(ids.iter().copied(), fingerprints.iter().copied())
    }

    /// [`add_all`](Self::add_all), from iterators.
    pub(crate) fn add_each(
        &mut self,
        ids: impl ExactSizeIterator<Item = u64>,
        fingerprints: impl ExactSizeIterator<Item = u128> + Clone,
    ) -> Result<(), Error> {
        if ids.len() != fingerprints.len() {
            let requirement = format!("one for each of the {} ids", ids.len());
            return Err(Error::number("fingerprints", requirement, fingerprints.len()));
        }
        fingerprints
            .clone()
            .try_for_each(|fingerprint| blocks::check_fingerprint(self.bits, fingerprint))?;
        self.check_capacity(ids.len())?;
        self.extend(ids.len(), 0, &mut ids.zip(fingerprints))
    }

    /// Adds `count` documents, the next part of an addition that is done whole or not at all. `left` more documents come with
    /// the next calls. Until they have, only this method and [`cancel`](Self::cancel) may be called. An error undoes all calls
    /// of the addition.
    ///
    /// [`add_all`](Self::add_all) needs all documents in memory; this is for a caller that has a part of them at a time.
    ///
    /// # Errors
    ///
    /// The errors of [`add`](Self::add).
    pub fn add_part(
        &mut self,
        count: usize,
        left: usize,
        documents: &mut dyn Iterator<Item = (u64, u128)>,
    ) -> Result<(), Error> {
        self.check_capacity(count + left)?;
        self.extend(count, left, documents)
    }

    /// Adds documents whose fingerprints are known to fit, and whose number is.
    fn extend(
        &mut self,
        count: usize,
        left: usize,
        documents: &mut dyn Iterator<Item = (u64, u128)>,
    ) -> Result<(), Error> {
        self.version += 1;
        Ok(self.collection.add(count, left, documents)?)
    }

    /// Undoes an addition of [`add_part`](Self::add_part) of which documents are left to come.
    pub fn cancel(&mut self) {
        self.collection.cancel();
    }

    fn check_capacity(&self, more: usize) -> Result<(), Error> {
        self.collection.entries.check_capacity(more)
    }

    /// Removes a document. False if there is none with this id.
    pub fn remove(&mut self, id: u64) -> bool {
        self.version += 1;
        self.collection.remove(id)
    }

    /// Removes all documents.
    pub fn clear(&mut self) {
        self.version += 1;
        self.collection.clear();
    }

    /// Whether there is a document with this id.
    pub fn contains(&self, id: u64) -> bool {
        self.collection.entries.find(id).is_some()
    }

    /// The fingerprint of the document with this id.
    pub fn get(&self, id: u64) -> Option<u128> {
        self.collection.entries.find(id).map(|entry| self.collection.entries.fingerprint(entry))
    }

    /// All documents, id and fingerprint, in insertion order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u128)> {
        let entries = &self.collection.entries;
        entries.iter().map(|entry| (entries.id(entry), entries.fingerprint(entry)))
    }

    /// Calls `document` with the id and the fingerprint of every document from position `from` on, in insertion order, until it
    /// returns false. Returns the position to continue from, or 0 at the end. The first position is 0.
    ///
    /// This is for a caller that cannot keep the iterator of [`iter`](Self::iter) between two pages.
    #[inline(never)]
    pub fn page(&self, from: u32, document: &mut dyn FnMut(u64, u128) -> bool) -> u32 {
        let entries = &self.collection.entries;
        for entry in entries.iter_from(from) {
            if !document(entries.id(entry), entries.fingerprint(entry)) {
                return entry + 1;
            }
        }
        0
    }

    /// The documents within `max_distance` of `fingerprint`: nearest first, equally near ones in insertion order, and
    /// `limit` at most.
    ///
    /// `max_distance` may be smaller or larger than the one the index is made for; a larger one is as exact, and slower
    /// than with an index made for it.
    ///
    /// # Errors
    ///
    /// A fingerprint of more bits than the index takes, `max_distance` above a quarter of the bits, or a lack of memory.
    pub fn query(
        &self,
        fingerprint: u128,
        max_distance: u32,
        limit: usize,
    ) -> Result<Vec<Hit>, Error> {
        let (mut buffer, mut hits) = (QueryBuffer::default(), Vec::new());
        let found = self.query_with(fingerprint, max_distance, limit, &mut buffer)?;
        hits.try_reserve_exact(found.len())?;
        hits.extend(found);
        Ok(hits)
    }

    /// The same as [`query`](Self::query), with memory that is used again: an allocation takes a fifth of the time of a query.
    ///
    /// # Errors
    ///
    /// The errors of [`query`](Self::query).
    pub fn query_with<'a>(
        &'a self,
        fingerprint: u128,
        max_distance: u32,
        limit: usize,
        buffer: &'a mut QueryBuffer,
    ) -> Result<impl ExactSizeIterator<Item = Hit> + 'a, Error> {
        blocks::check_fingerprint(self.bits, fingerprint)?;
        blocks::check_distance(self.bits, max_distance)?;
        let QueryBuffer(found) = buffer;
        self.collection.query(fingerprint, max_distance, limit, found)?;
        let entries = &self.collection.entries;
        Ok(found.iter().map(|&number| {
            let Found { entry, distance } = Found::of(number);
            Hit { id: entries.id(entry), fingerprint: entries.fingerprint(entry), distance }
        }))
    }

    /// The nearest document within `max_distance`, of equally near ones the first added.
    ///
    /// # Errors
    ///
    /// Those of [`query`](Self::query).
    pub fn nearest(&self, fingerprint: u128, max_distance: u32) -> Result<Option<Hit>, Error> {
        Ok(self.query(fingerprint, max_distance, 1)?.pop())
    }

    /// All pairs of documents within `max_distance` of each other, each once, in no particular order.
    ///
    /// The iterator finds pairs as it advances, and stores only the next few. It panics if it has not the memory of two
    /// buckets.
    ///
    /// # Errors
    ///
    /// `max_distance` above a quarter of the bits, or a lack of memory.
    pub fn pairs(&self, max_distance: u32) -> Result<Pairs<'_>, Error> {
        Ok(Pairs { index: self, cursor: self.pair_cursor(max_distance)? })
    }

    /// A cursor over the [`pairs`](Self::pairs), for a caller that cannot keep a reference to the index.
    ///
    /// # Errors
    ///
    /// The errors of [`pairs`](Self::pairs).
    pub fn pair_cursor(&self, max_distance: u32) -> Result<PairCursor, Error> {
        blocks::check_distance(self.bits, max_distance)?;
        let join = Cursor::new(&self.collection, max_distance)?;
        Ok(PairCursor { join, version: self.version })
    }

    /// Advances a cursor for a bounded time and calls `found` with at most `most` pairs. Returns false at the end.
    ///
    /// # Errors
    ///
    /// The index has changed since the cursor was made, or too little memory.
    pub fn next_pairs(
        &self,
        cursor: &mut PairCursor,
        most: usize,
        found: &mut dyn FnMut(Pair),
    ) -> Result<bool, Error> {
        if self.version != cursor.version {
            return Err(Error::Changed);
        }
        let (entries, join) = (&self.collection.entries, &mut cursor.join);
        let mut left = most;
        for _ in 0..JOIN_STEPS {
            while left > 0 {
                let Some((a, b, distance)) = join.take(&self.collection) else { break };
                found(Pair { a: entries.id(a), b: entries.id(b), distance });
                left -= 1;
            }
            if left == 0 {
                return Ok(true);
            }
            if !join.step(&self.collection)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The clusters of near-duplicates. A document that is near no other is a cluster of its own.
    ///
    /// # Errors
    ///
    /// `max_distance` above a quarter of the bits, or a lack of memory.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint::index::{Linkage, NearIndex};
    ///
    /// let mut index = NearIndex::new(64, 1, "v1:64")?;
    /// index.add_all(&[7, 8, 9], &[0b00, 0b01, 0b11])?;
    /// let clusters = |linkage| index.clusters(linkage, 1).map(|c| c.iter().map(<[u64]>::to_vec).collect::<Vec<_>>());
    /// assert_eq!(clusters(Linkage::Star)?, [vec![7, 8], vec![9]]);
    /// assert_eq!(clusters(Linkage::Single)?, [vec![7, 8, 9]]);
    /// # Ok::<(), nearprint::Error>(())
    /// ```
    pub fn clusters(&self, linkage: Linkage, max_distance: u32) -> Result<Clusters, Error> {
        blocks::check_distance(self.bits, max_distance)?;
        Ok(cluster::clusters(&self.collection, linkage, max_distance)?)
    }

    /// Calls `document` with the id of every document, in insertion order, and the number of its cluster.
    ///
    /// # Errors
    ///
    /// The errors of [`clusters`](Self::clusters).
    pub fn each_clustered(
        &self,
        linkage: Linkage,
        max_distance: u32,
        document: &mut dyn FnMut(u64, u32),
    ) -> Result<(), Error> {
        blocks::check_distance(self.bits, max_distance)?;
        let firsts = cluster::firsts(&self.collection, linkage, max_distance)?;
        let entries = &self.collection.entries;
        entries.iter().for_each(|entry| document(entries.id(entry), firsts[entry as usize]));
        Ok(())
    }

    /// Adds all documents of `other`, in its order. Where both have an id, the fingerprint of `other` replaces this one.
    ///
    /// # Errors
    ///
    /// An index of other bits or another scheme, too many documents, or a lack of memory. Nothing is added then.
    pub fn merge(&mut self, other: &Self) -> Result<(), Error> {
        if (self.bits, &self.scheme) != (other.bits, &other.scheme) {
            let describe = |index: &Self| format!("{} bits of scheme {}", index.bits, index.scheme);
            let requirement = format!("an index of {}", describe(self));
            return Err(Error::argument("other", requirement, describe(other)));
        }
        self.check_capacity(other.len())?;
        self.extend(other.len(), 0, &mut other.iter())
    }

    /// Size and shape.
    pub fn stats(&self) -> Stats {
        let Collection { entries, tables, .. } = &self.collection;
        let (probes, comparisons) = self.collection.cost(self.max_distance);
        Stats {
            size: entries.len(),
            distinct: entries.distinct(),
            largest_bucket: entries.largest_group(),
            bytes: self.collection.bytes(),
            tables: tables.iter().map(|table| (table.width(), table.prefix())).collect(),
            probes: probes as u64,
            comparisons: comparisons as u64,
        }
    }

    /// The index as bytes, the same on every machine: documents in insertion order, distance and scheme, with a checksum.
    ///
    /// # Errors
    ///
    /// Too little memory.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        self.to_bytes_with(&[])
    }

    /// The same as [`to_bytes`](Self::to_bytes) with a note: any bytes of the caller's, such as the names of the ids.
    ///
    /// # Errors
    ///
    /// Too little memory.
    pub fn to_bytes_with(&self, note: &[u8]) -> Result<Vec<u8>, Error> {
        snapshot::write(self, note)
    }

    /// An index from [`to_bytes`](Self::to_bytes).
    ///
    /// # Errors
    ///
    /// Bytes that are no whole, unchanged snapshot.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Ok(Self::from_bytes_with(bytes)?.0)
    }

    /// An index and the note of [`to_bytes_with`](Self::to_bytes_with).
    ///
    /// # Errors
    ///
    /// Bytes that are no whole, unchanged snapshot.
    pub fn from_bytes_with(bytes: &[u8]) -> Result<(Self, &[u8]), Error> {
        snapshot::read(bytes)
    }
}

/// Memory for queries, see [`NearIndex::query_with`].
#[derive(Clone, Debug, Default)]
pub struct QueryBuffer(Vec<u64>);

/// The position of an iteration over pairs, see [`NearIndex::pair_cursor`].
#[derive(Clone)]
pub struct PairCursor {
    join: Cursor,
    version: u64,
}

/// Iterator over [`NearIndex::pairs`].
#[derive(Clone)]
pub struct Pairs<'a> {
    index: &'a NearIndex,
    cursor: PairCursor,
}

impl Iterator for Pairs<'_> {
    type Item = Pair;

    fn next(&mut self) -> Option<Pair> {
        let mut next = None;
        // The index is borrowed, so it cannot have changed.
        while self
            .index
            .next_pairs(&mut self.cursor, 1, &mut |pair| next = Some(pair))
            .unwrap_or_else(|error| panic!("{error}"))
            && next.is_none()
        {}
        next
    }
}
