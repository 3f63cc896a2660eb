//! Kept documents: ids and keys, with a record and an expiry time of each.

use alloc::vec::Vec;

use crate::{
    Error,
    index::entries::{Entries, Group},
};

/// The expiry time of a document that does not expire.
pub(super) const NEVER: u64 = u64::MAX;

/// Documents with their records. An *entry* is the number of a document in the order of addition; removed entries leave
/// holes, and closing them renumbers the entries.
///
/// Invariant: `records` has an item for every entry, and so has `expiry` if it is present.
#[derive(Clone)]
pub(super) struct Kept<R> {
    pub entries: Entries,
    records: Pages<R>,
    /// Expiry times, absent until a document has one.
    expiry: Option<Pages<u64>>,
}

impl<R: Copy> Kept<R> {
    /// No documents, with keys of so many bits: 64 or 128.
    pub fn new(bits: u32) -> Self {
        Kept { entries: Entries::new(bits), records: Pages::default(), expiry: None }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        let expiry = self.expiry.as_ref().map_or(0, Pages::bytes);
        self.entries.bytes() + self.records.bytes() + expiry
    }

    pub fn find(&self, id: u64) -> Option<u32> {
        self.entries.find(id)
    }

    /// All entries, in the order of addition.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.entries.iter()
    }

    #[inline]
    pub fn id(&self, entry: u32) -> u64 {
        self.entries.id(entry)
    }

    #[inline]
    pub fn key(&self, entry: u32) -> u128 {
        self.entries.fingerprint(entry)
    }

    #[inline]
    pub fn record(&self, entry: u32) -> &R {
        self.records.get(entry)
    }

    /// The time from which on a document does not exist.
    pub fn expires(&self, entry: u32) -> u64 {
        self.expiry.as_ref().map_or(NEVER, |expiry| *expiry.get(entry))
    }

    #[inline]
    pub fn is_live(&self, entry: u32, now: u64) -> bool {
        self.expiry.as_ref().is_none_or(|expiry| *expiry.get(entry) > now)
    }

    /// Whether any document expires. O(n) once an expiry time has been used.
    pub fn has_expiry(&self) -> bool {
        self.expiry.is_some() && self.iter().any(|entry| self.expires(entry) != NEVER)
    }

    /// The documents of a group, in the order of addition.
    pub fn members(
        &self,
        group: Group,
    ) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator {
        self.entries.members(group)
    }

    /// The live documents with this key except the entry `except`, in the order of addition.
    pub fn equal(&self, key: u128, now: u64, except: Option<u32>) -> impl Iterator<Item = u32> {
        let members = self.entries.group(key).into_iter().flat_map(|group| self.members(group));
        members.filter(move |&entry| Some(entry) != except && self.is_live(entry, now))
    }

    /// Adds a document whose id is free, and returns its entry and whether its key is new. An error changes nothing.
    pub fn insert(
        &mut self,
        id: u64,
        key: u128,
        record: R,
        expires: u64,
    ) -> Result<(u32, bool), Error> {
        self.reserve(expires)?;
        let is_new = self.entries.push(id, key, 1)?;
        Ok((self.set_last(record, expires), is_new))
    }

    /// Replaces the document of this entry, and moves it to the end. Returns its new entry, and whether its key is new. The
    /// caller closes the holes. An error changes nothing.
    pub fn replace(
        &mut self,
        entry: u32,
        key: u128,
        record: R,
        expires: u64,
    ) -> Result<(u32, bool), Error> {
        self.reserve(expires)?;
        let (is_new, _) = self.entries.supersede(entry, key)?;
        Ok((self.set_last(record, expires), is_new))
    }

    /// Sets the expiry time of a document. An error changes nothing.
    pub fn renew(&mut self, entry: u32, expires: u64) -> Result<(), Error> {
        self.reserve_expiry(self.entries.end(), expires)?;
        if let Some(expiry) = &mut self.expiry {
            expiry.set(entry, expires);
        }
        Ok(())
    }

    /// Removes a document, and returns its entry and its key, and whether no other document has that. The caller closes the
    /// holes.
    pub fn remove(&mut self, id: u64) -> Option<(u32, u128, bool)> {
        let entry = self.find(id)?;
        let key = self.key(entry);
        let is_gone = self.entries.remove(entry).is_some();
        Some((entry, key, is_gone))
    }

    pub fn clear(&mut self) {
        self.entries.clear();
        self.records = Pages::default();
        self.expiry = None;
    }

    /// Closes the holes, if they are many. The entries are then renumbered: `renumber` gets the old entries.
    pub fn close_holes(&mut self, renumber: &mut dyn FnMut(&Entries)) {
        let Kept { entries, records, expiry } = self;
        entries.close_holes(&mut |entries| {
            records.compact(entries.iter());
            if let Some(expiry) = expiry {
                expiry.compact(entries.iter());
            }
            renumber(entries);
        });
    }

    /// Reserves memory for the record and the expiry time of the next entry.
    fn reserve(&mut self, expires: u64) -> Result<(), Error> {
        self.entries.check_capacity(1)?;
        let end = self.entries.end();
        self.records.reserve(end)?;
        self.reserve_expiry(end, expires)
    }

    /// Reserves memory for the expiry time of the entry `end`, the next one, if times are needed.
    fn reserve_expiry(&mut self, end: u32, expires: u64) -> Result<(), Error> {
        match &mut self.expiry {
            Some(expiry) => expiry.reserve(end),
            None if expires == NEVER => Ok(()),
            None => {
                let mut expiry = Pages::default();
                for entry in 0..end {
                    expiry.reserve(entry)?;
                    expiry.set(entry, NEVER);
                }
                expiry.reserve(end)?;
                self.expiry = Some(expiry);
                Ok(())
            }
        }
    }

    /// Sets the record and the expiry time of the last entry, and returns the entry.
    fn set_last(&mut self, record: R, expires: u64) -> u32 {
        let last = self.entries.end() - 1;
        self.records.set(last, record);
        if let Some(expiry) = &mut self.expiry {
            expiry.set(last, expires);
        }
        last
    }
}

/// Items by entry, in pages: a vector that grows moves its items, and a WebAssembly memory keeps the memory of both.
#[derive(Clone)]
pub(super) struct Pages<T>(Vec<Vec<T>>);

const PAGE: usize = 1024;

impl<T> Default for Pages<T> {
    fn default() -> Self {
        Pages(Vec::new())
    }
}

impl<T: Copy> Pages<T> {
    #[inline]
    fn get(&self, entry: u32) -> &T {
        &self.0[entry as usize / PAGE][entry as usize % PAGE]
    }

    /// The item of an entry, if it has one.
    pub fn try_get(&self, entry: u32) -> Option<&T> {
        self.0.get(entry as usize / PAGE)?.get(entry as usize % PAGE)
    }

    /// Reserves memory for this entry, at most the next one.
    pub fn reserve(&mut self, entry: u32) -> Result<(), Error> {
        if let Some(page) = self.0.get_mut(entry as usize / PAGE) {
            // The page of a clone has no spare capacity.
            page.try_reserve_exact(PAGE - page.len())?;
            return Ok(());
        }
        self.0.try_reserve(1)?;
        let mut page = Vec::new();
        page.try_reserve_exact(PAGE)?;
        self.0.push(page);
        Ok(())
    }

    /// Sets the item of an entry for which memory is reserved.
    pub fn set(&mut self, entry: u32, item: T) {
        let page = &mut self.0[entry as usize / PAGE];
        match page.get_mut(entry as usize % PAGE) {
            Some(place) => *place = item,
            None => page.push(item),
        }
    }

    /// Keeps the items of these entries, which ascend, and renumbers them from 0 on.
    fn compact(&mut self, entries: impl Iterator<Item = u32>) {
        let mut len = 0;
        for entry in entries {
            let item = *self.get(entry);
            self.set(len, item);
            len += 1;
        }
        let len = len as usize;
        self.0.truncate(len.div_ceil(PAGE));
        if let Some(last) = self.0.get_mut(len.wrapping_sub(1) / PAGE) {
            last.truncate((len - 1) % PAGE + 1);
        }
    }

    fn bytes(&self) -> usize {
        self.0.len() * PAGE * size_of::<T>() + self.0.capacity() * size_of::<Vec<T>>()
    }
}
