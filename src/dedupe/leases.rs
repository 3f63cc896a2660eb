//! The provisional versions of a set: at most one for an id.

use alloc::{collections::TryReserveError, vec::Vec};

use crate::rows::{
    columns::{allocated, reserve},
    ids::Ids,
};

/// A provisional version. Its entry has the sketch, and the end of the lease as its expiry time.
#[derive(Clone, Copy)]
pub(super) struct Provisional {
    pub entry: u32,
    /// The expiry time once it is confirmed.
    pub expires: u64,
    /// The resemblance that its decision stated, if the document was changed.
    pub before: Option<f64>,
    /// Whether its id has no kept version.
    pub is_sole: bool,
}

/// The provisional versions by id.
#[derive(Clone, Default)]
pub(super) struct Leases {
    ids: Ids,
    /// In the order of the ids, with a version for each hole.
    versions: Vec<Provisional>,
    /// The number of versions whose ids have no kept one.
    sole: usize,
}

impl Leases {
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns the number of versions whose ids have no kept one.
    pub fn sole(&self) -> usize {
        self.sole
    }

    pub fn bytes(&self) -> usize {
        self.ids.bytes() + allocated(&self.versions)
    }

    pub fn get(&self, id: u64) -> Option<&Provisional> {
        self.ids.find(id).map(|at| &self.versions[at as usize])
    }

    #[inline(never)]
    pub fn get_mut(&mut self, id: u64) -> Option<&mut Provisional> {
        self.ids.find(id).map(|at| &mut self.versions[at as usize])
    }

    /// Reserves memory for one more version.
    pub fn reserve(&mut self, id: u64) -> Result<(), TryReserveError> {
        self.ids.reserve(id, 1)?;
        let end = self.versions.len() + 1;
        reserve(&mut self.versions, end)
    }

    /// Sets the version of an id, for which memory is reserved. An error changes nothing.
    pub fn set(&mut self, id: u64, version: Provisional) -> Result<(), TryReserveError> {
        if let Some(own) = self.get_mut(id) {
            *own = version;
            return Ok(());
        }
        self.ids.push(id, None)?;
        self.versions.push(version);
        self.sole += usize::from(version.is_sole);
        Ok(())
    }

    pub fn remove(&mut self, id: u64) -> Option<Provisional> {
        let at = self.ids.find(id)?;
        let version = self.versions[at as usize];
        self.ids.remove(at);
        self.sole -= usize::from(version.is_sole);
        self.close_holes();
        Some(version)
    }

    /// Closes the holes if there are many. If memory runs out, the holes stay.
    fn close_holes(&mut self) {
        if !self.ids.has_many_holes() {
            return;
        }
        let Ok(ids) = self.ids.compact() else { return };
        for (to, from) in self.ids.live().enumerate() {
            self.versions[to] = self.versions[from as usize];
        }
        self.versions.truncate(ids.len());
        self.ids = ids;
    }

    /// Notes that the kept version of an id is removed.
    pub fn note_sole(&mut self, id: u64) {
        if let Some(version) = self.get_mut(id) {
            version.is_sole = true;
            self.sole += 1;
        }
    }
}
