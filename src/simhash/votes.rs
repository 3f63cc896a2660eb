//! Votes: from the features of a text to its fingerprint. The weight of a feature is the number of its votes.
//!
//! A weight is 1 at the first occurrence of a feature and only grows, by whole numbers. So a feature casts a vote whenever
//! its weight grows, and no vote is ever taken back.

use super::{
    counts::Counts,
    scheme::{Scheme, Weights},
    sums::Sums,
};
use crate::{
    features::{BATCH_FEATURES, Sink, Tokens},
    hash::mix,
};

/// Counts the features of a text and sums their votes.
#[derive(Clone, Debug)]
pub(crate) struct Votes {
    scheme: Scheme,
    counts: Counts,
    /// The sums of the low 64 bits and of the high ones.
    sums: [Sums; 2],
    // Scratch space: the bits of a batch of features, and their counts.
    bits: [u64; BATCH_FEATURES],
    times: [u64; BATCH_FEATURES],
}

impl Sink for Votes {
    fn start(&mut self, bytes: usize) {
        // Most texts have fewer features.
        self.counts.clear(if self.is_counting() { bytes / 2 } else { 0 });
        self.sums.iter_mut().for_each(Sums::clear);
    }

    fn take(&mut self, _: Tokens<'_>, hashes: &[u64], _singles: usize) {
        let is_counting = self.is_counting();
        let Votes { scheme, counts, sums: [low, high], bits, times } = self;
        let (bits, times) = (&mut bits[..hashes.len()], &mut times[..hashes.len()]);
        mix::all(hashes, 0, bits);
        // A feature that is new in this text has count 1.
        let are_known = !is_counting || counts.increment(bits, times);
        if !scheme.mix {
            bits.copy_from_slice(hashes);
        }
        low.add(select(scheme.weights, bits, times), bits);
        if scheme.width.bits() > 64 {
            mix::all(hashes, mix::HIGH_HALF, bits);
            high.add(select(scheme.weights, bits, times), bits);
        }
        if !are_known {
            self.vote_late(Counts::settle);
        }
    }

    fn take_last(&mut self, hash: u64, _span: usize) {
        self.take(Tokens::Chars(&[]), &[hash], 0);
    }
}

impl Votes {
    pub fn new(scheme: Scheme) -> Self {
        Votes {
            scheme,
            counts: Counts::new(),
            sums: [Sums::new(), Sums::new()],
            bits: [0; BATCH_FEATURES],
            times: [0; BATCH_FEATURES],
        }
    }

    pub fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// Returns whether features are counted. Term frequencies do not need it.
    fn is_counting(&self) -> bool {
        self.scheme.weights != Weights::Tf
    }

    /// Returns the fingerprint of a text that has ended.
    pub fn finish(&mut self) -> u128 {
        self.vote_late(Counts::finish);
        let [low, high] = self.sums.each_ref().map(|sums| u128::from(sums.sign()));
        (low | high << 64) & self.scheme.width.mask()
    }

    /// Returns a lower bound on the number of different features so far.
    pub fn distinct(&self) -> usize {
        self.counts.distinct()
    }

    /// Adds the votes of the features whose counts are reported late, in a long or a hostile text.
    #[inline(never)]
    fn vote_late(&mut self, reported: fn(&mut Counts, &mut dyn FnMut(u64, u64, u64))) {
        let Votes { scheme, counts, sums: [low, high], bits, .. } = self;
        let mut len = 0;
        let mut flush = |bits: &mut [u64]| {
            let votes = bits.len() as u64;
            if !scheme.mix {
                bits.iter_mut().for_each(|bits| *bits = mix::unmix(*bits));
            }
            low.add(votes, bits);
            if scheme.width.bits() > 64 {
                bits.iter_mut()
                    .for_each(|bits| *bits = mix::fmix64(mix::unmix(*bits) ^ mix::HIGH_HALF));
                high.add(votes, bits);
            }
        };
        reported(counts, &mut |mixed, before, now| {
            // `before` is 0 for a feature that is new in this text.
            let votes = match scheme.weights {
                Weights::Tf => 0, // these votes are not late
                weights => weights.of(now) - if before > 0 { weights.of(before) } else { 0 },
            };
            for _ in 0..votes {
                bits[len] = mixed;
                len += 1;
                if len == bits.len() {
                    flush(&mut bits[..]);
                    len = 0;
                }
            }
        });
        flush(&mut bits[..len]);
    }
}

/// Keeps the bits of the features that vote, given their new counts, and sets the others to zero. Returns the number of
/// votes.
#[inline(never)]
fn select(weights: Weights, bits: &mut [u64], counts: &[u64]) -> u64 {
    // 1 + floor(log2 count) grows when the count reaches a power of two. With all other bits set, 1 is the only one.
    let more = match weights {
        Weights::Tf => return bits.len() as u64,
        Weights::Log => 0,
        Weights::Binary => u64::MAX,
    };
    let mut votes = 0_u64;
    for (bits, &count) in bits.iter_mut().zip(counts) {
        let votes_now = (count | more) & count.wrapping_sub(1) == 0;
        votes += u64::from(votes_now);
        *bits &= u64::from(votes_now).wrapping_neg();
    }
    votes
}
