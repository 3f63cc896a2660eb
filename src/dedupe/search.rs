//! Search: the kept documents that may resemble a sketch.
//!
//! Documents that share a key with the sketch are candidates. A key that few documents have says more than one that many
//! have, as the keys of a template do: so a candidate has a *weight*, the sum over the keys that it was found under of
//! 65,536 divided by the number of documents read under that key. The [`MAX_VERIFIED`] candidates of the largest weights are
//! verified.

use alloc::vec::Vec;
use core::hint::black_box;

use super::{
    kept::{Kept, Keys},
    postings::KEYS,
    sketch::Record,
};
use crate::{Error, sort::sort};

/// The maximum number of candidates that a search verifies.
pub(super) const MAX_VERIFIED: usize = 32;

/// The weight of a key that only one document has.
const UNIQUE: u64 = 1 << 16;

/// More than the sum of the weights of all keys.
const HEAVIEST: u64 = UNIQUE * (KEYS as u64 + 1);

/// A search among the kept documents.
pub(super) struct Search<'a> {
    pub kept: &'a Kept,
    pub record: &'a Record,
    pub keys: &'a Keys,
    pub now: u64,
    /// The excluded entries: the versions of the observed id.
    pub except: [Option<u32>; 2],
}

impl<'a> Search<'a> {
    /// Returns the candidates to verify: their entries, which are in the order of addition, and their records. If
    /// only the best one counts and a document is equal, it is the only candidate: none is more similar.
    pub fn candidates(
        &self,
        only_best: bool,
    ) -> Result<impl ExactSizeIterator<Item = (u32, &'a Record)> + use<'a>, Error> {
        let entries = self.choose(only_best)?;
        self.load(&entries);
        let kept = self.kept;
        Ok(entries.into_iter().map(move |entry| (entry as u32, kept.record(entry as u32))))
    }

    /// Returns whether a document is neither removed nor expired nor excluded.
    #[inline]
    fn is_eligible(&self, entry: u32) -> bool {
        !self.except.contains(&Some(entry))
            && self.kept.ids.is_live(entry)
            && self.kept.is_live(entry, self.now)
    }

    /// Returns the equal document that was kept first.
    fn first_equal(&self) -> Option<u32> {
        let Search { kept, record, .. } = self;
        let keys = self.keys.as_slice();
        let mut equal = None;
        kept.postings.for_each_run(&keys[keys.len().saturating_sub(1)..], |run| {
            let mut entries = run.iter().map(|&item| kept.postings.entry(item));
            equal =
                entries.find(|&entry| self.is_eligible(entry) && kept.record(entry).equals(record));
        });
        equal
    }

    /// Returns the entries of the candidates to verify, among them the equal document that was kept first. If only the best
    /// one counts, that document is the only candidate.
    fn choose(&self, only_best: bool) -> Result<Vec<u64>, Error> {
        let postings = &self.kept.postings;
        let equal = self.first_equal();
        let keys = if only_best && equal.is_some() { &[] } else { self.keys.as_slice() };
        let mut runs = [&[][..]; KEYS];
        let mut len = 0;
        let mut all = runs.iter_mut();
        postings.for_each_run(keys, |run| {
            len += run.len();
            *all.next().expect("a run for each key") = run;
        });
        // The entry in the high half, the weight in the low half.
        let mut items: Vec<u64> = Vec::new();
        items.try_reserve_exact(len + 1)?;
        items.extend(equal.map(|entry| u64::from(entry) << 32 | HEAVIEST));
        for run in &runs[..keys.len()] {
            let start = items.len();
            let entries = run.iter().map(|&item| postings.entry(item));
            let eligible = entries.filter(|&entry| self.is_eligible(entry));
            items.extend(eligible.map(|entry| u64::from(entry) << 32));
            let read = &mut items[start..];
            let weight = UNIQUE / read.len().max(1) as u64;
            read.iter_mut().for_each(|item| *item |= weight);
        }
        keep_heaviest(&mut items);
        Ok(items)
    }

    /// Loads the records of the candidates, so that their cache misses overlap.
    fn load(&self, entries: &[u64]) {
        let records = entries.iter().map(|&entry| self.kept.record(entry as u32));
        black_box(records.fold(0, |all, record| all ^ record.words.0 ^ record.odd.0[7]));
    }
}

/// Adds up the weights of each entry, which are in the low halves. Leaves the [`MAX_VERIFIED`] entries of the largest sums,
/// ties in the order of addition.
fn keep_heaviest(items: &mut Vec<u64>) {
    const LOW: u64 = u32::MAX as u64;
    sort(items);
    items.dedup_by(|next, item| {
        let is_same = *next >> 32 == *item >> 32;
        *item += if is_same { *next & LOW } else { 0 };
        is_same
    });
    if items.len() <= MAX_VERIFIED {
        items.iter_mut().for_each(|item| *item >>= 32);
        return;
    }
    // The heaviest first: the complement of the weight in the high half, then the entry.
    items.iter_mut().for_each(|item| *item = (!*item & LOW) << 32 | *item >> 32);
    sort(items);
    items.truncate(MAX_VERIFIED);
    items.iter_mut().for_each(|item| *item &= LOW);
}
