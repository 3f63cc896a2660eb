//! `keywords-py` and `charikar-py`: the string hash of Python 2, with more bits.

use super::{Scheme, python, sums::Sums};
use crate::Error;

/// Returns the hash of a keyword of `keywords-py`. The original fails on an empty keyword, so one is an error.
pub(super) fn keyword_hash(keyword: &[u16]) -> Result<u128, Error> {
    if keyword.is_empty() {
        let requirement = "a string of at least one character";
        return Err(Scheme::KeywordsPy.refuse("keyword", requirement, "an empty one"));
    }
    Ok(string_hash(keyword))
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
