//! Features: what a text's words, or its characters, are cut into before they are hashed.
//!
//! Everything here keeps the last few words' hashes, never the whole text, so that a stream cut anywhere gives the
//! same features. The work goes block by block: some dozens of words are found, then they are hashed, then their
//! features made, then those counted. Each step is a short loop whose iterations do not wait for each other.

use alloc::{vec, vec::Vec};

use crate::{
    chars::Char,
    fnv,
    scheme::{self, Features, Scheme},
    words::{Word, Words},
};

/// The multiplier of SplitMix64 (Steele, Lea and Flood 2014).
///
/// Not one more step of FNV-1, whose prime has few ones: 171 pairs of some million different grams
/// of real text collide then. With this one none do.
const MULTIPLIER: u64 = 0xbf58_476d_1ce4_e5b9;

/// The hash of a gram from the hash of all its words but the last, and that of the last. Order
/// matters, as it does in the text: it is the value of a polynomial, with the words for coefficients.
#[inline]
fn join(gram: u64, word: u64) -> u64 {
    gram.wrapping_mul(MULTIPLIER).wrapping_add(word)
}

/// The 64-bit hash of a word's or a character shingle's UTF-8 bytes.
#[inline]
pub(crate) fn hash(scheme: &Scheme, bytes: &[u8]) -> u64 {
    match scheme.hash {
        scheme::Hash::Fnv1 => fnv::fnv1_64(bytes),
        scheme::Hash::Fnv1a => fnv::fnv1a_64(bytes),
    }
}

/// What a feature is made of is found by blocks of this many words or characters.
const BLOCK: usize = 64;
/// The most features that those can end.
pub(crate) const AT_ONCE: usize = 3 * BLOCK;

/// The features that end with one word, or character: one that spans it and the words before it up to `first` of them,
/// and so on to `last`. None where `last` is less. Some of those words may be of earlier blocks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spans {
    pub first: u8,
    pub last: u8,
}

/// What features are made of.
#[derive(Clone, Copy)]
pub(crate) enum Pieces<'a> {
    /// Words of a text.
    Words(&'a str, &'a [Word]),
    /// Characters, with one space for every run of white space.
    Chars(&'a [Char]),
}

impl Pieces<'_> {
    fn len(self) -> usize {
        match self {
            Pieces::Words(_, words) => words.len(),
            Pieces::Chars(chars) => chars.len(),
        }
    }
}

/// Where features go.
pub(crate) trait Sink {
    /// Takes the next features, at most [`AT_ONCE`]: their hashes, not yet mixed, and for each of the pieces which of them
    /// end with it.
    fn take(&mut self, pieces: Pieces<'_>, hashes: &[u64], spans: &[Spans]);

    /// Takes the one feature of a text that is too short for others: it spans the last `span` pieces.
    fn take_last(&mut self, hash: u64, span: usize);
}

/// The features of a block.
#[derive(Clone, Debug)]
struct Block {
    hashes: [u64; AT_ONCE],
    len: usize,
    spans: [Spans; BLOCK],
}

impl Block {
    const fn new() -> Self {
        Block { hashes: [0; AT_ONCE], len: 0, spans: [Spans { first: 0, last: 0 }; BLOCK] }
    }
}

/// Cuts normalised text into features.
#[derive(Clone, Debug)]
pub(crate) struct Cutter {
    shape: Shape,
    // Scratch space.
    words: [Word; BLOCK],
    hashes: [u64; BLOCK],
    chars: [Char; BLOCK],
    block: Block,
}

#[derive(Clone, Debug)]
enum Shape {
    Grams(Grams),
    Words(WordShingles),
    Chars(CharShingles),
}

impl Cutter {
    pub fn new(features: Features) -> Self {
        let shape = match features {
            Features::Grams => Shape::Grams(Grams::default()),
            Features::Words(n) => Shape::Words(WordShingles::new(n.into())),
            Features::Chars(n) => Shape::Chars(CharShingles::new(n.into())),
        };
        Cutter {
            shape,
            words: [Word::default(); BLOCK],
            hashes: [0; BLOCK],
            chars: [Char::default(); BLOCK],
            block: Block::new(),
        }
    }

    /// Whether it takes text by whole words.
    pub fn takes_words(&self) -> bool {
        !matches!(self.shape, Shape::Chars(_))
    }

    /// Takes the next piece of the text, whole words of it if it takes words. O(text), and O(n · text) for
    /// shingles of n characters.
    pub fn push(&mut self, scheme: &Scheme, text: &str, sink: &mut dyn Sink) {
        let Cutter { shape, words: places, hashes, chars, block } = self;
        let mut words = None;
        let mut rest = text.as_bytes();
        loop {
            let pieces = if let Shape::Chars(shingles) = shape {
                let chars = shingles.fill(&mut rest, chars);
                shingles.cut(scheme, chars, block);
                Pieces::Chars(chars)
            } else {
                // Not before they are asked for: their tables are expanded then.
                let words = words.get_or_insert_with(|| Words::new(text)).fill(places);
                hash_words(scheme, text, words, hashes);
                match shape {
                    Shape::Grams(grams) => grams.cut(words, hashes, block),
                    Shape::Words(shingles) => shingles.cut(words.len(), hashes, block),
                    Shape::Chars(_) => {}
                }
                Pieces::Words(text, words)
            };
            let len = pieces.len();
            if len == 0 {
                return;
            }
            sink.take(pieces, &block.hashes[..block.len], &block.spans[..len]);
        }
    }

    /// Ends the text: one of fewer words or characters than a feature needs gives the feature of
    /// what there is.
    pub fn finish(&mut self, sink: &mut dyn Sink) {
        let last = match &self.shape {
            Shape::Grams(grams) => grams.finish(),
            Shape::Words(shingles) => shingles.finish(),
            Shape::Chars(shingles) => shingles.finish(),
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

/// Hashes each word.
fn hash_words(scheme: &Scheme, text: &str, words: &[Word], hashes: &mut [u64; BLOCK]) {
    let mut hashes = &mut hashes[..];
    for run in words.chunk_by(|word, next| word.is_unspaced() == next.is_unspaced()) {
        let (to, rest) = hashes.split_at_mut(run.len());
        hash_run(scheme, text.as_bytes(), run, to);
        hashes = rest;
    }
}

/// Hashes words of a kind.
#[inline(never)]
fn hash_run(scheme: &Scheme, text: &[u8], words: &[Word], hashes: &mut [u64]) {
    let bytes = |word: &Word| text.get(word.start..word.end).unwrap_or_default();
    match scheme.hash {
        scheme::Hash::Fnv1 if words[0].is_unspaced() => {
            for (hash, word) in hashes.iter_mut().zip(words) {
                // One character, mostly: too short for steps of eight bytes.
                *hash = match *bytes(word) {
                    [a, b, c] => fnv::fnv1_64(&[a, b, c]),
                    ref bytes => fnv::fnv1_64(bytes),
                }
            }
        }
        scheme::Hash::Fnv1 => {
            for (hash, word) in hashes.iter_mut().zip(words) {
                *hash = fnv::fnv1_64_within(text, word.start, word.end);
            }
        }
        scheme::Hash::Fnv1a => {
            for (hash, word) in hashes.iter_mut().zip(words) {
                *hash = fnv::fnv1a_64(bytes(word));
            }
        }
    }
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
    fn cut(&mut self, words: &[Word], hashes: &[u64; BLOCK], block: &mut Block) {
        block.len = 0;
        let mut at = 0;
        while at < words.len().min(BLOCK) {
            self.step(words[at].is_dense(), hashes[at], at, block);
            at += 1;
            // Words of a kind come in runs.
            if self.len == 2 && self.before.1 == self.last.1 {
                let more = &words[at..];
                let run = more.iter().take_while(|word| word.is_dense() == self.last.1).count();
                let end = at + run;
                self.run(&hashes[at..end], &mut block.hashes[block.len..]);
                let first = 1 + u8::from(self.last.1);
                block.spans[at..end].fill(Spans { first, last: first + 1 });
                block.len += 2 * run;
                at = end;
            }
        }
    }

    /// Takes a word.
    fn step(&mut self, is_dense: bool, hash: u64, at: usize, block: &mut Block) {
        let Grams { last, before, len } = *self;
        let mut add_if = |is_one: bool, hash| {
            if let Some(place) = block.hashes.get_mut(block.len) {
                *place = hash;
                block.len += usize::from(is_one);
            }
        };
        add_if(!is_dense, hash);
        add_if(len > 0, join(last.0, hash));
        add_if(before.1, join(join(before.0, last.0), hash));
        let first = 1 + u8::from(is_dense);
        block.spans[at] = Spans { first, last: 1 + u8::from(len > 0) + u8::from(before.1) };
        *self = Grams { last: (hash, is_dense), before: last, len: (len + 1).min(2) };
    }

    /// Takes words of the kind of the last two. Each ends two features.
    #[inline(never)]
    fn run(&mut self, words: &[u64], features: &mut [u64]) {
        let (features, _) = features.as_chunks_mut::<2>();
        let (mut before, mut last) = (self.before.0, self.last.0);
        if self.last.1 {
            let mut pair = join(before, last);
            for (features, &word) in features.iter_mut().zip(words) {
                let triple = join(pair, word);
                pair = join(last, word);
                *features = [pair, triple];
                (before, last) = (last, word);
            }
        } else {
            for (features, &word) in features.iter_mut().zip(words) {
                *features = [word, join(last, word)];
                (before, last) = (last, word);
            }
        }
        (self.before.0, self.last.0) = (before, last);
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
        block.len = 0;
        let n = self.window.len();
        for (spans, &hash) in block.spans.iter_mut().zip(hashes).take(len) {
            let left = core::mem::replace(&mut self.window[self.at], hash);
            self.at = if self.at + 1 < n { self.at + 1 } else { 0 };
            self.joined = join(self.joined, hash).wrapping_sub(left.wrapping_mul(self.leaving));
            self.len = (self.len + 1).min(n);
            *spans = Spans { first: n as u8, last: self.len as u8 };
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
    /// Whether white space came since the last one.
    space: bool,
}

impl CharShingles {
    fn new(n: usize) -> Self {
        CharShingles { hashes: vec![0; n], len: 0, space: false }
    }

    /// Takes characters from the start of the text, as many as a block has.
    #[inline(never)]
    fn fill<'c>(&mut self, text: &mut &[u8], chars: &'c mut [Char; BLOCK]) -> &'c [Char] {
        let mut new = 0;
        let mut rest = *text;
        // A character and the space before it take two places.
        while new < BLOCK - 1 && !rest.is_empty() {
            let char = Char::first(rest);
            rest = rest.get(char.len()..).unwrap_or_default();
            if char.is_white_space() {
                self.space = self.len + new > 0;
                continue;
            }
            if self.space {
                chars[new] = Char::SPACE;
                new += 1;
                self.space = false;
            }
            chars[new] = char;
            new += 1;
        }
        *text = rest;
        &chars[..new]
    }

    fn cut(&mut self, scheme: &Scheme, chars: &[Char], block: &mut Block) {
        let new = chars.len();
        // The hashes of the characters before those of the block: of none at first, then of one, and so on. What reaches
        // back before the text is without meaning, and left out.
        let mut before = fnv::OFFSET_64;
        let hashes = &mut block.hashes[..new];
        hashes.fill(before);
        for last in self.hashes.iter_mut().filter(|_| new > 0) {
            match scheme.hash {
                scheme::Hash::Fnv1 => extend(hashes, before, chars, fnv::step_64),
                scheme::Hash::Fnv1a => extend(hashes, before, chars, fnv::step_64a),
            }
            before = core::mem::replace(last, hashes[new - 1]);
        }
        let n = self.hashes.len();
        for (at, spans) in (self.len..).zip(&mut block.spans[..new]) {
            *spans = Spans { first: n as u8, last: n.min(at + 1) as u8 };
        }
        let missing = (n - 1).saturating_sub(self.len).min(new);
        hashes.copy_within(missing.., 0);
        block.len = new - missing;
        self.len = n.min(self.len + new);
    }

    fn finish(&self) -> Option<(u64, usize)> {
        (1..self.hashes.len()).contains(&self.len).then(|| (self.hashes[self.len - 1], self.len))
    }

    fn clear(&mut self) {
        self.len = 0;
        self.space = false;
    }
}

/// Makes of each character's hash that of the character behind it: with `before`, the one before the first.
#[inline(never)]
fn extend(hashes: &mut [u64], before: u64, chars: &[Char], step: impl Fn(u64, u8) -> u64) {
    let mut before = before;
    for (hash, &char) in hashes.iter_mut().zip(chars) {
        let [a, b, c, d] = char.bytes();
        let mut next = step(before, a);
        // Written out, since characters of a length come in runs: these branches are foreseen, the end of a loop is not.
        if a >= 0xc0 {
            next = step(next, b);
            if a >= 0xe0 {
                next = step(next, c);
                if a >= 0xf0 {
                    next = step(next, d);
                }
            }
        }
        before = core::mem::replace(hash, next);
    }
}
