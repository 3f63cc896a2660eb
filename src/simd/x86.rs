//! Lanes in an SSE2 register (x86-64).
//!
//! SAFETY of every `unsafe` block: this file is compiled only for targets with SSE2.

pub(super) use core::arch::x86_64::__m128i as Lanes;
use core::arch::x86_64::{
    _mm_add_epi8, _mm_and_si128, _mm_cmpeq_epi8, _mm_cmpgt_epi8, _mm_cvtsi128_si64,
    _mm_movemask_epi8, _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8, _mm_unpackhi_epi64,
    _mm_xor_si128,
};

operations! {
    equal: _mm_cmpeq_epi8,
    greater: _mm_cmpgt_epi8,
    add: _mm_add_epi8,
    and: _mm_and_si128,
    or: _mm_or_si128,
    xor: _mm_xor_si128
}

#[inline]
pub(super) fn from_u64s([low, high]: [u64; 2]) -> Lanes {
    unsafe { _mm_set_epi64x(high as i64, low as i64) }
}

#[inline]
pub(super) fn to_u64s(a: Lanes) -> [u64; 2] {
    [a, unsafe { _mm_unpackhi_epi64(a, a) }].map(|a| unsafe { _mm_cvtsi128_si64(a) } as u64)
}

#[inline]
pub(super) fn splat(byte: u8) -> Lanes {
    unsafe { _mm_set1_epi8(byte as i8) }
}

#[inline]
pub(super) fn movemask(a: Lanes) -> u64 {
    u64::from(unsafe { _mm_movemask_epi8(a) } as u16)
}
