//! Weights: how often a repeated feature votes.

use crate::{
    accumulate::Sums,
    count::Counts,
    features::{Feature, Sink},
    scheme::{Scheme, Weights},
    words::Word,
};

/// Features that are counted before their votes are added.
const CHUNK: usize = 128;

/// The features of a text, counted and summed.
#[derive(Clone, Debug)]
pub(crate) struct Votes {
    scheme: Scheme,
    counts: Counts,
    sums: Sums,
    /// Scratch space: the low and the high bits of features that vote.
    voting: [[u64; CHUNK]; 2],
}

impl Sink for Votes {
    fn take(&mut self, _text: &str, _pieces: &[Word], features: &[Feature]) {
        let Votes { scheme, counts, sums, voting: [low, high] } = self;
        for features in features.chunks(CHUNK) {
            let mut len = 0;
            for &Feature { hash, .. } in features {
                let count = counts.increment(hash);
                // Which features vote nothing can predict, so there is no branch on it: the next one is written over
                // one that does not.
                if let (Some(low), Some(high)) = (low.get_mut(len), high.get_mut(len)) {
                    let bits = Sums::bits(scheme, hash);
                    (*low, *high) = (bits as u64, (bits >> 64) as u64);
                }
                len += usize::from(match scheme.weights {
                    // 1 + floor(log2 count) grows by one where the count reaches a power of two: exact,
                    // and no logarithm is ever taken.
                    Weights::Log => count.is_power_of_two(),
                    Weights::Tf => true,
                    Weights::Binary => count == 1,
                });
            }
            sums.add(scheme, &low[..len], &high[..len]);
        }
    }
}

impl Votes {
    pub fn new(scheme: Scheme) -> Self {
        Votes { scheme, counts: Counts::new(), sums: Sums::new(), voting: [[0; CHUNK]; 2] }
    }

    /// How many different features came.
    pub fn distinct(&self) -> usize {
        self.counts.distinct()
    }

    pub fn sign(&self) -> u128 {
        self.sums.sign(&self.scheme)
    }

    pub fn clear(&mut self) {
        self.counts.clear();
        self.sums.clear();
    }
}

/// The weight of a feature that occurs `count` times.
pub(crate) fn weight(weights: Weights, count: u32) -> u32 {
    match weights {
        Weights::Log => 1 + count.max(1).ilog2(),
        Weights::Tf => count,
        Weights::Binary => 1,
    }
}
