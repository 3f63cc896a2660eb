//! The deduplicator: the kept documents, and the search for the one that a document resembles most.

use alloc::vec::Vec;
use core::{cmp::Ordering, hint::black_box};

use super::{
    error::{Error, Kind},
    margins::{MOST_PROBES, Margins, NO_FLIPS},
    sketch::{Content, Sketch, check_scheme},
};
use crate::{
    index::{MOST, NearIndex, collection::Collection},
    simhash::{
        Scheme, Width,
        minhash::{CELLS, Estimate, MinHash},
    },
};

/// The default resemblance from which a document is a near-duplicate.
pub const MIN_RESEMBLANCE: f64 = 0.67;

/// The default number of probes of each of the four blocks.
pub const PROBES: usize = 25;

/// Candidates whose fingerprints differ in more bits are not verified. Near-duplicates are rarely further apart. Among
/// 200,000 documents, 5 of the 210 documents that a query examines are left (`benches/dedupe_study.rs`).
const MAX_DISTANCE: u32 = 16;

/// Documents of equal fingerprints that are verified, the earliest. More of them come only from [`Deduplicator::add`],
/// which does not ask whether a document is new.
const MOST_EQUAL: usize = 256;

/// Candidates that are verified together. A query of a million documents has about ten.
const WAITING: usize = 32;

/// A kept document that another one is a near-duplicate of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The id of the kept document.
    pub id: u64,
    /// The estimated resemblance, from 0 to 1.
    pub resemblance: f64,
    /// The number of bits in which the fingerprints differ.
    pub distance: u32,
}

/// Keeps documents and finds the kept one that another document resembles most.
///
/// Documents have ids, any `u64`, and are given by their [`Sketch`]es, all of one scheme.
///
/// ```
/// use nearprint::{Deduplicator, Fingerprinter};
///
/// let mut fingerprinter = Fingerprinter::default();
/// let mut kept = Deduplicator::new(*fingerprinter.scheme())?;
/// let text = "The river burst its banks early on Tuesday, the council said, and the road is closed for a week.";
/// assert_eq!(kept.add_if_new(1, &fingerprinter.sketch(text))?, None);
/// let hit = kept.add_if_new(2, &fingerprinter.sketch(&text.to_uppercase()))?;
/// assert_eq!(hit.map(|hit| (hit.id, hit.resemblance)), Some((1, 1.0)));
/// assert_eq!(kept.len(), 1);
/// # Ok::<(), nearprint::dedupe::Error>(())
/// ```
#[derive(Clone)]
pub struct Deduplicator {
    scheme: Scheme,
    min_resemblance: f64,
    probes: usize,
    /// Documents of short texts, by a key that is equal if fingerprint and words are.
    pub(super) short: NearIndex,
    /// All other documents.
    pub(super) long: Collection,
    /// Their MinHashes, by entry number.
    pub(super) minhashes: Pages,
}

impl Deduplicator {
    /// An empty deduplicator for sketches of `scheme`, whose width does not matter.
    ///
    /// # Errors
    /// There is no such fingerprint, see [`Fingerprinter::new`](crate::Fingerprinter::new).
    pub fn new(scheme: Scheme) -> Result<Self, Error> {
        let scheme = Scheme { width: Width::W64, ..scheme };
        let scheme = scheme.check().map_err(Kind::NoScheme)?;
        Ok(Deduplicator {
            scheme,
            min_resemblance: MIN_RESEMBLANCE,
            probes: PROBES,
            short: NearIndex::new(128, 0, "")?,
            long: Collection::for_probes()?,
            minhashes: Pages::default(),
        })
    }

    /// Sets the resemblance from which a document is a near-duplicate: above 0 and up to 1, [`MIN_RESEMBLANCE`] by
    /// default.
    ///
    /// # Errors
    /// A number out of range.
    pub fn with_min_resemblance(mut self, min_resemblance: f64) -> Result<Self, Error> {
        if !(min_resemblance > 0.0 && min_resemblance <= 1.0) {
            return Err(Kind::MinResemblance(min_resemblance).into());
        }
        self.min_resemblance = min_resemblance;
        Ok(self)
    }

    /// Sets how many buckets of each block a query examines, 1 to 256; [`PROBES`] by default. More probes find more and
    /// take longer.
    ///
    /// # Errors
    /// A number out of range.
    pub fn with_probes(mut self, probes: usize) -> Result<Self, Error> {
        if !(1..=MOST_PROBES).contains(&probes) {
            return Err(Kind::Probes(probes).into());
        }
        self.probes = probes;
        Ok(self)
    }

    /// The scheme of the sketches, at 64 bits.
    pub fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// The resemblance from which a document is a near-duplicate.
    pub fn min_resemblance(&self) -> f64 {
        self.min_resemblance
    }

    /// How many buckets of each block a query examines.
    pub fn probes(&self) -> usize {
        self.probes
    }

    /// How many documents are kept.
    pub fn len(&self) -> usize {
        self.long.entries.len() + self.short.len()
    }

    /// Whether no document is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        let tables: usize = self.long.tables.iter().map(|table| table.bytes()).sum();
        self.long.entries.bytes() + tables + self.minhashes.bytes() + self.short.stats().bytes
    }

    /// Whether a document with this id is kept.
    pub fn has(&self, id: u64) -> bool {
        self.long.entries.find(id).is_some() || self.short.has(id)
    }

    /// The sketch of the kept document with this id, without margins.
    pub fn get(&self, id: u64) -> Option<Sketch> {
        let long = self.long.entries.find(id).map(|entry| self.sketch_of(entry));
        long.or_else(|| self.short.get(id).map(|key| self.short_sketch(key)))
    }

    /// All kept documents: first those of longer texts and then those of short ones, each in the order of addition.
    pub fn iter(&self) -> impl Iterator<Item = (u64, Sketch)> {
        let entries = &self.long.entries;
        let long = entries.iter().map(|entry| (entries.id(entry), self.sketch_of(entry)));
        long.chain(self.short.iter().map(|(id, key)| (id, self.short_sketch(key))))
    }

    /// The ids of all kept documents, in the order of [`iter`](Self::iter).
    pub fn ids(&self) -> impl Iterator<Item = u64> {
        let entries = &self.long.entries;
        entries.iter().map(|entry| entries.id(entry)).chain(self.short.iter().map(|(id, _)| id))
    }

    fn sketch_of(&self, entry: u32) -> Sketch {
        let content = Content::Features(*self.minhashes.get(entry));
        let fingerprint = self.long.entries.fingerprint(entry) as u64;
        Sketch::new(self.scheme, fingerprint, content, None)
    }

    fn short_sketch(&self, key: u128) -> Sketch {
        Sketch::new(self.scheme, key as u64, Content::Words((key >> 64) as u64), None)
    }

    /// The kept document that resembles this one most, if it does so by the threshold. Among equally similar documents,
    /// the one of the smallest Hamming distance, then the one kept first.
    ///
    /// A short text is a near-duplicate of one of equal words only. Any other text finds near-duplicates with a high
    /// probability, not with certainty: see the [module](crate::dedupe). A sketch without margins finds fewer.
    ///
    /// # Errors
    /// A sketch of another scheme.
    pub fn query(&self, sketch: &Sketch) -> Result<Option<Hit>, Error> {
        self.check("sketch", sketch.scheme())?;
        Ok(self.find(sketch))
    }

    /// The kept documents that resemble this one by the threshold, up to `limit`, in the order of which
    /// [`query`](Self::query) returns the first.
    ///
    /// # Errors
    /// A sketch of another scheme, or too little memory for the hits.
    pub fn query_all(&self, sketch: &Sketch, limit: usize) -> Result<Vec<Hit>, Error> {
        self.check("sketch", sketch.scheme())?;
        let minhash = match &sketch.content {
            Content::Words(hash) => return Ok(self.find_short(sketch.fingerprint, *hash, limit)),
            Content::Features(minhash) => minhash,
        };
        let mut near: Vec<Candidate> = Vec::new();
        let mut room = Ok(());
        self.compare(sketch, minhash, &mut |candidate| {
            if room.is_ok() && candidate.estimate.is_at_least(self.min_resemblance) {
                room = near.try_reserve(1);
                if room.is_ok() {
                    near.push(candidate);
                }
            }
        });
        room?;
        // Not inserted in order: anyone can write texts that all resemble each other.
        near.sort_unstable_by(|a, b| b.order(a));
        near.truncate(limit);
        let mut hits = Vec::new();
        hits.try_reserve_exact(near.len())?;
        hits.extend(near.iter().map(|candidate| self.hit(candidate)));
        Ok(hits)
    }

    fn find(&self, sketch: &Sketch) -> Option<Hit> {
        let minhash = match &sketch.content {
            Content::Words(hash) => return self.find_short(sketch.fingerprint, *hash, 1).pop(),
            Content::Features(minhash) => minhash,
        };
        if let Some(entry) = self.equal(sketch.fingerprint, minhash) {
            let id = self.long.entries.id(entry);
            return Some(Hit { id, resemblance: 1.0, distance: 0 });
        }
        let mut best: Option<Candidate> = None;
        self.compare(sketch, minhash, &mut |candidate| {
            if best.as_ref().is_none_or(|best| candidate.order(best).is_gt()) {
                best = Some(candidate);
            }
        });
        let best = best.filter(|best| best.estimate.is_at_least(self.min_resemblance))?;
        Some(self.hit(&best))
    }

    /// The first kept document of this fingerprint and MinHash: no other one is more similar. A document that comes again
    /// takes no search.
    fn equal(&self, fingerprint: u64, minhash: &MinHash) -> Option<u32> {
        let entries = &self.long.entries;
        let group = entries.group(fingerprint.into())?;
        let mut members = (0..MOST_EQUAL).map_while(|at| entries.member(group, at));
        members.find(|&entry| self.minhashes.get(entry) == minhash)
    }

    /// The first documents of a short text.
    fn find_short(&self, fingerprint: u64, words: u64, limit: usize) -> Vec<Hit> {
        // Not `expect`, which keeps the code that formats the error: 4 kB of the WebAssembly module.
        let Ok(hits) = self.short.query(short_key(fingerprint, words), 0, limit) else {
            unreachable!("the key has 128 bits")
        };
        hits.iter().map(|hit| Hit { id: hit.id, resemblance: 1.0, distance: 0 }).collect()
    }

    fn hit(&self, candidate: &Candidate) -> Hit {
        Hit {
            id: self.long.entries.id(candidate.entry),
            resemblance: candidate.estimate.resemblance(),
            distance: candidate.distance,
        }
    }

    /// Calls `each` for every document that a query examines and whose fingerprint is near.
    fn compare(&self, sketch: &Sketch, minhash: &MinHash, each: &mut dyn FnMut(Candidate)) {
        let mut flips = NO_FLIPS;
        sketch.margins.as_ref().unwrap_or(&Margins::UNKNOWN).flips(self.probes, &mut flips);
        let flips = flips.each_ref().map(|flips| &flips[..self.probes]);
        let mut waiting = [(0, 0); WAITING];
        let mut len = 0;
        self.long.probe(sketch.fingerprint, &flips, MAX_DISTANCE, &mut |found, distance| {
            if len == WAITING {
                self.verify(minhash, &waiting, each);
                len = 0;
            }
            waiting[len] = (found, distance);
            len += 1;
        });
        self.verify(minhash, &waiting[..len], each);
    }

    /// Estimates the resemblance of the documents with these fingerprints, at these distances.
    ///
    /// A lookup is a chain of cache misses: the slot, then the fingerprint and the MinHash. Each pass reads one link for all
    /// candidates, so that their misses overlap.
    #[inline(never)]
    fn verify(
        &self,
        minhash: &MinHash,
        candidates: &[(u64, u32)],
        each: &mut dyn FnMut(Candidate),
    ) {
        let entries = &self.long.entries;
        let slots = candidates.iter().map(|&(found, _)| entries.touch(found.into()));
        black_box(slots.fold(0, |read, slot| read ^ slot));
        let records = candidates.iter().filter_map(|&(found, _)| {
            let entry = entries.guess(found.into())?;
            Some(entries.fingerprint(entry) as u64 ^ self.minhashes.touch(entry))
        });
        black_box(records.fold(0, |read, record| read ^ record));
        for &(found, distance) in candidates {
            let group = entries.group(found.into()).expect("tables have what entries have");
            for entry in (0..MOST_EQUAL).map_while(|at| entries.member(group, at)) {
                let estimate = minhash.estimate(self.minhashes.get(entry));
                each(Candidate { estimate, distance, entry });
            }
        }
    }

    /// Keeps a document unless it is a near-duplicate of a kept one, which is then returned.
    ///
    /// If the document is kept already, under the same id and with the same sketch, nothing changes and the result is
    /// `None`: a caller may repeat a call whose outcome it does not know.
    ///
    /// # Errors
    /// A sketch of another scheme, the id of another kept document, or too little memory. An error changes nothing.
    pub fn add_if_new(&mut self, id: u64, sketch: &Sketch) -> Result<Option<Hit>, Error> {
        self.check("sketch", sketch.scheme())?;
        let kept = self.get(id);
        if kept.as_ref().is_some_and(|kept| kept.is_document_of(sketch)) {
            return Ok(None);
        }
        if let Some(hit) = self.find(sketch) {
            return Ok(Some(hit));
        }
        if kept.is_some() {
            return Err(Kind::IdTaken(id).into());
        }
        self.insert(id, sketch)?;
        Ok(None)
    }

    /// Keeps a document, whatever it resembles. If there is one with this id, it is replaced.
    ///
    /// # Errors
    /// A sketch of another scheme, 2^31 - 3 documents already, or too little memory. An error changes nothing.
    pub fn add(&mut self, id: u64, sketch: &Sketch) -> Result<(), Error> {
        self.check("sketch", sketch.scheme())?;
        let Some(replaced) = self.get(id) else { return self.insert(id, sketch) };
        if replaced.is_document_of(sketch) {
            return Ok(());
        }
        // The old document goes when the new one is there.
        match (&replaced.content, &sketch.content) {
            (Content::Words(_), Content::Words(hash)) => {
                Ok(self.short.supersede(id, short_key(sketch.fingerprint, *hash))?)
            }
            (Content::Features(_), Content::Features(minhash)) => {
                self.supersede(id, sketch.fingerprint, minhash)
            }
            (Content::Words(_), Content::Features(_)) => {
                self.insert(id, sketch)?;
                self.short.remove(id);
                Ok(())
            }
            (Content::Features(_), Content::Words(_)) => {
                self.insert(id, sketch)?;
                self.remove_long(id);
                Ok(())
            }
        }
    }

    /// Makes room for the MinHash of the next entry.
    fn reserve(&mut self) -> Result<(), Error> {
        let end = self.long.entries.end();
        if end as usize >= MOST { Err(Kind::Full.into()) } else { self.minhashes.reserve(end) }
    }

    /// Replaces a kept document of a longer text by another one, which comes last.
    fn supersede(&mut self, id: u64, fingerprint: u64, minhash: &MinHash) -> Result<(), Error> {
        let entry = self.long.entries.find(id).expect("the document is kept");
        self.reserve()?;
        self.long.supersede(entry, fingerprint.into())?;
        self.minhashes.set(self.long.entries.end() - 1, minhash);
        self.compact();
        Ok(())
    }

    /// Keeps a document whose id is free.
    pub(super) fn insert(&mut self, id: u64, sketch: &Sketch) -> Result<(), Error> {
        match &sketch.content {
            Content::Words(hash) => {
                let key = short_key(sketch.fingerprint, *hash);
                Ok(self.short.add(id, key)?)
            }
            Content::Features(minhash) => {
                self.reserve()?;
                self.long.add_one(id, sketch.fingerprint.into())?;
                self.minhashes.set(self.long.entries.end() - 1, minhash);
                Ok(())
            }
        }
    }

    /// Removes a document. False if there is none with this id.
    pub fn remove(&mut self, id: u64) -> bool {
        self.remove_long(id) || self.short.remove(id)
    }

    fn remove_long(&mut self, id: u64) -> bool {
        let is_there = self.long.remove_entry(id);
        self.compact();
        is_there
    }

    fn compact(&mut self) {
        let minhashes = &mut self.minhashes;
        self.long.compact(&mut |entries| {
            for (new, old) in entries.iter().enumerate() {
                let minhash = *minhashes.get(old);
                minhashes.set(new as u32, &minhash);
            }
            minhashes.truncate(entries.len());
        });
    }

    /// Removes all documents.
    pub fn clear(&mut self) {
        self.long.clear();
        self.short.clear();
        self.minhashes = Pages::default();
    }

    /// Adds all documents of `other`, as [`add`](Self::add) does.
    ///
    /// # Errors
    /// Another scheme, or too little memory; then some documents are added.
    pub fn merge(&mut self, other: &Deduplicator) -> Result<(), Error> {
        self.check("other", &other.scheme)?;
        other.iter().try_for_each(|(id, sketch)| self.add(id, &sketch))
    }

    fn check(&self, argument: &'static str, scheme: &Scheme) -> Result<(), Error> {
        check_scheme(argument, &self.scheme, scheme)
    }
}

/// The key of a short text.
fn short_key(fingerprint: u64, words: u64) -> u128 {
    u128::from(fingerprint) | u128::from(words) << 64
}

/// A document that may be a hit.
struct Candidate {
    estimate: Estimate,
    distance: u32,
    entry: u32,
}

impl Candidate {
    /// Greater if it is more similar, or as similar and nearer, or as near and earlier.
    fn order(&self, other: &Self) -> Ordering {
        let by_resemblance = self.estimate.compare(&other.estimate);
        by_resemblance.then(other.distance.cmp(&self.distance)).then(other.entry.cmp(&self.entry))
    }
}

/// MinHashes by entry number, in pages: a vector that grows moves its content, and a WebAssembly memory keeps the room of
/// both.
#[derive(Clone, Default)]
pub(super) struct Pages(Vec<Vec<MinHash>>);

const PAGE: usize = 1024;

impl Pages {
    pub(super) fn get(&self, entry: u32) -> &MinHash {
        &self.0[entry as usize / PAGE][entry as usize % PAGE]
    }

    /// Reads the first byte of the MinHash of this entry and the last, to have it in the cache.
    fn touch(&self, entry: u32) -> u64 {
        let MinHash(cells) = self.get(entry);
        cells[0] ^ cells[CELLS - 1]
    }

    /// Makes room for this entry, the next one.
    fn reserve(&mut self, entry: u32) -> Result<(), Error> {
        if let Some(page) = self.0.get_mut(entry as usize / PAGE) {
            // The page of a clone has no room left.
            page.try_reserve_exact(PAGE - page.len())?;
            return Ok(());
        }
        self.0.try_reserve(1)?;
        let mut page = Vec::new();
        page.try_reserve_exact(PAGE)?;
        self.0.push(page);
        Ok(())
    }

    /// Sets the MinHash of this entry, there being room for it.
    fn set(&mut self, entry: u32, minhash: &MinHash) {
        let page = &mut self.0[entry as usize / PAGE];
        match page.get_mut(entry as usize % PAGE) {
            Some(place) => *place = *minhash,
            None => page.push(*minhash),
        }
    }

    fn truncate(&mut self, len: usize) {
        self.0.truncate(len.div_ceil(PAGE));
        if let Some(last) = self.0.get_mut(len.wrapping_sub(1) / PAGE) {
            last.truncate((len - 1) % PAGE + 1);
        }
    }

    fn bytes(&self) -> usize {
        self.0.len() * PAGE * size_of::<MinHash>() + self.0.capacity() * size_of::<Vec<MinHash>>()
    }
}
