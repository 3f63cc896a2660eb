//! The class of a character, by which a window decides words.
//!
//! In: a character. Out: one of the constants below.
//!
//! `unicode-segmentation` exports no properties. So the class is derived from its boundaries in short strings with the
//! character, when the character first occurs, and kept for all texts.

use core::sync::atomic::{AtomicU8, Ordering};

use unicode_segmentation::UnicodeSegmentation;

use super::word::{WordRule, is_split};
use crate::text::{
    char_rows::ROW,
    kind::{self, Kind},
};

/// Any character that is in none of the other classes.
const UNKNOWN: usize = 1;
/// ALetter, and a letter in Unicode's sense.
pub(super) const LETTER: usize = 2;
/// Hebrew_Letter.
pub(super) const HEBREW: usize = 3;
/// Extend and Format.
pub(super) const MARK: usize = 4;
/// Numeric, and a number in Unicode's sense.
pub(super) const DIGIT: usize = 5;
/// A letter of a script written without spaces that only marks join.
pub(super) const CLUSTER: usize = 6;
/// Neither letter nor number, and only marks join it.
pub(super) const OTHER: usize = 7;
/// MidNum: like OTHER, but it joins digits.
pub(super) const COMMA: usize = 8;
/// The number of classes, rounded up to a power of two.
pub(super) const CLASSES: usize = 16;

/// The first character whose class is not kept. The classes of all others take a byte each.
const END: usize = 0x20000;

/// The classes of the characters of a row.
#[derive(Clone, Copy)]
pub(super) struct Row {
    number: usize,
    rule: WordRule,
    /// 0 for a class that is not derived yet.
    classes: &'static [AtomicU8; ROW],
}

impl Row {
    /// Returns the row of this number, or `None` if its classes are not kept: all are unknown.
    #[inline]
    pub fn get(number: usize, rule: WordRule) -> Option<Self> {
        type Rows = [[AtomicU8; ROW]; END / ROW];
        static V1: Rows = [const { [const { AtomicU8::new(0) }; ROW] }; END / ROW];
        static S1: Rows = [const { [const { AtomicU8::new(0) }; ROW] }; END / ROW];
        let rows = match rule {
            WordRule::V1 => &V1,
            WordRule::S1 => &S1,
        };
        rows.get(number).map(|classes| Row { number, rule, classes })
    }

    /// Returns the class of the character in this column, which is not ASCII.
    #[inline]
    pub fn class(self, column: usize) -> usize {
        let known = &self.classes[column];
        match usize::from(known.load(Ordering::Relaxed)) {
            0 => {
                let c = char::from_u32((self.number * ROW + column) as u32);
                let c = c.expect("a character of a text");
                let mut class = derive(c);
                // Other letters than LETTER are joined by marks only, but are not of scripts that V1 knows as unspaced.
                if self.rule == WordRule::S1 && class != MARK && is_split(c) && kind::is_letter(c) {
                    class = CLUSTER;
                }
                known.store(class as u8, Ordering::Relaxed);
                class
            }
            class => class % CLASSES,
        }
    }
}

#[cold]
#[inline(never)]
fn derive(c: char) -> usize {
    let mut utf8 = [0; 4];
    let c = &*c.encode_utf8(&mut utf8);
    let is_segment = |before, after| {
        let text = [before, c, after].concat();
        text.split_word_bounds().next() == Some(&*text)
    };
    match Kind::of(c) {
        // The joiner of pictographs (WB3c), which is an Extend too.
        _ if c == "\u{200d}" => UNKNOWN,
        // WB4.
        _ if is_segment(".", "") => MARK,
        // ALetter and Hebrew_Letter: WB6 and WB7. Only the latter: WB7a.
        Some(Kind::Spaced) if is_segment("", "'") => HEBREW,
        Some(Kind::Spaced) if is_segment("a:", "") => LETTER,
        // WB11 and WB12.
        Some(Kind::Number) if is_segment("1,", "") => DIGIT,
        Some(Kind::Number | Kind::Spaced) => UNKNOWN,
        // WB6 and WB7 have no such joiner, WB11 and WB12 do.
        _ if is_segment("1", "1") && !is_segment("a", "a") => COMMA,
        // Joiners and what they join (WB5 to WB12), Katakana (WB13), ExtendNumLet (WB13a), WSegSpace (WB3d), and
        // Regional_Indicator (WB15).
        _ if is_segment("a", "a")
            || is_segment("カ", "")
            || is_segment(" ", "")
            || is_segment("🇦", "") =>
        {
            UNKNOWN
        }
        Some(Kind::Unspaced) => CLUSTER,
        None => OTHER,
    }
}
