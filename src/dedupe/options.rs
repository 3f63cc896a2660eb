//! How documents are compared, and for how long they are kept.

use crate::sketch::MIN_RESEMBLANCE;

/// The expiry time of a document that does not expire.
pub(super) const NEVER: u64 = u64::MAX;

/// Returns whether a version that ends at `end` exists at a time.
#[inline]
pub(super) fn is_live(end: u64, now: u64) -> bool {
    end > now || end == NEVER
}

/// How documents are compared, and for how long they are kept.
///
/// Times are in any unit, such as milliseconds since 1970: a deduplicator has no clock.
///
/// ```
/// use nearprint::dedupe::{MIN_RESEMBLANCE, Options};
///
/// let options = Options::default().min_resemblance(0.8).now(1_000).expires_in(60);
/// assert_eq!((options.min_resemblance, options.expires_in), (0.8, Some(60)));
/// assert_eq!(Options::default().min_resemblance, MIN_RESEMBLANCE);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// The resemblance from which a document is a near-duplicate: above 0 and at most 1, [`MIN_RESEMBLANCE`] by default.
    /// Queries also accept 0, which admits every candidate.
    pub min_resemblance: f64,
    /// The present time, 0 by default. Documents that expire at this time or earlier do not exist.
    pub now: u64,
    /// The time after which the observed document expires. `None`, the default: a new or changed document does not expire,
    /// and an unchanged one keeps its expiry time.
    pub expires_in: Option<u64>,
    /// The time for which a new or changed document is kept provisionally: then it is discarded, and an earlier version
    /// counts again, unless it was [confirmed](super::Deduplicator::confirm). `None`, the default: it is kept at once.
    pub lease: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Options { min_resemblance: MIN_RESEMBLANCE, now: 0, expires_in: None, lease: None }
    }
}

impl Options {
    /// Sets [`min_resemblance`](field@Self::min_resemblance). The calls that take the options check it.
    #[must_use]
    pub const fn min_resemblance(mut self, min_resemblance: f64) -> Self {
        self.min_resemblance = min_resemblance;
        self
    }

    /// Sets [`now`](field@Self::now).
    #[must_use]
    pub const fn now(mut self, now: u64) -> Self {
        self.now = now;
        self
    }

    /// Sets [`expires_in`](field@Self::expires_in): to a time, or to an `Option`.
    #[must_use]
    pub fn expires_in(mut self, expires_in: impl Into<Option<u64>>) -> Self {
        self.expires_in = expires_in.into();
        self
    }

    /// Sets [`lease`](field@Self::lease): to a time, or to an `Option`.
    #[must_use]
    pub fn lease(mut self, lease: impl Into<Option<u64>>) -> Self {
        self.lease = lease.into();
        self
    }

    /// Returns the expiry time of the observed document, [`NEVER`] for none.
    pub(super) fn expiry(&self) -> u64 {
        self.expires_in.map_or(NEVER, |time| self.now.saturating_add(time))
    }

    /// Returns the end of the lease of the observed document.
    pub(super) fn lease_end(&self) -> Option<u64> {
        self.lease.map(|time| self.now.saturating_add(time))
    }
}
