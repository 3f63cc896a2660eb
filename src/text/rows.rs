//! Rows of characters, for lookups.
//!
//! In: a window of text, and where characters start in it. Out: the characters, row by row ([`each_row`]), and all their bytes
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
    /// The window, from the second last byte of a character that starts at its first byte.
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

    /// Calls `visit` with the place of each character in the row, and its bit in the window.
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

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;
    use crate::simd::window::with_padding;

    proptest! {
        #[test]
        fn rows_have_all_characters(text in "[\u{80}-\u{1ff}\u{780}-\u{c00}\u{ff00}-\u{20000}a]{0,40}") {
            // Characters that start in the window, except those of ASCII.
            let expected: Vec<(usize, char)> =
                text.char_indices().filter(|&(at, c)| at < WINDOW && !c.is_ascii()).collect();
            let starts = expected.iter().fold(0, |starts, &(at, _)| starts | 1 << at);
            let mut found = Vec::new();
            with_padding(text.as_bytes(), 0, |bytes| {
                each_row(bytes, starts, |row| {
                    row.each(|place, bit| {
                        let code = (row.number * ROW + place) as u32;
                        found.push((bit.trailing_zeros() as usize, char::from_u32(code).unwrap()));
                    });
                });
            });
            found.sort();
            prop_assert_eq!(found, expected);
            let mask = |is: fn(u8) -> bool| {
                let bytes = text.bytes().enumerate().take(WINDOW);
                bytes.fold(0, |mask, (at, byte)| mask | u64::from(is(byte)) << at)
            };
            let others = mask(|byte| matches!(byte, 0x80..0xc0));
            prop_assert_eq!(whole(starts, others), mask(|byte| !byte.is_ascii()));
        }
    }
}
