//! One block's table: the fingerprints in buckets by the leading bits of the block.
//!
//! The fingerprint is rotated so that the block comes first; the rotated value is its *key*. A bucket stores the keys
//! themselves, without the leading bytes that the bucket's number implies. So a probe reads one run of memory and follows no
//! reference: 6 bytes for a 64-bit fingerprint in 2^16 buckets. This is multi-index hashing with buckets stored inline
//! (Norouzi, Punjani and Fleet, "Fast Search in Hamming Space with Multi-Index Hashing", CVPR 2012).
//!
//! Invariants:
//! - A table has no fingerprint twice.
//! - Buckets are in order in pages of 32, each an allocation of its own. `offsets` has, for every page, the first item of
//!   each of its buckets and the end of the last.
//! - `squares` is the sum of the squared bucket sizes.
//!
//! An insertion moves the first item of every later bucket of the page to the end of that bucket, which opens a gap for the
//! item; a removal does the reverse.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;
use core::ops::Range;

use super::blocks::ball;
use super::columns::{allocated, filled};
use super::entries::Entries;
use crate::hash::hamming::distance as hamming_distance;

/// The binary logarithm of the number of buckets in a page: an update moves at most one item of each.
pub(crate) const PAGE_BITS: u32 = 5;

/// The number of buckets in a page.
const PAGE: usize = 1 << PAGE_BITS;

/// The number of offsets in a page: the start of each bucket, and the end of the last.
const OFFSETS: usize = PAGE + 1;

/// The maximum `prefix` of a table.
const MAX_PREFIX: u32 = 24;

/// The average bucket size at which a table grows.
const FULL: usize = 16;

/// Cost of locating a bucket, in item comparisons: mostly cache misses.
const PROBE_COST: f64 = 24.0;

/// The size of a cache line in bytes.
const LINE: usize = 64;

/// The number of bytes after the last item of a page, so that 16 bytes can be read and written at any item.
const PADDING: usize = size_of::<u128>();

/// Calls a function with every key.
type EachKey<'a> = &'a dyn Fn(&mut dyn FnMut(u128));

/// The distinct fingerprints in `2^prefix` buckets.
#[derive(Clone)]
pub(crate) struct Table {
    bits: u32,
    /// The first bit of the block, counted from the highest.
    start: u32,
    /// The width of the block.
    width: u32,
    /// The number of leading bits of the block that select a bucket: there are `2^prefix` buckets.
    prefix: u32,
    /// A mask of these bits in a fingerprint.
    numbering: u128,
    /// The number of low bytes of a key that are stored.
    stride: usize,
    /// A mask of these bytes.
    mask: u128,
    offsets: Vec<u32>,
    /// The items' bytes, the padding, and spare capacity. A page without items may have no bytes.
    pages: Vec<Vec<u8>>,
    len: usize,
    /// The sum of the squared bucket sizes, from which [`comparisons`](Self::comparisons) is computed.
    squares: u64,
    /// The number of items when memory ran out during the last resize, otherwise `usize::MAX`.
    settled_len: usize,
}

impl Table {
    /// Creates an empty table of the block that starts at bit `start`, with `2^prefix` buckets, at least a page.
    pub(crate) fn new(
        bits: u32,
        start: u32,
        width: u32,
        prefix: u32,
    ) -> Result<Self, TryReserveError> {
        let pages = 1 << (prefix - PAGE_BITS);
        let stride = (bits - prefix).div_ceil(8) as usize;
        Ok(Self {
            bits,
            start,
            width,
            prefix,
            numbering: ((1 << prefix) - 1) << (bits - start - prefix),
            stride,
            mask: u128::MAX >> (128 - 8 * stride),
            offsets: filled(0, pages * OFFSETS)?,
            pages: filled(Vec::new(), pages)?,
            len: 0,
            squares: 0,
            settled_len: usize::MAX,
        })
    }

    /// Removes all items, without an allocation.
    pub(crate) fn clear(&mut self) {
        self.pages.iter_mut().for_each(|page| *page = Vec::new());
        self.offsets.fill(0);
        self.len = 0;
        self.squares = 0;
        self.settled_len = usize::MAX;
    }

    /// Returns a table of the same block with the fingerprints of `entries`, and a number of buckets to match.
    pub(crate) fn rebuilt(&self, entries: &Entries) -> Result<Self, TryReserveError> {
        self.with_keys(self.prefix_for(entries.distinct()), &|key| {
            entries.fingerprints().for_each(|fingerprint| key(self.key(fingerprint)));
        })
    }

    /// Returns the same table with `2^prefix` buckets.
    fn resized(&self, prefix: u32) -> Result<Self, TryReserveError> {
        self.with_keys(prefix, &|key| {
            for bucket in 0..self.buckets() {
                let implied = self.implied(bucket);
                self.items(bucket).for_each(|item| key(read_u128(item) & self.mask | implied));
            }
        })
    }

    /// Returns the prefix of a table of `len` items.
    fn prefix_for(&self, len: usize) -> u32 {
        (len / (FULL / 2)).max(1).ilog2().clamp(PAGE_BITS, self.width.min(MAX_PREFIX))
    }

    /// Returns a table of the same block with `2^prefix` buckets and the keys that `each_key` passes. Calls `each_key` twice.
    #[inline(never)]
    fn with_keys(&self, prefix: u32, each_key: EachKey<'_>) -> Result<Self, TryReserveError> {
        let mut new = Self::new(self.bits, self.start, self.width, prefix)?;
        each_key(&mut |key| {
            let bucket = new.bucket(key);
            new.offsets[bucket + (bucket >> PAGE_BITS)] += 1;
        });
        // Turns the sizes into starts.
        for (page, offsets) in new.pages.iter_mut().zip(new.offsets.chunks_exact_mut(OFFSETS)) {
            let mut next = 0;
            for offset in offsets {
                new.squares += u64::from(*offset) * u64::from(*offset);
                next += core::mem::replace(offset, next);
            }
            new.len += next as usize;
            *page = filled(0, next as usize * new.stride + PADDING)?;
        }
        each_key(&mut |key| {
            let bucket = new.bucket(key);
            let offset = &mut new.offsets[bucket + (bucket >> PAGE_BITS)];
            let at = *offset as usize * new.stride;
            put(&mut new.pages[bucket >> PAGE_BITS], at, key, new.mask);
            *offset += 1;
        });
        // Every offset is now the end of its bucket, where the next one starts.
        for offsets in new.offsets.chunks_exact_mut(OFFSETS) {
            offsets.copy_within(..PAGE, 1);
            offsets[0] = 0;
        }
        Ok(new)
    }

    /// Adapts the number of buckets to the number of items. Returns whether it has changed. `turn`, from 0 to 1, delays
    /// growth, so that the tables of one index do not all grow at once.
    ///
    /// If memory runs out, the table stays as it is: correct, but slower. It tries again when its size has changed by an
    /// eighth and by 64.
    pub(crate) fn fit(&mut self, turn: f64) -> bool {
        let full = ((FULL << self.prefix) as f64 * (1.0 + turn)) as usize;
        let prefix = if self.len > full {
            self.width.min(MAX_PREFIX).min(self.prefix + 1)
        } else if self.len < FULL << self.prefix >> 3 {
            self.prefix_for(self.len)
        } else {
            return false;
        };
        if prefix == self.prefix
            || self.len.abs_diff(self.settled_len)
                < (self.settled_len / 8).max(64).min(self.settled_len)
        {
            return false;
        }
        let Ok(resized) = self.resized(prefix) else {
            self.settled_len = self.len;
            return false;
        };
        *self = resized;
        true
    }

    pub(crate) fn prefix(&self) -> u32 {
        self.prefix
    }

    pub(crate) fn buckets(&self) -> usize {
        1 << self.prefix
    }

    pub(crate) fn width(&self) -> u32 {
        self.width
    }

    pub(crate) fn bytes(&self) -> usize {
        let pages: usize = self.pages.iter().map(allocated).sum();
        pages + allocated(&self.pages) + allocated(&self.offsets)
    }

    /// Returns the number of items that one probe compares on average, if queries resemble the fingerprints of the table.
    pub(crate) fn comparisons(&self) -> f64 {
        self.squares as f64 / self.len.max(1) as f64
    }

    /// Returns the average cost of probing within `radius`, in item comparisons.
    #[inline(never)]
    pub(crate) fn cost(&self, radius: u32) -> f64 {
        ball(self.prefix, radius) * (PROBE_COST + self.comparisons())
    }

    /// Returns the cost of reading all items, in item comparisons.
    pub(crate) fn cost_of_all(&self) -> f64 {
        self.len as f64 + 2.0 * self.buckets() as f64
    }

    #[inline(never)]
    pub(crate) fn key(&self, fingerprint: u128) -> u128 {
        rotate_left(fingerprint, self.start, self.bits)
    }

    #[inline(never)]
    pub(crate) fn fingerprint(&self, key: u128) -> u128 {
        rotate_left(key, self.bits - self.start, self.bits)
    }

    #[inline]
    pub(crate) fn bucket(&self, key: u128) -> usize {
        // The highest 64 bits of a key: shifting all 128 would be a call in WebAssembly.
        let top =
            if self.bits > 64 { (key >> 64) as u64 } else { (key as u64) << (64 - self.bits) };
        (top >> (64 - self.prefix)) as usize
    }

    /// Returns the number of bits of the prefix in which `a` and `b` differ.
    #[inline]
    pub(crate) fn prefix_distance(&self, a: u128, b: u128) -> u32 {
        hamming_distance(a & self.numbering, b & self.numbering)
    }

    /// Returns the bits of a key that are not stored, for the keys of one bucket.
    #[inline]
    fn implied(&self, bucket: usize) -> u128 {
        let free = self.bits - self.prefix;
        let shifted = (bucket as u64) << (free % 64);
        let key = if free < 64 { shifted.into() } else { u128::from(shifted) << 64 };
        key & !self.mask
    }

    /// Returns the numbers of the items of a bucket within its page.
    #[inline]
    fn range(&self, bucket: usize) -> Range<usize> {
        let at = bucket + (bucket >> PAGE_BITS);
        self.offsets[at] as usize..self.offsets[at + 1] as usize
    }

    /// Returns the items of a bucket, each as 16 bytes that begin with its `stride` bytes.
    #[inline(always)]
    fn items(&self, bucket: usize) -> impl Iterator<Item = &[u8]> {
        let range = self.range(bucket);
        let bytes = &self.pages[bucket >> PAGE_BITS][range.start * self.stride..];
        bytes.windows(PADDING).step_by(self.stride).take(range.len())
    }

    /// Returns the items of a bucket with padding after the last one, so that 16 bytes can be read at each: the input of
    /// [`scan`](Self::scan) and [`touch`].
    #[inline]
    pub(crate) fn stored(&self, bucket: usize) -> &[u8] {
        let Range { start, end } = self.range(bucket);
        if start == end {
            return &[];
        }
        let end = (end - 1) * self.stride + PADDING;
        &self.pages[bucket >> PAGE_BITS][start * self.stride..end]
    }

    /// Calls `hit` with the fingerprint and the distance of every item of `bucket` within `distance` of the key `query`.
    /// `stored` is what [`stored`](Self::stored) returns for the bucket.
    #[inline]
    pub(crate) fn scan(
        &self,
        bucket: usize,
        stored: &[u8],
        query: u128,
        distance: u32,
        mut hit: impl FnMut(u128, u32),
    ) {
        // The lowest bits of the number of a bucket are also stored.
        let low = self.prefix + 8 * self.stride as u32 - self.bits;
        let outside = ((bucket ^ self.bucket(query)) >> low).count_ones();
        let Some(within) = distance.checked_sub(outside) else { return };
        // Bits of the low half above the mask belong to the next item, and are shifted out.
        let above = (self.mask as u64).leading_zeros();
        // The compiler knows that 16 bytes are enough for a step of at most 16: one check an item instead of three.
        let step = self.stride.min(PADDING);
        let mut rest = stored;
        while let Some(item) = rest.first_chunk::<PADDING>() {
            // The low half almost always decides: it holds all of a 64-bit item, and few low halves of 128 bits are near.
            if ((read_u64(item) ^ query as u64) << above).count_ones() <= within {
                let key = read_u128(item) & self.mask | self.implied(bucket);
                let differing = hamming_distance(key, query);
                if differing <= distance {
                    hit(self.fingerprint(key), differing);
                }
            }
            rest = &rest[step..];
        }
    }

    /// Appends the keys of `bucket`.
    pub(crate) fn read(&self, bucket: usize, keys: &mut Vec<u128>) -> Result<(), TryReserveError> {
        let implied = self.implied(bucket);
        keys.try_reserve(self.range(bucket).len())?;
        keys.extend(self.items(bucket).map(|item| read_u128(item) & self.mask | implied));
        Ok(())
    }

    /// Reserves capacity for this fingerprint.
    pub(crate) fn reserve(&mut self, fingerprint: u128) -> Result<(), TryReserveError> {
        let page = self.bucket(self.key(fingerprint)) >> PAGE_BITS;
        let bytes = &mut self.pages[page];
        let size = (self.offsets[page * OFFSETS + PAGE] as usize + 1) * self.stride + PADDING;
        if size > bytes.len() {
            // A sixteenth of slack: doubling, as a vector does, would cost more memory than short keys save.
            bytes.try_reserve_exact(size / 16 + size - bytes.len())?;
            bytes.resize(bytes.capacity(), 0);
        }
        Ok(())
    }

    /// Adds a fingerprint that is not in the table and for which capacity is reserved.
    #[inline(never)]
    pub(crate) fn insert(&mut self, fingerprint: u128) {
        let key = self.key(fingerprint);
        let bucket = self.bucket(key);
        let (stride, mask) = (self.stride, self.mask);
        let offsets = &mut self.offsets[(bucket >> PAGE_BITS) * OFFSETS..][..OFFSETS];
        let bytes = &mut self.pages[bucket >> PAGE_BITS];
        let at = bucket % PAGE;
        self.squares += 2 * u64::from(offsets[at + 1] - offsets[at]) + 1;
        let mut gap = offsets[PAGE] as usize * stride;
        for next in (at + 1..OFFSETS).rev() {
            // The first item of bucket `next` moves to its end.
            let start = offsets[next] as usize * stride;
            if next < PAGE && start != gap {
                let moved = read_u128(&bytes[start..]);
                put(bytes, gap, moved, mask);
            }
            gap = start;
            offsets[next] += 1;
        }
        put(bytes, gap, key, mask);
        self.len += 1;
    }

    #[inline(never)]
    pub(crate) fn remove(&mut self, fingerprint: u128) {
        let key = self.key(fingerprint);
        let bucket = self.bucket(key);
        let (stride, mask) = (self.stride, self.mask);
        let place = self.items(bucket).position(|item| (read_u128(item) ^ key) & mask == 0);
        let place = place.expect("the fingerprint is in the table");
        let offsets = &mut self.offsets[(bucket >> PAGE_BITS) * OFFSETS..][..OFFSETS];
        let bytes = &mut self.pages[bucket >> PAGE_BITS];
        let at = bucket % PAGE;
        self.squares -= 2 * u64::from(offsets[at + 1] - offsets[at]) - 1;
        let mut gap = (offsets[at] as usize + place) * stride;
        for end in &mut offsets[at + 1..] {
            *end -= 1;
            let last = *end as usize * stride;
            let moved = read_u128(&bytes[last..]);
            put(bytes, gap, moved, mask);
            gap = last;
        }
        self.len -= 1;
    }
}

/// Reads a byte of each cache line of a bucket. Returns a value that depends on all of them, so the reads are not optimised away.
#[inline]
pub(crate) fn touch(stored: &[u8]) -> u8 {
    let lines = stored.chunks(LINE).map(|line| line[0]);
    lines.fold(stored.last().map_or(0, |&last| last), |read, byte| read | byte)
}

/// Rotates the low `bits` bits of `value` left.
#[inline]
fn rotate_left(value: u128, by: u32, bits: u32) -> u128 {
    match bits {
        32 => (value as u32).rotate_left(by).into(),
        64 => (value as u64).rotate_left(by).into(),
        _ => value.rotate_left(by),
    }
}

/// Returns the first eight of at least 16 bytes, as a number.
#[inline]
fn read_u64(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(*bytes.first_chunk().expect("an item and its padding"))
}

/// Returns the first sixteen of at least 16 bytes, as a number.
#[inline]
fn read_u128(bytes: &[u8]) -> u128 {
    u128::from_le_bytes(*bytes.first_chunk().expect("an item and its padding"))
}

/// Writes the bits of `value` in `mask` to `bytes[at..]`. Two loads and two stores: a copy of a few bytes is a call.
#[inline]
fn put(bytes: &mut [u8], at: usize, value: u128, mask: u128) {
    let place = bytes[at..].first_chunk_mut().expect("an item and its padding");
    *place = (u128::from_le_bytes(*place) & !mask | value & mask).to_le_bytes();
}
