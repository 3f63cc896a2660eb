//! What is held: ids and fingerprints in the order they came, and the ways from either to the entry.

use alloc::vec::Vec;

use super::slots::Slots;
use super::word::Word;

/// A set of entry numbers, one bit each.
#[derive(Clone, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn has(&self, entry: u32) -> bool {
        self.0.get(entry as usize / 64).is_some_and(|word| word >> (entry % 64) & 1 != 0)
    }

    fn set(&mut self, entry: u32, value: bool) {
        let at = entry as usize / 64;
        if at >= self.0.len() {
            self.0.resize(at + 1, 0);
        }
        self.0[at] = self.0[at] & !(1 << (entry % 64)) | u64::from(value) << (entry % 64);
    }
}

/// A column of ids: four bytes each until one needs eight.
#[derive(Clone)]
enum Ids {
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
}

impl Ids {
    fn get(&self, at: usize) -> u64 {
        match self {
            Self::Narrow(ids) => ids[at].into(),
            Self::Wide(ids) => ids[at],
        }
    }

    fn reserve(&mut self, more: usize) {
        match self {
            Self::Narrow(ids) => reserve(ids, more),
            Self::Wide(ids) => reserve(ids, more),
        }
    }

    fn push(&mut self, id: u64) {
        if let (Self::Narrow(ids), Err(_)) = (&self, u32::try_from(id)) {
            let mut wide = Vec::with_capacity(ids.capacity());
            wide.extend(ids.iter().map(|&id| u64::from(id)));
            *self = Self::Wide(wide);
        }
        match self {
            Self::Narrow(ids) => ids.push(id as u32),
            Self::Wide(ids) => ids.push(id),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Narrow(ids) => ids.capacity() * size_of::<u32>(),
            Self::Wide(ids) => ids.capacity() * size_of::<u64>(),
        }
    }
}

/// Makes room, growing by an eighth: a vector that doubles may take twice what it holds.
fn reserve<T>(column: &mut Vec<T>, more: usize) {
    if column.capacity() - column.len() < more {
        column.reserve_exact(more.max(column.len() / 8 + 16));
    }
}

/// Ids and fingerprints, numbered in insertion order.
///
/// Entries with equal fingerprints form a group, known by its first entry, the head; the tables hold each fingerprint
/// once. A removed entry leaves a hole, and entries move together when holes are more than half: nothing outside
/// this module keeps entry numbers across a change.
#[derive(Clone)]
pub(crate) struct Entries<W> {
    ids: Ids,
    fingerprints: Vec<W>,
    live: Bits,
    heads: Bits,
    len: usize,
    /// Ids ascend strictly up to here and are found by bisection: numbered rows, the usual case, take no memory for it.
    ascending: usize,
    /// The entries from `ascending` on, by id.
    by_id: Slots,
    /// The heads, by fingerprint.
    by_fingerprint: Slots,
    /// The entries of every group of two or more, ascending.
    groups: Vec<Vec<u32>>,
    /// Where these groups are, by fingerprint.
    by_group: Slots,
}

impl<W: Word> Entries<W> {
    pub(crate) fn new() -> Self {
        Self {
            ids: Ids::Narrow(Vec::new()),
            fingerprints: Vec::new(),
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
        self.fingerprints.len()
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
            + self.fingerprints.capacity() * W::BYTES
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

    pub(crate) fn fingerprint(&self, entry: u32) -> W {
        self.fingerprints[entry as usize]
    }

    /// All entries, in insertion order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + Clone {
        (0..self.end() as u32).filter(|&entry| self.live.has(entry))
    }

    /// The first entry of every fingerprint, in insertion order.
    pub(crate) fn heads(&self) -> impl Iterator<Item = u32> + Clone {
        (0..self.end() as u32).filter(|&entry| self.heads.has(entry))
    }

    /// The heads of the groups of two or more.
    pub(crate) fn shared(&self) -> impl Iterator<Item = u32> {
        self.groups.iter().map(|group| group[0])
    }

    pub(crate) fn find(&self, id: u64) -> Option<u32> {
        let hashed = self.by_id.find(id.hash(), |entry| self.id(entry) == id);
        hashed.or_else(|| {
            let (mut low, mut high) = (0, self.ascending);
            while low < high {
                let middle = low + (high - low) / 2;
                if self.ids.get(middle) < id {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            let found =
                low < self.ascending && self.ids.get(low) == id && self.live.has(low as u32);
            found.then_some(low as u32)
        })
    }

    /// The head of a fingerprint's group.
    pub(crate) fn head(&self, fingerprint: W) -> Option<u32> {
        self.by_fingerprint.find(fingerprint.hash(), |entry| self.fingerprint(entry) == fingerprint)
    }

    /// The entries of a head's group, in insertion order.
    pub(crate) fn group<'a>(&'a self, head: &'a u32) -> &'a [u32] {
        match self.shared_group(self.fingerprint(*head)) {
            Some(at) => &self.groups[at as usize],
            None => core::slice::from_ref(head),
        }
    }

    /// Where the group of two or more entries with this fingerprint is.
    fn shared_group(&self, fingerprint: W) -> Option<u32> {
        self.by_group.find(fingerprint.hash(), |at| {
            self.fingerprint(self.groups[at as usize][0]) == fingerprint
        })
    }

    /// Makes room for `more` entries.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.ids.reserve(more);
        reserve(&mut self.fingerprints, more);
        let largest = (self.fingerprints.len() + more) as u32;
        let fingerprints = &self.fingerprints;
        self.by_fingerprint.reserve(more, largest, |entry| fingerprints[entry as usize].hash());
    }

    /// Adds an entry under an id that is not held. True if its fingerprint is new.
    pub(crate) fn push(&mut self, id: u64, fingerprint: W) -> bool {
        let entry = self.fingerprints.len() as u32;
        self.reserve(1);
        let last = self.ascending.checked_sub(1).map(|last| self.ids.get(last));
        if self.ascending == entry as usize && last.is_none_or(|last| last < id) {
            self.ascending += 1;
        } else {
            let ids = &self.ids;
            self.by_id.reserve(1, entry, |entry| ids.get(entry as usize).hash());
            self.by_id.insert(id.hash(), entry);
        }
        self.ids.push(id);
        self.fingerprints.push(fingerprint);
        self.live.set(entry, true);
        self.len += 1;
        self.link(entry)
    }

    /// Gives an entry another fingerprint; it keeps its place. Whether the old one is gone, and the new one new.
    pub(crate) fn replace(&mut self, entry: u32, fingerprint: W) -> (bool, bool) {
        let gone = self.unlink(entry);
        self.fingerprints[entry as usize] = fingerprint;
        self.reserve(1);
        (gone, self.link(entry))
    }

    /// Takes an entry out. True if its fingerprint is gone with it.
    pub(crate) fn remove(&mut self, entry: u32) -> bool {
        let gone = self.unlink(entry);
        if entry as usize >= self.ascending {
            let ids = &self.ids;
            self.by_id.remove(self.id(entry).hash(), entry, |entry| ids.get(entry as usize).hash());
        }
        self.live.set(entry, false);
        self.len -= 1;
        if self.fingerprints.len() > 2 * self.len + 64 {
            self.compact();
        }
        gone
    }

    /// Enters an entry into its group. True if it is the first.
    fn link(&mut self, entry: u32) -> bool {
        let fingerprint = self.fingerprint(entry);
        let hash = fingerprint.hash();
        let Some(head) = self.head(fingerprint) else {
            self.by_fingerprint.insert(hash, entry);
            self.heads.set(entry, true);
            return true;
        };
        let at = self.shared_group(fingerprint).unwrap_or_else(|| self.share(hash, head));
        let group = &mut self.groups[at as usize];
        let place = group.partition_point(|&other| other < entry);
        group.insert(place, entry);
        let first = group[0];
        self.lead(hash, head, first);
        false
    }

    /// Makes a group of an entry that was alone.
    fn share(&mut self, hash: u64, entry: u32) -> u32 {
        let at = self.groups.len() as u32;
        let (groups, fingerprints) = (&self.groups, &self.fingerprints);
        self.by_group.reserve(1, at, |at| fingerprints[groups[at as usize][0] as usize].hash());
        self.by_group.insert(hash, at);
        self.groups.push(alloc::vec![entry]);
        at
    }

    /// Undoes [`share`](Self::share): the last group moves to where this one was.
    fn unshare(&mut self, hash: u64, at: u32) {
        let (groups, fingerprints) = (&self.groups, &self.fingerprints);
        let hash_of = |at: u32| fingerprints[groups[at as usize][0] as usize].hash();
        let last = groups.len() as u32 - 1;
        self.by_group.remove(hash, at, hash_of);
        if at != last {
            self.by_group.replace(hash_of(last), last, at);
        }
        self.groups.swap_remove(at as usize);
    }

    /// Takes an entry out of its group. True if it was the last.
    fn unlink(&mut self, entry: u32) -> bool {
        let fingerprint = self.fingerprint(entry);
        let hash = fingerprint.hash();
        let Some(head) = self.head(fingerprint) else { return false };
        let Some(at) = self.shared_group(fingerprint) else {
            let fingerprints = &self.fingerprints;
            self.by_fingerprint.remove(hash, entry, |entry| fingerprints[entry as usize].hash());
            self.heads.set(entry, false);
            return true;
        };
        let group = &mut self.groups[at as usize];
        if let Ok(place) = group.binary_search(&entry) {
            group.remove(place);
        }
        let (first, alone) = (group[0], group.len() == 1);
        if alone {
            self.unshare(hash, at);
        }
        self.lead(hash, head, first);
        false
    }

    /// Makes `new` the head of the group that `old` was the head of.
    fn lead(&mut self, hash: u64, old: u32, new: u32) {
        if old != new {
            self.by_fingerprint.replace(hash, old, new);
            self.heads.set(old, false);
            self.heads.set(new, true);
        }
    }

    /// Closes the holes.
    fn compact(&mut self) {
        let mut compact = Self::new();
        compact.reserve(self.len);
        for entry in self.iter() {
            compact.push(self.id(entry), self.fingerprint(entry));
        }
        *self = compact;
    }
}
