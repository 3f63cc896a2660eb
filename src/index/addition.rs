//! Additions: all documents of one addition, or none.
//!
//! An addition first adds entries, and fingerprints to the tables. Each of these steps can fail if memory runs out, and is
//! undone by removals, which never allocate. When nothing can fail any more, the entries that were replaced are removed.
//!
//! From a quarter of the index upwards, building the tables anew at the end is faster than filling them.

use alloc::vec::Vec;

use super::{NearIndex, blocks};
use crate::Error;

/// An addition in progress.
struct Addition {
    /// Its first entry.
    start: u32,
    /// How many of the tables have its fingerprints.
    tables: usize,
    /// The entries of ids that were in the index before: the new entry and the old one.
    replaced: Vec<(u32, u32)>,
}

impl NearIndex {
    /// Adds `count` documents, or none if there is an error.
    pub(super) fn add_documents(
        &mut self,
        count: usize,
        documents: &mut dyn Iterator<Item = (u64, u128)>,
    ) -> Result<(), Error> {
        self.entries.check_capacity(count)?;
        let rebuild = count >= 64 + self.entries.distinct() / 4;
        let tables = if rebuild { 0 } else { self.tables.len() };
        let mut addition = Addition { start: self.entries.end(), tables, replaced: Vec::new() };
        let added = documents
            .take(count)
            .enumerate()
            .try_for_each(|(at, document)| self.add_one(&mut addition, document, count - at))
            .and_then(|()| self.finish(&mut addition));
        if added.is_err() {
            self.undo(addition);
        }
        added
    }

    fn undo(&mut self, mut addition: Addition) {
        while self.entries.end() > addition.start {
            let last = self.entries.end() - 1;
            let old = addition.replaced.pop_if(|(new, _)| *new == last).map(|(_, old)| old);
            if let Some(fingerprint) = self.entries.pop(old) {
                let tables = &mut self.tables[..addition.tables];
                tables.iter_mut().for_each(|table| table.remove(fingerprint));
            }
        }
        self.plan();
    }

    /// Adds the first of `more` documents.
    fn add_one(
        &mut self,
        addition: &mut Addition,
        (id, fingerprint): (u64, u128),
        more: usize,
    ) -> Result<(), Error> {
        blocks::check_fingerprint(self.width.bits(), fingerprint)?;
        let old = self.entries.find(id);
        if old.is_some_and(|old| self.entries.fingerprint(old) == fingerprint) {
            return Ok(());
        }
        self.version += 1;
        addition.replaced.try_reserve(old.is_some().into())?;
        let tables = &mut self.tables[..addition.tables];
        tables.iter_mut().try_for_each(|table| table.reserve(fingerprint))?;
        let entry = self.entries.end();
        if self.entries.push(id, fingerprint, more, old)? {
            tables.iter_mut().for_each(|table| table.insert(fingerprint));
        }
        addition.replaced.extend(old.map(|old| (entry, old)));
        Ok(())
    }

    /// Ends an addition.
    fn finish(&mut self, addition: &mut Addition) -> Result<(), Error> {
        let rebuild = addition.tables == 0;
        for at in addition.tables..self.tables.len() {
            self.version += 1;
            self.tables[at] = self.tables[at].rebuilt(&self.entries)?;
            addition.tables = at + 1;
        }
        // From here on nothing fails.
        for &(_, old) in &addition.replaced {
            if let Some(fingerprint) = self.entries.bury(old) {
                self.tables.iter_mut().for_each(|table| table.remove(fingerprint));
            }
        }
        if rebuild {
            self.plan();
        }
        self.fit_tables((self.entries.end() - addition.start) as usize);
        self.entries.close_holes();
        Ok(())
    }
}
