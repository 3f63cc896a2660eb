//! Search: the kept documents that may resemble a sketch.
//!
//! Documents that share a key with the sketch are candidates. A key that few documents have says more than one that many
//! have, as the keys of a template do: so a candidate has a *weight*, the sum over the keys that it was found under of
//! 65,536 divided by the number of documents read under that key. The [`MAX_VERIFIED`] candidates of the largest weights are
//! verified.

use alloc::vec::Vec;
use core::hint::black_box;

use super::{
    decision::Hit,
    deduplicator::Deduplicator,
    kept::{Kept, Keys},
    options::Options,
    postings::{MAX_READ, Run},
    rule::{Ranked, ranked},
};
use crate::{
    Error,
    hash::fmix64,
    rows::columns::{collect, filled},
    sketch::{Sketch, minima::KEYS, record::Record},
};

/// The maximum number of candidates that a search verifies.
pub(super) const MAX_VERIFIED: usize = 32;

/// The weight of a key that only one document has.
const UNIQUE: u64 = 1 << 16;

/// More than the sum of the weights of all keys.
const HEAVIEST: u64 = UNIQUE * (KEYS as u64 + 1);

/// The low half of a number.
const LOW: u64 = u32::MAX as u64;

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
    /// Returns the candidates to verify, of which the caller wants up to `max_hits`: their entries, which are in the order of
    /// addition, and their records.
    pub fn candidates(
        &self,
        max_hits: usize,
    ) -> Result<impl ExactSizeIterator<Item = (u32, &'a Record)> + use<'a>, Error> {
        let entries = self.choose(max_hits)?;
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

    /// Calls `read` with the documents that are read for a key, up to [`MAX_READ`] that are eligible: the first of the key, and if
    /// some of them are not eligible, the last.
    #[inline]
    fn read(&self, run: Run<'_>, mut read: impl FnMut(u32)) {
        let mut left = MAX_READ;
        let mut read_some = |items: &[u32]| {
            let entries = items.iter().map(|&item| self.kept.postings.entry(item));
            for entry in entries.filter(|&entry| self.is_eligible(entry)).take(left) {
                read(entry);
                left -= 1;
            }
            left
        };
        let left = read_some(run.first);
        let are_all_eligible = left == MAX_READ - run.first.len();
        if !are_all_eligible {
            read_some(run.last());
        }
    }

    /// Returns the equal document that was kept first.
    fn first_equal(&self) -> Option<u32> {
        let keys = self.keys.as_slice();
        let mut equal = None;
        self.kept.postings.for_each_run(&keys[keys.len().saturating_sub(1)..], |run| {
            self.read(run, |entry| {
                if equal.is_none() && self.kept.record(entry).equals(self.record) {
                    equal = Some(entry);
                }
            });
        });
        equal
    }

    /// Returns the entries of the candidates to verify, among them the equal document that was kept first.
    fn choose(&self, max_hits: usize) -> Result<Vec<u64>, Error> {
        let equal = self.first_equal();
        // No document is more similar than an equal one.
        let keys = if max_hits == 1 && equal.is_some() { &[] } else { self.keys.as_slice() };
        let mut runs = [Run::default(); KEYS];
        let (mut count, mut max_entries) = (0, usize::from(equal.is_some()));
        self.kept.postings.for_each_run(keys, |run| {
            if !run.first.is_empty() {
                runs[count] = run;
                count += 1;
                max_entries += run.first.len();
            }
        });
        if max_entries == 0 {
            return Ok(Vec::new());
        }
        let mut weights = Weights::new(max_entries, self.kept.salt)?;
        if let Some(entry) = equal {
            weights.add(entry, HEAVIEST);
        }
        let mut entries = [0; MAX_READ];
        for &run in &runs[..count] {
            let mut len = 0;
            self.read(run, |entry| {
                entries[len] = entry;
                len += 1;
            });
            let weight = UNIQUE / len.max(1) as u64;
            entries[..len].iter().for_each(|&entry| weights.add(entry, weight));
        }
        weights.heaviest()
    }

    /// Loads the records of the candidates, so that their cache misses overlap.
    fn load(&self, entries: &[u64]) {
        let records = entries.iter().map(|&entry| self.kept.record(entry as u32));
        black_box(records.fold(0, |all, record| all ^ record.sequence.first ^ record.odd.0[7]));
    }
}

/// The sums of the weights of entries: a hash table with linear probing.
struct Weights {
    /// The entry in the high half, the weight in the low half; 0 if the cell is empty.
    cells: Vec<u64>,
    /// Without it, entries could be chosen that all have one cell.
    salt: u64,
}

impl Weights {
    /// Creates a table for this number of entries.
    fn new(entries: usize, salt: u64) -> Result<Self, Error> {
        Ok(Weights { cells: filled(0, (2 * entries).next_power_of_two())?, salt })
    }

    #[inline]
    fn add(&mut self, entry: u32, weight: u64) {
        let mask = self.cells.len() - 1;
        let mut at = fmix64(u64::from(entry) ^ self.salt) as usize & mask;
        while self.cells[at] != 0 && (self.cells[at] >> 32) as u32 != entry {
            at = (at + 1) & mask;
        }
        let sum = (self.cells[at] & LOW) + weight;
        self.cells[at] = u64::from(entry) << 32 | sum;
    }

    /// Returns the [`MAX_VERIFIED`] entries of the largest weights, the heaviest first, ties in the order of addition.
    fn heaviest(&self) -> Result<Vec<u64>, Error> {
        // The complement of the weight in the high half, then the entry. That of an empty cell comes last.
        let mut heaviest = [u64::MAX; MAX_VERIFIED];
        for &cell in &self.cells {
            let item = (!cell & LOW) << 32 | cell >> 32;
            if item < heaviest[MAX_VERIFIED - 1] {
                let at = heaviest.partition_point(|&heavier| heavier < item);
                heaviest.copy_within(at..MAX_VERIFIED - 1, at + 1);
                heaviest[at] = item;
            }
        }
        let len = heaviest.partition_point(|&item| item < LOW << 32);
        Ok(collect(len, heaviest[..len].iter().map(|&item| item & LOW))?)
    }
}

impl Deduplicator {
    /// Returns the kept documents that a sketch resembles, up to `limit`, at most 32: equal ones first, then the most similar,
    /// ties in the order of addition. [`Options::expires_in`] has no effect.
    ///
    /// A short text finds only equal documents. Any other text finds near-duplicates with a high probability, not with
    /// certainty: see the [module](crate::dedupe). The search is bounded, whatever is kept.
    /// Like [`peek`](Self::peek), it may miss a document among many that have expired.
    ///
    /// # Errors
    /// The sketch is of another scheme or has no keys, the threshold is out of range, or there is not enough memory for the
    /// hits.
    pub fn query(
        &self,
        sketch: &Sketch,
        limit: usize,
        options: &Options,
    ) -> Result<Vec<Hit>, Error> {
        let keys = self.check(sketch)?;
        if !(0.0..=1.0).contains(&options.min_resemblance) {
            return Err(Error::float("min_resemblance", "from 0 to 1", options.min_resemblance));
        }
        let candidates = self.search(sketch, &keys, options, [None; 2]).candidates(limit)?;
        let min = options.min_resemblance;
        let found = ranked(&sketch.record, candidates, min, Ranked::reaches, usize::MAX)?;
        let mut hits: Vec<Hit> = Vec::new();
        hits.try_reserve_exact(found.len().min(limit))?;
        for ranked in found {
            if hits.len() == limit {
                break;
            }
            let hit = self.hit(ranked.candidate);
            // An id has its better version as a hit.
            if self.kept.leases.len() == 0 || hits.iter().all(|other| other.id != hit.id) {
                hits.push(hit);
            }
        }
        Ok(hits)
    }

    /// Returns a search for a sketch with these keys.
    pub(super) fn search<'a>(
        &'a self,
        sketch: &'a Sketch,
        keys: &'a Keys,
        options: &Options,
        except: [Option<u32>; 2],
    ) -> Search<'a> {
        Search { kept: &self.kept, record: &sketch.record, keys, now: options.now, except }
    }
}
