//! What the index refuses.

use alloc::string::String;
use core::fmt;

/// An argument the index does not take, or bytes that are no snapshot of one.
///
/// Opaque on purpose: its [`Display`](fmt::Display) names the argument, what it got and what it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl Error {
    pub(crate) fn new(message: String) -> Self {
        Self(message)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for Error {}
