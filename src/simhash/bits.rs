//! The bits of fingerprints: the features of a text with their votes, and the sums of the votes of two texts.

use alloc::{string::String, vec::Vec};

use super::{
    hamming,
    scheme::{Scheme, Width},
};
use crate::{
    features::{
        AS_WRITTEN, Choice, Sink, Tokens, extract,
        names::{memory_of_names, named_features},
    },
    hash::Key,
    sort::sort,
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
    memory_of_names::<AS_WRITTEN>(scheme.choice(), text)
}

/// Two texts compared by their fingerprints, bit by bit, and what the distance of fingerprints estimates.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
#[non_exhaustive]
pub struct BitComparison {
    /// The first text.
    pub a: Side,
    /// The second text.
    pub b: Side,
    /// The width of the fingerprints.
    pub width: Width,
    /// The cosine of the weighted features, exact: 0 if one text has none, 1 if neither has.
    pub exact_cosine: f64,
    /// The Jaccard similarity of all features, grams of one word included: shared features divided by all, and 1 without
    /// any.
    pub jaccard: f64,
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

    /// Returns the cosine of the weighted features as the fingerprints estimate it.
    pub fn cosine(&self) -> f64 {
        hamming::cosine(self.a.fingerprint, self.b.fingerprint, self.width)
    }
}

/// One text of a [`BitComparison`].
#[derive(Clone, Debug, PartialEq)]
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

/// Collects the hashes of all features.
struct Hashes(Vec<u64>);

impl Sink for Hashes {
    fn take(&mut self, _: Tokens<'_>, hashes: &[u64], _singles: usize) {
        self.0.extend_from_slice(hashes);
    }

    fn take_last(&mut self, hash: u64, _span: usize) {
        self.0.push(hash);
    }
}

/// Returns the hash and the weight of each different feature, in the order of the hashes.
fn weights(scheme: &Scheme, choice: Choice, text: &str) -> Vec<(u64, f64)> {
    let mut hashes = Hashes(Vec::new());
    extract::<AS_WRITTEN>(choice, text, &mut hashes);
    sort(&mut hashes.0);
    let runs = hashes.0.chunk_by(|a, b| a == b);
    runs.map(|run| (run[0], scheme.weights.of(run.len() as u64) as f64)).collect()
}

/// Compares two texts. O(n log n) for `n` features.
pub(super) fn compare(scheme: &Scheme, key: Key, a: &str, b: &str) -> BitComparison {
    let all = [a, b].map(|text| weights(scheme, scheme.choice().hashed_by(key), text));
    let (a, b) = (Side::new(scheme, a), Side::new(scheme, b));
    let (mut shared, mut product) = (0, 0.0);
    let mut others = all[1].iter().peekable();
    for &(hash, weight) in &all[0] {
        while others.next_if(|other| other.0 < hash).is_some() {}
        if let Some(other) = others.next_if(|other| other.0 == hash) {
            shared += 1;
            product += weight * other.1;
        }
    }
    let norm = |weights: &[(u64, f64)]| weights.iter().map(|(_, w)| w * w).sum::<f64>();
    let exact_cosine = match all.each_ref().map(|weights| weights.is_empty()) {
        [true, true] => 1.0,
        [false, false] => product / libm::sqrt(norm(&all[0]) * norm(&all[1])),
        _ => 0.0,
    };
    let union = all[0].len() + all[1].len() - shared;
    let jaccard = if union == 0 { 1.0 } else { shared as f64 / union as f64 };
    BitComparison { a, b, width: scheme.width, exact_cosine, jaccard }
}
