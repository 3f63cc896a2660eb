//! The table of postings: the entries that are filed under each key.
//!
//! A key has 28 bits, and a table 2^p *pages*, which the highest *p* bits of a key choose. A page is a sorted run of items of
//! 32 bits: the rest of the key, then the number of the entry in *p* + 4 bits. So the items of one key are adjacent and in
//! the order of addition, and a page has about sixteen items for each key of a document. When an entry needs one more bit,
//! every page is split in two, and one bit moves from the key to the entry.
//!
//! Removal is lazy: the item of a removed entry stays until the holes are closed, and readers skip it. A key can have any
//! number of items: readers take the first ones, and the last ones if some of the first are removed. Under the key of equality,
//! the first items are removed as soon as all that a reader takes would be skipped.
//!
//! A key is found by interpolation, since the rests of the keys are evenly distributed. Where a key has many items, they are
//! not, and the search gallops. Pages are spread over memory, and WebAssembly has no prefetch: so one item near each estimated position is
//! loaded before the first search, and the cache misses of all keys overlap.
//!
//! An addition moves the items behind its own. The keys of a family are on different pages, since there is a page for each 16
//! documents: on average they have 16 items of the family's other keys behind them, however large it is.
//!
//! Invariant: the items of a page ascend strictly.

use alloc::{collections::TryReserveError, vec::Vec};
use core::hint::black_box;

use crate::{
    rows::columns::{allocated, collect, filled},
    sketch::minima::KEYS,
};

/// The number of bits of a key.
pub(super) const KEY_BITS: u32 = 28;

/// The maximum number of items of a key at either end that are read.
pub(super) const MAX_READ: usize = 64;

/// The binary logarithm of the number of documents of a page.
const DOCUMENT_BITS: u32 = 32 - KEY_BITS;

/// Items within this distance before the estimated position are loaded ahead.
const AHEAD: usize = 8;

/// Items of a cache line.
const LINE: usize = 16;

/// The maximum number of cache lines of a page that are loaded ahead: all of a page whose keys have few entries.
const MAX_LINES_AHEAD: usize = 16;

/// Entries by key.
#[derive(Clone, Default)]
pub(super) struct Postings {
    /// The binary logarithm of the number of pages.
    bits: u32,
    /// Empty until the first addition.
    pub pages: Vec<Vec<u32>>,
}

/// The items of a key, in the order of addition.
#[derive(Clone, Copy, Default)]
pub(super) struct Run<'a> {
    /// The first items, at most [`MAX_READ`].
    pub first: &'a [u32],
    /// The items of the page after them.
    rest: &'a [u32],
    /// The largest item that the key can have.
    max: u32,
}

impl<'a> Run<'a> {
    /// Returns the last items after the first ones, at most [`MAX_READ`].
    pub fn last(&self) -> &'a [u32] {
        let end = gallop(self.rest.len(), |at| self.rest[at] <= self.max);
        &self.rest[end.saturating_sub(MAX_READ)..end]
    }
}

impl Postings {
    /// Returns the allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        self.pages.iter().map(allocated).sum::<usize>() + allocated(&self.pages)
    }

    /// Returns the number of bits of an entry.
    #[inline]
    fn entry_bits(&self) -> u32 {
        self.bits + DOCUMENT_BITS
    }

    /// Returns the entry of an item.
    #[inline]
    pub fn entry(&self, item: u32) -> u32 {
        item & !(u32::MAX << self.entry_bits())
    }

    /// Returns the number of the page of a key, and the item that its first entry could have.
    #[inline]
    fn locate(&self, key: u32) -> (usize, u32) {
        // The shift drops the bits that choose the page.
        ((key >> (KEY_BITS - self.bits)) as usize, key << self.entry_bits())
    }

    #[inline]
    fn page(&self, at: usize) -> &[u32] {
        self.pages.get(at).map_or(&[], Vec::as_slice)
    }

    /// Calls `read` with the items under each key, in the order of the keys.
    #[inline]
    pub fn for_each_run<'a>(&'a self, keys: &[u32], mut read: impl FnMut(Run<'a>)) {
        let mut located = [(&[][..], 0, 0); KEYS];
        let located = &mut located[..keys.len()];
        for (to, &key) in located.iter_mut().zip(keys) {
            let (page, first) = self.locate(key);
            let page = self.page(page);
            *to = (page, first, guess(page, first));
        }
        let loaded = located.iter().map(|&(page, _, at)| page.get(at).copied().unwrap_or(0));
        black_box(loaded.fold(0, |all, item| all ^ item));
        let entries = !(u32::MAX << self.entry_bits());
        for &(page, first, guess) in &*located {
            let (items, max) = (&page[lower_bound(page, first, guess)..], first | entries);
            let ahead = items.iter().take(MAX_READ);
            let (first, rest) = items.split_at(ahead.take_while(|&&item| item <= max).count());
            read(Run { first, rest, max });
        }
    }

    /// Files an entry, larger than all others, under each key. An error changes nothing.
    pub fn insert(&mut self, keys: &[u32], entry: u32) -> Result<(), TryReserveError> {
        while self.pages.is_empty() || entry >> self.entry_bits() != 0 {
            self.split()?;
        }
        self.load(keys);
        for (at, &key) in keys.iter().enumerate() {
            if let Err(error) = self.insert_one(key, entry) {
                self.remove(&keys[..at], entry);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Loads the items that [`insert`](Self::insert) moves.
    fn load(&self, keys: &[u32]) {
        let mut all = 0;
        for &key in keys {
            let (page, first) = self.locate(key);
            let page = self.page(page);
            let from = guess(page, first).saturating_sub(AHEAD);
            let lines = page[from..].iter().step_by(LINE).take(MAX_LINES_AHEAD);
            all = lines.fold(all, |all, item| all ^ item);
        }
        black_box(all);
    }

    fn insert_one(&mut self, key: u32, entry: u32) -> Result<(), TryReserveError> {
        let (page, first) = self.locate(key);
        let (page, item) = (&mut self.pages[page], first | entry);
        let at = lower_bound(page, item, guess(page, item));
        // Two keys of one document can be equal.
        if page.get(at) == Some(&item) {
            return Ok(());
        }
        if page.len() == page.capacity() {
            page.try_reserve_exact(capacity_for(page.len() + 1) - page.len())?;
        }
        page.insert(at, item);
        Ok(())
    }

    /// Removes an entry under these keys, if it is there.
    pub fn remove(&mut self, keys: &[u32], entry: u32) {
        for &key in keys {
            let (page, first) = self.locate(key);
            let page = &mut self.pages[page];
            if let Ok(at) = page.binary_search(&(first | entry)) {
                page.remove(at);
            }
        }
    }

    /// Removes the first items of a key for whose entries a condition holds, if there are [`MAX_READ`] or more.
    pub fn remove_first(&mut self, key: u32, is_removed: impl Fn(u32) -> bool) {
        let (page, first) = self.locate(key);
        let entries = !(u32::MAX << self.entry_bits());
        let Some(page) = self.pages.get_mut(page) else { return };
        let from = page.partition_point(|&item| item < first);
        let items = page[from..]
            .iter()
            .take_while(|&&item| item & !entries == first && is_removed(item & entries));
        let count = items.count();
        if count >= MAX_READ {
            page.drain(from..from + count);
        }
    }

    /// Doubles the number of pages: one bit of the items moves from the key to the entry. An error changes nothing.
    #[cold]
    #[inline(never)]
    fn split(&mut self) -> Result<(), TryReserveError> {
        if self.pages.is_empty() {
            self.pages = filled(Vec::new(), 1)?;
            return Ok(());
        }
        // The upper half of each page comes after it: nothing has changed until all of them are allocated.
        let mut pages = Vec::new();
        pages.try_reserve_exact(2 * self.pages.len())?;
        let entries = !(u32::MAX << self.entry_bits());
        let widen = |item: u32| (item & !entries) << 1 | item & entries;
        for page in &self.pages {
            let upper = &page[page.partition_point(|&item| item >> 31 == 0)..];
            pages.push(Vec::new());
            pages.push(collect(capacity_for(upper.len()), upper.iter().map(|&item| widen(item)))?);
        }
        for (lower, mut page) in pages.iter_mut().step_by(2).zip(core::mem::take(&mut self.pages)) {
            page.truncate(page.partition_point(|&item| item >> 31 == 0));
            page.iter_mut().for_each(|item| *item = widen(*item));
            shrink(&mut page);
            *lower = page;
        }
        self.pages = pages;
        self.bits += 1;
        Ok(())
    }

    /// Returns all items as keys and entries, by key, then by entry.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        let entry_bits = self.entry_bits();
        self.pages.iter().enumerate().flat_map(move |(at, page)| {
            let high = (at as u32) << (32 - entry_bits);
            page.iter().map(move |&item| (high | item >> entry_bits, self.entry(item)))
        })
    }

    /// Returns the runs of items of equal keys, of two or more.
    pub fn shared_runs(&self) -> impl Iterator<Item = &[u32]> {
        let bits = self.entry_bits();
        let runs = self
            .pages
            .iter()
            .flat_map(move |page| page.chunk_by(move |a, b| a >> bits == b >> bits));
        runs.filter(|run| run.len() > 1)
    }

    /// Creates the table of postings that [`iter`](Self::iter) returns, for entries below `end`.
    pub fn collect(
        postings: impl Iterator<Item = (u32, u32)>,
        end: u32,
    ) -> Result<Self, TryReserveError> {
        let bits = page_bits(end);
        let mut built = Postings { bits, pages: filled(Vec::new(), 1 << bits)? };
        for (key, entry) in postings {
            let (page, first) = built.locate(key);
            let page = &mut built.pages[page];
            if page.len() == page.capacity() {
                page.try_reserve_exact(1 + page.len() / 2)?;
            }
            page.push(first | entry);
        }
        built.pages.iter_mut().for_each(shrink);
        Ok(built)
    }

    /// Creates the table of these pages, for entries below `end`. Returns `None` if they are not pages of such a table.
    pub fn from_pages(pages: Vec<Vec<u32>>, end: u32) -> Option<Self> {
        let built = Postings { bits: page_bits(end), pages };
        let is_valid = built.pages.len() == 1 << built.bits
            && built.pages.iter().all(|page| {
                page.windows(2).all(|two| two[0] < two[1])
                    && page.iter().all(|&item| built.entry(item) < end)
            });
        is_valid.then_some(built)
    }
}

/// Returns the binary logarithm of the number of pages for entries below `end`.
pub(super) fn page_bits(end: u32) -> u32 {
    (u32::BITS - end.saturating_sub(1).leading_zeros()).saturating_sub(DOCUMENT_BITS)
}

/// Returns the position at which an item is expected.
#[inline]
fn guess(page: &[u32], item: u32) -> usize {
    ((u64::from(item) * page.len() as u64) >> 32) as usize
}

/// Returns the number of items below `item`, and searches from `guess` on.
#[inline]
fn lower_bound(page: &[u32], item: u32, guess: usize) -> usize {
    let (before, after) = page.split_at(guess);
    match gallop(after.len(), |at| after[at] < item) {
        0 => guess - gallop(guess, |at| before[guess - 1 - at] >= item),
        below => guess + below,
    }
}

/// Returns the number of positions for which a condition holds. It holds for the first ones, if for any.
#[inline]
fn gallop(len: usize, holds: impl Fn(usize) -> bool) -> usize {
    // Most searches end near their start.
    let near = len.min(LINE);
    let mut low = (0..near).take_while(|&at| holds(at)).count();
    if low < near || low == len {
        return low;
    }
    let mut step = LINE;
    while low + step <= len && holds(low + step - 1) {
        low += step;
        step *= 2;
    }
    let mut high = (low + step).min(len);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Returns the capacity of a page that is allocated for `len` items: whole cache lines.
fn capacity_for(len: usize) -> usize {
    (len + len / 32).next_multiple_of(LINE)
}

/// Frees the capacity that a page does not need soon, if there is memory for a copy.
fn shrink(page: &mut Vec<u32>) {
    let capacity = capacity_for(page.len());
    let mut copy = Vec::new();
    if capacity < page.capacity() && copy.try_reserve_exact(capacity).is_ok() {
        copy.extend_from_slice(page);
        *page = copy;
    }
}
