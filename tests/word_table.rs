//! The table that words are cut by, against ICU4X, the Unicode Consortium's library.
//!
//! `src/text/words/table.rs` is made here: `UPDATE=1 cargo test --test word_table` writes it anew. That the words themselves are
//! those of UAX #29 is tested beside the code, against `unicode-segmentation`.

use std::fmt::Write as _;

use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{Alphabetic, ExtendedPictographic, GeneralCategory, GeneralCategoryGroup, WordBreak},
};

/// What is written without spaces between words, of Scripts.txt: Han, Hiragana, Katakana, Thai, Lao, Khmer, Myanmar,
/// and Japanese at large, as the long vowel mark is. Whole blocks where a block is one script's.
const UNSPACED: &[std::ops::RangeInclusive<u32>] = &[
    0x0e00..=0x0eff,   // Thai, Lao
    0x1000..=0x109f,   // Myanmar
    0x1780..=0x17ff,   // Khmer
    0x3005..=0x3007,   // Han: iteration mark, closing mark, zero
    0x3021..=0x3029,   // Han: Suzhou numerals
    0x3031..=0x303c,   // Kana repeat marks, more numerals, iteration and masu marks
    0x3041..=0x30ff,   // Hiragana, Katakana
    0x31f0..=0x31ff,   // Katakana phonetic extensions
    0x3400..=0x4dbf,   // Han
    0x4e00..=0x9fff,   // Han
    0xa9e0..=0xa9ff,   // Myanmar extended
    0xaa60..=0xaa7f,   // Myanmar extended
    0xf900..=0xfaff,   // Han compatibility
    0xff66..=0xff9f,   // halfwidth Katakana
    0x116d0..=0x116ff, // Myanmar extended C
    0x16fe3..=0x16fe3, // Han: old iteration mark
    0x16ff0..=0x16ff6, // Han: reading marks
    0x1aff0..=0x1b16f, // Kana supplements and extensions
    0x20000..=0x3ffff, // Han: the supplementary and tertiary planes
];

/// The entry of every code point, as `src/text/words/entries.rs` takes it apart.
fn entries() -> Vec<u8> {
    let breaks = CodePointMapData::<WordBreak>::new();
    let categories = CodePointMapData::<GeneralCategory>::new();
    let alphabetic = CodePointSetData::new::<Alphabetic>();
    let pictographic = CodePointSetData::new::<ExtendedPictographic>();
    let entry = |code| {
        let class = match breaks.get32(code) {
            WordBreak::CR | WordBreak::LF | WordBreak::Newline => 1,
            WordBreak::WSegSpace => 2,
            WordBreak::Extend | WordBreak::Format => 3,
            WordBreak::ZWJ => 4,
            WordBreak::ALetter => 5,
            WordBreak::HebrewLetter => 6,
            WordBreak::Numeric => 7,
            WordBreak::Katakana => 8,
            WordBreak::ExtendNumLet => 9,
            WordBreak::RegionalIndicator => 10,
            WordBreak::MidLetter => 11,
            WordBreak::MidNum => 12,
            WordBreak::MidNumLet => 13,
            WordBreak::SingleQuote => 14,
            WordBreak::DoubleQuote => 15,
            _ => 0,
        };
        let kind = if alphabetic.contains32(code) {
            if UNSPACED.iter().any(|range| range.contains(&code)) { 3 } else { 2 }
        } else {
            u8::from(GeneralCategoryGroup::Number.contains(categories.get32(code)))
        };
        class | kind << 4 | u8::from(pictographic.contains32(code)) << 6
    };
    (0..=u32::from(char::MAX)).map(entry).collect()
}

fn column(name: &str, values: &[u8]) -> String {
    let mut out =
        format!("#[rustfmt::skip]\npub(super) static {name}: [u8; {}] = [\n", values.len());
    let mut line = String::from("   ");
    for value in values {
        let item = format!(" {value},");
        if line.len() + item.len() > 120 {
            writeln!(out, "{line}").unwrap();
            line = String::from("   ");
        }
        line += &item;
    }
    out + &line + "\n];\n"
}

/// Seven bits a byte, the highest first, and the eighth says that more follow.
fn number(number: usize) -> impl Iterator<Item = u8> {
    let bytes = (1..5).find(|bytes| number >> (7 * bytes) == 0).unwrap();
    (0..bytes).rev().map(move |byte| (number >> (7 * byte)) as u8 & 0x7f | u8::from(byte > 0) << 7)
}

fn source() -> String {
    let entries = entries();
    let mut runs: Vec<&[u8]> = entries.chunk_by(|a, b| a == b).collect();
    assert_eq!(runs.pop().unwrap()[0], 0); // what follows the last is not written
    let values: Vec<u8> = runs.iter().map(|run| run[0]).collect();
    let lengths: Vec<u8> = runs.iter().flat_map(|run| number(run.len())).collect();
    format!(
        "// Made by tests/word_table.rs, Unicode 17.0.0: do not edit.
// Derived from Unicode's data: Copyright © 1991-2025 Unicode, Inc., Unicode License v3 (LICENSE-UNICODE).

/// The entries of all code points in order, those in a row that are the same only once.
{}
/// How many in a row: seven bits a byte, the highest first, and the eighth says that more follow.
{}",
        column("ENTRIES", &values),
        column("LENGTHS", &lengths)
    )
}

#[test]
fn the_table_is_that_of_the_unicode_character_database() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/text/words/table.rs");
    let source = source();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &source).unwrap();
    }
    let same = std::fs::read_to_string(path).is_ok_and(|old| old.replace('\r', "") == source);
    assert!(same, "{path} is not up to date: UPDATE=1 cargo test --test word_table");
}
