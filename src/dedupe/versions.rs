//! The rule for stores: decisions on documents whose versions a database keeps, as bytes.
//!
//! A [`Deduplicator`](super::Deduplicator) keeps its documents in memory. A store keeps them elsewhere, in two tables:
//!
//! - the [`Version`]s of each id, at most one *kept* and one *provisional* (see [`Options::lease`]);
//! - the ids under each of the [keys](Sketch::keys) of their sketches.
//!
//! For a decision, a store reads the versions of the document's id, and the versions of other ids under the document's keys,
//! the oldest first. Then it calls [`observe`], and carries out the [`Change`] in one transaction. The decision is right until
//! the [deadline](Change::deadline) of the change, if nothing that was read has changed meanwhile.
//!
//! ```
//! use nearprint::dedupe::{Decision, Options, Sketcher, versions::{self, Candidate, Version}};
//!
//! let mut sketcher = Sketcher::default();
//! let text = "The river burst its banks early on Tuesday, the council said, and the road is closed for a week.";
//! let first = sketcher.sketch(text);
//! let (decision, change) = versions::observe(&first, &[], &[], &Options::default())?;
//! assert_eq!(decision, Decision::New);
//! let (_, version) = change.unwrap().version.unwrap();
//! let mut row = vec![];
//! version.write_to(&mut row);
//!
//! // Another id, with a document that shares a key with the first.
//! let second = sketcher.sketch(&text.replace("week", "day"));
//! let shares_key = second.keys().unwrap().iter().any(|key| first.keys().unwrap().contains(key));
//! assert!(shares_key);
//! let candidates = [Version::from_bytes(&row)?];
//! let (decision, change) = versions::observe(&second, &[], &candidates, &Options::default())?;
//! assert!(matches!(decision, Decision::Duplicate(Candidate { number: 0, .. })) && change.is_none());
//! # Ok::<(), nearprint::Error>(())
//! ```
//!
//! # The binary form of a version
//!
//! All numbers are little-endian. The length tells the form.
//!
//! | bytes | content |
//! | --- | --- |
//! | 16 | the two hashes of the words and symbols |
//! | 64, absent for a short text | odd sketch |
//! | 8, absent for a kept version that does not expire | the expiry time in milliseconds; 2^64 - 1 for none |
//! | 8, only of a provisional version | the end of the lease |
//! | 8, only of a provisional version | the resemblance that its decision stated, an `f64`; NaN if the document was new |

use alloc::vec::Vec;

pub use super::rule::{Candidate, Settlement};

use super::{
    decision::Decision,
    options::{NEVER, Options, is_live},
    rule::{self, Effect, OwnVersions, Ranked, ranked},
};
use crate::{
    Error,
    error::decimal,
    rows::columns::collect,
    sketch::{Sketch, near::check_min_resemblance, record::Record, sketch::take_number},
};

/// A version of an id.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Version {
    pub(super) record: Record,
    /// The time at which a kept version ends, [`NEVER`] for none.
    pub(super) expires: u64,
    /// Absent for a kept version.
    pub(super) lease: Option<Lease>,
}

/// The lease of a provisional version.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lease {
    pub until: u64,
    /// The resemblance that its decision stated, if the document was changed.
    pub before: Option<f64>,
}

impl Version {
    /// Reads what [`write_to`](Self::write_to) writes.
    ///
    /// # Errors
    /// The bytes are not a version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let damaged = || {
            let got = [&decimal(bytes.len() as u64), " bytes that are not"].concat();
            Error::argument("value", "a version that a store keeps", got)
        };
        Self::read(bytes).ok_or_else(damaged)
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let is_short = bytes.len() < Record::BYTES;
        let size = if is_short { Record::SHORT_BYTES } else { Record::BYTES };
        let (record, rest) = bytes.split_at_checked(size)?;
        let record = Record::from_bytes(record)?;
        let mut version = Version { record, expires: NEVER, lease: None };
        if rest.is_empty() {
            return Some(version);
        }
        let (expires, rest) = take_number(rest)?;
        version.expires = expires;
        if rest.is_empty() {
            return Some(version);
        }
        let (until, rest) = take_number(rest)?;
        let resemblance = f64::from_le_bytes(rest.try_into().ok()?);
        let before = (!resemblance.is_nan()).then_some(resemblance);
        version.lease = Some(Lease { until, before });
        before.is_none_or(|before| (0.0..=1.0).contains(&before)).then_some(version)
    }

    /// Appends the binary form.
    pub fn write_to(&self, bytes: &mut Vec<u8>) {
        self.record.write_to(bytes);
        if self.lease.is_some() || self.expires != NEVER {
            bytes.extend_from_slice(&self.expires.to_le_bytes());
        }
        if let Some(Lease { until, before }) = self.lease {
            bytes.extend_from_slice(&until.to_le_bytes());
            bytes.extend_from_slice(&before.unwrap_or(f64::NAN).to_le_bytes());
        }
    }

    /// Returns the time from which on the version does not exist, 2^64 - 1 for none.
    pub fn end(&self) -> u64 {
        self.lease.map_or(self.expires, |lease| lease.until)
    }

    fn is_live(&self, now: u64) -> bool {
        is_live(self.end(), now)
    }
}

/// A change of the versions of an id, which are identified by their indices.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// The ended, replaced and discarded versions.
    pub removes: Vec<usize>,
    /// The version to store. It replaces the version of this index, or is added if the index is `None`.
    pub version: Option<(Option<usize>, Version)>,
    /// The time until which the change is right: the earliest end of a version that has not ended.
    pub deadline: u64,
}

/// The versions of an id, some of which may have ended.
struct Versions<'a> {
    all: &'a [Version],
    kept: Option<usize>,
    provisional: Option<usize>,
    now: u64,
}

impl<'a> Versions<'a> {
    fn new(all: &'a [Version], now: u64) -> Self {
        let find = |is_provisional| {
            all.iter().position(|version| {
                version.is_live(now) && version.lease.is_some() == is_provisional
            })
        };
        Versions { all, kept: find(false), provisional: find(true), now }
    }

    fn own(&self) -> OwnVersions<'a> {
        let all = self.all;
        OwnVersions {
            kept: self.kept.map(|at| &all[at].record),
            provisional: self
                .provisional
                .map(|at| (&all[at].record, all[at].lease.and_then(|lease| lease.before))),
        }
    }

    /// Returns the change that has an effect.
    fn change(
        &self,
        effect: Effect,
        document: Option<&Record>,
        options: &Options,
    ) -> Option<Change> {
        if effect == Effect::Nothing {
            return None;
        }
        let Versions { all, now, .. } = *self;
        let removed = self.removed(effect, options);
        let is_removed = |at: &usize| !all[*at].is_live(now) || removed.contains(&Some(*at));
        let live = all.iter().filter(|version| version.is_live(now));
        Some(Change {
            removes: (0..all.len()).filter(is_removed).collect(),
            version: self.stored(effect, document, options),
            deadline: live.map(Version::end).min().unwrap_or(NEVER),
        })
    }

    /// Returns the versions that are replaced or discarded.
    fn removed(&self, effect: Effect, options: &Options) -> [Option<usize>; 2] {
        match effect {
            Effect::Nothing | Effect::Renew | Effect::Prolong => [None; 2],
            Effect::Confirm => [self.kept, None],
            Effect::Discard { .. } => [None, self.provisional],
            Effect::Add { .. } if options.lease.is_some() => [None, self.provisional],
            Effect::Add { .. } => [self.kept, self.provisional],
        }
    }

    /// Returns the version to store, with the position of the one that it replaces.
    fn stored(
        &self,
        effect: Effect,
        document: Option<&Record>,
        options: &Options,
    ) -> Option<(Option<usize>, Version)> {
        let (at, version) = match effect {
            Effect::Nothing | Effect::Discard { renews: false } => return None,
            Effect::Renew | Effect::Discard { renews: true } => {
                let at = self.kept?;
                (Some(at), Version { expires: options.expiry(), ..self.all[at] })
            }
            Effect::Prolong => {
                let at = self.provisional?;
                let lease = Lease { until: options.lease_end()?, ..self.all[at].lease? };
                (Some(at), Version { lease: Some(lease), ..self.all[at] })
            }
            Effect::Confirm => {
                let at = self.provisional?;
                (Some(at), Version { lease: None, ..self.all[at] })
            }
            Effect::Add { before } => {
                let lease = options.lease_end().map(|until| Lease { until, before });
                (None, Version { record: *document?, expires: options.expiry(), lease })
            }
        };
        Some((at, version))
    }
}

/// Decides what a document is, as [`Deduplicator::observe`](super::Deduplicator::observe) does, with the versions of its id
/// and of other ids, the oldest first. Versions that have ended do not count. O(candidates).
///
/// # Errors
/// The threshold is out of range, or there is not enough memory.
pub fn observe(
    document: &Sketch,
    own: &[Version],
    candidates: &[Version],
    options: &Options,
) -> Result<(Decision<Candidate>, Option<Change>), Error> {
    check_min_resemblance(options.min_resemblance)?;
    let versions = Versions::new(own, options.now);
    let record = &document.record;
    let candidates = |_| Ok(live(candidates, options.now));
    let (decision, effect) = rule::decide(record, versions.own(), options, candidates)?;
    Ok((decision, versions.change(effect, Some(record), options)))
}

/// Returns the change by which a document is kept, whatever it resembles, or `None` if it is kept as it is.
pub fn add(document: &Sketch, own: &[Version], options: &Options) -> Option<Change> {
    let versions = Versions::new(own, options.now);
    let effect = rule::add(&document.record, versions.own(), options);
    versions.change(effect, Some(&document.record), options)
}

/// Returns the change that confirms or releases the provisional version; with a document, only a version that equals it. Returns
/// `None` if there is no such version.
pub fn settle(
    kind: Settlement,
    own: &[Version],
    now: u64,
    document: Option<&Sketch>,
) -> Option<Change> {
    let versions = Versions::new(own, now);
    let record = document.map(|document| &document.record);
    let effect = match kind {
        Settlement::Confirm => Effect::Confirm,
        Settlement::Release => Effect::Discard { renews: false },
    };
    let settles = versions.own().is_provisional(record);
    let change = || versions.change(effect, None, &Options::default().now(now));
    settles.then(change).flatten()
}

/// Returns the candidates that reach the threshold, the best first. A threshold of 0 admits all of them.
///
/// # Errors
/// There is not enough memory.
pub fn hits(
    document: &Sketch,
    candidates: &[Version],
    min_resemblance: f64,
    now: u64,
) -> Result<Vec<Candidate>, Error> {
    let live = live(candidates, now);
    let ranked = ranked(&document.record, live, min_resemblance, Ranked::reaches, usize::MAX)?;
    Ok(collect(ranked.len(), ranked.iter().map(|ranked| ranked.candidate))?)
}

/// Returns the versions that have not ended, with their indices.
fn live(versions: &[Version], now: u64) -> impl Iterator<Item = (u32, &Record)> {
    let live = (0..).zip(versions).filter(move |(_, version)| version.is_live(now));
    live.map(|(at, version)| (at, &version.record))
}
