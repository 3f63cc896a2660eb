//! The kind of a segment.
//!
//! In: a segment. Out: whether it is a word, and how its script is written ([`Kind`]).
//!
//! The table is our own, since `unicode-segmentation` exports no properties and the Unicode version of `char::is_alphabetic`
//! is the compiler's: a fingerprint must not change with the compiler.

use alloc::boxed::Box;

use once_cell::race::OnceBox;

use crate::text::columns::{Column, Runs};

/// The kind of a word, by its first letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// No letter, but a number.
    Number,
    /// A letter of a script written with spaces.
    Spaced,
    /// A letter of a script written without spaces.
    Unspaced,
}

impl Kind {
    /// Returns the kind of a segment, or `None` if it is not a word.
    pub fn of(segment: &str) -> Option<Self> {
        let runs = runs();
        let mut kind = None;
        for c in segment.chars() {
            match runs.value(c) {
                0 => {}
                1 => kind = Some(Kind::Number),
                2 => return Some(Kind::Spaced),
                _ => return Some(Kind::Unspaced),
            }
        }
        kind
    }
}

/// Returns the runs of characters of one kind: 0 for neither letter nor number, 1 for a number, 2 for a letter, 3 for a letter
/// of a script written without spaces.
///
/// A test generates the file from Unicode's data: Copyright © 1991-2025 Unicode, Inc., Unicode License v3 (LICENSE-UNICODE).
fn runs() -> &'static Runs<2> {
    static RUNS: OnceBox<Runs<2>> = OnceBox::new();
    RUNS.get_or_init(|| Box::new(Runs::read(Column(include_bytes!("kind.bin")))))
}

#[cfg(test)]
mod tests {
    use std::{fs, string::String, vec::Vec};

    use icu_properties::{
        CodePointMapData, CodePointSetData,
        props::{Alphabetic, GeneralCategory, GeneralCategoryGroup, Script},
        script::ScriptWithExtensions,
    };
    use unicode_segmentation::UnicodeSegmentation;

    use super::*;

    /// The length of each run of characters of one kind, and the kind, by ICU4X, the Unicode Consortium's library.
    fn expected_runs() -> Vec<(u32, u32)> {
        let alphabetic = CodePointSetData::new::<Alphabetic>();
        let categories = CodePointMapData::<GeneralCategory>::new();
        let scripts = ScriptWithExtensions::new();
        // The long vowel mark, for one, is Common, and shared by scripts.
        let is_unspaced = |c: char| match scripts.get_script_val(c) {
            Script::Common => [Script::Han, Script::Hiragana, Script::Katakana]
                .iter()
                .any(|&script| scripts.has_script(c, script)),
            Script::Han | Script::Hiragana | Script::Katakana => true,
            Script::Thai | Script::Lao | Script::Khmer | Script::Myanmar => true,
            _ => false,
        };
        let kind = |c: char| {
            if alphabetic.contains(c) {
                2 + u32::from(is_unspaced(c))
            } else {
                u32::from(GeneralCategoryGroup::Number.contains(categories.get(c)))
            }
        };
        let kinds: Vec<u32> = (0..=u32::from(char::MAX))
            .map(|code| char::from_u32(code).map_or(0, kind)) // a surrogate has no kind
            .collect();
        kinds.chunk_by(|a, b| a == b).map(|run| (run.len() as u32, run[0])).collect()
    }

    /// Seven bits a byte, the most significant first; bit 7 means that more bytes follow.
    fn varint(number: u32) -> impl Iterator<Item = u8> {
        let len = (1..5).find(|len| number >> (7 * len) == 0).expect("fewer than 28 bits");
        (0..len).rev().map(move |at| (number >> (7 * at)) as u8 & 0x7f | u8::from(at > 0) << 7)
    }

    #[test]
    #[cfg_attr(miri, ignore = "every character")]
    fn the_table_agrees_with_icu4x() {
        let runs = expected_runs();
        let bytes: Vec<u8> = runs.iter().flat_map(|(len, kind)| varint(len << 2 | kind)).collect();
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/text/words/kind.bin");
        if std::env::var_os("UPDATE").is_some() {
            fs::write(path, &bytes).expect("a writable file");
        }
        let is_current = fs::read(path).is_ok_and(|old| old == bytes);
        assert!(is_current, "{path} is not up to date: UPDATE=1 cargo test --lib kind");
    }

    #[test]
    #[cfg_attr(miri, ignore = "every character")]
    fn words_are_those_of_unicode_segmentation() {
        for c in '\0'..=char::MAX {
            let segment = String::from(c);
            assert_eq!(Kind::of(&segment).is_some(), segment.unicode_words().count() > 0, "{c:?}");
        }
    }
}
