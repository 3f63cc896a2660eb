//! What a segment contains.
//!
//! In: a segment. Out: whether it is a word, and how its script is written ([`Kind`]).
//!
//! The table is our own, since `unicode-segmentation` exports no properties and the Unicode version of `char::is_alphabetic` is
//! the compiler's: a fingerprint must not change with it.

use super::kind_table::RUNS;

/// What a word consists of, by its first letter.
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
    /// The kind of a segment, or `None` if it is no word.
    pub fn of(segment: &str) -> Option<Self> {
        let mut kind = None;
        for c in segment.chars() {
            match Kind::of_char(c) {
                None => {}
                Some(Kind::Number) => kind = Some(Kind::Number),
                letter => return letter,
            }
        }
        kind
    }

    /// [`Spaced`](Kind::Spaced) or [`Unspaced`](Kind::Unspaced) for the property Alphabetic, else [`Number`](Kind::Number) for
    /// the General_Category Number.
    fn of_char(c: char) -> Option<Self> {
        let code = u32::from(c);
        let run = RUNS[RUNS.partition_point(|run| run >> 2 <= code) - 1];
        match run & 3 {
            0 => None,
            1 => Some(Kind::Number),
            2 => Some(Kind::Spaced),
            _ => Some(Kind::Unspaced),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{fmt::Write as _, format, fs, string::String, vec::Vec};

    use icu_properties::{
        CodePointMapData, CodePointSetData,
        props::{Alphabetic, GeneralCategory, GeneralCategoryGroup, Script},
        script::ScriptWithExtensions,
    };
    use unicode_segmentation::UnicodeSegmentation;

    use super::*;

    /// The numbers of [`RUNS`], by ICU4X, the Unicode Consortium's library.
    fn runs() -> Vec<u32> {
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
        let mut runs: Vec<u32> = ('\0'..=char::MAX).map(|c| u32::from(c) << 2 | kind(c)).collect();
        runs.dedup_by_key(|run| *run & 3);
        runs
    }

    #[test]
    fn the_table_agrees_with_icu4x() {
        let runs = runs();
        let mut source = format!(
            "// Made by the tests of kind.rs, Unicode 17.0.0: do not edit.\n\
             // Derived from Unicode's data: Copyright © 1991-2025 Unicode, Inc., Unicode License v3 (LICENSE-UNICODE).\n\n\
             /// The first character of each run of characters of one kind, times 4, plus the kind: 0 for neither letter nor\n\
             /// number, 1 for a number, 2 for a letter, 3 for a letter of a script written without spaces.\n\
             #[rustfmt::skip]\n\
             pub(super) static RUNS: [u32; {}] = [\n",
            runs.len()
        );
        for line in runs.chunks(14) {
            let numbers: Vec<_> = line.iter().map(|run| format!("{run:#x},")).collect();
            writeln!(source, "    {}", numbers.join(" ")).expect("a string");
        }
        source += "];\n";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/text/words/kind_table.rs");
        if std::env::var_os("UPDATE").is_some() {
            fs::write(path, &source).expect("a writable file");
        }
        let is_current = fs::read_to_string(path).is_ok_and(|old| old.replace('\r', "") == source);
        assert!(is_current, "{path} is not up to date: UPDATE=1 cargo test --lib kind");
    }

    #[test]
    fn words_are_those_of_unicode_segmentation() {
        for c in '\0'..=char::MAX {
            let segment = String::from(c);
            assert_eq!(Kind::of(&segment).is_some(), segment.unicode_words().count() > 0, "{c:?}");
        }
    }
}
