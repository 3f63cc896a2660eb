//! The reference implementation of scheme `v1` and of its sketches: two pages, written to be read and not for speed. It shares no code with
//! nearprint. It generates `tests/vectors.json`, and nearprint is tested against both.

use std::collections::{HashMap, HashSet};

use icu_casemap::CaseMapper;
use icu_normalizer::ComposingNormalizer;
use icu_properties::props::{Alphabetic, DefaultIgnorableCodePoint, Script};
use icu_properties::{CodePointSetData, script::ScriptWithExtensions};
use siphasher::sip::SipHasher13;
use unicode_segmentation::UnicodeSegmentation;

/// Returns the fingerprint of a text by the scheme `id`: `v1:`, the width, then each choice that is not the default.
pub fn fingerprint(id: &str, text: &str) -> u128 {
    keyed_fingerprint(id, None, text)
}

/// Returns the fingerprint with a secret key instead of a hash that everyone can compute. The id does not name the key.
pub fn keyed_fingerprint(id: &str, key: Option<&[u8; 16]>, text: &str) -> u128 {
    let choices: Vec<&str> = id.split(':').collect();
    let bits: u32 = choices[1].parse().unwrap();
    let sums = sums(&choices, &parts(&choices, key, text).features);
    (0..bits).filter(|&bit| sums[bit as usize] > 0).map(|bit| 1 << bit).sum()
}

/// Returns the sketch of a text in its binary form. Its scheme is `id` at 64 bits.
pub fn sketch(id: &str, text: &str) -> Vec<u8> {
    let choices: Vec<&str> = id.split(':').collect();
    let id = [&choices[..1], &["64"], &choices[2..]].concat().join(":");
    keyed_sketch(&id, &id, None, text)
}

/// Returns the sketch of a text by the scheme `id` and a key, if there is one. `written` is the id in the binary form, which
/// names the key.
pub fn keyed_sketch(written: &str, id: &str, key: Option<&[u8; 16]>, text: &str) -> Vec<u8> {
    let choices: Vec<&str> = id.split(':').collect();
    let Parts { features, several, units } = parts(&choices, key, text);
    let distinct: HashSet<u64> = features.iter().copied().collect();
    let is_short = distinct.len() < 8;

    let mut bytes = vec![written.len() as u8];
    bytes.extend(written.as_bytes());
    bytes.push(if is_short { 0 } else { 2 });
    bytes.extend((keyed_fingerprint(id, key, text) as u64).to_le_bytes());
    // The hash of all words, or of all characters, in order. Its lowest bit is 1 for fewer than 16 features.
    let words = units.iter().fold(0, |hash: u64, unit| {
        let product = (hash ^ unit).wrapping_mul(0xbf58476d1ce4e5b9);
        product ^ product >> 32
    });
    let words = fmix64(words) / 2 * 2 + u64::from(distinct.len() < 16);
    bytes.extend(words.to_le_bytes());
    if is_short {
        return bytes;
    }
    // MinHash: the highest 8 bits of a hash choose one of 256 bins, the 32 bits after them are its rank there, and each bin
    // keeps its smallest rank. Two bits are stored of it: 0 for none, else 1, 2 or 3 by its lowest 16 bits.
    let mut smallest = [u32::MAX; 256];
    for hash in several.into_iter().map(fmix64) {
        let (bin, rank) = ((hash >> 56) as usize, (hash >> 24) as u32);
        smallest[bin] = smallest[bin].min(rank);
    }
    let values: Vec<u8> = smallest
        .iter()
        .map(|&rank| if rank == u32::MAX { 0 } else { 1 + (((rank & 0xffff) * 3) >> 16) as u8 })
        .collect();
    bytes.extend(
        values.chunks(4).map(|four| four.iter().rev().fold(0, |byte, value| byte << 2 | value)),
    );
    // Margins: the absolute sum of each bit in 16ths of the mean of all, at most 15.
    let margins =
        sums(&choices, &features)[..64].iter().map(|sum| sum.unsigned_abs()).collect::<Vec<_>>();
    let mean = (margins.iter().sum::<u64>() / 64).max(1);
    let levels: Vec<u8> = margins.iter().map(|margin| (16 * margin / mean).min(15) as u8).collect();
    bytes.extend(levels.chunks(2).map(|two| two[1] << 4 | two[0]));
    bytes
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
        let vote = u128::from(fmix64(hash ^ 0x9e3779b97f4a7c15)) << 64 | u128::from(low);
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
    /// Those that a MinHash is made of: grams of several words, or all shingles.
    several: Vec<u64>,
    /// The hash of every word, or the code point of every character.
    units: Vec<u64>,
}

fn parts(choices: &[&str], key: Option<&[u8; 16]>, text: &str) -> Parts {
    let text = if choices.contains(&"verbatim") { text.to_string() } else { nfkc_casefold(text) };
    let fnv = |text: &str| {
        text.bytes().fold(0xcbf29ce484222325_u64, |hash, byte| match choices.contains(&"fnv1a") {
            true => (hash ^ u64::from(byte)).wrapping_mul(0x100000001b3),
            false => hash.wrapping_mul(0x100000001b3) ^ u64::from(byte),
        })
    };
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
            units: text.chars().map(u64::from).collect(),
        };
    }
    let words: Vec<&str> = text.unicode_words().collect();
    let units: Vec<u64> = words.iter().map(|word| hash(word)).collect();
    if let Some(n) = shingle_of("words") {
        let features: Vec<u64> = shingles(&units, n).map(gram).collect();
        return Parts { several: features.clone(), features, units };
    }
    let (mut features, mut several) = (Vec::new(), Vec::new());
    for (at, word) in words.iter().enumerate() {
        if !is_dense(word) {
            features.push(units[at]);
        }
        let lengths = if is_dense(word) { 2..=3 } else { 2..=2 };
        several.extend(lengths.filter_map(|n| units.get(at..at + n)).map(gram));
    }
    features.extend(&several);
    if words.len() == 1 && is_dense(words[0]) {
        features.push(units[0]);
    }
    Parts { features, several, units }
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

/// Applies the finaliser of MurmurHash3.
fn fmix64(mut hash: u64) -> u64 {
    hash = (hash ^ hash >> 33).wrapping_mul(0xff51afd7ed558ccd);
    hash = (hash ^ hash >> 33).wrapping_mul(0xc4ceb9fe1a85ec53);
    hash ^ hash >> 33
}
