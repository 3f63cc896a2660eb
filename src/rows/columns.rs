//! The columns of the documents, by entry number: numbers, sets of entries, and other items.
//!
//! Invariant: the caller of a push has reserved the memory, so that it cannot fail. Columns grow by an eighth: a vector that
//! doubles may take twice the memory of its items.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;

/// Half of a number: of an id or of a fingerprint.
pub(crate) trait Half: Copy + Default + Into<u128> {
    const BITS: u32 = 8 * size_of::<Self>() as u32;

    /// Returns the lowest bits of a number.
    fn low(number: u128) -> Self;
}

impl Half for u32 {
    fn low(number: u128) -> Self {
        number as u32
    }
}

impl Half for u64 {
    fn low(number: u128) -> Self {
        number as u64
    }
}

/// Numbers in two columns: the low halves, and the high halves up to the last one that is not zero.
#[derive(Clone, Default)]
pub(crate) struct Numbers<H> {
    low: Vec<H>,
    high: Vec<H>,
}

impl<H: Half> Numbers<H> {
    pub(crate) fn len(&self) -> u32 {
        self.low.len() as u32
    }

    #[inline]
    pub(crate) fn get(&self, at: u32) -> u128 {
        let low = self.low[at as usize].into();
        self.high.get(at as usize).map_or(low, |&high| low | high.into() << H::BITS)
    }

    /// Reserves capacity for `more` numbers that are as wide as `number`.
    pub(crate) fn reserve(&mut self, more: usize, number: u128) -> Result<(), TryReserveError> {
        let end = self.low.len() + more;
        reserve(&mut self.low, end)?;
        if number >> H::BITS == 0 { Ok(()) } else { reserve(&mut self.high, end) }
    }

    pub(crate) fn push(&mut self, number: u128) {
        if number >> H::BITS != 0 {
            self.high.resize(self.low.len(), H::default());
            self.high.push(H::low(number >> H::BITS));
        }
        self.low.push(H::low(number));
    }

    pub(crate) fn pop(&mut self) {
        self.low.pop();
        self.high.truncate(self.low.len());
    }

    pub(crate) fn bytes(&self) -> usize {
        allocated(&self.low) + allocated(&self.high)
    }
}

/// A set of entry numbers, one bit each.
#[derive(Clone, Default)]
pub(crate) struct EntrySet {
    /// Up to the last cell that was ever written.
    cells: Vec<u64>,
}

impl EntrySet {
    #[inline]
    pub(crate) fn contains(&self, entry: u32) -> bool {
        let cell = self.cells.get(entry as usize / 64);
        cell.is_some_and(|cell| cell >> (entry % 64) & 1 != 0)
    }

    /// Reserves capacity for the entries below `end`.
    #[inline]
    pub(crate) fn reserve(&mut self, end: usize) -> Result<(), TryReserveError> {
        reserve(&mut self.cells, end.div_ceil(64))
    }

    #[inline(never)]
    pub(crate) fn set(&mut self, entry: u32, value: bool) {
        let at = entry as usize / 64;
        if at >= self.cells.len() {
            self.cells.resize(at + 1, 0);
        }
        self.cells[at] = self.cells[at] & !(1 << (entry % 64)) | u64::from(value) << (entry % 64);
    }

    pub(crate) fn bytes(&self) -> usize {
        allocated(&self.cells)
    }
}

/// Items by number, in pages. A vector would move its items when it grows, and WebAssembly memory cannot shrink afterwards.
#[derive(Clone, Default)]
pub(crate) struct Pages<T>(Vec<Vec<T>>);

/// The number of items in a page.
const PAGE: usize = 1024;

impl<T: Copy + Default> Pages<T> {
    #[inline]
    pub(crate) fn get(&self, at: u32) -> &T {
        &self.0[at as usize / PAGE][at as usize % PAGE]
    }

    /// Reserves memory for the page of an item.
    pub(crate) fn reserve(&mut self, at: u32) -> Result<(), TryReserveError> {
        let page = at as usize / PAGE;
        if page >= self.0.len() {
            self.0.try_reserve(page + 1 - self.0.len())?;
            self.0.resize_with(page + 1, Vec::new);
        }
        // The page of a clone has no spare capacity.
        let page = &mut self.0[page];
        page.try_reserve_exact(PAGE - page.len())
    }

    /// Sets an item. The caller has reserved its page.
    pub(crate) fn set(&mut self, at: u32, item: T) {
        let (page, at) = (&mut self.0[at as usize / PAGE], at as usize % PAGE);
        match page.get_mut(at) {
            Some(known) => *known = item,
            None => {
                page.resize(at, T::default());
                page.push(item);
            }
        }
    }

    /// Keeps the items of these entries, which ascend, and renumbers them from 0 on.
    pub(crate) fn compact(&mut self, entries: impl Iterator<Item = u32>) {
        let mut len = 0;
        for entry in entries {
            let item = *self.get(entry);
            self.set(len, item);
            len += 1;
        }
        let len = len as usize;
        self.0.truncate(len.div_ceil(PAGE));
        if let Some(last) = self.0.get_mut(len.wrapping_sub(1) / PAGE) {
            last.truncate((len - 1) % PAGE + 1);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.iter().map(allocated).sum::<usize>() + allocated(&self.0)
    }
}

/// Returns the memory that a vector takes, in bytes.
pub(crate) fn allocated<T>(vector: &Vec<T>) -> usize {
    vector.capacity() * size_of::<T>()
}

/// Returns a vector of `len` copies of `value`.
pub(crate) fn filled<T: Clone>(value: T, len: usize) -> Result<Vec<T>, TryReserveError> {
    let mut vector = collect(len, core::iter::empty())?;
    vector.resize(len, value);
    Ok(vector)
}

/// Returns a vector of these items, with capacity for `len` of them.
pub(crate) fn collect<T>(
    len: usize,
    items: impl Iterator<Item = T>,
) -> Result<Vec<T>, TryReserveError> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(len)?;
    vector.extend(items);
    Ok(vector)
}

/// Reserves capacity for `end` items in all.
#[inline]
pub(crate) fn reserve<T>(column: &mut Vec<T>, end: usize) -> Result<(), TryReserveError> {
    let (len, capacity) = (column.len(), column.capacity());
    if capacity >= end {
        return Ok(());
    }
    column.try_reserve_exact(end.max(len + len / 8 + 16) - len)
}
