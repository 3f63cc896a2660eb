//! Characters as they stand in a text, in UTF-8.

use alloc::string::String;

use crate::fnv;

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
    pub fn is_white_space(self) -> bool {
        let first = self.0 as u8;
        // Most characters show by their first byte that they are not.
        let may_be = first <= b' ' || first == 0xc2 || first.wrapping_sub(0xe1) <= 2;
        may_be && self.decoded().is_whitespace()
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
