//! What the index refuses.

use alloc::collections::TryReserveError;
use alloc::string::String;
use core::fmt;

/// An argument the index does not take, bytes that are no snapshot of one, or more than there is memory for.
///
/// Opaque on purpose: its [`Display`](fmt::Display) names the argument, what it got and what it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Kind);

/// Told apart so that a message is put together only where it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bits(u32),
    Distance {
        got: u32,
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
    Other {
        got: (u32, String),
        takes: (u32, String),
    },
    /// What no check of single arguments can tell beforehand.
    Plain(&'static str),
}

impl Error {
    /// The message, if it has no figures in it: for the JavaScript bindings, whose facade has checked all that has some.
    pub(crate) fn plain(&self) -> &'static str {
        match self.0 {
            Kind::Plain(message) => message,
            _ => "an argument is out of range",
        }
    }
}

impl From<Kind> for Error {
    fn from(kind: Kind) -> Self {
        Self(kind)
    }
}

impl From<TryReserveError> for Error {
    fn from(_: TryReserveError) -> Self {
        Self(Kind::Plain("memory: there is not enough of it for the index to grow"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Bits(got) => write!(f, "bits: got {got}; takes 32, 64 or 128"),
            Kind::Distance { got, bits } => {
                let most = super::blocks::cap(*bits);
                write!(f, "max_distance: got {got}; takes 0 to {most} for {bits} bits")
            }
            Kind::Fingerprint { got, bits } => {
                write!(f, "fingerprint: got {got:#x}; takes {bits} bits")
            }
            Kind::Lengths { ids, fingerprints } => {
                write!(f, "fingerprints: got {fingerprints}; takes as many as ids, {ids}")
            }
            Kind::Other { got: (bits, scheme), takes: (own_bits, own) } => write!(
                f,
                "other: got {bits} bits of scheme {scheme:?}; takes {own_bits} bits of scheme {own:?}"
            ),
            Kind::Plain(message) => f.write_str(message),
        }
    }
}

impl core::error::Error for Error {}
