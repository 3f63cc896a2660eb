//! Shingles: runs of `n` consecutive words or characters.

use alloc::{vec, vec::Vec};

use super::batch::{Batch, MULTIPLIER, join};
use crate::{
    hash::fnv::{self, Steps},
    text::chars::Char,
};

/// Shingles of `n` words, or of characters that are hashed like words.
#[derive(Clone, Debug)]
pub(super) struct HashShingles {
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

impl HashShingles {
    pub fn new(n: usize) -> Self {
        let leaving = MULTIPLIER.wrapping_pow(n as u32);
        HashShingles { ring: vec![0; n], oldest: 0, joined: 0, len: 0, leaving }
    }

    pub fn extract(&mut self, hashes: &[u64], batch: &mut Batch) {
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

    pub fn finish(&self) -> Option<(u64, usize)> {
        (1..self.ring.len()).contains(&self.len).then_some((self.joined, self.len))
    }

    pub fn clear(&mut self) {
        self.ring.fill(0);
        (self.oldest, self.joined, self.len) = (0, 0, 0);
    }
}

/// Shingles of `n` characters.
#[derive(Clone, Debug)]
pub(super) struct CharShingles {
    /// The hash of the last character, of the last two and so on, up to `n`.
    hashes: Vec<u64>,
    /// The number of characters so far, at most `n`.
    len: usize,
}

impl CharShingles {
    pub fn new(n: usize) -> Self {
        CharShingles { hashes: vec![0; n], len: 0 }
    }

    pub fn extract(&mut self, steps: Steps, chars: &[Char], batch: &mut Batch) {
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

    pub fn finish(&self, steps: Steps) -> Option<(u64, usize)> {
        let hash = |len: usize| steps.end(self.hashes[len - 1]);
        (1..self.hashes.len()).contains(&self.len).then(|| (hash(self.len), self.len))
    }

    pub fn clear(&mut self) {
        self.len = 0;
    }
}

/// Extends each hash of the `k` characters that end with one of `chars` to the hash of `k + N` characters. `before` is the
/// hash of the `k` characters before `chars`, and `last` has the hashes of the `k + 1` to `k + N` characters before `chars`.
/// Updates `last` for the next batch.
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
