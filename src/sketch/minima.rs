//! Minima: 36 hashes of a feature set, each the smallest by some measure, and the keys of the bands that they form.
//!
//! Two sets of up to some hundred features have a minimum in common with a probability near their resemblance *J*, and larger
//! ones with *J* / (2 - *J*), down to which the bins below reduce it. Three minima are a *band*, which two sets have in common
//! with the third power of this probability, *P*: so they share one of twelve bands with 1 - (1 - *P*)^12 (A. Broder et al.,
//! *Min-Wise Independent Permutations*, STOC 1998; J. Leskovec, A. Rajaraman and J. Ullman, *Mining of Massive Datasets*,
//! chapter 3).
//!
//! The minima come from one pass over the features, in two steps. The features fall into 256 bins by their highest bits, and
//! each bin keeps its smallest hash (one-permutation hashing: P. Li, A. Owen and C. Zhang, NIPS 2012). These *items* then fill
//! the slots by fast similarity sketching (S. Dahlgaard, M. Knudsen and M. Thorup, FOCS 2017): in each round every item falls
//! into a slot, until all slots are filled.

use super::sequence::SequenceHash;
use crate::hash::mix::{GOLDEN, fmix64};

/// The number of bands, each with a key.
pub(crate) const BANDS: usize = 12;
/// The number of keys of a document: one for each band, and the key of equality.
pub(crate) const KEYS: usize = BANDS + 1;
/// The number of minima in a band.
const ROWS: usize = 3;
const SLOTS: usize = BANDS * ROWS;

const BINS: usize = 256;

/// The rank of an empty bin. A feature of this rank is lost, one in 2^32.
const EMPTY: u32 = u32::MAX;

/// The keys of the bands of a text.
pub(crate) type BandKeys = [u64; BANDS];

/// The bins of a text in progress.
#[derive(Clone, Debug)]
pub(super) struct Bins {
    /// The smallest rank of each bin so far.
    ranks: [u32; BINS],
    /// A bit for each bin that has received a feature.
    filled: [u64; BINS / 64],
}

impl Bins {
    pub fn new() -> Self {
        Bins { ranks: [EMPTY; BINS], filled: [0; BINS / 64] }
    }

    /// Forgets the features.
    pub fn clear(&mut self) {
        self.ranks.fill(EMPTY);
        self.filled.fill(0);
    }

    /// Adds an evenly distributed feature hash. A duplicate changes nothing.
    #[inline]
    pub fn add(&mut self, hash: u64) {
        // The bin and the rank are disjoint bits of the hash, and so independent.
        let bin = (hash >> 56) as usize;
        self.ranks[bin] = self.ranks[bin].min((hash >> 24) as u32);
        self.filled[bin / 64] |= 1 << (bin % 64);
    }

    /// Returns the keys of the bands of the hashes added, all 0 without any.
    #[inline(never)]
    pub fn keys(&self) -> BandKeys {
        let mut items = [0; BINS];
        let mut len = 0;
        for (first, mut filled) in (0..).step_by(64).zip(self.filled) {
            while filled != 0 {
                let bin = first + filled.trailing_zeros() as usize;
                let rank = self.ranks[bin % BINS];
                items[len % BINS] = (bin as u64) << 32 | u64::from(rank);
                len += usize::from(rank != EMPTY);
                filled &= filled - 1;
            }
        }
        if len == 0 { [0; BANDS] } else { keys(&minima(&items[..len])) }
    }
}

/// Returns the minima of at least one item.
#[inline(never)]
fn minima(items: &[u64]) -> [u64; SLOTS] {
    let mut slots = [u64::MAX; SLOTS];
    // In the first rounds an item falls into any slot.
    for round in 0..SLOTS as u64 {
        for &item in items {
            let hash = hash_in(round, item);
            let slot = (((hash >> 32) * SLOTS as u64) >> 32) as usize;
            slots[slot] = slots[slot].min(value_in(round, hash));
        }
        if !slots.contains(&u64::MAX) {
            return slots;
        }
    }
    // In the later ones all fall into one slot, so all are filled. Those that are filled already have smaller values.
    for (round, slot) in (SLOTS as u64..).zip(&mut slots) {
        if *slot == u64::MAX {
            let values = items.iter().map(|&item| value_in(round, hash_in(round, item)));
            *slot = values.min().unwrap_or(*slot);
        }
    }
    slots
}

/// Returns the hash of an item in a round.
#[inline]
fn hash_in(round: u64, item: u64) -> u64 {
    let salt = (round + 1).wrapping_mul(GOLDEN);
    let hash = (item ^ salt).wrapping_mul(0xff51_afd7_ed55_8ccd);
    (hash ^ hash >> 32).wrapping_mul(0xc4ce_b9fe_1a85_ec53)
}

/// Returns what a slot keeps of a hash: any of an earlier round is smaller.
#[inline]
fn value_in(round: u64, hash: u64) -> u64 {
    round << 32 | hash & u64::from(u32::MAX)
}

/// Returns the keys of the bands of these minima.
fn keys(minima: &[u64; SLOTS]) -> BandKeys {
    let mut keys = [0; BANDS];
    for ((number, key), band) in (1..).zip(&mut keys).zip(minima.as_chunks::<ROWS>().0) {
        *key = band.iter().fold(number, |key, minimum| {
            fold(key, (minimum ^ minimum >> 29) & u64::from(u32::MAX))
        });
    }
    keys
}

/// Returns the key of equality, which equal documents have in common.
pub(crate) fn key_of_equality(sequence: SequenceHash) -> u64 {
    fold(fold(KEYS as u64, sequence.first), sequence.second)
}

fn fold(key: u64, value: u64) -> u64 {
    fmix64(key.wrapping_mul(GOLDEN) ^ value)
}
