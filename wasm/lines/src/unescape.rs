//! The text of a JSON string.

use alloc::vec::Vec;

use crate::simd::{Bytes, window::with_padding};

/// The number of bytes that are copied at once.
const VECTOR: usize = 16;

/// Writes the text that the content of a valid JSON string stands for to the start of `to`, and returns its length. A lone surrogate
/// becomes U+FFFD, as it does when JavaScript encodes a string.
pub(super) fn unescape(content: &[u8], to: &mut Vec<u8>) -> usize {
    // No escape is shorter than its character. The last vector has zeros after the end.
    if to.len() < content.len() + VECTOR {
        to.resize(content.len() + VECTOR, 0);
    }
    let (mut at, mut end) = (0, 0);
    while at < content.len() {
        // A vector is copied whole. Its bytes after an escape are overwritten.
        let escapes = with_padding(content, at, |bytes: &[u8; VECTOR]| {
            to[end..end + VECTOR].copy_from_slice(bytes);
            Bytes::new(bytes).is(b'\\').movemask()
        });
        let plain = if escapes == 0 { VECTOR } else { escapes.trailing_zeros() as usize };
        at += plain;
        end += plain;
        if escapes == 0 {
            continue;
        }
        to[end] = match content[at + 1] {
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let (character, rest) = code_point(&content[at..]);
                end += character.encode_utf8(&mut to[end..]).len();
                at = content.len() - rest.len();
                continue;
            }
            itself => itself,
        };
        at += 2;
        end += 1;
    }
    // Without the zeros.
    end + content.len() - at
}

/// Returns the character of the escape at the start (`\u` and four digits, or two of them for a surrogate pair), and the rest.
fn code_point(content: &[u8]) -> (char, &[u8]) {
    let (first, rest) = unit(content).unwrap_or_default();
    if let (0xd800..0xdc00, Some((second @ 0xdc00..0xe000, after))) = (first, unit(rest)) {
        let pair = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        return (char::from_u32(pair).unwrap_or(char::REPLACEMENT_CHARACTER), after);
    }
    (char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), rest)
}

/// Returns the UTF-16 unit of the escape at the start, if there is one, and the rest.
fn unit(content: &[u8]) -> Option<(u32, &[u8])> {
    let (digits, rest) = content.strip_prefix(br"\u")?.split_first_chunk::<4>()?;
    let digit = |&digit: &u8| char::from(digit).to_digit(16).unwrap_or_default();
    Some((digits.iter().map(digit).fold(0, |unit, digit| unit << 4 | digit), rest))
}
