//! A compact hash set of entry numbers whose keys live elsewhere.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;

use super::columns::held;

const EMPTY: u32 = u32::MAX;

/// The golden ratio's fraction: Fibonacci hashing spreads neighbours over the high bits.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hash of a key, well mixed in its high bits.
#[inline]
pub(crate) fn hash(key: u128) -> u64 {
    let folded = key as u64 ^ ((key >> 64) as u64).rotate_left(32).wrapping_mul(GOLDEN);
    // Two rounds: real fingerprints share whole blocks of bits, and one multiplication carries nothing from high bits to
    // low ones.
    let mixed = (folded ^ folded >> 32).wrapping_mul(GOLDEN);
    (mixed ^ mixed >> 29).wrapping_mul(GOLDEN)
}

/// A hash set of entry numbers, open addressing with linear probing at a load of 3/4 to 7/8.
///
/// A slot is four bytes and holds no key: the caller compares the entry it names. The bits above the largest entry
/// number carry a piece of the hash, so that almost no wrong entry is ever looked at and a full table stays fast.
/// The capacity is any number, not a power of two: a million entries take 4.6 MB, not 8.
#[derive(Clone, Default)]
pub(crate) struct Slots {
    slots: Vec<u32>,
    len: usize,
    /// Covers the entry number; the bits above it are the tag.
    mask: u32,
}

impl Slots {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.slots)
    }

    /// The home slot: the hash's high bits, scaled to the capacity.
    fn home(&self, hash: u64) -> usize {
        (((hash >> 32) * self.slots.len() as u64) >> 32) as usize
    }

    fn next(&self, slot: usize) -> usize {
        if slot + 1 == self.slots.len() { 0 } else { slot + 1 }
    }

    /// The slot of the entry for which `is` holds.
    #[inline]
    fn position(&self, hash: u64, mut is: impl FnMut(u32) -> bool) -> Option<usize> {
        let tag = hash as u32 & !self.mask;
        let mut at = self.home(hash);
        loop {
            // None only where there are no slots at all.
            let slot = *self.slots.get(at)?;
            if slot == EMPTY {
                return None;
            }
            if slot & !self.mask == tag && is(slot & self.mask) {
                return Some(at);
            }
            at = self.next(at);
        }
    }

    /// The entry with this hash for which `is` holds.
    #[inline]
    pub(crate) fn find(&self, hash: u64, is: impl FnMut(u32) -> bool) -> Option<u32> {
        self.position(hash, is).map(|at| self.slots[at] & self.mask)
    }

    #[inline]
    fn place(&mut self, hash: u64, entry: u32) {
        let mut at = self.home(hash);
        while self.slots[at] != EMPTY {
            at = self.next(at);
        }
        self.slots[at] = hash as u32 & !self.mask | entry;
    }

    /// Makes room for `more` entries numbered up to `largest`; `hash_of` gives the hash of an entry held.
    #[inline]
    pub(crate) fn reserve(
        &mut self,
        more: usize,
        largest: u32,
        hash_of: &dyn Fn(u32) -> u64,
    ) -> Result<(), TryReserveError> {
        let len = self.len + more;
        if len * 8 <= self.slots.len() * 7 && largest < self.mask {
            return Ok(());
        }
        self.grow(len, largest, hash_of)
    }

    #[inline(never)]
    fn grow(
        &mut self,
        len: usize,
        largest: u32,
        hash_of: &dyn Fn(u32) -> u64,
    ) -> Result<(), TryReserveError> {
        // A single entry grows the table by a sixth; a batch gets what it asks for.
        let capacity = (len * 8).div_ceil(7).max(self.slots.len() * 7 / 6) + 8;
        let mut slots = Vec::new();
        slots.try_reserve_exact(capacity)?;
        slots.resize(capacity, EMPTY);
        let old = core::mem::replace(&mut self.slots, slots);
        let old_mask = self.mask;
        // `largest < mask`, so that no slot in use looks empty.
        self.mask = (u64::from(largest) + 2).next_power_of_two().saturating_sub(1).max(255) as u32;
        for slot in old {
            if slot != EMPTY {
                self.place(hash_of(slot & old_mask), slot & old_mask);
            }
        }
        Ok(())
    }

    /// Adds an entry that is not in the set; there must be room for it.
    pub(crate) fn insert(&mut self, hash: u64, entry: u32) {
        self.place(hash, entry);
        self.len += 1;
    }

    /// Puts `new` in the place of `old`, which has the same key.
    pub(crate) fn replace(&mut self, hash: u64, old: u32, new: u32) {
        if let Some(at) = self.position(hash, |entry| entry == old) {
            self.slots[at] = hash as u32 & !self.mask | new;
        }
    }

    /// Takes an entry out, moving those that probed past it back towards their homes.
    #[inline(never)]
    pub(crate) fn remove(&mut self, hash: u64, entry: u32, hash_of: &dyn Fn(u32) -> u64) {
        let Some(mut hole) = self.position(hash, |other| other == entry) else { return };
        let mut at = hole;
        loop {
            at = self.next(at);
            let slot = self.slots[at];
            if slot == EMPTY {
                break;
            }
            let home = self.home(hash_of(slot & self.mask));
            let from_home =
                |place: usize| place.checked_sub(home).unwrap_or(place + self.slots.len() - home);
            if from_home(hole) < from_home(at) {
                self.slots[hole] = slot;
                hole = at;
            }
        }
        self.slots[hole] = EMPTY;
        self.len -= 1;
    }
}
