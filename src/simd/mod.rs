//! Vectors of sixteen bytes, and windows of text that they classify.
//!
//! In: bytes of text, or bits to add up. Out: vectors ([`Bytes`]), or for 64 bytes of text at once a `u64` with one bit a
//! byte ([`window`]). Word finding, normalisation and character shingles classify text with them; sums add with them.
//!
//! One file implements the operations for each kind of vector: WebAssembly SIMD, SSE2, NEON, and two `u64` elsewhere.

pub(crate) mod window;

/// Defines functions of two vectors by the intrinsics of a target.
///
/// SAFETY: only files that are compiled for a target with these intrinsics use it.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! operations {
    ($($name:ident: $intrinsic:ident),+) => {$(
        #[inline]
        pub(super) fn $name(a: Lanes, b: Lanes) -> Lanes {
            unsafe { $intrinsic(a, b) }
        }
    )+};
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[path = "wasm.rs"]
mod lanes;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[path = "x86.rs"]
mod lanes;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
#[path = "neon.rs"]
mod lanes;
#[cfg(not(any(
    all(target_arch = "wasm32", target_feature = "simd128"),
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
)))]
#[path = "scalar.rs"]
mod lanes;
#[cfg(test)]
mod scalar;

/// A vector of sixteen bytes. A comparison returns one too: a lane with its most significant bit set means true.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes(lanes::Lanes);

impl Default for Bytes {
    #[inline]
    fn default() -> Self {
        Bytes::from_u64s([0, 0])
    }
}

impl Bytes {
    #[inline]
    pub fn new(bytes: &[u8; 16]) -> Self {
        let number = u128::from_le_bytes(*bytes);
        Bytes::from_u64s([number as u64, (number >> 64) as u64])
    }

    /// Returns lanes 0 to 7 from the first number, and 8 to 15 from the second, the least significant byte first.
    #[inline]
    pub fn from_u64s(halves: [u64; 2]) -> Self {
        Bytes(lanes::from_u64s(halves))
    }

    /// Inverts [`from_u64s`](Self::from_u64s).
    #[inline]
    pub fn to_u64s(self) -> [u64; 2] {
        lanes::to_u64s(self.0)
    }

    /// Sets these bits in every lane.
    #[inline]
    pub fn set_bits(self, bits: u8) -> Self {
        Bytes(lanes::or(self.0, lanes::splat(bits)))
    }

    /// Returns the lanes equal to `byte`.
    #[inline]
    pub fn is(self, byte: u8) -> Self {
        Bytes(lanes::equal(self.0, lanes::splat(byte)))
    }

    /// Returns the lanes greater than `byte`, as signed numbers: 0x80 is the smallest, 0x7f the largest.
    #[inline]
    pub fn greater(self, byte: u8) -> Self {
        Bytes(lanes::greater(self.0, lanes::splat(byte)))
    }

    /// Returns the lanes in `first..=last`, as unsigned numbers. The range must not be all of 0 to 255.
    #[inline]
    pub fn in_range(self, first: u8, last: u8) -> Self {
        // Adding the same number to all of them makes `last` the largest signed number: one comparison is enough.
        let offset = 0x7f_u8.wrapping_sub(last);
        let moved = Bytes(lanes::add(self.0, lanes::splat(offset)));
        moved.greater(first.wrapping_add(offset).wrapping_sub(1))
    }

    #[inline]
    pub fn and(self, other: Self) -> Self {
        Bytes(lanes::and(self.0, other.0))
    }

    #[inline]
    pub fn or(self, other: Self) -> Self {
        Bytes(lanes::or(self.0, other.0))
    }

    #[inline]
    pub fn xor(self, other: Self) -> Self {
        Bytes(lanes::xor(self.0, other.0))
    }

    /// Returns the bits of this vector that the other one does not have. Compilers know this combination.
    #[inline]
    pub fn and_not(self, other: Self) -> Self {
        self.and(other.xor(Bytes(lanes::splat(0xff))))
    }

    /// Returns the most significant bit of each lane, lane 0 in bit 0.
    #[inline]
    pub fn movemask(self) -> u64 {
        lanes::movemask(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{lanes, scalar};
    use proptest::prelude::*;

    /// One bit for each lane in which `condition` holds.
    fn expected_mask(a: [u8; 16], b: [u8; 16], condition: impl Fn(u8, u8) -> bool) -> u64 {
        (0..16).map(|at| u64::from(condition(a[at], b[at])) << at).sum()
    }

    macro_rules! check {
        ($lanes:ident, $a:ident, $b:ident) => {{
            use $lanes::{add, and, equal, from_u64s, greater, movemask, or, splat, to_u64s, xor};
            let load = |bytes: [u8; 16]| {
                let number = u128::from_le_bytes(bytes);
                from_u64s([number as u64, (number >> 64) as u64])
            };
            let (a, b) = (load($a), load($b));
            let [low, high] = to_u64s(a);
            prop_assert_eq!((u128::from(high) << 64 | u128::from(low)).to_le_bytes(), $a);
            let mask = |condition: fn(u8, u8) -> bool| expected_mask($a, $b, condition);
            prop_assert_eq!(movemask(a), mask(|a, _| a >= 0x80));
            prop_assert_eq!(movemask(equal(a, b)), mask(|a, b| a == b));
            prop_assert_eq!(movemask(greater(a, b)), mask(|a, b| a as i8 > b as i8));
            let last = $b[15];
            prop_assert_eq!(
                movemask(equal(a, splat(last))),
                expected_mask($a, [last; 16], |a, b| a == b)
            );
            let each = |operation: fn(u8, u8) -> u8| {
                load(core::array::from_fn(|at| operation($a[at], $b[at])))
            };
            for (actual, expected) in [
                (add(a, b), each(u8::wrapping_add)),
                (and(a, b), each(|a, b| a & b)),
                (or(a, b), each(|a, b| a | b)),
                (xor(a, b), each(|a, b| a ^ b)),
            ] {
                prop_assert_eq!(movemask(equal(actual, expected)), 0xffff);
                prop_assert_eq!(to_u64s(actual), to_u64s(expected));
            }
        }};
    }

    /// Bytes that are often equal, adjacent, or next to a change of sign.
    fn bytes() -> impl Strategy<Value = [u8; 16]> {
        prop::array::uniform16(prop_oneof![any::<u8>(), 0_u8..3, 0x7e_u8..0x82, 0xfe_u8..])
    }

    proptest! {
        #[test]
        fn lane_operations_match_plain_loops(a in bytes(), b in bytes()) {
            check!(lanes, a, b);
            check!(scalar, a, b);
        }
    }
}
