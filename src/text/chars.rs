//! Characters, for character shingles.
//!
//! In: a text. Out: its characters ([`Char`]), with one space for each run of white space, and none at the text's ends. Windows
//! of 64 bytes find where characters start.

use super::is_white_space;
use crate::simd::window::{READ, WINDOW, classify, mask_below, with_padding};

/// A character in UTF-8, its first byte the least significant. The bytes above may belong to the next characters.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Char(u32);

impl Char {
    pub const SPACE: Char = Char(b' ' as u32);

    /// Returns the character that starts at byte `at` of a window.
    #[inline]
    pub fn in_window(bytes: &[u8; READ], at: u32) -> Self {
        let at = at as usize % WINDOW;
        Char(u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]))
    }

    /// Returns the character's bytes, then arbitrary ones.
    #[inline]
    pub fn bytes(self) -> [u8; 4] {
        self.0.to_le_bytes()
    }

    pub fn decode(self) -> char {
        let code = self.code();
        debug_assert!(char::from_u32(code).is_some());
        char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// Returns the code point.
    #[inline]
    pub fn code(self) -> u32 {
        let [a, b, c, d] = self.bytes().map(u32::from);
        let low = |byte| byte & 0x3f;
        match a {
            0..=0x7f => a,
            0x80..=0xdf => (a & 0x1f) << 6 | low(b),
            0xe0..=0xef => (a & 0x0f) << 12 | low(b) << 6 | low(c),
            _ => (a & 0x07) << 18 | low(b) << 12 | low(c) << 6 | low(d),
        }
    }
}

/// Finds the characters of a text.
pub(crate) struct Chars<'a> {
    /// UTF-8.
    text: &'a [u8],
    /// The start of the next window.
    next: usize,
}

/// The length of the buffer of [`Chars::fill`]. A window adds at most 65 characters: a space, and one for each byte.
pub(crate) const BATCH_CHARS: usize = 128;

impl<'a> Chars<'a> {
    pub fn new(text: &'a str) -> Self {
        Chars { text: text.as_bytes(), next: 0 }
    }

    /// Writes the next characters into `chars` and returns them. O(text) for all of them together.
    ///
    /// `space` is the state between calls, and between the chunks of a text: whether white space follows the last character;
    /// `None` before the first character.
    pub fn fill<'c>(
        &mut self,
        space: &mut Option<bool>,
        chars: &'c mut [Char; BATCH_CHARS],
    ) -> &'c [Char] {
        let mut len = 0;
        while self.next < self.text.len() && len < BATCH_CHARS - WINDOW {
            len = with_padding(self.text, self.next, |bytes| {
                take(bytes, self.text.len() - self.next, space, chars, len)
            });
            self.next += WINDOW;
        }
        &chars[..len]
    }
}

/// Appends the characters that start in the first `text_len` bytes of a window to `chars[..len]`, and returns the new length.
#[inline]
fn take(
    bytes: &[u8; READ],
    text_len: usize,
    space: &mut Option<bool>,
    chars: &mut [Char; BATCH_CHARS],
    mut len: usize,
) -> usize {
    let (starts, spaces) = starts_and_spaces(bytes);
    let mut starts = starts & mask_below(text_len.min(WINDOW) as u32);
    let mut push = |char| {
        chars[len % BATCH_CHARS] = char;
        len += 1;
    };
    while starts != 0 {
        if *space == Some(false) {
            // Characters up to the next white space are copied unchanged.
            let mut run = starts & mask_below((starts & spaces).trailing_zeros());
            starts &= !run;
            while run != 0 {
                push(Char::in_window(bytes, run.trailing_zeros()));
                run &= run - 1;
            }
            if starts == 0 {
                break;
            }
        }
        let at = starts.trailing_zeros();
        starts &= starts - 1;
        let char = Char::in_window(bytes, at);
        if spaces >> at & 1 != 0 && is_white_space(char.decode()) {
            *space = space.map(|_| true);
            continue;
        }
        if *space == Some(true) {
            push(Char::SPACE);
        }
        *space = Some(false);
        push(char);
    }
    len
}

/// Returns where characters start in a window, and which of them may be white space. A U+0020 that is certainly a whole run
/// of white space is not reported as white space, because it needs no change.
fn starts_and_spaces(bytes: &[u8; READ]) -> (u64, u64) {
    let [starts, spaces, blanks] = classify(bytes, |first, second, third| {
        let ascii = first.in_range(0, b' ');
        let general = first.is(0xe2).and(second.in_range(0x80, 0x81));
        let ideographic = first.is(0xe3).and(second.is(0x80)).and(third.is(0x80));
        let others = first.is(0xc2).or(first.is(0xe1));
        [first.greater(0xbf), ascii.or(general).or(ideographic).or(others), first.is(b' ')]
    });
    // White space has at most three bytes, so a neighbour in the run starts in the three bytes before or right after. At the
    // window's ends those bytes are unknown.
    let near = spaces << 1 | spaces << 2 | spaces << 3 | spaces >> 1;
    let single = blanks & !near & u64::MAX >> 1 & u64::MAX << 3;
    (starts, spaces & !single)
}
