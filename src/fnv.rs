//! FNV-1 and FNV-1a, the Fowler–Noll–Vo hashes (RFC 9923).
//!
//! FNV-1 multiplies and then xors, so a text's last byte reaches only the low 8 bits of its hash:
//! features are never summed raw unless asked for, see [`mix`](crate::mix). FNV-1a xors first;
//! its 64-bit form is the [`fnv`] crate's.

use core::hash::Hasher;

const OFFSET_32: u32 = 0x811c_9dc5;
pub(crate) const OFFSET_64: u64 = 0xcbf2_9ce4_8422_2325;
const OFFSET_128: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME_32: u32 = 0x0100_0193;
const PRIME_128: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
const PRIME_64: u64 = 0x0000_0100_0000_01b3;

/// FNV-1, 32 bits, of `bytes`. O(bytes).
///
/// ```
/// assert_eq!(nearprint::fnv::fnv1_32(b"foobar"), 0x31f0_b262);
/// ```
pub fn fnv1_32(bytes: &[u8]) -> u32 {
    bytes.iter().fold(OFFSET_32, |hash, &byte| hash.wrapping_mul(PRIME_32) ^ u32::from(byte))
}

/// FNV-1 of one more byte.
#[inline]
pub(crate) fn step_64(hash: u64, byte: u8) -> u64 {
    hash.wrapping_mul(PRIME_64) ^ u64::from(byte)
}

/// FNV-1a of one more byte.
#[inline]
pub(crate) fn step_64a(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(PRIME_64)
}

/// FNV-1, 64 bits, of `bytes`. O(bytes).
///
/// ```
/// assert_eq!(nearprint::fnv::fnv1_64(b"foobar"), 0x340d_8765_a4dd_a9c2);
/// ```
#[inline]
pub fn fnv1_64(bytes: &[u8]) -> u64 {
    bytes.iter().fold(OFFSET_64, |hash, &byte| step_64(hash, byte))
}

/// [`fnv1_64`] of `text[start..end]`, which is not empty, some times as fast for words: in steps of eight bytes, and
/// without a branch for each. It may read, and then leaves out, what comes behind `end`.
#[inline]
pub(crate) fn fnv1_64_within(text: &[u8], start: usize, end: usize) -> u64 {
    let mut at = start;
    // The hash so far, multiplied already for the next byte.
    let mut next = OFFSET_64.wrapping_mul(PRIME_64);
    loop {
        let last;
        let &[a, b, c, d, e, f, g, h] = match text.get(at..).and_then(|rest| rest.first_chunk()) {
            Some(bytes) => bytes,
            None => {
                last = self::last(text, at).to_le_bytes();
                &last
            }
        };
        // Eight hashes, one after each byte, of which one is meant. Written out, since no optimiser unrolls a loop where
        // it is to spare code.
        let one = next ^ u64::from(a);
        let two = step_64(one, b);
        let three = step_64(two, c);
        let four = step_64(three, d);
        let five = step_64(four, e);
        let six = step_64(five, f);
        let seven = step_64(six, g);
        let eight = step_64(seven, h);
        if end <= at + 8 {
            return [one, two, three, four, five, six, seven, eight][end.wrapping_sub(at + 1) & 7];
        }
        next = eight.wrapping_mul(PRIME_64);
        at += 8;
    }
}

/// The eight bytes from `at` on, the first the lowest; 0 behind the end of the text.
#[inline]
pub(crate) fn eight(text: &[u8], at: usize) -> u64 {
    match text.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(&eight) => u64::from_le_bytes(eight),
        None => last(text, at),
    }
}

/// The last bytes from `at` on, fewer than eight: each text has but one such place.
#[cold]
#[inline(never)]
fn last(text: &[u8], at: usize) -> u64 {
    let rest = text.get(at..).unwrap_or_default();
    rest.iter().rfold(0, |eight, &byte| eight << 8 | u64::from(byte))
}

/// FNV-1, 128 bits, of `bytes`. O(bytes).
///
/// ```
/// assert_eq!(nearprint::fnv::fnv1_128(b""), 0x6c62272e07bb014262b821756295c58d);
/// ```
pub fn fnv1_128(bytes: &[u8]) -> u128 {
    bytes.iter().fold(OFFSET_128, |hash, &byte| hash.wrapping_mul(PRIME_128) ^ u128::from(byte))
}

/// FNV-1a, 32 bits, of `bytes`. O(bytes).
///
/// ```
/// assert_eq!(nearprint::fnv::fnv1a_32(b"foobar"), 0xbf9c_f968);
/// ```
pub fn fnv1a_32(bytes: &[u8]) -> u32 {
    bytes.iter().fold(OFFSET_32, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(PRIME_32))
}

/// FNV-1a, 64 bits, of `bytes`. O(bytes).
///
/// ```
/// assert_eq!(nearprint::fnv::fnv1a_64(b"foobar"), 0x8594_4171_f739_67e8);
/// ```
#[inline]
pub fn fnv1a_64(bytes: &[u8]) -> u64 {
    let mut hasher = fnv::FnvHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

/// FNV-1a, 128 bits, of `bytes`. O(bytes).
///
/// ```
/// assert_eq!(nearprint::fnv::fnv1a_128(b"a"), 0xd228cb696f1a8caf78912b704e4a8964);
/// ```
pub fn fnv1a_128(bytes: &[u8]) -> u128 {
    bytes.iter().fold(OFFSET_128, |hash, &byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME_128))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn of_a_part_of_a_text(text in prop::collection::vec(any::<u8>(), 1..60), ends in any::<[prop::sample::Index; 2]>()) {
            let mut ends = ends.map(|end| end.index(text.len()));
            ends.sort();
            let [start, end] = [ends[0], ends[1] + 1];
            prop_assert_eq!(fnv1_64_within(&text, start, end), fnv1_64(&text[start..end]));
        }
    }
}
