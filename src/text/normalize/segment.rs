//! Segments that must be decomposed, sorted and composed.

use alloc::{string::String, vec::Vec};

use super::unicode::{CharData, Unicode};
use crate::sort::sort;

/// Buffers of [`push_segment`].
#[derive(Default)]
pub(super) struct Scratch {
    /// The characters as numbers that sort as canonical order sorts marks: the class in 8 bits, the position in 35, the
    /// character in 21. A class of 0 means a starter, any other a mark.
    decomposed: Vec<u64>,
    composed: Vec<char>,
}

fn class_of(decomposed: u64) -> u8 {
    (decomposed >> 56) as u8
}

fn char_of(decomposed: u64) -> char {
    char::from_u32(decomposed as u32 & 0x1f_ffff).expect("the bits of a character")
}

/// Appends the normalised first segment of a text, and returns the segment's length.
pub(super) fn push_segment(
    text: &str,
    unicode: &Unicode,
    out: &mut String,
    Scratch { decomposed, composed }: &mut Scratch,
) -> usize {
    decomposed.clear();
    let mut len = text.len();
    for (at, c) in text.char_indices() {
        let data = unicode.char_data(c);
        if at > 0 && data.starts_segment() {
            len = at;
            break;
        }
        match data.kind() {
            CharData::STRING | CharData::OTHER => {
                unicode.string(data).iter().for_each(|&c| decompose(c, unicode, decomposed));
            }
            CharData::NOTHING => {}
            CharData::CHAR => decompose(data.char(), unicode, decomposed),
            _ => decompose(c.to_ascii_lowercase(), unicode, decomposed),
        }
    }
    // Canonical order: the marks after each starter, sorted by class without changing the order within a class.
    for marks in decomposed.chunk_by_mut(|_, &next| class_of(next) != 0) {
        sort(marks);
    }
    compose(decomposed, unicode, composed);
    out.extend(&*composed);
    len
}

/// Appends the full canonical decomposition of a character of a folded text.
fn decompose(c: char, unicode: &Unicode, decomposed: &mut Vec<u64>) {
    if let Some((first, second)) = unicode.parts(c) {
        decompose(first, unicode, decomposed);
        decompose(second, unicode, decomposed);
    } else {
        let (class, at) = (u64::from(unicode.char_data(c).class()), decomposed.len() as u64);
        decomposed.push(class << 56 | at << 21 | u64::from(c));
    }
}

/// Composes characters that are in canonical order.
///
/// A mark, or a starter directly after another starter, merges with the last starter if the two have a composite and nothing
/// of the same class, nor another starter, is between them.
fn compose(decomposed: &[u64], unicode: &Unicode, composed: &mut Vec<char>) {
    composed.clear();
    let mut starter = None;
    let mut last_class = 0;
    for &character in decomposed {
        let (class, c) = (class_of(character), char_of(character));
        if let Some(at) = starter
            && (at + 1 == composed.len() || last_class < class)
            && let Some(composite) = unicode.composite(composed[at], c)
        {
            composed[at] = composite;
            continue;
        }
        if class == 0 {
            starter = Some(composed.len());
        }
        last_class = class;
        composed.push(c);
    }
}
