//! Rabin fingerprints of bytes, and of every window of them.
//!
//! The bytes are a polynomial over GF(2); the fingerprint is its remainder modulo an irreducible polynomial of degree 64
//! (M. O. Rabin, *Fingerprinting by random polynomials*, 1981). Equal bytes have equal fingerprints. Different strings of
//! `n` bytes have equal fingerprints with a probability of about `n / 2^61`, if the polynomial is drawn independently of
//! them. So this finds *equal* passages, where SimHash finds similar texts. It does not resist collisions made on purpose.
//!
//! Polynomial and start value are the same as in Apache Avro's CRC-64-AVRO, so [`fingerprint`] returns its published values.
//!
//! ```
//! // The first example of Avro's schema-tests.txt.
//! assert_eq!(nearprint::simhash::rabin::fingerprint(b"\"null\"").cast_signed(), 7_195_948_357_588_979_594);
//! ```

use alloc::boxed::Box;
use core::array;

use once_cell::race::OnceBox;

/// The polynomial, lowest power in the highest bit (x^64 is implied), and the fingerprint of no bytes. It is not 0, so
/// leading zero bytes change the fingerprint.
///
/// Source: <https://avro.apache.org/docs/1.11.1/specification/#schema-fingerprints>.
pub const EMPTY: u64 = 0xc15d_213a_a4d7_a795;

/// Returns the remainder of each byte times x^64. Computed at first use: its 2 kB do not compress, and few programs use
/// them.
fn remainders() -> &'static [u64; 256] {
    static REMAINDERS: OnceBox<[u64; 256]> = OnceBox::new();
    let remainder = |byte: usize| {
        let divide = |rest: u64, _| rest >> 1 ^ (EMPTY & (rest & 1).wrapping_neg());
        (0..8).fold(byte as u64, divide)
    };
    REMAINDERS.get_or_init(|| Box::new(array::from_fn(remainder)))
}

/// Returns the state after one more byte.
fn push(remainders: &[u64; 256], state: u64, byte: u8) -> u64 {
    state >> 8 ^ remainders[usize::from(state as u8 ^ byte)]
}

/// Returns the fingerprint of all bytes. O(n).
///
/// ```
/// use nearprint::simhash::rabin;
///
/// assert_eq!(rabin::fingerprint(b""), rabin::EMPTY);
/// assert_ne!(rabin::fingerprint(b"near"), rabin::fingerprint(b"nearprint"));
/// ```
#[must_use]
pub fn fingerprint(bytes: &[u8]) -> u64 {
    let remainders = remainders();
    bytes.iter().fold(EMPTY, |state, &byte| push(remainders, state, byte))
}

/// Returns the fingerprint of every window of `width` bytes, in order: each equals [`fingerprint`] of that window.
///
/// O(n) for all of them, whatever the width. Fewer than `width` bytes have no window.
///
/// # Panics
///
/// If `width` is 0.
///
/// ```
/// use nearprint::simhash::rabin;
///
/// let windows: Vec<u64> = rabin::windows(b"abcab", 2).collect();
/// assert_eq!(windows.len(), 4);
/// assert_eq!(windows[0], rabin::fingerprint(b"ab"));
/// assert_eq!(windows[0], windows[3]);
/// ```
pub fn windows(bytes: &[u8], width: usize) -> impl Iterator<Item = u64> {
    assert!(width > 0, "width must be at least 1, got 0");
    let remainders = remainders();
    let leaving = leaving(remainders, width.min(bytes.len()));
    let first = bytes.get(..width).map(fingerprint);
    let pairs = bytes.iter().zip(bytes.iter().skip(width));
    let rolled = pairs.scan(first.unwrap_or(EMPTY), move |state, (&old, &new)| {
        *state = push(remainders, *state, new) ^ leaving[usize::from(old)];
        Some(*state)
    });
    first.into_iter().chain(rolled)
}

/// Returns, for each byte that leaves a window of `width` bytes: the difference between the states with it and without it.
///
/// The difference does not depend on the bytes of the window, because the remainder is linear over GF(2). So the 256
/// differences follow from 9: for the byte 0, and for each single bit.
fn leaving(remainders: &[u64; 256], width: usize) -> [u64; 256] {
    let shift = |state| (0..width).fold(state, |state, _| push(remainders, state, 0));
    let mut table = [shift(push(remainders, EMPTY, 0) ^ EMPTY); 256];
    for bit in 0..8 {
        let single = shift(remainders[1 << bit]);
        for byte in 0..1 << bit {
            table[byte | 1 << bit] = table[byte] ^ single;
        }
    }
    table
}
