//! One block's table: the fingerprints in buckets by the leading bits of the block.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;
use core::ops::Range;

use super::blocks::ball;
use super::columns::held;
use super::entries::Entries;

/// Log2 of the buckets in a group: an update moves at most one item of each.
const GROUP: u32 = 5;

/// Buckets of a group, and the end of the last.
const STEP: usize = (1 << GROUP) + 1;

/// The most bits that number buckets.
const MOST_BITS: u32 = 24;

/// Items to a bucket, on average, before a table grows.
const FULL: usize = 16;

/// What finding a bucket costs, in items compared (cache misses, mostly; measured).
const PROBE: f64 = 24.0;

/// Bytes behind the last item of a group, so that a whole word can be read and written at any.
const PADDING: usize = size_of::<u128>();

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
pub(crate) struct Table {
    bits: u32,
    /// First bit of the block, counted from the highest.
    start: u32,
    /// Width of the block.
    width: u32,
    /// How many of its bits number the buckets.
    prefix: u32,
    /// These bits, where they are in a fingerprint.
    numbering: u128,
    /// Bytes of a key that are stored, the lowest ones, and a mask of these.
    stride: usize,
    mask: u128,
    /// For every group the first item of each of its buckets, and the end of the last.
    offsets: Vec<u32>,
    /// The items' bytes, padding so that a whole word can be read at the last, and room for more.
    groups: Vec<Vec<u8>>,
    len: usize,
    /// Sum of the squared bucket sizes: what a query that is like the fingerprints held has to look at.
    squares: u64,
}

impl Table {
    /// An empty table of the block that starts at bit `start`, with buckets for about `expected` fingerprints.
    pub(crate) fn new(bits: u32, start: u32, width: u32, expected: usize) -> Self {
        let prefix = (expected / (FULL / 2)).max(1).ilog2().clamp(GROUP, width.min(MOST_BITS));
        Self::with_buckets(bits, start, width, prefix)
    }

    fn with_buckets(bits: u32, start: u32, width: u32, prefix: u32) -> Self {
        let groups = 1 << (prefix - GROUP);
        let stride = (bits - prefix).div_ceil(8) as usize;
        Self {
            bits,
            start,
            width,
            prefix,
            numbering: ((1 << prefix) - 1) << (bits - start - prefix),
            stride,
            mask: u128::MAX >> (128 - 8 * stride),
            offsets: alloc::vec![0; groups * STEP],
            groups: alloc::vec![Vec::new(); groups],
            len: 0,
            squares: 0,
        }
    }

    /// Builds the table anew, with as many buckets as the distinct fingerprints ask for.
    #[inline(never)]
    pub(crate) fn rebuild(&mut self, entries: &Entries) {
        // The old table goes before the new one comes: memory peaks lower.
        self.groups = Vec::new();
        *self = Self::new(self.bits, self.start, self.width, entries.distinct());
        for storing in [false, true] {
            for fingerprint in entries.fingerprints() {
                let key = rotate_left(fingerprint, self.start, self.bits);
                let bucket = self.bucket(key);
                let offset = &mut self.offsets[bucket + (bucket >> GROUP)];
                if storing {
                    let at = *offset as usize * self.stride;
                    put(&mut self.groups[bucket >> GROUP], at, key, self.mask);
                }
                *offset += 1;
            }
            for (group, offsets) in self.groups.iter_mut().zip(self.offsets.chunks_exact_mut(STEP))
            {
                if storing {
                    // Every offset now is its bucket's end, which is where the next one starts.
                    offsets.copy_within(..STEP - 1, 1);
                    offsets[0] = 0;
                    continue;
                }
                let mut next = 0;
                for offset in offsets {
                    self.squares += u64::from(*offset) * u64::from(*offset);
                    next += core::mem::replace(offset, next);
                }
                self.len += next as usize;
                *group = alloc::vec![0; next as usize * self.stride + PADDING];
            }
        }
    }

    /// Gives the table as many buckets as it needs; true if that is another number. `turn`, from 0 to 1, puts growing off,
    /// so that the tables of one index do not all grow at once.
    pub(crate) fn fit(&mut self, turn: f64, entries: &Entries) -> bool {
        let full = ((FULL << self.prefix) as f64 * (1.0 + turn)) as usize;
        if self.len > full && self.prefix < self.width.min(MOST_BITS) {
            self.split();
            true
        } else if self.len < 2 << self.prefix && self.prefix > GROUP {
            self.rebuild(entries);
            true
        } else {
            false
        }
    }

    /// Doubles the buckets. Each becomes two neighbours, so memory is read and written in order, and every group is freed
    /// as soon as it is done with: a fraction of the time and of the memory that building anew takes.
    #[inline(never)]
    fn split(&mut self) {
        let new = Self::with_buckets(self.bits, self.start, self.width, self.prefix + 1);
        let mut old = core::mem::replace(self, new);
        let mut bytes = Vec::new();
        for bucket in 0..self.buckets() {
            let (group, place) = (bucket >> GROUP, bucket + (bucket >> GROUP));
            let (implied, start) = (old.implied(bucket / 2), bytes.len());
            for word in old.words(bucket / 2) {
                let key = whole(word) & old.mask | implied;
                if self.bucket(key) == bucket {
                    let end = bytes.len();
                    bytes.resize(end + PADDING, 0);
                    put(&mut bytes, end, key, self.mask);
                    bytes.truncate(end + self.stride);
                }
            }
            let size = ((bytes.len() - start) / self.stride) as u64;
            self.squares += size * size;
            self.offsets[place + 1] = (bytes.len() / self.stride) as u32;
            if bucket % (STEP - 1) == STEP - 2 {
                bytes.resize(bytes.len() + PADDING, 0);
                self.groups[group] = bytes.clone();
                bytes.clear();
                // Of two new groups, the second takes the last of the old one.
                if group % 2 == 1 {
                    old.groups[group / 2] = Vec::new();
                }
            }
        }
        self.len = old.len;
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
        let groups: usize = self.groups.iter().map(held).sum();
        groups + held(&self.groups) + held(&self.offsets)
    }

    /// What probing within `radius` costs on average, in items compared.
    #[inline(never)]
    pub(crate) fn cost(&self, radius: u32) -> f64 {
        ball(self.prefix, radius) * (PROBE + self.squares as f64 / self.len.max(1) as f64)
    }

    /// What going through everything costs.
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

    /// The leading 16 bits of a key.
    #[inline]
    pub(crate) fn block(&self, key: u128) -> u16 {
        (key >> (self.bits - 16)) as u16
    }

    /// How many bits of the prefix `a` and `b` differ in.
    #[inline]
    pub(crate) fn prefix_distance(&self, a: u128, b: u128) -> u32 {
        ((a ^ b) & self.numbering).count_ones()
    }

    /// The bits of a key that are not stored, for the keys of one bucket.
    #[inline]
    fn implied(&self, bucket: usize) -> u128 {
        let free = self.bits - self.prefix;
        let shifted = (bucket as u64) << (free % 64);
        let key = if free < 64 { shifted.into() } else { u128::from(shifted) << 64 };
        key & !self.mask
    }

    /// Where the items of a bucket are, and in which group.
    #[inline]
    fn items(&self, bucket: usize) -> Range<usize> {
        let at = bucket + (bucket >> GROUP);
        self.offsets[at] as usize..self.offsets[at + 1] as usize
    }

    /// The items of a bucket, each with what follows it.
    #[inline]
    fn words(&self, bucket: usize) -> impl Iterator<Item = &[u8]> {
        let items = self.items(bucket);
        let bytes = self.groups[bucket >> GROUP].get(items.start * self.stride..);
        bytes.unwrap_or_default().windows(PADDING).step_by(self.stride).take(items.len())
    }

    /// Reads the first byte of a bucket and the last, to have it in the cache.
    #[inline]
    pub(crate) fn touch(&self, bucket: usize) -> u8 {
        let (items, group) = (self.items(bucket), &self.groups[bucket >> GROUP]);
        let byte = |item: usize| group.get(item * self.stride).map_or(0, |&byte| byte);
        byte(items.start) ^ byte(items.end)
    }

    /// Calls `hit` with the fingerprint and the distance of every item of `bucket` within `distance` of the key `query`.
    #[inline]
    pub(crate) fn scan(
        &self,
        bucket: usize,
        query: u128,
        distance: u32,
        hit: &mut dyn FnMut(u128, u32),
    ) {
        let implied = self.implied(bucket);
        let outside = ((query ^ implied) & !self.mask).count_ones();
        let (low, mask) = (query as u64, self.mask as u64);
        for word in self.words(bucket) {
            // Half of a word tells enough: of 64 bits there is no other, of 128 it is seldom near by chance.
            if outside + ((half(word) ^ low) & mask).count_ones() <= distance {
                let key = whole(word) & self.mask | implied;
                let differing = (key ^ query).count_ones();
                if differing <= distance {
                    hit(self.fingerprint(key), differing);
                }
            }
        }
    }

    /// Appends the keys of `bucket`.
    pub(crate) fn read(&self, bucket: usize, keys: &mut Vec<u128>) {
        let implied = self.implied(bucket);
        keys.extend(self.words(bucket).map(|word| whole(word) & self.mask | implied));
    }

    /// Makes room for one more fingerprint where this one goes.
    pub(crate) fn reserve(&mut self, fingerprint: u128) -> Result<(), TryReserveError> {
        let group = self.bucket(self.key(fingerprint)) >> GROUP;
        let bytes = &mut self.groups[group];
        let size = (self.offsets[group * STEP + STEP - 1] as usize + 1) * self.stride + PADDING;
        if size > bytes.len() {
            // A sixteenth of slack: growing by half, as a vector does, would cost more memory than the keys save.
            bytes.try_reserve_exact(size / 16 + size - bytes.len())?;
            bytes.resize(bytes.capacity(), 0);
        }
        Ok(())
    }

    /// Adds a fingerprint that is not in the table; there must be room for it.
    #[inline(never)]
    pub(crate) fn insert(&mut self, fingerprint: u128) {
        let key = self.key(fingerprint);
        let bucket = self.bucket(key);
        let (stride, mask) = (self.stride, self.mask);
        let offsets = &mut self.offsets[(bucket >> GROUP) * STEP..][..STEP];
        let bytes = &mut self.groups[bucket >> GROUP];
        let at = bucket % (STEP - 1);
        self.squares += 2 * u64::from(offsets[at + 1] - offsets[at]) + 1;
        let mut hole = offsets[STEP - 1] as usize * stride;
        for next in (at + 1..STEP).rev() {
            // The first item of the bucket behind moves to its end.
            let start = offsets[next] as usize * stride;
            if next < STEP - 1 && start != hole {
                let moved = whole(&bytes[start..]);
                put(bytes, hole, moved, mask);
            }
            hole = start;
            offsets[next] += 1;
        }
        put(bytes, hole, key, mask);
        self.len += 1;
    }

    /// Takes a fingerprint out.
    #[inline(never)]
    pub(crate) fn remove(&mut self, fingerprint: u128) {
        let key = self.key(fingerprint);
        let bucket = self.bucket(key);
        let (stride, mask) = (self.stride, self.mask);
        let Some(place) = self.words(bucket).position(|word| (whole(word) ^ key) & mask == 0)
        else {
            return;
        };
        let offsets = &mut self.offsets[(bucket >> GROUP) * STEP..][..STEP];
        let bytes = &mut self.groups[bucket >> GROUP];
        let at = bucket % (STEP - 1);
        self.squares -= 2 * u64::from(offsets[at + 1] - offsets[at]) - 1;
        let mut hole = (offsets[at] as usize + place) * stride;
        for end in &mut offsets[at + 1..] {
            *end -= 1;
            let last = *end as usize * stride;
            let moved = whole(&bytes[last..]);
            put(bytes, hole, moved, mask);
            hole = last;
        }
        self.len -= 1;
    }
}

/// Rotates the low `bits` bits of `word` left.
#[inline]
fn rotate_left(word: u128, by: u32, bits: u32) -> u128 {
    match bits {
        32 => (word as u32).rotate_left(by).into(),
        64 => (word as u64).rotate_left(by).into(),
        _ => word.rotate_left(by),
    }
}

/// The first eight of at least as many bytes, as a number.
#[inline]
fn half(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |&bytes| u64::from_le_bytes(bytes))
}

/// The first sixteen of at least as many bytes, as a number.
#[inline]
fn whole(bytes: &[u8]) -> u128 {
    bytes.first_chunk().map_or(0, |&bytes| u128::from_le_bytes(bytes))
}

/// Writes the bits of `word` in `mask` to `bytes[at..]`. Two loads and two stores: a copy of a few bytes is a call.
#[inline]
fn put(bytes: &mut [u8], at: usize, word: u128, mask: u128) {
    if let Some(place) = bytes[at..].first_chunk_mut() {
        *place = (u128::from_le_bytes(*place) & !mask | word & mask).to_le_bytes();
    }
}
