//! Characters as they stand in a text, in UTF-8.

use alloc::string::String;

use crate::{
    bytes::{self, LEN, SEEN, gather},
    fnv,
};

/// A character in UTF-8, its first byte the lowest. Above it there may be bytes of others.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Char(u32);

impl Char {
    pub const SPACE: Char = Char(b' ' as u32);

    /// The first of a text.
    #[inline]
    pub fn first(text: &[u8]) -> Self {
        Char(fnv::eight(text, 0) as u32)
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
    /// Which of the last ones start characters that were not taken yet, and which may be white space.
    starts: u64,
    spaces: u64,
}

impl<'a> Chars<'a> {
    pub fn new(text: &'a str) -> Self {
        Chars { text: text.as_bytes(), next: 0, starts: 0, spaces: 0 }
    }

    /// The next characters, as many as there is place for. `space` tells whether there is white space before them, and is
    /// told whether there is behind: before the first of a text nothing is said of it. O(text) for all of them.
    pub fn fill<'c>(&mut self, space: &mut Option<bool>, chars: &'c mut [Char]) -> &'c [Char] {
        let mut len = 0;
        // A character and the space before it take two places.
        while len + 1 < chars.len() {
            if self.starts == 0 {
                if self.next >= self.text.len() {
                    break;
                }
                (self.starts, self.spaces) = bytes::seen(self.text, self.next, starts);
                self.next += LEN as usize;
                let behind = self.next.saturating_sub(self.text.len()) as u32;
                self.starts &= u64::MAX >> behind;
                continue; // there may be none: the end of a character that started before
            }
            let bit = self.starts.trailing_zeros();
            self.starts &= self.starts - 1;
            let at = self.next - LEN as usize + bit as usize;
            let char = Char(fnv::eight(self.text, at) as u32);
            if self.spaces >> bit & 1 != 0 && char.is_white_space() {
                *space = space.map(|_| true);
                continue;
            }
            if *space == Some(true) {
                chars[len] = Char::SPACE;
                len += 1;
            }
            *space = Some(false);
            chars[len] = char;
            len += 1;
        }
        &chars[..len]
    }
}

/// Where characters start among 64 bytes, and which of them may be white space.
fn starts(bytes: &[u8; SEEN]) -> (u64, u64) {
    let [starts, spaces] = gather(bytes, |first, second, third| {
        let ascii = first.within(0, b' ');
        let general = first.is(0xe2).and(second.within(0x80, 0x81));
        let ideographic = first.is(0xe3).and(second.is(0x80)).and(third.is(0x80));
        let others = first.is(0xc2).or(first.is(0xe1));
        [first.over(0xbf), ascii.or(general).or(ideographic).or(others)]
    });
    (starts, spaces)
}

#[cfg(test)]
mod tests {
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
}
