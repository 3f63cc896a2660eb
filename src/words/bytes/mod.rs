//! Sixteen bytes at once: what [`super::window`] needs of them, twice.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(super) use scalar::Bytes;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) use simd::Bytes;

impl Bytes {
    /// Where the bytes are one of `first..=last`.
    #[inline]
    pub fn within(self, first: u8, last: u8) -> Self {
        // Turns the circle of 256 numbers until `last` is the largest of the signed ones.
        let turn = 0x7f_u8.wrapping_sub(last);
        self.plus(turn).over(first.wrapping_add(turn).wrapping_sub(1))
    }
}
