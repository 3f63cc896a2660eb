//! Kept documents: their ids, keys and expiry times.

use crate::{
    Error,
    index::{columns::Pages, entries::Entries},
};

/// The expiry time of a document that does not expire.
pub(super) const NEVER: u64 = u64::MAX;

/// Documents by id and by key. Removed entries leave holes, and closing them renumbers the entries.
#[derive(Clone, Default)]
pub(super) struct Kept {
    /// The ids and the keys, which take the place of fingerprints.
    pub entries: Entries,
    /// The expiry time of every entry, absent until a document has one.
    expiry: Option<Pages<u64>>,
}

impl Kept {
    /// Returns the allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        self.entries.bytes() + self.expiry.as_ref().map_or(0, Pages::bytes)
    }

    /// Returns the time at which a document expires, or [`NEVER`].
    #[inline]
    pub fn expires(&self, entry: u32) -> u64 {
        self.expiry.as_ref().map_or(NEVER, |expiry| *expiry.get(entry))
    }

    #[inline]
    pub fn is_live(&self, entry: u32, now: u64) -> bool {
        let expires = self.expires(entry);
        expires > now || expires == NEVER
    }

    /// Returns the live documents with this key except the entry `except`, in the order of addition.
    pub fn equal(&self, key: u128, now: u64, except: Option<u32>) -> impl Iterator<Item = u32> {
        let group = self.entries.group(key);
        let members = group.into_iter().flat_map(|group| self.entries.members(group));
        members.filter(move |&entry| Some(entry) != except && self.is_live(entry, now))
    }

    /// Adds a document. It replaces `old`, the entry that has this id, if any. Returns the new entry, which is the last, and
    /// whether its key is new. The caller closes the holes. An error changes nothing.
    pub fn put(
        &mut self,
        old: Option<u32>,
        id: u64,
        key: u128,
        expires: u64,
    ) -> Result<(u32, bool), Error> {
        self.entries.check_capacity(1)?;
        let entry = self.entries.end();
        self.reserve_expiry(entry, expires)?;
        let is_new = self.entries.push(id, key, 1, old)?;
        if let Some(old) = old {
            self.entries.bury(old);
        }
        self.set_expiry(entry, expires);
        Ok((entry, is_new))
    }

    /// Sets the expiry time of a document. An error changes nothing.
    pub fn renew(&mut self, entry: u32, expires: u64) -> Result<(), Error> {
        self.reserve_expiry(self.entries.end(), expires)?;
        self.set_expiry(entry, expires);
        Ok(())
    }

    /// Removes a document and closes the holes. Returns false if the id is unknown.
    pub fn remove(&mut self, id: u64) -> bool {
        let Some(entry) = self.entries.find(id) else { return false };
        self.entries.remove(entry);
        self.close_holes(&mut |_, _| {});
        true
    }

    /// Closes the holes if there are many. This renumbers the entries: `renumber` receives the old and the new ones.
    pub fn close_holes(&mut self, renumber: &mut dyn FnMut(&Entries, &Entries)) {
        let Kept { entries, expiry } = self;
        entries.close_holes(&mut |old, new| {
            if let Some(expiry) = expiry {
                expiry.compact(old.iter());
            }
            renumber(old, new);
        });
    }

    /// Reserves memory for the expiry time of the next entry, `end`, if any document expires.
    fn reserve_expiry(&mut self, end: u32, expires: u64) -> Result<(), Error> {
        if self.expiry.is_none() && expires != NEVER {
            let mut expiry = Pages::default();
            for entry in 0..end {
                expiry.reserve(entry)?;
                expiry.set(entry, NEVER);
            }
            self.expiry = Some(expiry);
        }
        Ok(self.expiry.as_mut().map_or(Ok(()), |expiry| expiry.reserve(end))?)
    }

    fn set_expiry(&mut self, entry: u32, expires: u64) {
        if let Some(expiry) = &mut self.expiry {
            expiry.set(entry, expires);
        }
    }
}
