//! In two numbers of 64 bits, where there are no vectors.

#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes([u64; 2]);

/// The lowest bit of each byte, and the highest.
const LOW: u64 = u64::MAX / 255;
const HIGH: u64 = LOW << 7;

#[inline]
pub(super) fn of(numbers: [u64; 2]) -> Lanes {
    Lanes(numbers)
}

#[inline]
pub(super) fn numbers(a: Lanes) -> [u64; 2] {
    a.0
}

#[inline]
pub(super) fn splat(byte: u8) -> Lanes {
    Lanes([LOW * u64::from(byte); 2])
}

#[inline]
pub(super) fn equal(a: Lanes, b: Lanes) -> Lanes {
    each(a, b, |a, b| {
        let other = a ^ b;
        // Seven bits that are not all zero carry into the eighth.
        !(((other & !HIGH) + !HIGH) | other)
    })
}

/// Of signed numbers.
#[inline]
pub(super) fn greater(a: Lanes, b: Lanes) -> Lanes {
    each(a, b, |a, b| {
        // The eighth bit is borrowed from if the seven of `a` are more than those of `b`.
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
pub(super) fn and_not(a: Lanes, b: Lanes) -> Lanes {
    each(a, b, |a, b| a & !b)
}

#[inline]
pub(super) fn bits(a: Lanes) -> u64 {
    // Every bit comes to its place in the highest byte, and no two of the products meet.
    let [low, high] = a.0.map(|a| (a >> 7 & LOW).wrapping_mul(0x0102_0408_1020_4080) >> 56);
    low | high << 8
}

#[inline]
fn each(a: Lanes, b: Lanes, of: impl Fn(u64, u64) -> u64) -> Lanes {
    Lanes([of(a.0[0], b.0[0]), of(a.0[1], b.0[1])])
}
