//! Characters as they stand in a text, in UTF-8.

use alloc::string::String;

use crate::simd::window::{READ, WINDOW, classify, mask_below, with_padding};

/// A character in UTF-8, its first byte the lowest. Above it there may be bytes of others.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Char(u32);

impl Char {
    pub const SPACE: Char = Char(b' ' as u32);

    /// The first of a text.
    #[inline]
    pub fn first(text: &[u8]) -> Self {
        with_padding(text, 0, |&bytes| Char(u32::from_le_bytes(bytes)))
    }

    /// The one that starts at this one of 64 bytes.
    #[inline]
    fn among(bytes: &[u8; READ], bit: u32) -> Self {
        let at = bit as usize % WINDOW;
        Char(u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]))
    }

    /// Its bytes, and maybe some of others.
    #[inline]
    pub fn bytes(self) -> [u8; 4] {
        self.0.to_le_bytes()
    }

    /// How many bytes it has.
    #[inline]
    pub fn len(self) -> usize {
        (self.0 as u8).leading_ones().max(1) as usize
    }

    /// White_Space (PropList.txt).
    #[inline]
    fn is_white_space(self) -> bool {
        self.decoded().is_whitespace()
    }

    /// Its code point.
    #[inline]
    pub fn code(self) -> u32 {
        let [a, b, c, d] = self.bytes().map(u32::from);
        let more = |byte| byte & 0x3f;
        match self.len() {
            1 => a,
            2 => (a & 0x1f) << 6 | more(b),
            3 => (a & 0x0f) << 12 | more(b) << 6 | more(c),
            _ => (a & 0x07) << 18 | more(b) << 12 | more(c) << 6 | more(d),
        }
    }

    fn decoded(self) -> char {
        char::from_u32(self.code()).unwrap_or(char::REPLACEMENT_CHARACTER)
    }
}

impl From<Char> for String {
    fn from(char: Char) -> Self {
        char.decoded().into()
    }
}

/// The characters of a text, found in 64 bytes at once. A run of white space counts as one space, and none at the ends.
pub(crate) struct Chars<'a> {
    /// UTF-8.
    text: &'a [u8],
    /// Where the next 64 bytes start.
    next: usize,
}

/// How many characters there is place for, of which 64 bytes may have as many, and a space before them.
pub(crate) const PLACES: usize = 128;

impl<'a> Chars<'a> {
    pub fn new(text: &'a str) -> Self {
        Chars { text: text.as_bytes(), next: 0 }
    }

    /// The next characters. `space` tells whether there is white space before them, and is told whether there is behind:
    /// before the first of a text nothing is said of it. O(text) for all of them.
    pub fn fill<'c>(
        &mut self,
        space: &mut Option<bool>,
        chars: &'c mut [Char; PLACES],
    ) -> &'c [Char] {
        let mut len = 0;
        while self.next < self.text.len() && len < PLACES - WINDOW {
            len = with_padding(self.text, self.next, |bytes| {
                take(bytes, self.text.len() - self.next, space, chars, len)
            });
            self.next += WINDOW;
        }
        &chars[..len]
    }
}

/// Takes the characters that start among 64 bytes, of which so many are of the text.
#[inline]
fn take(
    bytes: &[u8; READ],
    left: usize,
    space: &mut Option<bool>,
    chars: &mut [Char; PLACES],
    mut len: usize,
) -> usize {
    let (starts, spaces) = starts(bytes);
    let mut starts = starts & mask_below(left.min(WINDOW) as u32);
    let mut add = |char| {
        chars[len % PLACES] = char;
        len += 1;
    };
    while starts != 0 {
        if *space == Some(false) {
            // No white space comes before those up to here.
            let mut run = starts & mask_below((starts & spaces).trailing_zeros());
            starts &= !run;
            while run != 0 {
                add(Char::among(bytes, run.trailing_zeros()));
                run &= run - 1;
            }
            if starts == 0 {
                break;
            }
        }
        let bit = starts.trailing_zeros();
        starts &= starts - 1;
        let char = Char::among(bytes, bit);
        if spaces >> bit & 1 != 0 && char.is_white_space() {
            *space = space.map(|_| true);
            continue;
        }
        if *space == Some(true) {
            add(Char::SPACE);
        }
        *space = Some(false);
        add(char);
    }
    len
}

/// Where characters start among 64 bytes, and which of them may be white space, other than one blank by itself.
fn starts(bytes: &[u8; READ]) -> (u64, u64) {
    let [starts, spaces, blanks] = classify(bytes, |first, second, third| {
        let ascii = first.in_range(0, b' ');
        let general = first.is(0xe2).and(second.in_range(0x80, 0x81));
        let ideographic = first.is(0xe3).and(second.is(0x80)).and(third.is(0x80));
        let others = first.is(0xc2).or(first.is(0xe1));
        [first.greater(0xbf), ascii.or(general).or(ideographic).or(others), first.is(b' ')]
    });
    // By itself means that none of the three bytes before is of white space. Of those around the 64 nothing is known.
    let near = spaces << 1 | spaces << 2 | spaces << 3 | spaces >> 1;
    let alone = blanks & !near & u64::MAX >> 1 & u64::MAX << 3;
    (starts, spaces & !alone)
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    #[test]
    fn characters_are_those_of_the_standard_library() {
        for c in '\0'..=char::MAX {
            let text = String::from_iter([c, 'x', 'y', 'z']);
            for text in [&text[..c.len_utf8()], &text] {
                let char = Char::first(text.as_bytes());
                assert_eq!(char.is_white_space(), c.is_whitespace(), "{c:?}");
                assert_eq!(char.len(), c.len_utf8(), "{c:?}");
                assert_eq!(String::from(char), String::from(c));
            }
        }
    }

    /// One after the other, and looked at each by itself.
    fn expected(text: &str) -> String {
        let words: Vec<&str> =
            text.split(char::is_whitespace).filter(|word| !word.is_empty()).collect();
        words.join(" ")
    }

    #[test]
    fn white_space_is_found_wherever_it_stands() {
        let chars = [
            ' ', '\n', '\u{85}', '\u{a0}', '\u{1680}', '\u{2003}', '\u{3000}', 'x', '·', 'ḁ', '漢',
            '😀',
        ];
        for number in 0..chars.len().pow(3) {
            let three = [number, number / chars.len(), number / chars.len().pow(2)];
            let three = String::from_iter(three.map(|at| chars[at % chars.len()]));
            for before in (0..4).chain(56..68) {
                let text = "y".repeat(before) + &three + "z " + &three;
                let (mut found, mut space) = (String::new(), None);
                let mut letters = Chars::new(&text);
                let mut place = [Char::default(); PLACES];
                while let some @ [_, ..] = letters.fill(&mut space, &mut place) {
                    found.extend(some.iter().map(|char| char.decoded()));
                }
                assert_eq!(found, expected(&text), "{text:?}");
                let ends_with_space = text.ends_with(char::is_whitespace) && !found.is_empty();
                assert_eq!(space == Some(true), ends_with_space, "{text:?}");
            }
        }
    }
}
