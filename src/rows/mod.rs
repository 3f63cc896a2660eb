//! Rows: the tables of documents that an index of fingerprints and a deduplicator have in common, and the frame of their snapshots.

pub(crate) mod columns;
pub(crate) mod format;
pub(crate) mod ids;
pub(crate) mod slots;

/// The maximum number of documents of an index or a set.
pub(crate) const MAX_DOCUMENTS: usize = i32::MAX as usize - 2;
