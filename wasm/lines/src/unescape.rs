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
                let units = content[at..].chunks(6).map_while(unit);
                let character = char::decode_utf16(units).next().and_then(Result::ok);
                let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
                at += 6 * character.len_utf16();
                end += character.encode_utf8(&mut to[end..]).len();
                continue;
            }
            itself => itself,
        };
        at += 2;
        end += 1;
    }
    // The last vector may have copied zeros from after the end.
    end + content.len() - at
}

/// Returns the UTF-16 unit of an escape of six bytes, or `None` if they are something else.
fn unit(escape: &[u8]) -> Option<u16> {
    let digits = escape.strip_prefix(br"\u")?;
    digits
        .iter()
        .try_fold(0, |unit, &digit| Some(unit << 4 | char::from(digit).to_digit(16)? as u16))
}
