//! Counts of many features in sorted order, for long and for hostile texts.
//!
//! New hashes wait in a buffer. When it is full it is sorted and merged into the counted features, as in a
//! log-structured merge tree of two levels (O'Neil, Cheng, Gawlick and O'Neil 1996). The buffer grows with the counted
//! features, so a hash takes amortised O(log n) time, whatever the hashes are. A counted feature takes nine bytes, and
//! the buffer one more.

use alloc::{boxed::Box, sync::Arc, vec::Vec};

use super::features::BATCH_FEATURES;

/// The number of counted features for each place in the buffer.
const SHARE: usize = 8;
/// The minimum capacity of the buffer.
const MIN_BUFFER: usize = 1 << 16;

/// A feature's mixed hash and its count.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CountedFeature {
    pub hash: u64,
    pub count: u64,
}

#[derive(Debug)]
pub(super) struct Sorted {
    /// Shared by the copies of a text: a digest ends a copy, and that changes nothing here.
    counted: Arc<Counted>,
    /// The buffer.
    pending: Vec<u64>,
    /// The number of different features that have been reported.
    distinct: usize,
}

impl Clone for Sorted {
    fn clone(&self) -> Self {
        // With the same capacity: a full buffer is merged, which would copy the counted features.
        let mut pending = Vec::with_capacity(self.pending.capacity());
        pending.extend_from_slice(&self.pending);
        Sorted { counted: self.counted.clone(), pending, distinct: self.distinct }
    }
}

impl Sorted {
    pub fn new() -> Self {
        Sorted { counted: Arc::default(), pending: Vec::with_capacity(MIN_BUFFER), distinct: 0 }
    }

    /// Adds different features, which are new here and have been reported.
    pub fn insert(&mut self, features: &[CountedFeature]) {
        self.distinct += features.len();
        let counted = Arc::make_mut(&mut self.counted);
        counted.merge(&sorted_hashes(features, 0), self.distinct);
        let large = sorted_hashes(features, LARGE.into());
        counted.add_large(&large.iter().rev().map(|&hash| (hash, 0)).collect::<Vec<_>>());
        for feature in features {
            let at = counted.position(feature.hash);
            counted.set(at, feature.hash, feature.count, &mut Vec::new());
        }
    }

    pub fn push(&mut self, hash: u64) {
        self.pending.push(hash);
    }

    /// Whether the next batch may exceed the buffer's capacity.
    pub fn is_full(&self) -> bool {
        self.pending.len() + BATCH_FEATURES > self.pending.capacity()
    }

    pub fn distinct(&self) -> usize {
        self.distinct
    }

    /// Empties the buffer and reports each different feature in it, as `(hash, count before, count now)`.
    pub fn settle(&mut self, report: &mut dyn FnMut(u64, u64, u64)) {
        self.report(report);
        Arc::make_mut(&mut self.counted).merge(&self.pending, self.distinct);
        let capacity = (self.distinct / SHARE).max(MIN_BUFFER);
        self.pending.clear();
        if self.pending.capacity() != capacity {
            self.pending = Vec::new(); // frees the old buffer first
            self.pending.reserve_exact(capacity);
        }
    }

    /// Ends the text: reports as [`settle`](Self::settle) does, and keeps only the number of different features, to which it
    /// adds `others`, which are counted elsewhere.
    pub fn finish(&mut self, report: &mut dyn FnMut(u64, u64, u64), others: usize) {
        self.report(report);
        self.distinct += others;
        self.counted = Arc::default();
        self.pending = Vec::new();
    }

    fn report(&mut self, report: &mut dyn FnMut(u64, u64, u64)) {
        self.pending.sort_unstable();
        let mut at = 0;
        for (hash, more) in runs(&self.pending) {
            while at < self.counted.len && self.counted.hash(at) < hash {
                at += 1;
            }
            let is_known = at < self.counted.len && self.counted.hash(at) == hash;
            let before = if is_known { self.counted.count(at) } else { 0 };
            self.distinct += usize::from(!is_known);
            report(hash, before, before + more);
        }
    }
}

/// Returns the hashes of the features that occur `least` times or more, sorted.
fn sorted_hashes(features: &[CountedFeature], least: u64) -> Vec<u64> {
    let frequent = features.iter().filter(|feature| feature.count >= least);
    let mut hashes: Vec<u64> = frequent.map(|feature| feature.hash).collect();
    hashes.sort_unstable();
    hashes
}

/// Returns the different hashes of a sorted list, each with the number of its occurrences.
fn runs(hashes: &[u64]) -> impl DoubleEndedIterator<Item = (u64, u64)> {
    hashes.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u64))
}

/// The number of features of a page.
const PAGE: usize = 1 << 10;

/// Features in the order of their hashes, in pages: growth copies nothing and needs no second array.
#[derive(Clone, Debug, Default)]
struct Counted {
    pages: Vec<Box<Page>>,
    len: usize,
    /// The counts that do not fit in a byte, each with its hash, in the order of the hashes. There is one for [`LARGE`]
    /// occurrences at most.
    large: Vec<(u64, u64)>,
}

#[derive(Clone, Debug)]
struct Page {
    hashes: [u64; PAGE],
    /// [`LARGE`] stands for a count in [`Counted::large`].
    counts: [u8; PAGE],
}

const LARGE: u8 = u8::MAX;

impl Counted {
    fn hash(&self, at: usize) -> u64 {
        self.pages[at / PAGE].hashes[at % PAGE]
    }

    fn count(&self, at: usize) -> u64 {
        match self.pages[at / PAGE].counts[at % PAGE] {
            LARGE => self.large(self.hash(at)).map_or(0, |at| self.large[at].1),
            count => count.into(),
        }
    }

    /// Returns the place of this hash in `large`.
    fn large(&self, hash: u64) -> Option<usize> {
        self.large.binary_search_by_key(&hash, |&(hash, _)| hash).ok()
    }

    /// Sets a count. One that is large for the first time goes to `added`.
    fn set(&mut self, at: usize, hash: u64, count: u64, added: &mut Vec<(u64, u64)>) {
        let byte = u8::try_from(count).unwrap_or(LARGE);
        if byte == LARGE {
            match self.large(hash) {
                Some(at) => self.large[at].1 = count,
                None => added.push((hash, count)),
            }
        }
        self.set_byte(at, hash, byte);
    }

    /// Adds large counts in descending order of their hashes. O(large counts), from the last to the first.
    fn add_large(&mut self, added: &[(u64, u64)]) {
        let mut from = self.large.len();
        let mut to = from + added.len();
        self.large.resize(to, (0, 0));
        for &new in added {
            while from > 0 && self.large[from - 1].0 > new.0 {
                (from, to) = (from - 1, to - 1);
                self.large[to] = self.large[from];
            }
            to -= 1;
            self.large[to] = new;
        }
    }

    fn set_byte(&mut self, at: usize, hash: u64, count: u8) {
        let page = &mut self.pages[at / PAGE];
        (page.hashes[at % PAGE], page.counts[at % PAGE]) = (hash, count);
    }

    /// Returns the position of a counted feature.
    fn position(&self, hash: u64) -> usize {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = low.midpoint(high);
            if self.hash(middle) < hash {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Adds sorted hashes, after which there are `len` different ones. O(len), from the last to the first.
    fn merge(&mut self, hashes: &[u64], len: usize) {
        let (mut from, mut to) = (self.len, len);
        self.len = len;
        let pages = len.div_ceil(PAGE);
        self.pages.resize_with(pages, || Box::new(Page { hashes: [0; PAGE], counts: [0; PAGE] }));
        let mut added = Vec::new();
        for (hash, more) in runs(hashes).rev() {
            while from > 0 && self.hash(from - 1) > hash {
                from -= 1;
                to -= 1;
                self.set_byte(to, self.hash(from), self.pages[from / PAGE].counts[from % PAGE]);
            }
            let mut count = more;
            if from > 0 && self.hash(from - 1) == hash {
                from -= 1;
                count += self.count(from);
            }
            to -= 1;
            self.set(to, hash, count, &mut added);
        }
        self.add_large(&added);
        debug_assert_eq!(from, to, "`len` is the number of different hashes");
    }
}
