//! Features: what a text's words, or its characters, are cut into before they are hashed.
//!
//! Everything here runs over a window, never over the whole text, so that a stream cut anywhere
//! gives the same features. Each feature is told as its hash, not yet mixed, and as how many of
//! the latest words or characters it spans.

use alloc::{collections::VecDeque, string::String};

use crate::{
    fnv,
    scheme::{self, Features, Scheme},
    words::words,
};

/// The hash of a gram from the hash of all its words but the last, and that of the last. Order
/// matters, as it does in the text.
///
/// Not one more step of FNV-1, whose prime has few ones: 171 pairs of some million different grams
/// of real text collide then. With a multiplier of SplitMix64 (Steele, Lea and Flood 2014) none do.
#[inline]
fn join(gram: u64, word: u64) -> u64 {
    gram.wrapping_mul(0xbf58_476d_1ce4_e5b9).wrapping_add(word)
}

/// The 64-bit hash of a word's or a character shingle's UTF-8 bytes.
#[inline]
pub(crate) fn hash(scheme: &Scheme, bytes: &[u8]) -> u64 {
    match scheme.hash {
        scheme::Hash::Fnv1 => fnv::fnv1_64(bytes),
        scheme::Hash::Fnv1a => fnv::fnv1a_64(bytes),
    }
}

/// Where features go.
pub(crate) trait Sink {
    /// A word is new to the window.
    fn word(&mut self, _text: &str, _unspaced: bool) {}
    /// A character is new to the window.
    fn char(&mut self, _c: char) {}
    /// The last `span` words, or characters, are a feature of this hash.
    fn feature(&mut self, hash: u64, span: usize);
}

/// Cuts normalised text into features.
#[derive(Clone, Debug)]
pub(crate) enum Cutter {
    Grams(Grams),
    Words(WordShingles),
    Chars(CharShingles),
}

impl Cutter {
    pub fn new(features: Features) -> Self {
        match features {
            Features::Grams => Cutter::Grams(Grams::default()),
            Features::Words(n) => Cutter::Words(WordShingles::new(n.into())),
            Features::Chars(n) => Cutter::Chars(CharShingles::new(n.into())),
        }
    }

    /// Takes the next piece of the text, whole words of it. O(text), and O(n · text) for
    /// shingles of n.
    pub fn push(&mut self, scheme: &Scheme, text: &str, sink: &mut impl Sink) {
        match self {
            Cutter::Grams(grams) => {
                for word in words(text) {
                    sink.word(&text[word.start..word.end], word.is_unspaced());
                    grams.push(
                        hash(scheme, &text.as_bytes()[word.start..word.end]),
                        word.is_dense(),
                        sink,
                    );
                }
            }
            Cutter::Words(shingles) => {
                for word in words(text) {
                    sink.word(&text[word.start..word.end], word.is_unspaced());
                    shingles.push(hash(scheme, &text.as_bytes()[word.start..word.end]), sink);
                }
            }
            Cutter::Chars(shingles) => {
                for c in text.chars() {
                    shingles.push(scheme, c, sink);
                }
            }
        }
    }

    /// Ends the text: one of fewer words or characters than a feature needs gives the feature of
    /// what there is.
    pub fn finish(&mut self, scheme: &Scheme, sink: &mut impl Sink) {
        match self {
            Cutter::Grams(grams) => grams.finish(sink),
            Cutter::Words(shingles) => shingles.finish(sink),
            Cutter::Chars(shingles) => shingles.finish(scheme, sink),
        }
    }

    /// Forgets the text.
    pub fn clear(&mut self) {
        match self {
            Cutter::Grams(grams) => *grams = Grams::default(),
            Cutter::Words(shingles) => shingles.window.clear(),
            Cutter::Chars(shingles) => shingles.clear(),
        }
    }
}

/// The features of scheme `v1`. A word of a script written with spaces gives itself and its bigram
/// with the next word; a dense word gives its bigram and its trigram with the words that follow.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grams {
    /// The last word and the one before it, each with its hash and whether it is dense.
    last: Option<(u64, bool)>,
    before: Option<(u64, bool)>,
}

impl Grams {
    #[inline]
    fn push(&mut self, word: u64, dense: bool, sink: &mut impl Sink) {
        if !dense {
            sink.feature(word, 1);
        }
        if let Some((last, _)) = self.last {
            sink.feature(join(last, word), 2);
            if let Some((before, true)) = self.before {
                sink.feature(join(join(before, last), word), 3);
            }
        }
        self.before = self.last.replace((word, dense));
    }

    /// A text of one dense word has no pair: the word itself must do.
    fn finish(&mut self, sink: &mut impl Sink) {
        if let (Some((word, true)), None) = (self.last, self.before) {
            sink.feature(word, 1);
        }
        *self = Grams::default();
    }
}

/// Shingles of `n` words.
#[derive(Clone, Debug)]
pub(crate) struct WordShingles {
    n: usize,
    /// The hashes of the last words, `n` at most.
    window: VecDeque<u64>,
}

impl WordShingles {
    fn new(n: usize) -> Self {
        WordShingles { n, window: VecDeque::with_capacity(n) }
    }

    fn push(&mut self, word: u64, sink: &mut impl Sink) {
        if self.window.len() == self.n {
            self.window.pop_front();
        }
        self.window.push_back(word);
        if self.window.len() == self.n {
            self.emit(sink);
        }
    }

    fn emit(&self, sink: &mut impl Sink) {
        if let Some(hash) = self.window.iter().copied().reduce(join) {
            sink.feature(hash, self.window.len());
        }
    }

    fn finish(&mut self, sink: &mut impl Sink) {
        if self.window.len() < self.n {
            self.emit(sink);
        }
        self.window.clear();
    }
}

/// Shingles of `n` characters. A run of white space counts as one space, and none at the ends.
#[derive(Clone, Debug)]
pub(crate) struct CharShingles {
    n: usize,
    /// The last characters, and how many they are.
    window: String,
    len: usize,
    /// Whether white space came since the last character.
    space: bool,
}

impl CharShingles {
    fn new(n: usize) -> Self {
        CharShingles { n, window: String::with_capacity(4 * n), len: 0, space: false }
    }

    fn push(&mut self, scheme: &Scheme, c: char, sink: &mut impl Sink) {
        if c.is_whitespace() {
            self.space = self.len > 0;
            return;
        }
        if core::mem::take(&mut self.space) {
            self.slide(scheme, ' ', sink);
        }
        self.slide(scheme, c, sink);
    }

    fn slide(&mut self, scheme: &Scheme, c: char, sink: &mut impl Sink) {
        if self.len == self.n {
            self.window.remove(0);
            self.len -= 1;
        }
        sink.char(c);
        self.window.push(c);
        self.len += 1;
        if self.len == self.n {
            sink.feature(hash(scheme, self.window.as_bytes()), self.n);
        }
    }

    fn finish(&mut self, scheme: &Scheme, sink: &mut impl Sink) {
        if (1..self.n).contains(&self.len) {
            sink.feature(hash(scheme, self.window.as_bytes()), self.len);
        }
        self.clear();
    }

    fn clear(&mut self) {
        self.window.clear();
        self.len = 0;
        self.space = false;
    }
}
