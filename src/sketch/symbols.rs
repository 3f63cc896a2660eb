//! Symbols between the words of a text: `$500` and `€500` are different texts, and so are `C++` and `C#`.
//!
//! In: a text and a gap, the part between two words. Out: the symbols in it. Other punctuation is ignored: quotes, dashes, brackets,
//! stops, commas and bullets make no difference to a reader, and often differ between copies of one text.

use core::ops::Range;

use crate::text::{is_white_space, kind};

/// Returns whether a gap may have symbols.
#[inline]
pub(super) fn are_possible(text: &str, gap: Range<usize>) -> bool {
    let text = text.as_bytes();
    // Most gaps are one space, or empty. These tests of the positions cost less than a slice.
    gap.start != gap.end
        && !(gap.start + 1 == gap.end && text[gap.start] == b' ')
        && text[gap].iter().any(|&byte| MAY_BE_SYMBOL[usize::from(byte)])
}

/// Passes each symbol of a gap to `visit`, in order. `gap` starts at the end of a word, or at 0, where none ends. The text ends
/// where `words::may_cut_between` allows it, or with the whole.
pub(super) fn each(text: &str, gap: Range<usize>, mut visit: impl FnMut(char)) {
    let is_after_word = gap.start > 0;
    for (at, c) in text[gap.clone()].char_indices() {
        let next = || text[gap.start + at + c.len_utf8()..].chars().next();
        let is_symbol = match c {
            // A negation, but not the end of a sentence.
            '!' => !(is_after_word && at == 0) && next().is_some_and(kind::is_letter_or_number),
            // A footnote or a wildcard, but not a bullet.
            '*' => !next().is_some_and(is_white_space),
            // A sign, but not a dash, nor the hyphen of a range. A digit after either starts a word.
            '-' | '\u{2013}' | '\u{2212}' => {
                !(is_after_word && at == 0) && next().is_some_and(kind::is_decimal)
            }
            '\0'..='\x7f' => MAY_BE_SYMBOL[c as usize],
            // Common punctuation, which needs no look-up.
            '\u{2010}'..='\u{2027}' | '\u{3000}'..='\u{3003}' | '\u{3008}'..='\u{3011}' => false,
            // The replacement character for lost bytes; box drawing, blocks and geometric shapes: rules, bars and bullets.
            '\u{fffd}' | '\u{2500}'..='\u{25ff}' => false,
            // Emoji modifiers, which are of the category Sk.
            '\u{1f3fb}'..='\u{1f3ff}' => true,
            _ => kind::is_symbol(c),
        };
        if is_symbol {
            visit(c);
        }
    }
}

/// Whether a byte may be a symbol of ASCII, or part of another one. The symbols of ASCII are Sc and Sm except `|` and `~`, which
/// separate and decorate, and punctuation that names, counts or computes; `*` and `-` depend on their neighbours.
static MAY_BE_SYMBOL: [bool; 256] = {
    let mut bytes = [false; 256];
    let mut byte = 0;
    while byte < bytes.len() {
        bytes[byte] = byte >= 0x80
            || matches!(byte as u8, b'!' | b'#'..=b'&' | b'*' | b'+' | b'-' | b'/' | b'<'..=b'>' | b'@' | b'\\');
        byte += 1;
    }
    bytes
};
