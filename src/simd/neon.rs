//! Lanes in a NEON register (AArch64).
//!
//! SAFETY of every `unsafe` block: this file is compiled only for targets with NEON.

pub(super) use core::arch::aarch64::uint8x16_t as Lanes;
use core::arch::aarch64::{
    vaddq_u8, vaddv_u8, vandq_u8, vceqq_u8, vcgtq_s8, vcombine_u8, vcreate_u8, vdupq_n_u8,
    veorq_u8, vget_high_u8, vget_low_u8, vgetq_lane_u64, vorrq_u8, vreinterpretq_s8_u8,
    vreinterpretq_u8_s8, vreinterpretq_u64_u8, vshrq_n_s8,
};

operations! {
    equal: vceqq_u8,
    add: vaddq_u8,
    and: vandq_u8,
    or: vorrq_u8,
    xor: veorq_u8
}

#[inline]
pub(super) fn from_u64s([low, high]: [u64; 2]) -> Lanes {
    unsafe { vcombine_u8(vcreate_u8(low), vcreate_u8(high)) }
}

#[inline]
pub(super) fn to_u64s(a: Lanes) -> [u64; 2] {
    let halves = unsafe { vreinterpretq_u64_u8(a) };
    unsafe { [vgetq_lane_u64::<0>(halves), vgetq_lane_u64::<1>(halves)] }
}

#[inline]
pub(super) fn splat(byte: u8) -> Lanes {
    unsafe { vdupq_n_u8(byte) }
}

#[inline]
pub(super) fn greater(a: Lanes, b: Lanes) -> Lanes {
    unsafe { vcgtq_s8(vreinterpretq_s8_u8(a), vreinterpretq_s8_u8(b)) }
}

/// Returns the most significant bit of each lane. NEON has no such instruction: each lane keeps the bit of its position, and the
/// lanes of each half are added.
#[inline]
pub(super) fn movemask(a: Lanes) -> u64 {
    let positions = from_u64s([0x8040_2010_0804_0201; 2]);
    let [low, high] = unsafe {
        let signs = vreinterpretq_u8_s8(vshrq_n_s8::<7>(vreinterpretq_s8_u8(a)));
        let bits = vandq_u8(signs, positions);
        [vaddv_u8(vget_low_u8(bits)), vaddv_u8(vget_high_u8(bits))]
    };
    u64::from(low) | u64::from(high) << 8
}
