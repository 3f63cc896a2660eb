//! `simhash-java` and `simhash-java-2018`: overlapping pairs of UTF-16 code units, MurmurHash64A.

use super::sums::Sums;

/// Returns the fingerprint of a text. A bit is 1 where its sum exceeds `threshold`. A text of fewer than two units has no
/// pair, and its fingerprint is 0.
pub(super) fn fingerprint(text: &[u16], threshold: i64) -> u128 {
    let mut sums = Sums::<i64, 64>::new();
    for pair in text.windows(2) {
        sums.add(murmur64a(pair).into(), 1);
    }
    sums.sign(|sum| sum > threshold)
}

/// Computes MurmurHash64A, seed 0, over the UTF-8 of a pair of units.
///
/// A pair has at most six bytes, so it has only a tail and no block of eight bytes. In the tail the original differs from
/// MurmurHash64A: it widens Java's signed bytes without masking them.
fn murmur64a(pair: &[u16]) -> u64 {
    const M: u64 = 0xc6a4_a793_5bd1_e995;
    let mut tail = 0;
    let mut len = 0;
    // A pair of units can contain half of a surrogate pair, which Java encodes as '?'.
    for unit in char::decode_utf16(pair.iter().copied()) {
        for &byte in unit.unwrap_or('?').encode_utf8(&mut [0; 4]).as_bytes() {
            tail ^= i64::from(byte.cast_signed()) << (8 * len);
            len += 1;
        }
    }
    let mut hash = (M.wrapping_mul(len) ^ tail.cast_unsigned()).wrapping_mul(M);
    hash = (hash ^ hash >> 47).wrapping_mul(M);
    hash ^ hash >> 47
}
