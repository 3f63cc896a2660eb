//! The kept documents that are not short, and where a search finds them.

use alloc::collections::TryReserveError;

use super::{
    kept::{Kept, NEVER},
    sketch::{Content, WordsHash},
};
use crate::{
    Error,
    index::{columns::Pages, probe::ProbeTables},
    simhash::minhash::MinHash,
};

/// The maximum number of candidates that a search verifies: the nearest, ties in the order of addition. A query among a
/// million documents has about ten.
pub(super) const MAX_VERIFIED: usize = 128;

/// The data of a document that is not short, in addition to its id and its fingerprint.
#[derive(Clone, Copy, Default)]
pub(super) struct Record {
    pub words: WordsHash,
    pub minhash: MinHash,
}

/// The documents that are not short, by fingerprint.
///
/// Anyone can write many texts with one fingerprint. If more than [`MAX_VERIFIED`] documents share a fingerprint, they are
/// *crowded*: a search does not verify all of them, so equal ones are also found by fingerprint and words.
///
/// Invariant: `records` has an item for every entry. For every fingerprint that more than [`MAX_VERIFIED`] documents share,
/// `crowded` has these documents in the order of addition, or only the first ones if memory ran out. It may also have
/// documents of other fingerprints.
#[derive(Clone)]
pub(super) struct Long {
    pub kept: Kept,
    pub tables: ProbeTables,
    records: Pages<Record>,
    crowded: Kept,
}

impl Long {
    pub fn new() -> Result<Self, TryReserveError> {
        Ok(Long {
            kept: Kept::default(),
            tables: ProbeTables::new()?,
            records: Pages::default(),
            crowded: Kept::default(),
        })
    }

    /// Returns the allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        self.kept.bytes() + self.tables.bytes() + self.records.bytes() + self.crowded.bytes()
    }

    #[inline]
    pub fn fingerprint(&self, entry: u32) -> u64 {
        self.kept.entries.fingerprint(entry) as u64
    }

    #[inline]
    pub fn record(&self, entry: u32) -> &Record {
        self.records.get(entry)
    }

    pub fn content(&self, entry: u32) -> Content {
        let &Record { words, minhash } = self.record(entry);
        Content { fingerprint: self.fingerprint(entry), words, minhash: Some(minhash) }
    }

    /// Keeps a document. It replaces `old`, the entry that has this id, if any. An error changes nothing.
    pub fn put(
        &mut self,
        old: Option<u32>,
        id: u64,
        fingerprint: u64,
        record: Record,
        expires: u64,
    ) -> Result<(), Error> {
        self.tables.reserve(fingerprint, &self.kept.entries)?;
        self.records.reserve(self.kept.entries.end())?;
        let (entry, is_new) = self.kept.put(old, id, fingerprint.into(), expires)?;
        self.records.set(entry, record);
        self.tables.insert(entry, fingerprint, is_new);
        if let Some(old) = old {
            self.unindex(old);
        }
        if !is_new {
            self.crowd(fingerprint);
        }
        self.fit_tables();
        Ok(())
    }

    /// Removes a document. Returns false if the id is not kept.
    pub fn remove(&mut self, id: u64) -> bool {
        let Some(entry) = self.kept.entries.find(id) else { return false };
        self.kept.entries.remove(entry);
        self.unindex(entry);
        self.fit_tables();
        true
    }

    /// Removes an entry that `kept` no longer has from the tables and from `crowded`.
    fn unindex(&mut self, old: u32) {
        let Long { kept: Kept { entries, .. }, tables, crowded, .. } = self;
        let fingerprint = entries.fingerprint(old);
        let first = entries.group(fingerprint).map(|group| entries.head(group));
        tables.remove(old, fingerprint as u64, first, entries);
        if crowded.entries.len() > 0 {
            crowded.remove(entries.id(old));
        }
    }

    pub fn clear(&mut self) {
        self.kept = Kept::default();
        self.tables.clear();
        self.records = Pages::default();
        self.crowded = Kept::default();
    }

    /// Resizes the tables, and closes the holes.
    fn fit_tables(&mut self) {
        let Long { kept, tables, records, .. } = self;
        tables.fit();
        kept.close_holes(&mut |old, new| {
            records.compact(old.iter());
            tables.renumber(old, new);
        });
    }

    /// Adds the missing documents of a fingerprint to `crowded`, if more than [`MAX_VERIFIED`] share it.
    fn crowd(&mut self, fingerprint: u64) {
        let Long { kept: Kept { entries, .. }, records, crowded, .. } = self;
        let group = entries.group(fingerprint.into()).expect("a document has it");
        if entries.size(group) <= MAX_VERIFIED {
            return;
        }
        let is_missing = |entry: &u32| crowded.entries.find(entries.id(*entry)).is_none();
        // Only the last ones are missing. Counting from the end avoids a walk over all members.
        let missing = entries.members(group).rev().take_while(is_missing).count();
        let end = entries.size(group);
        for at in end - missing..end {
            let entry = entries.member(group, at).expect("a member");
            let key = records.get(entry).words.key(fingerprint);
            // If memory runs out, a search may miss an equal document in the crowd. The next addition tries again.
            if crowded.put(None, entries.id(entry), key, NEVER).is_err() {
                return;
            }
        }
    }

    /// Returns the crowded documents with this fingerprint and these words, in the order of addition.
    pub fn crowd_members(&self, fingerprint: u64, words: WordsHash) -> impl Iterator<Item = u32> {
        let members = self.crowded.equal(words.key(fingerprint), 0, None);
        members.map(|entry| {
            let entry = self.kept.entries.find(self.crowded.entries.id(entry));
            entry.expect("a crowded document is kept")
        })
    }
}
