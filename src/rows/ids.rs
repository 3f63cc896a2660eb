//! The ids of documents, by entry.
//!
//! An *entry* is the number of a document in insertion order. Removal leaves a hole.
//!
//! Invariants:
//! - Below `ascending`, ids ascend strictly; `by_id` has the live entries from there.
//! - A method that fails changes nothing, and removals cannot fail. So every addition can be undone.

use alloc::collections::TryReserveError;

use super::{
    MAX_DOCUMENTS,
    columns::{EntrySet, Numbers},
    slots::Slots,
};
use crate::{Error, error::decimal};

/// The ids of documents in insertion order, and the map from an id to its entry.
#[derive(Clone, Default)]
pub(crate) struct Ids {
    ids: Numbers<u32>,
    live: EntrySet,
    /// The live entries that [`find`](Self::find) does not find.
    unlisted: EntrySet,
    /// The number of live entries, without the unlisted ones.
    len: usize,
    unlisted_len: usize,
    /// Entries below this one have ascending ids, which are found by bisection: row numbers, the usual ids, need no map.
    ascending: u32,
    /// The live entries from `ascending` on, by id.
    by_id: Slots,
}

impl Ids {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns one past the last entry, holes included.
    pub(crate) fn end(&self) -> u32 {
        self.ids.len()
    }

    /// Returns whether the holes take as much memory as the documents.
    pub(crate) fn has_many_holes(&self) -> bool {
        self.end() as usize > 2 * (self.len + self.unlisted_len) + 64
    }

    /// Checks that `more` documents can be numbered with 31 bits.
    pub(crate) fn check_capacity(&self, more: usize) -> Result<(), Error> {
        let left = MAX_DOCUMENTS.saturating_sub(self.end() as usize);
        if more > left {
            let requirement = ["at most ", &decimal(MAX_DOCUMENTS as u64), " in number"].concat();
            let got = [&decimal((more - left) as u64), " more"].concat();
            return Err(Error::argument("documents", requirement, got));
        }
        Ok(())
    }

    pub(crate) fn bytes(&self) -> usize {
        self.ids.bytes() + self.live.bytes() + self.unlisted.bytes() + self.by_id.bytes()
    }

    #[inline]
    pub(crate) fn id(&self, entry: u32) -> u64 {
        self.ids.get(entry) as u64
    }

    #[inline]
    pub(crate) fn is_live(&self, entry: u32) -> bool {
        self.live.contains(entry)
    }

    #[inline]
    pub(crate) fn is_listed(&self, entry: u32) -> bool {
        self.is_live(entry) && !self.unlisted.contains(entry)
    }

    /// Returns the live entries without the unlisted ones, in insertion order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + Clone {
        self.live().filter(|&entry| !self.unlisted.contains(entry))
    }

    /// Returns all live entries, in insertion order.
    pub(crate) fn live(&self) -> impl Iterator<Item = u32> + Clone {
        (0..self.end()).filter(|&entry| self.is_live(entry))
    }

    /// Returns the entry with this id.
    #[inline(never)]
    pub(crate) fn find(&self, id: u64) -> Option<u32> {
        let hashed = self.by_id.find(id.into(), |entry| self.ids.get(entry));
        hashed.or_else(|| {
            let (mut low, mut high) = (0, self.ascending);
            // Most new documents have the highest id.
            if high > 0 && self.id(high - 1) < id {
                return None;
            }
            while low < high {
                let middle = low + (high - low) / 2;
                if self.id(middle) < id {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            (low < self.ascending && self.id(low) == id && self.is_live(low)).then_some(low)
        })
    }

    /// Returns whether bisection will find this id if it is added next.
    fn ascends(&self, id: u64) -> bool {
        let end = self.end();
        self.ascending == end && (end == 0 || self.id(end - 1) < id)
    }

    /// Reserves capacity for `more` entries, the first with this id.
    pub(crate) fn reserve(&mut self, id: u64, more: usize) -> Result<(), TryReserveError> {
        let ascends = self.ascends(id);
        let Self { ids, live, by_id, .. } = self;
        let end = ids.len() as usize + more;
        ids.reserve(more, id.into())?;
        live.reserve(end)?;
        if !ascends {
            by_id.reserve(more, end as u32, &|entry| ids.get(entry))?;
        }
        Ok(())
    }

    /// Adds an entry, for which capacity is reserved. Its id then finds it, not `old`, the earlier entry with this id, if
    /// any. The caller [buries](Self::bury) `old`.
    pub(crate) fn push(&mut self, id: u64, old: Option<u32>) -> Result<(), TryReserveError> {
        let (entry, ascends) = (self.end(), self.ascends(id));
        let Self { ids, by_id, ascending, .. } = self;
        match old {
            _ if ascends => *ascending += 1,
            Some(old) if old >= *ascending => by_id.replace(id.into(), old, entry),
            _ => by_id.insert(id.into(), entry, &|entry| ids.get(entry))?,
        }
        self.ids.push(id.into());
        self.live.set(entry, true);
        self.len += 1;
        Ok(())
    }

    /// Reserves capacity for an unlisted entry.
    pub(crate) fn reserve_unlisted(&mut self, id: u64) -> Result<(), TryReserveError> {
        self.reserve(id, 1)?;
        self.unlisted.reserve(self.end() as usize + 1)
    }

    /// Adds an entry that its id does not find, for which capacity is reserved.
    pub(crate) fn push_unlisted(&mut self, id: u64) {
        let entry = self.end();
        self.ids.push(id.into());
        self.live.set(entry, true);
        self.unlisted.set(entry, true);
        self.unlisted_len += 1;
    }

    /// Makes an unlisted entry the one that its id finds, not `old`. The caller [buries](Self::bury) `old`.
    pub(crate) fn list(&mut self, entry: u32, old: Option<u32>) -> Result<(), TryReserveError> {
        let Self { ids, by_id, ascending, .. } = self;
        let id = ids.get(entry);
        match old {
            Some(old) if old >= *ascending => by_id.replace(id, old, entry),
            _ => {
                by_id.reserve(1, ids.len(), &|entry| ids.get(entry))?;
                by_id.insert(id, entry, &|entry| ids.get(entry))?;
            }
        }
        self.unlisted.set(entry, false);
        self.unlisted_len -= 1;
        self.len += 1;
        Ok(())
    }

    /// Undoes the last [`push`](Self::push), with the same `old`.
    pub(crate) fn pop(&mut self, old: Option<u32>) {
        let entry = self.end() - 1;
        self.bury(entry);
        let id = self.ids.get(entry);
        match old {
            _ if entry < self.ascending => self.ascending = entry,
            Some(old) if old >= self.ascending => self.by_id.replace(id, entry, old),
            _ => self.by_id.remove(id, entry),
        }
        self.ids.pop();
    }

    /// Removes an entry.
    pub(crate) fn remove(&mut self, entry: u32) {
        if entry >= self.ascending && self.is_listed(entry) {
            self.by_id.remove(self.ids.get(entry), entry);
        }
        self.bury(entry);
    }

    /// Makes an entry a hole.
    pub(crate) fn bury(&mut self, entry: u32) {
        self.live.set(entry, false);
        if self.unlisted.contains(entry) {
            self.unlisted.set(entry, false);
            self.unlisted_len -= 1;
        } else {
            self.len -= 1;
        }
    }

    /// Returns the same documents without holes.
    pub(crate) fn compact(&self) -> Result<Self, TryReserveError> {
        let mut compact = Self::default();
        let len = self.len + self.unlisted_len;
        for (at, entry) in self.live().enumerate() {
            let id = self.id(entry);
            if self.is_listed(entry) {
                compact.reserve(id, len - at)?;
                compact.push(id, None)?;
            } else {
                compact.reserve_unlisted(id)?;
                compact.push_unlisted(id);
            }
        }
        Ok(compact)
    }
}
