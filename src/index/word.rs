//! The integers that hold fingerprints inside the index.

use core::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// An unsigned integer that holds a fingerprint: `u64` serves 32 and 64 bits, `u128` serves 128.
pub(crate) trait Word:
    Copy
    + Ord
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// Size in memory.
    const BYTES: usize;

    /// The low bits of `value`.
    fn from_u128(value: u128) -> Self;
    fn to_u128(self) -> u128;
    fn count_ones(self) -> u32;
    /// The low 32 bits.
    fn low(self) -> u32;
    /// The little-endian integer at `bytes[at..at + BYTES]`.
    fn load(bytes: &[u8], at: usize) -> Self;
    /// Writes the low `size` bytes to `bytes[at..]`.
    fn store(self, bytes: &mut [u8], at: usize, size: usize);
    /// Well mixed in its high bits.
    fn hash(self) -> u64;
}

/// The golden ratio's fraction: Fibonacci hashing spreads neighbours over the high bits.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

macro_rules! word {
    ($type:ty, $fold:expr) => {
        impl Word for $type {
            const BYTES: usize = size_of::<$type>();

            fn from_u128(value: u128) -> Self {
                value as $type
            }

            #[allow(trivial_numeric_casts)]
            fn to_u128(self) -> u128 {
                self as u128
            }

            fn count_ones(self) -> u32 {
                <$type>::count_ones(self)
            }

            fn low(self) -> u32 {
                self as u32
            }

            fn load(bytes: &[u8], at: usize) -> Self {
                let mut word = [0; size_of::<$type>()];
                word.copy_from_slice(&bytes[at..at + size_of::<$type>()]);
                <$type>::from_le_bytes(word)
            }

            fn store(self, bytes: &mut [u8], at: usize, size: usize) {
                bytes[at..at + size].copy_from_slice(&self.to_le_bytes()[..size]);
            }

            fn hash(self) -> u64 {
                let folded: u64 = $fold(self);
                // Two rounds: real fingerprints share whole blocks of bits, and one multiplication carries
                // nothing from high bits to low ones.
                let mixed = (folded ^ folded >> 32).wrapping_mul(GOLDEN);
                (mixed ^ mixed >> 29).wrapping_mul(GOLDEN)
            }
        }
    };
}

word!(u64, |word: u64| word);
word!(u128, |word: u128| word as u64 ^ ((word >> 64) as u64).rotate_left(32).wrapping_mul(GOLDEN));

/// All ones in the low `bits` bits.
pub(crate) fn low_mask<W: Word>(bits: u32) -> W {
    W::from_u128(if bits >= 128 { u128::MAX } else { (1 << bits) - 1 })
}

/// Rotates the low `bits` bits of `word` left by `by < bits`.
pub(crate) fn rotate_left<W: Word>(word: W, by: u32, bits: u32) -> W {
    if by == 0 { word } else { (word << by | word >> (bits - by)) & low_mask(bits) }
}

/// Undoes [`rotate_left`].
pub(crate) fn rotate_right<W: Word>(word: W, by: u32, bits: u32) -> W {
    if by == 0 { word } else { rotate_left(word, bits - by, bits) }
}
