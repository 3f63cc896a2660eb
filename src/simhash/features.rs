//! Features: what a text's words, or its characters, are cut into before they are hashed.
//!
//! Everything here keeps the last few words' hashes, never the whole text, so that a stream cut anywhere gives the
//! same features. The work goes block by block: some dozens of words are found, then they are hashed, then their
//! features made, then those counted. Each step is a short loop whose iterations do not wait for each other.

use alloc::{vec, vec::Vec};
use core::ops::RangeInclusive;

use super::scheme::{Features, Scheme};
use crate::{
    hash::{
        self,
        fnv::{self, Steps},
    },
    simd,
    text::{
        chars::{Char, Chars, PLACES},
        words::{Word, Words},
    },
};

/// The multiplier of SplitMix64 (Steele, Lea and Flood 2014).
///
/// Not one more step of FNV-1, whose prime has few ones: 171 pairs of some million different grams
/// of real text collide then. With this one none do.
const MULTIPLIER: u64 = 0xbf58_476d_1ce4_e5b9;

/// The hash of a gram from the hash of all its words but the last, and that of the last. Order
/// matters, as it does in the text: it is the value of a polynomial, with the words for coefficients.
#[inline]
pub(super) fn join(gram: u64, word: u64) -> u64 {
    gram.wrapping_mul(MULTIPLIER).wrapping_add(word)
}

/// The 64-bit hash of a word's or a character shingle's UTF-8 bytes.
#[inline]
pub(crate) fn hash(scheme: &Scheme, bytes: &[u8]) -> u64 {
    match scheme.hash {
        hash::Hash::Fnv1 => fnv::fnv1_64(bytes),
        hash::Hash::Fnv1a => fnv::fnv1a_64(bytes),
    }
}

/// Words are found by blocks of this many: a number has a bit for each.
const BLOCK: usize = u64::BITS as usize;
/// The most features that those can end, or that characters can.
pub(crate) const AT_ONCE: usize = 3 * BLOCK;
const _: () = assert!(PLACES <= AT_ONCE, "each character ends a feature");

/// What features are made of.
#[derive(Clone, Copy)]
pub(crate) enum Pieces<'a> {
    /// Words of a text, and the hash of each.
    Words(&'a str, &'a [Word], &'a [u64]),
    /// Characters, with one space for every run of white space.
    Chars(&'a [Char]),
}

impl Pieces<'_> {
    fn len(self) -> usize {
        match self {
            Pieces::Words(_, words, _) => words.len(),
            Pieces::Chars(chars) => chars.len(),
        }
    }
}

/// Where features go.
pub(crate) trait Sink {
    /// Takes the next pieces and the features that end with them, at most [`AT_ONCE`]: their hashes, not yet mixed. [`spans`]
    /// returns which pieces each spans. The first `singles` are grams of one word; all others, and the features of
    /// other shapes, are in the order of their ends.
    fn take(&mut self, pieces: Pieces<'_>, hashes: &[u64], singles: usize);

    /// Takes the one feature of a text that is too short for others: it spans the last `span` pieces.
    fn take_last(&mut self, hash: u64, span: usize);
}

/// The features of a block.
#[derive(Clone, Debug)]
struct Block {
    hashes: [u64; AT_ONCE],
    len: usize,
    /// How many of them, the first, are grams of one word.
    singles: usize,
}

impl Block {
    const fn new() -> Self {
        Block { hashes: [0; AT_ONCE], len: 0, singles: 0 }
    }
}

/// Cuts normalised text into features.
#[derive(Clone, Debug)]
pub(crate) struct Cutter {
    steps: Steps,
    shape: Shape,
    // Scratch space.
    words: [Word; BLOCK],
    hashes: [u64; BLOCK],
    chars: [Char; PLACES],
    block: Block,
}

#[derive(Clone, Debug)]
enum Shape {
    Grams(Grams),
    Words(WordShingles),
    Chars(CharShingles),
}

impl Cutter {
    pub fn new(scheme: &Scheme) -> Self {
        let shape = match scheme.features {
            Features::Grams => Shape::Grams(Grams::default()),
            Features::Words(n) => Shape::Words(WordShingles::new(n.into())),
            Features::Chars(n) => Shape::Chars(CharShingles::new(n.into())),
        };
        Cutter {
            steps: Steps::of(scheme.hash),
            shape,
            words: [Word::default(); BLOCK],
            hashes: [0; BLOCK],
            chars: [Char::default(); PLACES],
            block: Block::new(),
        }
    }

    /// Whether it takes text by whole words.
    pub fn takes_words(&self) -> bool {
        !matches!(self.shape, Shape::Chars(_))
    }

    /// Takes the next piece of the text, whole words of it if it takes words. O(text), and O(n · text) for
    /// shingles of n characters.
    pub fn push(&mut self, text: &str, sink: &mut dyn Sink) {
        let Cutter { steps, shape, words: places, hashes, chars, block } = self;
        let mut letters = Chars::new(text);
        let mut words = None;
        loop {
            let pieces = match shape {
                Shape::Grams(grams) => {
                    let (words, dense) = hash_words(*steps, text, &mut words, places, hashes);
                    grams.cut(words.len(), dense, hashes, block);
                    Pieces::Words(text, words, &hashes[..words.len()])
                }
                Shape::Words(shingles) => {
                    let (words, _) = hash_words(*steps, text, &mut words, places, hashes);
                    shingles.cut(words.len(), hashes, block);
                    Pieces::Words(text, words, &hashes[..words.len()])
                }
                Shape::Chars(shingles) => {
                    let chars = letters.fill(&mut shingles.space, chars);
                    shingles.cut(*steps, chars, block);
                    Pieces::Chars(chars)
                }
            };
            if pieces.len() == 0 {
                return;
            }
            sink.take(pieces, &block.hashes[..block.len], block.singles);
        }
    }

    /// Ends the text: one of fewer words or characters than a feature needs gives the feature of
    /// what there is.
    pub fn finish(&mut self, sink: &mut dyn Sink) {
        let last = match &self.shape {
            Shape::Grams(grams) => grams.finish(),
            Shape::Words(shingles) => shingles.finish(),
            Shape::Chars(shingles) => shingles.finish(self.steps),
        };
        if let Some((hash, span)) = last {
            sink.take_last(hash, span);
        }
        self.clear();
    }

    /// Forgets the text.
    pub fn clear(&mut self) {
        match &mut self.shape {
            Shape::Grams(grams) => *grams = Grams::default(),
            Shape::Words(shingles) => shingles.clear(),
            Shape::Chars(shingles) => shingles.clear(),
        }
    }
}

/// How many pieces the features span, one each, that end with the last of `len` pieces: what the cutters below make. `dense`
/// tells whether the last one is dense, and the one before the one before it.
pub(crate) fn spans(features: Features, len: usize, dense: [bool; 2]) -> RangeInclusive<usize> {
    match features {
        Features::Grams => {
            let [is_dense, was_dense] = dense.map(usize::from);
            1 + is_dense..=1 + usize::from(len > 1) + was_dense
        }
        Features::Words(n) | Features::Chars(n) => n.into()..=len.min(n.into()),
    }
}

/// Finds the next words of the text and hashes each. A number comes along that has a bit for each that is dense.
#[inline(never)]
fn hash_words<'t, 'w>(
    steps: Steps,
    text: &'t str,
    finder: &mut Option<Words<'t>>,
    words: &'w mut [Word; BLOCK],
    hashes: &mut [u64; BLOCK],
) -> (&'w [Word], u64) {
    // Not before they are asked for: their tables are expanded then.
    let words = finder.get_or_insert_with(|| Words::new(text)).fill(words);
    let text = text.as_bytes();
    let mut dense = 0;
    for (at, (hash, word)) in hashes.iter_mut().zip(words).enumerate() {
        dense |= u64::from(word.is_dense()) << at;
        // One character, mostly: too short for steps of eight bytes.
        let short = if word.is_unspaced() { text.get(word.start..word.end) } else { None };
        *hash = match short {
            Some(&[a, b, c]) => steps.of_three([a, b, c]),
            _ => steps.within(text, word.start, word.end),
        };
    }
    steps.end_all(&mut hashes[..words.len()]);
    (words, dense)
}

/// The features of scheme `v1`. A word of a script written with spaces gives itself and its bigram
/// with the next word; a dense word gives its bigram and its trigram with the words that follow.
#[derive(Clone, Debug, Default)]
struct Grams {
    /// The last word, and the one before it: the hash, and whether it is dense.
    last: (u64, bool),
    before: (u64, bool),
    /// How many of those two there are.
    len: usize,
}

impl Grams {
    /// Takes `len` words; `dense` has a bit for each that is dense.
    fn cut(&mut self, len: usize, dense: u64, hashes: &[u64; BLOCK], block: &mut Block) {
        // Grams of one word come first, in front of all others.
        block.singles = (!dense & simd::below(len as u32)).count_ones() as usize;
        let (singles, grams) = block.hashes.split_at_mut(block.singles);
        let (mut single, mut gram) = (0, 0);
        let (last, before) = (u64::from(self.last.1), u64::from(self.before.1));
        // Words of a kind come in runs: a bit for each that is of the kind of the two before it.
        let changes = (dense ^ (dense << 1 | last)) | (dense ^ (dense << 2 | last << 1 | before));
        let mut runs = !changes & u64::MAX << (2 - self.len);
        let mut at = 0;
        while at < len {
            let run = (runs.trailing_ones() as usize).min(len - at);
            if run == 0 {
                let is_dense = dense >> at & 1 != 0;
                if !is_dense {
                    singles[single] = hashes[at];
                    single += 1;
                }
                gram += self.step(is_dense, hashes[at], &mut grams[gram..]);
            } else if self.last.1 {
                self.run_of_dense(&hashes[at..at + run], &mut grams[gram..]);
                gram += 2 * run;
            } else {
                let words = &hashes[at..at + run];
                singles[single..single + run].copy_from_slice(words);
                single += run;
                self.run_of_spaced(words, &mut grams[gram..]);
                gram += run;
            }
            at += run.max(1);
            runs = runs.checked_shr(run.max(1) as u32).unwrap_or(0);
        }
        block.len = single + gram;
    }

    /// Takes a word and writes the grams of several words that end with it. Returns how many there are, 2 at most.
    fn step(&mut self, is_dense: bool, hash: u64, grams: &mut [u64]) -> usize {
        let Grams { last, before, len } = *self;
        let mut count = 0;
        if len > 0 {
            grams[count] = join(last.0, hash);
            count += 1;
        }
        if before.1 {
            grams[count] = join(join(before.0, last.0), hash);
            count += 1;
        }
        *self = Grams { last: (hash, is_dense), before: last, len: (len + 1).min(2) };
        count
    }

    /// Takes words after two that are not dense either. Each ends a pair.
    #[inline(never)]
    fn run_of_spaced(&mut self, words: &[u64], grams: &mut [u64]) {
        let mut last = self.last.0;
        for (gram, &word) in grams.iter_mut().zip(words) {
            *gram = join(last, word);
            last = word;
        }
        self.keep_last(words);
    }

    /// Takes dense words after two dense words. Each ends a pair and a triple.
    #[inline(never)]
    fn run_of_dense(&mut self, words: &[u64], grams: &mut [u64]) {
        let mut last = self.last.0;
        let mut pair = join(self.before.0, last);
        for (grams, &word) in grams.as_chunks_mut::<2>().0.iter_mut().zip(words) {
            *grams = [join(last, word), join(pair, word)];
            (last, pair) = (word, grams[0]);
        }
        self.keep_last(words);
    }

    /// Remembers the last two of words that are of the kind of the two before them.
    fn keep_last(&mut self, words: &[u64]) {
        for &word in &words[words.len().saturating_sub(2)..] {
            self.before.0 = core::mem::replace(&mut self.last.0, word);
        }
    }

    /// A text of one dense word has no pair: the word itself must do.
    fn finish(&self) -> Option<(u64, usize)> {
        (self.len == 1 && self.last.1).then_some((self.last.0, 1))
    }
}

/// Shingles of `n` words.
#[derive(Clone, Debug)]
struct WordShingles {
    /// The hashes of the last `n` words, 0 for those that were not there yet, by turns in the same places.
    window: Vec<u64>,
    /// Of which the oldest is here.
    at: usize,
    /// All of them joined.
    joined: u64,
    /// How many of them were there.
    len: usize,
    /// What a word is multiplied by when it leaves: the multiplier to the power of `n`.
    leaving: u64,
}

impl WordShingles {
    fn new(n: usize) -> Self {
        let leaving = MULTIPLIER.wrapping_pow(n as u32);
        WordShingles { window: vec![0; n], at: 0, joined: 0, len: 0, leaving }
    }

    /// Takes the first `len` of the words.
    fn cut(&mut self, len: usize, hashes: &[u64; BLOCK], block: &mut Block) {
        let n = self.window.len();
        if n == 1 {
            // The words themselves: nothing to join, or to keep.
            block.hashes[..len].copy_from_slice(&hashes[..len]);
            block.len = len;
            return;
        }
        block.len = 0;
        for &hash in hashes.iter().take(len) {
            let left = core::mem::replace(&mut self.window[self.at], hash);
            self.at = if self.at + 1 < n { self.at + 1 } else { 0 };
            self.joined = join(self.joined, hash).wrapping_sub(left.wrapping_mul(self.leaving));
            self.len = (self.len + 1).min(n);
            block.hashes[block.len] = self.joined;
            block.len += usize::from(self.len == n);
        }
    }

    fn finish(&self) -> Option<(u64, usize)> {
        (1..self.window.len()).contains(&self.len).then_some((self.joined, self.len))
    }

    fn clear(&mut self) {
        self.window.fill(0);
        (self.at, self.joined, self.len) = (0, 0, 0);
    }
}

/// Shingles of `n` characters. A run of white space counts as one space, and none at the ends.
#[derive(Clone, Debug)]
struct CharShingles {
    /// The hashes of the last character, of the last two and so on, up to `n`.
    hashes: Vec<u64>,
    /// How many characters there were, `n` at most.
    len: usize,
    /// Whether white space came since the last one, if there was one.
    space: Option<bool>,
}

impl CharShingles {
    fn new(n: usize) -> Self {
        CharShingles { hashes: vec![0; n], len: 0, space: None }
    }

    fn cut(&mut self, steps: Steps, chars: &[Char], block: &mut Block) {
        let new = chars.len();
        // The hashes of the characters before those of the block: of none at first, then of one, and so on. What reaches
        // back before the text is without meaning, and left out.
        let mut before = steps.start;
        let hashes = &mut block.hashes[..new];
        hashes.fill(before);
        // Two lengths at a time, so that fewer hashes are kept in between.
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
        block.len = new - missing;
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

/// Makes of each hash of some characters the hash of those and the `N` that end with one of `chars`. `last` has the hashes that
/// were longer than that by one to `N` before, and `before` the one as long.
#[inline(never)]
fn extend<const N: usize>(hashes: &mut [u64], before: u64, last: &mut [u64; N], chars: &[Char]) {
    // What the next character makes longer: the hashes of one length each.
    let mut shorter = before;
    for (hash, &char) in hashes.iter_mut().zip(chars) {
        last.rotate_right(1);
        last[0] = shorter;
        let [a, b, c, d] = char.bytes();
        let mut step = |byte| *last = last.map(|hash| fnv::step_64(hash, byte));
        step(a);
        // Written out, since characters of a length come in runs: these branches are foreseen, the end of a loop is not.
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
