//! The table of postings: the entries that are filed under each key.
//!
//! A key has 28 bits, and a table 2^p *pages*, which the highest *p* bits of a key choose. A page is a sorted run of items of
//! 32 bits: the rest of the key, then the number of the entry in *p* + 4 bits. So the items of one key are adjacent and in
//! the order of addition, and a page has about sixteen items for each key of a document. When an entry needs one more bit,
//! every page is split in two, and one bit moves from the key to the entry.
//!
//! Removal is lazy: the item of a removed entry stays until its page needs memory and has more removed items than others.
//! Readers skip it.
//!
//! A key is found by interpolation, since the rests of the keys are evenly distributed. Pages are spread over memory, and
//! WebAssembly has no prefetch: so one item near each place is loaded before the first place is searched, and the cache
//! misses of all keys overlap.
//!
//! Invariants: the items of a page ascend strictly. A key has at most [`MAX_ENTRIES`] items of entries that are not removed.

use alloc::{collections::TryReserveError, vec::Vec};
use core::hint::black_box;

use crate::index::columns::{allocated, collect, filled};

/// The number of bits of a key.
pub(super) const KEY_BITS: u32 = 28;

/// The number of keys of a document: one for each band, and the key of equality.
pub(super) const KEYS: usize = 13;

/// The maximum number of entries under a key, without removed ones. An addition skips keys that are full.
pub(super) const MAX_ENTRIES: usize = 64;

/// The binary logarithm of the number of documents of a page.
const DOCUMENT_BITS: u32 = 32 - KEY_BITS;

/// Items within this distance before the estimated place are loaded ahead.
const AHEAD: usize = 8;

/// Items of a cache line.
const LINE: usize = 16;

/// Entries by key.
#[derive(Clone, Default)]
pub(super) struct Postings {
    /// The binary logarithm of the number of pages.
    bits: u32,
    /// Empty until the first addition.
    pub pages: Vec<Vec<u32>>,
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
    fn place(&self, key: u32) -> (usize, u32) {
        // The shift drops the bits that choose the page.
        ((key >> (KEY_BITS - self.bits)) as usize, key << self.entry_bits())
    }

    #[inline]
    fn page(&self, at: usize) -> &[u32] {
        self.pages.get(at).map_or(&[], Vec::as_slice)
    }

    /// Calls `read` with the items under each key, in the order of the keys.
    #[inline]
    pub fn for_each_run<'a>(&'a self, keys: &[u32], mut read: impl FnMut(&'a [u32])) {
        let mut places = [(&[][..], 0, 0); KEYS];
        let places = &mut places[..keys.len()];
        for (to, &key) in places.iter_mut().zip(keys) {
            let (page, first) = self.place(key);
            let page = self.page(page);
            *to = (page, first, guess(page, first));
        }
        let loaded = places.iter().map(|&(page, _, at)| page.get(at).copied().unwrap_or(0));
        black_box(loaded.fold(0, |all, item| all ^ item));
        let last = !(u32::MAX << self.entry_bits());
        for &(page, first, guess) in &*places {
            let start = lower_bound(page, first, guess);
            let len = page[start..].iter().take_while(|&&item| item <= first | last).count();
            read(&page[start..start + len]);
        }
    }

    /// Files an entry, larger than all others, under each key that is not full without `own`, the entries of the same id.
    /// `is_removed` returns whether another entry is removed; `None` if none is. An error changes nothing.
    pub fn insert(
        &mut self,
        keys: &[u32],
        entry: u32,
        own: [Option<u32>; 2],
        is_removed: Option<&dyn Fn(u32) -> bool>,
    ) -> Result<(), TryReserveError> {
        while self.pages.is_empty() || entry >> self.entry_bits() != 0 {
            self.split()?;
        }
        self.load(keys);
        for (at, &key) in keys.iter().enumerate() {
            if let Err(error) = self.insert_one(key, entry, own, is_removed) {
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
            let (page, first) = self.place(key);
            let page = self.page(page);
            let from = guess(page, first).saturating_sub(AHEAD);
            all = page[from..].iter().step_by(LINE).fold(all, |all, item| all ^ item);
        }
        black_box(all);
    }

    fn insert_one(
        &mut self,
        key: u32,
        entry: u32,
        own: [Option<u32>; 2],
        is_removed: Option<&dyn Fn(u32) -> bool>,
    ) -> Result<(), TryReserveError> {
        let (page, first) = self.place(key);
        let entries = !(u32::MAX << self.entry_bits());
        let is_kept = |item: u32| {
            let other = item & entries;
            other == entry || is_removed.is_none_or(|is_removed| !is_removed(other))
        };
        let counts = |item: u32| !own.contains(&Some(item & entries)) && is_kept(item);
        let (page, item) = (&mut self.pages[page], first | entry);
        let mut at = lower_bound(page, item, guess(page, item));
        let others = page[..at].iter().rev().take_while(|&&other| other >= first);
        let is_full = others.filter(|&&other| counts(other)).nth(MAX_ENTRIES - 1).is_some();
        // Two keys of one document can be equal.
        if is_full || page.get(at) == Some(&item) {
            return Ok(());
        }
        if page.len() == page.capacity() {
            if is_removed.is_some()
                && page.iter().filter(|&&item| is_kept(item)).count() < page.len() / 2
            {
                page.retain(|&item| is_kept(item));
                at = lower_bound(page, item, at.min(page.len()));
                shrink(page);
            }
            page.try_reserve_exact(capacity_for(page.len() + 1) - page.len())?;
        }
        page.insert(at, item);
        Ok(())
    }

    /// Removes an entry under these keys, if it is there.
    pub fn remove(&mut self, keys: &[u32], entry: u32) {
        for &key in keys {
            let (page, first) = self.place(key);
            let page = &mut self.pages[page];
            if let Ok(at) = page.binary_search(&(first | entry)) {
                page.remove(at);
            }
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
            let (page, first) = built.place(key);
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
            })
            && built.shared_runs().all(|run| run.len() <= MAX_ENTRIES);
        is_valid.then_some(built)
    }
}

/// Returns the binary logarithm of the number of pages for entries below `end`.
pub(super) fn page_bits(end: u32) -> u32 {
    (u32::BITS - end.saturating_sub(1).leading_zeros()).saturating_sub(DOCUMENT_BITS)
}

/// Returns the place at which an item is expected.
#[inline]
fn guess(page: &[u32], item: u32) -> usize {
    ((u64::from(item) * page.len() as u64) >> 32) as usize
}

/// Returns the number of items below `item`, and searches from `guess` on.
#[inline]
fn lower_bound(page: &[u32], item: u32, guess: usize) -> usize {
    let mut at = guess;
    while at < page.len() && page[at] < item {
        at += 1;
    }
    while at > 0 && page[at - 1] >= item {
        at -= 1;
    }
    at
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
