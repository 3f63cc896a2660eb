//! The bits of fingerprints: the features of a text with their votes, and the sums of the votes of two texts.

use alloc::{string::String, vec::Vec};

use super::{
    hamming,
    scheme::{Scheme, Width},
};
use crate::features::{
    AS_WRITTEN,
    names::{memory_of_names, named_features},
};

/// A feature of a text, with its votes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Feature {
    /// The words of the feature, with a space between two words unless both are of scripts written without spaces; or its
    /// characters. For display: features that differ only in where their words end may look the same.
    pub feature: String,
    /// The number of its words, or of its characters.
    pub span: usize,
    /// How often it occurs, at most `u32::MAX`.
    pub count: u32,
    /// Its weight.
    pub weight: u32,
    /// The bits it votes for, in the low bits.
    pub hash: u128,
}

/// Returns the different features of `text`, in the order in which they first end. O(n log n) for `n` features.
pub(super) fn features(scheme: &Scheme, text: &str) -> Vec<Feature> {
    let [named, _] = named_features::<AS_WRITTEN>(scheme.choice(), [text, ""]);
    let with_votes = named.into_iter().map(|feature| Feature {
        feature: feature.name,
        span: feature.span,
        count: feature.count,
        weight: scheme.weights.of(feature.count.into()) as u32,
        hash: scheme.votes_of(feature.hash) & scheme.width.mask(),
    });
    with_votes.collect()
}

/// Returns an upper bound on the memory that [`features`] takes, in bytes. O(text).
pub(super) fn memory_of_features(scheme: &Scheme, text: &str) -> usize {
    memory_of_names::<AS_WRITTEN>(scheme.choice(), text, size_of::<Feature>())
}

/// Two texts compared by their fingerprints, bit by bit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
#[non_exhaustive]
pub struct BitComparison {
    /// The first text.
    pub a: Side,
    /// The second text.
    pub b: Side,
    /// The width of the fingerprints.
    pub width: Width,
}

impl BitComparison {
    /// Returns the number of bits in which the fingerprints differ.
    pub fn distance(&self) -> u32 {
        hamming::distance(self.a.fingerprint, self.b.fingerprint)
    }

    /// Returns the share of equal bits.
    pub fn similarity(&self) -> f64 {
        hamming::similarity(self.a.fingerprint, self.b.fingerprint, self.width)
    }
}

/// One text of a [`BitComparison`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Side {
    /// Its fingerprint, in the low bits.
    pub fingerprint: u128,
    /// Its different features, in the order in which they first end.
    pub features: Vec<Feature>,
    /// The sums, lowest bit first: the bit is 1 where the sum is above 0.
    pub sums: Vec<i64>,
}

impl Side {
    #[inline(never)]
    fn new(scheme: &Scheme, text: &str) -> Self {
        let features = features(scheme, text);
        let sum = |bit| {
            let vote =
                |f: &Feature| i64::from(f.weight) * if f.hash >> bit & 1 == 1 { 1 } else { -1 };
            features.iter().map(vote).sum()
        };
        let sums: Vec<i64> = (0..scheme.width.bits()).map(sum).collect();
        let fingerprint = sums.iter().rev().fold(0, |bits, &sum| bits << 1 | u128::from(sum > 0));
        Side { fingerprint, features, sums }
    }
}

/// Compares two texts. O(n log n) for `n` features.
pub(super) fn compare(scheme: &Scheme, a: &str, b: &str) -> BitComparison {
    BitComparison { a: Side::new(scheme, a), b: Side::new(scheme, b), width: scheme.width }
}
