//! The words, most of which windows find, are those of `unicode-segmentation` alone.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nearprint::simhash::{Fingerprinter, Scheme};
use unicode_segmentation::UnicodeSegmentation;

fuzz_target!(|text: &str| {
    let scheme: Scheme = "v1:64:verbatim:words1:tf".parse().unwrap();
    let features = Fingerprinter::new(scheme).unwrap().features(text);
    let mut expected: Vec<(&str, u32)> = Vec::new();
    for word in text.unicode_words() {
        match expected.iter_mut().find(|(known, _)| *known == word) {
            Some((_, count)) => *count += 1,
            None => expected.push((word, 1)),
        }
    }
    let found: Vec<_> = features.iter().map(|f| (f.feature.as_str(), f.count)).collect();
    assert_eq!(found, expected);
});
