//! Python's `str.split()` and `re.findall(r'[\w\u4e00-\u9fcc]+', s.lower())`.

use alloc::{boxed::Box, vec::Vec};

use once_cell::race::OnceBox;

use super::python_unicode;
use crate::text::{generated::Runs, is_white_space};

/// Returns the words of `str.split()`.
///
/// All of Python's white space is below U+FFFF and outside the surrogates, so single UTF-16 units decide.
pub(super) fn split(text: &[u16]) -> impl Iterator<Item = &[u16]> {
    text.split(|&unit| is_space(unit)).filter(|word| !word.is_empty())
}

/// Returns whether `str.isspace()` is true for a character: Unicode's `White_Space`, and the four information separators.
fn is_space(unit: u16) -> bool {
    matches!(unit, 0x1c..=0x1f) || char::from_u32(unit.into()).is_some_and(is_white_space)
}

/// Returns the characters of `s.lower()` that `[\w\u4e00-\u9fcc]` matches.
///
/// Python's `\w` does not match a lone surrogate, so each is replaced by U+FFFD, which `\w` does not match either. Neither
/// is cased or case-ignorable.
pub(super) fn lower_word_chars(text: &[u16]) -> impl Iterator<Item = char> {
    let mut rest = char::decode_utf16(text.iter().copied())
        .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER));
    let mut after_cased = false;
    core::iter::from_fn(move || {
        loop {
            let character = rest.next()?;
            let properties = properties(character);
            let is_final = character == 'Σ' && after_cased && !is_before_cased(rest.clone());
            if properties & IGNORED == 0 {
                after_cased = properties & CASED != 0;
            }
            // A character is a word character if and only if its lower case is, so testing before lowering is enough.
            if properties & WORD != 0 {
                return Some(if is_final { 'ς' } else { lower(character) });
            }
        }
    })
}

/// Returns whether the first character that is not ignored is cased.
fn is_before_cased(mut characters: impl Iterator<Item = char>) -> bool {
    characters.find(|&c| properties(c) & IGNORED == 0).is_some_and(|c| properties(c) & CASED != 0)
}

/// The property of a character that `[\w\u4e00-\u9fcc]` matches.
const WORD: u32 = 4;
/// `Cased` and not `Case_Ignorable`. A capital sigma lowers to a final sigma if a cased character precedes it and none follows.
/// [`IGNORED`] characters in between are skipped.
const CASED: u32 = 2;
/// `Case_Ignorable`.
const IGNORED: u32 = 1;

fn properties(character: char) -> u32 {
    Unicode::get().properties.value(character)
}

/// Returns the word character of `character.lower()`. There is one: only `İ` lowers to two characters, and the second is a
/// mark.
fn lower(character: char) -> char {
    let code = u32::from(character);
    let lower = &Unicode::get().lower;
    match lower.get(lower.partition_point(|range| range.last < code)) {
        Some(range) if range.first <= code && (code - range.first).is_multiple_of(range.step) => {
            char::from_u32(code.wrapping_add(range.offset)).unwrap_or(character)
        }
        _ => character,
    }
}

/// The expanded tables of [`python_unicode`].
struct Unicode {
    properties: Runs,
    lower: Vec<LowerRange>,
}

/// A range of capitals, every `step`-th code point from `first` to `last`: adding the offset gives the lower case.
struct LowerRange {
    first: u32,
    last: u32,
    step: u32,
    offset: u32,
}

impl Unicode {
    fn get() -> &'static Self {
        static UNICODE: OnceBox<Unicode> = OnceBox::new();
        UNICODE.get_or_init(|| {
            let [properties, mut column] = python_unicode::columns();
            let (mut lower, mut code) = (Vec::new(), 0);
            while !column.is_empty() {
                let gap = column.number();
                let (first, step) = (code + gap / 2, 1 + gap % 2);
                let last = first + (column.number() - 1) * step;
                let mut offset = 0;
                column.step(&mut offset);
                lower.push(LowerRange { first, last, step, offset });
                code = last + 1;
            }
            Box::new(Unicode { properties: Runs::read(properties), lower })
        })
    }
}
