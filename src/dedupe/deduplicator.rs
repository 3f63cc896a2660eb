//! The deduplicator: a set of documents over time.

use alloc::{collections::BinaryHeap, vec::Vec};
use core::{cmp::Reverse, fmt};

use super::{
    kept::{Kept, Keys, NEVER},
    postings::KEYS,
    search::{Candidate, Search},
    sketch::{Record, Sketch, check_scheme},
};
use crate::{
    Error,
    simhash::{Scheme, Width},
};

/// The default resemblance from which a document is a near-duplicate.
pub const MIN_RESEMBLANCE: f64 = 0.67;

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
    pub(super) kept: Kept,
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

impl Deduplicator {
    /// Creates an empty deduplicator for sketches of `scheme`, whose width does not matter. Its salt is 0.
    ///
    /// # Errors
    /// The scheme has no fingerprints, see [`Fingerprinter::new`](crate::Fingerprinter::new).
    pub fn new(scheme: Scheme) -> Result<Self, Error> {
        let scheme = Scheme { width: Width::W64, ..scheme }.check()?;
        Ok(Deduplicator { scheme, kept: Kept::default(), expiries: BinaryHeap::new() })
    }

    /// Returns an empty deduplicator of the same scheme with another salt: a secret random number that is mixed into the keys.
    /// Without one, anyone can prepare documents that share keys with documents which they do not resemble, and hide them
    /// from the search.
    #[must_use]
    pub fn with_salt(self, salt: u64) -> Self {
        Deduplicator { scheme: self.scheme, kept: Kept::new(salt), expiries: BinaryHeap::new() }
    }

    /// Returns the scheme of the sketches, at 64 bits.
    pub fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// Returns the salt.
    pub fn salt(&self) -> u64 {
        self.kept.salt
    }

    /// Returns the number of kept documents, including those that have expired since the last call with a time.
    pub fn len(&self) -> usize {
        self.kept.ids.len()
    }

    /// Returns whether no document is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        let expiries = self.expiries.capacity() * size_of::<(u64, u64)>();
        self.kept.bytes() + expiries
    }

    /// Returns whether a document with this id is kept. It may have expired since the last call with a time: see
    /// [`expires`](Self::expires).
    pub fn contains(&self, id: u64) -> bool {
        self.kept.ids.find(id).is_some()
    }

    /// Returns the sketch of the kept document with this id, without keys. As for [`contains`](Self::contains), it may have
    /// expired.
    pub fn get(&self, id: u64) -> Option<Sketch> {
        self.kept.ids.find(id).map(|entry| self.sketch(entry))
    }

    /// Returns the time at which the kept document with this id expires, if it does.
    pub fn expires(&self, id: u64) -> Option<u64> {
        self.kept.ids.find(id).map(|entry| self.kept.expires(entry)).filter(|&time| time != NEVER)
    }

    /// Returns all kept documents, in the order of addition.
    pub fn iter(&self) -> impl Iterator<Item = (u64, Sketch)> {
        self.kept.ids.iter().map(|entry| (self.kept.ids.id(entry), self.sketch(entry)))
    }

    /// Returns the ids of all kept documents, in the order of addition.
    pub fn ids(&self) -> impl Iterator<Item = u64> {
        self.kept.ids.iter().map(|entry| self.kept.ids.id(entry))
    }

    fn sketch(&self, entry: u32) -> Sketch {
        Sketch::of_record(self.scheme, *self.kept.record(entry))
    }

    /// Returns the kept documents that a sketch resembles, up to `limit`, at most 32: equal ones first, then the most similar,
    /// ties in the order of Hamming distance, then of addition. [`Options::expires_in`] has no effect.
    ///
    /// A short text finds only equal documents. Any other text finds near-duplicates with a high probability, not with
    /// certainty: see the [module](crate::dedupe). The search is bounded, whatever is kept.
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
        let candidates = self.search(sketch, &keys, options, None).best(limit)?;
        let mut hits = Vec::new();
        hits.try_reserve_exact(candidates.len())?;
        hits.extend(candidates.into_iter().map(|candidate| self.hit(candidate)));
        Ok(hits)
    }

    fn search<'a>(
        &'a self,
        sketch: &'a Sketch,
        keys: &'a Keys,
        options: &Options,
        except: Option<u32>,
    ) -> Search<'a> {
        Search {
            kept: &self.kept,
            record: &sketch.record,
            keys,
            min_resemblance: options.min_resemblance,
            now: options.now,
            except,
        }
    }

    fn hit(&self, Candidate { estimate, distance, entry, .. }: Candidate) -> Hit {
        Hit { id: self.kept.ids.id(entry), resemblance: estimate.resemblance(), distance }
    }

    /// Decides what a document is, and keeps it if it is new or changed:
    ///
    /// 1. The id is kept with an equal document: [`Unchanged`](Decision::Unchanged).
    /// 2. The id is kept with another document. [`Duplicate`](Decision::Duplicate) if another kept document reaches the
    ///    threshold and is more similar; then the kept version stays. Otherwise [`Changed`](Decision::Changed): the document
    ///    replaces the kept version, however similar it is, and comes last in the order of addition.
    /// 3. The id is not kept. [`Duplicate`](Decision::Duplicate) of the most similar kept document that reaches the
    ///    threshold: an equal one, or else the one of the highest estimate (ties go to the smaller Hamming distance, then to the
    ///    one kept first). Otherwise [`New`](Decision::New).
    ///
    /// If [`Options::expires_in`] is given, a new, changed or unchanged document expires that long after [`Options::now`].
    ///
    /// # Errors
    /// The sketch is of another scheme or has no keys, the threshold is out of range, or there is not enough memory. An error
    /// changes nothing, except that expired documents are removed.
    pub fn observe(
        &mut self,
        id: u64,
        sketch: &Sketch,
        options: &Options,
    ) -> Result<Decision, Error> {
        let keys = self.check(sketch)?;
        check_min_resemblance(options.min_resemblance)?;
        self.prune(options.now);
        let own = self.kept.ids.find(id);
        let mut before = None;
        if let Some(entry) = own {
            let record = self.kept.record(entry);
            if record.equals(&sketch.record) {
                self.renew(entry, id, options.expires())?;
                return Ok(Decision::Unchanged);
            }
            let resemblance = record.resemblance(&sketch.record).resemblance();
            before = Some((resemblance, record.distance(&sketch.record)));
        }
        if let Some(best) = self.search(sketch, &keys, options, own).best(1)?.pop()
            && before.is_none_or(|(before, _)| before < best.estimate.resemblance())
        {
            return Ok(Decision::Duplicate(self.hit(best)));
        }
        self.put(own, id, sketch.record, keys.as_slice(), options.expires())?;
        Ok(match before {
            None => Decision::New,
            Some((resemblance, distance)) => Decision::Changed { resemblance, distance },
        })
    }

    /// Keeps a document, whatever it resembles. Replaces another document with this id. [`Options::min_resemblance`] has no
    /// effect.
    ///
    /// # Errors
    /// The sketch is of another scheme or has no keys, or there is not enough memory. An error changes nothing, except that
    /// expired documents are removed.
    pub fn add(&mut self, id: u64, sketch: &Sketch, options: &Options) -> Result<(), Error> {
        let keys = self.check(sketch)?;
        self.prune(options.now);
        self.set(id, sketch.record, keys.as_slice(), options.expires())
    }

    /// Restores a version that [`get`](Self::get) returned: it is found by its id and by equal documents only.
    ///
    /// # Errors
    /// The sketch is of another scheme, or there is not enough memory.
    #[doc(hidden)]
    pub fn restore(&mut self, id: u64, sketch: &Sketch, options: &Options) -> Result<(), Error> {
        check_scheme("sketch", &self.scheme, sketch.scheme())?;
        let salt = self.kept.salt;
        let keys = Keys::new(sketch, salt).unwrap_or_else(|_| Keys::of_equality(sketch, salt));
        self.prune(options.now);
        self.set(id, sketch.record, keys.as_slice(), options.expires())
    }

    /// Keeps a document. If its id is kept with an equal document, only renews the expiry time.
    fn set(
        &mut self,
        id: u64,
        record: Record,
        keys: &[u32],
        expires: Option<u64>,
    ) -> Result<(), Error> {
        let own = self.kept.ids.find(id);
        match own.filter(|&own| self.kept.record(own).equals(&record)) {
            Some(own) => self.renew(own, id, expires),
            None => self.put(own, id, record, keys, expires),
        }
    }

    fn renew(&mut self, entry: u32, id: u64, expires: Option<u64>) -> Result<(), Error> {
        let Some(expires) = expires.filter(|&expires| expires != self.kept.expires(entry)) else {
            return Ok(());
        };
        self.reserve_expiry(expires)?;
        self.kept.renew(entry, expires)?;
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
    fn put(
        &mut self,
        own: Option<u32>,
        id: u64,
        record: Record,
        keys: &[u32],
        expires: Option<u64>,
    ) -> Result<(), Error> {
        let expires = expires.unwrap_or(NEVER);
        self.reserve_expiry(expires)?;
        self.kept.put(own, id, record, keys, expires)?;
        self.push_expiry(expires, id);
        Ok(())
    }

    /// Lists the expiry times of all documents.
    pub(super) fn restore_expiries(&mut self) -> Result<(), Error> {
        let mut expiries = Vec::new();
        for entry in self.kept.ids.iter() {
            let expires = self.kept.expires(entry);
            if expires != NEVER {
                expiries.try_reserve(1)?;
                expiries.push(Reverse((expires, self.kept.ids.id(entry))));
            }
        }
        self.expiries = expiries.into();
        Ok(())
    }

    /// Removes a document. Returns false if the id is unknown.
    pub fn remove(&mut self, id: u64) -> bool {
        self.kept.remove(id)
    }

    /// Removes the documents that have expired by `now`, and returns their number. [`observe`](Self::observe) and
    /// [`add`](Self::add) do so too. O(log n) for each document, amortised.
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

    /// Removes all documents. The salt stays.
    pub fn clear(&mut self) {
        self.kept = Kept::new(self.kept.salt);
        self.expiries = BinaryHeap::new();
    }

    /// Adds all documents of `other` with their expiry times. A document of `other` replaces the one with the same id.
    ///
    /// # Errors
    /// The schemes or the salts differ, or there is not enough memory; in the last case some documents may have been added.
    pub fn merge(&mut self, other: &Deduplicator) -> Result<(), Error> {
        self.merge_as(other, |id| id)
    }

    /// Merges as [`merge`](Self::merge) does, with other ids.
    ///
    /// # Errors
    /// The errors of [`merge`](Self::merge).
    pub fn merge_as(
        &mut self,
        other: &Deduplicator,
        mut id_of: impl FnMut(u64) -> u64,
    ) -> Result<(), Error> {
        check_scheme("other", &self.scheme, &other.scheme)?;
        if other.kept.salt != self.kept.salt {
            let requirement = "a set with the salt of this one: made from the same snapshot";
            return Err(Error::argument("other", requirement, "one with another salt"));
        }
        let by_entry = other.kept.keys_by_entry()?;
        let mut rest = &by_entry[..];
        for entry in other.kept.ids.iter() {
            let own = rest.iter().take_while(|&&posting| (posting >> 32) as u32 == entry).count();
            let mut keys = [0; KEYS];
            keys.iter_mut().zip(&rest[..own]).for_each(|(key, &posting)| *key = posting as u32);
            rest = &rest[own..];
            let id = id_of(other.kept.ids.id(entry));
            let (record, expires) = (*other.kept.record(entry), other.kept.expires(entry));
            self.set(id, record, &keys[..own.min(KEYS)], Some(expires))?;
        }
        Ok(())
    }

    /// Checks a sketch, and returns its keys in this set.
    fn check(&self, sketch: &Sketch) -> Result<Keys, Error> {
        check_scheme("sketch", &self.scheme, sketch.scheme())?;
        Keys::new(sketch, self.kept.salt)
    }
}

/// Checks a threshold.
pub(super) fn check_min_resemblance(min_resemblance: f64) -> Result<(), Error> {
    if min_resemblance > 0.0 && min_resemblance <= 1.0 {
        return Ok(());
    }
    Err(Error::float("min_resemblance", "a number above 0 and at most 1", min_resemblance))
}
