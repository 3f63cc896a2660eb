//! The deduplicator: a set of documents over time.

use alloc::{collections::BinaryHeap, vec::Vec};
use core::{cmp::Reverse, fmt};

use super::{
    kept::{Kept, NEVER},
    long::{Long, Record},
    search::{Candidate, Search},
    sketch::{Content, Sketch, WordsHash, check_probes, check_scheme},
};
use crate::{
    Error,
    hash::hamming::distance,
    simhash::{Scheme, Width},
};

/// The default resemblance from which a document is a near-duplicate.
pub const MIN_RESEMBLANCE: f64 = 0.67;

/// The default number of probes of each of the four blocks. Among 200,000 documents, up to this number of probes the
/// additional candidates cause no additional wrong drops.
pub const PROBES: usize = 43;

/// A kept document that a sketch resembles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The id of the kept document.
    pub id: u64,
    /// The estimated resemblance, from 0 to 1.
    pub resemblance: f64,
    /// The number of bits in which the fingerprints differ.
    pub distance: u32,
}

/// The relation of a document to the kept documents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Decision {
    /// The id is not kept, and no kept document is similar enough. The document is kept now.
    New,
    /// The id is kept with an equal document.
    Unchanged,
    /// The id was kept with another document, which this one has replaced.
    Changed {
        /// The estimated resemblance of both versions, from 0 to 1.
        resemblance: f64,
        /// The number of bits in which the fingerprints of both versions differ.
        distance: u32,
    },
    /// Another kept document is similar enough, and more similar than this id's kept version, if any. The set is unchanged.
    Duplicate(Hit),
}

/// How documents are compared, and for how long they are kept.
///
/// Times are in any unit, such as milliseconds since 1970: a deduplicator has no clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The resemblance from which a document is a near-duplicate: above 0 and at most 1, [`MIN_RESEMBLANCE`] by default.
    /// Queries also accept 0, which admits every candidate.
    pub min_resemblance: f64,
    /// The present time, 0 by default. Documents that expire at this time or earlier do not exist.
    pub now: u64,
    /// The time after which the observed document expires. `None`, the default: a new or changed document does not expire,
    /// and an unchanged one keeps its expiry time.
    pub expires_in: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Options { min_resemblance: MIN_RESEMBLANCE, now: 0, expires_in: None }
    }
}

impl Options {
    fn expires(&self) -> Option<u64> {
        self.expires_in.map(|time| self.now.saturating_add(time))
    }
}

/// A set of documents over time, which decides whether each document is new, unchanged, changed or a near-duplicate.
///
/// A document is an id, any `u64`, and a [`Sketch`]. All sketches have one scheme.
///
/// ```
/// use nearprint::{Deduplicator, Fingerprinter, dedupe::{Decision, Options}};
///
/// let mut fingerprinter = Fingerprinter::default();
/// let mut kept = Deduplicator::new(*fingerprinter.scheme())?;
/// let mut observe = |id, text: &str| kept.observe(id, &fingerprinter.sketch(text), &Options::default());
///
/// let text = "The river burst its banks early on Tuesday, the council said, and the road is closed for a week.";
/// assert_eq!(observe(1, text)?, Decision::New);
/// assert_eq!(observe(1, &text.to_uppercase())?, Decision::Unchanged);
/// assert!(matches!(observe(2, text)?, Decision::Duplicate(hit) if hit.id == 1));
/// assert!(matches!(observe(1, &text.replace("week", "day"))?, Decision::Changed { .. }));
/// # Ok::<(), nearprint::Error>(())
/// ```
#[derive(Clone)]
pub struct Deduplicator {
    scheme: Scheme,
    probes: usize,
    /// Short documents. A key is the fingerprint and the hash of the words.
    pub(super) short: Kept,
    /// All other documents.
    pub(super) long: Long,
    /// Expiry times with ids, the earliest first: one for each kept document that expires, and some that are out of date.
    expiries: BinaryHeap<Reverse<(u64, u64)>>,
}

impl fmt::Debug for Deduplicator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deduplicator")
            .field("scheme", &self.scheme)
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

/// The place of a kept document: its entry among the short documents, or among the others.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Short(u32),
    Long(u32),
}

impl Place {
    fn short(self) -> Option<u32> {
        if let Place::Short(entry) = self { Some(entry) } else { None }
    }

    fn long(self) -> Option<u32> {
        if let Place::Long(entry) = self { Some(entry) } else { None }
    }
}

impl Deduplicator {
    /// Creates an empty deduplicator for sketches of `scheme`, whose width does not matter.
    ///
    /// # Errors
    /// The scheme has no fingerprints, see [`Fingerprinter::new`](crate::Fingerprinter::new).
    pub fn new(scheme: Scheme) -> Result<Self, Error> {
        let scheme = Scheme { width: Width::W64, ..scheme }.check()?;
        Ok(Deduplicator {
            scheme,
            probes: PROBES,
            short: Kept::default(),
            long: Long::new()?,
            expiries: BinaryHeap::new(),
        })
    }

    /// Sets the number of buckets of each block that a query examines, 1 to 256; [`PROBES`] by default. More find more and
    /// take longer.
    ///
    /// # Errors
    /// The number is out of range.
    pub fn with_probes(mut self, probes: usize) -> Result<Self, Error> {
        check_probes("probes", probes)?;
        self.probes = probes;
        Ok(self)
    }

    /// Returns the scheme of the sketches, at 64 bits.
    pub fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// Returns the number of buckets of each block that a query examines.
    pub fn probes(&self) -> usize {
        self.probes
    }

    /// Returns the number of kept documents, including those that have expired since the last call with a time.
    pub fn len(&self) -> usize {
        self.long.kept.entries.len() + self.short.entries.len()
    }

    /// Returns whether no document is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        let expiries = self.expiries.capacity() * size_of::<(u64, u64)>();
        self.long.bytes() + self.short.bytes() + expiries
    }

    /// Returns whether a document with this id is kept. It may have expired since the last call with a time: see
    /// [`expires`](Self::expires).
    pub fn contains(&self, id: u64) -> bool {
        self.find(id).is_some()
    }

    /// Returns the sketch of the kept document with this id, without margins. As for [`contains`](Self::contains), it may have
    /// expired.
    pub fn get(&self, id: u64) -> Option<Sketch> {
        self.content_of(id).map(|content| Sketch::new(self.scheme, content, None))
    }

    /// Returns the time at which the kept document with this id expires, if it does.
    pub fn expires(&self, id: u64) -> Option<u64> {
        self.find(id).map(|place| self.expires_at(place)).filter(|&time| time != NEVER)
    }

    /// Returns all kept documents: first those that are not short, then the short ones, each in the order of addition.
    pub fn iter(&self) -> impl Iterator<Item = (u64, Sketch)> {
        let sketch = |place| Sketch::new(self.scheme, self.content(place), None);
        self.places().map(move |place| (self.id(place), sketch(place)))
    }

    /// Returns the ids of all kept documents, in the order of [`iter`](Self::iter).
    pub fn ids(&self) -> impl Iterator<Item = u64> {
        self.places().map(|place| self.id(place))
    }

    pub(super) fn places(&self) -> impl Iterator<Item = Place> {
        let long = self.long.kept.entries.iter().map(Place::Long);
        long.chain(self.short.entries.iter().map(Place::Short))
    }

    /// Returns the content of the document with this id.
    pub(super) fn content_of(&self, id: u64) -> Option<Content> {
        self.find(id).map(|place| self.content(place))
    }

    fn find(&self, id: u64) -> Option<Place> {
        let long = self.long.kept.entries.find(id).map(Place::Long);
        long.or_else(|| self.short.entries.find(id).map(Place::Short))
    }

    fn kept(&self, place: Place) -> (&Kept, u32) {
        match place {
            Place::Short(entry) => (&self.short, entry),
            Place::Long(entry) => (&self.long.kept, entry),
        }
    }

    pub(super) fn id(&self, place: Place) -> u64 {
        let (kept, entry) = self.kept(place);
        kept.entries.id(entry)
    }

    pub(super) fn content(&self, place: Place) -> Content {
        match place {
            Place::Short(entry) => {
                let key = self.short.entries.fingerprint(entry);
                let (fingerprint, words) = (key as u64, WordsHash((key >> 64) as u64));
                Content { fingerprint, words, minhash: None }
            }
            Place::Long(entry) => self.long.content(entry),
        }
    }

    pub(super) fn expires_at(&self, place: Place) -> u64 {
        let (kept, entry) = self.kept(place);
        kept.expires(entry)
    }

    pub(super) fn is_live(&self, place: Place, now: u64) -> bool {
        let (kept, entry) = self.kept(place);
        kept.is_live(entry, now)
    }

    /// Returns the kept documents that a sketch resembles, up to `limit`: the most similar first, ties in the order of
    /// Hamming distance, then of addition. [`Options::expires_in`] has no effect.
    ///
    /// A short text finds only equal documents. Any other text finds near-duplicates with a high probability, not with
    /// certainty: see the [module](crate::dedupe). A sketch without margins finds fewer. A text that is not short finds at
    /// most 129 documents.
    ///
    /// For a text that is not short, the search is bounded, whatever is kept. Expired documents count towards the bounds
    /// until they are removed; expired documents that equal the sketch are skipped one by one.
    ///
    /// # Errors
    /// The sketch is of another scheme, the threshold is out of range, or there is not enough memory for the hits.
    pub fn query(
        &self,
        sketch: &Sketch,
        limit: usize,
        options: &Options,
    ) -> Result<Vec<Hit>, Error> {
        self.check(sketch)?;
        if !(0.0..=1.0).contains(&options.min_resemblance) {
            return Err(Error::float("min_resemblance", "from 0 to 1", options.min_resemblance));
        }
        self.hits(sketch, options, None, limit)
    }

    /// Returns the hits of [`query`](Self::query) except the document at `own`.
    fn hits(
        &self,
        sketch: &Sketch,
        options: &Options,
        own: Option<Place>,
        limit: usize,
    ) -> Result<Vec<Hit>, Error> {
        let mut hits = Vec::new();
        let Some(minhash) = &sketch.content.minhash else {
            let except = own.and_then(Place::short);
            let equal = self.short.equal(sketch.content.key(), options.now, except);
            for entry in equal.take(limit) {
                let id = self.short.entries.id(entry);
                hits.try_reserve(1)?;
                hits.push(Hit { id, resemblance: 1.0, distance: 0 });
            }
            return Ok(hits);
        };
        let search = Search {
            long: &self.long,
            sketch,
            minhash,
            probes: self.probes,
            min_resemblance: options.min_resemblance,
            now: options.now,
            except: own.and_then(Place::long),
        };
        let candidates = search.best(limit)?;
        hits.try_reserve_exact(candidates.len())?;
        hits.extend(candidates.into_iter().map(|Candidate { estimate, distance, entry }| {
            let id = self.long.kept.entries.id(entry);
            Hit { id, resemblance: estimate.resemblance(), distance }
        }));
        Ok(hits)
    }

    /// Decides what a document is, and keeps it if it is new or changed:
    ///
    /// 1. The id is kept with an equal document: [`Unchanged`](Decision::Unchanged).
    /// 2. The id is kept with another document. [`Duplicate`](Decision::Duplicate) if another kept document reaches the
    ///    threshold and is more similar; then the kept version stays. Otherwise [`Changed`](Decision::Changed): the document
    ///    replaces the kept version, however similar it is, and comes last in the order of addition.
    /// 3. The id is not kept. [`Duplicate`](Decision::Duplicate) of the most similar kept document that reaches the
    ///    threshold (ties go to the smaller Hamming distance, then to the one kept first). Otherwise [`New`](Decision::New).
    ///
    /// If [`Options::expires_in`] is given, a new, changed or unchanged document expires that long after [`Options::now`].
    ///
    /// # Errors
    /// The sketch is of another scheme, the threshold is out of range, or there is not enough memory. An error changes
    /// nothing, except that expired documents are removed.
    pub fn observe(
        &mut self,
        id: u64,
        sketch: &Sketch,
        options: &Options,
    ) -> Result<Decision, Error> {
        self.check(sketch)?;
        check_min_resemblance(options.min_resemblance)?;
        self.prune(options.now);
        let own = self.find(id);
        let mut before = None;
        if let Some(place) = own {
            let content = self.content(place);
            if content.equals(&sketch.content) {
                self.renew(place, id, options.expires())?;
                return Ok(Decision::Unchanged);
            }
            let distance = distance(content.fingerprint, sketch.fingerprint());
            before = Some((content.resemblance(&sketch.content).resemblance(), distance));
        }
        if let Some(hit) = self.hits(sketch, options, own, 1)?.pop()
            && before.is_none_or(|(before, _)| before < hit.resemblance)
        {
            return Ok(Decision::Duplicate(hit));
        }
        self.put(own, id, &sketch.content, options.expires())?;
        Ok(match before {
            None => Decision::New,
            Some((resemblance, distance)) => Decision::Changed { resemblance, distance },
        })
    }

    /// Keeps a document, whatever it resembles. Replaces another document with this id. [`Options::min_resemblance`] has no
    /// effect.
    ///
    /// # Errors
    /// The sketch is of another scheme, or there is not enough memory. An error changes nothing, except that expired
    /// documents are removed.
    pub fn add(&mut self, id: u64, sketch: &Sketch, options: &Options) -> Result<(), Error> {
        self.check(sketch)?;
        self.prune(options.now);
        self.set(id, &sketch.content, options.expires())
    }

    /// Keeps a document. If its id is kept with an equal document, only renews the expiry time.
    fn set(&mut self, id: u64, content: &Content, expires: Option<u64>) -> Result<(), Error> {
        let own = self.find(id);
        match own.filter(|&own| self.content(own).equals(content)) {
            Some(own) => self.renew(own, id, expires),
            None => self.put(own, id, content, expires),
        }
    }

    fn renew(&mut self, place: Place, id: u64, expires: Option<u64>) -> Result<(), Error> {
        let Some(expires) = expires.filter(|&expires| expires != self.expires_at(place)) else {
            return Ok(());
        };
        self.reserve_expiry(expires)?;
        match place {
            Place::Short(entry) => self.short.renew(entry, expires)?,
            Place::Long(entry) => self.long.kept.renew(entry, expires)?,
        }
        self.push_expiry(expires, id);
        Ok(())
    }

    /// Reserves memory for one more expiry time.
    fn reserve_expiry(&mut self, expires: u64) -> Result<(), Error> {
        if expires != NEVER {
            self.expiries.try_reserve(1)?;
        }
        Ok(())
    }

    /// Adds an expiry time for which memory is reserved.
    fn push_expiry(&mut self, expires: u64, id: u64) {
        if expires == NEVER {
            return;
        }
        self.expiries.push(Reverse((expires, id)));
        if self.expiries.len() > 2 * self.len() + 64 {
            let mut expiries = core::mem::take(&mut self.expiries).into_sorted_vec();
            // Versions of one id with equal expiry times leave duplicates.
            expiries.dedup();
            expiries.retain(|&Reverse((time, id))| self.expires(id) == Some(time));
            self.expiries = expiries.into();
        }
    }

    /// Keeps a document in place of the one at `own`, if any.
    pub(super) fn put(
        &mut self,
        own: Option<Place>,
        id: u64,
        content: &Content,
        expires: Option<u64>,
    ) -> Result<(), Error> {
        let expires = expires.unwrap_or(NEVER);
        self.reserve_expiry(expires)?;
        let (short, long) = (own.and_then(Place::short), own.and_then(Place::long));
        match content.minhash {
            None => {
                self.short.put(short, id, content.key(), expires)?;
                self.short.close_holes(&mut |_, _| {});
                if long.is_some() {
                    self.long.remove(id);
                }
            }
            Some(minhash) => {
                let record = Record { words: content.words, minhash };
                self.long.put(long, id, content.fingerprint, record, expires)?;
                if short.is_some() {
                    self.short.remove(id);
                }
            }
        }
        self.push_expiry(expires, id);
        Ok(())
    }

    /// Removes a document. Returns false if the id is unknown.
    pub fn remove(&mut self, id: u64) -> bool {
        self.long.remove(id) || self.short.remove(id)
    }

    /// Removes the documents that have expired by `now`, and returns their number. [`observe`](Self::observe) and
    /// [`add`](Self::add) do so too. O(log n) for each document, but O(n) for one in the midst of many with its fingerprint.
    pub fn prune(&mut self, now: u64) -> usize {
        core::iter::from_fn(|| self.prune_next(now)).count()
    }

    /// Removes one document that has expired by `now`, and returns its id: see [`prune`](Self::prune).
    pub fn prune_next(&mut self, now: u64) -> Option<u64> {
        while let Some(&Reverse((time, id))) = self.expiries.peek().filter(|next| next.0.0 <= now) {
            self.expiries.pop();
            if self.expires(id) == Some(time) {
                self.remove(id);
                return Some(id);
            }
        }
        None
    }

    /// Returns a lower bound on the next expiry time, if any document expires. O(1).
    pub fn next_expiry(&self) -> Option<u64> {
        self.expiries.peek().map(|next| next.0.0)
    }

    /// Removes all documents.
    pub fn clear(&mut self) {
        self.long.clear();
        self.short = Kept::default();
        self.expiries = BinaryHeap::new();
    }

    /// Adds all documents of `other` with their expiry times. A document of `other` replaces the one with the same id.
    ///
    /// # Errors
    /// The schemes differ, or there is not enough memory; in the second case some documents may have been added.
    pub fn merge(&mut self, other: &Deduplicator) -> Result<(), Error> {
        check_scheme("other", &self.scheme, &other.scheme)?;
        for place in other.places() {
            self.set(other.id(place), &other.content(place), Some(other.expires_at(place)))?;
        }
        Ok(())
    }

    fn check(&self, sketch: &Sketch) -> Result<(), Error> {
        check_scheme("sketch", &self.scheme, sketch.scheme())
    }
}

/// Checks a threshold.
pub(super) fn check_min_resemblance(min_resemblance: f64) -> Result<(), Error> {
    if min_resemblance > 0.0 && min_resemblance <= 1.0 {
        return Ok(());
    }
    Err(Error::float("min_resemblance", "a number above 0 and at most 1", min_resemblance))
}
