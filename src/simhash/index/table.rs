//! One block's table: the groups of equal fingerprints, in buckets by the leading bits of the block.
//!
//! The fingerprint is rotated so that the block comes first; the rotated value is its *key*. The *prefix* of a key selects
//! the bucket. An item has the 32 bits after the prefix, and then the entry of the group's head. So a probe reads one run of
//! memory, and looks up few of the fingerprints: 48 of their bits are known in 2^16 buckets. This is multi-index hashing with
//! buckets stored inline (Norouzi, Punjani and Fleet, "Fast Search in Hamming Space with Multi-Index Hashing", CVPR 2012).
//!
//! Invariants:
//! - The items of a bucket are in the order of their addition.
//! - `squares` is the sum of the squared bucket sizes.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;

use super::blocks::ball;
use crate::rows::columns::{allocated, filled};

/// The maximum `prefix` of a table.
const MAX_PREFIX: u32 = 24;

/// The average bucket size at which a table grows.
const FULL: usize = 16;

/// Cost of locating a bucket, in item comparisons: mostly cache misses.
const PROBE_COST: f64 = 24.0;

/// Fingerprints in `2^prefix` buckets.
#[derive(Clone)]
pub(crate) struct Table {
    bits: u32,
    /// The first bit of the block, counted from the highest.
    start: u32,
    /// The width of the block.
    pub width: u32,
    /// The number of leading bits of the block that select a bucket.
    pub prefix: u32,
    /// Empty until the first addition.
    buckets: Vec<Vec<u64>>,
    len: usize,
    /// The sum of the squares of the bucket sizes: divided by `len`, the size of the bucket that an average item is in.
    squares: u64,
}

impl Table {
    /// Creates an empty table of the block that starts at bit `start`.
    pub fn new(bits: u32, start: u32, width: u32) -> Self {
        Self { bits, start, width, prefix: 0, buckets: Vec::new(), len: 0, squares: 0 }
    }

    pub fn bytes(&self) -> usize {
        self.buckets.iter().map(allocated).sum::<usize>() + allocated(&self.buckets)
    }

    /// Returns the number of items that one probe compares on average, if queries resemble the fingerprints of the table.
    pub fn comparisons(&self) -> f64 {
        self.squares as f64 / self.len.max(1) as f64
    }

    /// Returns the average cost of probing within `radius`, in item comparisons.
    #[inline(never)]
    pub fn cost(&self, radius: u32) -> f64 {
        ball(self.prefix, radius) * (PROBE_COST + self.comparisons())
    }

    /// Returns the cost of reading all items, in item comparisons.
    pub fn cost_of_all(&self) -> f64 {
        self.len as f64 + 2.0 * f64::from(1 << self.prefix)
    }

    /// Returns the fingerprint as a number whose highest bits are the block: its first 64 bits.
    #[inline]
    fn key(&self, fingerprint: u128) -> u64 {
        match self.bits {
            32 => u64::from((fingerprint as u32).rotate_left(self.start)) << 32,
            64 => (fingerprint as u64).rotate_left(self.start),
            _ => (fingerprint.rotate_left(self.start) >> 64) as u64,
        }
    }

    /// Returns the bucket of a fingerprint, and the bits after the prefix.
    #[inline]
    pub fn bucket_and_rest(&self, fingerprint: u128) -> (usize, u32) {
        let key = self.key(fingerprint);
        let bucket = if self.prefix == 0 { 0 } else { key >> (64 - self.prefix) };
        (bucket as usize, (key << self.prefix >> 32) as u32)
    }

    /// Returns the number of bits of the prefix in which two fingerprints differ.
    #[inline]
    pub fn prefix_distance(&self, a: u128, b: u128) -> u32 {
        (self.bucket_and_rest(a).0 ^ self.bucket_and_rest(b).0).count_ones()
    }

    /// Returns the items of a bucket.
    #[inline]
    pub fn items(&self, bucket: usize) -> &[u64] {
        self.buckets.get(bucket).map_or(&[], Vec::as_slice)
    }

    /// Reserves capacity for this fingerprint. `spare`, from 0 to 1, delays growth, so that the tables of one index do not all
    /// grow at once. Returns whether the table has grown.
    pub fn reserve(
        &mut self,
        fingerprint: u128,
        spare: f64,
        fingerprint_of: &dyn Fn(u32) -> u128,
    ) -> Result<bool, TryReserveError> {
        let full = ((FULL << self.prefix) as f64 * (1.0 + spare)) as usize;
        let grows =
            self.buckets.is_empty() || self.len >= full && self.prefix < self.width.min(MAX_PREFIX);
        if grows {
            let prefix = if self.buckets.is_empty() { 0 } else { self.prefix + 1 };
            *self = self.with_buckets(prefix, fingerprint_of)?;
        }
        self.reserve_one(fingerprint)?;
        Ok(grows)
    }

    #[inline(never)]
    fn reserve_one(&mut self, fingerprint: u128) -> Result<(), TryReserveError> {
        let bucket = self.bucket_and_rest(fingerprint).0;
        let items = &mut self.buckets[bucket];
        // Doubling, as a vector does, would cost more memory than small items save.
        let more = if items.len() == items.capacity() { 2 + items.len() / 4 } else { 0 };
        items.try_reserve_exact(more)
    }

    /// Returns the same table with `2^prefix` buckets.
    #[inline(never)]
    fn with_buckets(
        &self,
        prefix: u32,
        fingerprint_of: &dyn Fn(u32) -> u128,
    ) -> Result<Self, TryReserveError> {
        let buckets = filled(Vec::new(), 1 << prefix)?;
        let mut new = Self { prefix, buckets, ..Self::new(self.bits, self.start, self.width) };
        for &item in self.buckets.iter().flatten() {
            let fingerprint = fingerprint_of(item as u32);
            new.reserve_one(fingerprint)?;
            new.push(fingerprint, item as u32);
        }
        Ok(new)
    }

    /// Adds a fingerprint that is not in the table and for which capacity is reserved.
    #[inline(never)]
    pub fn push(&mut self, fingerprint: u128, entry: u32) {
        let (bucket, rest) = self.bucket_and_rest(fingerprint);
        let items = &mut self.buckets[bucket];
        self.squares += 2 * items.len() as u64 + 1;
        self.len += 1;
        items.push(u64::from(rest) << 32 | u64::from(entry));
    }

    /// Removes the fingerprint that was added last.
    pub fn pop(&mut self, fingerprint: u128) {
        let bucket = self.bucket_and_rest(fingerprint).0;
        let items = &mut self.buckets[bucket];
        items.pop();
        self.squares -= 2 * items.len() as u64 + 1;
        self.len -= 1;
    }

    /// Removes all items, without an allocation.
    pub fn clear(&mut self) {
        *self = Self::new(self.bits, self.start, self.width);
    }
}
