//! Settlement: how the leases of provisional versions end before their time.

use super::{deduplicator::Deduplicator, options::NEVER, rule::Settlement};
use crate::{
    Error,
    sketch::{Sketch, sketch::check_scheme},
};

impl Deduplicator {
    /// Makes the provisional version of an id permanent, in place of its kept one. With a sketch, does so only if the version equals
    /// it. Returns whether there was such a version.
    ///
    /// # Errors
    /// The sketch is of another scheme, or there is not enough memory. An error changes nothing, except that expired documents
    /// are removed.
    pub fn confirm(&mut self, id: u64, sketch: Option<&Sketch>, now: u64) -> Result<bool, Error> {
        self.settle(Settlement::Confirm, id, sketch, now)
    }

    /// Discards the provisional version of an id, as the end of its lease does. With a sketch, does so only if the version equals
    /// it. Returns whether there was such a version.
    ///
    /// # Errors
    /// The sketch is of another scheme.
    pub fn release(&mut self, id: u64, sketch: Option<&Sketch>, now: u64) -> Result<bool, Error> {
        self.settle(Settlement::Release, id, sketch, now)
    }

    fn settle(
        &mut self,
        kind: Settlement,
        id: u64,
        sketch: Option<&Sketch>,
        now: u64,
    ) -> Result<bool, Error> {
        if let Some(sketch) = sketch {
            check_scheme("sketch", self.scheme(), sketch.scheme())?;
        }
        self.prune(now);
        let versions = self.versions(id, self.kept.own(id));
        let settles = versions.is_provisional(sketch.map(|sketch| &sketch.record));
        if settles {
            match kind {
                Settlement::Confirm => self.confirm_one(id)?,
                Settlement::Release => _ = self.kept.release(id),
            }
        }
        Ok(settles)
    }

    pub(super) fn confirm_one(&mut self, id: u64) -> Result<(), Error> {
        let expires = self.kept.leases.get(id).map_or(NEVER, |version| version.expires);
        self.change(id, expires, &mut |kept| kept.confirm(id))
    }
}
