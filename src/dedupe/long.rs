//! The kept documents that are not short, and where a search finds them.

use alloc::collections::TryReserveError;

use super::{
    kept::{Kept, NEVER},
    sketch::{Content, WordsHash},
};
use crate::{
    Error,
    index::{entries::Entries, probe::ProbeTables},
    simhash::minhash::MinHash,
};

/// The maximum number of candidates that a search verifies: the nearest, of equally near ones the first kept. A query among
/// a million documents has about ten.
pub(super) const MAX_VERIFIED: usize = 128;

/// The data of a document that is not short, in addition to its id and its fingerprint.
#[derive(Clone, Copy)]
pub(super) struct Record {
    pub words: WordsHash,
    pub minhash: MinHash,
}

/// The documents, by their fingerprints.
///
/// Anyone can write many texts of one fingerprint. If more than [`MAX_VERIFIED`] documents have it, they are *crowded*, and
/// found by fingerprint and words as well: of the others, a search verifies all.
///
/// Invariant: `crowded` has all documents of a fingerprint that more than [`MAX_VERIFIED`] have, in the order of addition,
/// or the first ones if memory ran out. It may have others.
#[derive(Clone)]
pub(super) struct Long {
    pub kept: Kept<Record>,
    pub tables: ProbeTables,
    crowded: Kept<()>,
}

impl Long {
    pub fn new() -> Result<Self, TryReserveError> {
        Ok(Long { kept: Kept::new(64), tables: ProbeTables::new()?, crowded: Kept::new(128) })
    }

    /// Allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        self.kept.bytes() + self.tables.bytes() + self.crowded.bytes()
    }

    pub fn content(&self, entry: u32) -> Content {
        let &Record { words, minhash } = self.kept.record(entry);
        Content { fingerprint: self.kept.key(entry) as u64, words, minhash: Some(minhash) }
    }

    /// Keeps a document whose id is free. An error changes nothing.
    pub fn insert(
        &mut self,
        id: u64,
        fingerprint: u64,
        record: Record,
        expires: u64,
    ) -> Result<(), Error> {
        self.tables.reserve(fingerprint, &self.kept.entries)?;
        let (entry, is_new) = self.kept.insert(id, fingerprint.into(), record, expires)?;
        self.tables.insert(entry, fingerprint, is_new);
        if !is_new {
            self.crowd(fingerprint);
        }
        self.settle();
        Ok(())
    }

    /// Keeps a document in place of the one of an entry. An error changes nothing.
    pub fn replace(
        &mut self,
        old: u32,
        fingerprint: u64,
        record: Record,
        expires: u64,
    ) -> Result<(), Error> {
        self.tables.reserve(fingerprint, &self.kept.entries)?;
        let before = self.kept.key(old) as u64;
        let (entry, is_new) = self.kept.replace(old, fingerprint.into(), record, expires)?;
        self.tables.insert(entry, fingerprint, is_new);
        let first =
            self.kept.entries.group(before.into()).map(|group| self.kept.entries.head(group));
        self.tables.remove(old, before, first, &self.kept.entries);
        self.leave_crowd(self.kept.id(entry));
        if !is_new {
            self.crowd(fingerprint);
        }
        self.settle();
        Ok(())
    }

    /// Removes a document. Returns false if the id is not kept.
    pub fn remove(&mut self, id: u64) -> bool {
        let Some((entry, key, is_gone)) = self.kept.remove(id) else { return false };
        let entries = &self.kept.entries;
        let group = if is_gone { None } else { entries.group(key) };
        let first = group.map(|group| entries.head(group));
        self.tables.remove(entry, key as u64, first, entries);
        self.leave_crowd(id);
        self.settle();
        true
    }

    pub fn clear(&mut self) {
        self.kept.clear();
        self.tables.clear();
        self.crowded.clear();
    }

    /// After a change: gives the tables as many buckets as they need, and closes the holes.
    fn settle(&mut self) {
        let Long { kept, tables, .. } = self;
        tables.fit(&kept.entries);
        kept.close_holes(&mut |entries: &Entries| tables.renumber(entries));
    }

    /// Adds the documents of a fingerprint that are missing to `crowded`, if many have it.
    fn crowd(&mut self, fingerprint: u64) {
        let Long { kept, crowded, .. } = self;
        let group = kept.entries.group(fingerprint.into()).expect("a document has it");
        if kept.entries.size(group) <= MAX_VERIFIED {
            return;
        }
        let is_missing = |entry: &u32| crowded.find(kept.id(*entry)).is_none();
        // The last ones are missing. An iterator would take every member to skip those before them.
        let missing = kept.members(group).rev().take_while(is_missing).count();
        let end = kept.entries.size(group);
        for at in end - missing..end {
            let entry = kept.entries.member(group, at).expect("a member");
            let key = crowd_key(fingerprint, kept.record(entry).words);
            // Without memory, an equal document may not be found among many. The next addition tries again.
            if crowded.insert(kept.id(entry), key, (), NEVER).is_err() {
                return;
            }
        }
    }

    fn leave_crowd(&mut self, id: u64) {
        if self.crowded.len() > 0 {
            self.crowded.remove(id);
            self.crowded.close_holes(&mut |_| {});
        }
    }

    /// The crowded documents with this fingerprint and these words, in the order of addition. Empty without a crowd.
    pub fn crowd_members(&self, fingerprint: u64, words: WordsHash) -> impl Iterator<Item = u32> {
        let members = self.crowded.equal(crowd_key(fingerprint, words), 0, None);
        members.map(|entry| {
            let entry = self.kept.find(self.crowded.id(entry));
            entry.expect("a crowded document is kept")
        })
    }
}

fn crowd_key(fingerprint: u64, words: WordsHash) -> u128 {
    u128::from(fingerprint) | u128::from(words.0) << 64
}
