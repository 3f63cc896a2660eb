//! Lanes in a WebAssembly SIMD register.

pub(super) use core::arch::wasm32::{
    i8x16_add as add, i8x16_eq as equal, i8x16_gt as greater, v128 as Lanes, v128_and as and,
    v128_or as or, v128_xor as xor,
};
use core::arch::wasm32::{i8x16_bitmask, u8x16_splat, u64x2, u64x2_extract_lane};

#[inline]
pub(super) fn from_u64s([low, high]: [u64; 2]) -> Lanes {
    u64x2(low, high)
}

#[inline]
pub(super) fn to_u64s(a: Lanes) -> [u64; 2] {
    [u64x2_extract_lane::<0>(a), u64x2_extract_lane::<1>(a)]
}

#[inline]
pub(super) fn splat(byte: u8) -> Lanes {
    u8x16_splat(byte)
}

#[inline]
pub(super) fn movemask(a: Lanes) -> u64 {
    i8x16_bitmask(a).into()
}
