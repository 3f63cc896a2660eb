//! Observation: what a document is, and what becomes of it in the set.

use core::ops::ControlFlow;

use super::{
    decision::{ComparisonRequest, Decision},
    deduplicator::Deduplicator,
    kept::{Incoming, OwnEntries},
    leases::Provisional,
    options::Options,
    rule::{self, Candidate, Effect, OwnVersions},
};
use crate::{
    Error,
    sketch::{Sketch, near::check_min_resemblance},
};

impl Deduplicator {
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
            ControlFlow::Break(decision) => Ok(decision),
            ControlFlow::Continue(_) => unreachable!("estimates decide"),
        }
    }

    /// Observes a document by the exact resemblances of texts, which the caller has: of all candidates whose estimates come
    /// close to the threshold, the first that reaches it decides.
    ///
    /// `exact` has the exact resemblances that are known, in the order in which they were asked for, and `None` where the text
    /// is not available: then the estimate decides. As long as one more is needed, at most 17 times, the call
    /// [continues](ControlFlow::Continue) with a request, and changes nothing. The caller compares the texts, and calls again. So it
    /// can read them from a file or a server.
    ///
    /// ```
    /// use nearprint::{Key, dedupe::{Decision, Deduplicator, Options, Sketcher}};
    /// use std::ops::ControlFlow;
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
    ///             ControlFlow::Break(decision) => break decision,
    ///             ControlFlow::Continue(request) => {
    ///                 let kept = &texts[request.id as usize];
    ///                 let [a, b] = [text, kept].map(|text| sketcher.feature_set(key, text));
    ///                 exact.push(Some(a.resemblance(&b)));
    ///             }
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
    ) -> Result<ControlFlow<Decision, ComparisonRequest>, Error> {
        self.step(id, sketch, options, Some(exact))
    }

    /// Observes a document by the exact resemblances of texts, or without them by estimates, which need no comparison.
    fn step(
        &mut self,
        id: u64,
        sketch: &Sketch,
        options: &Options,
        exact: Option<&[Option<f64>]>,
    ) -> Result<ControlFlow<Decision, ComparisonRequest>, Error> {
        let keys = self.check(sketch)?;
        check_min_resemblance(options.min_resemblance)?;
        self.prune(options.now);
        let own = self.kept.own(id);
        let search = self.search(sketch, &keys, options, own.all());
        let candidates = |max_hits| search.candidates(max_hits);
        let versions = self.versions(id, own);
        match rule::step(&sketch.record, versions, options, exact, candidates)? {
            ControlFlow::Break((decision, effect)) => {
                let decision = self.with_hit(decision);
                let document = Incoming { id, own, record: sketch.record, keys: keys.as_slice() };
                self.apply(&document, options, effect)?;
                Ok(ControlFlow::Break(decision))
            }
            ControlFlow::Continue(candidate) => {
                let entry = candidate.or(own.kept);
                let entry = entry.expect("the kept version is compared only if there is one");
                let sequence = self.kept.record(entry).sequence.with_few_features(false);
                let (id, hashes) = (self.kept.ids.id(entry), [sequence.first, sequence.second]);
                Ok(ControlFlow::Continue(ComparisonRequest { id, hashes }))
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
        let versions = id.map_or(OwnVersions::default(), |id| self.versions(id, own));
        let search = self.search(sketch, &keys, options, own.all());
        let candidates = |max_hits| search.candidates(max_hits);
        let (decision, _) = rule::decide(&sketch.record, versions, options, candidates)?;
        Ok(self.with_hit(decision))
    }

    /// Returns a decision with the hit of the candidate that a duplicate resembles.
    fn with_hit(&self, decision: Decision<Candidate>) -> Decision {
        match decision {
            Decision::New => Decision::New,
            Decision::Unchanged => Decision::Unchanged,
            Decision::Changed { resemblance } => Decision::Changed { resemblance },
            Decision::Duplicate(candidate) => Decision::Duplicate(self.hit(candidate)),
        }
    }

    /// Returns the versions of an id.
    pub(super) fn versions(&self, id: u64, own: OwnEntries) -> OwnVersions<'_> {
        let before = self.kept.leases.get(id).and_then(|version| version.before);
        OwnVersions {
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
        let expires = options.expiry();
        match effect {
            Effect::Nothing => Ok(()),
            Effect::Renew => self.renew(own.kept, id, expires),
            Effect::Prolong => {
                self.renew(own.provisional, id, options.lease_end().unwrap_or(expires))
            }
            Effect::Confirm => self.confirm_one(id),
            Effect::Discard { renews } => {
                if renews {
                    self.renew(own.kept, id, expires)?;
                }
                self.kept.release(id);
                Ok(())
            }
            Effect::Add { before } => {
                let ends = options.lease_end().unwrap_or(expires);
                let is_sole = own.kept.is_none();
                let lease =
                    options.lease.map(|_| Provisional { entry: 0, expires, before, is_sole });
                self.change(id, ends, &mut |kept| kept.put(document, ends, lease))
            }
        }
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
}
