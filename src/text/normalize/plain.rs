//! Plain characters: ASCII, and those that normalisation leaves unchanged in their context.
//!
//! In: a text and a position. Out: the end of the run of plain characters there, by windows of 64 bytes. Vectors find the most
//! common ones; the others are looked up. A MARK is plain directly after a character that starts a segment and is plain: it is
//! in canonical order there, and composes with nothing.

use super::unicode::{CharData, Unicode};
use crate::{
    simd::{
        Bytes,
        window::{READ, WINDOW, classify, with_padding},
    },
    text::char_rows::{each_row, whole},
};

/// Finds runs of plain characters.
pub(super) struct Plain<'a> {
    unicode: &'a Unicode,
    text: &'a [u8],
    /// The start of the last window, and its bytes that belong to plain characters.
    base: usize,
    plain: u64,
}

impl<'a> Plain<'a> {
    pub fn new(text: &'a str, unicode: &'a Unicode) -> Self {
        let text = text.as_bytes();
        Plain { unicode, text, base: 0, plain: plain_at(text, 0, unicode) }
    }

    /// Returns the start of the first character from `at` on that is not plain, or the end of the text. `at` never decreases
    /// from call to call.
    #[inline]
    pub fn end(&mut self, mut at: usize) -> usize {
        loop {
            // A character that begins in the last three bytes of the window may extend beyond it.
            if at - self.base >= WINDOW - 3 {
                (self.base, self.plain) = (at, plain_at(self.text, at, self.unicode));
            }
            let run = (!self.plain >> (at - self.base)).trailing_zeros() as usize;
            at = (at + run).min(self.base + WINDOW);
            if at >= self.text.len() {
                return self.text.len();
            }
            if at - self.base < WINDOW - 3 {
                return at;
            }
        }
    }
}

fn plain_at(text: &[u8], at: usize, unicode: &Unicode) -> u64 {
    with_padding(text, at, |bytes| plain_mask(bytes, unicode))
}

/// Returns the bytes of the plain characters that lie entirely in the window.
#[inline]
fn plain_mask(bytes: &[u8; READ], unicode: &Unicode) -> u64 {
    let [not_ascii] = classify(bytes, |byte, _, _| [byte]);
    if not_ascii == 0 {
        return u64::MAX;
    }
    let [three_bytes, two_byte_starts, starts] = classify(bytes, three_bytes);
    let three_bytes = three_bytes & u64::MAX >> 2;
    let mut plain = !not_ascii | three_bytes | three_bytes << 1 | three_bytes << 2;
    if two_byte_starts != 0 {
        let [two_bytes] = classify(bytes, two_bytes);
        let two_bytes = two_bytes & u64::MAX >> 1;
        plain |= two_bytes | two_bytes << 1;
    }
    let rest = starts & !plain & u64::MAX >> 3;
    if rest == 0 {
        return plain;
    }
    let kinds = looked_up(bytes, rest, unicode);
    let others = not_ascii & !starts;
    plain |= whole(kinds[CharData::QUICK as usize], others);
    plain | whole(kinds[CharData::MARK as usize] & plain << 1, others)
}

/// Returns the first bytes of the characters at `starts`, by their kinds. No branch depends on a kind: in most scripts marks
/// come at random.
#[inline(never)]
fn looked_up(bytes: &[u8; READ], starts: u64, unicode: &Unicode) -> [u64; CharData::KINDS] {
    let mut kinds = [0; _];
    each_row(bytes, starts, |row| {
        let data = unicode.row(row.number);
        row.each(|column, bit| {
            kinds[data[column].kind() as usize % CharData::KINDS] |= bit;
        });
    });
    kinds
}

/// Returns the first bytes of common plain characters of three bytes, of characters of two bytes, and of all characters.
#[inline(always)]
fn three_bytes(first: Bytes, second: Bytes, _: Bytes) -> [Bytes; 3] {
    // U+4000 to U+9FFF.
    let han = first.in_range(0xe4, 0xe9);
    // U+AC00 to U+D77F.
    let hangul = (first.in_range(0xeb, 0xec))
        .or(first.is(0xea).and(second.greater(0xaf)))
        .or(first.is(0xed).and_not(second.greater(0x9d)));
    [han.or(hangul), first.in_range(0xc2, 0xdf), first.in_range(0xc2, 0xf4)]
}

/// Returns the first bytes of common plain characters of two bytes.
#[inline(always)]
fn two_bytes(first: Bytes, second: Bytes, _: Bytes) -> [Bytes; 1] {
    // U+00E0 to U+00FF.
    let latin = first.is(0xc3).and(second.greater(0x9f));
    // U+0430 to U+045F.
    let cyrillic =
        (first.is(0xd0).and(second.greater(0xaf))).or(first.is(0xd1).and_not(second.greater(0x9f)));
    // U+0621 to U+064A.
    let arabic =
        (first.is(0xd8).and(second.greater(0xa0))).or(first.is(0xd9).and_not(second.greater(0x8a)));
    [latin.or(cyrillic).or(arabic)]
}
