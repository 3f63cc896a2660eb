//! In WebAssembly's vectors.

use core::arch::wasm32::{
    i8x16_add, i8x16_bitmask, i8x16_eq, i8x16_gt, i8x16_shl, i8x16_splat, u64x2, v128, v128_and, v128_andnot, v128_or,
};

#[derive(Clone, Copy)]
pub(in super::super) struct Bytes(v128);

impl Bytes {
    #[inline]
    pub fn new(bytes: &[u8; 16]) -> Self {
        let (&low, &high) = (bytes.first_chunk().unwrap_or(&[0; 8]), bytes.last_chunk().unwrap_or(&[0; 8]));
        Bytes(u64x2(u64::from_le_bytes(low), u64::from_le_bytes(high)))
    }

    #[inline]
    pub fn is(self, byte: u8) -> Self {
        Bytes(i8x16_eq(self.0, i8x16_splat(byte as i8)))
    }

    /// Where the bytes are larger, as signed numbers.
    #[inline]
    pub fn over(self, byte: u8) -> Self {
        Bytes(i8x16_gt(self.0, i8x16_splat(byte as i8)))
    }

    #[inline]
    pub fn plus(self, byte: u8) -> Self {
        Bytes(i8x16_add(self.0, i8x16_splat(byte as i8)))
    }

    #[inline]
    pub fn with(self, bits: u8) -> Self {
        Bytes(v128_or(self.0, i8x16_splat(bits as i8)))
    }

    #[inline]
    pub fn only(self, bits: u8) -> Self {
        Bytes(v128_and(self.0, i8x16_splat(bits as i8)))
    }

    #[inline]
    pub fn up(self, bits: u32) -> Self {
        Bytes(i8x16_shl(self.0, bits))
    }

    #[inline]
    pub fn and(self, other: Self) -> Self {
        Bytes(v128_and(self.0, other.0))
    }

    #[inline]
    pub fn or(self, other: Self) -> Self {
        Bytes(v128_or(self.0, other.0))
    }

    #[inline]
    pub fn but(self, other: Self) -> Self {
        Bytes(v128_andnot(self.0, other.0))
    }

    /// The highest bit of each byte, the first byte's the lowest.
    #[inline]
    pub fn bits(self) -> u64 {
        i8x16_bitmask(self.0).into()
    }
}
