//! The error of the crate.

use alloc::{borrow::Cow, boxed::Box, collections::TryReserveError, string::String};
use core::fmt;

/// Why a call failed. A call that fails has changed nothing, unless its documentation says otherwise.
///
/// ```
/// use nearprint::{Error, simhash::Width};
///
/// let Err(Error::Argument(error)) = Width::try_from(48) else { panic!() };
/// assert_eq!(error.argument(), "bits");
/// assert_eq!(error.to_string(), "bits must be 32, 64 or 128, got 48");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// An argument is not accepted.
    Argument(Box<ArgumentError>),
    /// There is not enough memory.
    Memory,
    /// The index has changed since the iteration began.
    Changed,
}

/// An argument, the requirement that it does not meet, and what was passed.
///
/// Its [`Display`](fmt::Display) is `ARGUMENT must be REQUIREMENT, got VALUE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentError {
    argument: &'static str,
    requirement: Cow<'static, str>,
    got: Cow<'static, str>,
}

impl Error {
    /// Returns the error for an argument. `requirement` completes "must be", and `got` describes what was passed.
    #[cold]
    pub(crate) fn argument(
        argument: &'static str,
        requirement: impl Into<Cow<'static, str>>,
        got: impl Into<Cow<'static, str>>,
    ) -> Self {
        let (requirement, got) = (requirement.into(), got.into());
        Error::Argument(Box::new(ArgumentError { argument, requirement, got }))
    }

    /// Returns the error for a number.
    #[cold]
    pub(crate) fn number(
        argument: &'static str,
        requirement: impl Into<Cow<'static, str>>,
        got: impl Into<u64>,
    ) -> Self {
        Error::argument(argument, requirement, decimal(got))
    }

    /// Returns the error for a number that may have a fraction.
    #[cold]
    pub(crate) fn float(argument: &'static str, requirement: &'static str, got: f64) -> Self {
        // JavaScript checks these numbers. The code that formats floats would add 6 kB to its module.
        #[cfg(target_family = "wasm")]
        let got = if got.is_nan() { "NaN" } else { "another number" };
        #[cfg(not(target_family = "wasm"))]
        let got = alloc::string::ToString::to_string(&got);
        Error::argument(argument, requirement, got)
    }
}

/// Returns a number in decimal digits. The formatting of the standard library would be 2 kB of each WebAssembly module.
pub(crate) fn decimal(number: impl Into<u64>) -> String {
    let mut rest = number.into();
    let mut digits = String::new();
    while rest > 0 || digits.is_empty() {
        digits.insert(0, char::from(b'0' + (rest % 10) as u8));
        rest /= 10;
    }
    digits
}

/// Returns a number in at least `width` hexadecimal digits.
pub(crate) fn hex(number: u128, width: u32) -> String {
    let count = (u128::BITS - number.leading_zeros()).div_ceil(4).max(width);
    let digit = |at| b"0123456789abcdef"[(number >> (4 * at)) as usize & 15];
    (0..count).rev().map(|at| char::from(digit(at))).collect()
}

impl ArgumentError {
    /// Returns the name of the argument.
    pub fn argument(&self) -> &'static str {
        self.argument
    }

    /// Returns the noun phrase that completes "must be".
    pub fn requirement(&self) -> &str {
        &self.requirement
    }

    /// Returns a description of what was passed.
    pub fn got(&self) -> &str {
        &self.got
    }
}

impl From<TryReserveError> for Error {
    fn from(_: TryReserveError) -> Self {
        Error::Memory
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Argument(error) => error.fmt(f),
            Error::Memory => f.write_str("there is not enough memory"),
            Error::Changed => f.write_str("the index has changed since the iteration began"),
        }
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not `write!`: the padding of strings is 2 kB of WebAssembly.
        let parts = [self.argument, " must be ", &self.requirement, ", got ", &self.got];
        parts.into_iter().try_for_each(|part| f.write_str(part))
    }
}

impl core::error::Error for Error {}
impl core::error::Error for ArgumentError {}
