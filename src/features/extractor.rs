//! Features: grams and shingles of the words or characters of a normalised text.
//!
//! In: normalised text, a part at a time. Out: the hash of each feature, not yet mixed, to a [`Sink`].
//!
//! An extractor keeps the hashes of the last few words or characters, not the text, so that a stream gives the same
//! features wherever it is cut. It works in batches: it finds up to 64 words, hashes them, then forms their features.
//! Each step is a short loop whose iterations do not depend on each other.

use core::ops::RangeInclusive;

use super::{
    batch::{BATCH_FEATURES, BATCH_WORDS, Batch},
    choice::{Choice, Features},
    grams::Grams,
    shingles::{CharShingles, HashShingles},
};
use crate::{
    hash::{Hash, Key, fnv::Steps},
    text::{
        chars::{BATCH_CHARS, Char, Chars},
        fold::Change,
        words::{Word, WordRule, Words},
    },
};

/// A hash function of words.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WordHash {
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
        let (text, words_and_hashes) = (text.as_bytes(), words.iter().zip(&mut *hashes));
        // A loop for each function, so that neither has the state of the other in registers.
        match self {
            WordHash::Keyed(key) => {
                words_and_hashes.for_each(|(word, to)| *to = key.hash(&text[word.start..word.end]));
            }
            WordHash::Fnv(steps) => {
                for (word, to) in words_and_hashes {
                    // Most words of these scripts are one character, too short for steps of eight bytes.
                    *to = match text[word.start..word.end] {
                        [a, b, c] if word.is_unspaced => steps.of_three([a, b, c]),
                        _ => steps.within(text, word.start, word.end),
                    };
                }
                steps.end_all(&mut hashes[..words.len()]);
            }
        }
    }
}

/// The words or characters of a batch, which features are formed of.
#[derive(Clone, Copy)]
pub(crate) enum Tokens<'a> {
    /// Words of a text, the hash of each, and the changes that folding made up to the end of the last.
    Words(&'a str, &'a [Word], &'a [u64], &'a [Change]),
    /// Characters. A run of white space is one space.
    Chars(&'a [Char]),
}

impl Tokens<'_> {
    pub fn len(self) -> usize {
        match self {
            Tokens::Words(_, words, ..) => words.len(),
            Tokens::Chars(chars) => chars.len(),
        }
    }
}

pub(crate) trait Sink {
    /// Starts a text of `bytes` bytes, or 0 if its length is unknown.
    fn start(&mut self, _bytes: usize) {}

    /// Receives the next tokens, and the hashes of the features that end there: at most [`BATCH_FEATURES`], not mixed.
    /// [`spans`] returns the number of tokens of each feature. The first `singles` features are grams of one word, the others
    /// follow, both in the order in which they end.
    fn take(&mut self, tokens: Tokens<'_>, hashes: &[u64], singles: usize);

    /// Ends a part of a text, after its last tokens, with the changes that folding made in the part. The next words have another
    /// text.
    fn end_part(&mut self, _text: &str, _changes: &[Change]) {}

    /// Receives the only feature of a text that is too short for others: it spans the last `span` tokens.
    fn take_last(&mut self, hash: u64, span: usize);
}

impl Sink for &mut dyn Sink {
    fn start(&mut self, bytes: usize) {
        (**self).start(bytes);
    }

    fn take(&mut self, tokens: Tokens<'_>, hashes: &[u64], singles: usize) {
        (**self).take(tokens, hashes, singles);
    }

    fn end_part(&mut self, text: &str, changes: &[Change]) {
        (**self).end_part(text, changes);
    }

    fn take_last(&mut self, hash: u64, span: usize) {
        (**self).take_last(hash, span);
    }
}

/// Extracts the features of a normalised text.
#[derive(Clone, Debug)]
pub(crate) struct Extractor {
    hash: WordHash,
    recent: Recent,
    /// Whether features are of words, not of characters.
    takes_words: bool,
    rule: WordRule,
    /// Whether white space has followed the last character. `None` before the first character.
    space: Option<bool>,
    // Scratch space.
    words: [Word; BATCH_WORDS],
    hashes: [u64; BATCH_CHARS],
    chars: [Char; BATCH_CHARS],
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
    pub fn new(choice: Choice, rule: WordRule) -> Self {
        let hash = WordHash::new(choice.hash);
        let recent = match (choice.features, hash) {
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
            takes_words: choice.takes_words(),
            rule,
            space: None,
            words: [Word::default(); BATCH_WORDS],
            hashes: [0; BATCH_CHARS],
            chars: [Char::default(); BATCH_CHARS],
            batch: Batch { hashes: [0; BATCH_FEATURES], len: 0, singles: 0 },
        }
    }

    /// Receives the next part of the text, which consists of whole words, and the changes that folding made in it. O(text), and
    /// O(n · text) for shingles of n characters.
    pub fn push(&mut self, text: &str, changes: &[Change], sink: &mut dyn Sink) {
        let Extractor { hash, recent, space, words: buffer, hashes, chars, batch, .. } = self;
        let mut characters = Chars::new(text);
        let mut words = Words::new(text, self.rule);
        let mut rest = changes;
        loop {
            let (tokens, dense) = if self.takes_words {
                let (words, dense) = hash_words(hash, text, &mut words, buffer, hashes);
                let changes = changes_until(&mut rest, words.last().map_or(0, |word| word.end));
                (Tokens::Words(text, words, &hashes[..words.len()], changes), dense)
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
                return sink.end_part(text, changes);
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

/// Removes the changes up to byte `end` of the text from the front of `rest`, and returns them.
#[inline]
fn changes_until<'c>(rest: &mut &'c [Change], end: usize) -> &'c [Change] {
    let len = rest.iter().take_while(|change| change.end <= end).count();
    rest.split_off(..len).unwrap_or_default()
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
    hashes: &mut [u64; BATCH_CHARS],
) -> (&'w [Word], u64) {
    let words = finder.fill(words);
    hash.hash_all(text, words, hashes);
    // From the last to the first, so that no shift has a variable width.
    let dense = words.iter().rev().fold(0, |dense, word| dense << 1 | u64::from(word.is_dense));
    (words, dense)
}

/// Writes the keyed hash of each character.
fn hash_chars(key: &Key, chars: &[Char], hashes: &mut [u64; BATCH_CHARS]) {
    for (hash, char) in hashes.iter_mut().zip(chars) {
        *hash = key.hash(char.decode().encode_utf8(&mut [0; 4]).as_bytes());
    }
}
