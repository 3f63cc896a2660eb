//! The reference implementation of folding: the text whose words sketches compare.

use icu_normalizer::{ComposingNormalizer, DecomposingNormalizer};
use icu_properties::CodePointSetData;
use icu_properties::props::Alphabetic;

/// A character of normalised text that folding changed or dropped.
#[derive(Debug, PartialEq, Eq)]
pub struct Change {
    /// The position in the folded text, in bytes, after what it became.
    pub end: usize,
    pub from: char,
}

/// Returns the folded text of a normalised one, and the changes, without those of apostrophes and other joiners.
pub fn fold(normal: &str) -> (String, Vec<Change>) {
    let chars: Vec<char> = normal.chars().collect();
    let mut folded = String::new();
    let mut changes = Vec::new();
    for (at, &c) in chars.iter().enumerate() {
        if is_joiner(c) {
            // The nearest characters on both sides that are neither joiners nor marks.
            let stays = |c: &&char| !is_joiner(**c) && !is_mark(**c);
            let before = chars[..at].iter().rev().find(stays);
            let after = chars[at..].iter().find(stays);
            // Without accents a letter is a letter.
            if ![before, after].into_iter().flatten().any(|&c| is_letter(c)) {
                folded.push(c);
            }
            continue;
        }
        let same = folded.len();
        folded += &without_marks(c);
        if folded[same..] != *c.to_string() {
            changes.push(Change { end: folded.len(), from: c });
        }
    }
    (folded, changes)
}

fn without_marks(c: char) -> String {
    if is_mark(c) {
        return String::new();
    }
    let mut base = c.to_string();
    if is_letter(c) {
        let decomposed = DecomposingNormalizer::new_nfd().normalize(&base).into_owned();
        let kept = decomposed.trim_end_matches(is_mark);
        base = ComposingNormalizer::new_nfc().normalize(kept).into_owned();
    }
    match &*base {
        "æ" => "ae",
        "œ" => "oe",
        "ł" => "l",
        "đ" => "d",
        "ø" => "o",
        "ħ" => "h",
        "ŧ" => "t",
        "ı" => "i",
        "\u{671}" => "\u{627}",
        "\u{649}" | "\u{6cc}" => "\u{64a}",
        "\u{6a9}" => "\u{643}",
        same => same,
    }
    .into()
}

fn is_letter(c: char) -> bool {
    CodePointSetData::new::<Alphabetic>().contains(c)
}

fn is_joiner(c: char) -> bool {
    matches!(
        u32::from(c),
        0x27 | 0xb7 | 0x2b9..=0x2bf | 0x387 | 0x55a | 0x5f3 | 0x5f4 | 0x640 | 0x7f4
    ) || matches!(u32::from(c), 0x2018..=0x201b | 0x2027)
}

pub fn is_mark(c: char) -> bool {
    let ranges = "0300-036F 0483-0487 0591-05BD 05BF-05BF 05C1-05C2 05C4-05C5 05C7-05C7 0610-061A 064B-065F 0670-0670 \
        06D6-06DC 06DF-06E4 06E7-06E8 06EA-06ED 0711-0711 0730-074A 08CA-08E1 08E3-08FF 1AB0-1AFF 1DC0-1DFF \
        20D0-20F0 FE20-FE2F";
    let number = |hex| u32::from_str_radix(hex, 16).unwrap();
    let mut ranges = ranges.split_whitespace().map(|range| range.split_once('-').unwrap());
    ranges.any(|(first, last)| (number(first)..=number(last)).contains(&u32::from(c)))
}
