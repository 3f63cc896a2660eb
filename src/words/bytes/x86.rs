//! In the vectors of x86-64.

use core::arch::x86_64::*;

pub(super) type Lanes = __m128i;
pub(super) fn load(bytes: &[u8; 16]) -> Lanes {
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}
pub(super) fn splat(byte: u8) -> Lanes {
    unsafe { _mm_set1_epi8(byte as i8) }
}
pub(super) fn equal(a: Lanes, b: Lanes) -> Lanes {
    unsafe { _mm_cmpeq_epi8(a, b) }
}
pub(super) fn greater(a: Lanes, b: Lanes) -> Lanes {
    unsafe { _mm_cmpgt_epi8(a, b) }
}
pub(super) fn add(a: Lanes, b: Lanes) -> Lanes {
    unsafe { _mm_add_epi8(a, b) }
}
pub(super) fn and(a: Lanes, b: Lanes) -> Lanes {
    unsafe { _mm_and_si128(a, b) }
}
pub(super) fn or(a: Lanes, b: Lanes) -> Lanes {
    unsafe { _mm_or_si128(a, b) }
}
pub(super) fn and_not(a: Lanes, b: Lanes) -> Lanes {
    unsafe { _mm_andnot_si128(b, a) }
}
pub(super) fn bits(a: Lanes) -> u64 {
    unsafe { _mm_movemask_epi8(a) as u64 }
}
