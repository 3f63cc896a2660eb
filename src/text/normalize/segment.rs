//! Segments that must be decomposed, sorted and composed.

use alloc::{string::String, vec::Vec};

use super::unicode::{CharData, Unicode};

/// A character of a decomposed text. A class of 0 means a starter, any other a mark.
struct Decomposed {
    class: u8,
    c: char,
}

/// Buffers of [`push_segment`].
#[derive(Default)]
pub(super) struct Scratch {
    decomposed: Vec<Decomposed>,
    /// Marks as numbers that sort as the marks do.
    order: Vec<u64>,
    composed: Vec<char>,
}

/// Appends the normalised first segment of a text, and returns the segment's length.
pub(super) fn push_segment(
    text: &str,
    unicode: &Unicode,
    out: &mut String,
    Scratch { decomposed, order, composed }: &mut Scratch,
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
    for marks in decomposed.chunk_by_mut(|_, next| next.class != 0) {
        sort_by_class(marks, order);
    }
    compose(decomposed, unicode, composed);
    out.extend(&*composed);
    len
}

/// Sorts marks by class, and keeps their order within a class. Sorts them as numbers, as other code of the crate does: another
/// instance of a sort is 4 kB of WebAssembly.
fn sort_by_class(marks: &mut [Decomposed], order: &mut Vec<u64>) {
    if marks.is_sorted_by_key(|mark| mark.class) {
        return;
    }
    order.clear();
    // The class in 8 bits, the position in 35, the character in 21.
    order.extend(marks.iter().enumerate().map(|(at, mark)| {
        u64::from(mark.class) << 56 | (at as u64) << 21 | u64::from(u32::from(mark.c))
    }));
    order.sort_unstable();
    for (mark, number) in marks.iter_mut().zip(order) {
        let c = char::from_u32(*number as u32 & 0x1f_ffff).expect("the bits of a character");
        *mark = Decomposed { class: (*number >> 56) as u8, c };
    }
}

/// Appends the full canonical decomposition of a character of a folded text.
fn decompose(c: char, unicode: &Unicode, decomposed: &mut Vec<Decomposed>) {
    if let Some((first, second)) = unicode.parts(c) {
        decompose(first, unicode, decomposed);
        decompose(second, unicode, decomposed);
    } else {
        decomposed.push(Decomposed { class: unicode.char_data(c).class(), c });
    }
}

/// Composes characters that are in canonical order.
///
/// A mark, or a starter directly after another starter, merges with the last starter if the two have a composite and nothing
/// of the same class, nor another starter, is between them.
fn compose(decomposed: &[Decomposed], unicode: &Unicode, composed: &mut Vec<char>) {
    composed.clear();
    let mut starter = None;
    let mut last_class = 0;
    for &Decomposed { class, c } in decomposed {
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
