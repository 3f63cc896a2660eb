//! The reference implementation of scheme `v1` (this file) and of its sketches (`sketch.rs`), written to be read and not for
//! speed. It shares no code with nearprint. It generates `tests/vectors.json`, and nearprint is tested against both.

mod sketch;

use std::collections::{HashMap, HashSet};

use icu_casemap::CaseMapper;
use icu_normalizer::ComposingNormalizer;
use icu_properties::props::{
    Alphabetic, DefaultIgnorableCodePoint, GeneralCategory, Script, WhiteSpace,
};
use icu_properties::{CodePointMapData, CodePointSetData, script::ScriptWithExtensions};
use siphasher::sip::SipHasher13;
use unicode_segmentation::UnicodeSegmentation;

pub use crate::sketch::{keyed_sketch, keys, minima, resemblance, sketch};

/// The golden ratio in 64 bits.
const GOLDEN: u64 = 0x9e3779b97f4a7c15;

/// Returns the fingerprint of a text by the scheme `id`: `v1:`, the width, then each choice that is not the default.
pub fn fingerprint(id: &str, text: &str) -> u128 {
    keyed_fingerprint(id, None, text)
}

/// Returns the fingerprint with a secret key instead of a hash that everyone can compute. The id does not name the key.
pub fn keyed_fingerprint(id: &str, key: Option<&[u8; 16]>, text: &str) -> u128 {
    let choices: Vec<&str> = id.split(':').collect();
    signs(&choices, &parts(&choices, key, text).features)
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

/// What a text consists of.
struct Parts {
    /// The hash of every feature, as often as it occurs.
    features: Vec<u64>,
    /// Those that keys and odd sketches are made of: grams of several words, or all shingles.
    several: Vec<u64>,
    /// The hash of every word and of every symbol between words, or the code point of every character.
    tokens: Vec<u64>,
}

fn parts(choices: &[&str], key: Option<&[u8; 16]>, text: &str) -> Parts {
    let text = if choices.contains(&"verbatim") { text.to_string() } else { nfkc_casefold(text) };
    let fnv = |text: &str| fnv(text, choices.contains(&"fnv1a"));
    let hash = |text: &str| match key {
        None => fnv(text),
        Some(key) => SipHasher13::new_with_key(key).hash(text.as_bytes()),
    };
    let gram = |words: &[u64]| words.iter().copied().reduce(join).unwrap();
    let shingle_of =
        |name| choices.iter().find_map(|choice| choice.strip_prefix(name)?.parse::<usize>().ok());

    if let Some(n) = shingle_of("chars") {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let chars: Vec<String> = text.chars().map(String::from).collect();
        // With a key, a shingle is joined from the hashes of its characters.
        let features: Vec<u64> = shingles(&chars, n)
            .map(|shingle| match key {
                None => fnv(&shingle.concat()),
                Some(_) => gram(&shingle.iter().map(|char| hash(char)).collect::<Vec<_>>()),
            })
            .collect();
        return Parts {
            several: features.clone(),
            features,
            tokens: text.chars().map(u64::from).collect(),
        };
    }
    let words: Vec<(usize, &str)> = text.unicode_word_indices().collect();
    let units: Vec<u64> = words.iter().map(|(_, word)| hash(word)).collect();
    let in_words: HashSet<usize> =
        words.iter().flat_map(|(start, word)| *start..start + word.len()).collect();
    let symbols = text
        .char_indices()
        .filter(|(at, _)| !in_words.contains(at) && is_symbol(&text, *at, &in_words))
        .map(|(at, c)| (at, if key.is_none() { !u64::from(c) } else { hash(&c.to_string()) }));
    let starts = words.iter().map(|(start, _)| *start);
    let mut tokens: Vec<(usize, u64)> = starts.zip(units.iter().copied()).chain(symbols).collect();
    tokens.sort_unstable();
    let tokens = tokens.into_iter().map(|(_, token)| token).collect();

    if let Some(n) = shingle_of("words") {
        let features: Vec<u64> = shingles(&units, n).map(gram).collect();
        return Parts { several: features.clone(), features, tokens };
    }
    let (mut features, mut several) = (Vec::new(), Vec::new());
    for (at, (_, word)) in words.iter().enumerate() {
        if !is_dense(word) {
            features.push(units[at]);
        }
        let lengths = if is_dense(word) { 2..=3 } else { 2..=2 };
        several.extend(lengths.filter_map(|n| units.get(at..at + n)).map(gram));
    }
    features.extend(&several);
    if words.len() == 1 && is_dense(words[0].1) {
        features.push(units[0]);
    }
    Parts { features, several, tokens }
}

/// Whether a character between words counts in their hash: signs of currency, mathematics and technique, emoji, an asterisk
/// that begins something, and a minus before a number.
fn is_symbol(text: &str, at: usize, in_words: &HashSet<usize>) -> bool {
    use GeneralCategory as G;
    let category = |c| CodePointMapData::<GeneralCategory>::new().get(c);
    let mut chars = text[at..].chars();
    let (c, next) = (chars.next().unwrap(), chars.next());
    match c {
        '-' | '\u{2212}' => {
            let follows_word = at > 0 && in_words.contains(&(at - 1));
            let starts_number = next.is_some_and(|next| {
                category(next) == G::DecimalNumber && in_words.contains(&(at + c.len_utf8()))
            });
            starts_number && !follows_word
        }
        '*' => !next.is_some_and(|next| CodePointSetData::new::<WhiteSpace>().contains(next)),
        '#' | '%' | '&' | '/' | '@' | '\\' | '\u{1f3fb}'..='\u{1f3ff}' => true,
        '|' | '~' | '\u{fffd}' | '\u{2500}'..='\u{25ff}' => false,
        c => matches!(category(c), G::CurrencySymbol | G::MathSymbol | G::OtherSymbol),
    }
}

/// Returns a gram's hash: the hash of all its words but the last, times a constant, plus the hash of the last.
fn join(gram: u64, word: u64) -> u64 {
    gram.wrapping_mul(0xbf58476d1ce4e5b9).wrapping_add(word)
}

/// Returns every run of `n` units, or one of all units if there are fewer.
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
