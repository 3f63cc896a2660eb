//! Counts of many features, in sorted order, for long and for hostile texts.
//!
//! New hashes wait in a buffer. When it is full it is sorted and merged into the counted features, as in a
//! log-structured merge tree of two levels (O'Neil, Cheng, Gawlick and O'Neil 1996). The buffer grows with the counted
//! features, so a hash takes amortised O(log n) time, whatever the hashes are. A counted feature takes nine bytes, more if
//! its count is above 255, and the buffer one byte more.

use alloc::{boxed::Box, sync::Arc, vec::Vec};
use core::ops::Range;

use crate::features::BATCH_FEATURES;
use crate::sort::sort;

/// The number of counted features for each hash that fits in the buffer.
const SHARE: usize = 8;
/// The minimum capacity of the buffer.
const MIN_BUFFER: usize = 1 << 16;

#[derive(Debug)]
pub(super) struct Sorted {
    /// Shared with copies of the stream: `digest` finishes a copy, which does not change this field.
    counted: Arc<Counted>,
    /// The buffer.
    pub pending: Vec<u64>,
    /// The number of different features that have been reported.
    pub distinct: usize,
}

impl Clone for Sorted {
    fn clone(&self) -> Self {
        // The capacity is copied too: a full buffer is merged, which would copy the counted features.
        let mut pending = Vec::with_capacity(self.pending.capacity());
        pending.extend_from_slice(&self.pending);
        Sorted { counted: self.counted.clone(), pending, distinct: self.distinct }
    }
}

impl Sorted {
    pub fn new() -> Self {
        Sorted { counted: Arc::default(), pending: Vec::with_capacity(MIN_BUFFER), distinct: 0 }
    }

    /// Returns whether the next batch may exceed the buffer's capacity.
    pub fn is_full(&self) -> bool {
        self.pending.len() + BATCH_FEATURES > self.pending.capacity()
    }

    /// Empties the buffer and reports each different feature in it, as `(hash, count before, count now)`.
    pub fn settle(&mut self, report: &mut dyn FnMut(u64, u64, u64)) {
        let added = self.report(report);
        let counted = Arc::make_mut(&mut self.counted);
        counted.merge(&self.pending, added);
        let capacity = (counted.len / SHARE).max(MIN_BUFFER);
        self.pending.clear();
        if self.pending.capacity() != capacity {
            self.pending = Vec::new(); // frees the old buffer first
            self.pending.reserve_exact(capacity);
        }
    }

    /// Reports as [`settle`](Self::settle) does without a merge, which the end of a text does not need. Returns the number
    /// of entries that a merge would add to `counted`.
    pub fn report(&mut self, report: &mut dyn FnMut(u64, u64, u64)) -> usize {
        sort(&mut self.pending);
        let (mut at, mut added) = (0, 0);
        for (hash, more) in runs(&self.pending) {
            while at < self.counted.len && self.counted.entry(at).0 < hash {
                at += 1;
            }
            let start = at;
            while at < self.counted.len && self.counted.entry(at).0 == hash {
                at += 1;
            }
            let before = self.counted.count(start..at);
            self.distinct += usize::from(before == 0);
            added += digits(before + more) - (at - start);
            report(hash, before, before + more);
        }
        added
    }
}

/// Returns the different hashes of a sorted list, each with the number of its occurrences.
fn runs(hashes: &[u64]) -> impl DoubleEndedIterator<Item = (u64, u64)> {
    hashes.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u64))
}

/// Returns the number of bytes of a count without leading zero bytes.
fn digits(count: u64) -> usize {
    (u64::BITS - count.leading_zeros()).div_ceil(8) as usize
}

/// The number of entries of a page.
const PAGE: usize = 1 << 10;

/// Features in the order of their hashes. A feature has an entry for each byte of its count, the least significant first. The
/// entries are in pages: growth copies nothing and needs no second array.
#[derive(Clone, Debug, Default)]
struct Counted {
    pages: Vec<Box<Page>>,
    /// The number of entries.
    len: usize,
}

#[derive(Clone, Debug)]
struct Page {
    hashes: [u64; PAGE],
    digits: [u8; PAGE],
}

impl Counted {
    fn entry(&self, at: usize) -> (u64, u8) {
        let page = &self.pages[at / PAGE];
        (page.hashes[at % PAGE], page.digits[at % PAGE])
    }

    fn set(&mut self, at: usize, (hash, digit): (u64, u8)) {
        let page = &mut self.pages[at / PAGE];
        (page.hashes[at % PAGE], page.digits[at % PAGE]) = (hash, digit);
    }

    /// Returns the count of a feature from its entries, and 0 without any.
    fn count(&self, entries: Range<usize>) -> u64 {
        entries.rev().fold(0, |count, at| count << 8 | u64::from(self.entry(at).1))
    }

    /// Adds sorted hashes, which add this number of entries. O(entries), from the last to the first.
    fn merge(&mut self, hashes: &[u64], added: usize) {
        let (mut from, mut to) = (self.len, self.len + added);
        self.len = to;
        let pages = to.div_ceil(PAGE);
        self.pages.resize_with(pages, || Box::new(Page { hashes: [0; PAGE], digits: [0; PAGE] }));
        for (hash, more) in runs(hashes).rev() {
            while from > 0 && self.entry(from - 1).0 > hash {
                (from, to) = (from - 1, to - 1);
                self.set(to, self.entry(from));
            }
            let end = from;
            while from > 0 && self.entry(from - 1).0 == hash {
                from -= 1;
            }
            let count = self.count(from..end) + more;
            for &digit in count.to_le_bytes()[..digits(count)].iter().rev() {
                to -= 1;
                self.set(to, (hash, digit));
            }
        }
        debug_assert_eq!(from, to, "`added` is the number of new entries");
    }
}
