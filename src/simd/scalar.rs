//! Lanes in two `u64`, for targets without vectors.

#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes([u64; 2]);

/// The least significant bit of each lane, and the most significant.
const LOW: u64 = u64::MAX / 255;
const HIGH: u64 = LOW << 7;

#[inline]
pub(super) fn from_u64s(halves: [u64; 2]) -> Lanes {
    Lanes(halves)
}

#[inline]
pub(super) fn to_u64s(a: Lanes) -> [u64; 2] {
    a.0
}

#[inline]
pub(super) fn splat(byte: u8) -> Lanes {
    Lanes([LOW * u64::from(byte); 2])
}

#[inline]
pub(super) fn equal(a: Lanes, b: Lanes) -> Lanes {
    each(a, b, |a, b| {
        let difference = a ^ b;
        // The addition sets the top bit of a lane if any of its low seven bits is set.
        !(((difference & !HIGH) + !HIGH) | difference)
    })
}

/// Returns the lanes of `a` that are greater, as signed numbers.
#[inline]
pub(super) fn greater(a: Lanes, b: Lanes) -> Lanes {
    each(a, b, |a, b| {
        // The subtraction clears the top bit of a lane if the low seven bits of `a` exceed those of `b`.
        let is_at_most = (b | HIGH) - (a & !HIGH);
        !a & b | !(a ^ b) & !is_at_most
    })
}

#[inline]
pub(super) fn add(a: Lanes, b: Lanes) -> Lanes {
    each(a, b, |a, b| ((a & !HIGH) + (b & !HIGH)) ^ ((a ^ b) & HIGH))
}

#[inline]
pub(super) fn and(a: Lanes, b: Lanes) -> Lanes {
    each(a, b, |a, b| a & b)
}

#[inline]
pub(super) fn or(a: Lanes, b: Lanes) -> Lanes {
    each(a, b, |a, b| a | b)
}

#[inline]
pub(super) fn xor(a: Lanes, b: Lanes) -> Lanes {
    each(a, b, |a, b| a ^ b)
}

#[inline]
pub(super) fn movemask(a: Lanes) -> u64 {
    // The multiplication moves the bit of each lane to its position in the most significant byte; no two terms overlap.
    let [low, high] = a.0.map(|a| (a >> 7 & LOW).wrapping_mul(0x0102_0408_1020_4080) >> 56);
    low | high << 8
}

#[inline]
fn each(a: Lanes, b: Lanes, operation: impl Fn(u64, u64) -> u64) -> Lanes {
    Lanes([operation(a.0[0], b.0[0]), operation(a.0[1], b.0[1])])
}
