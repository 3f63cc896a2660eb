//! Features: grams and shingles of the words or characters of a normalised text.
//!
//! In: normalised text, a part at a time. Out: the hash of each feature, not yet mixed, to a [`Sink`].
//!
//! An extractor keeps the hashes of the last few words or characters, never the text, so that a stream gives the same
//! features wherever it is cut. It works in batches: it finds up to 64 words, hashes them, then forms their features.
//! Each step is a short loop whose iterations do not depend on each other.

use alloc::{vec, vec::Vec};
use core::ops::RangeInclusive;

use super::scheme::{Features, Scheme};
use crate::{
    Error,
    hash::{
        Hash, Key,
        fnv::{self, Steps},
    },
    simd::window::mask_below,
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

/// The hash of a gram, from the hash of all its words but the last, and the hash of the last. It is the value of a
/// polynomial whose coefficients are the word hashes, so it depends on the order of the words.
#[inline]
pub(super) fn join(gram: u64, word: u64) -> u64 {
    gram.wrapping_mul(MULTIPLIER).wrapping_add(word)
}

/// The 64-bit hash of the UTF-8 bytes of a word or of a character shingle.
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
            let requirement = ["the 16 bytes of the scheme ", &scheme.id()].concat();
            Err(Error::argument("key", requirement, "none"))
        }
        _ => Ok(()),
    }
}

/// A hash function of words.
#[derive(Clone, Copy, Debug)]
enum WordHash {
    Fnv(Steps),
    Keyed(Key),
}

/// The largest number of words in a batch: a `u64` has one bit for each.
const BATCH_WORDS: usize = u64::BITS as usize;
/// The largest number of features that end in a batch of words, or of characters.
pub(crate) const BATCH_FEATURES: usize = 3 * BATCH_WORDS;
const _: () = assert!(PLACES <= BATCH_FEATURES, "one feature ends with each character");

/// The units of a batch, of which features are formed.
#[derive(Clone, Copy)]
pub(crate) enum Units<'a> {
    /// Words of a text, and the hash of each.
    Words(&'a str, &'a [Word], &'a [u64]),
    /// Characters. A run of white space is one space.
    Chars(&'a [Char]),
}

impl Units<'_> {
    fn len(self) -> usize {
        match self {
            Units::Words(_, words, _) => words.len(),
            Units::Chars(chars) => chars.len(),
        }
    }
}

/// What receives features.
pub(crate) trait Sink {
    /// Takes the next units, and the hashes of the features that end with them: at most [`BATCH_FEATURES`], not mixed.
    /// [`spans`] returns the units of each feature. The first `singles` features are grams of one word, all others follow,
    /// each group in the order in which they end.
    fn take(&mut self, units: Units<'_>, hashes: &[u64], singles: usize);

    /// Takes the only feature of a text that is too short for others: it spans the last `span` units.
    fn take_last(&mut self, hash: u64, span: usize);
}

/// The hashes of the features of a batch.
#[derive(Clone, Debug)]
struct Batch {
    hashes: [u64; BATCH_FEATURES],
    len: usize,
    /// How many of the hashes, the first ones, are of grams of one word.
    singles: usize,
}

impl Batch {
    const fn new() -> Self {
        Batch { hashes: [0; BATCH_FEATURES], len: 0, singles: 0 }
    }
}

/// Extracts the features of a normalised text.
#[derive(Clone, Debug)]
pub(crate) struct Extractor {
    hash: WordHash,
    recent: Recent,
    // Scratch space.
    words: [Word; BATCH_WORDS],
    hashes: [u64; BATCH_WORDS],
    chars: [Char; PLACES],
    batch: Batch,
}

/// The most recent units, with which the next features start.
#[derive(Clone, Debug)]
enum Recent {
    Grams(Grams),
    Words(WordShingles),
    Chars(CharShingles, Steps),
    KeyedChars(KeyedCharShingles),
}

impl Extractor {
    pub fn new(scheme: &Scheme) -> Self {
        let hash = match scheme.hash {
            Hash::Fnv1 => WordHash::Fnv(Steps::FNV_1),
            Hash::Fnv1a => WordHash::Fnv(Steps::FNV_1A),
            Hash::Keyed(key) => WordHash::Keyed(key),
        };
        let recent = match (scheme.features, hash) {
            (Features::Grams, _) => Recent::Grams(Grams::default()),
            (Features::Words(n), _) => Recent::Words(WordShingles::new(n.into())),
            (Features::Chars(n), WordHash::Fnv(steps)) => {
                Recent::Chars(CharShingles::new(n.into()), steps)
            }
            (Features::Chars(n), WordHash::Keyed(key)) => {
                Recent::KeyedChars(KeyedCharShingles::new(n.into(), key))
            }
        };
        Extractor {
            hash,
            recent,
            words: [Word::default(); BATCH_WORDS],
            hashes: [0; BATCH_WORDS],
            chars: [Char::default(); PLACES],
            batch: Batch::new(),
        }
    }

    /// Whether each part of the text must consist of whole words.
    pub fn takes_words(&self) -> bool {
        matches!(self.recent, Recent::Grams(_) | Recent::Words(_))
    }

    /// Takes the next part of the text. O(text), and O(n · text) for shingles of n characters.
    pub fn push(&mut self, text: &str, sink: &mut dyn Sink) {
        let Extractor { hash, recent, words: places, hashes, chars, batch } = self;
        let mut characters = Chars::new(text);
        let mut words = Words::new(text);
        loop {
            let units = match recent {
                Recent::Grams(grams) => {
                    let (words, dense) = hash_words(hash, text, &mut words, places, hashes);
                    grams.extract(words.len(), dense, hashes, batch);
                    Units::Words(text, words, &hashes[..words.len()])
                }
                Recent::Words(shingles) => {
                    let (words, _) = hash_words(hash, text, &mut words, places, hashes);
                    shingles.extract(&hashes[..words.len()], batch);
                    Units::Words(text, words, &hashes[..words.len()])
                }
                Recent::Chars(shingles, steps) => {
                    let chars = characters.fill(&mut shingles.space, chars);
                    shingles.extract(*steps, chars, batch);
                    Units::Chars(chars)
                }
                Recent::KeyedChars(shingles) => {
                    let chars = characters.fill(&mut shingles.space, chars);
                    shingles.extract(chars, batch);
                    Units::Chars(chars)
                }
            };
            if units.len() == 0 {
                return;
            }
            sink.take(units, &batch.hashes[..batch.len], batch.singles);
        }
    }

    /// Ends the text. A text of fewer units than a feature needs gives one feature of all its units.
    pub fn finish(&mut self, sink: &mut dyn Sink) {
        let last = match &self.recent {
            Recent::Grams(grams) => grams.finish(),
            Recent::Words(shingles) => shingles.finish(),
            Recent::Chars(shingles, steps) => shingles.finish(*steps),
            Recent::KeyedChars(shingles) => shingles.hashes.finish(),
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
            Recent::Words(shingles) => shingles.clear(),
            Recent::Chars(shingles, _) => shingles.clear(),
            Recent::KeyedChars(shingles) => shingles.clear(),
        }
    }
}

/// The numbers of units that the features span which end with the last of `len` units, one feature each. `dense` holds
/// whether the last word is dense, and whether the third last is.
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
    hashes: &mut [u64; BATCH_WORDS],
) -> (&'w [Word], u64) {
    let words = finder.fill(words);
    let text = text.as_bytes();
    let mut dense = 0;
    let steps = match hash {
        WordHash::Fnv(steps) => *steps,
        WordHash::Keyed(key) => {
            for (at, (hash, word)) in hashes.iter_mut().zip(words).enumerate() {
                dense |= u64::from(word.is_dense()) << at;
                *hash = key.hash(&text[word.start..word.end]);
            }
            return (words, dense);
        }
    };
    for (at, (hash, word)) in hashes.iter_mut().zip(words).enumerate() {
        dense |= u64::from(word.is_dense()) << at;
        *hash = match text[word.start..word.end] {
            // Most words of these scripts are one character, too short for steps of eight bytes.
            [a, b, c] if word.is_unspaced() => steps.of_three([a, b, c]),
            _ => steps.within(text, word.start, word.end),
        };
    }
    steps.end_all(&mut hashes[..words.len()]);
    (words, dense)
}

/// Grams, the features of scheme `v1`. A word of a script written with spaces gives itself and its bigram with the next
/// word. A dense word gives its bigram and its trigram with the words that follow.
#[derive(Clone, Debug, Default)]
struct Grams {
    /// The last word: its hash, and whether it is dense.
    last: (u64, bool),
    /// The word before it.
    before: (u64, bool),
    /// The number of these words that exist, 0 to 2.
    len: usize,
}

impl Grams {
    /// Takes the first `len` hashes. Bit `i` of `dense` is set if word `i` is dense.
    fn extract(&mut self, len: usize, dense: u64, hashes: &[u64; BATCH_WORDS], batch: &mut Batch) {
        batch.singles = (!dense & mask_below(len as u32)).count_ones() as usize;
        let (singles, grams) = batch.hashes.split_at_mut(batch.singles);
        let (mut single, mut gram) = (0, 0);
        let (last, before) = (u64::from(self.last.1), u64::from(self.before.1));
        // Dense words come in runs, and so do the others: a set bit is a word of the same kind as the two before it.
        let changes = (dense ^ (dense << 1 | last)) | (dense ^ (dense << 2 | last << 1 | before));
        let mut runs = !changes & u64::MAX << (2 - self.len);
        let mut at = 0;
        while at < len {
            let run = (runs.trailing_ones() as usize).min(len - at);
            let is_dense = dense >> at & 1 != 0;
            let words = &hashes[at..at + run.max(1)];
            if !is_dense {
                singles[single..single + words.len()].copy_from_slice(words);
                single += words.len();
            }
            gram += match (run, is_dense) {
                (0, _) => self.step(is_dense, words[0], &mut grams[gram..]),
                (_, false) => self.run_of_spaced(words, &mut grams[gram..]),
                (_, true) => self.run_of_dense(words, &mut grams[gram..]),
            };
            at += words.len();
            runs = runs.checked_shr(words.len() as u32).unwrap_or(0);
        }
        batch.len = single + gram;
    }

    /// Takes one word. Writes the grams of several words that end with it and returns their number, at most 2.
    fn step(&mut self, is_dense: bool, hash: u64, grams: &mut [u64]) -> usize {
        let Grams { last, before, len } = *self;
        let mut count = 0;
        let mut add_if = |is_feature: bool, hash| {
            if is_feature {
                grams[count] = hash;
                count += 1;
            }
        };
        add_if(len > 0, join(last.0, hash));
        add_if(before.1, join(join(before.0, last.0), hash));
        *self = Grams { last: (hash, is_dense), before: last, len: (len + 1).min(2) };
        count
    }

    /// Takes words that are not dense, after two such words. A bigram ends with each. Returns their number.
    #[inline(never)]
    fn run_of_spaced(&mut self, words: &[u64], grams: &mut [u64]) -> usize {
        let mut last = self.last.0;
        for (gram, &word) in grams.iter_mut().zip(words) {
            *gram = join(last, word);
            last = word;
        }
        self.keep_last(words);
        words.len()
    }

    /// Takes dense words, after two such words. A bigram and a trigram end with each. Returns their number.
    #[inline(never)]
    fn run_of_dense(&mut self, words: &[u64], grams: &mut [u64]) -> usize {
        let mut last = self.last.0;
        let mut pair = join(self.before.0, last);
        for (grams, &word) in grams.as_chunks_mut::<2>().0.iter_mut().zip(words) {
            *grams = [join(last, word), join(pair, word)];
            (last, pair) = (word, grams[0]);
        }
        self.keep_last(words);
        2 * words.len()
    }

    /// Remembers the last two words of a run. They are of the same kind as the two before the run.
    fn keep_last(&mut self, words: &[u64]) {
        for &word in &words[words.len().saturating_sub(2)..] {
            self.before.0 = core::mem::replace(&mut self.last.0, word);
        }
    }

    /// A text of one dense word has no bigram: its feature is the word.
    fn finish(&self) -> Option<(u64, usize)> {
        (self.len == 1 && self.last.1).then_some((self.last.0, 1))
    }
}

/// Shingles of `n` words.
#[derive(Clone, Debug)]
struct WordShingles {
    /// Ring buffer of the last `n` word hashes (0 = empty).
    ring: Vec<u64>,
    /// The position of the oldest hash in the ring.
    oldest: usize,
    /// The rolling hash of the ring.
    joined: u64,
    /// The number of words in the ring.
    len: usize,
    /// The factor of a word hash that leaves the ring: the multiplier to the power of `n`.
    leaving: u64,
}

impl WordShingles {
    fn new(n: usize) -> Self {
        let leaving = MULTIPLIER.wrapping_pow(n as u32);
        WordShingles { ring: vec![0; n], oldest: 0, joined: 0, len: 0, leaving }
    }

    fn extract(&mut self, hashes: &[u64], batch: &mut Batch) {
        let n = self.ring.len();
        if n == 1 {
            // The features are the words.
            batch.hashes[..hashes.len()].copy_from_slice(hashes);
            batch.len = hashes.len();
            return;
        }
        batch.len = 0;
        for &hash in hashes {
            let left = core::mem::replace(&mut self.ring[self.oldest], hash);
            self.oldest = if self.oldest + 1 < n { self.oldest + 1 } else { 0 };
            self.joined = join(self.joined, hash).wrapping_sub(left.wrapping_mul(self.leaving));
            self.len = (self.len + 1).min(n);
            batch.hashes[batch.len] = self.joined;
            batch.len += usize::from(self.len == n);
        }
    }

    fn finish(&self) -> Option<(u64, usize)> {
        (1..self.ring.len()).contains(&self.len).then_some((self.joined, self.len))
    }

    fn clear(&mut self) {
        self.ring.fill(0);
        (self.oldest, self.joined, self.len) = (0, 0, 0);
    }
}

/// Shingles of `n` characters. A run of white space counts as one space; white space at the ends does not count.
#[derive(Clone, Debug)]
struct CharShingles {
    /// The hash of the last character, of the last two and so on, up to `n`.
    hashes: Vec<u64>,
    /// The number of characters so far, at most `n`.
    len: usize,
    /// Whether white space has followed the last character. `None` before the first character.
    space: Option<bool>,
}

impl CharShingles {
    fn new(n: usize) -> Self {
        CharShingles { hashes: vec![0; n], len: 0, space: None }
    }

    fn extract(&mut self, steps: Steps, chars: &[Char], batch: &mut Batch) {
        let new = chars.len();
        // The hashes of the last `k` characters at each of `chars`, for `k` = 0, then 2 and so on. Those that reach beyond
        // the start of the text are meaningless and are removed below.
        let mut before = steps.start;
        let hashes = &mut batch.hashes[..new];
        hashes.fill(before);
        // Two lengths a pass, which halves the passes over `hashes`.
        let (pairs, single) = self.hashes.as_chunks_mut::<2>();
        for pair in pairs {
            let longest = pair[1];
            extend(hashes, before, pair, chars);
            before = longest;
        }
        if let [single] = single {
            extend(hashes, before, core::array::from_mut(single), chars);
        }
        steps.end_all(hashes);
        let n = self.hashes.len();
        let missing = (n - 1).saturating_sub(self.len).min(new);
        if missing > 0 {
            hashes.copy_within(missing.., 0);
        }
        batch.len = new - missing;
        self.len = n.min(self.len + new);
    }

    fn finish(&self, steps: Steps) -> Option<(u64, usize)> {
        let hash = |len: usize| steps.end(self.hashes[len - 1]);
        (1..self.hashes.len()).contains(&self.len).then(|| (hash(self.len), self.len))
    }

    fn clear(&mut self) {
        self.len = 0;
        self.space = None;
    }
}

/// Shingles of `n` characters of which each is hashed with a key. A shingle is joined from the hashes of its characters as a
/// gram is from those of its words.
#[derive(Clone, Debug)]
struct KeyedCharShingles {
    key: Key,
    hashes: WordShingles,
    /// Whether white space has followed the last character. `None` before the first character.
    space: Option<bool>,
}

impl KeyedCharShingles {
    fn new(n: usize, key: Key) -> Self {
        KeyedCharShingles { key, hashes: WordShingles::new(n), space: None }
    }

    fn extract(&mut self, chars: &[Char], batch: &mut Batch) {
        let mut hashes = [0; PLACES];
        for (hash, char) in hashes.iter_mut().zip(chars) {
            *hash = self.key.hash(char.decode().encode_utf8(&mut [0; 4]).as_bytes());
        }
        self.hashes.extract(&hashes[..chars.len()], batch);
    }

    fn clear(&mut self) {
        self.hashes.clear();
        self.space = None;
    }
}

/// Extends each hash of the `k` characters that end with one of `chars` to the hash of `k + N` characters. `before` is the
/// hash of the `k` characters before `chars`, and `last` holds those of the `k + 1` to `k + N` characters before `chars`, which
/// it updates for the next batch.
#[inline(never)]
fn extend<const N: usize>(hashes: &mut [u64], before: u64, last: &mut [u64; N], chars: &[Char]) {
    // The hash of the `k` characters before the next of `chars`.
    let mut shorter = before;
    for (hash, &char) in hashes.iter_mut().zip(chars) {
        last.rotate_right(1);
        last[0] = shorter;
        let [a, b, c, d] = char.bytes();
        let mut step = |byte| *last = last.map(|hash| fnv::step_64(hash, byte));
        step(a);
        // Unrolled: characters of one length come in runs, so these branches are predictable and the end of a loop is not.
        if a >= 0xc0 {
            step(b);
            if a >= 0xe0 {
                step(c);
                if a >= 0xf0 {
                    step(d);
                }
            }
        }
        shorter = core::mem::replace(hash, last[N - 1]);
    }
}
