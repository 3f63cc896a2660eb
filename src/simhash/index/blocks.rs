//! The pigeonhole principle: how a fingerprint is cut into blocks, and how far each block has to be searched.
//!
//! Cut two fingerprints into `m` blocks and give block *i* the *quota* `q[i]`, `d + 1` in all. If they differ in `q[i]` or more
//! bits within every block, they differ in `d + 1` or more altogether. So two fingerprints within `d` have a block that
//! differs in fewer bits than its quota. A search of each block within radius `q[i] - 1`, which skips blocks of quota 0, misses
//! nothing. With quotas of 1 this is the scheme of Manku, Jain and Das Sarma ("Detecting Near-Duplicates for Web Crawling", WWW
//! 2007); with larger ones, multi-index hashing (Norouzi, Punjani and Fleet, "Fast Search in Hamming Space with Multi-Index
//! Hashing", CVPR 2012) with radii as tight as they can be (Qin et al., "GPH: Similarity
//! Search in Hamming Space", ICDE 2018): compared with radius `d / m` in each of `m` equal blocks, quotas save up to `m - 1`
//! bits of radius in total.

use alloc::vec::Vec;

use crate::{
    Error,
    error::{decimal, hex},
    simhash::Width,
};

/// The maximum number of tables: 128 bits in blocks of 16.
pub(crate) const MAX_TABLES: usize = 8;

/// The largest distance for the widest fingerprints.
pub(crate) const MAX_DISTANCE: u32 = 32;

/// The quota of each table: a table is probed within radius `quota - 1`, or not at all if it is 0.
pub(crate) type Quotas = [u8; MAX_TABLES];

/// Returns the largest distance that the index and [`block_keys`] accept for a width of fingerprints: a quarter of the bits.
pub(crate) fn max_distance_of(bits: u32) -> u32 {
    bits / 4
}

pub(crate) fn check_distance(bits: u32, max_distance: u32) -> Result<(), Error> {
    let most = max_distance_of(bits);
    if max_distance > most {
        let requirement = ["at most ", &decimal(most), " for ", &decimal(bits), " bits"].concat();
        return Err(Error::number("max_distance", requirement, max_distance));
    }
    Ok(())
}

pub(crate) fn check_fingerprint(bits: u32, fingerprint: u128) -> Result<(), Error> {
    if bits < 128 && fingerprint >> bits != 0 {
        let requirement = ["a number of ", &decimal(bits), " bits"].concat();
        let got = ["0x", &hex(fingerprint, 1)].concat();
        return Err(Error::argument("fingerprint", requirement, got));
    }
    Ok(())
}

/// Returns the number of tables for `max_distance`: one more than the distance, but no block is narrower than 16 bits.
///
/// With narrower blocks, a million fingerprints make buckets of thousands; 16 bits with a radius are faster and smaller.
pub(crate) fn table_count(bits: u32, max_distance: u32) -> u32 {
    (max_distance + 1).min(bits / 16)
}

/// Returns the first bit, counted from the highest, and the width of every block when `bits` are cut into `count` nearly
/// equal ones.
pub(crate) fn cut(bits: u32, count: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..count).map(move |block| {
        let start = block * bits / count;
        (start, (block + 1) * bits / count - start)
    })
}

/// Returns the size of the Hamming ball: how many of the `2^width` values are within `radius` of a given one.
pub(crate) fn ball(width: u32, radius: u32) -> f64 {
    let (mut sum, mut choose) = (0.0, 1.0);
    for chosen in 0..=radius.min(width) {
        sum += choose;
        choose *= f64::from(width - chosen) / f64::from(chosen + 1);
    }
    sum
}

/// Iterates over all values of `width` bits with at most `radius` bits set, zero first.
#[derive(Clone, Debug)]
pub(crate) struct Flips {
    width: u32,
    radius: u32,
    weight: u32,
    next: u64,
}

impl Flips {
    pub(crate) fn new(width: u32, radius: u32) -> Self {
        Self { width, radius: radius.min(width), weight: 0, next: 0 }
    }
}

impl Iterator for Flips {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let value = self.next;
        if value >> self.width != 0 {
            return None;
        }
        self.next = if self.radius == self.width {
            // With all values, ascending order reads memory in order.
            value + 1
        } else if value != 0 {
            // The next larger number with as many bits set (HAKMEM, item 175).
            let lowest = value & value.wrapping_neg();
            let ripple = value + lowest;
            ripple | (value ^ ripple) >> (2 + lowest.trailing_zeros())
        } else {
            1 << self.width
        };
        if self.radius != self.width && self.next >> self.width != 0 {
            self.weight += 1;
            let first = (1 << self.weight) - 1;
            self.next = if self.weight <= self.radius { first } else { 1 << self.width };
        }
        Some(value as usize)
    }
}

/// Returns the keys under which an outside store (a SQL table, a key-value store) files a fingerprint, so that any two
/// fingerprints within `max_distance` share at least one key.
///
/// There are `max_distance + 1` keys. The fingerprint is cut, from its highest bit down, into as many blocks: block `i` of
/// `n` spans the bits from `i * bits / n` up to `(i + 1) * bits / n`, rounded down. Two fingerprints that differ in at most
/// `max_distance` bits agree in one block (Manku, Jain and Das Sarma 2007). Key `i` is `i << 32` plus the block, or where
/// blocks are wider than 32 bits, `i << width` plus the block, where `width` is the width of the widest block; keys of
/// different blocks differ. **This layout is stable:** stored keys stay valid.
///
/// A key is below 2^38 if blocks have 32 bits or fewer. With `max_distance` 0 it is the fingerprint itself. Otherwise the
/// fingerprint has 128 bits, and a key is below 2^65.
///
/// A shared key gives a candidate, not a match: compare the fingerprints. Keys depend on `max_distance`, so store and look
/// up with the same value.
///
/// # Errors
/// `max_distance` is above a quarter of the bits, or the fingerprint has more bits than `width`.
///
/// ```
/// use nearprint::simhash::{Width, block_keys};
///
/// let keys = block_keys(0x0123_4567_89ab_cdef, Width::W64, 3)?;
/// assert_eq!(keys, [0x0_0000_0123, 0x1_0000_4567, 0x2_0000_89ab, 0x3_0000_cdef]);
/// # Ok::<(), nearprint::Error>(())
/// ```
pub fn block_keys(fingerprint: u128, width: Width, max_distance: u32) -> Result<Vec<u128>, Error> {
    let bits = width.bits();
    check_distance(bits, max_distance)?;
    check_fingerprint(bits, fingerprint)?;
    let count = max_distance + 1;
    let shift = bits.div_ceil(count).max(32);
    let key = |(block, (start, width)): (usize, (u32, u32))| {
        let value = fingerprint >> (bits - start - width);
        // Only a single block is wider than 64 bits.
        if width == 128 { value } else { value & ((1 << width) - 1) | (block as u128) << shift }
    };
    Ok(cut(bits, count).enumerate().map(key).collect())
}
