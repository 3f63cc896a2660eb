//! The rule of decisions, without a table, a file or a clock of its own.
//!
//! An id has at most one *kept* version and one *provisional* version. A provisional version ends with its lease, and the
//! kept one is then seen alone again; a kept version ends at its expiry time. Both are compared with documents of other ids.
//!
//! # The rule
//!
//! It knows a document, the versions of its id that have not ended, and *candidates*: versions of other ids.
//!
//! 1. The provisional version equals the document: the decision that made it, again. Its lease is prolonged; a document
//!    without a lease confirms it.
//! 2. The kept version equals the document: [`Unchanged`](Outcome::Unchanged). It expires later if the document expires.
//! 3. A candidate reaches the threshold and is more similar to the document than the kept version, if any:
//!    [`Duplicate`](Outcome::Duplicate) of the best one. The set is unchanged.
//! 4. Otherwise [`Changed`](Outcome::Changed) if there is a kept version, else [`New`](Outcome::New). The document becomes
//!    a version: with a lease a provisional one, in place of an earlier provisional one; without a lease a kept one, in place
//!    of both.
//!
//! **Rank.** An equal candidate is better than others. Then the resemblance decides, then the order of addition.
//!
//! **Threshold.** A pair with a brief text needs at least [`MIN_BRIEF_RESEMBLANCE`](super::MIN_BRIEF_RESEMBLANCE), a short text
//! equality, and so does the threshold 1. A blank text resembles nothing.
//!
//! **Texts.** If the exact resemblance of texts decides, the rule asks for one comparison at a time. It first compares the
//! document with the kept version, and then with the candidates whose estimates are at most `MARGIN` below the threshold,
//! by rank, up to `MAX_COMPARISONS`. The first that reaches the threshold is the best one. Equal candidates are compared
//! too, since words can be chosen to forge equal sketches. If a text is not available, the estimate decides.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::options::Options;
use crate::{
    Error,
    sketch::{
        near::{are_short, reaches, threshold},
        record::Record,
    },
};

/// Three standard errors of the estimate for long texts, near the default threshold.
const MARGIN: f64 = 0.11;

/// The maximum number of candidates whose texts are compared with one document.
const MAX_COMPARISONS: usize = 16;

/// A candidate that was compared with the document.
#[derive(Clone, Copy)]
pub(super) struct Ranked<'a> {
    /// The place of the candidate in the order of addition.
    pub at: u32,
    record: &'a Record,
    is_equal: bool,
    pub resemblance: f64,
}

impl Ranked<'_> {
    #[inline]
    fn reaches(&self, document: &Record, min_resemblance: f64) -> bool {
        reaches(self.resemblance, document, self.record, min_resemblance)
    }

    /// Returns whether the texts may reach the threshold.
    #[inline]
    fn may_reach(&self, document: &Record, min_resemblance: f64) -> bool {
        self.resemblance > 0.0
            && self.resemblance >= threshold(document, self.record, min_resemblance) - MARGIN
            && reaches(1.0, document, self.record, min_resemblance)
    }

    /// Orders candidates by rank. The best one is the greatest.
    fn compare(&self, other: &Self) -> Ordering {
        let by_resemblance = self.resemblance.total_cmp(&other.resemblance);
        let by_equality = self.is_equal.cmp(&other.is_equal);
        by_equality.then(by_resemblance).then(other.at.cmp(&self.at))
    }
}

/// The evidence that decides whether a candidate reaches the threshold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Evidence {
    /// The estimate of its resemblance.
    Sketches,
    /// The exact resemblance of its text, so estimates may be a little below the threshold.
    Texts,
}

/// Returns the candidates that reach the threshold, or may reach it by their texts: the best one first, up to `limit`.
pub(super) fn ranked<'a>(
    document: &Record,
    candidates: impl Iterator<Item = (u32, &'a Record)>,
    min_resemblance: f64,
    evidence: Evidence,
    limit: usize,
) -> Result<Vec<Ranked<'a>>, Error> {
    let mut all = Vec::new();
    let ranked = candidates.map(|(at, record)| {
        let resemblance = document.resemblance(record);
        Ranked { at, record, is_equal: document.equals(record), resemblance }
    });
    // Insertion: candidates are few, and another instance of a sort would be 2 kB of WebAssembly.
    let admits = |ranked: &Ranked| match evidence {
        Evidence::Texts => ranked.may_reach(document, min_resemblance),
        Evidence::Sketches => ranked.reaches(document, min_resemblance),
    };
    for ranked in ranked.filter(admits) {
        let place = all.partition_point(|better: &Ranked| better.compare(&ranked).is_gt());
        if place < limit {
            all.try_reserve(1)?;
            all.insert(place, ranked);
            all.truncate(limit);
        }
    }
    Ok(all)
}

/// The versions of an id that have not ended.
#[derive(Clone, Copy, Default)]
pub(super) struct Own<'a> {
    pub kept: Option<&'a Record>,
    /// With the resemblance that its decision stated, if that was `changed`.
    pub provisional: Option<(&'a Record, Option<f64>)>,
}

impl Own<'_> {
    /// Returns whether there is a provisional version, and if a document is given, whether it equals this document.
    pub fn is_provisional(&self, document: Option<&Record>) -> bool {
        let is_this =
            |(version, _): (&Record, _)| document.is_none_or(|document| document.equals(version));
        self.provisional.is_some_and(is_this)
    }
}

/// The decision on a document: a [`Decision`](super::Decision) with the place of a candidate instead of an id.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// The id has no kept version, and no candidate is similar enough.
    New,
    /// The document equals the kept version of the id.
    Unchanged,
    /// The id is kept with another document.
    Changed {
        /// The resemblance of both versions, from 0 to 1.
        resemblance: f64,
    },
    /// A candidate is similar enough.
    Duplicate {
        /// The place of the best one.
        at: u32,
        /// Its resemblance, from 0 to 1.
        resemblance: f64,
    },
}

/// The effect of a decision on the versions of an id.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Effect {
    /// Nothing changes.
    Nothing,
    /// The kept version expires later.
    Renew,
    /// The lease of the provisional version ends later.
    Prolong,
    /// The provisional version is kept, in place of an earlier one.
    Confirm,
    /// The provisional version is discarded. If `renews`, the kept version expires later.
    Discard { renews: bool },
    /// The document becomes a version: with a lease in place of the provisional one, else in place of both. If it is
    /// `changed`, its resemblance to the kept version is `before`.
    Add { before: Option<f64> },
}

/// A step of the rule if texts verify.
#[derive(Debug)]
pub(super) enum Step {
    /// The decision and its effect.
    Decided(Outcome, Effect),
    /// The exact resemblance to a candidate is needed, by its place, or to the kept version of the id.
    Compare(Option<u32>),
}

/// The exact resemblances that are known, in the order in which they were asked for. `None`: a text is not available.
pub(super) type Exact<'a> = &'a [Option<f64>];

/// Decides what a document is by estimates: see the [module](self). `candidates` returns the candidates with their places, and is
/// called only if they matter.
pub(super) fn decide<'a, C: Iterator<Item = (u32, &'a Record)>>(
    document: &Record,
    own: Own<'_>,
    options: &Options,
    candidates: impl FnOnce() -> Result<C, Error>,
) -> Result<(Outcome, Effect), Error> {
    match step(document, own, options, None, candidates)? {
        Step::Decided(outcome, effect) => Ok((outcome, effect)),
        Step::Compare(_) => unreachable!("no texts verify"),
    }
}

/// Decides as [`decide`] does, or with `exact` by the exact resemblances of texts, as far as they are known.
pub(super) fn step<'a, C: Iterator<Item = (u32, &'a Record)>>(
    document: &Record,
    own: Own<'_>,
    options: &Options,
    exact: Option<Exact<'_>>,
    candidates: impl FnOnce() -> Result<C, Error>,
) -> Result<Step, Error> {
    if let Some((_, before)) = own.provisional
        && own.is_provisional(Some(document))
    {
        let effect = options.lease.map_or(Effect::Confirm, |_| Effect::Prolong);
        return Ok(Step::Decided(new_or_changed(before), effect));
    }
    if own.kept.is_some_and(|kept| kept.equals(document)) {
        let effect = options.expires_in.map_or(Effect::Nothing, |_| Effect::Renew);
        return Ok(Step::Decided(Outcome::Unchanged, effect));
    }
    let mut known = exact.map(<[_]>::iter);
    let mut before = None;
    if let Some(kept) = own.kept {
        let resemblance = before.insert(kept.resemblance(document));
        // The resemblance of a short text is exact.
        if let Some(known) = &mut known
            && !are_short(kept, document)
        {
            let Some(exact) = known.next() else { return Ok(Step::Compare(None)) };
            *resemblance = exact.unwrap_or(*resemblance);
        }
    }
    let min_resemblance = options.min_resemblance;
    let (evidence, limit) = match known {
        Some(_) => (Evidence::Texts, MAX_COMPARISONS),
        None => (Evidence::Sketches, 1),
    };
    let near = ranked(document, candidates()?, min_resemblance, evidence, limit)?;
    let mut best = None;
    for mut candidate in near {
        if let Some(known) = &mut known {
            let Some(exact) = known.next() else {
                return Ok(Step::Compare(Some(candidate.at)));
            };
            candidate.resemblance = exact.unwrap_or(candidate.resemblance);
        }
        if candidate.reaches(document, min_resemblance) {
            best = Some(candidate);
            break;
        }
    }
    if let Some(Ranked { at, resemblance, .. }) = best
        && before.is_none_or(|before| before < resemblance)
    {
        return Ok(Step::Decided(Outcome::Duplicate { at, resemblance }, Effect::Nothing));
    }
    Ok(Step::Decided(new_or_changed(before), Effect::Add { before }))
}

/// Returns the outcome for a document that becomes a version, given its resemblance to the kept one, if there is one.
fn new_or_changed(before: Option<f64>) -> Outcome {
    before.map_or(Outcome::New, |resemblance| Outcome::Changed { resemblance })
}

/// Returns the effect of keeping a document, whatever it resembles.
pub(super) fn add(document: &Record, own: Own<'_>, options: &Options) -> Effect {
    if own.kept.is_none_or(|kept| !kept.equals(document)) {
        return Effect::Add { before: None };
    }
    match (own.provisional, options.expires_in) {
        (None, None) => Effect::Nothing,
        (None, Some(_)) => Effect::Renew,
        (Some(_), expires_in) => Effect::Discard { renews: expires_in.is_some() },
    }
}

/// How the lease of a provisional version is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "a provisional version is kept, or it is not")]
pub enum Settlement {
    /// The provisional version is kept, in place of an earlier one.
    Confirm,
    /// The provisional version is discarded.
    Release,
}
