//! What is held: ids and fingerprints in the order they came, and the ways from either to the entry.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;

use super::column::Column;
use super::slots::{Slots, hash};

/// A set of entry numbers, one bit each.
#[derive(Clone, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn has(&self, entry: u32) -> bool {
        self.0.get(entry as usize / 64).is_some_and(|word| word >> (entry % 64) & 1 != 0)
    }

    fn reserve(&mut self, end: usize) -> Result<(), TryReserveError> {
        self.0.try_reserve(end.div_ceil(64).saturating_sub(self.0.len()))
    }

    fn set(&mut self, entry: u32, value: bool) {
        let at = entry as usize / 64;
        if at >= self.0.len() {
            self.0.resize(at + 1, 0);
        }
        self.0[at] = self.0[at] & !(1 << (entry % 64)) | u64::from(value) << (entry % 64);
    }
}

/// Fingerprints by entry: their low halves and their high ones, of which there are none below 128 bits.
#[derive(Clone)]
struct Prints {
    low: Column,
    high: Option<Column>,
}

impl Prints {
    #[inline]
    fn get(&self, entry: u32) -> u128 {
        let at = entry as usize;
        let high = self.high.as_ref().map_or(0, |high| high.get(at));
        u128::from(high) << 64 | u128::from(self.low.get(at))
    }

    fn hash(&self, entry: u32) -> u64 {
        hash(self.get(entry))
    }

    fn reserve(&mut self, more: usize, like: u128) -> Result<(), TryReserveError> {
        self.low.reserve(more, like as u64)?;
        self.high.as_mut().map_or(Ok(()), |high| high.reserve(more, (like >> 64) as u64))
    }

    fn push(&mut self, fingerprint: u128) {
        self.low.push(fingerprint as u64);
        if let Some(high) = &mut self.high {
            high.push((fingerprint >> 64) as u64);
        }
    }

    fn set(&mut self, entry: u32, fingerprint: u128) {
        self.low.set(entry as usize, fingerprint as u64);
        if let Some(high) = &mut self.high {
            high.set(entry as usize, (fingerprint >> 64) as u64);
        }
    }
}

/// Ids and fingerprints, numbered in insertion order.
///
/// Entries with equal fingerprints form a group, known by its first entry, the head; the tables hold each fingerprint
/// once. A removed entry leaves a hole, and entries move together when holes are more than half: nothing outside
/// this module keeps entry numbers across a change.
#[derive(Clone)]
pub(crate) struct Entries {
    ids: Column,
    prints: Prints,
    /// One past the last entry number, holes included.
    end: u32,
    live: Bits,
    heads: Bits,
    len: usize,
    /// Ids ascend strictly up to here and are found by bisection: numbered rows, the usual case, take no memory for it.
    ascending: u32,
    /// The entries from `ascending` on, by id.
    by_id: Slots,
    /// The heads, by fingerprint.
    by_fingerprint: Slots,
    /// The entries of every group of two or more, ascending.
    groups: Vec<Vec<u32>>,
    /// Where these groups are, by fingerprint.
    by_group: Slots,
}

impl Entries {
    pub(crate) fn new(bits: u32) -> Self {
        Self {
            ids: Column::new(),
            prints: Prints { low: Column::new(), high: (bits > 64).then(Column::new) },
            end: 0,
            live: Bits::default(),
            heads: Bits::default(),
            len: 0,
            ascending: 0,
            by_id: Slots::default(),
            by_fingerprint: Slots::default(),
            groups: Vec::new(),
            by_group: Slots::default(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// One past the last entry number, holes included.
    pub(crate) fn end(&self) -> usize {
        self.end as usize
    }

    /// How many different fingerprints there are.
    pub(crate) fn distinct(&self) -> usize {
        self.by_fingerprint.len()
    }

    pub(crate) fn largest_group(&self) -> usize {
        self.groups.iter().map(Vec::len).max().unwrap_or(self.len.min(1))
    }

    pub(crate) fn bytes(&self) -> usize {
        let groups: usize =
            self.groups.iter().map(|group| group.capacity() * size_of::<u32>()).sum();
        self.ids.bytes()
            + self.prints.low.bytes()
            + self.prints.high.as_ref().map_or(0, Column::bytes)
            + (self.live.0.capacity() + self.heads.0.capacity()) * size_of::<u64>()
            + self.by_id.bytes()
            + self.by_fingerprint.bytes()
            + groups
            + self.groups.capacity() * size_of::<Vec<u32>>()
            + self.by_group.bytes()
    }

    pub(crate) fn id(&self, entry: u32) -> u64 {
        self.ids.get(entry as usize)
    }

    #[inline]
    pub(crate) fn fingerprint(&self, entry: u32) -> u128 {
        self.prints.get(entry)
    }

    /// All entries, in insertion order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + Clone {
        (0..self.end).filter(|&entry| self.live.has(entry))
    }

    /// All different fingerprints, in insertion order of their heads.
    pub(crate) fn fingerprints(&self) -> impl Iterator<Item = u128> + Clone {
        (0..self.end).filter(|&entry| self.heads.has(entry)).map(|entry| self.prints.get(entry))
    }

    /// The heads of the groups of two or more.
    pub(crate) fn shared(&self) -> impl Iterator<Item = u32> {
        self.groups.iter().map(|group| group[0])
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

    /// The head of a fingerprint's group.
    #[inline(never)]
    pub(crate) fn head(&self, fingerprint: u128) -> Option<u32> {
        self.by_fingerprint.find(hash(fingerprint), |entry| self.prints.get(entry) == fingerprint)
    }

    /// The entries of a head's group, in insertion order.
    pub(crate) fn group<'a>(&'a self, head: &'a u32) -> &'a [u32] {
        match self.shared_group(self.prints.get(*head)) {
            Some(at) => &self.groups[at as usize],
            None => core::slice::from_ref(head),
        }
    }

    /// Where the group of two or more entries with this fingerprint is.
    #[inline(never)]
    fn shared_group(&self, fingerprint: u128) -> Option<u32> {
        self.by_group.find(hash(fingerprint), |at| {
            self.prints.get(self.groups[at as usize][0]) == fingerprint
        })
    }

    /// Makes room for an entry, and for `more` in all that are like it.
    pub(crate) fn reserve(
        &mut self,
        more: usize,
        id: u64,
        fingerprint: u128,
    ) -> Result<(), TryReserveError> {
        let ascends = self.ascends(id);
        let Self { ids, prints, groups, .. } = self;
        let end = self.end as usize + more;
        ids.reserve(more, id)?;
        prints.reserve(more, fingerprint)?;
        self.live.reserve(end)?;
        self.heads.reserve(end)?;
        if !ascends {
            self.by_id.reserve(more, end as u32, &|entry| hash(ids.get(entry as usize).into()))?;
        }
        self.by_fingerprint.reserve(more, end as u32, &|entry| prints.hash(entry))?;
        groups.try_reserve(1)?;
        let hash_of = |at: u32| prints.hash(groups[at as usize][0]);
        self.by_group.reserve(1, groups.len() as u32, &hash_of)
    }

    /// Whether an entry with this id would be found by bisection.
    fn ascends(&self, id: u64) -> bool {
        self.ascending == self.end && (self.end == 0 || self.id(self.end - 1) < id)
    }

    /// Adds an entry that there is room for, under an id that is not held. True if its fingerprint is new.
    pub(crate) fn push(&mut self, id: u64, fingerprint: u128) -> bool {
        let entry = self.end;
        if self.ascends(id) {
            self.ascending += 1;
        } else {
            self.by_id.insert(hash(id.into()), entry);
        }
        self.ids.push(id);
        self.prints.push(fingerprint);
        self.end += 1;
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
            let hash_of = |entry: u32| hash(ids.get(entry as usize).into());
            self.by_id.remove(hash_of(entry), entry, &hash_of);
        }
        self.live.set(entry, false);
        self.len -= 1;
        gone
    }

    /// Enters an entry into its group. True if it is the first.
    fn link(&mut self, entry: u32) -> bool {
        let fingerprint = self.prints.get(entry);
        let hash = hash(fingerprint);
        let Some(head) = self.head(fingerprint) else {
            self.by_fingerprint.insert(hash, entry);
            self.heads.set(entry, true);
            return true;
        };
        let at = self.shared_group(fingerprint).unwrap_or_else(|| {
            let at = self.groups.len() as u32;
            self.by_group.insert(hash, at);
            self.groups.push(alloc::vec![head]);
            at
        });
        let group = &mut self.groups[at as usize];
        let place = group.partition_point(|&other| other < entry);
        group.insert(place, entry);
        let first = group[0];
        self.lead(hash, head, first);
        false
    }

    /// Takes an entry out of its group. True if it was the last.
    fn unlink(&mut self, entry: u32) -> bool {
        let fingerprint = self.prints.get(entry);
        let hash = hash(fingerprint);
        let Some(at) = self.shared_group(fingerprint) else {
            let prints = &self.prints;
            self.by_fingerprint.remove(hash, entry, &|entry| prints.hash(entry));
            self.heads.set(entry, false);
            return true;
        };
        let group = &mut self.groups[at as usize];
        let head = group[0];
        group.retain(|&other| other != entry);
        let (first, alone) = (group[0], group.len() == 1);
        if alone {
            self.disband(hash, at);
        }
        self.lead(hash, head, first);
        false
    }

    /// Forgets a group that has one entry left: the last group moves to where it was.
    fn disband(&mut self, hash: u64, at: u32) {
        let (groups, prints) = (&self.groups, &self.prints);
        let hash_of = |at: u32| prints.hash(groups[at as usize][0]);
        let last = groups.len() as u32 - 1;
        self.by_group.remove(hash, at, &hash_of);
        if at != last {
            self.by_group.replace(hash_of(last), last, at);
        }
        self.groups.swap_remove(at as usize);
    }

    /// Makes `new` the head of the group that `old` was the head of.
    fn lead(&mut self, hash: u64, old: u32, new: u32) {
        if old != new {
            self.by_fingerprint.replace(hash, old, new);
            self.heads.set(old, false);
            self.heads.set(new, true);
        }
    }
}
