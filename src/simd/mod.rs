//! Sixteen bytes at once: of the vectors of WebAssembly, x86-64 and ARM what words, normalisation and sums need, and the same
//! without. What 64 bytes of a text are then goes on as numbers of 64 bits, in which every byte has one.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[path = "wasm.rs"]
mod lanes;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[path = "x86.rs"]
mod lanes;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
#[path = "neon.rs"]
mod lanes;
#[cfg(not(any(
    all(target_arch = "wasm32", target_feature = "simd128"),
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
)))]
#[path = "scalar.rs"]
mod lanes;
#[cfg(test)]
mod scalar;

/// Sixteen bytes, or whether something is so for each of sixteen: then only their highest bits count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes(lanes::Lanes);

impl Default for Bytes {
    #[inline]
    fn default() -> Self {
        Bytes::of([0, 0])
    }
}

impl Bytes {
    #[inline]
    pub fn new(bytes: &[u8; 16]) -> Self {
        let number = u128::from_le_bytes(*bytes);
        Bytes::of([number as u64, (number >> 64) as u64])
    }

    /// Those of two numbers, of each the lowest first.
    #[inline]
    pub fn of(numbers: [u64; 2]) -> Self {
        Bytes(lanes::of(numbers))
    }

    /// As two numbers.
    #[inline]
    pub fn numbers(self) -> [u64; 2] {
        lanes::numbers(self.0)
    }

    /// Those with these bits set as well.
    #[inline]
    pub fn with(self, bits: u8) -> Self {
        Bytes(lanes::or(self.0, lanes::splat(bits)))
    }

    /// Whether each is this one.
    #[inline]
    pub fn is(self, byte: u8) -> Self {
        Bytes(lanes::equal(self.0, lanes::splat(byte)))
    }

    /// Whether each is larger, as signed numbers: from 0x80 on they are negative.
    #[inline]
    pub fn over(self, byte: u8) -> Self {
        Bytes(lanes::greater(self.0, lanes::splat(byte)))
    }

    /// Whether each is one of `first..=last`, which are not all there are.
    #[inline]
    pub fn within(self, first: u8, last: u8) -> Self {
        // Turns the circle of 256 numbers until `last` is the largest of the signed ones.
        let turn = 0x7f_u8.wrapping_sub(last);
        let turned = Bytes(lanes::add(self.0, lanes::splat(turn)));
        turned.over(first.wrapping_add(turn).wrapping_sub(1))
    }

    #[inline]
    pub fn and(self, other: Self) -> Self {
        Bytes(lanes::and(self.0, other.0))
    }

    #[inline]
    pub fn or(self, other: Self) -> Self {
        Bytes(lanes::or(self.0, other.0))
    }

    #[inline]
    pub fn xor(self, other: Self) -> Self {
        Bytes(lanes::xor(self.0, other.0))
    }

    #[inline]
    pub fn but(self, other: Self) -> Self {
        Bytes(lanes::and_not(self.0, other.0))
    }

    /// The highest bit of each, that of the first byte the lowest.
    #[inline]
    pub fn bits(self) -> u64 {
        lanes::bits(self.0)
    }
}

/// How many bytes are looked at, and how many of them are told what they are: a character that starts among those is whole.
pub(crate) const SEEN: usize = LEN as usize + 3;
pub(crate) const LEN: u32 = 64;

/// Has `look` see the `N` bytes from `at` on. Behind the end of the text there are zeros.
#[inline(always)]
pub(crate) fn seen<T, const N: usize>(
    text: &[u8],
    at: usize,
    look: impl FnOnce(&[u8; N]) -> T,
) -> T {
    let rest = text.get(at..).unwrap_or_default();
    let padded;
    let bytes = match rest.first_chunk() {
        Some(bytes) => bytes,
        None => {
            padded = pad(rest);
            &padded
        }
    };
    look(bytes)
}

/// Each text has but one such place for each length.
#[cold]
#[inline(never)]
fn pad<const N: usize>(rest: &[u8]) -> [u8; N] {
    let mut padded = [0; N];
    padded.iter_mut().zip(rest).for_each(|(to, &byte)| *to = byte);
    padded
}

/// For each of 64 bytes the highest bits of what `classes` are of it and the two behind it.
#[inline(always)]
pub(crate) fn gather<const N: usize>(
    bytes: &[u8; SEEN],
    classes: impl Fn(Bytes, Bytes, Bytes) -> [Bytes; N],
) -> [u64; N] {
    let chunks = |behind: usize| bytes[behind..].as_chunks().0.iter().map(Bytes::new);
    let mut gathered = [0; N];
    for (at, ((first, second), third)) in chunks(0).zip(chunks(1)).zip(chunks(2)).enumerate() {
        for (all, some) in gathered.iter_mut().zip(classes(first, second, third)) {
            *all |= some.bits() << (16 * at);
        }
    }
    gathered
}

/// The bits lower than the one of this number, which is 64 at most.
#[inline]
pub(crate) fn below(bit: u32) -> u64 {
    1_u64.checked_shl(bit).unwrap_or(0).wrapping_sub(1)
}

#[cfg(test)]
mod tests {
    use super::{lanes, scalar};
    use proptest::prelude::*;

    /// The bits of where `of` two bytes is so.
    fn expected(a: [u8; 16], b: [u8; 16], of: impl Fn(u8, u8) -> bool) -> u64 {
        (0..16).map(|at| u64::from(of(a[at], b[at])) << at).sum()
    }

    macro_rules! check {
        ($lanes:ident, $a:ident, $b:ident) => {{
            use $lanes::{add, and, and_not, bits, equal, greater, numbers, of, or, splat, xor};
            let load = |bytes: [u8; 16]| {
                let number = u128::from_le_bytes(bytes);
                of([number as u64, (number >> 64) as u64])
            };
            let (a, b) = (load($a), load($b));
            let [low, high] = numbers(a);
            prop_assert_eq!((u128::from(high) << 64 | u128::from(low)).to_le_bytes(), $a);
            let is_so = |of: fn(u8, u8) -> bool| expected($a, $b, of);
            prop_assert_eq!(bits(a), is_so(|a, _| a >= 0x80));
            prop_assert_eq!(bits(equal(a, b)), is_so(|a, b| a == b));
            prop_assert_eq!(bits(greater(a, b)), is_so(|a, b| a as i8 > b as i8));
            let last = $b[15];
            prop_assert_eq!(bits(equal(a, splat(last))), expected($a, [last; 16], |a, b| a == b));
            let each = |of: fn(u8, u8) -> u8| load(core::array::from_fn(|at| of($a[at], $b[at])));
            for (own, right) in [
                (add(a, b), each(u8::wrapping_add)),
                (and(a, b), each(|a, b| a & b)),
                (or(a, b), each(|a, b| a | b)),
                (xor(a, b), each(|a, b| a ^ b)),
                (and_not(a, b), each(|a, b| a & !b)),
            ] {
                prop_assert_eq!(bits(equal(own, right)), 0xffff);
                prop_assert_eq!(numbers(own), numbers(right));
            }
        }};
    }

    /// Bytes that are often next to each other, or to where the sign changes.
    fn bytes() -> impl Strategy<Value = [u8; 16]> {
        prop::array::uniform16(prop_oneof![any::<u8>(), 0_u8..3, 0x7e_u8..0x82, 0xfe_u8..])
    }

    proptest! {
        #[test]
        fn vectors_and_numbers_do_what_loops_do(a in bytes(), b in bytes()) {
            check!(lanes, a, b);
            check!(scalar, a, b);
        }
    }
}
