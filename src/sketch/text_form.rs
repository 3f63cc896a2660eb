//! The text of a sketch: its binary form in hexadecimal, as in the npm package and on the command line.

use alloc::vec::Vec;
use core::{fmt, str::FromStr};

use super::Sketch;
use crate::Error;

impl fmt::Display for Sketch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Sketch {
    type Err = Error;

    /// Reads two hexadecimal digits for each byte, upper or lower case.
    fn from_str(hex: &str) -> Result<Self, Error> {
        let digit = |digit: u8| char::from(digit).to_digit(16);
        let byte = |&[high, low]: &[u8; 2]| Some((digit(high)? << 4 | digit(low)?) as u8);
        let (pairs, rest) = hex.as_bytes().as_chunks();
        let bytes: Option<Vec<u8>> = pairs.iter().map(byte).collect();
        let bytes = bytes.filter(|_| rest.is_empty()).ok_or_else(|| {
            Error::argument("hex", "two hexadecimal digits for each byte", "other text")
        })?;
        Self::from_bytes(&bytes)
    }
}

#[cfg(feature = "serde")]
crate::serialize::serialize_as_text!(Sketch);
