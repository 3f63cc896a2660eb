//! In two numbers of 64 bits, for want of vectors. Of a truth value only each byte's highest bit counts.

#[derive(Clone, Copy)]
pub(super) struct Lanes([u64; 2]);

const LOW: u64 = u64::MAX / 255;
const HIGH: u64 = LOW << 7;

pub(super) fn load(bytes: &[u8; 16]) -> Lanes {
    let number = u128::from_le_bytes(*bytes);
    Lanes([number as u64, (number >> 64) as u64])
}

pub(super) fn splat(byte: u8) -> Lanes {
    Lanes([LOW * u64::from(byte); 2])
}

#[inline]
pub(super) fn equal(a: Lanes, b: Lanes) -> Lanes {
    a.zip(b, |a, b| {
        let differing = a ^ b;
        // Seven bits that are not all zero carry into the eighth.
        !((differing & !HIGH) + !HIGH | differing)
    })
}

/// Of signed numbers.
#[inline]
pub(super) fn greater(a: Lanes, b: Lanes) -> Lanes {
    a.zip(b, |a, b| {
        // The eighth bit pays for the seven of `b` if they are as large as those of `a` or larger.
        let at_most = (b | HIGH) - (a & !HIGH);
        (!a & b) | (!(a ^ b) & !at_most)
    })
}

#[inline]
pub(super) fn add(a: Lanes, b: Lanes) -> Lanes {
    a.zip(b, |a, b| ((a & !HIGH) + (b & !HIGH)) ^ ((a ^ b) & HIGH))
}

#[inline]
pub(super) fn and(a: Lanes, b: Lanes) -> Lanes {
    a.zip(b, |a, b| a & b)
}

#[inline]
pub(super) fn or(a: Lanes, b: Lanes) -> Lanes {
    a.zip(b, |a, b| a | b)
}

#[inline]
pub(super) fn and_not(a: Lanes, b: Lanes) -> Lanes {
    a.zip(b, |a, b| a & !b)
}

#[inline]
pub(super) fn bits(a: Lanes) -> u64 {
    // Each bit comes to its place in the highest byte, and no two of the products meet.
    let [low, high] = a.0.map(|a| (a >> 7 & LOW).wrapping_mul(0x0102_0408_1020_4080) >> 56);
    low | high << 8
}

impl Lanes {
    #[inline]
    fn zip(self, other: Self, of: impl Fn(u64, u64) -> u64) -> Self {
        Lanes([of(self.0[0], other.0[0]), of(self.0[1], other.0[1])])
    }
}
