//! Weights: how often a repeated feature votes.

use crate::{
    accumulate::Sums,
    count::Counts,
    features::{self, Pieces, Sink},
    scheme::{Scheme, Weights},
};

/// The features of a text, counted and summed.
#[derive(Clone, Debug)]
pub(crate) struct Votes {
    scheme: Scheme,
    counts: Counts,
    /// Plain term frequencies can do without counting.
    is_counting: bool,
    sums: Sums,
    /// Scratch space: how often features have come.
    scratch: [u64; features::AT_ONCE],
}

impl Sink for Votes {
    fn take(&mut self, _pieces: Pieces<'_>, hashes: &[u64]) {
        let Votes { scheme, counts, is_counting, sums, scratch } = self;
        let scratch = &mut scratch[..hashes.len()];
        if *is_counting {
            counts.increment(hashes, scratch);
        }
        if scheme.weights == Weights::Tf {
            // Each time counts like the first.
            scratch.fill(1);
        }
        sums.add(scheme, hashes, scratch);
    }

    fn take_last(&mut self, hash: u64, _span: usize) {
        self.take(Pieces::Chars(&[]), &[hash]);
    }
}

impl Votes {
    pub fn new(scheme: Scheme) -> Self {
        Votes {
            scheme,
            counts: Counts::new(),
            is_counting: true,
            sums: Sums::new(),
            scratch: [0; features::AT_ONCE],
        }
    }

    /// How many different features came. Nobody knows unless they are counted.
    pub fn distinct(&self) -> Option<usize> {
        self.is_counting.then(|| self.counts.distinct())
    }

    pub fn sign(&self) -> u128 {
        self.sums.sign(&self.scheme)
    }

    /// Forgets everything, for a text of some `bytes`. Without `distinct` features are counted only if the weights need
    /// it.
    pub fn clear(&mut self, bytes: usize, distinct: bool) {
        self.is_counting = distinct || self.scheme.weights != Weights::Tf;
        if self.is_counting {
            // Most texts have fewer features than that.
            self.counts.clear(bytes / 2);
        }
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
