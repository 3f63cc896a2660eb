//! The deduplicator: a set of documents over time.

use alloc::{collections::BinaryHeap, vec::Vec};
use core::{cmp::Reverse, fmt, iter::FusedIterator, ops::Range};

use super::{
    kept::{Incoming, Kept, Keys, OwnEntries},
    leases::Provisional,
    options::{NEVER, Options},
    rule::{self, Effect, Evidence, Exact, Outcome, Own, Ranked, Settlement, Step, ranked},
    search::{Search, Wanted},
};
use crate::{
    Error,
    sketch::{Sketch, SketchScheme, near::check_min_resemblance, sketch::check_scheme},
};

/// A kept document that a sketch resembles.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "plain data, which tests of a caller can make")]
pub struct Hit {
    /// The id of the kept document.
    pub id: u64,
    /// The estimated resemblance, from 0 to 1.
    pub resemblance: f64,
    /// Whether the document is kept only provisionally: see [`Options::lease`].
    pub is_provisional: bool,
}

/// The relation of a document to the kept documents.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Decision {
    /// The id is not kept, and no kept document is similar enough. The document is kept now.
    New,
    /// The id is kept with an equal document.
    Unchanged,
    /// The id was kept with another document, which this one has replaced.
    Changed {
        /// The estimated resemblance of both versions, from 0 to 1.
        resemblance: f64,
    },
    /// Another kept document is similar enough, and more similar than this id's kept version, if any. The set is unchanged.
    Duplicate(Hit),
}

/// A step of an observation by texts: see [`Deduplicator::observe_step`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Observed {
    /// The decision, which is carried out.
    Decided(Decision),
    /// The exact resemblance to the kept document of this id is needed.
    Compare {
        /// The id.
        id: u64,
        /// The [hashes](Sketch::hashes) of the kept document, with lowest bit 0 of the first. The caller compares them with the
        /// [hashes](crate::dedupe::FeatureSet::sequence_hashes) of its text, which may have changed since.
        hashes: [u64; 2],
    },
}

/// A set of documents over time, which decides whether each document is new, unchanged, changed or a near-duplicate.
///
/// A document is an id, any `u64`, and a [`Sketch`]. All sketches have one scheme. Ids of another type are numbered by the
/// caller: see [Ids](crate::dedupe#ids).
///
/// There is no [`Extend`], since an addition can fail.
///
/// ```
/// use nearprint::dedupe::{Decision, Deduplicator, Options, Sketcher};
///
/// let mut sketcher = Sketcher::default();
/// let mut kept = Deduplicator::new(*sketcher.scheme())?;
/// let mut observe = |id, text: &str| kept.observe(id, &sketcher.sketch(text), &Options::default());
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
    scheme: SketchScheme,
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

impl Default for Deduplicator {
    /// Returns an empty deduplicator for sketches of the default scheme. Its salt is 0: see [`new`](Self::new).
    fn default() -> Self {
        Self::empty(SketchScheme::default(), 0)
    }
}

impl Deduplicator {
    /// Creates an empty deduplicator for sketches of `scheme`. Its salt is 0: if strangers choose documents, use
    /// [`with_salt`](Self::with_salt).
    ///
    /// # Errors
    /// The scheme is not valid, see [`Sketcher::new`](super::Sketcher::new).
    pub fn new(scheme: SketchScheme) -> Result<Self, Error> {
        Self::with_salt(scheme, 0)
    }

    /// Creates an empty deduplicator with a salt: a secret number of 64 random bits that is mixed into the keys. Without it,
    /// anyone can prepare documents that share keys with documents which they do not resemble, and hide them from the search.
    ///
    /// The caller draws the salt, since the crate has no source of random numbers. Snapshots contain it.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new).
    pub fn with_salt(scheme: SketchScheme, salt: u64) -> Result<Self, Error> {
        Ok(Self::empty(scheme.check()?, salt))
    }

    fn empty(scheme: SketchScheme, salt: u64) -> Self {
        Deduplicator { scheme, kept: Kept::new(salt), expiries: BinaryHeap::new() }
    }

    /// Returns the scheme of the sketches.
    pub fn scheme(&self) -> &SketchScheme {
        &self.scheme
    }

    /// Returns the number of kept documents, including those that have expired since the last call with a time.
    pub fn len(&self) -> usize {
        self.kept.len()
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
        self.own_entry(id).is_some()
    }

    /// Returns the sketch of the kept document with this id, without keys. As for [`contains`](Self::contains), it may have
    /// expired.
    pub fn get(&self, id: u64) -> Option<Sketch> {
        self.own_entry(id).map(|entry| self.sketch(entry))
    }

    /// Returns the time at which the kept document with this id expires, if it does.
    pub fn expires(&self, id: u64) -> Option<u64> {
        self.kept.ids.find(id).map(|entry| self.kept.expires(entry)).filter(|&time| time != NEVER)
    }

    /// Returns all kept documents, in the order of addition: the kept version of each id, or the provisional one if there is no
    /// kept version.
    pub fn iter(&self) -> Documents<'_> {
        Documents { set: self, entries: self.all_entries() }
    }

    /// Returns the ids of all kept documents, in the order of addition.
    pub fn ids(&self) -> impl Iterator<Item = u64> {
        let shown = self.all_entries().filter(|&entry| self.is_shown(entry));
        shown.map(|entry| self.kept.ids.id(entry))
    }

    fn all_entries(&self) -> Range<u32> {
        0..self.kept.ids.end()
    }

    /// Returns whether an entry is the kept version of an id, or the provisional one of an id without a kept one.
    fn is_shown(&self, entry: u32) -> bool {
        let ids = &self.kept.ids;
        ids.is_listed(entry) || ids.is_live(entry) && ids.find(ids.id(entry)).is_none()
    }

    /// Returns the entry of the kept version of an id, or else of the provisional one.
    fn own_entry(&self, id: u64) -> Option<u32> {
        let own = self.kept.own(id);
        own.kept.or(own.provisional)
    }

    fn sketch(&self, entry: u32) -> Sketch {
        Sketch { scheme: self.scheme, record: *self.kept.record(entry), keys: None }
    }

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
        let wanted = if limit == 1 { Wanted::Best } else { Wanted::All };
        let candidates = self.search(sketch, &keys, options, [None; 2]).candidates(wanted)?;
        let min = options.min_resemblance;
        let found = ranked(&sketch.record, candidates, min, Evidence::Sketches, usize::MAX)?;
        let mut hits: Vec<Hit> = Vec::new();
        hits.try_reserve_exact(found.len().min(limit))?;
        for Ranked { at, resemblance, .. } in found {
            if hits.len() == limit {
                break;
            }
            let hit = self.hit(at, resemblance);
            // An id has its better version as a hit.
            if self.kept.leases.len() == 0 || hits.iter().all(|other| other.id != hit.id) {
                hits.push(hit);
            }
        }
        Ok(hits)
    }

    fn search<'a>(
        &'a self,
        sketch: &'a Sketch,
        keys: &'a Keys,
        options: &Options,
        except: [Option<u32>; 2],
    ) -> Search<'a> {
        Search { kept: &self.kept, record: &sketch.record, keys, now: options.now, except }
    }

    fn hit(&self, entry: u32, resemblance: f64) -> Hit {
        let is_provisional = !self.kept.ids.is_listed(entry);
        Hit { id: self.kept.ids.id(entry), resemblance, is_provisional }
    }

    /// Decides what a document is, and keeps it if it is new or changed:
    ///
    /// 1. The id is kept with an equal document: [`Unchanged`](Decision::Unchanged).
    /// 2. The id is kept with another document. [`Duplicate`](Decision::Duplicate) if another kept document reaches the
    ///    threshold and is more similar; then the kept version stays. Otherwise [`Changed`](Decision::Changed): the document
    ///    replaces the kept version, however similar it is, and comes last in the order of addition.
    /// 3. The id is not kept. [`Duplicate`](Decision::Duplicate) of the most similar kept document that reaches the
    ///    threshold: an equal one, or else the one of the highest estimate (ties go to the one kept first). Otherwise [`New`](Decision::New).
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
        match self.step(id, sketch, options, None)? {
            Observed::Decided(decision) => Ok(decision),
            Observed::Compare { .. } => unreachable!("estimates decide"),
        }
    }

    /// Observes a document by the exact resemblances of texts, which the caller has: of all candidates whose estimates come
    /// close to the threshold, the first that reaches it decides.
    ///
    /// `exact` has the exact resemblances that are known, in the order in which they were asked for, and `None` where the text
    /// is not available: then the estimate decides. As long as one more is needed, at most 17 times, the call returns
    /// [`Observed::Compare`] and changes nothing. The caller compares the texts, and calls again. So it can read them from a
    /// file or a server.
    ///
    /// ```
    /// use nearprint::{Key, dedupe::{Decision, Deduplicator, Observed, Options, Sketcher}};
    ///
    /// let key = Key::new(*b"16 random bytes.");
    /// let mut sketcher = Sketcher::default();
    /// let mut kept = Deduplicator::default();
    /// let text = "The river burst its banks early on Tuesday, the council said, and the road is closed for a week.";
    /// let texts = [text.to_string(), text.replace("week", "day")];
    /// let mut decisions = vec![];
    /// for (id, text) in (0..).zip(&texts) {
    ///     let sketch = sketcher.sketch(text);
    ///     let mut exact = vec![];
    ///     decisions.push(loop {
    ///         match kept.observe_step(id, &sketch, &Options::default(), &exact)? {
    ///             Observed::Decided(decision) => break decision,
    ///             Observed::Compare { id, .. } => {
    ///                 let [a, b] = [text, &texts[id as usize]].map(|text| sketcher.feature_set(key, text));
    ///                 exact.push(Some(a.resemblance(&b)));
    ///             }
    ///             step => unreachable!("{step:?}"),
    ///         }
    ///     });
    /// }
    /// assert_eq!(decisions[0], Decision::New);
    /// // 17 of the 19 different word pairs are in both texts.
    /// assert!(matches!(decisions[1], Decision::Duplicate(hit) if hit.resemblance == 17.0 / 19.0));
    /// # Ok::<(), nearprint::Error>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`observe`](Self::observe).
    pub fn observe_step(
        &mut self,
        id: u64,
        sketch: &Sketch,
        options: &Options,
        exact: &[Option<f64>],
    ) -> Result<Observed, Error> {
        self.step(id, sketch, options, Some(exact))
    }

    /// Observes a document by the exact resemblances of texts, or without them by estimates, which need no comparison.
    fn step(
        &mut self,
        id: u64,
        sketch: &Sketch,
        options: &Options,
        exact: Option<Exact<'_>>,
    ) -> Result<Observed, Error> {
        let keys = self.check(sketch)?;
        check_min_resemblance(options.min_resemblance)?;
        self.prune(options.now);
        let own = self.kept.own(id);
        let search = self.search(sketch, &keys, options, own.all());
        let wanted = if exact.is_some() { Wanted::All } else { Wanted::Best };
        let candidates = || search.candidates(wanted);
        let versions = self.versions(id, own);
        match rule::step(&sketch.record, versions, options, exact, candidates)? {
            Step::Decided(outcome, effect) => {
                let decision = self.decision(outcome);
                let document = Incoming { id, own, record: sketch.record, keys: keys.as_slice() };
                self.apply(&document, options, effect)?;
                Ok(Observed::Decided(decision))
            }
            Step::Compare(at) => {
                let at =
                    at.or(own.kept).expect("the kept version is compared only if there is one");
                let sequence = self.kept.record(at).sequence.with_few_features(false);
                let hashes = [sequence.first, sequence.second];
                Ok(Observed::Compare { id: self.kept.ids.id(at), hashes })
            }
        }
    }

    /// Returns the decision that [`observe`](Self::observe) would make, and changes nothing: documents that have expired by
    /// [`Options::now`] do not exist, but are not removed. Where more than 64 of them were added both before and after a document
    /// that shares a key with them, the call may miss it: [`prune`](Self::prune) first. A document without an id is compared with
    /// all kept documents.
    ///
    /// # Errors
    /// The sketch is of another scheme or has no keys, the threshold is out of range, or there is not enough memory.
    pub fn peek(
        &self,
        id: Option<u64>,
        sketch: &Sketch,
        options: &Options,
    ) -> Result<Decision, Error> {
        let keys = self.check(sketch)?;
        check_min_resemblance(options.min_resemblance)?;
        let is_live = |entry: &u32| self.kept.is_live(*entry, options.now);
        let own = id.map_or(OwnEntries::default(), |id| self.kept.own(id));
        let own = OwnEntries {
            kept: own.kept.filter(is_live),
            provisional: own.provisional.filter(is_live),
        };
        let versions = id.map_or(Own::default(), |id| self.versions(id, own));
        let search = self.search(sketch, &keys, options, own.all());
        let candidates = || search.candidates(Wanted::Best);
        let (outcome, _) = rule::decide(&sketch.record, versions, options, candidates)?;
        Ok(self.decision(outcome))
    }

    fn decision(&self, outcome: Outcome) -> Decision {
        match outcome {
            Outcome::New => Decision::New,
            Outcome::Unchanged => Decision::Unchanged,
            Outcome::Changed { resemblance } => Decision::Changed { resemblance },
            Outcome::Duplicate { at, resemblance } => {
                Decision::Duplicate(self.hit(at, resemblance))
            }
        }
    }

    /// Returns the versions of an id.
    fn versions(&self, id: u64, own: OwnEntries) -> Own<'_> {
        let before = self.kept.leases.get(id).and_then(|version| version.before);
        Own {
            kept: own.kept.map(|entry| self.kept.record(entry)),
            provisional: own.provisional.map(|entry| (self.kept.record(entry), before)),
        }
    }

    /// Carries out the effect of a decision.
    fn apply(
        &mut self,
        document: &Incoming<'_>,
        options: &Options,
        effect: Effect,
    ) -> Result<(), Error> {
        let &Incoming { id, own, .. } = document;
        let expires = options.expires();
        match effect {
            Effect::Nothing => Ok(()),
            Effect::Renew => self.renew(own.kept, id, expires),
            Effect::Prolong => self.renew(own.provisional, id, options.until().unwrap_or(expires)),
            Effect::Confirm => self.confirm_one(id),
            Effect::Discard { renews } => {
                if renews {
                    self.renew(own.kept, id, expires)?;
                }
                self.kept.release(id);
                Ok(())
            }
            Effect::Add { before } => {
                let ends = options.until().unwrap_or(expires);
                let is_sole = own.kept.is_none();
                let lease =
                    options.lease.map(|_| Provisional { entry: 0, expires, before, is_sole });
                self.change(id, ends, &mut |kept| kept.put(document, ends, lease))
            }
        }
    }

    fn confirm_one(&mut self, id: u64) -> Result<(), Error> {
        let expires = self.kept.leases.get(id).map_or(NEVER, |version| version.expires);
        self.change(id, expires, &mut |kept| kept.confirm(id))
    }

    /// Makes the provisional version of an id permanent, in place of its kept one. With a sketch, does so only if the version equals
    /// it. Returns whether there was such a version.
    ///
    /// # Errors
    /// The sketch is of another scheme, or there is not enough memory. An error changes nothing, except that expired documents
    /// are removed.
    pub fn confirm(&mut self, id: u64, sketch: Option<&Sketch>, now: u64) -> Result<bool, Error> {
        self.settle(Settlement::Confirm, id, sketch, now)
    }

    /// Discards the provisional version of an id, as the end of its lease does. With a sketch, does so only if the version equals
    /// it. Returns whether there was such a version.
    ///
    /// # Errors
    /// The sketch is of another scheme.
    pub fn release(&mut self, id: u64, sketch: Option<&Sketch>, now: u64) -> Result<bool, Error> {
        self.settle(Settlement::Release, id, sketch, now)
    }

    fn settle(
        &mut self,
        kind: Settlement,
        id: u64,
        sketch: Option<&Sketch>,
        now: u64,
    ) -> Result<bool, Error> {
        if let Some(sketch) = sketch {
            check_scheme("sketch", &self.scheme, sketch.scheme())?;
        }
        self.prune(now);
        let versions = self.versions(id, self.kept.own(id));
        let settles = versions.is_provisional(sketch.map(|sketch| &sketch.record));
        if settles {
            match kind {
                Settlement::Confirm => self.confirm_one(id)?,
                Settlement::Release => _ = self.kept.release(id),
            }
        }
        Ok(settles)
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
        let own = self.kept.own(id);
        let effect = rule::add(&sketch.record, self.versions(id, own), options);
        let document = Incoming { id, own, record: sketch.record, keys: keys.as_slice() };
        self.apply(&document, options, effect)
    }

    /// Sets the end of a version, if there is one.
    fn renew(&mut self, entry: Option<u32>, id: u64, expires: u64) -> Result<(), Error> {
        let Some(entry) = entry.filter(|&entry| expires != self.kept.expires(entry)) else {
            return Ok(());
        };
        self.change(id, expires, &mut |kept| kept.renew(entry, expires))
    }

    /// Makes a change, after which a version of this id ends at `ends`. An error changes nothing.
    pub(super) fn change(
        &mut self,
        id: u64,
        ends: u64,
        change: &mut dyn FnMut(&mut Kept) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if ends == NEVER {
            return change(&mut self.kept);
        }
        self.expiries.try_reserve(1)?;
        change(&mut self.kept)?;
        self.expiries.push(Reverse((ends, id)));
        if self.expiries.len() > 2 * (self.kept.ids.len() + self.kept.leases.len()) + 64 {
            let mut expiries = core::mem::take(&mut self.expiries).into_sorted_vec();
            // Versions of one id with equal expiry times leave duplicates.
            expiries.dedup();
            expiries.retain(|&Reverse((time, id))| self.ending(id, time).is_some());
            self.expiries = expiries.into();
        }
        Ok(())
    }

    /// Returns the version of an id that ends at a time, and whether it is provisional.
    fn ending(&self, id: u64, time: u64) -> Option<bool> {
        let own = self.kept.own(id);
        let ends = |entry: Option<u32>| entry.is_some_and(|entry| self.kept.expires(entry) == time);
        [ends(own.kept), ends(own.provisional)].iter().position(|&ends| ends).map(|at| at == 1)
    }

    /// Removes a document with both its versions. Returns false if the id is unknown.
    pub fn remove(&mut self, id: u64) -> bool {
        let has_provisional = self.kept.release(id);
        self.kept.remove_kept(id) || has_provisional
    }

    /// Removes the documents that have expired by `now`, and returns their number. [`observe`](Self::observe) and
    /// [`add`](Self::add) do so too. O(log n) for each document, amortised.
    pub fn prune(&mut self, now: u64) -> usize {
        core::iter::from_fn(|| self.prune_next(now)).count()
    }

    /// Removes versions that have ended by `now`, until an id has none left. Returns this id, or `None` if no more versions have
    /// ended. This is [`prune`](Self::prune) for a caller that keeps something of its own for each id, such as a text.
    pub fn prune_next(&mut self, now: u64) -> Option<u64> {
        while let Some(&Reverse((time, id))) = self.expiries.peek().filter(|next| next.0.0 <= now) {
            self.expiries.pop();
            while let Some(is_provisional) = self.ending(id, time) {
                if is_provisional {
                    self.kept.release(id);
                } else {
                    self.kept.remove_kept(id);
                }
                if !self.contains(id) {
                    return Some(id);
                }
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
        *self = Self::empty(self.scheme, self.kept.salt);
    }

    /// Checks a sketch, and returns its keys in this set.
    fn check(&self, sketch: &Sketch) -> Result<Keys, Error> {
        check_scheme("sketch", &self.scheme, sketch.scheme())?;
        Keys::new(sketch, self.kept.salt)
    }
}

/// The kept documents of a [`Deduplicator`], in the order of addition: see [`Deduplicator::iter`].
#[derive(Clone, Debug)]
#[must_use]
pub struct Documents<'a> {
    set: &'a Deduplicator,
    /// The entries that follow, some of them removed.
    entries: Range<u32>,
}

impl Iterator for Documents<'_> {
    type Item = (u64, Sketch);

    fn next(&mut self) -> Option<Self::Item> {
        let set = self.set;
        let entry = self.entries.find(|&entry| set.is_shown(entry))?;
        Some((set.kept.ids.id(entry), set.sketch(entry)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.entries.len()))
    }
}

impl FusedIterator for Documents<'_> {}

impl<'a> IntoIterator for &'a Deduplicator {
    type Item = (u64, Sketch);
    type IntoIter = Documents<'a>;

    fn into_iter(self) -> Documents<'a> {
        self.iter()
    }
}
