//! Features: grams and shingles of the words or characters of a normalised text.
//!
//! In: normalised text, a part at a time. Out: the hash of each feature, not yet mixed, to a [`Sink`].
//!
//! An extractor keeps the hashes of the last few words or characters, not the text, so that a stream gives the same
//! features wherever it is cut. It works in batches: it finds up to 64 words, hashes them, then forms their features.
//! Each step is a short loop whose iterations do not depend on each other.

use alloc::string::String;
use core::ops::RangeInclusive;

use super::{
    grams::Grams,
    scheme::{Features, Scheme},
    shingles::{CharShingles, HashShingles},
};
use crate::{
    Error,
    hash::{
        Hash, Key,
        fnv::{self, Steps},
    },
    text::{
        chars::{Char, Chars, PLACES},
        words::{Word, Words},
    },
};

/// The multiplier of SplitMix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, 2014).
///
/// The FNV prime has few one bits: used here, it gives 171 collisions among a million different grams of real text.
/// This multiplier gives none.
pub(super) const MULTIPLIER: u64 = 0xbf58_476d_1ce4_e5b9;

/// Returns the hash of a gram, from the hash of all its words but the last, and the hash of the last. It is a polynomial in
/// [`MULTIPLIER`] with the word hashes as coefficients, so it depends on their order.
#[inline]
pub(super) fn join(gram: u64, word: u64) -> u64 {
    gram.wrapping_mul(MULTIPLIER).wrapping_add(word)
}

/// Returns the 64-bit hash of the UTF-8 bytes of a word or of a character shingle.
#[inline]
pub(crate) fn hash(scheme: &Scheme, bytes: &[u8]) -> u64 {
    match scheme.hash {
        Hash::Fnv1 => fnv::fnv1_64(bytes),
        Hash::Fnv1a => fnv::fnv1a_64(bytes),
        Hash::Keyed(key) => key.hash(bytes),
    }
}

/// Checks that the features of a scheme can be hashed: a scheme that was read from its id has no secret.
pub(crate) fn check_secret(scheme: &Scheme) -> Result<(), Error> {
    match scheme.hash {
        Hash::Keyed(key) if !key.is_secret_known() => {
            let requirement = ["the 16-byte key of the scheme ", &scheme.id()].concat();
            Err(Error::argument("key", requirement, "none"))
        }
        _ => Ok(()),
    }
}

/// A hash function of words.
#[derive(Clone, Copy, Debug)]
pub(super) enum WordHash {
    Fnv(Steps),
    Keyed(Key),
}

impl WordHash {
    pub fn new(hash: Hash) -> Self {
        match hash {
            Hash::Fnv1 => WordHash::Fnv(Steps::FNV_1),
            Hash::Fnv1a => WordHash::Fnv(Steps::FNV_1A),
            Hash::Keyed(key) => WordHash::Keyed(key),
        }
    }

    /// Writes the hash of each of these words of a text.
    #[inline]
    pub fn hash_all(&self, text: &str, words: &[Word], hashes: &mut [u64]) {
        let text = text.as_bytes();
        for (to, word) in hashes.iter_mut().zip(words) {
            *to = match (self, &text[word.start..word.end]) {
                (WordHash::Keyed(key), bytes) => key.hash(bytes),
                // Most words of these scripts are one character, too short for steps of eight bytes.
                (WordHash::Fnv(steps), &[a, b, c]) if word.is_unspaced => steps.of_three([a, b, c]),
                (WordHash::Fnv(steps), _) => steps.within(text, word.start, word.end),
            };
        }
        if let WordHash::Fnv(steps) = self {
            steps.end_all(&mut hashes[..words.len()]);
        }
    }
}

/// The largest number of words in a batch: a `u64` has one bit for each.
pub(super) const BATCH_WORDS: usize = u64::BITS as usize;
/// The largest number of features that end in a batch of words, or of characters.
pub(crate) const BATCH_FEATURES: usize = 3 * BATCH_WORDS;
const _: () = assert!(PLACES <= BATCH_FEATURES, "one feature ends with each character");

/// The words or characters of a batch, which features are formed of.
#[derive(Clone, Copy)]
pub(crate) enum Tokens<'a> {
    /// Words of a text, and the hash of each.
    Words(&'a str, &'a [Word], &'a [u64]),
    /// Characters. A run of white space is one space.
    Chars(&'a [Char]),
}

impl Tokens<'_> {
    pub fn len(self) -> usize {
        match self {
            Tokens::Words(_, words, _) => words.len(),
            Tokens::Chars(chars) => chars.len(),
        }
    }
}

pub(crate) trait Sink {
    /// Receives the next tokens, and the hashes of the features that end there: at most [`BATCH_FEATURES`], not mixed.
    /// [`spans`] returns the number of tokens of each feature. The first `singles` features are grams of one word, the others
    /// follow, both in the order in which they end.
    fn take(&mut self, tokens: Tokens<'_>, hashes: &[u64], singles: usize);

    /// Ends a part of a text of words, after its last words. The next words have another text.
    fn end_part(&mut self, _text: &str) {}

    /// Receives the only feature of a text that is too short for others: it spans the last `span` tokens.
    fn take_last(&mut self, hash: u64, span: usize);
}

/// The hashes of the features of a batch.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    pub hashes: [u64; BATCH_FEATURES],
    pub len: usize,
    /// The number of grams of one word, whose hashes come first.
    pub singles: usize,
}

/// Extracts the features of a normalised text.
#[derive(Clone, Debug)]
pub(crate) struct Extractor {
    hash: WordHash,
    recent: Recent,
    /// Whether each part of the text must consist of whole words.
    pub takes_words: bool,
    /// Whether white space has followed the last character. `None` before the first character.
    space: Option<bool>,
    // Scratch space.
    words: [Word; BATCH_WORDS],
    hashes: [u64; PLACES],
    chars: [Char; PLACES],
    batch: Batch,
}

/// The last tokens, which the next features start with.
#[derive(Clone, Debug)]
enum Recent {
    Grams(Grams),
    Hashes(HashShingles),
    Chars(CharShingles, Steps),
}

impl Extractor {
    pub fn new(scheme: &Scheme) -> Self {
        let hash = WordHash::new(scheme.hash);
        let recent = match (scheme.features, hash) {
            (Features::Grams, _) => Recent::Grams(Grams::default()),
            (Features::Chars(n), WordHash::Fnv(steps)) => {
                Recent::Chars(CharShingles::new(n.into()), steps)
            }
            // With a key, each character is hashed.
            (Features::Words(n) | Features::Chars(n), _) => {
                Recent::Hashes(HashShingles::new(n.into()))
            }
        };
        Extractor {
            hash,
            recent,
            takes_words: !matches!(scheme.features, Features::Chars(_)),
            space: None,
            words: [Word::default(); BATCH_WORDS],
            hashes: [0; PLACES],
            chars: [Char::default(); PLACES],
            batch: Batch { hashes: [0; BATCH_FEATURES], len: 0, singles: 0 },
        }
    }

    /// Receives the next part of the text. O(text), and O(n · text) for shingles of n characters.
    pub fn push(&mut self, text: &str, sink: &mut dyn Sink) {
        let Extractor { hash, recent, space, words: places, hashes, chars, batch, .. } = self;
        let mut characters = Chars::new(text);
        let mut words = Words::new(text);
        loop {
            let (tokens, dense) = if self.takes_words {
                let (words, dense) = hash_words(hash, text, &mut words, places, hashes);
                (Tokens::Words(text, words, &hashes[..words.len()]), dense)
            } else {
                let chars = characters.fill(space, chars);
                if let WordHash::Keyed(key) = hash {
                    hash_chars(key, chars, hashes);
                }
                (Tokens::Chars(chars), 0)
            };
            match (&mut *recent, tokens) {
                (Recent::Chars(shingles, steps), Tokens::Chars(chars)) => {
                    shingles.extract(*steps, chars, batch);
                }
                (Recent::Hashes(shingles), _) => {
                    shingles.extract(&hashes[..tokens.len()], batch);
                }
                (Recent::Grams(grams), _) => grams.extract(tokens.len(), dense, hashes, batch),
                (Recent::Chars(..), Tokens::Words(..)) => unreachable!("these are characters"),
            }
            if tokens.len() == 0 {
                if self.takes_words {
                    sink.end_part(text);
                }
                return;
            }
            sink.take(tokens, &batch.hashes[..batch.len], batch.singles);
        }
    }

    /// Ends the text. A text of fewer tokens than a feature needs gives one feature of all its tokens.
    pub fn finish(&mut self, sink: &mut dyn Sink) {
        let last = match &self.recent {
            Recent::Grams(grams) => grams.finish(),
            Recent::Hashes(shingles) => shingles.finish(),
            Recent::Chars(shingles, steps) => shingles.finish(*steps),
        };
        if let Some((hash, span)) = last {
            sink.take_last(hash, span);
        }
        self.clear();
    }

    /// Forgets the text.
    pub fn clear(&mut self) {
        match &mut self.recent {
            Recent::Grams(grams) => *grams = Grams::default(),
            Recent::Hashes(shingles) => shingles.clear(),
            Recent::Chars(shingles, _) => shingles.clear(),
        }
        self.space = None;
    }
}

/// Passes the features of `text` to `sink`.
pub(super) fn extract(scheme: &Scheme, text: &str, sink: &mut impl Sink) {
    let mut normal = String::new();
    scheme.normalize.append(text, &mut normal);
    let mut extractor = Extractor::new(scheme);
    extractor.push(&normal, sink);
    extractor.finish(sink);
}

/// Returns the lengths, in tokens, of the features that end with the last of `len` tokens. `dense` holds whether the last word
/// is dense, and whether the third last is.
pub(crate) fn spans(features: Features, len: usize, dense: [bool; 2]) -> RangeInclusive<usize> {
    match features {
        Features::Grams => {
            let [last, third_last] = dense.map(usize::from);
            1 + last..=1 + usize::from(len > 1) + third_last
        }
        Features::Words(n) | Features::Chars(n) => n.into()..=len.min(n.into()),
    }
}

/// Finds and hashes the next words of the text. Returns them, and a number with bit `i` set if word `i` is dense.
#[inline(never)]
fn hash_words<'w>(
    hash: &WordHash,
    text: &str,
    finder: &mut Words<'_>,
    words: &'w mut [Word; BATCH_WORDS],
    hashes: &mut [u64; PLACES],
) -> (&'w [Word], u64) {
    let words = finder.fill(words);
    hash.hash_all(text, words, hashes);
    let dense =
        (0..).zip(words).fold(0, |dense, (at, word)| dense | u64::from(word.is_dense) << at);
    (words, dense)
}

/// Writes the keyed hash of each character.
fn hash_chars(key: &Key, chars: &[Char], hashes: &mut [u64; PLACES]) {
    for (hash, char) in hashes.iter_mut().zip(chars) {
        *hash = key.hash(char.decode().encode_utf8(&mut [0; 4]).as_bytes());
    }
}
