//! Rows of characters, for lookups.
//!
//! In: a window of text, and where characters start in it. Out: the characters, row by row ([`each_row`]), and their bytes
//! ([`whole`]).

use super::chars::Char;
use crate::simd::{
    Bytes,
    window::{READ, WINDOW, classify},
};

/// Code points in a row. Characters of one row differ in their last byte, and in the lowest two bits of the byte before it.
pub(crate) const ROW: usize = 256;

/// The characters of one row in a window.
pub(crate) struct RowInWindow<'a> {
    /// The code points of the row divided by [`ROW`].
    pub number: usize,
    /// A bit for the first byte of each character.
    starts: u64,
    /// The window, shifted so that `tails[at]` and `tails[at + 1]` are the last two bytes of the character at `at`.
    tails: &'a [u8; WINDOW + 1],
}

impl<'a> RowInWindow<'a> {
    /// Returns the characters of one row among those that start at one of `starts`. None is ASCII.
    #[inline(never)]
    fn of_first(bytes: &'a [u8; READ], starts: u64) -> Self {
        let first = Char::in_window(bytes, starts.trailing_zeros());
        let [a, b, c, _] = first.bytes();
        let any = |byte: Bytes| byte.set_bits(3);
        let ([like_first], tails) = match a {
            ..0xe0 => (classify(bytes, |first, _, _| [any(first).is(a | 3)]), &bytes[..]),
            0xe0..0xf0 => {
                let is_like = |first: Bytes, second, _| [first.is(a).and(any(second).is(b | 3))];
                (classify(bytes, is_like), &bytes[1..])
            }
            _ => {
                let is_like = |first: Bytes, second: Bytes, third| {
                    [first.is(a).and(second.is(b)).and(any(third).is(c | 3))]
                };
                (classify(bytes, is_like), &bytes[2..])
            }
        };
        let tails = tails.first_chunk().expect("a window and two bytes more");
        let number = first.code() as usize / ROW;
        RowInWindow { number, starts: starts & like_first, tails }
    }

    /// Calls `visit` with the column of each character, its code point modulo [`ROW`], and its bit in the window.
    #[inline(always)]
    pub fn each(&self, mut visit: impl FnMut(usize, u64)) {
        let mut rest = self.starts;
        while rest != 0 {
            let at = rest.trailing_zeros() as usize % WINDOW;
            let [high, low] = [self.tails[at], self.tails[at + 1]];
            visit(usize::from(high << 6 | low & 0x3f), 1 << at);
            rest &= rest - 1;
        }
    }
}

/// Calls `visit` with each row of the characters that start at one of `starts` in a window. None is ASCII.
///
/// The characters of most windows are in one row or two, so most of the work of a lookup is done once for all of them.
#[inline(always)]
pub(crate) fn each_row(bytes: &[u8; READ], starts: u64, mut visit: impl FnMut(&RowInWindow<'_>)) {
    let mut rest = starts;
    while rest != 0 {
        let row = RowInWindow::of_first(bytes, rest);
        visit(&row);
        rest &= !row.starts;
    }
}

/// Returns all bytes of the characters with these first bytes. `others` has all bytes of the window that are not the first
/// of a character.
#[inline]
pub(crate) fn whole(starts: u64, others: u64) -> u64 {
    // Adding the second byte of a character to its other bytes, a run of ones, clears them.
    starts | others & !others.wrapping_add(starts << 1 & others)
}
