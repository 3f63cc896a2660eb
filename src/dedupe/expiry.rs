//! Expiry: a queue of the times at which versions end.

use core::cmp::Reverse;

use super::{deduplicator::Deduplicator, kept::Kept, options::NEVER};
use crate::Error;

impl Deduplicator {
    /// Removes the documents that have expired by `now`, and returns their number. [`observe`](Self::observe) and
    /// [`add`](Self::add) do so too. O(log n) for each document, amortised.
    pub fn prune(&mut self, now: u64) -> usize {
        core::iter::from_fn(|| self.prune_next(now)).count()
    }

    /// Removes versions that have ended by `now`, until an id has none left. Returns this id, or `None` if no more versions have
    /// ended. This is [`prune`](Self::prune) for a caller that keeps something of its own for each id, such as a text.
    pub fn prune_next(&mut self, now: u64) -> Option<u64> {
        while let Some(&Reverse((time, id))) = self.expiries.peek().filter(|next| next.0.0 <= now) {
            self.expiries.pop();
            let [kept_ends, provisional_ends] = self.which_end_at(id, time);
            if kept_ends {
                self.kept.remove_kept(id);
            }
            if provisional_ends {
                self.kept.release(id);
            }
            if (kept_ends || provisional_ends) && !self.contains(id) {
                return Some(id);
            }
        }
        None
    }

    /// Returns a lower bound on the next expiry time, if any document expires. O(1).
    pub fn next_expiry(&self) -> Option<u64> {
        self.expiries.peek().map(|next| next.0.0)
    }

    /// Makes a change, after which a version of this id ends at `ends`. An error changes nothing.
    pub(super) fn change(
        &mut self,
        id: u64,
        ends: u64,
        change: &mut dyn FnMut(&mut Kept) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if ends == NEVER {
            return change(&mut self.kept);
        }
        self.expiries.try_reserve(1)?;
        change(&mut self.kept)?;
        self.expiries.push(Reverse((ends, id)));
        if self.expiries.len() > 2 * (self.kept.ids.len() + self.kept.leases.len()) + 64 {
            let mut expiries = core::mem::take(&mut self.expiries).into_sorted_vec();
            // Versions of one id with equal expiry times leave duplicates.
            expiries.dedup();
            expiries.retain(|&Reverse((time, id))| self.which_end_at(id, time).contains(&true));
            self.expiries = expiries.into();
        }
        Ok(())
    }

    /// Returns whether the kept version of an id ends at a time, and whether the provisional one does.
    fn which_end_at(&self, id: u64, time: u64) -> [bool; 2] {
        let versions = self.kept.own(id).all();
        versions.map(|entry| entry.is_some_and(|entry| self.kept.expires(entry) == time))
    }
}
