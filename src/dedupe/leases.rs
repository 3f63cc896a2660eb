//! The provisional versions of a set: at most one for an id.

use alloc::{collections::TryReserveError, vec::Vec};

/// A provisional version. Its entry has the sketch, and the end of the lease as its expiry time.
#[derive(Clone, Copy)]
pub(super) struct Provisional {
    pub entry: u32,
    /// The expiry time once it is confirmed.
    pub expires: u64,
    /// The resemblance that its decision stated, if the document was changed.
    pub before: Option<f64>,
}

/// The provisional versions by id. There are few at a time: those of documents that are being handled.
#[derive(Clone, Default)]
pub(super) struct Leases {
    /// In the order of the ids.
    all: Vec<(u64, Provisional)>,
}

impl Leases {
    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<(u64, Provisional)>()
    }

    /// Returns the ids, in ascending order.
    pub fn ids(&self) -> impl Iterator<Item = u64> {
        self.all.iter().map(|&(id, _)| id)
    }

    #[inline]
    pub fn get(&self, id: u64) -> Option<&Provisional> {
        self.all.get(self.find(id).ok()?).map(|(_, version)| version)
    }

    fn find(&self, id: u64) -> Result<usize, usize> {
        self.all.binary_search_by_key(&id, |&(id, _)| id)
    }

    /// Reserves memory for one more version.
    pub fn reserve(&mut self) -> Result<(), TryReserveError> {
        self.all.try_reserve(1)
    }

    /// Sets the version of an id, for which memory is reserved.
    pub fn set(&mut self, id: u64, version: Provisional) {
        match self.find(id) {
            Ok(at) => self.all[at].1 = version,
            Err(at) => self.all.insert(at, (id, version)),
        }
    }

    pub fn remove(&mut self, id: u64) -> Option<Provisional> {
        Some(self.all.remove(self.find(id).ok()?).1)
    }

    /// Changes the number of the entry of an id.
    pub fn renumber(&mut self, id: u64, entry: u32) {
        if let Ok(at) = self.find(id) {
            self.all[at].1.entry = entry;
        }
    }
}
