//! Sixteen bytes at once: what [`super::window`] needs of them.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod scalar;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[cfg(not(target_arch = "x86_64"))]
use scalar as lanes;
#[cfg(target_arch = "x86_64")]
mod x86;
#[cfg(target_arch = "x86_64")]
use x86 as lanes;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use simd as lanes;

/// Sixteen bytes, or for each of sixteen whether something is so.
#[derive(Clone, Copy)]
pub(super) struct Bytes(lanes::Lanes);

impl Bytes {
    #[inline]
    pub fn new(bytes: &[u8; 16]) -> Self {
        Bytes(lanes::load(bytes))
    }

    #[inline]
    pub fn is(self, byte: u8) -> Self {
        Bytes(lanes::equal(self.0, lanes::splat(byte)))
    }

    /// Whether they are larger, as signed numbers: from 0x80 on they are negative.
    #[inline]
    pub fn over(self, byte: u8) -> Self {
        Bytes(lanes::greater(self.0, lanes::splat(byte)))
    }

    /// Whether they are one of `first..=last`.
    #[inline]
    pub fn within(self, first: u8, last: u8) -> Self {
        // Turns the circle of 256 numbers until `last` is the largest of the signed ones.
        let turn = 0x7f_u8.wrapping_sub(last);
        Bytes(lanes::add(self.0, lanes::splat(turn))).over(first.wrapping_add(turn).wrapping_sub(1))
    }

    /// With these bits set.
    #[inline]
    pub fn with(self, bits: u8) -> Self {
        Bytes(lanes::or(self.0, lanes::splat(bits)))
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
    pub fn but(self, other: Self) -> Self {
        Bytes(lanes::and_not(self.0, other.0))
    }

    /// The highest bit of each byte, the first byte's the lowest.
    #[inline]
    pub fn bits(self) -> u64 {
        lanes::bits(self.0)
    }
}
