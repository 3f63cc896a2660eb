//! Fingerprints of other programs: vectors made by running the originals, and the properties of every character in Python.

use std::collections::HashMap;

use nearprint::Error;
use nearprint::simhash::compat::{Input, Scheme, fingerprint_pairs, fingerprint_text};
use proptest::{collection::vec, prelude::*};
use serde_json::Value;

use crate::tier;

fn utf16(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

fn pairs(scheme: Scheme, bits: u32, pairs: &[(Vec<u16>, f64)]) -> Result<u128, Error> {
    fingerprint_pairs(scheme, bits, pairs.iter().map(|(word, weight)| (word.as_slice(), *weight)))
}

mod vectors {
    use super::*;

    /// A text of the file: a string, or `{ "utf16": [units] }` for one with a lone surrogate.
    fn text(value: &Value) -> Vec<u16> {
        value.as_str().map_or_else(
            || serde_json::from_value(value["utf16"].clone()).expect("code units"),
            utf16,
        )
    }

    #[test]
    fn every_vector_passes() {
        let file: Value = serde_json::from_str(include_str!("../compat.json")).expect("JSON");
        let mut counts = [0; Scheme::ALL.len()];
        for vector in file.as_array().expect("vectors") {
            let scheme: Scheme = vector["scheme"].as_str().unwrap().parse().unwrap();
            let bits = u32::try_from(vector["bits"].as_u64().unwrap()).unwrap();
            let input = &vector["input"];
            let fingerprint = match scheme.input() {
                Input::Text => fingerprint_text(scheme, bits, &text(input)),
                Input::Pairs => {
                    let input = input.as_array().unwrap().iter();
                    let input: Vec<_> =
                        input.map(|pair| (text(&pair[0]), pair[1].as_f64().unwrap())).collect();
                    pairs(scheme, bits, &input)
                }
            };
            let hex = u128::from_str_radix(vector["hex"].as_str().unwrap(), 16).unwrap();
            assert_eq!(fingerprint, Ok(hex), "{vector}");
            counts[Scheme::ALL.iter().position(|&known| known == scheme).unwrap()] += 1;
        }
        assert!(counts.iter().all(|&count| count >= 10), "{counts:?}");
    }
}

mod errors {
    use super::*;

    /// Asserts that an error names its argument at the start, and what was passed at the end.
    #[track_caller]
    fn refused<T: std::fmt::Debug>(result: Result<T, Error>, start: &str, end: &str) {
        let message = result.unwrap_err().to_string();
        assert!(message.starts_with(start) && message.ends_with(end), "{message}");
    }

    #[test]
    fn schemes_and_their_widths() {
        for name in ["", "ZXUB", "simhash", "jieba "] {
            refused(
                name.parse::<Scheme>(),
                "scheme must be \"zxub\", ",
                &format!(", got {name:?}"),
            );
        }
        for &scheme in Scheme::ALL {
            assert_eq!(scheme.name().parse(), Ok(scheme));
            for bits in (0..=130).chain([u32::MAX]) {
                let (own, other) = match scheme.input() {
                    Input::Text => (fingerprint_text(scheme, bits, &[]), pairs(scheme, bits, &[])),
                    Input::Pairs => (pairs(scheme, bits, &[]), fingerprint_text(scheme, bits, &[])),
                };
                if scheme.widths().contains(&bits) {
                    assert!(own.is_ok());
                    refused(other, "input must be ", "");
                } else {
                    let end = format!(" with the scheme {scheme}, got {bits}");
                    refused(own, "bits must be ", &end);
                }
            }
        }
    }

    #[test]
    fn counts_weights_and_keywords() {
        let lone = vec![0xd83d];
        let max = f64::from(i32::MAX);
        for (scheme, words, start) in [
            (Scheme::Zxub, vec![(utf16("a"), -1.0)], "count must be a whole number"),
            (Scheme::Zxub, vec![(utf16("a"), 0.5)], "count must be a whole number"),
            (Scheme::Zxub, vec![(utf16("a"), f64::NAN)], "count must be a whole number"),
            (Scheme::Zxub, vec![(utf16("a"), max + 1.0)], "count must be a whole number"),
            (Scheme::Zxub, vec![(utf16("a"), max), (utf16("b"), 1.0)], "counts must be at most"),
            (Scheme::Jieba, vec![(utf16("a"), f64::NAN)], "weight must be"),
            (Scheme::KeywordsPy, vec![(utf16("a"), f64::NEG_INFINITY)], "weight must be"),
            // The originals fail, too.
            (Scheme::Jieba, vec![(lone.clone(), 1.0)], "keyword"),
            (Scheme::KeywordsPy, vec![(vec![], 1.0)], "keyword"),
        ] {
            refused(pairs(scheme, 64, &words), start, "");
        }
        assert!(pairs(Scheme::Zxub, 64, &[(utf16("a"), max)]).is_ok());
        assert!(pairs(Scheme::KeywordsPy, 64, &[(lone, 1.0)]).is_ok());
        // hashlittle2 of an empty keyword is its initial state.
        assert_eq!(pairs(Scheme::Jieba, 64, &[(vec![], 1.0)]), Ok(0xdead_beef_dead_beef));
    }
}

/// Every character, against the properties that Python 3.11 reports, one per line; see `tests/data/python_unicode.py`.
mod characters {
    use super::*;

    const PYTHON: &str = include_str!("../data/python-3.11-unicode-14.0.txt");

    fn line(property: &str) -> impl Iterator<Item = &str> {
        PYTHON.lines().find_map(|line| line.strip_prefix(property)).unwrap().split_whitespace()
    }

    fn code(hex: &str) -> usize {
        usize::from_str_radix(hex, 16).unwrap()
    }

    /// Whether each code point is in a range on the line of a property.
    fn ranges(property: &str) -> Vec<bool> {
        let mut members = vec![false; 0x11_0000];
        for range in line(property) {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            members[code(first)..=code(last)].fill(true);
        }
        members
    }

    /// Asserts that `1e0ng` finds these word characters in a text: fewer than four are one feature.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let hash = u128::from_be_bytes(md5_reference::compute(expected).0);
        assert_eq!(fingerprint_text(Scheme::E0ng, 128, &utf16(text)), Ok(hash), "{text:?}");
    }

    #[test]
    fn are_lowered_and_affect_a_sigma_as_in_python() {
        let [is_word, is_ignored, is_cased] = ["word:", "ignored:", "cased:"].map(ranges);
        let char = |hex| char::from_u32(code(hex) as u32).unwrap();
        let pairs = line("lower:").map(|pair| pair.split_once('>').unwrap());
        let lower: HashMap<char, char> = pairs.map(|(from, to)| (char(from), char(to))).collect();
        for c in tier::every_char().filter(|&c| c != 'Σ') {
            let [is_word, is_ignored, is_cased] =
                [&is_word, &is_ignored, &is_cased].map(|members| members[c as usize]);
            let c_lower =
                if is_word { String::from(*lower.get(&c).unwrap_or(&c)) } else { String::new() };
            let sigma = |is_final: bool| if is_final { 'ς' } else { 'σ' };
            check(&String::from(c), &c_lower);
            check(&format!("{c}Σ"), &format!("{c_lower}{}", sigma(is_cased)));
            check(&format!("Α{c}Σ"), &format!("α{c_lower}{}", sigma(is_cased || is_ignored)));
            check(&format!("ΑΣ{c}"), &format!("α{}{c_lower}", sigma(!is_cased)));
            check(&format!("ΑΣ{c}Α"), &format!("α{}{c_lower}α", sigma(!is_cased && !is_ignored)));
        }
        for (text, expected) in [("Σ", "σ"), ("ΣΣ", "σς"), ("ΑΣ Σ", "αςσ"), ("1Σ", "1σ")]
        {
            check(text, expected);
        }
    }

    #[test]
    fn separate_words_as_in_python() {
        let is_space = ranges("space:");
        let fingerprint = |text: &[u16]| fingerprint_text(Scheme::CharikarPy, 128, text);
        let two_words = fingerprint(&utf16("a b"));
        for unit in 0..=u16::MAX {
            let text = [b'a'.into(), unit, b'b'.into()];
            assert_eq!(fingerprint(&text) == two_words, is_space[usize::from(unit)], "{unit:#x}");
        }
        assert!(!is_space[0x1_0000..].contains(&true));
    }
}

proptest! {
    #[test]
    fn every_text_has_a_fingerprint(text in vec(any::<u16>(), 0..200)) {
        for &scheme in Scheme::ALL {
            if scheme.input() == Input::Text {
                for &bits in scheme.widths() {
                    let fingerprint = fingerprint_text(scheme, bits, &text).unwrap();
                    prop_assert!(bits == 128 || fingerprint >> bits == 0);
                }
            }
        }
    }
}
