//! The reference implementation of fingerprints, scheme `v1` (this file), and of sketches, scheme `s1` (`sketch.rs`, `folded.rs`,
//! `fold.rs`), written to be read and not for speed. It shares no code with nearprint. It generates `tests/vectors.json`, and nearprint is tested against both.

pub mod fold;
mod folded;
mod sketch;
mod snapshot;

use std::collections::HashMap;

use icu_casemap::CaseMapper;
use icu_normalizer::ComposingNormalizer;
use icu_properties::props::{Alphabetic, DefaultIgnorableCodePoint, Script};
use icu_properties::{CodePointSetData, script::ScriptWithExtensions};
use siphasher::sip::SipHasher13;
use unicode_segmentation::UnicodeSegmentation;

pub use crate::{
    sketch::{keyed_sketch, keys, minima, resemblance, sketch},
    snapshot::seal,
};

/// The golden ratio in 64 bits.
const GOLDEN: u64 = 0x9e3779b97f4a7c15;

/// Returns the fingerprint of a text by the scheme `id`: `v1:`, the width, then each choice that is not the default.
pub fn fingerprint(id: &str, text: &str) -> u128 {
    keyed_fingerprint(id, None, text)
}

/// Returns the fingerprint with a secret key instead of a hash that everyone can compute. The id does not name the key.
pub fn keyed_fingerprint(id: &str, key: Option<&[u8; 16]>, text: &str) -> u128 {
    let choices: Vec<&str> = id.split(':').collect();
    signs(&choices, &features(&choices, key, text))
}

/// Returns the fingerprint of a text with these features: a bit is 1 if its sum is above 0.
fn signs(choices: &[&str], features: &[u64]) -> u128 {
    let bits: u32 = choices[1].parse().unwrap();
    let sums = sums(choices, features);
    (0..bits).filter(|&bit| sums[bit as usize] > 0).map(|bit| 1 << bit).sum()
}

/// Returns, for each bit, the weights of the features that have it minus those of the others. The hashes are as often as
/// they occur.
fn sums(choices: &[&str], features: &[u64]) -> [i64; 128] {
    let has = |choice| choices.contains(&choice);
    let mut counts = HashMap::new();
    for &hash in features {
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
        let vote = u128::from(fmix64(hash ^ GOLDEN)) << 64 | u128::from(low);
        for (bit, sum) in sums.iter_mut().enumerate() {
            *sum += if vote >> bit & 1 == 1 { weight } else { -weight };
        }
    }
    sums
}

/// Returns the hash of every feature of a text, as often as it occurs.
fn features(choices: &[&str], key: Option<&[u8; 16]>, text: &str) -> Vec<u64> {
    let text = if choices.contains(&"verbatim") { text.to_string() } else { nfkc_casefold(text) };
    let is_1a = choices.contains(&"fnv1a");
    if let Some(n) = shingle_of("chars", choices) {
        let chars: Vec<char> = collapsed(&text).chars().collect();
        return char_shingles(&chars, n, key, is_1a);
    }
    let words: Vec<&str> = text.unicode_words().collect();
    let hashes: Vec<u64> = words.iter().map(|word| hash(word, key, is_1a)).collect();
    if let Some(n) = shingle_of("words", choices) {
        return shingles(&hashes, n).map(gram).collect();
    }
    let words: Vec<(u64, bool)> =
        hashes.into_iter().zip(words).map(|(hash, word)| (hash, is_dense(word))).collect();
    let mut features = several(&words);
    features.extend(words.iter().filter(|(_, is_dense)| !is_dense).map(|(hash, _)| hash));
    features
}

/// Returns the grams of several words: a word gives its bigram with the next one, a dense word its trigram too. The only word of a
/// text stands for its gram if it is dense.
fn several(words: &[(u64, bool)]) -> Vec<u64> {
    let hashes: Vec<u64> = words.iter().map(|(hash, _)| *hash).collect();
    if let [(hash, true)] = words {
        return vec![*hash];
    }
    let grams = words.iter().enumerate().flat_map(|(at, (_, is_dense))| {
        let lengths = if *is_dense { 2..=3 } else { 2..=2 };
        lengths.filter_map(|n| hashes.get(at..at + n)).map(gram).collect::<Vec<_>>()
    });
    grams.collect()
}

/// Returns the shingles of `n` characters. With a key, a shingle is joined from the hashes of its characters.
fn char_shingles(chars: &[char], n: usize, key: Option<&[u8; 16]>, is_1a: bool) -> Vec<u64> {
    let all = shingles(chars, n).map(|shingle| match key {
        None => fnv(&String::from_iter(shingle), is_1a),
        Some(_) => {
            let hashes = shingle.iter().map(|char| hash(&char.to_string(), key, is_1a));
            gram(&hashes.collect::<Vec<_>>())
        }
    });
    all.collect()
}

/// Returns the hash of a word or of a character.
fn hash(text: &str, key: Option<&[u8; 16]>, is_1a: bool) -> u64 {
    match key {
        None => fnv(text, is_1a),
        Some(key) => SipHasher13::new_with_key(key).hash(text.as_bytes()),
    }
}

fn gram(words: &[u64]) -> u64 {
    words.iter().copied().reduce(join).unwrap()
}

fn shingle_of(name: &str, choices: &[&str]) -> Option<usize> {
    choices.iter().find_map(|choice| choice.strip_prefix(name)?.parse().ok())
}

/// Returns a text with one space for each run of white space, and none at its ends.
fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a gram's hash: the hash of all its words but the last, times a constant, plus the hash of the last.
fn join(gram: u64, word: u64) -> u64 {
    gram.wrapping_mul(0xbf58476d1ce4e5b9).wrapping_add(word)
}

/// Returns every run of `n` units, or one of all units if there are fewer; none without units.
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

/// Returns FNV-1 or FNV-1a of 64 bits.
fn fnv(text: &str, is_1a: bool) -> u64 {
    text.bytes().fold(0xcbf29ce484222325, |hash, byte| match is_1a {
        true => (hash ^ u64::from(byte)).wrapping_mul(0x100000001b3),
        false => hash.wrapping_mul(0x100000001b3) ^ u64::from(byte),
    })
}

/// Applies the finaliser of MurmurHash3.
fn fmix64(mut hash: u64) -> u64 {
    hash = (hash ^ hash >> 33).wrapping_mul(0xff51afd7ed558ccd);
    hash = (hash ^ hash >> 33).wrapping_mul(0xc4ceb9fe1a85ec53);
    hash ^ hash >> 33
}
