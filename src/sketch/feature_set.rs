//! The set of features whose overlap is the resemblance of two texts.

use alloc::vec::Vec;

use super::{
    scheme::SketchScheme,
    scope::Scope,
    sequence::{Sequence, SequenceHash},
};
use crate::{
    features::{BATCH_WORDS, FOLDED, Features, Sink, Tokens, WordHash, extract},
    hash::{Hash, Key, fmix64},
    sort::sort,
    text::fold::Change,
};

/// The different features that decide the resemblance of a text to others: all features except grams of one word.
///
/// Words are hashed with a key, not with the hash of the scheme: FNV can be inverted, so anyone can replace the words of a text
/// by others of equal hashes. Sets of different keys share no features, except by accident.
///
/// ```
/// use nearprint::{Key, dedupe::Sketcher};
///
/// let key = Key::new(*b"16 random bytes.");
/// let sketcher = Sketcher::default();
/// let [a, b] = ["a red house", "a red house and a garden"].map(|text| sketcher.feature_set(key, text));
/// assert_eq!(a.resemblance(&b), 2.0 / 5.0);
/// assert_eq!((a.containment(&b), b.containment(&a)), (1.0, 2.0 / 5.0));
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct FeatureSet {
    /// In ascending order, without repetitions.
    hashes: Vec<u64>,
    /// The words by the hash of the scheme, and by the key.
    sequence: Sequence,
    keyed_sequence: Sequence,
    key: Key,
    scope: Scope,
    scheme: SketchScheme,
}

impl FeatureSet {
    pub(super) fn new(scheme: &SketchScheme, key: Key, scope: Scope, text: &str) -> Self {
        let mut set = FeatureSet {
            // Most texts have fewer features.
            hashes: Vec::with_capacity(text.len() / 4),
            sequence: Sequence::default(),
            keyed_sequence: Sequence::default(),
            key,
            scope,
            scheme: *scheme,
        };
        extract::<FOLDED>(scheme.choice().hashed_by(key), text, &mut set);
        sort(&mut set.hashes);
        set.hashes.dedup();
        set
    }

    /// Returns the hashes of the features, mixed and XORed with the scope, in ascending order.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// Returns the two hashes of the words and symbols in order, or of the characters, as a sketch of the text has them, with lowest
    /// bit 0. Two texts with equal hashes have the same scope and the same words and symbols, except by accident or by design.
    pub fn sequence_hashes(&self) -> [u64; 2] {
        let SequenceHash { first, second } = self.sequence.hash(self.scope);
        [first, second]
    }

    /// Returns the same hashes, made from words that are hashed by the key. So texts with equal hashes are equal, except by accident.
    /// In schemes of characters, the characters are not hashed.
    pub fn keyed_sequence_hashes(&self) -> [u64; 2] {
        let SequenceHash { first, second } = self.keyed_sequence.hash(self.scope);
        [first, second]
    }

    /// Returns the number of features that both sets have. O(features).
    fn shared(&self, other: &Self) -> usize {
        let (mut shared, mut others) = (0, other.hashes.iter().peekable());
        for hash in &self.hashes {
            while others.next_if(|other| *other < hash).is_some() {}
            shared += usize::from(others.peek() == Some(&hash));
        }
        shared
    }

    /// Returns the exact resemblance of both texts: shared features divided by all features (A. Broder, *On the resemblance and
    /// containment of documents*, 1997). Without any feature, it is 1 if the texts are equal and not blank, else 0. O(features).
    pub fn resemblance(&self, other: &Self) -> f64 {
        let shared = self.shared(other);
        match self.hashes.len() + other.hashes.len() - shared {
            0 => {
                let [a, b] = [self, other].map(|set| set.keyed_sequence.hash(set.scope));
                f64::from(u8::from(a == b && !a.is_blank()))
            }
            all => share(shared, all),
        }
    }

    /// Returns the share of these features that the other text has, and 1 without any. O(features).
    pub fn containment(&self, other: &Self) -> f64 {
        share(self.shared(other), self.hashes.len())
    }
}

/// Returns `part / all`, and 1 if both are 0.
pub(super) fn share(part: usize, all: usize) -> f64 {
    if all == 0 { 1.0 } else { part as f64 / all as f64 }
}

impl Sink for FeatureSet {
    fn take(&mut self, tokens: Tokens<'_>, hashes: &[u64], singles: usize) {
        let Self { key, scope, ref scheme, .. } = *self;
        self.keyed_sequence.add_tokens(Hash::Keyed(key), tokens);
        let mut hashes_of_words = [0; BATCH_WORDS];
        let by_scheme = match tokens {
            Tokens::Words(text, words, _, changes) => {
                WordHash::new(scheme.hash()).hash_all(text, words, &mut hashes_of_words);
                Tokens::Words(text, words, &hashes_of_words[..words.len()], changes)
            }
            chars => chars,
        };
        self.sequence.add_tokens(scheme.hash(), by_scheme);
        self.hashes.extend(hashes[singles..].iter().map(|&hash| fmix64(hash) ^ scope.0));
    }

    fn end_part(&mut self, text: &str, changes: &[Change]) {
        let (hash, keyed) = (self.scheme.hash(), Hash::Keyed(self.key));
        if self.scheme.choice().takes_words() {
            self.sequence.end_words(hash, text);
            self.keyed_sequence.end_words(keyed, text);
        } else {
            self.sequence.end_chars(hash, text, changes);
            self.keyed_sequence.end_chars(keyed, text, changes);
        }
    }

    fn take_last(&mut self, hash: u64, span: usize) {
        if span > 1 || self.scheme.features != Features::Grams {
            self.hashes.push(fmix64(hash) ^ self.scope.0);
        }
    }
}
