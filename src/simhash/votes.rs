//! Weights: how often a repeated feature votes.

use super::{
    counts::Counts,
    features::{self, Pieces, Sink},
    minhash::{Bins, MinHash},
    scheme::{Scheme, Weights},
    sums::Sums,
};
use crate::hash::mix;

/// The features of a text, counted and summed.
#[derive(Clone, Debug)]
pub(crate) struct Votes {
    scheme: Scheme,
    counts: Counts,
    /// Plain term frequencies can do without counting.
    is_counting: bool,
    /// The low 64 bits and the high ones.
    sums: [Sums; 2],
    /// Scratch space: the bits of features, and how often they have come.
    bits: [u64; features::AT_ONCE],
    times: [u64; features::AT_ONCE],
    /// What only a sketch needs, while one is made.
    sketching: Option<Sketching>,
}

/// The parts of a sketch that are no votes.
#[derive(Clone, Debug)]
struct Sketching {
    bins: Bins,
    words: u64,
}

impl Sink for Votes {
    fn take(&mut self, pieces: Pieces<'_>, hashes: &[u64], singles: usize) {
        if let Some(sketching) = &mut self.sketching {
            sketching.add_pieces(pieces);
        }
        let Votes { scheme, counts, is_counting, sums: [low, high], bits, times, .. } = self;
        let (bits, times) = (&mut bits[..hashes.len()], &mut times[..hashes.len()]);
        mix::all(hashes, 0, bits);
        if let Some(sketching) = &mut self.sketching {
            sketching.bins.add_all(&bits[singles..]);
        }
        if *is_counting {
            // Each hash is mixed to another, whose low bits are as good as the high ones.
            counts.increment(bits, times);
        }
        if !scheme.mix {
            bits.copy_from_slice(hashes);
        }
        low.add(vote(scheme.weights, bits, times), bits);
        if scheme.width.bits() > 64 {
            mix::all(hashes, mix::HIGH_HALF, bits);
            high.add(vote(scheme.weights, bits, times), bits);
        }
    }

    fn take_last(&mut self, hash: u64, _span: usize) {
        self.take(Pieces::Chars(&[]), &[hash], 0);
    }
}

impl Votes {
    pub fn new(scheme: Scheme) -> Self {
        Votes {
            scheme,
            counts: Counts::new(),
            is_counting: true,
            sums: [Sums::new(), Sums::new()],
            bits: [0; features::AT_ONCE],
            times: [0; features::AT_ONCE],
            sketching: None,
        }
    }

    /// From now on, collects what a sketch needs.
    pub fn start_sketching(&mut self) {
        self.sketching.get_or_insert(Sketching { bins: Bins::new(), words: 0 });
    }

    /// How many different features came. Nobody knows unless they are counted.
    pub fn distinct(&self) -> Option<usize> {
        self.is_counting.then(|| self.counts.distinct())
    }

    /// The sums of the low 64 bits.
    pub fn sums(&self) -> [i64; 64] {
        self.sums[0].values()
    }

    /// The MinHash of the features: in scheme `v1`, of those of several words.
    pub fn minhash(&self) -> MinHash {
        self.sketching.as_ref().expect("a sketch is being made").bins.minhash()
    }

    /// A hash of the words or characters in their order.
    pub fn words_hash(&self) -> u64 {
        mix::fmix64(self.sketching.as_ref().expect("a sketch is being made").words)
    }

    pub fn sign(&self) -> u128 {
        let [low, high] = self.sums.each_ref().map(|sums| u128::from(sums.sign()));
        (low | high << 64) & self.scheme.width.mask()
    }

    /// Forgets everything, for a text of some `bytes`. Without `distinct` features are counted only if the weights need
    /// it.
    pub fn clear(&mut self, bytes: usize, distinct: bool) {
        self.is_counting = distinct || self.scheme.weights != Weights::Tf;
        if self.is_counting {
            // Most texts have fewer features than that.
            self.counts.clear(bytes / 2);
        }
        self.sums.iter_mut().for_each(Sums::clear);
        self.sketching = None;
    }
}

impl Sketching {
    /// Adds the next words or characters to the hash of all of them, as if all were one gram.
    fn add_pieces(&mut self, pieces: Pieces<'_>) {
        let mut add = |hash| self.words = features::join(self.words, hash);
        match pieces {
            Pieces::Words(_, _, hashes) => hashes.iter().for_each(|&hash| add(hash)),
            Pieces::Chars(chars) => chars.iter().for_each(|char| add(char.code().into())),
        }
    }
}

/// Leaves the bits of those features that vote, now that they have come so many times, and tells how many do.
#[inline(never)]
fn vote(weights: Weights, bits: &mut [u64], times: &[u64]) -> u64 {
    // 1 + floor(log2 count) grows by one where the count reaches a power of two: exact, and no logarithm is ever taken.
    // With all of its bits as well only 1 is one.
    let more = match weights {
        Weights::Tf => return bits.len() as u64,
        Weights::Log => 0,
        Weights::Binary => u64::MAX,
    };
    let mut votes = 0_u64;
    for (bits, &times) in bits.iter_mut().zip(times) {
        let does = if (times | more) & times.wrapping_sub(1) == 0 { u64::MAX } else { 0 };
        votes = votes.wrapping_sub(does);
        *bits &= does;
    }
    votes
}

/// The weight of a feature that occurs `count` times.
pub(crate) fn weight(weights: Weights, count: u32) -> u32 {
    match weights {
        Weights::Log => 1 + count.max(1).ilog2(),
        Weights::Tf => count,
        Weights::Binary => 1,
    }
}
