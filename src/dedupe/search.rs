//! Search and verification: the kept documents that resemble a sketch.
//!
//! Documents that share a key with the sketch are candidates. A key that few documents have says more than one that many
//! have, as the keys of a template do: so a candidate has a *weight*, the sum over the keys that it was found under of
//! 65,536 divided by the number of documents read under that key. The [`MAX_VERIFIED`] candidates of the largest weights are
//! verified.

use alloc::vec::Vec;
use core::{cmp::Ordering, hint::black_box};

use super::{
    kept::{Kept, Keys},
    postings::KEYS,
    sketch::{Record, reaches},
};
use crate::{Error, simhash::odd_sketch::Estimate};

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
    pub min_resemblance: f64,
    pub now: u64,
    /// The excluded entry: the one with the observed id.
    pub except: Option<u32>,
}

/// A verified candidate.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    is_equal: bool,
    pub estimate: Estimate,
    pub distance: u32,
    pub entry: u32,
}

impl Candidate {
    /// Compares by equality, then by resemblance, then by distance, then by the order of addition. The best one is the
    /// greatest.
    fn compare(&self, other: &Self) -> Ordering {
        let by_equality = self.is_equal.cmp(&other.is_equal);
        let by_resemblance = by_equality.then(self.estimate.compare(&other.estimate));
        by_resemblance.then(other.distance.cmp(&self.distance)).then(other.entry.cmp(&self.entry))
    }
}

impl Search<'_> {
    /// Returns the best candidates that reach the threshold, up to `limit`, the best one first.
    pub fn best(&self, limit: usize) -> Result<Vec<Candidate>, Error> {
        let mut hits = Vec::new();
        let equal = self.first_equal();
        // No document is more similar than an equal one.
        if limit == 1
            && let Some(entry) = equal
        {
            hits.try_reserve_exact(1)?;
            hits.push(self.verify(entry));
            return Ok(hits);
        }
        let candidates = self.candidates(equal)?;
        self.load(&candidates);
        let verified = candidates.iter().map(|&entry| self.verify(entry as u32));
        let mut reaching = verified.filter(|candidate| {
            let other = self.kept.record(candidate.entry);
            reaches(&candidate.estimate, self.record.words, other.words, self.min_resemblance)
        });
        if limit == 1 {
            if let Some(best) = reaching.max_by(Candidate::compare) {
                hits.try_reserve_exact(1)?;
                hits.push(best);
            }
            return Ok(hits);
        }
        hits.try_reserve_exact(MAX_VERIFIED)?;
        hits.extend(&mut reaching);
        hits.sort_unstable_by(|a, b| b.compare(a));
        hits.truncate(limit);
        Ok(hits)
    }

    /// Returns whether a document is neither removed nor expired nor excluded.
    #[inline]
    fn is_eligible(&self, entry: u32) -> bool {
        Some(entry) != self.except
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

    /// Returns the entries of the candidates to verify, among them the equal document that was kept first.
    fn candidates(&self, equal: Option<u32>) -> Result<Vec<u64>, Error> {
        let postings = &self.kept.postings;
        let keys = self.keys.as_slice();
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
        choose(&mut items);
        Ok(items)
    }

    /// Loads the records of the candidates, so that their cache misses overlap.
    fn load(&self, entries: &[u64]) {
        let records = entries.iter().map(|&entry| self.kept.record(entry as u32));
        black_box(records.fold(0, |all, record| all ^ record.words.0 ^ record.odd.0[7]));
    }

    fn verify(&self, entry: u32) -> Candidate {
        let other = self.kept.record(entry);
        let is_equal = self.record.equals(other);
        let estimate =
            if is_equal { Estimate::of_equality(true) } else { self.record.resemblance(other) };
        Candidate { is_equal, estimate, distance: self.record.distance(other), entry }
    }
}

/// Adds up the weights of each entry, which are in the low halves. Leaves the [`MAX_VERIFIED`] entries of the largest sums,
/// ties in the order of addition.
fn choose(items: &mut Vec<u64>) {
    const LOW: u64 = u32::MAX as u64;
    items.sort_unstable();
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
    items.sort_unstable();
    items.truncate(MAX_VERIFIED);
    items.iter_mut().for_each(|item| *item &= LOW);
}
