//! Fingerprints of other programs: vectors made by running the originals, and a comparison of each scheme with a plain
//! second implementation.

use std::collections::HashMap;

use nearprint::Error;
use nearprint::compat::{Input, Scheme, fingerprint_pairs, fingerprint_text};
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

    const TEXTS: [Scheme; 4] =
        [Scheme::SimhashJava, Scheme::SimhashJava2018, Scheme::CharikarPy, Scheme::E0ng];
    const PAIRS: [Scheme; 3] = [Scheme::Zxub, Scheme::Jieba, Scheme::KeywordsPy];

    fn message<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn an_unknown_scheme() {
        for name in ["", "ZXUB", "simhash", "jieba "] {
            let message = message(name.parse::<Scheme>());
            assert!(message.starts_with("scheme must be \"zxub\", "), "{message}");
            assert!(message.ends_with(&format!(", got {name:?}")), "{message}");
            for &scheme in Scheme::ALL {
                assert!(message.contains(&format!("{:?}", scheme.name())), "{message}");
                assert_eq!(scheme.name().parse(), Ok(scheme));
            }
        }
    }

    #[test]
    fn an_unavailable_width() {
        for &scheme in Scheme::ALL {
            for bits in (0..=130).chain([u32::MAX]) {
                let result = match scheme.input() {
                    Input::Text => fingerprint_text(scheme, bits, &[]),
                    Input::Pairs => pairs(scheme, bits, &[]),
                };
                if scheme.widths().contains(&bits) {
                    assert!(result.is_ok());
                } else {
                    let message = message(result);
                    assert!(message.starts_with("bits must be "), "{message}");
                    let end = format!(" with the scheme {scheme}, got {bits}");
                    assert!(message.ends_with(&end), "{message}");
                }
            }
        }
    }

    #[test]
    fn the_wrong_kind_of_input() {
        for scheme in TEXTS {
            let message = message(pairs(scheme, 64, &[]));
            assert_eq!(
                message,
                format!("input must be a text with the scheme {scheme}, got pairs")
            );
        }
        for scheme in PAIRS {
            let message = message(fingerprint_text(scheme, 64, &[]));
            assert!(message.starts_with("input must be ["), "{message}");
        }
    }

    #[test]
    fn counts_that_are_not_java_ints() {
        for count in [-1.0, 0.5, 2_147_483_648.0, f64::NAN, f64::INFINITY] {
            let message = message(pairs(Scheme::Zxub, 64, &[(utf16("a"), count)]));
            assert!(message.starts_with("count must be a whole number"), "{message}");
        }
        let max = f64::from(i32::MAX);
        assert!(pairs(Scheme::Zxub, 64, &[(utf16("a"), max)]).is_ok());
        assert!(pairs(Scheme::Zxub, 64, &[(utf16("a"), max), (utf16("b"), 1.0)]).is_err());
    }

    #[test]
    fn weights_that_are_not_finite() {
        for scheme in [Scheme::Jieba, Scheme::KeywordsPy] {
            for weight in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                assert!(pairs(scheme, 64, &[(utf16("a"), weight)]).is_err());
            }
        }
    }

    #[test]
    fn keywords_on_which_the_original_fails() {
        let lone = [(vec![0xd83d], 1.0)];
        assert!(message(pairs(Scheme::Jieba, 64, &lone)).contains("lone surrogate"));
        assert!(pairs(Scheme::KeywordsPy, 64, &lone).is_ok());
        let empty = [(vec![], 1.0)];
        assert!(message(pairs(Scheme::KeywordsPy, 64, &empty)).contains("an empty one"));
        // hashlittle2 of an empty keyword is its initial state.
        assert_eq!(pairs(Scheme::Jieba, 64, &empty), Ok(0xdead_beef_dead_beef));
    }
}

/// Second implementations that follow the originals line by line, without shared sums, tables or shortcuts.
mod reference {
    use std::collections::BTreeMap;

    /// Adds the weight of each feature, with the sign of its hash's bit, bit by bit.
    fn columns(hashes: &[(u128, f64)], bits: u32, is_one: impl Fn(f64) -> bool) -> u128 {
        let mut fingerprint = 0;
        for bit in 0..bits {
            let mut sum = 0.0;
            for &(hash, weight) in hashes {
                sum += if hash >> bit & 1 == 1 { weight } else { -weight };
            }
            fingerprint += u128::from(is_one(sum)) << bit;
        }
        fingerprint
    }

    pub fn zxub(pairs: &[(Vec<u16>, f64)]) -> u128 {
        let hash = |word: &[u16]| {
            let mut hash = 14_695_981_039_346_656_037_u128;
            for &unit in word {
                hash = (hash * 1_099_511_628_211 % (1 << 64)) ^ u128::from(unit);
            }
            hash
        };
        let hashes: Vec<_> = pairs.iter().map(|(word, count)| (hash(word), *count)).collect();
        columns(&hashes, 64, |sum| sum >= 0.0)
    }

    /// MurmurHash64A as in simhash-java, with its loop over blocks of eight bytes.
    fn murmur64a(bytes: &[u8]) -> u64 {
        let m = 0xc6a4_a793_5bd1_e995_u64;
        let mut hash = m.wrapping_mul(bytes.len() as u64);
        let blocks = bytes.chunks_exact(8);
        let tail = blocks.remainder();
        for block in blocks {
            let mut k = u64::from_le_bytes(block.try_into().unwrap()).wrapping_mul(m);
            k ^= k >> 47;
            hash = (hash ^ k.wrapping_mul(m)).wrapping_mul(m);
        }
        for (i, &byte) in tail.iter().enumerate().rev() {
            hash ^= ((byte as i8 as i64) << (8 * i)) as u64;
            if i == 0 {
                hash = hash.wrapping_mul(m);
            }
        }
        hash ^= hash >> 47;
        hash = hash.wrapping_mul(m);
        hash ^ (hash >> 47)
    }

    pub fn simhash_java(text: &[u16], threshold: f64) -> u128 {
        let mut hashes = Vec::new();
        for i in 1..text.len() {
            let java: String = char::decode_utf16([text[i - 1], text[i]])
                .map(|unit| unit.unwrap_or('?'))
                .collect();
            hashes.push((murmur64a(java.as_bytes()).into(), 1.0));
        }
        columns(&hashes, 64, |sum| sum > threshold)
    }

    /// lookup3.c, written out in full.
    fn hashlittle2(bytes: &[u8]) -> u64 {
        let start = 0xdead_beef_u32.wrapping_add(bytes.len() as u32);
        let (mut a, mut b, mut c) = (start, start, start);
        macro_rules! mix {
            ($x:ident $y:ident $z:ident $k:literal) => {
                $x = $x.wrapping_sub($z);
                $x ^= $z.rotate_left($k);
                $z = $z.wrapping_add($y);
            };
        }
        macro_rules! last {
            ($x:ident $y:ident $k:literal) => {
                $x ^= $y;
                $x = $x.wrapping_sub($y.rotate_left($k));
            };
        }
        let word = |at: usize| {
            (0..4).fold(0, |word, i| {
                word | bytes.get(at + i).map_or(0, |&byte| u32::from(byte) << (8 * i))
            })
        };
        let mut at = 0;
        while bytes.len() - at > 12 {
            a = a.wrapping_add(word(at));
            b = b.wrapping_add(word(at + 4));
            c = c.wrapping_add(word(at + 8));
            mix!(a b c 4);
            mix!(b c a 6);
            mix!(c a b 8);
            mix!(a b c 16);
            mix!(b c a 19);
            mix!(c a b 4);
            at += 12;
        }
        if bytes.len() > at {
            a = a.wrapping_add(word(at));
            b = b.wrapping_add(word(at + 4));
            c = c.wrapping_add(word(at + 8));
            last!(c b 14);
            last!(a c 11);
            last!(b a 25);
            last!(c b 16);
            last!(a c 4);
            last!(b a 14);
            last!(c b 24);
        }
        u64::from(c) << 32 | u64::from(b)
    }

    pub fn jieba(pairs: &[(Vec<u16>, f64)]) -> u128 {
        let hash = |word: &[u16]| hashlittle2(String::from_utf16(word).unwrap().as_bytes()).into();
        let hashes: Vec<_> = pairs.iter().map(|(word, weight)| (hash(word), *weight)).collect();
        columns(&hashes, 64, |sum| sum > 0.0)
    }

    /// The code points of a text. A lone surrogate is one.
    fn code_points(text: &[u16]) -> Vec<u32> {
        let mut codes = Vec::new();
        for &unit in text {
            match codes.last_mut() {
                Some(high @ 0xd800..=0xdbff) if (0xdc00..=0xdfff).contains(&unit) => {
                    *high = 0x1_0000 + ((*high - 0xd800) << 10) + u32::from(unit) - 0xdc00;
                }
                _ => codes.push(unit.into()),
            }
        }
        codes
    }

    fn string_hash(word: &[u32], bits: u32) -> u128 {
        let mask = u128::MAX >> (128 - bits);
        let Some(&first) = word.first() else { return 0 };
        let mut x = u128::from(first) << 7;
        for &code in word {
            x = (x.wrapping_mul(1_000_003) ^ u128::from(code)) & mask;
        }
        x ^ word.len() as u128
    }

    pub fn keywords_py(pairs: &[(Vec<u16>, f64)]) -> u128 {
        let hash = |word: &[u16]| string_hash(&code_points(word), 128);
        let hashes: Vec<_> = pairs.iter().map(|(word, weight)| (hash(word), *weight)).collect();
        columns(&hashes, 64, |sum| sum > 0.0)
    }

    pub fn charikar_py(text: &[u16], bits: u32) -> u128 {
        // Python's white space is that of Unicode, and the four information separators.
        let is_space = |&code: &u32| {
            char::from_u32(code)
                .is_some_and(|c| c.is_whitespace() || ('\x1c'..='\x1f').contains(&c))
        };
        let codes = code_points(text);
        let hashes: Vec<_> = codes
            .split(is_space)
            .filter(|word| !word.is_empty())
            .map(|word| (string_hash(word, bits), 1.0))
            .collect();
        columns(&hashes, bits, |sum| sum >= 0.0)
    }

    /// Whether `[\w\u4e00-\u9fcc]` of Python 3.11 matches, from ranges printed by Python.
    fn is_word(character: char) -> bool {
        let line = include_str!("../data/python-3.11-unicode-14.0.txt")
            .lines()
            .find_map(|line| line.strip_prefix("word: "))
            .unwrap();
        let code = u32::from(character);
        line.split(' ').any(|range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            (u32::from_str_radix(first, 16).unwrap()..=u32::from_str_radix(last, 16).unwrap())
                .contains(&code)
        })
    }

    pub fn e0ng(text: &[u16], bits: u32) -> u128 {
        let lower = String::from_utf16_lossy(text).to_lowercase();
        let content: Vec<char> = lower.chars().filter(|&c| is_word(c)).collect();
        let mut counts = BTreeMap::new();
        for start in 0..(content.len() as isize - 3).max(1) as usize {
            let feature: String = content[start..].iter().take(4).collect();
            *counts.entry(feature).or_insert(0) += 1;
        }
        let total: i32 = counts.values().sum();
        let mut fingerprint = 0;
        for bit in 0..bits {
            let sum: i32 = counts
                .iter()
                .map(|(feature, count)| {
                    let digest = u128::from_be_bytes(md5_reference::compute(feature).0);
                    count * i32::from(digest >> bit & 1 == 1)
                })
                .sum();
            fingerprint |= u128::from(f64::from(sum) > f64::from(total) / 2.0) << bit;
        }
        fingerprint
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

/// Characters that the schemes treat specially, with the same properties in every version of Unicode since 14.0.
const INTERESTING: &str = "aAzZ09_ .,-'\t\n\u{1c}\u{85}\u{a0}\u{3000}éßẞİıΣσςΑάДд中文网页カひ한ไकि्עⅧⅷ½²①Ⓐ\u{301}\u{200d}\u{ad}ʼ\u{345}😀𝐀𐐀𞤀𠀀";

fn unit() -> impl Strategy<Value = u16> {
    let interesting = utf16(INTERESTING);
    prop_oneof![
        6 => prop::sample::select(interesting),
        2 => 0x20..0x7f_u16,
        1 => 0xd7f0..0xe010_u16,
    ]
}

/// UTF-16, often with lone surrogates, since each code unit is random.
fn text() -> impl Strategy<Value = Vec<u16>> {
    vec(unit(), 0..40)
}

fn well_formed() -> impl Strategy<Value = Vec<u16>> {
    let interesting: Vec<char> = INTERESTING.chars().collect();
    vec(prop_oneof![prop::sample::select(interesting), any::<char>()], 1..14)
        .prop_map(|characters| utf16(&characters.into_iter().collect::<String>()))
}

/// Weights whose sums are zero, are rounded or cancel.
fn weight() -> impl Strategy<Value = f64> {
    prop_oneof![
        prop::sample::select(vec![0.0, 0.1, 0.2, 0.3, 1.0, 2.0, 1e16, -0.1, f64::MIN_POSITIVE]),
        0.0..13.0,
    ]
}

proptest! {
    #[test]
    fn zxub(words in vec((text(), (0..100_u8).prop_map(f64::from)), 0..12)) {
        prop_assert_eq!(pairs(Scheme::Zxub, 64, &words), Ok(reference::zxub(&words)));
    }

    #[test]
    fn simhash_java(text in text()) {
        prop_assert_eq!(
            fingerprint_text(Scheme::SimhashJava, 64, &text),
            Ok(reference::simhash_java(&text, 0.0))
        );
        prop_assert_eq!(
            fingerprint_text(Scheme::SimhashJava2018, 64, &text),
            Ok(reference::simhash_java(&text, 1.0))
        );
    }

    #[test]
    fn jieba(words in vec((well_formed(), weight()), 0..12)) {
        prop_assert_eq!(pairs(Scheme::Jieba, 64, &words), Ok(reference::jieba(&words)));
    }

    #[test]
    fn keywords_py(words in vec((vec(unit(), 1..14), weight()), 0..12)) {
        prop_assert_eq!(pairs(Scheme::KeywordsPy, 64, &words), Ok(reference::keywords_py(&words)));
    }

    #[test]
    fn charikar_py(text in text()) {
        for bits in [32, 64, 128] {
            prop_assert_eq!(
                fingerprint_text(Scheme::CharikarPy, bits, &text),
                Ok(reference::charikar_py(&text, bits))
            );
        }
    }

    #[test]
    fn e0ng(text in text()) {
        for bits in [64, 128] {
            prop_assert_eq!(
                fingerprint_text(Scheme::E0ng, bits, &text),
                Ok(reference::e0ng(&text, bits))
            );
        }
    }

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
