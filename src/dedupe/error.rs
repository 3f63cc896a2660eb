//! What sketches and deduplicators refuse.

use alloc::{collections::TryReserveError, string::String};
use core::fmt;

use crate::{index, simhash::SchemeError};

/// An argument that is not accepted, bytes that are no snapshot or sketch, or a lack of memory.
///
/// Opaque: its [`Display`](fmt::Display) names the argument, what it takes and what it got.
#[derive(Clone, Debug, PartialEq)]
pub struct Error(Kind);

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Scheme { argument: &'static str, takes: String, got: String },
    NoScheme(SchemeError),
    MinResemblance(f64),
    Probes(usize),
    IdTaken(u64),
    Full,
    Memory,
    Sketch { len: usize },
    Snapshot(&'static str),
}

impl From<Kind> for Error {
    fn from(kind: Kind) -> Self {
        Error(kind)
    }
}

impl From<TryReserveError> for Error {
    fn from(_: TryReserveError) -> Self {
        Error(Kind::Memory)
    }
}

impl From<index::Error> for Error {
    /// The error of an addition to an index of a deduplicator, which has checked everything else.
    fn from(error: index::Error) -> Self {
        Error(if error.is_full() { Kind::Full } else { Kind::Memory })
    }
}

impl Error {
    /// Whether an id is of another document already.
    #[cfg_attr(not(feature = "wasm"), allow(dead_code))]
    pub(crate) fn is_taken_id(&self) -> bool {
        matches!(self.0, Kind::IdTaken(_))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Scheme { argument, takes, got } => {
                let parts =
                    [argument, ": takes one of the scheme ", takes, ", but got one of ", got];
                parts.into_iter().try_for_each(|part| f.write_str(part))
            }
            Kind::NoScheme(error) => error.fmt(f),
            // The JavaScript facade checks this number. The code that formats floats would add 6 kB to its module.
            #[cfg(feature = "wasm")]
            Kind::MinResemblance(_) => {
                f.write_str("min_resemblance: takes a number above 0 and up to 1")
            }
            #[cfg(not(feature = "wasm"))]
            Kind::MinResemblance(got) => {
                write!(f, "min_resemblance: takes a number above 0 and up to 1, but got {got}")
            }
            Kind::Probes(got) => {
                write!(f, "probes: takes 1 to {}, but got {got}", super::MOST_PROBES)
            }
            Kind::IdTaken(id) => {
                write!(f, "id: takes an id that no other kept document has, but got {id}")
            }
            Kind::Full => {
                f.write_str("id: the deduplicator is full; it takes 2147483645 documents")
            }
            Kind::Memory => f.write_str("memory: there is not enough for the deduplicator"),
            Kind::Sketch { len } => {
                write!(f, "bytes: takes the bytes of a sketch, but got {len} bytes that are not")
            }
            Kind::Snapshot(why) => {
                let takes =
                    "bytes: takes a whole, unchanged snapshot of a Deduplicator, version 1, but ";
                f.write_str(takes)?;
                f.write_str(why)
            }
        }
    }
}

impl core::error::Error for Error {}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;

    /// A deduplicator of 2^31 documents takes too long for a test.
    #[test]
    fn a_full_index_is_a_full_deduplicator() {
        let full = index::Error::from(index::error::Kind::Full { got: 1, room: 0 });
        assert!(Error::from(full).to_string().starts_with("id: the deduplicator is full"));
        let memory = index::Error::from(index::error::Kind::Memory);
        assert!(Error::from(memory).to_string().starts_with("memory: "));
    }
}
