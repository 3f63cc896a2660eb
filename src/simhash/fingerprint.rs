//! Fingerprints of whole texts. `pieces.rs` passes the features of a text to `votes.rs`, which computes the fingerprint.

use alloc::vec::Vec;

use super::{
    bits::{self, BitComparison, Feature},
    scheme::Scheme,
    stream::Stream,
    votes::Votes,
};
use crate::{
    Error,
    features::{AS_WRITTEN, check_secret, pieces::Pieces},
};

/// Returns the 64-bit fingerprint of `text` in scheme `v1`. O(text).
///
/// To fingerprint many texts, keep a [`Fingerprinter`]: it reuses its memory.
///
/// ```
/// use nearprint::simhash::{distance, fingerprint};
///
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
/// use nearprint::simhash::{Fingerprinter, Scheme, fingerprint};
///
/// let mut wide = Fingerprinter::new("v1:128".parse::<Scheme>()?)?;
/// assert_eq!(wide.fingerprint("good morning") as u64, fingerprint("good morning"));
/// # Ok::<(), nearprint::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fingerprinter(Pieces<Votes, AS_WRITTEN>);

impl Default for Fingerprinter {
    fn default() -> Self {
        Fingerprinter::of(Scheme::default())
    }
}

impl Fingerprinter {
    /// Creates a fingerprinter of this scheme.
    ///
    /// # Errors
    /// The scheme is invalid: a shingle of 0 or of more than 64 words or characters, or 128 bits
    /// without the finaliser; or it has a key whose secret is unknown.
    pub fn new(scheme: Scheme) -> Result<Self, Error> {
        check_secret(scheme.hash, || scheme.id().into())?;
        scheme.check().map(Fingerprinter::of)
    }

    fn of(scheme: Scheme) -> Self {
        Fingerprinter(Pieces::new(scheme.choice(), Votes::new(scheme)))
    }

    /// Returns the scheme.
    pub fn scheme(&self) -> &Scheme {
        self.0.sink.scheme()
    }

    /// Returns the fingerprint of `text`, in the low bits. O(text), and O(text · log text) for a text of more than 65,000
    /// different features. Memory grows with the number of different features: 10 bytes for each, and 3 MB.
    pub fn fingerprint(&mut self, text: &str) -> u128 {
        self.0.process(text);
        self.0.sink.finish()
    }

    /// Returns the fingerprint of a text in UTF-8. Invalid bytes count as U+FFFD, one for each maximal part of a sequence
    /// (WHATWG Encoding, UTF-8 decoder).
    pub fn fingerprint_bytes(&mut self, text: &[u8]) -> u128 {
        self.0.process_bytes(text);
        self.0.sink.finish()
    }

    /// Returns the different features of `text`, in the order in which they first end. O(n log n) for `n` features.
    ///
    /// ```
    /// let features = nearprint::simhash::Fingerprinter::default().features("Tick tick, tick!");
    /// let seen: Vec<_> = features.iter().map(|f| (f.feature.as_str(), f.count, f.weight)).collect();
    /// assert_eq!(seen, [("tick", 3, 2), ("tick tick", 2, 2)]);
    /// ```
    pub fn features(&self, text: &str) -> Vec<Feature> {
        bits::features(self.scheme(), text)
    }

    /// Returns an upper bound on the memory that [`features`](Self::features) takes for `text`, in bytes, with the memory to write
    /// its result once more. [`compare`](Self::compare) takes at most the sum of the bounds of both texts. O(text).
    ///
    /// ```
    /// let fingerprinter = nearprint::simhash::Fingerprinter::default();
    /// assert!(fingerprinter.memory_of_features("a red house and a garden") < 10_000);
    /// ```
    pub fn memory_of_features(&self, text: &str) -> usize {
        bits::memory_of_features(self.scheme(), text)
    }

    /// Compares two texts by their fingerprints, bit by bit. O(n log n) for `n` features.
    ///
    /// ```
    /// let compared = nearprint::simhash::Fingerprinter::default().compare("a red house", "a blue house");
    /// let differ = (0..64).filter(|&bit| (compared.a.sums[bit] > 0) != (compared.b.sums[bit] > 0));
    /// assert_eq!(compared.distance(), differ.count() as u32);
    /// ```
    pub fn compare(&self, a: &str, b: &str) -> BitComparison {
        bits::compare(self.scheme(), a, b)
    }

    /// Starts the fingerprint of a text that comes in chunks.
    pub fn stream(&self) -> Stream {
        Stream::new(*self.scheme())
    }
}
