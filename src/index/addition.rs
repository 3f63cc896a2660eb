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
#[derive(Clone)]
pub(crate) struct Addition {
    /// Its first entry.
    start: u32,
    /// How many of the tables have its fingerprints.
    tables: usize,
    /// Entries whose ids already had one: the new entry and the old one.
    replaced: Vec<(u32, u32)>,
}

impl NearIndex {
    /// Adds `count` documents, the next part of an addition that is made whole or not at all. `left` is the number of
    /// documents in later calls: until it is 0, only this method and [`cancel`](Self::cancel) may be called. An error undoes
    /// all calls of the addition.
    ///
    /// [`add_all`](Self::add_all) needs all documents in memory; this method is for a caller that has one part at a time.
    ///
    /// # Errors
    /// The errors of [`add`](Self::add).
    pub fn add_part(
        &mut self,
        count: usize,
        left: usize,
        documents: &mut dyn Iterator<Item = (u64, u128)>,
    ) -> Result<(), Error> {
        let coming = count + left;
        let mut addition = self.addition.take().unwrap_or_else(|| {
            let rebuild = coming >= 64 + self.entries.distinct() / 4;
            let tables = if rebuild { 0 } else { self.tables.len() };
            Addition { start: self.entries.end(), tables, replaced: Vec::new() }
        });
        let mut added = self.entries.check_capacity(coming).and_then(|()| {
            let mut documents = documents.enumerate();
            documents
                .try_for_each(|(at, document)| self.enter(&mut addition, document, coming - at))
        });
        if left == 0 && added.is_ok() {
            added = self.finish(&mut addition);
            if added.is_ok() {
                return Ok(());
            }
        }
        self.addition = Some(addition);
        if added.is_err() {
            self.cancel();
        }
        added
    }

    /// Undoes an unfinished addition of [`add_part`](Self::add_part), if there is one.
    pub fn cancel(&mut self) {
        let Some(mut addition) = self.addition.take() else { return };
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
    fn enter(
        &mut self,
        addition: &mut Addition,
        (id, fingerprint): (u64, u128),
        more: usize,
    ) -> Result<(), Error> {
        blocks::check_fingerprint(self.width.bits(), fingerprint)?;
        self.version += 1;
        let old = self.entries.find(id);
        if old.is_some_and(|old| self.entries.fingerprint(old) == fingerprint) {
            return Ok(());
        }
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
        self.settle((self.entries.end() - addition.start) as usize);
        self.entries.close_holes(&mut |_, _| {});
        Ok(())
    }
}
