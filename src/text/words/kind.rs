//! What a segment contains.
//!
//! In: a segment. Out: whether it is a word, and how its script is written ([`Kind`]).
//!
//! The table is our own, since `unicode-segmentation` exports no properties and the Unicode version of `char::is_alphabetic` is
//! the compiler's: a fingerprint must not change with it.

use alloc::{boxed::Box, vec::Vec};

use once_cell::race::OnceBox;

use super::kind_table::RUNS;
use crate::text::columns::Column;

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
        let starts = run_starts();
        let mut kind = None;
        for c in segment.chars() {
            let code = u32::from(c);
            let run = starts[starts.partition_point(|start| start >> 2 <= code) - 1];
            match run & 3 {
                0 => {}
                1 => kind = Some(Kind::Number),
                2 => return Some(Kind::Spaced),
                _ => return Some(Kind::Unspaced),
            }
        }
        kind
    }
}

/// Returns the first character of each run, times 4, plus the kind of the run as in [`RUNS`]: 7 kB, expanded at first use
/// from 2 kB.
fn run_starts() -> &'static [u32] {
    static STARTS: OnceBox<Vec<u32>> = OnceBox::new();
    STARTS.get_or_init(|| {
        let (mut runs, mut start) = (Column(&RUNS), 0);
        let mut starts = Vec::new();
        while !runs.is_empty() {
            let run = runs.number();
            starts.push(start << 2 | run & 3);
            start += run >> 2;
        }
        Box::new(starts)
    })
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

    /// The length of each run of characters of one kind, and the kind, by ICU4X, the Unicode Consortium's library.
    fn runs() -> Vec<(u32, u32)> {
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
        let bytes: Vec<u8> =
            runs().iter().flat_map(|(len, kind)| varint(len << 2 | kind)).collect();
        let mut source = format!(
            "// Made by the tests of kind.rs, Unicode 17.0.0: do not edit.\n\
             // Derived from Unicode's data: Copyright © 1991-2025 Unicode, Inc., Unicode License v3 (LICENSE-UNICODE).\n\n\
             /// The runs of characters of one kind: the length of each, times 4, plus the kind: 0 for neither letter nor number,\n\
             /// 1 for a number, 2 for a letter, 3 for a letter of a script written without spaces.\n\
             #[rustfmt::skip]\n\
             pub(super) static RUNS: [u8; {}] = [\n",
            bytes.len()
        );
        for line in bytes.chunks(32) {
            let numbers: String = line.iter().map(|byte| format!("{byte},")).collect();
            writeln!(source, "    {numbers}").expect("a string");
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
    #[cfg_attr(miri, ignore = "every character")]
    fn words_are_those_of_unicode_segmentation() {
        for c in '\0'..=char::MAX {
            let segment = String::from(c);
            assert_eq!(Kind::of(&segment).is_some(), segment.unicode_words().count() > 0, "{c:?}");
        }
    }
}
