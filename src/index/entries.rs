//! What is held: ids and fingerprints in the order they came, and the ways from either to the entry.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;

use super::columns::{Bits, Ids, Prints, held};
use super::slots::{Slots, hash};

/// The entries that share a fingerprint: twice the number of an entry that is alone with it, or one more than twice the
/// place of a group.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sharing(u32);

/// Ids and fingerprints, numbered in insertion order.
///
/// The tables hold each fingerprint once; `by_fingerprint` leads to the entries that share it, of which the first is the
/// *head*. A removed entry leaves a hole, until [`compact`](Self::compact) makes entries move together.
#[derive(Clone)]
pub(crate) struct Entries {
    ids: Ids,
    prints: Prints,
    live: Bits,
    heads: Bits,
    len: usize,
    /// Ids ascend strictly up to here and are found by bisection: numbered rows, the usual case, take no memory for it.
    ascending: u32,
    /// The entries from `ascending` on, by id.
    by_id: Slots,
    /// All `Sharing`s.
    by_fingerprint: Slots,
    /// The entries of every fingerprint that has two or more, ascending.
    groups: Vec<Vec<u32>>,
}

/// The hash of what a `Sharing` shares.
fn hash_of(prints: &Prints, groups: &[Vec<u32>], sharing: u32) -> u64 {
    hash(prints.get(head_of(groups, Sharing(sharing))))
}

#[inline]
fn head_of(groups: &[Vec<u32>], Sharing(sharing): Sharing) -> u32 {
    let half = sharing / 2;
    if sharing % 2 == 0 { half } else { groups[half as usize][0] }
}

impl Entries {
    pub(crate) fn new(bits: u32) -> Self {
        Self {
            ids: Ids::default(),
            prints: Prints::new(bits),
            live: Bits::default(),
            heads: Bits::default(),
            len: 0,
            ascending: 0,
            by_id: Slots::default(),
            by_fingerprint: Slots::default(),
            groups: Vec::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// One past the last entry number, holes included.
    pub(crate) fn end(&self) -> u32 {
        self.ids.len()
    }

    /// How many different fingerprints there are.
    pub(crate) fn distinct(&self) -> usize {
        self.by_fingerprint.len()
    }

    pub(crate) fn largest_group(&self) -> usize {
        self.groups.iter().map(Vec::len).max().unwrap_or(self.len.min(1))
    }

    pub(crate) fn bytes(&self) -> usize {
        let groups: usize = self.groups.iter().map(held).sum();
        self.ids.bytes()
            + self.prints.bytes()
            + self.live.bytes()
            + self.heads.bytes()
            + self.by_id.bytes()
            + self.by_fingerprint.bytes()
            + groups
            + held(&self.groups)
    }

    #[inline]
    pub(crate) fn id(&self, entry: u32) -> u64 {
        self.ids.get(entry)
    }

    #[inline]
    pub(crate) fn fingerprint(&self, entry: u32) -> u128 {
        self.prints.get(entry)
    }

    /// All entries, in insertion order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        self.iter_from(0)
    }

    /// All entries from this one on.
    pub(crate) fn iter_from(&self, entry: u32) -> impl Iterator<Item = u32> {
        (entry..self.end()).filter(|&entry| self.live.has(entry))
    }

    /// All different fingerprints, in insertion order of their heads.
    pub(crate) fn fingerprints(&self) -> impl Iterator<Item = u128> {
        (0..self.end()).filter(|&entry| self.heads.has(entry)).map(|entry| self.prints.get(entry))
    }

    /// What is shared by two or more.
    pub(crate) fn shared(&self) -> impl Iterator<Item = Sharing> {
        (0..self.groups.len() as u32).map(|at| Sharing(2 * at + 1))
    }

    #[inline(never)]
    pub(crate) fn find(&self, id: u64) -> Option<u32> {
        let hashed = self.by_id.find(hash(id.into()), |entry| self.id(entry) == id);
        hashed.or_else(|| {
            let (mut low, mut high) = (0, self.ascending);
            while low < high {
                let middle = low + (high - low) / 2;
                if self.id(middle) < id {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            (low < self.ascending && self.id(low) == id && self.live.has(low)).then_some(low)
        })
    }

    /// Who has a fingerprint.
    #[inline(never)]
    pub(crate) fn sharing(&self, fingerprint: u128) -> Option<Sharing> {
        let is = |sharing| self.prints.get(self.head(Sharing(sharing))) == fingerprint;
        self.by_fingerprint.find(hash(fingerprint), is).map(Sharing)
    }

    /// The first entry of those that share a fingerprint.
    #[inline]
    pub(crate) fn head(&self, sharing: Sharing) -> u32 {
        head_of(&self.groups, sharing)
    }

    /// Entry `at` of those that share a fingerprint, in insertion order.
    #[inline]
    pub(crate) fn shares(&self, Sharing(sharing): Sharing, at: usize) -> Option<u32> {
        let half = sharing / 2;
        if sharing % 2 != 0 {
            self.groups[half as usize].get(at).copied()
        } else {
            (at == 0).then_some(half)
        }
    }

    /// Makes room for an entry, and for `more` in all that are like it.
    pub(crate) fn reserve(&mut self, more: usize, id: u64) -> Result<(), TryReserveError> {
        let ascends = self.ascends(id);
        let Self { ids, prints, groups, .. } = self;
        let end = ids.len() as usize + more;
        ids.reserve(more, id)?;
        prints.reserve(more)?;
        self.live.reserve(end)?;
        self.heads.reserve(end)?;
        groups.try_reserve(1)?;
        let (end, sharings) = (end as u32, 2 * end as u32);
        if !ascends {
            self.by_id.reserve(more, end, &|entry| hash(ids.get(entry).into()))?;
        }
        self.by_fingerprint.reserve(more, sharings, &|sharing| hash_of(prints, groups, sharing))
    }

    /// Whether an entry with this id would be found by bisection.
    #[inline]
    fn ascends(&self, id: u64) -> bool {
        let end = self.end();
        self.ascending == end && (end == 0 || self.id(end - 1) < id)
    }

    /// Adds an entry that there is room for, under an id that is not held. True if its fingerprint is new.
    pub(crate) fn push(&mut self, id: u64, fingerprint: u128) -> bool {
        let entry = self.end();
        if self.ascends(id) {
            self.ascending += 1;
        } else {
            self.by_id.insert(hash(id.into()), entry);
        }
        self.ids.push(id);
        self.prints.push(fingerprint);
        self.live.set(entry, true);
        self.len += 1;
        self.link(entry)
    }

    /// Gives an entry another fingerprint; it keeps its place. Whether the old one is gone, and the new one new.
    pub(crate) fn replace(&mut self, entry: u32, fingerprint: u128) -> (bool, bool) {
        let gone = self.unlink(entry);
        self.prints.set(entry, fingerprint);
        (gone, self.link(entry))
    }

    /// Takes an entry out. True if its fingerprint is gone with it.
    pub(crate) fn remove(&mut self, entry: u32) -> bool {
        let gone = self.unlink(entry);
        if entry >= self.ascending {
            let ids = &self.ids;
            let id = hash(ids.get(entry).into());
            self.by_id.remove(id, entry, &|entry| hash(ids.get(entry).into()));
        }
        self.live.set(entry, false);
        self.len -= 1;
        gone
    }

    /// Enters an entry under its fingerprint. True if it is the first there.
    #[inline(never)]
    fn link(&mut self, entry: u32) -> bool {
        let fingerprint = self.prints.get(entry);
        let hash = hash(fingerprint);
        let Some(sharing) = self.sharing(fingerprint) else {
            self.by_fingerprint.insert(hash, 2 * entry);
            self.heads.set(entry, true);
            return true;
        };
        let head = self.head(sharing);
        if sharing.0 % 2 == 0 {
            self.by_fingerprint.replace(hash, sharing.0, 2 * self.groups.len() as u32 + 1);
            self.groups.push(alloc::vec![head.min(entry), head.max(entry)]);
        } else {
            let group = &mut self.groups[sharing.0 as usize / 2];
            let place = group.partition_point(|&other| other < entry);
            group.insert(place, entry);
        }
        if entry < head {
            self.heads.set(head, false);
            self.heads.set(entry, true);
        }
        false
    }

    /// Takes an entry from those that share its fingerprint. True if it was the last.
    #[inline(never)]
    fn unlink(&mut self, entry: u32) -> bool {
        let fingerprint = self.prints.get(entry);
        let Some(Sharing(sharing)) = self.sharing(fingerprint) else { return false };
        let hash = hash(fingerprint);
        let (prints, groups) = (&self.prints, &mut self.groups);
        self.heads.set(entry, false);
        if sharing % 2 == 0 {
            let hash_of = |sharing| hash_of(prints, groups, sharing);
            self.by_fingerprint.remove(hash, sharing, &hash_of);
            return true;
        }
        let at = sharing as usize / 2;
        groups[at].retain(|&other| other != entry);
        let head = groups[at][0];
        self.heads.set(head, true);
        if groups[at].len() == 1 {
            // Alone again. The last group moves to where this one was.
            self.by_fingerprint.replace(hash, sharing, 2 * head);
            let last = 2 * groups.len() as u32 - 1;
            if sharing != last {
                let hash = hash_of(prints, groups, last);
                self.by_fingerprint.replace(hash, last, sharing);
            }
            groups.swap_remove(at);
        }
        false
    }
}
