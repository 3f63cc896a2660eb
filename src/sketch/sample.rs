//! A sample of the different features of a text.
//!
//! In: the hashes of all features, with repetitions. Out: the second hashes of at most [`MAX_FEATURES`] different ones, those with
//! the most leading zeros. A second hash is independent of the first, which the minima are made of.
//!
//! A small hash table removes repetitions. Anyone can write a text whose features collide in it, so a search takes at most
//! [`MAX_STEPS`] slots; once a feature finds none, the sample keeps repetitions, and removes them by sorting when it is full.

use alloc::vec::Vec;

use crate::{features::BATCH_FEATURES, hash::fmix64, sort::sort};

/// The maximum number of features in a sample.
pub(super) const MAX_FEATURES: usize = 400;

/// Makes the second hash of a feature independent of the first.
const SECOND: u64 = 0x2545_f491_4f6c_dd1d;

/// The minimum and the maximum number of slots of the table. It has at most [`MAX_FEATURES`] features, and the features of one batch.
const MIN_SLOTS: usize = 1 << 6;
const MAX_SLOTS: usize = 1 << 10;

/// The maximum number of slots that a search examines. Evenly distributed features never need more in practice.
const MAX_STEPS: usize = 64;

/// The different features of a text in progress that have at least `level` leading zeros.
#[derive(Clone, Debug, Default)]
pub(super) struct Sample {
    /// Second hashes, from index 1 on.
    hashes: Vec<u64>,
    len: usize,
    level: u32,
    /// The indices of hashes, with linear probing; 0 for a free slot. The first `size`, a power of two, are in use.
    slots: Vec<u16>,
    size: usize,
    /// Whether a feature found no slot. Then features may be there twice, and the table is not used until the next text.
    may_repeat: bool,
}

impl Sample {
    /// Starts a text of `bytes` bytes, or 0 if its length is unknown.
    pub fn start(&mut self, bytes: usize) {
        (self.len, self.level, self.may_repeat) = (0, 0, false);
        self.slots.resize(MAX_SLOTS, 0);
        self.hashes.resize(1 + MAX_FEATURES + BATCH_FEATURES, 0);
        let wanted = if bytes == 0 { MAX_SLOTS } else { bytes };
        self.size = wanted.next_power_of_two().clamp(MIN_SLOTS, MAX_SLOTS);
        self.slots[..self.size].fill(0);
    }

    /// Returns the second hash of a feature.
    #[inline]
    pub fn second(hash: u64) -> u64 {
        fmix64(hash ^ SECOND)
    }

    /// Returns the largest second hash that counts.
    #[inline]
    pub fn largest(&self) -> u64 {
        u64::MAX >> self.level
    }

    /// Adds second hashes that count: at most [`BATCH_FEATURES`].
    #[inline(never)]
    pub fn add_all(&mut self, mut hashes: &[u64]) {
        if self.size < MAX_SLOTS && 2 * (self.len + hashes.len()) > self.size {
            self.size = MAX_SLOTS;
            self.fill_slots();
        }
        if !self.may_repeat {
            hashes = self.add_new(hashes);
        }
        if !hashes.is_empty() {
            self.hashes[1 + self.len..][..hashes.len()].copy_from_slice(hashes);
            self.len += hashes.len();
        }
        if self.len > MAX_FEATURES {
            self.reduce();
        }
    }

    /// Adds those hashes that are new, and their slots, until one finds no slot. Returns this one and those after it.
    #[inline]
    fn add_new<'h>(&mut self, mut hashes: &'h [u64]) -> &'h [u64] {
        let (to, slots, mut len) = (&mut self.hashes[..], &mut self.slots[..self.size], self.len);
        let mask = slots.len() - 1;
        while let Some((&hash, rest)) = hashes.split_first() {
            // Writes the hash as a new feature. A free slot stands for it, so the search ends there. Whether a feature is new is
            // unpredictable, so no branch depends on it.
            let new = len + 1;
            to[new] = hash;
            let (mut slot, mut steps) = (hash as usize & mask, 0);
            let index = loop {
                let index = match usize::from(slots[slot]) {
                    0 => new,
                    index => index,
                };
                if to[index] == hash {
                    break index;
                }
                slot = (slot + 1) & mask;
                steps += 1;
                if steps == MAX_STEPS {
                    (self.len, self.may_repeat) = (len, true);
                    return hashes;
                }
            };
            slots[slot] = index as u16;
            len += usize::from(index == new);
            hashes = rest;
        }
        self.len = len;
        hashes
    }

    /// Removes repetitions, and raises the level while there are too many features.
    #[cold]
    #[inline(never)]
    fn reduce(&mut self) {
        self.hashes.copy_within(1..=self.len, 0);
        self.hashes.truncate(self.len);
        if self.may_repeat {
            sort(&mut self.hashes);
            self.hashes.dedup();
        }
        while self.hashes.len() > MAX_FEATURES {
            self.level += 1;
            self.hashes.retain(|hash| hash.leading_zeros() >= self.level);
        }
        self.len = self.hashes.len();
        self.hashes.insert(0, 0);
        self.hashes.resize(1 + MAX_FEATURES + BATCH_FEATURES, 0);
        self.fill_slots();
    }

    /// Makes the table anew, unless it is not used.
    #[cold]
    #[inline(never)]
    fn fill_slots(&mut self) {
        let slots = &mut self.slots[..self.size];
        let mask = slots.len() - 1;
        slots.fill(0);
        for (index, &hash) in (1..).zip(&self.hashes[1..][..self.len]) {
            if self.may_repeat {
                return;
            }
            let probed = (0..MAX_STEPS).map(|step| (hash as usize).wrapping_add(step) & mask);
            let free = probed.into_iter().find(|&slot| slots[slot] == 0);
            match free {
                Some(slot) => slots[slot] = index,
                None => self.may_repeat = true,
            }
        }
    }

    /// Ends the text.
    pub fn finish(&mut self) {
        if self.may_repeat {
            self.reduce();
        }
    }

    /// Returns the number of features so far, at most [`MAX_FEATURES`]; with repetitions until the text has ended.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns the second hashes of a text that has ended, in any order, each once.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes[1..][..self.len]
    }

    /// Returns the smallest number of leading zeros in the sample, which is the smallest for which the features fit.
    pub fn level(&self) -> u32 {
        self.level
    }
}
