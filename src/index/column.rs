//! A column of numbers.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;

/// A column of numbers: four bytes each until one needs eight.
#[derive(Clone)]
pub(crate) enum Column {
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
}

impl Column {
    pub(crate) fn new() -> Self {
        Self::Narrow(Vec::new())
    }

    /// The number at `at`; 0 past the end.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> u64 {
        match self {
            Self::Narrow(numbers) => numbers.get(at).map_or(0, |&number| number.into()),
            Self::Wide(numbers) => numbers.get(at).map_or(0, |&number| number),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Narrow(numbers) => numbers.len(),
            Self::Wide(numbers) => numbers.len(),
        }
    }

    /// Makes room for `more` numbers as large as `like`.
    #[inline]
    pub(crate) fn reserve(&mut self, more: usize, like: u64) -> Result<(), TryReserveError> {
        match self {
            Self::Narrow(numbers) if like <= u32::MAX.into() => reserve(numbers, more),
            Self::Narrow(_) => self.widen(more),
            Self::Wide(numbers) => reserve(numbers, more),
        }
    }

    #[cold]
    #[inline(never)]
    fn widen(&mut self, more: usize) -> Result<(), TryReserveError> {
        let mut wide = Vec::new();
        wide.try_reserve_exact(self.len() + more)?;
        wide.extend((0..self.len()).map(|at| self.get(at)));
        *self = Self::Wide(wide);
        Ok(())
    }

    /// Adds a number that there is room for.
    #[inline]
    pub(crate) fn push(&mut self, number: u64) {
        match self {
            Self::Narrow(numbers) => numbers.push(number as u32),
            Self::Wide(numbers) => numbers.push(number),
        }
    }

    /// Puts a number that there is room for in the place of another.
    pub(crate) fn set(&mut self, at: usize, number: u64) {
        match self {
            Self::Narrow(numbers) => numbers[at] = number as u32,
            Self::Wide(numbers) => numbers[at] = number,
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Narrow(numbers) => numbers.capacity() * size_of::<u32>(),
            Self::Wide(numbers) => numbers.capacity() * size_of::<u64>(),
        }
    }
}

/// Makes room, growing by an eighth: a vector that doubles may take twice what it holds.
#[inline]
fn reserve<T>(column: &mut Vec<T>, more: usize) -> Result<(), TryReserveError> {
    if column.capacity() - column.len() >= more {
        return Ok(());
    }
    column.try_reserve_exact(more.max(column.len() / 8 + 16))
}
