//! `keywords-py` and `charikar-py`: the string hash of Python 2, with more bits.

use super::{Scheme, python, sums::Sums};
use crate::Error;

/// Returns the fingerprint of `keywords-py`: weighted keywords. The original fails on an empty keyword, so one is an error.
pub(super) fn keywords<'a>(
    pairs: impl IntoIterator<Item = (&'a [u16], f64)>,
) -> Result<u128, Error> {
    let mut sums = Sums::<f64, 64>::new();
    for (keyword, weight) in pairs {
        if !weight.is_finite() {
            return Err(Scheme::KeywordsPy.refuse("weight", "a finite number", "another"));
        }
        if keyword.is_empty() {
            return Err(Scheme::KeywordsPy.refuse(
                "keyword",
                "a string of at least one character",
                "an empty one",
            ));
        }
        sums.add(string_hash(keyword), weight);
    }
    Ok(sums.sign(|sum| sum > 0.0))
}

/// Returns the fingerprint of `charikar-py`: words split on white space, one vote per occurrence. A sum of zero gives a one.
pub(super) fn charikar(text: &[u16]) -> u128 {
    let mut sums = Sums::<i64, 128>::new();
    for word in python::split(text) {
        sums.add(string_hash(word), 1);
    }
    sums.sign(|sum| sum >= 0)
}

/// Computes Python 2's `hash` of a string, modulo 2^128. The narrower hashes of the originals are its low bits.
///
/// It takes code points. A lone surrogate is a code point, as in a Python `str`.
fn string_hash(word: &[u16]) -> u128 {
    let mut hash = 0;
    let mut len = 0;
    for unit in char::decode_utf16(word.iter().copied()) {
        let code = unit.map_or_else(|lone| lone.unpaired_surrogate().into(), u128::from);
        if len == 0 {
            hash = code << 7;
        }
        hash = hash.wrapping_mul(1_000_003) ^ code;
        len += 1;
    }
    hash ^ len
}
