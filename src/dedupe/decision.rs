//! Decisions on documents.

/// A kept document that a sketch resembles.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "plain data, which tests of a caller can make")]
pub struct Hit {
    /// The id of the kept document.
    pub id: u64,
    /// The estimated resemblance, from 0 to 1.
    pub resemblance: f64,
    /// Whether the document is kept only provisionally: see [`Options::lease`](super::Options::lease).
    pub is_provisional: bool,
}

/// The relation of a document to the kept documents. `O` is the original of a duplicate: a [`Hit`] in a
/// [`Deduplicator`](super::Deduplicator), and a [`Candidate`](super::versions::Candidate) in a store.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Decision<O = Hit> {
    /// The id is not kept, and no kept document is similar enough. The document is kept now.
    New,
    /// The id is kept with an equal document.
    Unchanged,
    /// The id was kept with another document, which this one has replaced.
    Changed {
        /// The resemblance of both versions, from 0 to 1: an estimate, or exact if texts were compared.
        resemblance: f64,
    },
    /// Another kept document is similar enough, and more similar than this id's kept version, if any. The set is unchanged.
    Duplicate(O),
}

/// A request for the exact resemblance to a kept document: see
/// [`Deduplicator::observe_step`](super::Deduplicator::observe_step).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ComparisonRequest {
    /// The id of the kept document.
    pub id: u64,
    /// The [hashes](super::Sketch::hashes) of the kept document, with lowest bit 0 of the first. The caller compares them with
    /// the [hashes](super::FeatureSet::sequence_hashes) of its text, which may have changed since.
    pub hashes: [u64; 2],
}
