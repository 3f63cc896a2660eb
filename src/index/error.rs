//! The error of the index: one type, whose message names the argument, what it got and what it takes.
//!
//! Strings are written by `write_str`, not by `{}`: the padding of strings is 2 kB of WebAssembly.

use alloc::collections::TryReserveError;
use alloc::string::String;
use core::fmt;

/// An argument that the index does not take, bytes that are not a snapshot of one, or a lack of memory.
///
/// Opaque on purpose: its [`Display`](fmt::Display) names the argument, what it got and what it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bits(u32),
    Distance {
        got: u32,
        most: u32,
        bits: u32,
    },
    Fingerprint {
        got: u128,
        bits: u32,
    },
    Lengths {
        ids: usize,
        fingerprints: usize,
    },
    /// Too many documents.
    Full {
        got: usize,
        room: usize,
    },
    /// An index of another kind: bits and scheme.
    Other {
        got: (u32, String),
        takes: (u32, String),
    },
    /// A change between two steps of an iteration over pairs.
    Changed,
    Memory,
    Snapshot(Damage),
}

/// What is wrong with a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Damage {
    /// It does not start as a snapshot does.
    Unknown,
    /// It has fewer bytes than its header says.
    Short {
        bytes: usize,
    },
    Version(u64),
    Checksum {
        found: u64,
        computed: u64,
    },
    /// A field of the header with a value that no index has.
    Field {
        name: &'static str,
        value: u64,
    },
    /// The length of the note in the header, and of what is there.
    Note {
        header: u64,
        found: usize,
    },
    /// A scheme that is not UTF-8.
    Scheme,
    RepeatedId {
        documents: u64,
        ids: usize,
    },
}

impl Error {
    /// Whether the index has changed during an iteration.
    #[cfg_attr(not(feature = "wasm"), allow(dead_code))]
    pub(crate) fn is_change(&self) -> bool {
        matches!(self.0, Kind::Changed)
    }

    /// Whether there are too many documents.
    pub(crate) fn is_full(&self) -> bool {
        matches!(self.0, Kind::Full { .. })
    }
}

impl From<Kind> for Error {
    fn from(kind: Kind) -> Self {
        Self(kind)
    }
}

impl From<Damage> for Error {
    fn from(damage: Damage) -> Self {
        Self(Kind::Snapshot(damage))
    }
}

impl From<TryReserveError> for Error {
    fn from(_: TryReserveError) -> Self {
        Self(Kind::Memory)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Bits(got) => write!(f, "bits: got {got}; takes 32, 64 or 128"),
            Kind::Distance { got, most, bits } => {
                write!(f, "max_distance: got {got}; takes 0 to {most} for {bits} bits")
            }
            Kind::Fingerprint { got, bits } => {
                write!(f, "fingerprint: got {got:#x}; takes {bits} bits")
            }
            Kind::Lengths { ids, fingerprints } => {
                write!(f, "fingerprints: got {fingerprints}; takes as many as ids, {ids}")
            }
            Kind::Full { got, room } => {
                write!(f, "ids: got {got}; takes {room} more, for the index is then full")
            }
            Kind::Other { got: (bits, scheme), takes: (own_bits, own) } => {
                write!(f, "other: got {bits} bits of scheme \"")?;
                f.write_str(scheme)?;
                write!(f, "\"; takes {own_bits} bits of scheme \"")?;
                f.write_str(own)?;
                f.write_str("\"")
            }
            Kind::Changed => f.write_str(
                "pairs: got an index that has changed since the iteration began; takes an unchanged one",
            ),
            Kind::Memory => f.write_str("memory: got less than the index needs; nothing has changed"),
            Kind::Snapshot(damage) => {
                write!(f, "bytes: got {damage}")?;
                f.write_str("; takes a whole, unchanged snapshot of a NearIndex, version 1")
            }
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("no snapshot"),
            Self::Short { bytes } => write!(f, "{bytes} bytes of a longer snapshot"),
            Self::Version(version) => write!(f, "a snapshot of version {version}"),
            Self::Checksum { found, computed } => {
                write!(f, "a damaged snapshot, checksum {found:016x} instead of {computed:016x}")
            }
            Self::Field { name, value } => {
                f.write_str("a header with ")?;
                f.write_str(name)?;
                write!(f, " {value}")
            }
            Self::Note { header, found } => {
                write!(f, "a note of {found} bytes where the header says {header}")
            }
            Self::Scheme => f.write_str("a scheme that is not UTF-8"),
            Self::RepeatedId { documents, ids } => {
                write!(f, "{documents} documents with only {ids} different ids")
            }
        }
    }
}

impl core::error::Error for Error {}
