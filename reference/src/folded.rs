//! The words and symbols of a text as sketches have them.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use icu_properties::props::{
    Alphabetic, GeneralCategory, GeneralCategoryGroup, WhiteSpace, WordBreak,
};
use icu_properties::{CodePointMapData, CodePointSetData};
use siphasher::sip::SipHasher13;
use unicode_segmentation::UnicodeSegmentation;

use crate::fold::{Change, fold, is_mark};
use crate::{
    char_shingles, collapsed, gram, hash, is_dense, nfkc_casefold, several, shingle_of, shingles,
};

/// What a text consists of.
pub struct Parts {
    /// The number of different features.
    pub count: usize,
    /// The features that keys and odd sketches are made of: grams of several words, or all shingles.
    pub several: HashSet<u64>,
    /// The tokens that decide equality.
    pub tokens: Vec<u64>,
    /// What folding changed, in schemes of characters.
    pub changes: Vec<u64>,
}

pub fn parts(choices: &[&str], key: Option<&[u8; 16]>, text: &str) -> Parts {
    let change_token = |place: usize, from: char| {
        let number = (place as u64) << 32 | u64::from(from);
        match key {
            None => !number,
            Some(key) => SipHasher13::new_with_key(key).hash(&number.to_le_bytes()),
        }
    };
    if let Some(n) = shingle_of("chars", choices) {
        let (text, changes) = fold(&nfkc_casefold(text));
        let chars: Vec<char> = collapsed(&text).chars().collect();
        let several: HashSet<u64> = char_shingles(&chars, n, key, false).into_iter().collect();
        let changes = changes.iter().map(|Change { end, from }| {
            change_token(text[..*end].chars().filter(|&c| !is_white_space(c)).count(), *from)
        });
        return Parts {
            count: several.len(),
            several,
            tokens: chars.iter().copied().map(u64::from).collect(),
            changes: changes.collect(),
        };
    }
    let (text, changes) = fold(&nfkc_casefold(&without_broken_words(text)));
    let words = words(&text);
    let hashes: Vec<u64> = words.iter().map(|(_, word)| hash(word, key, false)).collect();

    let in_words: HashSet<usize> =
        words.iter().flat_map(|(start, word)| *start..start + word.len()).collect();
    let symbols = text
        .char_indices()
        .filter(|(at, _)| !in_words.contains(at) && is_symbol(&text, *at, &in_words))
        .map(|(at, c)| {
            (at, if key.is_none() { !u64::from(c) } else { hash(&c.to_string(), key, false) })
        });
    // Each word, and then the changes in it; with the symbols, in the order of the text.
    let mut tokens: Vec<(usize, u64)> = symbols.collect();
    for ((start, word), hash) in words.iter().zip(&hashes) {
        tokens.push((*start, *hash));
        let within =
            changes.iter().filter(|change| (start + 1..=start + word.len()).contains(&change.end));
        tokens.extend(within.map(|change| (*start, change_token(change.end - start, change.from))));
    }
    tokens.sort_by_key(|(at, _)| *at);
    let tokens = tokens.into_iter().map(|(_, token)| token).collect();

    if let Some(n) = shingle_of("words", choices) {
        let several: HashSet<u64> = shingles(&hashes, n).map(gram).collect();
        return Parts { count: several.len(), several, tokens, changes: Vec::new() };
    }
    let is_dense = |word: &str| word.chars().next().is_some_and(is_split_letter) || is_dense(word);
    let words: Vec<(u64, bool)> =
        hashes.iter().zip(words).map(|(hash, (_, word))| (*hash, is_dense(word))).collect();
    let several: HashSet<u64> = several(&words).into_iter().collect();
    let singles = words.iter().filter(|(_, is_dense)| !is_dense).map(|(hash, _)| *hash);
    let count = several.iter().copied().chain(singles).collect::<HashSet<_>>().len();
    Parts { count, several, tokens, changes: Vec::new() }
}

/// Returns a text in which a hyphen before a line break between letters of scripts with spaces is dropped, with the white space
/// after it.
fn without_broken_words(text: &str) -> String {
    let is_letter =
        |c: char| CodePointSetData::new::<Alphabetic>().contains(c) && !is_dense(&c.to_string());
    let chars: Vec<char> = text.chars().collect();
    let mut whole = String::new();
    let mut at = 0;
    while at < chars.len() {
        let is_hyphen = matches!(chars[at], '-' | '\u{ad}' | '\u{2010}');
        let ends_line =
            matches!(chars.get(at + 1), Some('\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}'));
        let before = chars[..at].iter().rev().find(|c| !is_mark(**c));
        let spaces = chars[at + 1..].iter().take_while(|c| is_white_space(**c)).count();
        let after = chars.get(at + 1 + spaces);
        if is_hyphen
            && ends_line
            && [before, after].iter().all(|c| c.is_some_and(|&c| is_letter(c)))
        {
            at += 1 + spaces;
        } else {
            whole.push(chars[at]);
            at += 1;
        }
    }
    whole
}

/// Returns the words with their places: each letter of some scripts without spaces, with the marks on it, and in the text between
/// them the segments of UAX #29 that have a letter or a number.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let rest = &text[start..];
        let mut chars = rest.char_indices();
        if is_split_letter(chars.next().unwrap().1) {
            let end = chars.find(|(_, c)| !is_extending(*c)).map_or(rest.len(), |(end, _)| end);
            words.push((start, &rest[..end]));
            start += end;
            continue;
        }
        let end = chars.find(|(_, c)| is_split_letter(*c)).map_or(rest.len(), |(end, _)| end);
        let segments = rest[..end].split_word_bound_indices();
        words.extend(segments.map(|(at, segment)| (start + at, segment)));
        start += end;
    }
    words.retain(|(_, word)| word.chars().any(is_letter_or_number));
    words
}

/// Blocks of scripts without spaces whose letters UAX #29 joins or `v1` does not treat as dense.
const SPLIT: [RangeInclusive<u32>; 10] = [
    0x3105..=0x312f,
    0x31a0..=0x31bf,
    0x1950..=0x19df,
    0x1a20..=0x1aaf,
    0x1b00..=0x1bbf,
    0xa000..=0xa48c,
    0xa980..=0xa9df,
    0xaa00..=0xaa5f,
    0xaa80..=0xaadf,
    0x13000..=0x143ff,
];

/// Whether a character is a letter of these scripts.
fn is_split_letter(c: char) -> bool {
    SPLIT.iter().any(|range| range.contains(&u32::from(c)))
        && CodePointSetData::new::<Alphabetic>().contains(c)
        && !is_extending(c)
}

fn is_extending(c: char) -> bool {
    let break_of = CodePointMapData::<WordBreak>::new();
    matches!(break_of.get(c), WordBreak::Extend | WordBreak::Format | WordBreak::ZWJ)
}

fn is_letter_or_number(c: char) -> bool {
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    CodePointSetData::new::<Alphabetic>().contains(c)
        || GeneralCategoryGroup::Number.contains(category)
}

fn is_white_space(c: char) -> bool {
    CodePointSetData::new::<WhiteSpace>().contains(c)
}

/// Whether a character between words counts in their hashes: signs of currency, mathematics and technique, emoji, an asterisk
/// that begins something, an exclamation mark that negates a word, and a minus before a number.
fn is_symbol(text: &str, at: usize, in_words: &HashSet<usize>) -> bool {
    use GeneralCategory as G;
    let category = |c| CodePointMapData::<GeneralCategory>::new().get(c);
    let mut chars = text[at..].chars();
    let (c, next) = (chars.next().unwrap(), chars.next());
    let follows_word = at > 0 && in_words.contains(&(at - 1));
    match c {
        '-' | '\u{2013}' | '\u{2212}' => {
            !follows_word && next.is_some_and(|next| category(next) == G::DecimalNumber)
        }
        '!' => !follows_word && next.is_some_and(is_letter_or_number),
        '*' => !next.is_some_and(is_white_space),
        '#' | '%' | '&' | '/' | '@' | '\\' | '\u{1f3fb}'..='\u{1f3ff}' => true,
        '|' | '~' | '\u{fffd}' | '\u{2500}'..='\u{25ff}' => false,
        c => matches!(category(c), G::CurrencySymbol | G::MathSymbol | G::OtherSymbol),
    }
}
