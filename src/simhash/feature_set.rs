//! The set of features whose overlap is the resemblance of two texts.

use alloc::vec::Vec;

use super::{
    features::{self, Sink, Tokens},
    scheme::{Features, Scheme},
    scope::Scope,
    sequence::Sequence,
};
use crate::hash::mix::fmix64;

/// The different features that decide the resemblance of a text to others: all features except grams of one word.
///
/// ```
/// let fingerprinter = nearprint::Fingerprinter::default();
/// let [a, b] = ["a red house", "a red house and a garden"].map(|text| fingerprinter.feature_set(text));
/// assert_eq!(a.resemblance(&b), 2.0 / 5.0);
/// assert_eq!((a.containment(&b), b.containment(&a)), (1.0, 2.0 / 5.0));
/// ```
#[derive(Clone, Debug)]
pub struct FeatureSet {
    /// In ascending order, without repetitions.
    hashes: Vec<u64>,
    sequence: Sequence,
    scope: Scope,
    scheme: Scheme,
}

impl FeatureSet {
    pub(crate) fn new(scheme: &Scheme, scope: Scope, text: &str) -> Self {
        let mut set = FeatureSet {
            // Most texts have fewer features.
            hashes: Vec::with_capacity(text.len() / 4),
            sequence: Sequence::default(),
            scope,
            scheme: *scheme,
        };
        features::extract(scheme, text, &mut set);
        set.hashes.sort_unstable();
        set.hashes.dedup();
        set
    }

    /// Returns the hashes of the features, mixed and XORed with the scope, in ascending order.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// Returns the hash of the words and symbols in order, or of the characters: the hash in a sketch of the text, with lowest
    /// bit 0. Two texts with equal hashes have the same scope and the same words and symbols, except by accident.
    pub fn words_hash(&self) -> u64 {
        self.sequence.hash(self.scope)
    }

    /// Returns the number of features that both sets have. O(features).
    fn shared(&self, other: &Self) -> usize {
        let (mut shared, mut others) = (0, other.hashes.iter().peekable());
        for hash in &self.hashes {
            while others.next_if(|other| *other < hash).is_some() {}
            shared += usize::from(others.peek() == Some(&hash));
        }
        shared
    }

    /// Returns the exact resemblance of both texts: shared features divided by all features, and 1 without any (A. Broder, *On
    /// the resemblance and containment of documents*, 1997). O(features).
    pub fn resemblance(&self, other: &Self) -> f64 {
        let shared = self.shared(other);
        share(shared, self.hashes.len() + other.hashes.len() - shared)
    }

    /// Returns the share of these features that the other text has, and 1 without any. O(features).
    pub fn containment(&self, other: &Self) -> f64 {
        share(self.shared(other), self.hashes.len())
    }
}

/// Returns `part / all`, and 1 if both are 0.
pub(super) fn share(part: usize, all: usize) -> f64 {
    if all == 0 { 1.0 } else { part as f64 / all as f64 }
}

impl Sink for FeatureSet {
    fn take(&mut self, tokens: Tokens<'_>, hashes: &[u64], singles: usize) {
        self.sequence.add_tokens(self.scheme.hash, tokens);
        let Self { scope, .. } = *self;
        self.hashes.extend(hashes[singles..].iter().map(|&hash| fmix64(hash) ^ scope.0));
    }

    fn end_part(&mut self, text: &str) {
        self.sequence.end_part(self.scheme.hash, text);
    }

    fn take_last(&mut self, hash: u64, span: usize) {
        if span > 1 || self.scheme.features != Features::Grams {
            self.hashes.push(fmix64(hash) ^ self.scope.0);
        }
    }
}
