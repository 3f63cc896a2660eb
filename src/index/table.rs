//! One block's table: the fingerprints in buckets by the leading bits of the block.

use alloc::vec::Vec;
use core::ops::Range;

use super::blocks::ball;
use super::word::{Word, low_mask, rotate_left, rotate_right};

/// Log2 of the buckets in a group: an update moves at most one item of each.
const GROUP: u32 = 5;

/// The most bits that number buckets.
const MOST_BITS: u32 = 24;

/// Items to a bucket, on average, before a table grows.
const FULL: usize = 16;

/// What finding a bucket costs, in items compared (cache misses, mostly; measured).
const PROBE: f64 = 24.0;

/// Distinct fingerprints in `2^prefix` buckets by the leading bits of one block.
///
/// The fingerprint is rotated so that the block comes first; the rotated value is its *key*. A bucket stores the keys
/// themselves, whole but for the leading bytes that the bucket's number implies, so a probe reads one run of memory and
/// never follows a reference: 6 bytes for a 64-bit fingerprint in 2^16 buckets.
///
/// Buckets lie one behind the other in groups of 32, each group an allocation of its own. An insertion moves the first
/// item of every later bucket of the group behind its last, which opens a hole where it is wanted; a removal does the
/// reverse. So there is no second, dynamic structure to search and nothing to merge.
#[derive(Clone)]
pub(crate) struct Table<W> {
    bits: u32,
    /// First bit of the block, counted from the highest.
    start: u32,
    /// Width of the block.
    width: u32,
    /// How many of its bits number the buckets.
    prefix: u32,
    /// Bytes of a key that are stored.
    stride: usize,
    /// For every group the first item of each of its buckets, and the end of the last.
    offsets: Vec<u32>,
    /// The items' bytes, and padding so that a whole `W` can be read at the last.
    groups: Vec<Vec<u8>>,
    len: usize,
    /// Sum of the squared bucket sizes: what a query that is like the fingerprints held has to look at.
    squares: u64,
    word: core::marker::PhantomData<W>,
}

impl<W: Word> Table<W> {
    /// An empty table of the block that starts at bit `start`, with buckets for about `expected` fingerprints.
    pub(crate) fn new(bits: u32, start: u32, width: u32, expected: usize) -> Self {
        let prefix = (expected / (FULL / 2)).max(1).ilog2().clamp(GROUP, width.min(MOST_BITS));
        let stride = (bits - prefix).div_ceil(8) as usize;
        let groups = 1 << (prefix - GROUP);
        Self {
            bits,
            start,
            width,
            prefix,
            stride,
            offsets: alloc::vec![0; groups * ((1 << GROUP) + 1)],
            groups: alloc::vec![alloc::vec![0; W::BYTES]; groups],
            len: 0,
            squares: 0,
            word: core::marker::PhantomData,
        }
    }

    /// Fills an empty table; `fingerprints` are distinct and come twice, once to count and once to store.
    fn fill(&mut self, fingerprints: impl Iterator<Item = W> + Clone) {
        const STEP: usize = (1 << GROUP) + 1;
        for fingerprint in fingerprints.clone() {
            let bucket = self.bucket(self.key(fingerprint));
            self.offsets[bucket + (bucket >> GROUP)] += 1;
        }
        for (group, offsets) in self.groups.iter_mut().zip(self.offsets.chunks_exact_mut(STEP)) {
            let mut next = 0;
            for offset in offsets {
                self.squares += u64::from(*offset) * u64::from(*offset);
                next += core::mem::replace(offset, next);
            }
            self.len += next as usize;
            *group = alloc::vec![0; next as usize * self.stride + W::BYTES];
        }
        for fingerprint in fingerprints {
            let key = self.key(fingerprint);
            let bucket = self.bucket(key);
            let offset = &mut self.offsets[bucket + (bucket >> GROUP)];
            key.store(
                &mut self.groups[bucket >> GROUP],
                *offset as usize * self.stride,
                self.stride,
            );
            *offset += 1;
        }
        // Every offset now is its bucket's end, which is where the next one starts.
        for offsets in self.offsets.chunks_exact_mut(STEP) {
            offsets.copy_within(..STEP - 1, 1);
            offsets[0] = 0;
        }
    }

    /// Whether there are too few buckets, or far too many. `turn`, from 0 to 1, puts growing off, so that the tables of one index do not all grow at once.
    pub(crate) fn misfit(&self, turn: f64) -> bool {
        let full = ((FULL << self.prefix) as f64 * (1.0 + turn)) as usize;
        let grow = self.len > full && self.prefix < self.width.min(MOST_BITS);
        let shrink = self.len < 2 << self.prefix && self.prefix > GROUP;
        grow || shrink
    }

    /// Builds the table anew, with as many buckets as the fingerprints ask for.
    pub(crate) fn rebuild(&mut self, count: usize, fingerprints: impl Iterator<Item = W> + Clone) {
        // The old table goes before the new one comes: memory peaks lower.
        self.groups = Vec::new();
        *self = Self::new(self.bits, self.start, self.width, count);
        self.fill(fingerprints);
    }

    pub(crate) fn prefix(&self) -> u32 {
        self.prefix
    }

    pub(crate) fn buckets(&self) -> usize {
        1 << self.prefix
    }

    pub(crate) fn block(&self) -> (u32, u32) {
        (self.start, self.width)
    }

    pub(crate) fn bytes(&self) -> usize {
        let groups: usize =
            self.groups.iter().map(|group| group.capacity() + size_of::<Vec<u8>>()).sum();
        groups + self.offsets.capacity() * size_of::<u32>()
    }

    /// What probing within `radius` costs on average, in items compared.
    pub(crate) fn cost(&self, radius: u32) -> f64 {
        ball(self.prefix, radius) * (PROBE + self.squares as f64 / self.len.max(1) as f64)
    }

    /// What going through everything costs.
    pub(crate) fn cost_of_all(&self) -> f64 {
        self.len as f64 + 2.0 * self.buckets() as f64
    }

    pub(crate) fn key(&self, fingerprint: W) -> W {
        rotate_left(fingerprint, self.start, self.bits)
    }

    pub(crate) fn fingerprint(&self, key: W) -> W {
        rotate_right(key, self.start, self.bits)
    }

    pub(crate) fn bucket(&self, key: W) -> usize {
        (key >> (self.bits - self.prefix)).low() as usize
    }

    /// How many bits of the prefix `a` and `b` differ in.
    pub(crate) fn prefix_distance(&self, a: W, b: W) -> u32 {
        (self.key(a ^ b) >> (self.bits - self.prefix)).count_ones()
    }

    /// The bits of a key that are stored.
    fn stored(&self) -> W {
        low_mask(8 * self.stride as u32)
    }

    /// The bits of a key that are not stored, for the keys of one bucket.
    fn high(&self, bucket: usize) -> W {
        W::from_u128(bucket as u128) << (self.bits - self.prefix) & !self.stored()
    }

    #[inline]
    fn run(&self, bucket: usize) -> Run<'_> {
        let (group, at) = (bucket >> GROUP, bucket + (bucket >> GROUP));
        let items = self.offsets[at] as usize..self.offsets[at + 1] as usize;
        Run { bytes: &self.groups[group], items }
    }

    /// Reads a byte of a bucket, to have it in the cache.
    #[inline]
    pub(crate) fn touch(&self, bucket: usize) -> u8 {
        let run = self.run(bucket);
        run.bytes[run.items.start * self.stride]
    }

    /// Calls `hit` with the key and the distance of every item of `bucket` within `distance` of the key `query`.
    #[inline]
    pub(crate) fn scan(&self, bucket: usize, query: W, distance: u32, mut hit: impl FnMut(W, u32)) {
        let (run, high, stored) = (self.run(bucket), self.high(bucket), self.stored());
        let query = query ^ high;
        for at in run.items {
            let low = W::load(run.bytes, at * self.stride) & stored;
            let differing = (low ^ query).count_ones();
            if differing <= distance {
                hit(low | high, differing);
            }
        }
    }

    /// Appends the keys of `bucket`.
    pub(crate) fn read(&self, bucket: usize, keys: &mut Vec<W>) {
        let (run, high, stored) = (self.run(bucket), self.high(bucket), self.stored());
        keys.extend(run.items.map(|at| W::load(run.bytes, at * self.stride) & stored | high));
    }

    /// Adds a fingerprint that is not in the table.
    pub(crate) fn insert(&mut self, fingerprint: W) {
        let key = self.key(fingerprint);
        let bucket = self.bucket(key);
        let (group, first) = (bucket >> GROUP, bucket + (bucket >> GROUP));
        let end = (group + 1) * ((1 << GROUP) + 1) - 1;
        let bytes = &mut self.groups[group];
        let size = (self.offsets[end] as usize + 1) * self.stride + W::BYTES;
        if size > bytes.capacity() {
            // A sixteenth of slack: growing by half, as a vector does, would cost more memory than the keys save.
            bytes.reserve_exact(size / 16 + size - bytes.len());
        }
        bytes.resize(size, 0);
        self.squares += 2 * u64::from(self.offsets[first + 1] - self.offsets[first]) + 1;
        let mut hole = self.offsets[end] as usize;
        for next in (first + 1..end).rev() {
            let start = self.offsets[next] as usize;
            if start != hole {
                bytes.copy_within(
                    start * self.stride..(start + 1) * self.stride,
                    hole * self.stride,
                );
            }
            hole = start;
            self.offsets[next + 1] += 1;
        }
        self.offsets[first + 1] += 1;
        key.store(bytes, hole * self.stride, self.stride);
        self.len += 1;
    }

    /// Takes a fingerprint out.
    pub(crate) fn remove(&mut self, fingerprint: W) {
        let key = self.key(fingerprint);
        let bucket = self.bucket(key);
        let (group, first) = (bucket >> GROUP, bucket + (bucket >> GROUP));
        let end = (group + 1) * ((1 << GROUP) + 1) - 1;
        let (stride, stored) = (self.stride, self.stored());
        let bytes = &mut self.groups[group];
        let mut items = self.offsets[first] as usize..self.offsets[first + 1] as usize;
        let Some(mut hole) = items.find(|at| W::load(bytes, at * stride) & stored == key & stored)
        else {
            return;
        };
        self.squares -= 2 * u64::from(self.offsets[first + 1] - self.offsets[first]) - 1;
        for next in first + 1..=end {
            let last = self.offsets[next] as usize - 1;
            if last != hole {
                bytes.copy_within(last * stride..(last + 1) * stride, hole * stride);
            }
            hole = last;
            self.offsets[next] -= 1;
        }
        bytes.truncate(self.offsets[end] as usize * stride + W::BYTES);
        self.len -= 1;
    }
}

/// A bucket: items `items` of a group's bytes.
struct Run<'a> {
    bytes: &'a [u8],
    items: Range<usize>,
}
