//! Windows: 64 bytes of a text, classified at once into numbers with one bit a byte.

use super::Bytes;

/// How many bytes a window classifies.
pub(crate) const WINDOW: usize = 64;
/// How many bytes a window reads: a character that starts among the classified ones is whole.
pub(crate) const READ: usize = WINDOW + 3;

/// Calls `read` with the `N` bytes from `at` on, zeros after the end of the text.
///
/// A closure, not a return value: the bytes are copied only at the end of a text.
#[inline(always)]
pub(crate) fn with_padding<T, const N: usize>(
    text: &[u8],
    at: usize,
    read: impl FnOnce(&[u8; N]) -> T,
) -> T {
    let rest = &text[at..];
    let padded;
    let bytes = match rest.first_chunk() {
        Some(bytes) => bytes,
        None => {
            padded = pad(rest);
            &padded
        }
    };
    read(bytes)
}

/// Copies the rest of a text. Out of line, since it runs once a text and would be inlined into every loop over windows.
#[cold]
#[inline(never)]
fn pad<const N: usize>(rest: &[u8]) -> [u8; N] {
    let mut padded = [0; N];
    padded[..rest.len()].copy_from_slice(rest);
    padded
}

/// Classifies 64 bytes: one number for each class, with bit `i` set if byte `i` belongs to the class.
///
/// `classes` takes three vectors, each byte and the two after it, and returns one vector of booleans a class.
#[inline(always)]
pub(crate) fn classify<const N: usize>(
    bytes: &[u8; READ],
    classes: impl Fn(Bytes, Bytes, Bytes) -> [Bytes; N],
) -> [u64; N] {
    let vectors = |offset: usize| bytes[offset..].as_chunks().0.iter().map(Bytes::new);
    let mut masks = [0; N];
    for (at, ((first, second), third)) in vectors(0).zip(vectors(1)).zip(vectors(2)).enumerate() {
        for (mask, class) in masks.iter_mut().zip(classes(first, second, third)) {
            *mask |= class.movemask() << (16 * at);
        }
    }
    masks
}

/// Returns the bits below bit `len`, which is at most 64.
#[inline]
pub(crate) fn mask_below(len: u32) -> u64 {
    1_u64.checked_shl(len).unwrap_or(0).wrapping_sub(1)
}
