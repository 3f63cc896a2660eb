//! From a text to its words or characters.
//!
//! In: a text in UTF-8. Out: the normalised text ([`normalize`]), and then the positions of its words ([`words`]) or its
//! characters ([`chars`]). For sketches, broken words are joined before ([`broken_words`]), and the normalised text is folded
//! ([`fold`]). Time is linear except in sorting marks; memory is for the output and one segment.

pub(crate) mod broken_words;
pub(crate) mod char_rows;
pub(crate) mod chars;
pub(crate) mod fold;
pub(crate) mod generated;
pub(crate) mod kind;
pub mod normalize;
pub(crate) mod words;

pub use normalize::Normalize;

/// Returns whether a character has the property White_Space (PropList.txt). The property is part of the fingerprint, so it must
/// not change with the compiler's version of Unicode.
#[inline]
pub(crate) fn is_white_space(char: char) -> bool {
    matches!(char, '\t'..='\r' | ' ' | '\u{85}' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}')
        || matches!(char, '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}
