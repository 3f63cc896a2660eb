//! What the database stores search by: a MinHash, and the margins of the fingerprint's bits, which direct probes.
//!
//! The stores still find candidates by blocks of the fingerprint. Sketches carry these two for them, and nothing else uses
//! them.

use alloc::{format, vec::Vec};

use crate::{
    Error,
    simhash::minima::{Bins, EMPTY},
};

/// The number of blocks of a fingerprint, each of 16 bits.
const BLOCKS: usize = 4;

/// The size in bytes of a MinHash: 256 bins of two bits.
pub(super) const MINHASH: usize = 64;
/// The size in bytes of a MinHash with margins.
pub(super) const WHOLE: usize = MINHASH + 32;

/// The MinHash of a document, and its margins if it was made from a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct StoreSearch {
    minhash: [u8; MINHASH],
    margins: Option<Margins>,
}

impl StoreSearch {
    pub fn new(bins: &Bins, sums: &[i64; 64]) -> Self {
        // A bin stores two bits of its smallest rank: 0 if it is empty, else 1 to 3 by its lowest 16 bits.
        let value =
            |rank: u32| if rank == EMPTY { 0 } else { 1 + (((rank & 0xffff) * 3) >> 16) as u8 };
        let mut minhash = [0; MINHASH];
        for (byte, bins) in minhash.iter_mut().zip(bins.ranks.as_chunks::<4>().0) {
            *byte = bins.iter().rev().fold(0, |byte, &rank| byte << 2 | value(rank));
        }
        StoreSearch { minhash, margins: Some(Margins::new(sums)) }
    }

    /// Reads what [`write_to`](Self::write_to) writes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (&minhash, rest) = bytes.split_first_chunk()?;
        let margins = if rest.is_empty() { None } else { Some(Margins(rest.try_into().ok()?)) };
        Some(StoreSearch { minhash, margins })
    }

    pub fn write_to(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.minhash);
        bytes.extend(self.margins.iter().flat_map(|margins| margins.0));
    }

    /// Returns the estimated resemblance of two MinHashes: of the bins filled in either, the share *J* is equal, and a third
    /// of the others that are filled in both are equal by chance.
    pub fn resemblance(&self, other: &Self) -> f64 {
        let (mut equal, mut both, mut either) = (0, 0, 0);
        let bins = |bytes: &[u8; MINHASH]| bytes.map(|byte| [0, 2, 4, 6].map(|at| byte >> at & 3));
        for (&a, &b) in
            bins(&self.minhash).as_flattened().iter().zip(bins(&other.minhash).as_flattened())
        {
            both += u32::from(a > 0 && b > 0);
            either += u32::from(a > 0 || b > 0);
            equal += u32::from(a > 0 && a == b);
        }
        match either {
            0 => 1.0,
            either => f64::from((3 * equal).saturating_sub(both)) / f64::from(2 * either),
        }
    }

    /// Returns `count` values of each block of the fingerprint, the highest block first, beginning with its own.
    pub fn probes(&self, fingerprint: u64, count: usize) -> Vec<u16> {
        let mut probes = Vec::with_capacity(BLOCKS * count);
        let mut flips = NO_FLIPS;
        self.margins.as_ref().unwrap_or(&Margins([u8::MAX; 32])).flips(count, &mut flips);
        for (at, flips) in flips.iter().enumerate() {
            let own = (fingerprint >> (48 - 16 * at)) as u16;
            probes.extend(flips[..count].iter().map(|flip| own ^ flip));
        }
        probes
    }
}

pub(super) fn check_probes(argument: &'static str, probes: usize) -> Result<(), Error> {
    if (1..=MAX_PROBES).contains(&probes) {
        return Ok(());
    }
    Err(Error::number(argument, format!("from 1 to {MAX_PROBES}"), probes))
}

const BLOCK_BITS: usize = 16;

/// The maximum number of probes of a block.
pub(super) const MAX_PROBES: usize = 256;

/// The sets of bits to flip in each block, the highest block first.
type Flips = [[u16; MAX_PROBES]; BLOCKS];

const NO_FLIPS: Flips = [[0; MAX_PROBES]; BLOCKS];

const MARGIN_BITS: usize = 4;

/// The largest margin that is stored.
const MAX_MARGIN: u64 = (1 << MARGIN_BITS) - 1;

/// The margins of the 64 bits of a fingerprint, relative to each other, from 0 to 15: four bits each, the lowest bit first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Margins([u8; 32]);

impl Margins {
    /// Returns the margins of these sums, in sixteenths of the mean absolute sum, so that the length of a text does not
    /// matter. A margin of 15/16 of the mean or more is stored as 15.
    fn new(sums: &[i64; 64]) -> Self {
        let mean = (sums.iter().map(|sum| sum.unsigned_abs()).sum::<u64>() / 64).max(1);
        // `16 * margin / mean` for all margins below the mean, with one division: exact for means below 2^28, at most 15 for all.
        let inverse = (1 << 60) / mean + u64::from(mean < 1 << 30);
        let level = |margin: u64| {
            if margin < mean { margin.wrapping_mul(inverse) >> 56 } else { MAX_MARGIN }
        };
        let mut packed = [0; 32];
        for (byte, [low, high]) in packed.iter_mut().zip(sums.as_chunks().0) {
            *byte = (level(high.unsigned_abs()) << MARGIN_BITS | level(low.unsigned_abs())) as u8;
        }
        Margins(packed)
    }

    /// Fills the first `count` flips of each block with the sets of bits that are most likely to differ from the query: in
    /// ascending order of the sum of the squared margins of their bits. The first is the empty set.
    fn flips(&self, count: usize, flips: &mut Flips) {
        let mut sets = Sets::new(count);
        for (block, flips) in flips.iter_mut().enumerate() {
            sets.clear();
            for (rank, bit) in self.ascending(block).into_iter().enumerate() {
                // A margin counts as the middle of its level, so that a bit of margin 0 has a cost too.
                let root = 2 * u64::from(bit >> 4) + 1;
                let item = (root * root) << 32 | 1 << (16 + rank) | 1 << (bit & 15);
                if !sets.add(item) {
                    break;
                }
            }
            for (flip, item) in flips[..count].iter_mut().zip(&sets.items) {
                *flip = *item as u16;
            }
        }
    }

    /// Returns the margins of a block in ascending order, each with the position of its bit in the lowest four bits.
    fn ascending(&self, block: usize) -> [u8; BLOCK_BITS] {
        let margins = u64::from_le_bytes(self.0.as_chunks().0[BLOCKS - 1 - block]);
        let mut bits = [0_u8; BLOCK_BITS];
        for (at, bit) in bits.iter_mut().enumerate() {
            *bit = (margins >> (MARGIN_BITS * at) << 4) as u8 | at as u8;
        }
        // Ranks by counting the smaller items, which the compiler vectorises.
        let mut ranks = [0_u8; BLOCK_BITS];
        for other in bits {
            for (rank, bit) in ranks.iter_mut().zip(bits) {
                *rank += u8::from(other < bit);
            }
        }
        let mut ascending = [0; BLOCK_BITS];
        for (rank, bit) in ranks.into_iter().zip(bits) {
            ascending[usize::from(rank) % BLOCK_BITS] = bit;
        }
        ascending
    }
}

/// The cheapest sets of bits, in ascending order.
///
/// An item is a set: its cost in the high half, then the ranks of its bits, which decide between equal costs, then the bits
/// themselves. So the item of a set with one bit more is the sum of both items.
struct Sets {
    /// The first `len` are in use; `len` is at most `most`.
    items: [u64; MAX_PROBES],
    len: usize,
    most: usize,
}

impl Sets {
    /// Creates a list for at most `most` sets.
    fn new(most: usize) -> Self {
        Sets { items: [0; MAX_PROBES], len: 0, most }
    }

    /// Leaves only the empty set.
    fn clear(&mut self) {
        self.items[0] = 0;
        self.len = 1;
    }

    /// Merges the sets with the same sets extended by this bit, and keeps the cheapest. Returns false if no extended set is
    /// kept; then none would be for a more expensive bit either.
    #[inline]
    fn add(&mut self, bit: u64) -> bool {
        let items = &mut self.items;
        // Keep the `most` cheapest sets: `without` sets without this bit, and `with` sets that have it.
        let mut with = self.len.min(self.most - self.len);
        let mut without = self.len;
        while with < without && items[with] + bit < items[without - 1] {
            with += 1;
            without -= 1;
        }
        self.len = with + without;
        if with == 0 {
            return false;
        }
        // Merge from the end, so that no item is overwritten before it is read. The next items of both lists are loaded
        // before the comparison, which is arithmetic: a branch would be mispredicted half of the time. The item before
        // the first is arbitrary.
        let before = |at: usize, by: usize| at.wrapping_sub(by) % MAX_PROBES;
        let (mut a, mut b) = (items[before(without, 1)], items[before(with, 1)] + bit);
        while with > 0 {
            let (next_a, next_b) = (items[before(without, 2)], items[before(with, 2)] + bit);
            items[without + with - 1] = a.max(b);
            let takes_b = a < b;
            (a, b) = if takes_b { (a, next_b) } else { (next_a, b) };
            with -= usize::from(takes_b);
            without -= usize::from(!takes_b);
        }
        true
    }
}
