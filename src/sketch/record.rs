//! Records: the part of a sketch that a set keeps.

use alloc::vec::Vec;

use super::{odd_sketch::OddSketch, sequence::SequenceHash};

/// The part of a sketch that a set keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Record {
    pub sequence: SequenceHash,
    /// Empty for a short text.
    pub odd: OddSketch,
}

impl Record {
    /// The size in bytes.
    pub const BYTES: usize = Self::SHORT_BYTES + OddSketch::BYTES;
    /// The size for a short text: of the two hashes.
    pub const SHORT_BYTES: usize = 16;

    /// Reads the numbers of a record, which may be any. Numbers that are missing are 0.
    pub fn read(bytes: &[u8]) -> Self {
        let mut numbers = [0; Self::BYTES / 8];
        for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks().0) {
            *number = u64::from_le_bytes(*bytes);
        }
        let [first, second, odd @ ..] = numbers;
        Record { sequence: SequenceHash { first, second }, odd: OddSketch(odd) }
    }

    /// Reads what [`write_to`](Self::write_to) writes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let record = Self::read(bytes);
        let is_valid = match bytes.len() {
            Self::SHORT_BYTES => record.sequence.has_few_features(),
            Self::BYTES => !record.is_short(),
            _ => false,
        };
        is_valid.then_some(record)
    }

    /// Returns the numbers that the record consists of.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        [self.sequence.first, self.sequence.second].into_iter().chain(self.odd.0)
    }

    /// Appends the binary form.
    pub fn write_to(&self, bytes: &mut Vec<u8>) {
        let size = if self.is_short() { Self::SHORT_BYTES } else { Self::BYTES };
        for number in self.numbers().take(size / 8) {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
    }

    pub fn is_short(&self) -> bool {
        self.odd.is_empty()
    }

    pub fn is_blank(&self) -> bool {
        self.sequence.is_blank()
    }

    /// Returns whether the documents are equal.
    pub fn equals(&self, other: &Self) -> bool {
        self.sequence == other.sequence
    }

    /// Returns the estimated resemblance. A blank text resembles nothing, not even another one.
    pub fn resemblance(&self, other: &Self) -> f64 {
        if self.is_short() || other.is_short() {
            return f64::from(self.equals(other) && !self.is_blank());
        }
        self.odd.estimate(&other.odd)
    }
}
