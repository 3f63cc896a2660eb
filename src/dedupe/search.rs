//! Search and verification: the kept documents that resemble a sketch.

use alloc::vec::Vec;
use core::{cmp::Ordering, hint::black_box};

use super::{
    kept::Kept,
    margins::{Margins, NO_FLIPS},
    sketch::{MIN_BRIEF_RESEMBLANCE, Sketch, WordsHash},
};
use crate::{
    Error,
    simhash::minhash::{CELLS, Estimate, MinHash},
};

/// Candidates whose fingerprints differ in more bits are not verified. Near-duplicates are rarely further apart. Among
/// 200,000 documents, 5 of the 210 documents that a query examines are left (`benches/dedupe_study.rs`).
const MAX_DISTANCE: u32 = 16;

/// The maximum number of documents of equal fingerprints that are verified, the earliest.
const MAX_EQUAL: usize = 256;

/// Candidates that are verified together. A query among a million documents has about ten.
const BATCH: usize = 32;

/// What is kept of a document that is not short, in addition to its id and its fingerprint.
#[derive(Clone, Copy)]
pub(super) struct Record {
    pub words: WordsHash,
    pub minhash: MinHash,
}

/// A search among the kept documents that are not short.
pub(super) struct Search<'a> {
    pub kept: &'a Kept<Record>,
    pub sketch: &'a Sketch,
    pub minhash: &'a MinHash,
    pub probes: usize,
    pub min_resemblance: f64,
    pub now: u64,
    /// The entry of the sketch's own id, which is no candidate.
    pub except: Option<u32>,
}

/// A document that may be a hit.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub estimate: Estimate,
    pub distance: u32,
    pub entry: u32,
}

impl Candidate {
    /// Compares by resemblance, then by distance, then by the order of addition. The best one is the greatest.
    fn order(&self, other: &Self) -> Ordering {
        let by_resemblance = self.estimate.compare(&other.estimate);
        by_resemblance.then(other.distance.cmp(&self.distance)).then(other.entry.cmp(&self.entry))
    }
}

impl Search<'_> {
    /// The best candidate that reaches the threshold.
    pub fn best(&self) -> Option<Candidate> {
        // No document is more similar than one of equal fingerprint and MinHash, and finding it takes no probes.
        if let Some(entry) = self.equal() {
            return Some(Candidate { estimate: Estimate::of_equality(true), distance: 0, entry });
        }
        let mut best: Option<Candidate> = None;
        self.each(&mut |candidate| {
            if best.as_ref().is_none_or(|best| candidate.order(best).is_gt()) {
                best = Some(candidate);
            }
        });
        best
    }

    /// The best candidates that reach the threshold, up to `limit`, the best one first.
    pub fn all(&self, limit: usize) -> Result<Vec<Candidate>, Error> {
        let mut near = Vec::new();
        let mut reserved = Ok(());
        self.each(&mut |candidate| {
            if reserved.is_ok() {
                reserved = near.try_reserve(1);
                if reserved.is_ok() {
                    near.push(candidate);
                }
            }
        });
        reserved?;
        // Not inserted in order: anyone can write texts that all resemble each other.
        near.sort_unstable_by(|a, b| b.order(a));
        near.truncate(limit);
        Ok(near)
    }

    /// The first document of the same fingerprint and MinHash.
    fn equal(&self) -> Option<u32> {
        let Search { kept, now, except, .. } = *self;
        let mut members = kept.members(self.sketch.fingerprint().into(), MAX_EQUAL, now, except);
        members.find(|&entry| &kept.record(entry).minhash == self.minhash)
    }

    /// Calls `hit` with every candidate that reaches the threshold.
    fn each(&self, hit: &mut dyn FnMut(Candidate)) {
        let mut flips = NO_FLIPS;
        self.sketch.margins.as_ref().unwrap_or(&Margins::UNKNOWN).flips(self.probes, &mut flips);
        let flips = flips.each_ref().map(|flips| &flips[..self.probes]);
        let mut batch = [(0, 0); BATCH];
        let mut len = 0;
        let collection = &self.kept.collection;
        collection.probe(
            self.sketch.fingerprint(),
            &flips,
            MAX_DISTANCE,
            &mut |found, distance| {
                if len == BATCH {
                    self.verify(&batch, hit);
                    len = 0;
                }
                batch[len] = (found, distance);
                len += 1;
            },
        );
        self.verify(&batch[..len], hit);
    }

    /// Estimates the resemblance of the documents with these fingerprints, at these distances.
    ///
    /// A lookup is a chain of cache misses: the slot, then the fingerprint and the record. Each pass reads one link for all
    /// candidates, so that their misses overlap.
    #[inline(never)]
    fn verify(&self, found: &[(u64, u32)], hit: &mut dyn FnMut(Candidate)) {
        let kept = self.kept;
        let entries = &kept.collection.entries;
        let slots = found.iter().map(|&(fingerprint, _)| entries.touch(fingerprint.into()));
        black_box(slots.fold(0, |read, slot| read ^ slot));
        let records = found.iter().filter_map(|&(fingerprint, _)| {
            let entry = entries.guess(fingerprint.into())?;
            let Record { words, minhash: MinHash(cells) } = kept.record(entry);
            Some(kept.key(entry) as u64 ^ words.0 ^ cells[CELLS - 1])
        });
        black_box(records.fold(0, |read, record| read ^ record));
        for &(fingerprint, distance) in found {
            for entry in kept.members(fingerprint.into(), MAX_EQUAL, self.now, self.except) {
                let record = kept.record(entry);
                let estimate = self.minhash.estimate(&record.minhash);
                if self.reaches(&estimate, record.words) {
                    hit(Candidate { estimate, distance, entry });
                }
            }
        }
    }

    /// Whether a document with this resemblance and words hash is a near-duplicate. A threshold of 0 admits every candidate.
    fn reaches(&self, estimate: &Estimate, words: WordsHash) -> bool {
        let has_few_features =
            words.has_few_features() || self.sketch.content.words.has_few_features();
        let threshold = match self.min_resemblance {
            min if min > 0.0 && has_few_features => min.max(MIN_BRIEF_RESEMBLANCE),
            min => min,
        };
        // The rounded quotient, as in the result: a hit is what reports at least the threshold.
        estimate.resemblance() >= threshold
    }
}
