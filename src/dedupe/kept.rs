//! Kept documents: ids and keys in the tables of an index, with a record and an expiry time of each.

use alloc::vec::Vec;

use crate::{Error, index::collection::Collection};

/// The expiry time of a document that does not expire.
pub(super) const NEVER: u64 = u64::MAX;

/// Documents with their records. An *entry* is the number of a document in the order of addition; removed entries leave
/// holes, and closing them renumbers the entries.
///
/// Invariant: `records` has an item for every entry, and so has `expiry` if it is present.
#[derive(Clone)]
pub(super) struct Kept<R> {
    pub collection: Collection,
    records: Pages<R>,
    /// Expiry times, absent until a document has one.
    expiry: Option<Pages<u64>>,
}

impl<R: Copy> Kept<R> {
    /// No documents. `collection` is empty.
    pub fn new(collection: Collection) -> Self {
        Kept { collection, records: Pages::default(), expiry: None }
    }

    pub fn len(&self) -> usize {
        self.collection.entries.len()
    }

    /// Allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        let expiry = self.expiry.as_ref().map_or(0, Pages::bytes);
        self.collection.bytes() + self.records.bytes() + expiry
    }

    pub fn find(&self, id: u64) -> Option<u32> {
        self.collection.entries.find(id)
    }

    /// All entries, in the order of addition.
    pub fn entries(&self) -> impl Iterator<Item = u32> {
        self.collection.entries.iter()
    }

    #[inline]
    pub fn id(&self, entry: u32) -> u64 {
        self.collection.entries.id(entry)
    }

    #[inline]
    pub fn key(&self, entry: u32) -> u128 {
        self.collection.entries.fingerprint(entry)
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
        self.expiry.is_some() && self.entries().any(|entry| self.expires(entry) != NEVER)
    }

    /// The live documents with this key except the entry `except`, the earliest first; at most `most` are looked at.
    pub fn members(
        &self,
        key: u128,
        most: usize,
        now: u64,
        except: Option<u32>,
    ) -> impl Iterator<Item = u32> {
        let entries = &self.collection.entries;
        let group = entries.group(key);
        let members = (0..most).map_while(move |at| entries.member(group?, at));
        members.filter(move |&entry| Some(entry) != except && self.is_live(entry, now))
    }

    /// Adds a document whose id is free. An error changes nothing.
    pub fn insert(&mut self, id: u64, key: u128, record: R, expires: u64) -> Result<(), Error> {
        self.reserve(expires)?;
        self.collection.add_one(id, key)?;
        self.set_last(record, expires);
        Ok(())
    }

    /// Replaces the document of this entry, and moves it to the end. An error changes nothing.
    pub fn replace(&mut self, entry: u32, key: u128, record: R, expires: u64) -> Result<(), Error> {
        self.reserve(expires)?;
        self.collection.supersede(entry, key)?;
        self.set_last(record, expires);
        self.compact();
        Ok(())
    }

    /// Sets the expiry time of a document. An error changes nothing.
    pub fn renew(&mut self, entry: u32, expires: u64) -> Result<(), Error> {
        self.reserve_expiry(self.collection.entries.end(), expires)?;
        if let Some(expiry) = &mut self.expiry {
            expiry.set(entry, expires);
        }
        Ok(())
    }

    /// Removes a document. Returns false if there is none with this id.
    pub fn remove(&mut self, id: u64) -> bool {
        let is_removed = self.collection.remove_entry(id);
        self.compact();
        is_removed
    }

    pub fn clear(&mut self) {
        self.collection.clear();
        self.records = Pages::default();
        self.expiry = None;
    }

    /// Reserves memory for the record and the expiry time of the next entry.
    fn reserve(&mut self, expires: u64) -> Result<(), Error> {
        self.collection.check_capacity(1)?;
        let end = self.collection.entries.end();
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

    fn set_last(&mut self, record: R, expires: u64) {
        let last = self.collection.entries.end() - 1;
        self.records.set(last, record);
        if let Some(expiry) = &mut self.expiry {
            expiry.set(last, expires);
        }
    }

    /// Closes the holes, if they are many.
    fn compact(&mut self) {
        let Kept { collection, records, expiry } = self;
        collection.compact(&mut |entries| {
            records.compact(entries.iter());
            if let Some(expiry) = expiry {
                expiry.compact(entries.iter());
            }
        });
    }
}

/// Items by entry, in pages: a vector that grows moves its items, and a WebAssembly memory keeps the memory of both.
#[derive(Clone)]
struct Pages<T>(Vec<Vec<T>>);

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

    /// Reserves memory for this entry, at most the next one.
    fn reserve(&mut self, entry: u32) -> Result<(), Error> {
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
    fn set(&mut self, entry: u32, item: T) {
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
