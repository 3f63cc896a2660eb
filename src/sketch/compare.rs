//! The exact comparison of two texts by their features.

use alloc::{string::String, vec::Vec};

use super::{feature_set::FeatureSet, scheme::SketchScheme, scope::Scope};
use crate::{
    features::{
        FOLDED,
        names::{NamedFeature, memory_of_names, named_features},
    },
    hash::Key,
};

/// A feature of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Feature {
    /// The folded words of the feature, with a space between two words unless both are of scripts written without spaces; or its
    /// characters. For display: features that differ only in where their words end may look the same.
    pub feature: String,
    /// The number of its words, or of its characters.
    pub span: usize,
    /// How often it occurs, at most `u32::MAX`.
    pub count: u32,
    /// How often it occurs in the text with which this one is compared, at most `u32::MAX`; 0 without a comparison.
    pub other_count: u32,
    /// Whether it decides the resemblance: all features do, except grams of one word.
    pub decides: bool,
    /// Its hash. Equal features have equal hashes, and others too by accident or by design.
    pub hash: u64,
}

/// Returns the different features of `text`, in the order in which they first end. O(n log n) for `n` features.
pub(super) fn features(scheme: &SketchScheme, text: &str) -> Vec<Feature> {
    let [features, _] = features_of_both(scheme, [text, ""]);
    features
}

/// Returns an upper bound on the memory that [`features`] takes, in bytes. O(text).
pub(super) fn memory_of_features(scheme: &SketchScheme, text: &str) -> usize {
    memory_of_names::<FOLDED>(scheme.choice(), text)
}

/// Returns the different features of each text, in the order in which they first end. O(n log n) for `n` features.
fn features_of_both(scheme: &SketchScheme, texts: [&str; 2]) -> [Vec<Feature>; 2] {
    let named = named_features::<FOLDED>(scheme.choice(), texts);
    named.map(|features| features.into_iter().map(Feature::new).collect())
}

impl Feature {
    fn new(named: NamedFeature) -> Self {
        let NamedFeature { name, span, count, other_count, hash, is_single } = named;
        Feature { feature: name, span, count, other_count, decides: !is_single, hash }
    }
}

/// Two texts compared exactly.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
#[non_exhaustive]
pub struct Comparison {
    /// The first text.
    pub a: Side,
    /// The second text.
    pub b: Side,
    /// The exact resemblance, which sketches estimate: see [`FeatureSet::resemblance`].
    pub exact_resemblance: f64,
}

/// One text of a [`Comparison`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Side {
    /// Its different features, in the order in which they first end.
    pub features: Vec<Feature>,
    /// The share of its deciding features that the other text has: see [`FeatureSet::containment`].
    pub containment: f64,
}

/// Compares two texts. O(n log n) for `n` features.
pub(super) fn compare(scheme: &SketchScheme, key: Key, a: &str, b: &str) -> Comparison {
    let [first, second] = [a, b].map(|text| FeatureSet::new(scheme, key, Scope::default(), text));
    let [of_a, of_b] = features_of_both(scheme, [a, b]);
    Comparison {
        a: Side { features: of_a, containment: first.containment(&second) },
        b: Side { features: of_b, containment: second.containment(&first) },
        exact_resemblance: first.resemblance(&second),
    }
}
