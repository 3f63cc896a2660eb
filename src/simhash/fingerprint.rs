//! Fingerprints of whole texts.

use alloc::{string::String, vec::Vec};

use super::{
    feature_set::FeatureSet,
    features::check_secret,
    inspection::{self, Comparison, Feature},
    scheme::Scheme,
    scope::Scope,
    stream::Stream,
    votes::Purpose,
};
use crate::{
    Error,
    hash::Key,
    text::words::{Word, Words},
};

/// Returns the 64-bit fingerprint of `text` in scheme `v1`. O(text).
///
/// To fingerprint many texts, keep a [`Fingerprinter`]: it reuses its memory.
///
/// ```
/// use nearprint::{distance, fingerprint};
/// let a = fingerprint("The quick brown fox jumps over the lazy dog");
/// assert_eq!(a, fingerprint("THE QUICK BROWN FOX, jumps over the lazy dog!"));
/// assert!(distance(a, fingerprint("Er hieß nun also Hans Castorp")) > 16);
/// assert_eq!(fingerprint(""), 0);
/// ```
#[must_use]
pub fn fingerprint(text: &str) -> u64 {
    Fingerprinter::default().fingerprint(text) as u64
}

/// Computes fingerprints of one [`Scheme`]. Its memory is used again for the next text, up to 2 MB of it.
///
/// ```
/// use nearprint::{Fingerprinter, Scheme};
/// let mut wide = Fingerprinter::new("v1:128".parse::<Scheme>()?)?;
/// let fingerprint = wide.fingerprint("good morning");
/// assert_eq!(fingerprint as u64, nearprint::fingerprint("good morning"));
/// # Ok::<(), nearprint::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fingerprinter(pub(crate) Stream);

impl Default for Fingerprinter {
    fn default() -> Self {
        Fingerprinter(Stream::new(Scheme::default()))
    }
}

impl Fingerprinter {
    /// Creates a fingerprinter of this scheme.
    ///
    /// # Errors
    /// The scheme is invalid: a shingle of 0 or of more than 64 words or characters, or 128 bits
    /// without the finaliser; or it has a key whose secret is unknown.
    pub fn new(scheme: Scheme) -> Result<Self, Error> {
        check_secret(&scheme)?;
        scheme.check().map(|scheme| Fingerprinter(Stream::new(scheme)))
    }

    /// Returns the scheme.
    pub fn scheme(&self) -> &Scheme {
        self.0.scheme()
    }

    /// Returns the fingerprint of `text`, in the low bits. O(text), and O(text · log text) for a text of more than 65,000
    /// different features. Memory grows with the number of different features: 10 bytes for each, and 3 MB.
    pub fn fingerprint(&mut self, text: &str) -> u128 {
        self.0.process(text, Purpose::Fingerprint)
    }

    /// Returns the fingerprint of a text in UTF-8. Invalid bytes count as U+FFFD, one for each maximal part of a sequence
    /// (WHATWG Encoding, UTF-8 decoder).
    pub fn fingerprint_bytes(&mut self, text: &[u8]) -> u128 {
        self.0.process_bytes(text, Purpose::Fingerprint)
    }

    /// Returns the normalised words of `text` in order. O(text).
    ///
    /// ```
    /// let fingerprinter = nearprint::Fingerprinter::default();
    /// assert_eq!(fingerprinter.words("GOOD news, everyone!"), ["good", "news", "everyone"]);
    /// ```
    pub fn words(&self, text: &str) -> Vec<String> {
        let mut normal = String::new();
        self.scheme().normalize.append(text, &mut normal);
        let mut all = Vec::new();
        let mut words = Words::new(&normal);
        while let [word] = words.fill(&mut [Word::default()]) {
            all.push(normal[word.start..word.end].into());
        }
        all
    }

    /// Returns the different features of `text`, in the order in which they first end. O(n log n) for `n` features.
    ///
    /// ```
    /// let features = nearprint::Fingerprinter::default().features("Tick tick, tick!");
    /// let seen: Vec<_> = features.iter().map(|f| (f.feature.as_str(), f.count, f.weight)).collect();
    /// assert_eq!(seen, [("tick", 3, 2), ("tick tick", 2, 2)]);
    /// ```
    pub fn features(&self, text: &str) -> Vec<Feature> {
        inspection::features(self.scheme(), text)
    }

    /// Compares two texts, exactly and by their fingerprints. O(n log n) for `n` features.
    ///
    /// The exact values are computed with `key`: see [`FeatureSet`].
    ///
    /// ```
    /// use nearprint::{Fingerprinter, Key};
    /// let key = Key::new(*b"16 random bytes.");
    /// let compared = Fingerprinter::default().compare(key, "a red house", "a blue house");
    /// assert_eq!(compared.jaccard, 2.0 / 8.0);
    /// assert_eq!(compared.exact_resemblance, 0.0 / 4.0);
    /// ```
    ///
    /// # Panics
    ///
    /// The key was read from the id of a scheme, so its secret is unknown.
    pub fn compare(&self, key: Key, a: &str, b: &str) -> Comparison {
        inspection::compare(self.scheme(), key, a, b)
    }

    /// Returns the features that decide the resemblance of `text` to others, exactly. O(n log n) for `n` features.
    ///
    /// # Panics
    ///
    /// The key was read from the id of a scheme, so its secret is unknown.
    pub fn feature_set(&self, key: Key, text: &str) -> FeatureSet {
        self.feature_set_in(key, Scope::default(), text)
    }

    /// Returns the [`feature_set`](Self::feature_set) of `text` in this scope. Texts of different scopes share no features.
    pub fn feature_set_in(&self, key: Key, scope: Scope, text: &str) -> FeatureSet {
        FeatureSet::new(self.scheme(), key, scope, text)
    }

    /// Starts the fingerprint and the sketch of a text that comes in chunks.
    pub fn stream(&self) -> Stream {
        self.stream_in(Scope::default())
    }

    /// Starts the fingerprint and the sketch of a text in this scope that comes in chunks.
    pub fn stream_in(&self, scope: Scope) -> Stream {
        let mut stream = Stream::new(*self.scheme());
        stream.start(Purpose::Sketch(scope));
        stream
    }
}
