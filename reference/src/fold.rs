//! The reference implementation of folding: the text whose words sketches compare.

use std::ops::RangeInclusive;

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

const MARKS: [RangeInclusive<u32>; 22] = [
    0x0300..=0x036f,
    0x0483..=0x0487,
    0x0591..=0x05bd,
    0x05bf..=0x05bf,
    0x05c1..=0x05c2,
    0x05c4..=0x05c5,
    0x05c7..=0x05c7,
    0x0610..=0x061a,
    0x064b..=0x065f,
    0x0670..=0x0670,
    0x06d6..=0x06dc,
    0x06df..=0x06e4,
    0x06e7..=0x06e8,
    0x06ea..=0x06ed,
    0x0711..=0x0711,
    0x0730..=0x074a,
    0x08ca..=0x08e1,
    0x08e3..=0x08ff,
    0x1ab0..=0x1aff,
    0x1dc0..=0x1dff,
    0x20d0..=0x20f0,
    0xfe20..=0xfe2f,
];

pub fn is_mark(c: char) -> bool {
    MARKS.iter().any(|range| range.contains(&u32::from(c)))
}
