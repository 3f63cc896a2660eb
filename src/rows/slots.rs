//! A compact hash set of numbers whose keys are stored elsewhere.
//!
//! Two-choice hashing (Azar, Broder, Karlin and Upfal, "Balanced Allocations", STOC 1994): a key has two lines of 16 slots.
//! Its number goes to the first line if that has at most [`LIGHT_LOAD`] numbers, and otherwise to the line with more empty slots.
//! If both are full, it goes to another such set, the *overflow*. So most operations read one line, and growth, which moves
//! the numbers in the order of their lines, writes most of them in order too.
//!
//! Invariant: every number is in a line of its key, or in the overflow; the empty slots of a line come last. About one in
//! 40,000 random keys is in the overflow. The hash function is public: an attacker can choose keys that all have the same
//! two lines. But the overflow hashes a permutation of the keys, which spreads them again. A key reaches the overflow only
//! if both of its lines are full, so each further overflow constrains more bits of the keys that an attacker must choose.
//!
//! A slot is four bytes and holds no key: the caller looks up the key of the number. The bits above the largest number
//! hold a part of the hash, the *tag*, so that almost no other key is ever looked up. The number of lines need not be a
//! power of two: a million numbers take 4.6 MB, not 8.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;

use super::columns::{allocated, filled};
use crate::hash::mix::GOLDEN;

/// The value of an empty slot.
const EMPTY: u32 = u32::MAX;

/// Slots of a line, which is one cache line.
const LINE: usize = 16;

/// If the first line has at most this many slots in use, an insertion takes it and does not read the second. With 12 instead
/// of 10, the overflow would hold ten times as many numbers.
const LIGHT_LOAD: usize = 10;

/// Returns the hash of a key, well mixed in its high bits: Fibonacci hashing spreads neighbours over them.
#[inline]
fn hash(key: u128) -> u64 {
    let folded = key as u64 ^ ((key >> 64) as u64).rotate_left(32).wrapping_mul(GOLDEN);
    // Two rounds: real fingerprints share whole blocks of bits, and one multiplication carries nothing from high bits to
    // low ones.
    let mixed = (folded ^ folded >> 32).wrapping_mul(GOLDEN);
    (mixed ^ mixed >> 29).wrapping_mul(GOLDEN)
}

/// Returns the key in the overflow: a permutation of all keys, with the multiplier of PCG64 (O'Neill 2014).
fn next(key: u128) -> u128 {
    (key ^ key >> 64).wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645)
}

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line([u32; LINE]);

impl Line {
    /// Returns the number of slots in use.
    #[inline]
    fn used(&self) -> usize {
        self.0.partition_point(|&slot| slot != EMPTY)
    }

    /// Returns whether a slot has these bits above the mask. Without an early exit, so that the comparisons are vectorised.
    #[inline]
    fn may_have(&self, tag: u32, mask: u32) -> bool {
        self.0.iter().fold(false, |any, slot| any | ((slot ^ tag) & !mask == 0))
    }
}

/// A set of numbers, each found by its key.
#[derive(Clone, Default)]
pub(crate) struct Slots {
    lines: Vec<Line>,
    /// The set of the numbers whose lines are full, if there is one.
    overflow: Vec<Slots>,
    /// The number of numbers, including the overflow.
    len: usize,
    /// Covers the number in a slot; the bits above it are the tag.
    mask: u32,
}

impl Slots {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn bytes(&self) -> usize {
        let overflow: usize = self.overflow.iter().map(Slots::bytes).sum();
        allocated(&self.lines) + allocated(&self.overflow) + overflow
    }

    /// Returns the two lines of a hash.
    #[inline]
    fn lines_of(&self, hash: u64) -> [usize; 2] {
        let scale = |hash: u64| (((hash >> 32) * self.lines.len() as u64) >> 32) as usize;
        [scale(hash), scale(hash.wrapping_mul(GOLDEN))]
    }

    /// Returns the value of a slot with this number and hash.
    #[inline]
    fn slot(&self, hash: u64, number: u32) -> u32 {
        hash as u32 & !self.mask | number
    }

    /// Returns the number with this key.
    #[inline]
    pub(crate) fn find(&self, key: u128, key_of: impl Fn(u32) -> u128) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        let hash = hash(key);
        let tag = self.slot(hash, 0);
        for line in self.lines_of(hash) {
            let line = &self.lines[line];
            if !line.may_have(tag, self.mask) {
                continue;
            }
            for slot in line.0 {
                let number = slot & self.mask;
                if slot & !self.mask == tag && slot != EMPTY && key_of(number) == key {
                    return Some(number);
                }
            }
        }
        self.overflow.first()?.find_next(next(key), &key_of)
    }

    /// Returns the number with this key in an overflow. `key_of` returns the keys of the set that it belongs to.
    #[cold]
    fn find_next(&self, key: u128, key_of: &dyn Fn(u32) -> u128) -> Option<u32> {
        self.find(key, |number| next(key_of(number)))
    }

    /// Reserves capacity for `more` numbers up to `largest`. An error changes nothing.
    #[inline]
    pub(crate) fn reserve(
        &mut self,
        more: usize,
        largest: u32,
        key_of: &dyn Fn(u32) -> u128,
    ) -> Result<(), TryReserveError> {
        let len = self.len + more;
        if len * 8 <= self.lines.len() * LINE * 7 && largest < self.mask {
            return Ok(());
        }
        self.grow(len, largest, key_of)
    }

    /// Moves all numbers to a set with capacity for `len`.
    #[inline(never)]
    fn grow(
        &mut self,
        len: usize,
        largest: u32,
        key_of: &dyn Fn(u32) -> u128,
    ) -> Result<(), TryReserveError> {
        // A single number grows the set by a quarter; a batch gets what it asks for.
        let capacity = (len * 8).div_ceil(7 * LINE).max(self.lines.len() * 5 / 4) + 1;
        let mut new = Self {
            // `largest < mask`, so that no slot in use looks empty.
            mask: (u64::from(largest) + 2).next_power_of_two().saturating_sub(1).max(255) as u32,
            lines: filled(Line([EMPTY; LINE]), capacity)?,
            ..Self::default()
        };
        for set in core::iter::successors(Some(&*self), |set| set.overflow.first()) {
            for slot in set.lines.iter().flat_map(|line| line.0).filter(|&slot| slot != EMPTY) {
                new.insert(key_of(slot & set.mask), slot & set.mask, key_of)?;
            }
        }
        *self = new;
        Ok(())
    }

    /// Adds a number whose key is not in the set and for which capacity is reserved. An error changes nothing.
    #[inline(never)]
    pub(crate) fn insert(
        &mut self,
        key: u128,
        number: u32,
        key_of: &dyn Fn(u32) -> u128,
    ) -> Result<(), TryReserveError> {
        let hash = hash(key);
        let slot = self.slot(hash, number);
        let [a, b] = self.lines_of(hash);
        let (mut line, mut used) = (a, self.lines[a].used());
        if used > LIGHT_LOAD {
            let used_b = self.lines[b].used();
            if used_b < used {
                (line, used) = (b, used_b);
            }
        }
        match self.lines[line].0.get_mut(used) {
            Some(empty) => *empty = slot,
            None => self.insert_in_overflow(next(key), number, &|number| next(key_of(number)))?,
        }
        self.len += 1;
        Ok(())
    }

    #[cold]
    fn insert_in_overflow(
        &mut self,
        key: u128,
        number: u32,
        key_of: &dyn Fn(u32) -> u128,
    ) -> Result<(), TryReserveError> {
        if self.overflow.is_empty() {
            // Unlike a box, a vector reports a lack of memory.
            self.overflow = filled(Self::default(), 1)?;
        }
        self.overflow[0].reserve(1, self.mask - 1, key_of)?;
        self.overflow[0].insert(key, number, key_of)
    }

    /// Returns the line of this number, and its slot in the line, or `None` if it is in the overflow.
    #[inline]
    fn locate(&self, hash: u64, number: u32) -> Option<(usize, usize)> {
        let value = self.slot(hash, number);
        self.lines_of(hash).into_iter().find_map(|line| {
            let slot = self.lines[line].0.iter().position(|&other| other == value)?;
            Some((line, slot))
        })
    }

    /// Puts `new` in the slot of `old`, which has the same key.
    pub(crate) fn replace(&mut self, key: u128, old: u32, new: u32) {
        let hash = hash(key);
        match self.locate(hash, old) {
            Some((line, slot)) => self.lines[line].0[slot] = self.slot(hash, new),
            None => self.overflow[0].replace(next(key), old, new),
        }
    }

    #[inline(never)]
    pub(crate) fn remove(&mut self, key: u128, number: u32) {
        match self.locate(hash(key), number) {
            Some((line, slot)) => {
                let line = &mut self.lines[line];
                let last = line.used() - 1;
                line.0[slot] = line.0[last];
                line.0[last] = EMPTY;
            }
            None => self.overflow[0].remove(next(key), number),
        }
        self.len -= 1;
    }
}
