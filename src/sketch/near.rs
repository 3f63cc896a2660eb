//! The rule by which two documents are near-duplicates.

use super::record::Record;
use crate::Error;

/// A text of fewer different features is *short*: it resembles only equal documents.
///
/// One edited word of a text changes three features, which is more than a third of seven.
pub const MIN_FEATURES: usize = 8;

/// A text of fewer different features that is not short is *brief*: its threshold is at least [`MIN_BRIEF_RESEMBLANCE`].
pub const BRIEF_FEATURES: usize = 16;

/// The smallest threshold, other than 0, for a pair with a brief text.
///
/// Two brief texts from one template, with different names, can reach the default threshold.
pub const MIN_BRIEF_RESEMBLANCE: f64 = 0.75;

/// The default resemblance from which a document is a near-duplicate.
pub const MIN_RESEMBLANCE: f64 = 0.67;

/// Checks a threshold.
pub(crate) fn check_min_resemblance(min_resemblance: f64) -> Result<(), Error> {
    if min_resemblance > 0.0 && min_resemblance <= 1.0 {
        return Ok(());
    }
    Err(Error::float("min_resemblance", "a number above 0 and at most 1", min_resemblance))
}

/// Returns whether two documents of this resemblance, exact or estimated, are near-duplicates. A threshold of 0 admits all.
pub(crate) fn reaches(resemblance: f64, a: &Record, b: &Record, min_resemblance: f64) -> bool {
    if a.is_blank() || b.is_blank() {
        return false;
    }
    let needs_equality = min_resemblance >= 1.0 || min_resemblance > 0.0 && are_short(a, b);
    if needs_equality && !(a.equals(b) && resemblance >= 1.0) {
        return false;
    }
    resemblance >= threshold(a, b, min_resemblance)
}

/// Returns the threshold of a pair.
pub(crate) fn threshold(a: &Record, b: &Record, min_resemblance: f64) -> f64 {
    let are_brief = a.sequence.has_few_features() || b.sequence.has_few_features();
    if min_resemblance > 0.0 && are_brief {
        return min_resemblance.max(MIN_BRIEF_RESEMBLANCE);
    }
    min_resemblance
}

/// Returns whether either document is short.
pub(crate) fn are_short(a: &Record, b: &Record) -> bool {
    a.is_short() || b.is_short()
}
