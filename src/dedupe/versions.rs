//! Versions as bytes, which stores keep, and the rule over them.
//!
//! All numbers are little-endian. The length tells the form.
//!
//! | bytes | content |
//! | --- | --- |
//! | 16 | fingerprint, hash of the words |
//! | 64, absent for a short text | odd sketch |
//! | 8, absent for a kept version that does not expire | the expiry time in milliseconds; 2^64 - 1 for none |
//! | 8, only of a provisional version | the end of the lease |
//! | 1, only of a provisional version | the distance that its decision stated; 255 if the document was new |
//! | 8, only of a provisional version | the resemblance that its decision stated, an `f64` |

use alloc::vec::Vec;

use super::{
    decide::{self, Effect, Outcome, Own, Ranked, Settlement, Similarity, ranked},
    deduplicator::Options,
    kept::NEVER,
    sketch::{Record, Sketch, take_number},
};
use crate::{Error, error::decimal};

/// The distance of a provisional version that was new.
const NO_DISTANCE: u8 = u8::MAX;

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
    /// The similarity that its decision stated, if the document was changed.
    pub before: Option<Similarity>,
}

impl Version {
    /// Reads what [`write_to`](Self::write_to) writes.
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
        let (&distance, rest) = rest.split_first()?;
        let resemblance = f64::from_le_bytes(rest.try_into().ok()?);
        let before = (distance != NO_DISTANCE)
            .then_some(Similarity { resemblance, distance: distance.into() });
        version.lease = Some(Lease { until, before });
        let is_valid = |it: Similarity| it.distance <= 64 && (0.0..=1.0).contains(&it.resemblance);
        before.is_none_or(is_valid).then_some(version)
    }

    /// Appends the binary form.
    pub fn write_to(&self, bytes: &mut Vec<u8>) {
        self.record.write_to(bytes);
        if self.lease.is_some() || self.expires != NEVER {
            bytes.extend_from_slice(&self.expires.to_le_bytes());
        }
        if let Some(Lease { until, before }) = self.lease {
            bytes.extend_from_slice(&until.to_le_bytes());
            bytes.push(before.map_or(NO_DISTANCE, |before| before.distance as u8));
            let resemblance = before.map_or(0.0, |before| before.resemblance);
            bytes.extend_from_slice(&resemblance.to_le_bytes());
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

/// Returns whether a version with this end exists at a time.
#[inline]
pub(super) fn is_live(end: u64, now: u64) -> bool {
    end > now || end == NEVER
}

/// A change of the versions of an id, which are given by their places.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The ended, replaced and discarded versions.
    pub removes: Vec<usize>,
    /// The version to store: in place of the one at this position, or added if there is none.
    pub version: Option<(Option<usize>, Version)>,
    /// The time from which on the change is not right: the earliest end of a version that has not ended.
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

    fn own(&self) -> Own<'a> {
        let all = self.all;
        Own {
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
                (Some(at), Version { expires: options.expires(), ..self.all[at] })
            }
            Effect::Prolong => {
                let at = self.provisional?;
                let lease = Lease { until: options.until()?, ..self.all[at].lease? };
                (Some(at), Version { lease: Some(lease), ..self.all[at] })
            }
            Effect::Confirm => {
                let at = self.provisional?;
                (Some(at), Version { lease: None, ..self.all[at] })
            }
            Effect::Add { before } => {
                let lease = options.until().map(|until| Lease { until, before });
                (None, Version { record: *document?, expires: options.expires(), lease })
            }
        };
        Some((at, version))
    }
}

/// Decides what a document is, with the versions of its id and of other ids, the oldest first.
pub fn observe(
    document: &Sketch,
    own: &[Version],
    candidates: &[Version],
    options: &Options,
) -> Result<(Outcome, Option<Change>), Error> {
    let versions = Versions::new(own, options.now);
    let record = &document.record;
    let candidates = || Ok(live(candidates, options.now));
    let (outcome, effect) = decide::decide(record, versions.own(), options, candidates)?;
    Ok((outcome, versions.change(effect, Some(record), options)))
}

/// Returns the change by which a document is kept, whatever it resembles.
pub fn add(document: &Sketch, own: &[Version], options: &Options) -> Option<Change> {
    let versions = Versions::new(own, options.now);
    let effect = decide::add(&document.record, versions.own(), options);
    versions.change(effect, Some(&document.record), options)
}

/// Returns the change that settles the provisional version: any, or only one of this document.
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
    let change = || versions.change(effect, None, &Options { now, ..Options::default() });
    settles.then(change).flatten()
}

/// Returns the candidates that reach the threshold, by their places, and their similarities, the best first.
pub fn hits(
    document: &Sketch,
    candidates: &[Version],
    min_resemblance: f64,
    now: u64,
) -> Result<Vec<(u32, Similarity)>, Error> {
    let live = live(candidates, now);
    let ranked = ranked(&document.record, live, min_resemblance, false, usize::MAX)?;
    Ok(ranked.into_iter().map(|Ranked { at, similarity, .. }| (at, similarity)).collect())
}

/// Returns the versions that have not ended, with their places.
fn live(versions: &[Version], now: u64) -> impl Iterator<Item = (u32, &Record)> {
    let live = (0..).zip(versions).filter(move |(_, version)| version.is_live(now));
    live.map(|(at, version)| (at, &version.record))
}
