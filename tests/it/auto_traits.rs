//! Threads can share every public type.

use std::panic::{RefUnwindSafe, UnwindSafe};

use nearprint::{ArgumentError, Error, Features, Hash, Key, Normalize, dedupe, simhash};

/// Compiles only for a type that threads can share.
fn is_shared<T: Send + Sync + Unpin + UnwindSafe + RefUnwindSafe>() {}

#[test]
fn threads_can_share_every_type() {
    is_shared::<(ArgumentError, Error, Features, Hash, Key, Normalize)>();
    is_shared::<(dedupe::Deduplicator, dedupe::Sketch, dedupe::Sketcher, dedupe::SketchStream)>();
    is_shared::<(dedupe::SketchScheme, dedupe::Scope, dedupe::FeatureSet, dedupe::Options)>();
    is_shared::<(dedupe::Comparison, dedupe::Feature, dedupe::Side, dedupe::Clusters)>();
    is_shared::<(dedupe::ClustersIter<'_>, dedupe::Documents<'_>, dedupe::PairCursor)>();
    is_shared::<(
        dedupe::Decision,
        dedupe::Hit,
        dedupe::ComparisonRequest,
        dedupe::Linkage,
        dedupe::Member,
        dedupe::Pair,
    )>();
    is_shared::<(simhash::Fingerprinter, simhash::NearIndex, simhash::Stream, simhash::Weighted)>();
    is_shared::<(simhash::Scheme, simhash::Weights, simhash::Width)>();
    is_shared::<(simhash::BitComparison, simhash::Feature, simhash::Side)>();
    is_shared::<(simhash::index::Hit, simhash::index::Pair, simhash::index::PairCursor)>();
    is_shared::<(simhash::index::Documents<'_>, simhash::index::Settings)>();
}
