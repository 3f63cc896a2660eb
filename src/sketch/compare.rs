//! The exact comparison of two texts by their features.

use alloc::{string::String, vec::Vec};

use super::{feature_set::FeatureSet, scheme::SketchScheme, scope::Scope};
use crate::{features::names::named_features, hash::Key};

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
    /// Whether it decides the resemblance: all features do, except grams of one word.
    pub decides: bool,
    /// Its hash. Equal features have equal hashes, and others too by accident or by design.
    pub hash: u64,
}

/// Returns the different features of `text`, in the order in which they first end. O(text · log features).
pub(super) fn features(scheme: &SketchScheme, text: &str) -> Vec<Feature> {
    let named = named_features::<true>(scheme.choice(), text).into_iter();
    let features = named.map(|feature| Feature {
        feature: feature.name,
        span: feature.span,
        count: feature.count,
        decides: !feature.is_single,
        hash: feature.hash,
    });
    features.collect()
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
    Comparison {
        a: Side { features: features(scheme, a), containment: first.containment(&second) },
        b: Side { features: features(scheme, b), containment: second.containment(&first) },
        exact_resemblance: first.resemblance(&second),
    }
}
