//! `1e0ng`: the MD5 of every four consecutive word characters, in lower case.

use alloc::vec::Vec;

use md5::{Digest, Md5};

use super::{python, sums::Sums};

/// The number of characters of a feature.
const WIDTH: usize = 4;

/// Returns the fingerprint of a text.
///
/// The original counts equal features, and sets a bit where more than half of the total count has it. This equals a
/// positive sum of one vote per occurrence. A text of fewer than four word characters is one feature, even if empty.
pub(super) fn fingerprint(text: &[u16]) -> u128 {
    let content: Vec<char> = python::lower_word_chars(text).collect();
    let mut sums = Sums::<i64, 128>::new();
    for start in 0..=content.len().saturating_sub(WIDTH) {
        let mut md5 = Md5::new();
        for character in content[start..].iter().take(WIDTH) {
            md5.update(character.encode_utf8(&mut [0; 4]));
        }
        // The original takes the last bytes of the digest, which are the low bits of the big-endian number.
        sums.add(u128::from_be_bytes(md5.finalize().into()), 1);
    }
    sums.sign(|sum| sum > 0)
}
