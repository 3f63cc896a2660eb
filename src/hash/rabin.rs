//! Rabin fingerprints of bytes, and of every window of them.
//!
//! The bytes are read as a polynomial over GF(2), and the fingerprint is what is left of it modulo an irreducible
//! polynomial of degree 64 (M. O. Rabin, *Fingerprinting by random polynomials*, 1981). Equal bytes have equal
//! fingerprints, and different ones of `n` bytes the same with a probability of about `n / 2^61` if the polynomial was
//! drawn without knowledge of them: a means to find *equal* passages, where SimHash finds similar texts. There is no
//! defence in it against someone who makes collisions on purpose.
//!
//! Polynomial and start value are those of Apache Avro's CRC-64-AVRO, so [`fingerprint`] gives its published values.
//!
//! ```
//! // The first example of Avro's schema-tests.txt.
//! assert_eq!(nearprint::rabin::fingerprint(b"\"null\"").cast_signed(), 7_195_948_357_588_979_594);
//! ```

/// The polynomial, lowest power in the highest bit (x^64 is implied), and the fingerprint of no bytes. That it is not
/// 0 lets leading zero bytes count.
///
/// Source: <https://avro.apache.org/docs/1.11.1/specification/#schema-fingerprints>.
pub const EMPTY: u64 = 0xc15d_213a_a4d7_a795;

/// What each single bit of a byte leaves of itself after eight more bits.
const BITS: [u64; 8] = {
    let mut bits = [0; 8];
    let mut bit = 0;
    while bit < 8 {
        let mut rest = 1 << bit;
        let mut step = 0;
        while step < 8 {
            rest = rest >> 1 ^ (EMPTY & (rest & 1_u64).wrapping_neg());
            step += 1;
        }
        bits[bit] = rest;
        bit += 1;
    }
    bits
};

/// A function of bytes that is linear but for what it gives for 0: all of it out of that and of what it gives for
/// single bits.
#[inline(never)]
fn spanned(zero: u64, bits: &[u64; 8]) -> [u64; 256] {
    let mut table = [zero; 256];
    for byte in 1..256 {
        table[byte] = table[byte & (byte - 1)] ^ bits[byte.trailing_zeros() as usize];
    }
    table
}

/// What each byte leaves of itself after eight more bits. Made for each call, in less than a microsecond: as a constant
/// it would be 2 KiB of every package that has this module.
struct Table([u64; 256]);

impl Table {
    fn new() -> Self {
        Table(spanned(0, &BITS))
    }

    /// The state after one more byte.
    fn push(&self, state: u64, byte: u8) -> u64 {
        state >> 8 ^ self.0[usize::from(state as u8 ^ byte)]
    }

    /// The state after `count` more bytes that are 0.
    #[inline(never)]
    fn push_zeros(&self, state: u64, count: usize) -> u64 {
        (0..count).fold(state, |state, _| self.push(state, 0))
    }

    fn fingerprint(&self, bytes: &[u8]) -> u64 {
        bytes.iter().fold(EMPTY, |state, &byte| self.push(state, byte))
    }
}

/// The fingerprint of all bytes, in O(n).
///
/// ```
/// use nearprint::rabin;
///
/// assert_eq!(rabin::fingerprint(b""), rabin::EMPTY);
/// assert_ne!(rabin::fingerprint(b"near"), rabin::fingerprint(b"nearprint"));
/// ```
#[must_use]
pub fn fingerprint(bytes: &[u8]) -> u64 {
    Table::new().fingerprint(bytes)
}

/// The fingerprint of every run of `width` bytes, in order; each is what [`fingerprint`] gives for that run.
///
/// It takes O(n) for all of them, whatever the width: the byte that leaves the window is taken off by a table. Fewer
/// than `width` bytes have no window.
///
/// # Panics
///
/// If `width` is 0.
///
/// ```
/// use nearprint::rabin;
///
/// let windows: Vec<u64> = rabin::windows(b"abcab", 2).collect();
/// assert_eq!(windows.len(), 4);
/// assert_eq!(windows[0], rabin::fingerprint(b"ab"));
/// assert_eq!(windows[0], windows[3]);
/// ```
pub fn windows(bytes: &[u8], width: usize) -> impl Iterator<Item = u64> {
    assert!(width > 0, "the width of a window is at least 1, but got 0");
    let table = Table::new();
    // A byte leaves its difference to a window that starts after it, as `width` more bytes have shifted it: the
    // fingerprint is linear, so what those bytes are does not matter. The same linearity makes the 256 differences
    // out of 9. (No byte leaves if there is no second window.)
    let shift = |state| table.push_zeros(state, width.min(bytes.len()));
    let zero = shift(table.push(EMPTY, 0) ^ EMPTY);
    let leaving = spanned(zero, &BITS.map(shift));
    let first = bytes.get(..width).map(|window| table.fingerprint(window));
    let rolled = bytes.iter().zip(bytes.iter().skip(width)).scan(
        first.unwrap_or_default(),
        move |state, (&out, &new)| {
            *state = table.push(*state, new) ^ leaving[usize::from(out)];
            Some(*state)
        },
    );
    first.into_iter().chain(rolled)
}
