//! `1e0ng`: four lower-cased word characters at a time, MD5.

use alloc::vec::Vec;

use md5::{Digest, Md5};

use super::{python, sums::Sums};

/// Characters of a feature.
const WIDTH: usize = 4;

/// The original counts equal features first and a bit is a one where more than half the count has it: the same as a
/// positive sum when each is added where it stands. A text of fewer than four word characters is its only feature,
/// even the empty one.
pub(super) fn fingerprint(text: &[u16]) -> u128 {
    let content: Vec<char> = python::lower_word_chars(text).collect();
    let mut sums = Sums::<i64, 128>::new();
    for start in 0..=content.len().saturating_sub(WIDTH) {
        let mut md5 = Md5::new();
        for character in content[start..].iter().take(WIDTH) {
            md5.update(character.encode_utf8(&mut [0; 4]));
        }
        // The original takes the last bytes of the digest: the low bits of it read big-endian.
        sums.add(u128::from_be_bytes(md5.finalize().into()), 1);
    }
    sums.sign(|sum| sum > 0)
}
