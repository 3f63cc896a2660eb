//! Words against Unicode's own WordBreakTest.txt, whose segments are independent of any implementation.

use std::fs::File;
use std::io::Read as _;

use icu_properties::CodePointMapData;
use icu_properties::CodePointSetData;
use icu_properties::props::{Alphabetic, GeneralCategory, GeneralCategoryGroup};
use nearprint::Fingerprinter;

/// The different words of a text: its features of one word each.
fn words(text: &str) -> Vec<String> {
    let scheme = "v1:64:verbatim:words1".parse().expect("a scheme");
    let features = Fingerprinter::new(scheme).expect("a fingerprinter").features(text);
    features.into_iter().map(|f| f.feature).collect()
}

/// Whether a segment is a word: it has a letter or a number, by Unicode's properties.
fn is_word(segment: &str) -> bool {
    segment.chars().any(|c| {
        let category = CodePointMapData::<GeneralCategory>::new().get(c);
        CodePointSetData::new::<Alphabetic>().contains(c)
            || GeneralCategoryGroup::Number.contains(category)
    })
}

#[test]
fn every_line_of_word_break_test() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/WordBreakTest.txt.gz");
    let mut file = String::new();
    flate2::read::GzDecoder::new(File::open(path).expect("the data"))
        .read_to_string(&mut file)
        .expect("a text");
    assert!(file.starts_with("# WordBreakTest-17.0.0.txt"), "the Unicode version of the scheme");
    let mut lines = 0;
    for line in file.lines() {
        // ÷ 0001 × 0308 ÷ 0001 ÷	#  a comment
        let data = line.split('#').next().unwrap_or_default().trim();
        if data.is_empty() {
            continue;
        }
        lines += 1;
        let character = |code: &str| {
            char::from_u32(u32::from_str_radix(code, 16).expect("digits")).expect("a character")
        };
        let segments: Vec<String> = data
            .split('÷')
            .map(|segment| {
                segment.split(['×', ' ']).filter(|code| !code.is_empty()).map(character).collect()
            })
            .collect();
        let mut expected: Vec<String> = Vec::new();
        for segment in segments.iter().filter(|segment| is_word(segment)) {
            if !expected.contains(segment) {
                expected.push(segment.clone());
            }
        }
        assert_eq!(words(&segments.concat()), expected, "{line}");
    }
    assert!(lines > 1800, "{lines} lines");
}
