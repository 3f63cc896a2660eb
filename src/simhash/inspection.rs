//! Inspection: the features of a text, and the comparison of two texts by their features and by their fingerprints.

use alloc::{string::String, vec, vec::Vec};

use super::{
    feature_set::{FeatureSet, share},
    features::{self, Sink, Tokens},
    scheme::{Features, Scheme, Width},
    scope::Scope,
};
use crate::hash::{Key, hamming};
use crate::sort::sort;

/// A feature of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    /// The words of the feature, with a space between two words unless both are of scripts written without spaces; or its
    /// characters. For display: features that differ only in where their words end may look the same.
    pub feature: String,
    /// The number of its words, or of its characters.
    pub span: usize,
    /// How often it occurs, at most `u32::MAX`.
    pub count: u32,
    /// Its weight.
    pub weight: u32,
    /// The bits it votes for, in the low bits.
    pub hash: u128,
}

/// Returns the different features of `text`, in the order in which they first end. O(text · log features).
pub(crate) fn features(scheme: &Scheme, text: &str) -> Vec<Feature> {
    let mut list = List { scheme, spans: Vec::new(), tokens: Vec::new() };
    features::extract(scheme, text, &mut list);
    list.features()
}

/// An occurrence of a feature: the hash, and the tokens from `start` to `end`.
struct Span {
    hash: u64,
    start: usize,
    end: usize,
}

/// Collects features.
struct List<'a> {
    scheme: &'a Scheme,
    /// In the order in which they end.
    spans: Vec<Span>,
    /// The words or characters so far.
    tokens: Vec<Token>,
}

struct Token {
    text: String,
    /// Whether its script is written without spaces.
    is_unspaced: bool,
    is_dense: bool,
}

/// Returns the text of consecutive words or characters.
fn join(tokens: &[Token]) -> String {
    let mut text = String::new();
    let mut needs_space = false;
    for token in tokens {
        if !text.is_empty() && (needs_space || !token.is_unspaced) {
            text.push(' ');
        }
        text.push_str(&token.text);
        needs_space = !token.is_unspaced;
    }
    text
}

impl Sink for List<'_> {
    fn take(&mut self, tokens: Tokens<'_>, hashes: &[u64], singles: usize) {
        let known = self.tokens.len();
        match tokens {
            Tokens::Words(text, words, _) => self.tokens.extend(words.iter().map(|word| Token {
                text: text[word.start..word.end].into(),
                is_unspaced: word.is_unspaced,
                is_dense: word.is_dense,
            })),
            Tokens::Chars(chars) => self.tokens.extend(chars.iter().map(|char| Token {
                text: char.decode().into(),
                is_unspaced: true,
                is_dense: false,
            })),
        }
        let (singles, others) = hashes.split_at(singles);
        let (mut singles, mut others) = (singles.iter(), others.iter());
        let has_singles = self.scheme.features == Features::Grams;
        for end in known + 1..=self.tokens.len() {
            let is_dense =
                |back: usize| end.checked_sub(back).is_some_and(|at| self.tokens[at].is_dense);
            let spans = features::spans(self.scheme.features, end, [is_dense(1), is_dense(3)]);
            for span in spans {
                let hashes = if span == 1 && has_singles { &mut singles } else { &mut others };
                let &hash = hashes.next().expect("a hash for every span");
                self.add(hash, end, span);
            }
        }
    }

    fn take_last(&mut self, hash: u64, span: usize) {
        self.add(hash, self.tokens.len(), span);
    }
}

impl List<'_> {
    /// Adds the feature of the `span` tokens before the token `end`.
    fn add(&mut self, hash: u64, end: usize, span: usize) {
        self.spans.push(Span { hash, start: end - span, end });
    }

    /// Returns the different features.
    fn features(&self) -> Vec<Feature> {
        let Self { scheme, spans, tokens } = self;
        // For bisection: an attacker can choose the hashes of features, which would make a hash table slow.
        let mut order: Vec<u64> = spans.iter().map(|span| span.hash).collect();
        sort(&mut order);
        order.dedup();
        const NONE: usize = usize::MAX;
        let mut places = vec![NONE; order.len()];
        let mut features: Vec<Feature> = Vec::new();
        for &Span { hash, start, end } in spans {
            let place =
                &mut places[order.binary_search(&hash).expect("all hashes are in the order")];
            if *place == NONE {
                *place = features.len();
                features.push(Feature {
                    feature: join(&tokens[start..end]),
                    span: end - start,
                    count: 0,
                    weight: 0,
                    hash: scheme.votes_of(hash) & scheme.width.mask(),
                });
            }
            let count = &mut features[*place].count;
            *count = count.saturating_add(1);
        }
        for feature in &mut features {
            feature.weight = scheme.weights.of(feature.count.into()) as u32;
        }
        features
    }
}

/// Two texts compared: exactly by their features, and as their fingerprints estimate it.
#[derive(Clone, Debug)]
#[must_use]
pub struct Comparison {
    /// The first text.
    pub a: Side,
    /// The second text.
    pub b: Side,
    /// The width of the fingerprints.
    pub width: Width,
    /// The cosine of the weighted features, exact: 0 if one text has none, 1 if neither has.
    pub exact_cosine: f64,
    /// The Jaccard similarity of all features, grams of one word included: shared features divided by all, and 1 without
    /// any.
    pub jaccard: f64,
    /// The exact resemblance, which sketches estimate: see [`FeatureSet::resemblance`].
    pub exact_resemblance: f64,
}

impl Comparison {
    /// Returns the number of bits in which the fingerprints differ.
    pub fn distance(&self) -> u32 {
        hamming::distance(self.a.fingerprint, self.b.fingerprint)
    }

    /// Returns the share of equal bits.
    pub fn similarity(&self) -> f64 {
        hamming::similarity(self.a.fingerprint, self.b.fingerprint, self.width)
    }

    /// Returns the cosine of the weighted features as the fingerprints estimate it.
    pub fn cosine(&self) -> f64 {
        hamming::cosine(self.a.fingerprint, self.b.fingerprint, self.width)
    }
}

/// One text of a [`Comparison`].
#[derive(Clone, Debug)]
pub struct Side {
    /// Its fingerprint, in the low bits.
    pub fingerprint: u128,
    /// Its different features, in the order in which they first end.
    pub features: Vec<Feature>,
    /// The sums, lowest bit first: the bit is 1 where the sum is above 0.
    pub sums: Vec<i64>,
    /// The share of its features of several words that the other text has: see [`FeatureSet::containment`].
    pub containment: f64,
}

impl Side {
    #[inline(never)]
    fn new(scheme: &Scheme, text: &str, containment: f64) -> Self {
        let features = features(scheme, text);
        let sum = |bit| {
            let vote =
                |f: &Feature| i64::from(f.weight) * if f.hash >> bit & 1 == 1 { 1 } else { -1 };
            features.iter().map(vote).sum()
        };
        let sums: Vec<i64> = (0..scheme.width.bits()).map(sum).collect();
        let fingerprint = sums.iter().rev().fold(0, |bits, &sum| bits << 1 | u128::from(sum > 0));
        Side { fingerprint, features, sums, containment }
    }
}

/// Collects the hashes of all features.
struct Hashes(Vec<u64>);

impl Sink for Hashes {
    fn take(&mut self, _: Tokens<'_>, hashes: &[u64], _singles: usize) {
        self.0.extend_from_slice(hashes);
    }

    fn take_last(&mut self, hash: u64, _span: usize) {
        self.0.push(hash);
    }
}

/// Returns the hash and the weight of each different feature, in the order of the hashes.
fn weights(scheme: &Scheme, text: &str) -> Vec<(u64, f64)> {
    let mut hashes = Hashes(Vec::new());
    features::extract(scheme, text, &mut hashes);
    sort(&mut hashes.0);
    let runs = hashes.0.chunk_by(|a, b| a == b);
    runs.map(|run| (run[0], scheme.weights.of(run.len() as u64) as f64)).collect()
}

/// Compares two texts. O(n log n) for `n` features.
pub(crate) fn compare(scheme: &Scheme, key: Key, a: &str, b: &str) -> Comparison {
    let sets = [a, b].map(|text| FeatureSet::new(scheme, key, Scope::default(), text));
    let all = [a, b].map(|text| weights(&scheme.hashed_by(key), text));
    let a = Side::new(scheme, a, sets[0].containment(&sets[1]));
    let b = Side::new(scheme, b, sets[1].containment(&sets[0]));
    let (mut shared, mut product) = (0, 0.0);
    let mut others = all[1].iter().peekable();
    for &(hash, weight) in &all[0] {
        while others.next_if(|other| other.0 < hash).is_some() {}
        if let Some(other) = others.next_if(|other| other.0 == hash) {
            shared += 1;
            product += weight * other.1;
        }
    }
    let norm = |weights: &[(u64, f64)]| weights.iter().map(|(_, w)| w * w).sum::<f64>();
    let exact_cosine = match all.each_ref().map(|weights| weights.is_empty()) {
        [true, true] => 1.0,
        [false, false] => product / libm::sqrt(norm(&all[0]) * norm(&all[1])),
        _ => 0.0,
    };
    let jaccard = share(shared, all[0].len() + all[1].len() - shared);
    let exact_resemblance = sets[0].resemblance(&sets[1]);
    Comparison { a, b, width: scheme.width, exact_cosine, jaccard, exact_resemblance }
}
