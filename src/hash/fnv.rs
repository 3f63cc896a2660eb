//! FNV-1 and FNV-1a, the Fowler–Noll–Vo hashes (RFC 9923).
//!
//! FNV-1 multiplies and then xors, so the last byte of a text changes only the low 8 bits of its hash. Feature hashes
//! therefore pass a finaliser, see [`fmix64`](crate::hash::fmix64). FNV-1a xors first: the crate `fnv` computes it. FNV-1, and
//! both of them for batches of words, are computed here.

use core::hash::Hasher as _;

use fnv::FnvHasher;

use crate::simd::window;

pub(crate) const OFFSET_64: u64 = 0xcbf2_9ce4_8422_2325;
pub(crate) const PRIME_64: u64 = 0x0000_0100_0000_01b3;
/// The inverse of the prime modulo 2^64.
const INVERSE_64: u64 = 0xce96_5057_aff6_957b;
const _: () = assert!(PRIME_64.wrapping_mul(INVERSE_64) == 1);

/// Extends an FNV-1 hash by one byte.
#[inline]
pub(crate) fn step_64(hash: u64, byte: u8) -> u64 {
    hash.wrapping_mul(PRIME_64) ^ u64::from(byte)
}

/// Computes FNV-1, 64 bits, of `bytes`. O(bytes).
///
/// ```
/// assert_eq!(nearprint::hash::fnv1_64(b"foobar"), 0x340d_8765_a4dd_a9c2);
/// ```
#[inline]
#[must_use]
pub fn fnv1_64(bytes: &[u8]) -> u64 {
    bytes.iter().fold(OFFSET_64, |hash, &byte| step_64(hash, byte))
}

/// FNV-1 or FNV-1a, computed by the steps of FNV-1 (multiply, xor).
///
/// FNV-1a (xor, multiply) is the same sequence of operations from another start: the start value divided by the prime,
/// and one multiplication after the last byte.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps {
    /// The state before the first byte.
    pub start: u64,
    /// The factor after the last byte.
    last: u64,
}

impl Steps {
    pub const FNV_1: Steps = Steps { start: OFFSET_64, last: 1 };
    pub const FNV_1A: Steps = Steps { start: OFFSET_64.wrapping_mul(INVERSE_64), last: PRIME_64 };

    /// Returns the hash, from the state after the last byte.
    #[inline]
    pub fn end(self, state: u64) -> u64 {
        state.wrapping_mul(self.last)
    }

    /// Replaces states by hashes.
    pub fn end_all(self, states: &mut [u64]) {
        if self.last != 1 {
            states.iter_mut().for_each(|state| *state = self.end(*state));
        }
    }

    /// Returns the state after three bytes.
    #[inline]
    pub fn of_three(self, bytes: [u8; 3]) -> u64 {
        bytes.into_iter().fold(self.start, step_64)
    }

    /// Returns the state after `text[start..end]`, which is not empty.
    ///
    /// It takes eight bytes at a time without a branch for each, which is several times as fast for words as a loop over
    /// bytes. It may read bytes after `end`; they do not change the result.
    #[inline]
    pub fn within(self, text: &[u8], start: usize, end: usize) -> u64 {
        let mut at = start;
        // The state, already multiplied for the next byte.
        let mut next = self.start.wrapping_mul(PRIME_64);
        loop {
            // The states after each of eight bytes. Unrolled by hand: the compiler does not unroll loops at opt-level 2.
            let states = window::with_padding(text, at, |&[a, b, c, d, e, f, g, h]| {
                let one = next ^ u64::from(a);
                let two = step_64(one, b);
                let three = step_64(two, c);
                let four = step_64(three, d);
                let five = step_64(four, e);
                let six = step_64(five, f);
                let seven = step_64(six, g);
                [one, two, three, four, five, six, seven, step_64(seven, h)]
            });
            if end <= at + 8 {
                return states[end.wrapping_sub(at + 1) & 7];
            }
            next = states[7].wrapping_mul(PRIME_64);
            at += 8;
        }
    }
}

/// Computes FNV-1a, 64 bits, of `bytes`. O(bytes).
///
/// ```
/// assert_eq!(nearprint::hash::fnv1a_64(b"foobar"), 0x8594_4171_f739_67e8);
/// ```
#[inline]
#[must_use]
pub fn fnv1a_64(bytes: &[u8]) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(bytes);
    hasher.finish()
}
