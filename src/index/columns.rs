//! The columns that documents are kept in, by entry number.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;

/// Ids: their low halves, and their high ones up to the last that is not zero.
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
        let half = |halves: &[u32]| halves.get(entry as usize).map_or(0, |&half| u64::from(half));
        half(&self.low) | half(&self.high) << 32
    }

    /// Makes room for `more` ids that are as wide as `id`.
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

    pub(crate) fn bytes(&self) -> usize {
        held(&self.low) + held(&self.high)
    }
}

/// Fingerprints, in one word each or in two.
#[derive(Clone)]
pub(crate) struct Prints {
    words: Vec<u64>,
    wide: bool,
}

impl Prints {
    pub(crate) fn new(bits: u32) -> Self {
        Self { words: Vec::new(), wide: bits > 64 }
    }

    #[inline]
    pub(crate) fn get(&self, entry: u32) -> u128 {
        let word = |at: usize| self.words.get(at).map_or(0, |&word| u128::from(word));
        let at = entry as usize;
        if self.wide { word(2 * at) | word(2 * at + 1) << 64 } else { word(at) }
    }

    pub(crate) fn reserve(&mut self, more: usize) -> Result<(), TryReserveError> {
        let more = if self.wide { 2 * more } else { more };
        let end = self.words.len() + more;
        reserve(&mut self.words, end)
    }

    pub(crate) fn push(&mut self, fingerprint: u128) {
        self.words.push(fingerprint as u64);
        if self.wide {
            self.words.push((fingerprint >> 64) as u64);
        }
    }

    pub(crate) fn set(&mut self, entry: u32, fingerprint: u128) {
        if self.wide {
            self.words[2 * entry as usize + 1] = (fingerprint >> 64) as u64;
            self.words[2 * entry as usize] = fingerprint as u64;
        } else {
            self.words[entry as usize] = fingerprint as u64;
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.words)
    }
}

/// A set of entry numbers, one bit each.
#[derive(Clone, Default)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    #[inline]
    pub(crate) fn has(&self, entry: u32) -> bool {
        self.0.get(entry as usize / 64).is_some_and(|word| word >> (entry % 64) & 1 != 0)
    }

    #[inline]
    pub(crate) fn reserve(&mut self, end: usize) -> Result<(), TryReserveError> {
        reserve(&mut self.0, end.div_ceil(64))
    }

    #[inline(never)]
    pub(crate) fn set(&mut self, entry: u32, value: bool) {
        let at = entry as usize / 64;
        if at >= self.0.len() {
            self.0.resize(at + 1, 0);
        }
        self.0[at] = self.0[at] & !(1 << (entry % 64)) | u64::from(value) << (entry % 64);
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.0)
    }
}

/// The memory a vector takes. Not inlined: sums over it would be vectorised, which takes more code than they do time.
#[inline(never)]
pub(crate) fn held<T>(vector: &Vec<T>) -> usize {
    vector.capacity() * size_of::<T>()
}

/// Makes room for `end` items in all.
#[inline]
fn reserve<T>(column: &mut Vec<T>, end: usize) -> Result<(), TryReserveError> {
    if column.capacity() >= end { Ok(()) } else { grow(column, end) }
}

/// Grows by an eighth: a vector that doubles may take twice what it holds.
#[inline(never)]
fn grow<T>(column: &mut Vec<T>, end: usize) -> Result<(), TryReserveError> {
    let len = column.len();
    column.try_reserve_exact(end.max(len + len / 8 + 16) - len)
}
