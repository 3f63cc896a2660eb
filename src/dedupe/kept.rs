//! The kept documents: their ids, records and expiry times, and the keys that find them.

use alloc::collections::TryReserveError;

use super::{
    leases::{Leases, Provisional},
    options::{NEVER, is_live},
    postings::{KEY_BITS, Postings},
};
use crate::{
    Error,
    hash::fmix64,
    rows::{
        columns::{Pages, collect},
        format::DEDUPLICATOR,
        ids::Ids,
    },
    sketch::{
        Sketch,
        minima::{KEYS, key_of_equality},
        record::Record,
    },
};

/// The keys of a document in the table of postings.
pub(super) struct Keys {
    keys: [u32; KEYS],
    len: usize,
}

impl Keys {
    /// Returns the keys of a sketch in a set with this salt. Fails for a sketch from a set, which has no keys.
    pub fn new(sketch: &Sketch, salt: u64) -> Result<Self, Error> {
        let mut wide = [0; KEYS];
        let len = sketch.write_keys(&mut wide)?;
        Ok(Keys { keys: wide.map(|key| salted(key, salt)), len })
    }

    /// Returns the keys, none for a blank text. The key of equality is the last.
    pub fn as_slice(&self) -> &[u32] {
        &self.keys[..self.len]
    }
}

/// Returns the bits of a key that the table of postings has. Without the salt, it cannot be predicted which keys have these
/// bits in common.
fn salted(key: u64, salt: u64) -> u32 {
    (fmix64(key ^ salt) >> (64 - KEY_BITS)) as u32
}

/// The entries of an id: of its kept version, and of its provisional one.
#[derive(Clone, Copy, Default)]
pub(super) struct OwnEntries {
    pub kept: Option<u32>,
    pub provisional: Option<u32>,
}

impl OwnEntries {
    pub fn all(self) -> [Option<u32>; 2] {
        [self.kept, self.provisional]
    }
}

/// A document that is observed or added, with the versions that its id has.
pub(super) struct Incoming<'a> {
    pub id: u64,
    pub own: OwnEntries,
    pub record: Record,
    pub keys: &'a [u32],
}

/// Documents by id and by key. Removed entries leave holes, and closing them renumbers the entries.
///
/// The entry of a provisional version is unlisted: its id finds the kept version.
///
/// Invariants: `records` has an item for every entry. Every key of a document has its entry. If a document under a key of equality
/// is not removed, one of the first that a search reads is not.
#[derive(Clone, Default)]
pub(super) struct Kept {
    pub ids: Ids,
    pub postings: Postings,
    pub leases: Leases,
    records: Pages<Record>,
    /// The expiry time of every entry, absent until a document has one.
    expiry: Option<Pages<u64>>,
    /// Mixed into the keys.
    pub salt: u64,
}

impl Kept {
    pub fn new(salt: u64) -> Self {
        Kept { salt, ..Kept::default() }
    }

    /// Returns the allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        let expiry = self.expiry.as_ref().map_or(0, Pages::bytes);
        self.ids.bytes()
            + self.postings.bytes()
            + self.leases.bytes()
            + self.records.bytes()
            + expiry
    }

    #[inline]
    pub fn record(&self, entry: u32) -> &Record {
        self.records.get(entry)
    }

    /// Returns the time at which a document expires, or [`NEVER`].
    #[inline]
    pub fn expires(&self, entry: u32) -> u64 {
        self.expiry.as_ref().map_or(NEVER, |expiry| *expiry.get(entry))
    }

    /// Returns whether an entry that is not removed has not expired.
    #[inline]
    pub fn is_live(&self, entry: u32, now: u64) -> bool {
        is_live(self.expires(entry), now)
    }

    /// Returns the entries of an id.
    pub fn own(&self, id: u64) -> OwnEntries {
        let provisional = self.leases.get(id).map(|version| version.entry);
        OwnEntries { kept: self.ids.find(id), provisional }
    }

    /// Returns the number of ids with a version.
    pub fn len(&self) -> usize {
        self.ids.len() + self.leases.sole()
    }

    /// Adds a version that ends at `ends`: with `lease` a provisional one, in place of an earlier provisional one, otherwise a
    /// kept one, in place of both versions of its id. An error changes nothing.
    pub fn put(
        &mut self,
        &Incoming { id, own, record, keys }: &Incoming<'_>,
        ends: u64,
        lease: Option<Provisional>,
    ) -> Result<(), Error> {
        let entry = self.reserve(id, ends)?;
        if lease.is_some() {
            self.leases.reserve(id)?;
            self.ids.reserve_unlisted(id)?;
        }
        self.postings.insert(keys, entry)?;
        let filed = match lease {
            Some(lease) => self.leases.set(id, Provisional { entry, ..lease }),
            None => self.ids.push(id, own.kept),
        };
        if let Err(error) = filed {
            self.postings.remove(keys, entry);
            return Err(error.into());
        }
        if lease.is_some() {
            self.ids.push_unlisted(id);
        } else {
            self.leases.remove(id);
        }
        self.records.set(entry, record);
        self.set_expiry(entry, ends);
        if let Some(provisional) = own.provisional {
            self.bury(provisional);
        }
        if let Some(kept) = own.kept.filter(|_| lease.is_none()) {
            self.bury(kept);
        }
        self.close_holes();
        Ok(())
    }

    /// Keeps the provisional version of an id in place of its kept one. An error changes nothing.
    pub fn confirm(&mut self, id: u64) -> Result<(), Error> {
        let Some(&Provisional { entry, expires, .. }) = self.leases.get(id) else { return Ok(()) };
        self.reserve_expiry(self.ids.end(), expires)?;
        let kept = self.ids.find(id);
        self.ids.list(entry, kept)?;
        if let Some(kept) = kept {
            self.bury(kept);
        }
        self.leases.remove(id);
        self.set_expiry(entry, expires);
        self.close_holes();
        Ok(())
    }

    /// Removes the provisional version of an id. Returns false if it has none.
    pub fn release(&mut self, id: u64) -> bool {
        let Some(version) = self.leases.remove(id) else { return false };
        self.bury(version.entry);
        self.close_holes();
        true
    }

    /// Removes the kept version of an id. Returns false if it has none.
    pub fn remove_kept(&mut self, id: u64) -> bool {
        let Some(entry) = self.ids.find(id) else { return false };
        self.ids.remove(entry);
        self.leases.note_sole(id);
        self.unfile_removed(entry);
        self.close_holes();
        true
    }

    /// Makes the entry of a version a hole.
    fn bury(&mut self, entry: u32) {
        self.ids.bury(entry);
        self.unfile_removed(entry);
    }

    /// Removes the first items of the key of equality of a removed entry if so many are removed that they would hide an equal
    /// document.
    #[inline(never)]
    fn unfile_removed(&mut self, entry: u32) {
        let key = salted(key_of_equality(self.record(entry).sequence), self.salt);
        let ids = &self.ids;
        self.postings.remove_first(key, |entry| !ids.is_live(entry));
    }

    /// Sets the expiry time of a document. An error changes nothing.
    pub fn renew(&mut self, entry: u32, expires: u64) -> Result<(), Error> {
        self.reserve_expiry(self.ids.end(), expires)?;
        self.set_expiry(entry, expires);
        Ok(())
    }

    /// Closes the holes if there are many. This renumbers the entries. If memory runs out, the holes stay.
    fn close_holes(&mut self) {
        if !self.ids.has_many_holes() {
            return;
        }
        let postings = self.dense_postings(&|entry| self.ids.is_live(entry));
        let (Ok(ids), Ok(postings)) = (self.ids.compact(), postings) else { return };
        self.records.compact(self.ids.live());
        if let Some(expiry) = &mut self.expiry {
            expiry.compact(self.ids.live());
        }
        for (number, entry) in (0..).zip(self.ids.live()) {
            if !self.ids.is_listed(entry)
                && let Some(version) = self.leases.get_mut(self.ids.id(entry))
            {
                version.entry = number;
            }
        }
        (self.ids, self.postings) = (ids, postings);
    }

    /// Returns the postings of these entries, numbered without holes.
    #[inline(never)]
    pub fn dense_postings(
        &self,
        is_wanted: &dyn Fn(u32) -> bool,
    ) -> Result<Postings, TryReserveError> {
        let mut next = 0;
        let number = |entry| {
            let number = next;
            next += u32::from(is_wanted(entry));
            number
        };
        let end = self.ids.end();
        let dense = collect(end as usize, (0..end).map(number))?;
        let postings = self.postings.iter().filter(|&(_, entry)| is_wanted(entry));
        Postings::collect(postings.map(|(key, entry)| (key, dense[entry as usize])), next)
    }

    /// Adds a document of a snapshot, whose postings are there already.
    pub fn restore(&mut self, id: u64, record: Record, expires: u64) -> Result<(), Error> {
        if self.ids.find(id).is_some() {
            return Err(DEDUPLICATOR.damaged("one with an id twice"));
        }
        let entry = self.reserve(id, expires)?;
        self.ids.push(id, None)?;
        self.records.set(entry, record);
        self.set_expiry(entry, expires);
        Ok(())
    }

    /// Reserves memory for a document, except its postings, and returns its entry.
    fn reserve(&mut self, id: u64, expires: u64) -> Result<u32, Error> {
        self.ids.check_capacity(1)?;
        let entry = self.ids.end();
        self.ids.reserve(id, 1)?;
        self.records.reserve(entry)?;
        self.reserve_expiry(entry, expires)?;
        Ok(entry)
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
