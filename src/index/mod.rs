//! Exact near-duplicate search: [`NearIndex`], and [`block_keys`] for stores of your own.
//!
//! # How it works
//!
//! Fingerprints are cut into blocks of 16 bits (wider ones for small distances), and every block has a table of all
//! fingerprints in buckets by that block. Two fingerprints that differ in few bits altogether differ in very few within
//! some block, so a query compares only the buckets within a small radius of its own block in each table; `blocks`
//! (in the source) says why none is missed, and cites the papers. How many buckets a table has follows from how much it
//! holds; how far each is searched, from the distance asked for and from how full buckets are. Where going through
//! everything is faster, that is what is done. All of this is about speed: results are exact always.
//!
//! # Complexity
//!
//! *n* fingerprints, 64 bits, distance 8, in the mean over fingerprints that are spread evenly:
//!
//! | operation | time | at a million |
//! | --- | --- | --- |
//! | [`add`](NearIndex::add), [`remove`](NearIndex::remove) | O(bucket), amortised | 4 tables, 15 items a bucket |
//! | [`get`](NearIndex::get), [`has`](NearIndex::has) | O(1), or O(log n) for ids that came in ascending order | |
//! | [`query`](NearIndex::query) | O(probes × bucket + results × log results) | 188 probes, 2 900 items compared |
//! | [`pairs`](NearIndex::pairs) | O(n × probes × bucket / 2 + results) | |
//! | [`to_bytes`](NearIndex::to_bytes), [`from_bytes`](NearIndex::from_bytes) | O(n) | 12 bytes each |
//!
//! Memory: 42 to 45 bytes for each 64-bit fingerprint at distance 3 to 16 when ids ascend and are below 2^32, 47 to 50 when
//! they come in any other order, and 4 more when they are larger; 4 bytes for each further document that has a fingerprint in common with another, and its id.
//!
//! Fingerprints that cluster (text with plain word features) make large buckets, and their queries take longer by as much.
//! Documents with equal fingerprints do not: every different fingerprint is compared once.

mod blocks;
mod cluster;
pub(crate) mod columns;
pub(crate) mod core;
pub(crate) mod entries;
mod error;
mod join;
mod probe;
pub(crate) mod slots;
pub(crate) mod snapshot;
mod table;

use alloc::{string::String, vec::Vec};

pub use self::blocks::block_keys;
pub use self::cluster::{Clusters, Linkage};
use self::core::Core;
pub(crate) use self::core::Found;
pub use self::error::Error;
use self::error::Kind;
use self::join::Cursor;
use self::table::Table;

/// The most documents an index holds.
pub(crate) const MOST: usize = i32::MAX as usize - 2;

/// Steps of a self-join that make a bounded time: some ten milliseconds.
const STEPS: usize = 4096;

/// One document found by a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The document's id.
    pub id: u64,
    /// Its fingerprint.
    pub fingerprint: u128,
    /// How many bits it differs from the query in.
    pub distance: u32,
}

/// Two documents near each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The one added first.
    pub a: u64,
    /// The other.
    pub b: u64,
    /// How many bits they differ in.
    pub distance: u32,
}

/// Size and shape of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stats {
    /// Documents held.
    pub size: usize,
    /// Different fingerprints among them.
    pub distinct: usize,
    /// How many documents share the most common fingerprint.
    pub largest_bucket: usize,
    /// Memory allocated, in bytes.
    pub bytes: usize,
    /// For every table the width of its block and how many bits of it number the buckets.
    pub tables: Vec<(u32, u32)>,
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
/// # Ok::<(), nearprint::index::Error>(())
/// ```
#[derive(Clone)]
pub struct NearIndex {
    bits: u32,
    max_distance: u32,
    scheme: String,
    core: Core,
    /// Counts changes, so that a join notices them.
    version: u64,
}

impl NearIndex {
    /// An empty index of fingerprints of `bits` bits (32, 64 or 128), made for queries within `max_distance` (a quarter
    /// of `bits` at most). `scheme` names how the fingerprints are made; indexes of different schemes do not mix.
    ///
    /// `max_distance` decides how many tables there are, and so memory: one more than it, up to `bits / 16`. It does not
    /// bound queries.
    ///
    /// # Errors
    ///
    /// `bits` or `max_distance` out of range.
    pub fn new(bits: u32, max_distance: u32, scheme: impl Into<String>) -> Result<Self, Error> {
        blocks::check_bits(bits)?;
        blocks::check_distance(bits, max_distance)?;
        Ok(Self {
            bits,
            max_distance,
            scheme: scheme.into(),
            core: Core::new(bits, max_distance),
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

    /// The name of how its fingerprints are made.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// How many documents it holds.
    pub fn len(&self) -> usize {
        self.core.entries.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a document. If there is one with this id, it gets the fingerprint and keeps its place in insertion order.
    ///
    /// # Errors
    ///
    /// A fingerprint of more bits than the index takes, or 2^31 - 3 documents already, or no memory for it.
    pub fn add(&mut self, id: u64, fingerprint: u128) -> Result<(), Error> {
        blocks::check_fingerprint(self.bits, fingerprint)?;
        self.check_room(1)?;
        self.version += 1;
        Ok(self.core.add(id, fingerprint)?)
    }

    /// Adds many documents, as [`add`](Self::add) does one by one but faster. Nothing is added if one is refused.
    ///
    /// # Errors
    ///
    /// Those of `add`, and slices of different lengths. Should memory run out half-way, what was added by then stays.
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
            let (ids, fingerprints) = (ids.len(), fingerprints.len());
            return Err(Kind::Lengths { ids, fingerprints }.into());
        }
        fingerprints
            .clone()
            .try_for_each(|fingerprint| blocks::check_fingerprint(self.bits, fingerprint))?;
        self.check_room(ids.len())?;
        self.extend(ids.len(), 0, &mut ids.zip(fingerprints))
    }

    /// Adds `count` documents whose fingerprints are known to fit. `left` more come with the next calls, and nothing else is
    /// called until they have.
    pub(crate) fn extend(
        &mut self,
        count: usize,
        left: usize,
        documents: &mut dyn Iterator<Item = (u64, u128)>,
    ) -> Result<(), Error> {
        self.version += 1;
        Ok(self.core.add_all(count, left, documents)?)
    }

    fn check_room(&self, more: usize) -> Result<(), Error> {
        if more > MOST.saturating_sub(self.core.entries.end() as usize) {
            return Err(Kind::Plain("ids: the index is full; it takes 2147483645 documents").into());
        }
        Ok(())
    }

    /// Takes a document out. False if there is none with this id.
    pub fn remove(&mut self, id: u64) -> bool {
        self.version += 1;
        self.core.remove(id)
    }

    /// Takes all documents out.
    pub fn clear(&mut self) {
        self.version += 1;
        self.core = Core::new(self.bits, self.max_distance);
    }

    /// Whether there is a document with this id.
    pub fn has(&self, id: u64) -> bool {
        self.core.entries.find(id).is_some()
    }

    /// The fingerprint of the document with this id.
    pub fn get(&self, id: u64) -> Option<u128> {
        self.core.entries.find(id).map(|entry| self.core.entries.fingerprint(entry))
    }

    /// All documents, id and fingerprint, in insertion order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u128)> {
        let entries = &self.core.entries;
        entries.iter().map(|entry| (entries.id(entry), entries.fingerprint(entry)))
    }

    /// Calls `document` with id and fingerprint of those from entry `from` on, in insertion order, until it is false. The
    /// entry to go on from; 0 at the end.
    #[inline(never)]
    pub(crate) fn documents(&self, from: u32, document: &mut dyn FnMut(u64, u128) -> bool) -> u32 {
        let entries = &self.core.entries;
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
    /// A fingerprint of more bits than the index takes, or `max_distance` above a quarter of the bits.
    pub fn query(
        &self,
        fingerprint: u128,
        max_distance: u32,
        limit: usize,
    ) -> Result<Vec<Hit>, Error> {
        blocks::check_fingerprint(self.bits, fingerprint)?;
        blocks::check_distance(self.bits, max_distance)?;
        let mut hits = Vec::new();
        self.each_hit(fingerprint, max_distance, limit, &mut Vec::new(), &mut |hit| hits.push(hit));
        Ok(hits)
    }

    /// Calls `hit` with what [`query`](Self::query) gives, for arguments known to be in range. `found` is room to work in.
    pub(crate) fn each_hit(
        &self,
        fingerprint: u128,
        max_distance: u32,
        limit: usize,
        found: &mut Vec<Found>,
        hit: &mut dyn FnMut(Hit),
    ) {
        let entries = &self.core.entries;
        self.core.query(fingerprint, max_distance, limit, found);
        for found in found {
            let (entry, distance) = (found.entry(), found.distance());
            hit(Hit { id: entries.id(entry), fingerprint: entries.fingerprint(entry), distance });
        }
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
    /// Pairs are found as the iterator goes; nothing is stored but the next few.
    ///
    /// # Errors
    ///
    /// `max_distance` above a quarter of the bits.
    pub fn pairs(&self, max_distance: u32) -> Result<Pairs<'_>, Error> {
        blocks::check_distance(self.bits, max_distance)?;
        Ok(Pairs { index: self, cursor: self.pair_cursor(max_distance) })
    }

    /// The start of the [`pairs`](Self::pairs), for a caller that cannot keep a reference to the index.
    pub(crate) fn pair_cursor(&self, max_distance: u32) -> PairCursor {
        PairCursor { join: Cursor::new(&self.core, max_distance), version: self.version }
    }

    /// Goes on with a join of this index for a bounded time, calling `found` with `most` pairs at most. False at the end;
    /// an error if the index has changed since the cursor was made.
    pub(crate) fn next_pairs(
        &self,
        cursor: &mut PairCursor,
        most: usize,
        found: &mut dyn FnMut(Pair),
    ) -> Result<bool, Error> {
        if self.version != cursor.version {
            let changed = "pairs: the index has changed; takes one that stays as it was";
            return Err(Kind::Plain(changed).into());
        }
        let (entries, join) = (&self.core.entries, &mut cursor.join);
        let mut left = most;
        for _ in 0..STEPS {
            while left > 0 {
                let Some((a, b, distance)) = join.take(&self.core) else { break };
                found(Pair { a: entries.id(a), b: entries.id(b), distance });
                left -= 1;
            }
            if left == 0 {
                return Ok(true);
            }
            if !join.step(&self.core) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Every document in a cluster of near-duplicates, alone if it is near no other.
    ///
    /// # Errors
    ///
    /// `max_distance` above a quarter of the bits.
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
    /// # Ok::<(), nearprint::index::Error>(())
    /// ```
    pub fn clusters(&self, linkage: Linkage, max_distance: u32) -> Result<Clusters, Error> {
        blocks::check_distance(self.bits, max_distance)?;
        Ok(cluster::clusters(&self.core, linkage, max_distance)?)
    }

    /// Calls `document` with the id of each, in insertion order, and a number that those of a cluster share.
    #[cfg_attr(not(feature = "wasm"), allow(dead_code))]
    pub(crate) fn each_clustered(
        &self,
        linkage: Linkage,
        max_distance: u32,
        document: &mut dyn FnMut(u64, u32),
    ) -> Result<(), Error> {
        let firsts = cluster::firsts(&self.core, linkage, max_distance)?;
        let entries = &self.core.entries;
        entries.iter().for_each(|entry| document(entries.id(entry), firsts[entry as usize]));
        Ok(())
    }

    /// Adds all documents of `other`, in its order. Where both have an id, `other`'s fingerprint replaces this one's.
    ///
    /// # Errors
    ///
    /// An index of other bits or another scheme, or too many documents; then nothing is added.
    pub fn merge(&mut self, other: &Self) -> Result<(), Error> {
        if (self.bits, &self.scheme) != (other.bits, &other.scheme) {
            let of = |index: &Self| (index.bits, index.scheme.clone());
            return Err(Kind::Other { got: of(other), takes: of(self) }.into());
        }
        self.check_room(other.len())?;
        self.extend(other.len(), 0, &mut other.iter())
    }

    /// Size and shape.
    pub fn stats(&self) -> Stats {
        let Core { entries, tables, .. } = &self.core;
        Stats {
            size: entries.len(),
            distinct: entries.distinct(),
            largest_bucket: entries.largest_group(),
            bytes: entries.bytes() + tables.iter().map(Table::bytes).sum::<usize>(),
            tables: tables.iter().map(|table| (table.width(), table.prefix())).collect(),
        }
    }

    /// The index as bytes, the same on every machine: documents in insertion order, distance and scheme, with a checksum.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.to_bytes_with(&[])
    }

    /// As [`to_bytes`](Self::to_bytes), with bytes of the caller's own: what the ids stand for, say.
    pub fn to_bytes_with(&self, note: &[u8]) -> Vec<u8> {
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
        snapshot::read(bytes).map_err(|refusal| Kind::Plain(refusal).into())
    }
}

/// How far a self-join has got, see [`NearIndex::pair_cursor`].
#[derive(Clone)]
pub(crate) struct PairCursor {
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
            .unwrap_or(false)
            && next.is_none()
        {}
        next
    }
}
