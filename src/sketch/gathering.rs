//! Gathering: from the words and features of a text to the record and the keys of its sketch.

use super::{
    BRIEF_FEATURES, MIN_FEATURES,
    minima::{BandKeys, Bins},
    odd_sketch::OddSketch,
    record::Record,
    sample::Sample,
    scheme::SketchScheme,
    scope::Scope,
    sequence::Sequence,
};
use crate::{
    features::{BATCH_FEATURES, Sink, Tokens},
    hash::fmix64,
    text::fold::Change,
};

/// Collects minima, a sample and the hashes of equality of a text.
#[derive(Clone, Debug)]
pub(super) struct Gathering {
    pub scheme: SketchScheme,
    /// The scope of the next text.
    pub scope: Scope,
    bins: Bins,
    sample: Sample,
    sequence: Sequence,
    singles: Singles,
    /// Scratch space: the second hashes of a batch that count.
    seconds: [u64; BATCH_FEATURES],
}

impl Gathering {
    pub fn new(scheme: SketchScheme) -> Self {
        Gathering {
            scheme,
            scope: Scope::default(),
            bins: Bins::new(),
            sample: Sample::default(),
            sequence: Sequence::default(),
            singles: Singles::default(),
            seconds: [0; BATCH_FEATURES],
        }
    }

    /// Returns the record of a text that has ended, and the keys of its bands unless it is short.
    #[inline(never)]
    pub fn finish(&mut self) -> (Record, Option<BandKeys>) {
        self.sample.finish();
        let features = self.singles.len + self.sample.len();
        let sequence = self.sequence.hash(self.scope);
        let sequence = sequence.with_few_features(features < BRIEF_FEATURES);
        if features < MIN_FEATURES {
            return (Record { sequence, odd: OddSketch::default() }, None);
        }
        (Record { sequence, odd: OddSketch::of(&self.sample) }, Some(self.bins.keys()))
    }

    /// Adds features to the minima and to the sample.
    #[inline(never)]
    fn add_all(&mut self, hashes: &[u64]) {
        let Gathering { bins, sample, seconds, scope, .. } = self;
        let (largest, mut len) = (sample.largest(), 0);
        for &hash in hashes {
            let hash = fmix64(hash) ^ scope.0;
            bins.add(hash);
            let second = Sample::second(hash);
            // Whether a feature counts is unpredictable, so no branch depends on it.
            seconds[len] = second;
            len += usize::from(second <= largest);
        }
        sample.add_all(&seconds[..len]);
    }
}

impl Sink for Gathering {
    fn start(&mut self, bytes: usize) {
        self.bins.clear();
        self.sample.start(bytes);
        self.sequence = Sequence::default();
        self.singles = Singles::default();
    }

    fn take(&mut self, tokens: Tokens<'_>, hashes: &[u64], singles: usize) {
        let (words, several) = hashes.split_at(singles);
        self.add_all(several);
        self.sequence.add_tokens(self.scheme.hash(), tokens);
        if self.sample.len() < BRIEF_FEATURES {
            self.singles.add_all(words);
        }
    }

    fn end_part(&mut self, text: &str, changes: &[Change]) {
        let hash = self.scheme.hash();
        if self.scheme.choice().takes_words() {
            self.sequence.end_words(hash, text);
        } else {
            self.sequence.end_chars(hash, text, changes);
        }
    }

    fn take_last(&mut self, hash: u64, _span: usize) {
        self.take(Tokens::Chars(&[]), &[hash], 0);
    }
}

/// The first different grams of one word. They are counted for short and brief texts only.
#[derive(Clone, Copy, Debug, Default)]
struct Singles {
    hashes: [u64; BRIEF_FEATURES],
    len: usize,
}

impl Singles {
    fn add_all(&mut self, hashes: &[u64]) {
        for hash in hashes {
            if self.len < BRIEF_FEATURES && !self.hashes[..self.len].contains(hash) {
                self.hashes[self.len] = *hash;
                self.len += 1;
            }
        }
    }
}
