//! Looking into a fingerprint: the features of a text, and what made two fingerprints differ.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use super::{
    features::{self, Cutter, Pieces, Sink},
    scheme::Scheme,
    votes::weight,
};
use crate::hash::hamming;

/// A feature of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    /// The words of the feature with a space between them, or none where their scripts are written
    /// without spaces; or its characters. For people: two features may look the same and differ in
    /// where their words end.
    pub feature: String,
    /// How often it occurs, at most `u32::MAX`.
    pub count: u32,
    /// How much it counts.
    pub weight: u32,
    /// The bits it votes for, in the low bits.
    pub hash: u128,
}

/// The different features of `text`, in the order in which they first end. O(text).
pub(crate) fn features(scheme: &Scheme, text: &str) -> Vec<Feature> {
    let mut normal = String::new();
    scheme.normalize.append(text, &mut normal);
    let mut list = List::new(scheme);
    let mut cutter = Cutter::new(scheme);
    cutter.push(&normal, &mut list);
    cutter.finish(&mut list);
    for feature in &mut list.features {
        feature.weight = weight(scheme.weights, feature.count);
    }
    list.features
}

/// Collects features.
struct List<'a> {
    scheme: &'a Scheme,
    features: Vec<Feature>,
    /// Where a feature of this hash is.
    at: BTreeMap<u128, u32>,
    /// The words or characters so far.
    pieces: Vec<Piece>,
}

struct Piece {
    text: String,
    /// Whether a space goes before it if it follows a piece that says the same.
    spaced: bool,
    /// Whether it is a dense word.
    dense: bool,
}

impl<'a> List<'a> {
    fn new(scheme: &'a Scheme) -> Self {
        List { scheme, features: Vec::new(), at: BTreeMap::new(), pieces: Vec::new() }
    }
}

/// Some words or characters as one text.
fn joined(pieces: &[Piece]) -> String {
    let mut text = String::new();
    let mut unspaced = true;
    for piece in pieces {
        if !text.is_empty() && (piece.spaced || !unspaced) {
            text.push(' ');
        }
        text.push_str(&piece.text);
        unspaced = !piece.spaced;
    }
    text
}

impl Sink for List<'_> {
    fn take(&mut self, pieces: Pieces<'_>, hashes: &[u64]) {
        let known = self.pieces.len();
        match pieces {
            Pieces::Words(text, words) => self.pieces.extend(words.iter().map(|word| Piece {
                text: text.get(word.start..word.end).unwrap_or_default().into(),
                spaced: !word.is_unspaced(),
                dense: word.is_dense(),
            })),
            Pieces::Chars(chars) => self.pieces.extend(chars.iter().map(|&char| Piece {
                text: char.into(),
                spaced: false,
                dense: false,
            })),
        }
        let mut hashes = hashes.iter();
        for end in known + 1..=self.pieces.len() {
            let is_dense =
                |back: usize| end.checked_sub(back).is_some_and(|at| self.pieces[at].dense);
            let spans = features::spans(self.scheme.features, end, [is_dense(1), is_dense(3)]);
            for (span, &hash) in spans.zip(&mut hashes) {
                self.count(hash, end, span);
            }
        }
    }

    fn take_last(&mut self, hash: u64, span: usize) {
        self.count(hash, self.pieces.len(), span);
    }
}

impl List<'_> {
    /// Counts the feature of the `span` pieces up to the last of `end`.
    fn count(&mut self, hash: u64, end: usize, span: usize) {
        let at = *self.at.entry(hash.into()).or_insert(self.features.len() as u32) as usize;
        if at == self.features.len() {
            let feature = Feature {
                feature: joined(&self.pieces[end - span..end]),
                count: 0,
                weight: 0,
                hash: self.scheme.bits(hash) & self.scheme.width.mask(),
            };
            self.features.push(feature);
        }
        self.features[at].count = self.features[at].count.saturating_add(1);
    }
}

/// Two texts side by side: what their fingerprints say, and what is exact.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The first text.
    pub a: Side,
    /// The second text.
    pub b: Side,
    /// The width of the fingerprints, in bits.
    pub bits: u32,
    /// The cosine of the weighted features, exact: 0 if one text has none, 1 if neither has.
    pub exact_cosine: f64,
    /// The Jaccard resemblance of the sets of features, exact: the share of all that both have; 1
    /// if there are none (Broder, *On the resemblance and containment of documents*, 1997).
    pub jaccard: f64,
}

impl Comparison {
    /// How many bits of the fingerprints differ.
    pub fn distance(&self) -> u32 {
        hamming::distance(self.a.fingerprint, self.b.fingerprint)
    }

    /// The share of equal bits.
    pub fn similarity(&self) -> f64 {
        hamming::similarity(self.a.fingerprint, self.b.fingerprint, self.bits)
    }

    /// The cosine of the weighted features as the fingerprints estimate it.
    pub fn cosine(&self) -> f64 {
        hamming::cosine(self.a.fingerprint, self.b.fingerprint, self.bits)
    }
}

/// One text of a [`Comparison`].
#[derive(Clone, Debug)]
pub struct Side {
    /// Its fingerprint, in the low bits.
    pub fingerprint: u128,
    /// Its different features, in the order in which they first end.
    pub features: Vec<Feature>,
    /// The sum of the votes on each bit, the lowest first: the bit is 1 where it is above 0.
    pub sums: Vec<i64>,
}

impl Side {
    #[inline(never)]
    fn new(scheme: &Scheme, text: &str) -> Self {
        let features = features(scheme, text);
        let sums: Vec<i64> = (0..scheme.width.bits())
            .map(|bit| {
                let vote =
                    |f: &Feature| i64::from(f.weight) * if f.hash >> bit & 1 == 1 { 1 } else { -1 };
                features.iter().map(vote).sum()
            })
            .collect();
        let fingerprint = sums
            .iter()
            .enumerate()
            .filter(|(_, sum)| **sum > 0)
            .fold(0, |print, (bit, _)| print | 1 << bit);
        Side { fingerprint, features, sums }
    }

    /// The sum of the squared weights.
    fn norm(&self) -> f64 {
        self.features.iter().map(|f| f64::from(f.weight) * f64::from(f.weight)).sum()
    }
}

/// Compares two texts. O(a + b).
pub(crate) fn compare(scheme: &Scheme, a: &str, b: &str) -> Comparison {
    let (a, b) = (Side::new(scheme, a), Side::new(scheme, b));
    let mut weights = BTreeMap::new();
    for feature in &a.features {
        weights.insert(feature.hash, feature.weight);
    }
    let mut shared = 0;
    let mut product = 0.0;
    for feature in &b.features {
        if let Some(weight) = weights.get(&feature.hash).copied() {
            shared += 1;
            product += f64::from(weight) * f64::from(feature.weight);
        }
    }
    let all = a.features.len() + b.features.len() - shared;
    let exact_cosine = match (a.features.is_empty(), b.features.is_empty()) {
        (true, true) => 1.0,
        (false, false) => product / libm::sqrt(a.norm() * b.norm()),
        _ => 0.0,
    };
    let jaccard = if all == 0 { 1.0 } else { shared as f64 / all as f64 };
    Comparison { a, b, bits: scheme.width.bits(), exact_cosine, jaccard }
}
