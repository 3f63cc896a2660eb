//! Search and verification: the kept documents that resemble a sketch.

use alloc::vec::Vec;
use core::{cmp::Ordering, hint::black_box};

use super::{
    long::{Long, MAX_VERIFIED, Record},
    margins::{Margins, NO_FLIPS},
    sketch::{Sketch, reaches},
};
use crate::{
    Error,
    index::{entries::Group, probe::Found},
    simhash::minhash::{CELLS, Estimate, MinHash},
};

/// Candidates whose fingerprints differ in more bits are not verified. Near-duplicates are rarely further apart.
pub(super) const MAX_DISTANCE: u32 = 16;

/// The number of fingerprints whose documents are looked up together.
const BATCH: usize = 32;

/// A search among the kept documents that are not short.
pub(super) struct Search<'a> {
    pub long: &'a Long,
    pub sketch: &'a Sketch,
    pub minhash: &'a MinHash,
    pub probes: usize,
    pub min_resemblance: f64,
    pub now: u64,
    /// The excluded entry: the one with the observed id.
    pub except: Option<u32>,
}

/// A verified candidate.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub estimate: Estimate,
    pub distance: u32,
    pub entry: u32,
}

impl Candidate {
    /// Compares by resemblance, then by distance, then by the order of addition. The best one is the greatest.
    fn compare(&self, other: &Self) -> Ordering {
        let by_resemblance = self.estimate.compare(&other.estimate);
        by_resemblance.then(other.distance.cmp(&self.distance)).then(other.entry.cmp(&self.entry))
    }
}

impl Search<'_> {
    /// Returns the best candidates that reach the threshold, up to `limit`, the best one first.
    pub fn best(&self, limit: usize) -> Result<Vec<Candidate>, Error> {
        let group = self.group();
        let mut hits = Vec::new();
        hits.try_reserve_exact(MAX_VERIFIED + 1)?;
        // No document is more similar than one with this fingerprint and MinHash. Finding it takes no probes.
        if limit == 1
            && let Some(group) = group.filter(|group| !self.is_crowd(*group))
            && let Some(entry) = self.identical(group)
        {
            hits.push(Candidate { estimate: Estimate::of_equality(true), distance: 0, entry });
            return Ok(hits);
        }
        self.for_each_hit(group, &mut |candidate| hits.push(candidate));
        hits.sort_unstable_by(|a, b| b.compare(a));
        hits.truncate(limit);
        Ok(hits)
    }

    /// Returns the documents with the same fingerprint.
    fn group(&self) -> Option<Group> {
        self.long.kept.entries.group(self.sketch.fingerprint().into())
    }

    fn is_crowd(&self, group: Group) -> bool {
        self.long.kept.entries.size(group) > MAX_VERIFIED
    }

    /// Returns whether a document is live and not excluded.
    fn is_eligible(&self, entry: u32) -> bool {
        Some(entry) != self.except && self.long.kept.is_live(entry, self.now)
    }

    /// Returns the first document of the group that has the same MinHash and is visible in a bucket or equal, as a full
    /// search requires. Excluding a document can reveal another; then the full search decides.
    fn identical(&self, group: Group) -> Option<u32> {
        let Search { long, sketch, .. } = *self;
        let mut members = long.kept.entries.members(group).filter(|&entry| self.is_eligible(entry));
        let cut = long.tables.cut(sketch.fingerprint());
        if cut != u32::MAX && self.except.is_some() {
            return None;
        }
        members.find(|&entry| {
            let record = long.record(entry);
            &record.minhash == self.minhash && (entry < cut || record.words == sketch.content.words)
        })
    }

    /// Returns the first equal document of the group.
    fn first_equal(&self, group: Group) -> Option<u32> {
        let Search { long, sketch, .. } = *self;
        let (fingerprint, words) = (sketch.fingerprint(), sketch.content.words);
        if self.is_crowd(group) {
            return long.crowd_members(fingerprint, words).find(|&entry| self.is_eligible(entry));
        }
        let mut members = long.kept.entries.members(group).filter(|&entry| self.is_eligible(entry));
        members.find(|&entry| long.record(entry).words == words)
    }

    /// Calls `hit` with every candidate that reaches the threshold: at most [`MAX_VERIFIED`] that the probes find, and the
    /// first equal document of `group`.
    fn for_each_hit(&self, group: Option<Group>, hit: &mut dyn FnMut(Candidate)) {
        let Search { long, sketch, except, .. } = *self;
        let mut flips = NO_FLIPS;
        sketch.margins.as_ref().unwrap_or(&Margins::UNKNOWN).flips(self.probes, &mut flips);
        let flips = flips.each_ref().map(|flips| &flips[..self.probes]);
        let mut nearest = Nearest::new();
        let mut batch = [Found::default(); BATCH];
        let mut len = 0;
        long.tables.probe(
            sketch.fingerprint(),
            &flips,
            MAX_DISTANCE,
            &long.kept.entries,
            except,
            &mut |found| {
                if len == BATCH {
                    self.look_up(&batch, &mut nearest);
                    len = 0;
                }
                batch[len] = found;
                len += 1;
                nearest.max_distance()
            },
        );
        self.look_up(&batch[..len], &mut nearest);
        self.verify(nearest.keys(), hit);
        if let Some(equal) = group.and_then(|group| self.first_equal(group)).map(u64::from)
            && !nearest.keys().contains(&equal)
        {
            self.verify(&[equal], hit);
        }
    }

    /// Adds the documents with these fingerprints to `nearest`.
    ///
    /// A look-up is a chain of cache misses: the slot, then the fingerprint and the record. Each pass reads one link for all
    /// candidates, so that their misses overlap.
    #[inline(never)]
    fn look_up(&self, found: &[Found], nearest: &mut Nearest) {
        let entries = &self.long.kept.entries;
        let is_near = |found: &&Found| found.distance <= nearest.max_distance();
        let slots = found.iter().map(|found| entries.touch(found.fingerprint.into()));
        black_box(slots.fold(0, |read, slot| read ^ slot));
        let records = found.iter().filter(is_near).filter_map(|found| {
            let entry = entries.guess(found.fingerprint.into())?;
            let Record { words, minhash: MinHash(cells) } = self.long.record(entry);
            Some(self.long.fingerprint(entry) ^ words.0 ^ cells[CELLS - 1])
        });
        black_box(records.fold(0, |read, record| read ^ record));
        for &Found { fingerprint, distance, cut } in found {
            if distance > nearest.max_distance() {
                continue;
            }
            let group = entries.group(fingerprint.into());
            for entry in entries.members(group.expect("tables and entries agree")) {
                // Members ascend, so all later ones fail too.
                if entry >= cut || self.is_eligible(entry) && !nearest.add(distance, entry) {
                    break;
                }
            }
        }
    }

    /// Calls `hit` with the documents that reach the threshold.
    fn verify(&self, nearest: &[u64], hit: &mut dyn FnMut(Candidate)) {
        for &key in nearest {
            let (distance, entry) = ((key >> 32) as u32, key as u32);
            let record = self.long.record(entry);
            let estimate = self.minhash.estimate(&record.minhash);
            if reaches(&estimate, record.words, self.sketch.content.words, self.min_resemblance) {
                hit(Candidate { estimate, distance, entry });
            }
        }
    }
}

/// The nearest of the documents added to it; ties go to those kept first.
struct Nearest {
    /// Ascending keys: the distance in the high half, the entry in the low half.
    keys: [u64; MAX_VERIFIED],
    len: usize,
}

impl Nearest {
    fn new() -> Self {
        Nearest { keys: [0; MAX_VERIFIED], len: 0 }
    }

    fn keys(&self) -> &[u64] {
        &self.keys[..self.len]
    }

    /// Returns the largest distance of a document that can still be among the nearest.
    #[inline]
    fn max_distance(&self) -> u32 {
        match self.keys.get(self.len) {
            Some(_) => MAX_DISTANCE,
            None => (self.keys[MAX_VERIFIED - 1] >> 32) as u32,
        }
    }

    /// Adds a document, once. Returns false if it is not among the nearest.
    #[inline]
    fn add(&mut self, distance: u32, entry: u32) -> bool {
        let key = u64::from(distance) << 32 | u64::from(entry);
        let Err(at) = self.keys().binary_search(&key) else { return true };
        if at == MAX_VERIFIED {
            return false;
        }
        self.len = MAX_VERIFIED.min(self.len + 1);
        self.keys.copy_within(at..self.len - 1, at + 1);
        self.keys[at] = key;
        true
    }
}
