//! Documents: ids and fingerprints in insertion order, and maps from an id or a fingerprint to its entries.
//!
//! [`Ids`] has the ids. [`Entries::close_holes`] may close the holes that removals leave. Documents with equal fingerprints
//! form a *group*, whose first entry is its *head*; the tables hold one fingerprint for each group.
//!
//! Invariants:
//! - Every live entry is in the group of its fingerprint, and `heads` has the first entry of every group.
//! - A method that fails changes nothing, and removals cannot fail. So every addition can be undone.

use alloc::{
    collections::{TryReserveError, VecDeque},
    vec::Vec,
};
use core::ops::Deref;

use super::columns::{EntrySet, Numbers, allocated};
use super::ids::Ids;
use super::slots::Slots;

/// The entries that share a fingerprint: `2 * entry` for a single entry, `2 * at + 1` for those in `shared[at]`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Group(u32);

/// Documents, by entry, id and fingerprint.
#[derive(Clone, Default)]
pub(crate) struct Entries {
    ids: Ids,
    fingerprints: Numbers<u64>,
    heads: EntrySet,
    /// All groups, by fingerprint.
    by_fingerprint: Slots,
    /// The ascending entries of every group of two or more. Deques, since the oldest are often removed first.
    shared: Vec<VecDeque<u32>>,
}

impl Deref for Entries {
    type Target = Ids;

    fn deref(&self) -> &Ids {
        &self.ids
    }
}

impl Entries {
    /// Returns the number of different fingerprints.
    pub(crate) fn distinct(&self) -> usize {
        self.by_fingerprint.len()
    }

    /// Returns the number of documents in the largest group.
    pub(crate) fn largest_group(&self) -> usize {
        self.shared.iter().map(VecDeque::len).max().unwrap_or(self.len().min(1))
    }

    pub(crate) fn bytes(&self) -> usize {
        let shared: usize =
            self.shared.iter().map(|group| group.capacity() * size_of::<u32>()).sum();
        self.ids.bytes()
            + self.fingerprints.bytes()
            + self.heads.bytes()
            + self.by_fingerprint.bytes()
            + shared
            + allocated(&self.shared)
    }

    #[inline]
    pub(crate) fn fingerprint(&self, entry: u32) -> u128 {
        self.fingerprints.get(entry)
    }

    /// Returns all different fingerprints, in the order of their heads.
    pub(crate) fn fingerprints(&self) -> impl Iterator<Item = u128> {
        let heads = (0..self.end()).filter(|&entry| self.heads.contains(entry));
        heads.map(|entry| self.fingerprint(entry))
    }

    /// Returns the groups of two or more.
    pub(crate) fn shared(&self) -> impl Iterator<Item = Group> {
        (0..self.shared.len() as u32).map(|at| Group(2 * at + 1))
    }

    #[inline(never)]
    pub(crate) fn group(&self, fingerprint: u128) -> Option<Group> {
        self.by_fingerprint
            .find(fingerprint, |group| self.fingerprint(self.head(Group(group))))
            .map(Group)
    }

    /// Returns the first entry of a group.
    #[inline]
    pub(crate) fn head(&self, group: Group) -> u32 {
        head(&self.shared, group)
    }

    /// Returns the number of members of a group.
    #[inline]
    pub(crate) fn size(&self, Group(group): Group) -> usize {
        if group % 2 != 0 { self.shared[group as usize / 2].len() } else { 1 }
    }

    /// Returns member `at` of a group, in insertion order.
    #[inline]
    pub(crate) fn member(&self, Group(group): Group, at: usize) -> Option<u32> {
        let half = group / 2;
        if group % 2 != 0 {
            self.shared[half as usize].get(at).copied()
        } else {
            (at == 0).then_some(half)
        }
    }

    /// Returns the members of a group, in insertion order.
    pub(crate) fn members(
        &self,
        group: Group,
    ) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator {
        (0..self.size(group)).map(move |at| self.member(group, at).expect("a member"))
    }

    /// Reserves capacity for `more` entries as wide as this one.
    fn reserve(&mut self, id: u64, fingerprint: u128, more: usize) -> Result<(), TryReserveError> {
        self.ids.reserve(id, more)?;
        let Self { ids, fingerprints, heads, by_fingerprint, shared, .. } = self;
        let end = ids.end() as usize + more;
        fingerprints.reserve(more, fingerprint)?;
        heads.reserve(end)?;
        let key_of = |group| fingerprints.get(head(shared, Group(group)));
        by_fingerprint.reserve(more, 2 * end as u32, &key_of)
    }

    /// Adds the first of `more` entries. Returns whether its fingerprint is new. Its id then finds it, not `old`, the
    /// earlier entry with this id, if any. The caller [buries](Self::bury) `old`.
    pub(crate) fn push(
        &mut self,
        id: u64,
        fingerprint: u128,
        more: usize,
        old: Option<u32>,
    ) -> Result<bool, TryReserveError> {
        let entry = self.end();
        self.reserve(id, fingerprint, more)?;
        self.fingerprints.push(fingerprint);
        let is_new = self.link(entry).inspect_err(|_| self.fingerprints.pop())?;
        if let Err(error) = self.ids.push(id, old) {
            self.unlink(entry);
            self.fingerprints.pop();
            return Err(error);
        }
        // Also if false: a clone has capacity up to the last written cell, and a removal must not allocate.
        self.heads.set(entry, is_new);
        Ok(is_new)
    }

    /// Undoes the last [`push`](Self::push), with the same `old`. Returns the fingerprint if no other entry has it.
    pub(crate) fn pop(&mut self, old: Option<u32>) -> Option<u128> {
        let gone = self.unlink(self.end() - 1);
        self.ids.pop(old);
        self.fingerprints.pop();
        gone
    }

    /// Removes an entry. Returns its fingerprint if no other entry has it.
    pub(crate) fn remove(&mut self, entry: u32) -> Option<u128> {
        self.ids.remove(entry);
        self.unlink(entry)
    }

    /// Makes an entry a hole. Returns its fingerprint if no other entry has it.
    pub(crate) fn bury(&mut self, entry: u32) -> Option<u128> {
        self.ids.bury(entry);
        self.unlink(entry)
    }

    /// Closes the holes if there are many. This renumbers the entries from 0 in their order.
    pub(crate) fn close_holes(&mut self) {
        if !self.has_many_holes() {
            return;
        }
        // If memory runs out, the holes stay.
        if let Ok(compact) = self.compact() {
            *self = compact;
        }
    }

    /// Returns the same documents without holes.
    fn compact(&self) -> Result<Self, TryReserveError> {
        let mut compact = Self::default();
        let mut more = self.len();
        for entry in self.iter() {
            compact.push(self.id(entry), self.fingerprint(entry), more, None)?;
            more -= 1;
        }
        Ok(compact)
    }

    /// Adds the last entry to the group of its fingerprint. Returns whether it is the first member.
    #[inline(never)]
    fn link(&mut self, entry: u32) -> Result<bool, TryReserveError> {
        let fingerprint = self.fingerprint(entry);
        let Some(group) = self.group(fingerprint) else {
            let Self { fingerprints, by_fingerprint, shared, .. } = self;
            let key_of = |group| fingerprints.get(head(shared, Group(group)));
            by_fingerprint.insert(fingerprint, 2 * entry, &key_of)?;
            return Ok(true);
        };
        if group.0 % 2 == 0 {
            self.shared.try_reserve(1)?;
            let mut members = VecDeque::new();
            members.try_reserve_exact(2)?;
            members.extend([self.head(group), entry]);
            self.by_fingerprint.replace(fingerprint, group.0, 2 * self.shared.len() as u32 + 1);
            self.shared.push(members);
        } else {
            let members = &mut self.shared[group.0 as usize / 2];
            members.try_reserve(1)?;
            members.push_back(entry);
        }
        Ok(false)
    }

    /// Removes an entry from its group. Returns its fingerprint if no other has it.
    #[inline(never)]
    fn unlink(&mut self, entry: u32) -> Option<u128> {
        let fingerprint = self.fingerprint(entry);
        let Group(group) = self.group(fingerprint).expect("every entry is in a group");
        self.heads.set(entry, false);
        if group % 2 == 0 {
            self.by_fingerprint.remove(fingerprint, group);
            return Some(fingerprint);
        }
        let at = group as usize / 2;
        let members = &mut self.shared[at];
        members.remove(members.binary_search(&entry).expect("every entry is in its group"));
        let head = members[0];
        self.heads.set(head, true);
        if members.len() == 1 {
            // One member is left. The last group moves to the free place.
            self.by_fingerprint.replace(fingerprint, group, 2 * head);
            let last = 2 * self.shared.len() as u32 - 1;
            if group != last {
                let moved = self.fingerprint(self.head(Group(last)));
                self.by_fingerprint.replace(moved, last, group);
            }
            self.shared.swap_remove(at);
        }
        None
    }
}

#[inline]
fn head(shared: &[VecDeque<u32>], Group(group): Group) -> u32 {
    let half = group / 2;
    if group % 2 == 0 { half } else { shared[half as usize][0] }
}
