//! Characters as they stand in a text, in UTF-8: to be hashed, not to be decoded.

use alloc::string::String;

/// A character in UTF-8, its first byte the lowest. Above it there may be bytes of others.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Char(u32);

impl Char {
    pub const SPACE: Char = Char(b' ' as u32);

    /// The first of a text.
    #[inline]
    pub fn first(text: &[u8]) -> Self {
        let bytes = text.first_chunk().copied().unwrap_or_else(|| {
            let mut bytes = [0; 4];
            bytes[..text.len()].copy_from_slice(text);
            bytes
        });
        Char(u32::from_le_bytes(bytes))
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
        may_be
            && matches!(
                self.bytes(),
                [b' ' | b'\t'..=b'\r', ..]
                    | [0xc2, 0x85 | 0xa0, ..]
                    | [0xe1, 0x9a, 0x80, _]
                    | [0xe2, 0x80, 0x80..=0x8a | 0xa8 | 0xa9 | 0xaf, _]
                    | [0xe2, 0x81, 0x9f, _]
                    | [0xe3, 0x80, 0x80, _]
            )
    }
}

impl From<Char> for String {
    fn from(char: Char) -> Self {
        str::from_utf8(&char.bytes()[..char.len()]).unwrap_or_default().into()
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
