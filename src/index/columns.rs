//! The columns of the documents, by entry number: ids, fingerprints, and sets of entries.
//!
//! Invariant: what is pushed has been reserved, so that a push cannot fail. Columns grow by an eighth: a vector that
//! doubles may take twice the memory of its items.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;

/// Ids: their low halves, and their high halves up to the last one that is not zero.
#[derive(Clone, Default)]
pub(crate) struct Ids {
    low: Vec<u32>,
    high: Vec<u32>,
}

impl Ids {
    pub(crate) fn len(&self) -> u32 {
        self.low.len() as u32
    }

    #[inline]
    pub(crate) fn get(&self, entry: u32) -> u64 {
        let high = self.high.get(entry as usize).map_or(0, |&high| u64::from(high));
        u64::from(self.low[entry as usize]) | high << 32
    }

    /// Reserves capacity for `more` ids that are as wide as `id`.
    pub(crate) fn reserve(&mut self, more: usize, id: u64) -> Result<(), TryReserveError> {
        let end = self.low.len() + more;
        reserve(&mut self.low, end)?;
        if id >> 32 == 0 { Ok(()) } else { reserve(&mut self.high, end) }
    }

    pub(crate) fn push(&mut self, id: u64) {
        if id >> 32 != 0 {
            self.high.resize(self.low.len(), 0);
            self.high.push((id >> 32) as u32);
        }
        self.low.push(id as u32);
    }

    /// Removes the last id.
    pub(crate) fn pop(&mut self) {
        self.low.pop();
        self.high.truncate(self.low.len());
    }

    pub(crate) fn bytes(&self) -> usize {
        allocated(&self.low) + allocated(&self.high)
    }
}

/// Fingerprints, in one cell of 64 bits each or in two.
#[derive(Clone)]
pub(crate) struct Fingerprints {
    cells: Vec<u64>,
    wide: bool,
}

impl Fingerprints {
    pub(crate) fn new(bits: u32) -> Self {
        Self { cells: Vec::new(), wide: bits > 64 }
    }

    /// Returns the width for which [`new`](Self::new) makes the same columns.
    pub(crate) fn bits(&self) -> u32 {
        if self.wide { 128 } else { 64 }
    }

    /// Cells of a fingerprint.
    fn width(&self) -> usize {
        if self.wide { 2 } else { 1 }
    }

    pub(crate) fn len(&self) -> u32 {
        (self.cells.len() / self.width()) as u32
    }

    #[inline]
    pub(crate) fn get(&self, entry: u32) -> u128 {
        let cell = |at: usize| u128::from(self.cells[at]);
        let at = entry as usize;
        if self.wide { cell(2 * at) | cell(2 * at + 1) << 64 } else { cell(at) }
    }

    /// Reserves capacity for `more` fingerprints.
    pub(crate) fn reserve(&mut self, more: usize) -> Result<(), TryReserveError> {
        let end = self.cells.len() + more * self.width();
        reserve(&mut self.cells, end)
    }

    pub(crate) fn push(&mut self, fingerprint: u128) {
        self.cells.push(fingerprint as u64);
        if self.wide {
            self.cells.push((fingerprint >> 64) as u64);
        }
    }

    /// Removes the last fingerprint.
    pub(crate) fn pop(&mut self) {
        self.cells.truncate(self.cells.len() - self.width());
    }

    pub(crate) fn set(&mut self, entry: u32, fingerprint: u128) {
        if self.wide {
            self.cells[2 * entry as usize + 1] = (fingerprint >> 64) as u64;
            self.cells[2 * entry as usize] = fingerprint as u64;
        } else {
            self.cells[entry as usize] = fingerprint as u64;
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        allocated(&self.cells)
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
    pub(crate) fn has(&self, entry: u32) -> bool {
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

/// Items by number, in pages: a vector that grows moves its items, and a WebAssembly memory keeps the memory of both.
#[derive(Clone)]
pub(crate) struct Pages<T>(Vec<Vec<T>>);

/// Items of a page.
const PAGE: usize = 1024;

impl<T> Default for Pages<T> {
    fn default() -> Self {
        Pages(Vec::new())
    }
}

impl<T: Copy + Default> Pages<T> {
    #[inline]
    pub(crate) fn get(&self, at: u32) -> &T {
        &self.0[at as usize / PAGE][at as usize % PAGE]
    }

    /// Returns an item, if it was ever set or precedes one in its page.
    #[inline]
    pub(crate) fn try_get(&self, at: u32) -> Option<&T> {
        self.0.get(at as usize / PAGE)?.get(at as usize % PAGE)
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

    /// Sets an item for whose page memory is reserved.
    pub(crate) fn set(&mut self, at: u32, item: T) {
        let (page, at) = (&mut self.0[at as usize / PAGE], at as usize % PAGE);
        match page.get_mut(at) {
            Some(place) => *place = item,
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

/// Returns a vector of `len` times `value`.
pub(crate) fn filled<T: Clone>(value: T, len: usize) -> Result<Vec<T>, TryReserveError> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(len)?;
    vector.resize(len, value);
    Ok(vector)
}

/// Reserves capacity for `end` items in all.
#[inline]
fn reserve<T>(column: &mut Vec<T>, end: usize) -> Result<(), TryReserveError> {
    if column.capacity() >= end { Ok(()) } else { grow(column, end) }
}

#[inline(never)]
fn grow<T>(column: &mut Vec<T>, end: usize) -> Result<(), TryReserveError> {
    let len = column.len();
    column.try_reserve_exact(end.max(len + len / 8 + 16) - len)
}
