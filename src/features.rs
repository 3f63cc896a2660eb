//! Features: what a text's words, or its characters, are cut into before they are hashed.
//!
//! Everything here keeps the last few words' hashes, never the whole text, so that a stream cut anywhere gives the
//! same features. The work goes block by block: some dozens of words are found, then they are hashed, then their
//! features made, then those counted. Each step is a short loop whose iterations do not wait for each other.

use alloc::{collections::VecDeque, vec, vec::Vec};

use crate::{
    fnv,
    scheme::{self, Features, Scheme},
    words::{Word, Words},
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

/// What a feature is made of is found by blocks of this many words or characters.
const BLOCK: usize = 64;
/// The most features that a word, or a character, can end.
const MOST: usize = 3;

/// A feature: its hash, not yet mixed, and where in its block it is.
#[derive(Clone, Copy, Default)]
pub(crate) struct Feature {
    pub hash: u64,
    /// How many of the block's words, or characters, there are up to its last one.
    pub end: u32,
    /// How many it spans, of which some may be of earlier blocks.
    pub span: u32,
}

/// Where features go.
pub(crate) trait Sink {
    /// Takes the next features, and the words or characters of `text` that they end in. The space that stands for a run
    /// of white space between characters is empty.
    fn take(&mut self, text: &str, pieces: &[Word], features: &[Feature]);
}

/// The features of a block.
struct Block {
    features: [Feature; MOST * BLOCK],
    len: usize,
}

impl Block {
    fn new() -> Self {
        Block { features: [Feature::default(); MOST * BLOCK], len: 0 }
    }

    #[inline]
    fn add_if(&mut self, is_one: bool, hash: u64, end: usize, span: usize) {
        if let Some(feature) = self.features.get_mut(self.len) {
            *feature = Feature { hash, end: end as u32, span: span as u32 };
            self.len += usize::from(is_one);
        }
    }

    fn take(&mut self) -> &[Feature] {
        let len = core::mem::take(&mut self.len);
        self.features.get(..len).unwrap_or_default()
    }
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
    pub fn push(&mut self, scheme: &Scheme, text: &str, sink: &mut dyn Sink) {
        let mut block = Block::new();
        let mut pieces = [Word::default(); BLOCK];
        if let Cutter::Chars(shingles) = self {
            let mut chars = text.char_indices();
            loop {
                let len = shingles.cut(scheme, text, &mut chars, &mut pieces, &mut block);
                if len == 0 {
                    return;
                }
                sink.take(text, &pieces[..len], block.take());
            }
        }
        let mut words = Words::new(text);
        let mut hashes = [0; BLOCK];
        loop {
            let pieces = words.fill(&mut pieces);
            if pieces.is_empty() {
                return;
            }
            hash_words(scheme, text, pieces, &mut hashes);
            match self {
                Cutter::Grams(grams) => grams.cut(pieces, &hashes, &mut block),
                Cutter::Words(shingles) => shingles.cut(&hashes[..pieces.len()], &mut block),
                Cutter::Chars(_) => {}
            }
            sink.take(text, pieces, block.take());
        }
    }

    /// Ends the text: one of fewer words or characters than a feature needs gives the feature of
    /// what there is.
    pub fn finish(&mut self, sink: &mut dyn Sink) {
        let last = match self {
            Cutter::Grams(grams) => grams.finish(),
            Cutter::Words(shingles) => shingles.finish(),
            Cutter::Chars(shingles) => shingles.finish(),
        };
        if let Some((hash, span)) = last {
            sink.take("", &[], &[Feature { hash, end: 0, span: span as u32 }]);
        }
        self.clear();
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

/// Hashes each word.
fn hash_words(scheme: &Scheme, text: &str, words: &[Word], hashes: &mut [u64; BLOCK]) {
    for (hash, word) in hashes.iter_mut().zip(words) {
        *hash = match scheme.hash {
            // Such a word is one character, mostly: too short for steps of eight bytes.
            scheme::Hash::Fnv1 if !word.is_unspaced() => {
                fnv::fnv1_64_within(text.as_bytes(), word.start, word.end)
            }
            scheme::Hash::Fnv1 => {
                fnv::fnv1_64(text.as_bytes().get(word.start..word.end).unwrap_or_default())
            }
            scheme::Hash::Fnv1a => {
                fnv::fnv1a_64(text.as_bytes().get(word.start..word.end).unwrap_or_default())
            }
        };
    }
}

/// The features of scheme `v1`. A word of a script written with spaces gives itself and its bigram
/// with the next word; a dense word gives its bigram and its trigram with the words that follow.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grams {
    /// The last word, and the one before it: the hash, and whether it is dense.
    last: (u64, bool),
    before: (u64, bool),
    /// How many of those two there are.
    len: usize,
}

impl Grams {
    fn cut(&mut self, words: &[Word], hashes: &[u64; BLOCK], block: &mut Block) {
        let Grams { mut last, mut before, mut len } = *self;
        for (at, (word, &hash)) in words.iter().zip(hashes).enumerate() {
            let pair = join(last.0, hash);
            let triple = join(join(before.0, last.0), hash);
            block.add_if(!word.is_dense(), hash, at + 1, 1);
            block.add_if(len > 0, pair, at + 1, 2);
            block.add_if(before.1, triple, at + 1, 3);
            (before, last) = (last, (hash, word.is_dense()));
            len = (len + 1).min(2);
        }
        *self = Grams { last, before, len };
    }

    /// A text of one dense word has no pair: the word itself must do.
    fn finish(&self) -> Option<(u64, usize)> {
        (self.len == 1 && self.last.1).then_some((self.last.0, 1))
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

    fn cut(&mut self, hashes: &[u64], block: &mut Block) {
        for (at, &hash) in hashes.iter().enumerate() {
            if self.n == 1 {
                block.add_if(true, hash, at + 1, 1);
                continue;
            }
            if self.window.len() == self.n {
                self.window.pop_front();
            }
            self.window.push_back(hash);
            if self.window.len() == self.n
                && let Some(hash) = self.joined()
            {
                block.add_if(true, hash, at + 1, self.n);
            }
        }
    }

    fn joined(&self) -> Option<u64> {
        self.window.iter().copied().reduce(join)
    }

    fn finish(&self) -> Option<(u64, usize)> {
        let len = self.window.len();
        self.joined().filter(|_| len < self.n).map(|hash| (hash, len))
    }
}

/// Shingles of `n` characters. A run of white space counts as one space, and none at the ends.
#[derive(Clone, Debug)]
pub(crate) struct CharShingles {
    n: usize,
    /// The hashes of the last character, of the last two and so on, `n` at most.
    hashes: Vec<u64>,
    len: usize,
    /// Whether white space came since the last character.
    space: bool,
}

impl CharShingles {
    fn new(n: usize) -> Self {
        CharShingles { n, hashes: vec![0; n], len: 0, space: false }
    }

    /// Cuts until the block is full or the text at an end, and tells how many characters that took, spaces included.
    fn cut(
        &mut self,
        scheme: &Scheme,
        text: &str,
        chars: &mut core::str::CharIndices<'_>,
        pieces: &mut [Word; BLOCK],
        block: &mut Block,
    ) -> usize {
        let mut len = 0;
        // A character and the space before it take two places.
        while len < BLOCK - 1
            && let Some((start, c)) = chars.next()
        {
            if c.is_whitespace() {
                self.space = self.len > 0;
                continue;
            }
            let end = chars.offset();
            if core::mem::take(&mut self.space) {
                pieces[len] = Word::of_char(start, start);
                len += 1;
                self.slide(scheme, b" ", len, block);
            }
            pieces[len] = Word::of_char(start, end);
            len += 1;
            self.slide(scheme, text.as_bytes().get(start..end).unwrap_or_default(), len, block);
        }
        len
    }

    #[inline]
    fn slide(&mut self, scheme: &Scheme, bytes: &[u8], end: usize, block: &mut Block) {
        self.len = (self.len + 1).min(self.n);
        for at in (1..self.len).rev() {
            self.hashes[at] = fnv::extend_64(scheme.hash, self.hashes[at - 1], bytes);
        }
        self.hashes[0] = fnv::extend_64(scheme.hash, fnv::OFFSET_64, bytes);
        block.add_if(self.len == self.n, self.hashes[self.len - 1], end, self.n);
    }

    fn finish(&self) -> Option<(u64, usize)> {
        (1..self.n).contains(&self.len).then(|| (self.hashes[self.len - 1], self.len))
    }

    fn clear(&mut self) {
        self.len = 0;
        self.space = false;
    }
}
