//! The exact comparison of two texts by their features.

use alloc::{string::String, vec::Vec};

use super::{
    feature_set::{FeatureSet, share},
    scheme::SketchScheme,
    scope::Scope,
};
use crate::{
    features::{
        Choice, FOLDED,
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
    /// How often it occurs in the other text, at most `u32::MAX`.
    pub other_count: u32,
    /// Whether it decides the resemblance: all features do, except grams of one word.
    pub decides: bool,
    /// Its hash by the key of the comparison.
    pub hash: u64,
}

/// Returns an upper bound on the memory that the features of a text take in [`compare`], in bytes. O(text).
pub(super) fn memory_of_features(scheme: &SketchScheme, text: &str) -> usize {
    memory_of_names::<FOLDED>(scheme.choice(), text, size_of::<Feature>())
}

/// Returns the different features of each text, in the order in which they first end. O(n log n) for `n` features.
fn features_of_both(choice: Choice, texts: [&str; 2]) -> [Vec<Feature>; 2] {
    let named = named_features::<FOLDED>(choice, texts);
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
    let [of_a, of_b] = features_of_both(scheme.choice().hashed_by(key), [a, b]);
    let ([all_a, shared], [all_b, _]) = (count_deciding(&of_a), count_deciding(&of_b));
    let exact_resemblance = if all_a + all_b > 0 {
        share(shared, all_a + all_b - shared)
    } else {
        let [a, b] = [a, b].map(|text| FeatureSet::new(scheme, key, Scope::default(), text));
        a.resemblance(&b)
    };
    Comparison {
        a: Side { features: of_a, containment: share(shared, all_a) },
        b: Side { features: of_b, containment: share(shared, all_b) },
        exact_resemblance,
    }
}

/// Returns the number of features that decide, and how many of them the other text has.
#[inline(never)]
fn count_deciding(features: &[Feature]) -> [usize; 2] {
    let deciding = features.iter().filter(|feature| feature.decides);
    deciding.fold([0, 0], |[all, shared], feature| {
        [all + 1, shared + usize::from(feature.other_count > 0)]
    })
}
