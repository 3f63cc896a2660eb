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
//! 2. The kept version equals the document: [`Unchanged`](Decision::Unchanged). It expires later if the document expires.
//! 3. A candidate reaches the threshold and is more similar to the document than the kept version, if any:
//!    [`Duplicate`](Decision::Duplicate) of the best one. The set is unchanged.
//! 4. Otherwise [`Changed`](Decision::Changed) if there is a kept version, else [`New`](Decision::New). The document becomes
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
use core::{cmp::Ordering, ops::ControlFlow};

use super::{decision::Decision, options::Options};
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

/// A candidate that resembles a document.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "plain data, which tests of a caller can make")]
pub struct Candidate {
    /// Its number in the order of addition, or its index in a list in this order.
    pub number: u32,
    /// Its resemblance to the document, from 0 to 1.
    pub resemblance: f64,
}

/// A candidate, and what its rank depends on.
#[derive(Clone, Copy)]
pub(super) struct Ranked<'a> {
    pub candidate: Candidate,
    record: &'a Record,
    is_equal: bool,
}

impl Ranked<'_> {
    /// Returns whether the candidate reaches the threshold.
    pub fn reaches(&self, document: &Record, min_resemblance: f64) -> bool {
        reaches(self.candidate.resemblance, document, self.record, min_resemblance)
    }

    /// Returns whether the text of the candidate may reach the threshold, given the estimate.
    fn may_reach(&self, document: &Record, min_resemblance: f64) -> bool {
        let estimate = self.candidate.resemblance;
        estimate > 0.0
            && estimate >= threshold(document, self.record, min_resemblance) - MARGIN
            && reaches(1.0, document, self.record, min_resemblance)
    }

    /// Orders candidates by rank. The best one is the greatest.
    fn compare(&self, other: &Self) -> Ordering {
        let (own, others) = (self.candidate, other.candidate);
        let by_resemblance = own.resemblance.total_cmp(&others.resemblance);
        let by_equality = self.is_equal.cmp(&other.is_equal);
        by_equality.then(by_resemblance).then(others.number.cmp(&own.number))
    }
}

/// Returns the candidates that `admits` accepts, given the document and the threshold: the best one first, up to `limit`.
pub(super) fn ranked<'a>(
    document: &Record,
    candidates: impl Iterator<Item = (u32, &'a Record)>,
    min_resemblance: f64,
    admits: fn(&Ranked<'a>, &Record, f64) -> bool,
    limit: usize,
) -> Result<Vec<Ranked<'a>>, Error> {
    let mut all = Vec::new();
    let ranked = candidates.map(|(number, record)| {
        let candidate = Candidate { number, resemblance: document.resemblance(record) };
        Ranked { candidate, record, is_equal: document.equals(record) }
    });
    // Insertion: candidates are few, and another instance of a sort would be 2 kB of WebAssembly.
    for ranked in ranked.filter(|ranked| admits(ranked, document, min_resemblance)) {
        let at = all.partition_point(|better: &Ranked| better.compare(&ranked).is_gt());
        if at < limit {
            all.try_reserve(1)?;
            all.insert(at, ranked);
            all.truncate(limit);
        }
    }
    Ok(all)
}

/// The versions of an id that have not ended.
#[derive(Clone, Copy, Default)]
pub(super) struct OwnVersions<'a> {
    pub kept: Option<&'a Record>,
    /// With the resemblance that its decision stated, if that was `changed`.
    pub provisional: Option<(&'a Record, Option<f64>)>,
}

impl OwnVersions<'_> {
    /// Returns whether there is a provisional version, and if a document is given, whether it equals this document.
    pub fn is_provisional(&self, document: Option<&Record>) -> bool {
        let is_this =
            |(version, _): (&Record, _)| document.is_none_or(|document| document.equals(version));
        self.provisional.is_some_and(is_this)
    }
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

/// A decision, and its effect on the versions of the id.
pub(super) type Decided = (Decision<Candidate>, Effect);

/// Decides what a document is by estimates: see the [module](self). `candidates` returns the candidates with their numbers, given
/// the number of hits among them that matter, and is called only if they do.
pub(super) fn decide<'a, C: Iterator<Item = (u32, &'a Record)>>(
    document: &Record,
    own: OwnVersions<'_>,
    options: &Options,
    candidates: impl FnOnce(usize) -> Result<C, Error>,
) -> Result<Decided, Error> {
    match step(document, own, options, None, candidates)? {
        ControlFlow::Break(decided) => Ok(decided),
        ControlFlow::Continue(_) => unreachable!("no texts are compared"),
    }
}

/// Decides as [`decide`] does, or with `exact` by the exact resemblances that are known, in the order in which they were asked for,
/// `None` where a text is not available. If one more is needed, continues with the number of the candidate, or `None` for the kept
/// version of the id.
pub(super) fn step<'a, C: Iterator<Item = (u32, &'a Record)>>(
    document: &Record,
    own: OwnVersions<'_>,
    options: &Options,
    exact: Option<&[Option<f64>]>,
    candidates: impl FnOnce(usize) -> Result<C, Error>,
) -> Result<ControlFlow<Decided, Option<u32>>, Error> {
    if let Some((_, before)) = own.provisional
        && own.is_provisional(Some(document))
    {
        let effect = options.lease.map_or(Effect::Confirm, |_| Effect::Prolong);
        return Ok(ControlFlow::Break((new_or_changed(before), effect)));
    }
    if own.kept.is_some_and(|kept| kept.equals(document)) {
        let effect = options.expires_in.map_or(Effect::Nothing, |_| Effect::Renew);
        return Ok(ControlFlow::Break((Decision::Unchanged, effect)));
    }
    let mut known = exact.map(<[_]>::iter);
    let mut before = None;
    if let Some(kept) = own.kept {
        let resemblance = before.insert(kept.resemblance(document));
        // The resemblance of a short text is exact.
        if let Some(known) = &mut known
            && !are_short(kept, document)
        {
            let Some(exact) = known.next() else { return Ok(ControlFlow::Continue(None)) };
            *resemblance = exact.unwrap_or(*resemblance);
        }
    }
    let min_resemblance = options.min_resemblance;
    let (admits, limit): (fn(&Ranked<'a>, &Record, f64) -> bool, _) = match known {
        Some(_) => (Ranked::may_reach, MAX_COMPARISONS),
        None => (Ranked::reaches, 1),
    };
    let near = ranked(document, candidates(limit)?, min_resemblance, admits, limit)?;
    let mut best = None;
    for mut ranked in near {
        let Candidate { number, resemblance } = &mut ranked.candidate;
        if let Some(known) = &mut known {
            let Some(exact) = known.next() else {
                return Ok(ControlFlow::Continue(Some(*number)));
            };
            *resemblance = exact.unwrap_or(*resemblance);
        }
        if ranked.reaches(document, min_resemblance) {
            best = Some(ranked.candidate);
            break;
        }
    }
    if let Some(best) = best
        && before.is_none_or(|before| before < best.resemblance)
    {
        return Ok(ControlFlow::Break((Decision::Duplicate(best), Effect::Nothing)));
    }
    Ok(ControlFlow::Break((new_or_changed(before), Effect::Add { before })))
}

/// Returns the decision on a document that becomes a version, given its resemblance to the kept one, if there is one.
fn new_or_changed(before: Option<f64>) -> Decision<Candidate> {
    before.map_or(Decision::New, |resemblance| Decision::Changed { resemblance })
}

/// Returns the effect of keeping a document, whatever it resembles.
pub(super) fn add(document: &Record, own: OwnVersions<'_>, options: &Options) -> Effect {
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
