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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::{format, string::String, vec::Vec};

    /// A character as JSON may write it.
    fn written() -> impl Strategy<Value = (String, String)> {
        let plain = any::<char>()
            .prop_filter("needs an escape", |&c| !matches!(c, '"' | '\\' | '\0'..'\x20'))
            .prop_map(|c| (String::from(c), String::from(c)));
        let number = any::<char>().prop_map(|c| {
            let units =
                c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect();
            (units, String::from(c))
        });
        let short = prop::sample::select(&[
            (r#"\""#, "\""),
            (r"\\", "\\"),
            (r"\/", "/"),
            (r"\b", "\x08"),
            (r"\f", "\x0c"),
            (r"\n", "\n"),
            (r"\r", "\r"),
            (r"\t", "\t"),
            (r"\ud800", "\u{fffd}"),
            (r"\uDfff", "\u{fffd}"),
        ]);
        // A lone surrogate is not followed by the other half.
        let short = short.prop_map(|(from, to)| (format!("{from}."), format!("{to}.")));
        prop_oneof![3 => plain, 1 => number, 1 => short]
    }

    proptest! {
        #[test]
        fn text_is_what_was_written(parts in prop::collection::vec(written(), 0..60)) {
            let (content, expected): (Vec<String>, Vec<String>) = parts.into_iter().unzip();
            // The old content is overwritten.
            let mut actual = std::vec![b'?'; 40];
            let len = unescape(content.concat().as_bytes(), &mut actual);
            actual.truncate(len);
            prop_assert_eq!(String::from_utf8(actual), Ok(expected.concat()));
        }
    }
}
