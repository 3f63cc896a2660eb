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

/// The relation of a document to the kept documents.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Decision {
    /// The id is not kept, and no kept document is similar enough. The document is kept now.
    New,
    /// The id is kept with an equal document.
    Unchanged,
    /// The id was kept with another document, which this one has replaced.
    Changed {
        /// The estimated resemblance of both versions, from 0 to 1.
        resemblance: f64,
    },
    /// Another kept document is similar enough, and more similar than this id's kept version, if any. The set is unchanged.
    Duplicate(Hit),
}

/// A step of an observation by texts: see [`Deduplicator::observe_step`](super::Deduplicator::observe_step).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Observed {
    /// The decision, which is carried out.
    Decided(Decision),
    /// The exact resemblance to the kept document of this id is needed.
    Compare {
        /// The id.
        id: u64,
        /// The [hashes](Sketch::hashes) of the kept document, with lowest bit 0 of the first. The caller compares them with the
        /// [hashes](crate::dedupe::FeatureSet::sequence_hashes) of its text, which may have changed since.
        hashes: [u64; 2],
    },
}
