//! Grams: the features of the default schemes of fingerprints (`v1`) and of sketches (`s1`).

use super::batch::{Batch, join};
use crate::{simd::window::mask_below, text::chars::BATCH_CHARS};

/// The last words, which the next grams start with. A word of a script written with spaces gives itself and its bigram with the next
/// word. A dense word gives its bigram and its trigram with the words that follow.
#[derive(Clone, Debug, Default)]
pub(super) struct Grams {
    /// The last word: its hash, and whether it is dense.
    last: (u64, bool),
    /// The word before it.
    before: (u64, bool),
    /// The number of these words that exist, 0 to 2.
    len: usize,
}

impl Grams {
    /// Receives `len` words by their hashes, and writes the features that end there. Bit `i` of `dense` is set if word `i` is dense.
    pub fn extract(
        &mut self,
        len: usize,
        dense: u64,
        hashes: &[u64; BATCH_CHARS],
        batch: &mut Batch,
    ) {
        batch.singles = (!dense & mask_below(len as u32)).count_ones() as usize;
        let (singles, grams) = batch.hashes.split_at_mut(batch.singles);
        let (mut single, mut gram) = (0, 0);
        let (last, before) = (u64::from(self.last.1), u64::from(self.before.1));
        // Dense words come in runs, and so do the others. A set bit of `runs` is a word of the same kind as the two before
        // it.
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
                (_, false) => self.run::<1>(words, &mut grams[gram..]),
                (_, true) => self.run::<2>(words, &mut grams[gram..]),
            };
            at += words.len();
            runs = runs.checked_shr(words.len() as u32).unwrap_or(0);
        }
        batch.len = single + gram;
    }

    /// Receives one word. Writes the grams of several words that end with it and returns their number, at most 2.
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

    /// Receives words of the same kind as the two before them. `N` grams end with each: a bigram, and with a dense word a trigram
    /// too. Returns the number of grams.
    #[inline(never)]
    fn run<const N: usize>(&mut self, words: &[u64], grams: &mut [u64]) -> usize {
        let mut last = self.last.0;
        let mut pair = join(self.before.0, last);
        for (grams, &word) in grams.as_chunks_mut::<N>().0.iter_mut().zip(words) {
            let both = [join(last, word), join(pair, word)];
            grams.copy_from_slice(&both[..N]);
            (last, pair) = (word, both[0]);
        }
        // The kinds stay: all words of the run have the kind of the two words before it.
        for &word in &words[words.len().saturating_sub(2)..] {
            self.before.0 = core::mem::replace(&mut self.last.0, word);
        }
        N * words.len()
    }

    /// Returns the only feature of a text of one dense word, which has no bigram: the word.
    pub fn finish(&self) -> Option<(u64, usize)> {
        (self.len == 1 && self.last.1).then_some((self.last.0, 1))
    }
}
