//! The reference implementation of scheme `v1`: one page, written to be read and not for speed. It shares no code with
//! nearprint. It generates `tests/vectors.json`, and nearprint is tested against both.

use std::collections::HashMap;

use icu_casemap::CaseMapper;
use icu_normalizer::ComposingNormalizer;
use icu_properties::props::{Alphabetic, DefaultIgnorableCodePoint, Script};
use icu_properties::{CodePointSetData, script::ScriptWithExtensions};
use unicode_segmentation::UnicodeSegmentation;

/// The fingerprint of a text by the scheme `id`: `v1:`, the width, then each choice that is not the default.
pub fn fingerprint(id: &str, text: &str) -> u128 {
    let choices: Vec<&str> = id.split(':').collect();
    let has = |choice| choices.contains(&choice);
    let bits: u32 = choices[1].parse().unwrap();

    let mut counts = HashMap::new();
    for hash in features(&choices, text) {
        *counts.entry(hash).or_insert(0_u64) += 1;
    }
    let mut sums = [0_i64; 128];
    for (hash, count) in counts {
        let weight = if has("binary") {
            1
        } else if has("tf") {
            count as i64
        } else {
            1 + count.ilog2() as i64
        };
        // Low half: the finaliser of the hash. High half: the finaliser of the hash xor the golden ratio.
        let low = if has("raw") { hash } else { fmix64(hash) };
        let vote = u128::from(fmix64(hash ^ 0x9e3779b97f4a7c15)) << 64 | u128::from(low);
        for (bit, sum) in sums.iter_mut().enumerate() {
            *sum += if vote >> bit & 1 == 1 { weight } else { -weight };
        }
    }
    (0..bits).filter(|&bit| sums[bit as usize] > 0).map(|bit| 1 << bit).sum()
}

/// The hash of every feature, as often as it occurs.
fn features(choices: &[&str], text: &str) -> Vec<u64> {
    let text = if choices.contains(&"verbatim") { text.to_string() } else { nfkc_casefold(text) };
    let fnv = |text: &str| {
        text.bytes().fold(0xcbf29ce484222325_u64, |hash, byte| match choices.contains(&"fnv1a") {
            true => (hash ^ u64::from(byte)).wrapping_mul(0x100000001b3),
            false => hash.wrapping_mul(0x100000001b3) ^ u64::from(byte),
        })
    };
    // A gram's hash: the hash of all its words but the last, times a constant, plus the hash of the last.
    let gram = |words: &[&str]| {
        words
            .iter()
            .map(|word| fnv(word))
            .reduce(|a, b| a.wrapping_mul(0xbf58476d1ce4e5b9).wrapping_add(b))
            .unwrap()
    };
    let shingle_of =
        |name| choices.iter().find_map(|choice| choice.strip_prefix(name)?.parse::<usize>().ok());

    if let Some(n) = shingle_of("chars") {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let chars: Vec<String> = text.chars().map(String::from).collect();
        return shingles(&chars, n).map(|shingle| fnv(&shingle.concat())).collect();
    }
    let words: Vec<&str> = text.unicode_words().collect();
    if let Some(n) = shingle_of("words") {
        return shingles(&words, n).map(gram).collect();
    }
    let mut hashes = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let lengths = if is_dense(word) { [2, 3] } else { [1, 2] };
        hashes.extend(lengths.into_iter().filter_map(|n| words.get(at..at + n)).map(gram));
    }
    if words.len() == 1 && is_dense(words[0]) {
        hashes.push(gram(&words));
    }
    hashes
}

/// Every run of `n` units, or one of all units if there are fewer.
fn shingles<T>(units: &[T], n: usize) -> impl Iterator<Item = &[T]> {
    units.windows(n.min(units.len()).max(1))
}

/// Whether a word is dense: its first letter is of a script written without spaces, or it has no letter. (A letter of
/// several scripts counts if one of them is Han, Hiragana or Katakana, such as the long vowel mark.)
fn is_dense(word: &str) -> bool {
    use Script as S;
    let of = ScriptWithExtensions::new();
    let letter = word.chars().find(|&c| CodePointSetData::new::<Alphabetic>().contains(c));
    letter.is_none_or(|c| match of.get_script_val(c) {
        S::Common => {
            [S::Han, S::Hiragana, S::Katakana].iter().any(|&script| of.has_script(c, script))
        }
        script => [S::Han, S::Hiragana, S::Katakana, S::Thai, S::Lao, S::Khmer, S::Myanmar]
            .contains(&script),
    })
}

/// The Unicode Standard, section 3.13: map each character by NFKC_CF, then Normalization Form C.
fn nfkc_casefold(text: &str) -> String {
    let mapped: String = text.chars().map(nfkc_cf).collect();
    ComposingNormalizer::new_nfc().normalize(&mapped).into_owned()
}

/// UAX #44: case folding, NFKC and the removal of Default_Ignorable_Code_Point, until nothing changes.
fn nfkc_cf(c: char) -> String {
    let mut text = c.to_string();
    loop {
        let folded = CaseMapper::new().fold_string(&text).into_owned();
        let mut next = ComposingNormalizer::new_nfkc().normalize(&folded).into_owned();
        next.retain(|c| !CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c));
        if next == text {
            return text;
        }
        text = next;
    }
}

/// The finaliser of MurmurHash3.
fn fmix64(mut hash: u64) -> u64 {
    hash = (hash ^ hash >> 33).wrapping_mul(0xff51afd7ed558ccd);
    hash = (hash ^ hash >> 33).wrapping_mul(0xc4ceb9fe1a85ec53);
    hash ^ hash >> 33
}
