//! In WebAssembly's vectors.

pub(super) use core::arch::wasm32::{
    i8x16_add as add, i8x16_eq as equal, i8x16_gt as greater, v128 as Lanes, v128_and as and,
    v128_andnot as and_not, v128_or as or,
};
use core::arch::wasm32::{i8x16_bitmask, u8x16_splat, u64x2};

#[inline]
pub(super) fn load(bytes: &[u8; 16]) -> Lanes {
    let number = u128::from_le_bytes(*bytes);
    u64x2(number as u64, (number >> 64) as u64)
}

#[inline]
pub(super) fn splat(byte: u8) -> Lanes {
    u8x16_splat(byte)
}

#[inline]
pub(super) fn bits(a: Lanes) -> u64 {
    i8x16_bitmask(a).into()
}
