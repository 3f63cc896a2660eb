//! In loops that the compiler makes vectors of, wherever there are some.

#[derive(Clone, Copy)]
pub(in super::super) struct Bytes([u8; 16]);

impl Bytes {
    #[inline]
    pub fn new(bytes: &[u8; 16]) -> Self {
        Bytes(*bytes)
    }

    #[inline]
    pub fn is(self, byte: u8) -> Self {
        self.map(|own| if own == byte { 0xff } else { 0 })
    }

    /// Where the bytes are larger, as signed numbers.
    #[inline]
    pub fn over(self, byte: u8) -> Self {
        self.map(|own| if own as i8 > byte as i8 { 0xff } else { 0 })
    }

    #[inline]
    pub fn plus(self, byte: u8) -> Self {
        self.map(|own| own.wrapping_add(byte))
    }

    #[inline]
    pub fn with(self, bits: u8) -> Self {
        self.map(|own| own | bits)
    }

    #[inline]
    pub fn only(self, bits: u8) -> Self {
        self.map(|own| own & bits)
    }

    #[inline]
    pub fn up(self, bits: u32) -> Self {
        self.map(|own| own << bits)
    }

    #[inline]
    pub fn and(self, other: Self) -> Self {
        self.zip(other, |own, other| own & other)
    }

    #[inline]
    pub fn or(self, other: Self) -> Self {
        self.zip(other, |own, other| own | other)
    }

    #[inline]
    pub fn but(self, other: Self) -> Self {
        self.zip(other, |own, other| own & !other)
    }

    /// The highest bit of each byte, the first byte's the lowest.
    #[inline]
    pub fn bits(self) -> u64 {
        let number = u128::from_le_bytes(self.0);
        half_bits(number as u64) | half_bits((number >> 64) as u64) << 8
    }

    #[inline]
    fn map(self, of: impl Fn(u8) -> u8) -> Self {
        Bytes(self.0.map(of))
    }

    #[inline]
    fn zip(self, other: Self, of: impl Fn(u8, u8) -> u8) -> Self {
        Bytes(core::array::from_fn(|at| of(self.0[at], other.0[at])))
    }
}

#[inline]
fn half_bits(eight: u64) -> u64 {
    // Each bit comes to its place in the highest byte, and none of the products meet.
    ((eight >> 7 & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080)) >> 56
}
