//! From whole texts to fingerprints.

use alloc::{string::String, vec::Vec};

use super::{
    inspection::{self, Comparison, Feature},
    scheme::{Scheme, SchemeError},
    stream::Stream,
};
use crate::text::words::{Word, Words};

/// The 64-bit fingerprint of `text` in scheme `v1`. O(text).
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
pub fn fingerprint(text: &str) -> u64 {
    Fingerprinter::default().fingerprint(text) as u64
}

/// Makes fingerprints of one [`Scheme`], and keeps its memory from text to text.
///
/// ```
/// use nearprint::{Fingerprinter, Scheme};
/// let mut wide = Fingerprinter::new("v1:128".parse::<Scheme>()?)?;
/// let print = wide.fingerprint("good morning");
/// assert_eq!(print as u64, nearprint::fingerprint("good morning"));
/// # Ok::<(), nearprint::SchemeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fingerprinter(Stream);

impl Default for Fingerprinter {
    fn default() -> Self {
        Fingerprinter(Stream::new(Scheme::default()))
    }
}

impl Fingerprinter {
    /// A fingerprinter of this scheme.
    ///
    /// # Errors
    /// There is no such fingerprint: a shingle of 0 or of more than 64 words or characters, or 128
    /// bits without the finaliser.
    pub fn new(scheme: Scheme) -> Result<Self, SchemeError> {
        scheme.check().map(|scheme| Fingerprinter(Stream::new(scheme)))
    }

    /// The scheme it was made with.
    pub fn scheme(&self) -> &Scheme {
        self.0.scheme()
    }

    /// The fingerprint of `text`, in the low bits. O(text); memory grows with the distinct
    /// features of a text, not with its length.
    pub fn fingerprint(&mut self, text: &str) -> u128 {
        self.0.whole(text)
    }

    /// The fingerprint of a text in UTF-8. Bytes that are not UTF-8 count as U+FFFD, one for each
    /// maximal part of a sequence, as WHATWG's decoder has it.
    pub fn fingerprint_bytes(&mut self, text: &[u8]) -> u128 {
        match core::str::from_utf8(text) {
            Ok(text) => self.0.whole(text),
            Err(_) => {
                self.0.clear();
                self.0.update_bytes(text);
                self.0.finish()
            }
        }
    }

    /// How many different features the last text had: how much its fingerprint rests on. O(1), but O(text) with plain
    /// term frequencies, which need no counting.
    pub fn distinct(&self) -> usize {
        self.0.distinct()
    }

    /// The normalised words of `text` in order, with a line break between any two: no word holds one
    /// (UAX #29, rules WB3a and WB3b). O(text).
    ///
    /// ```
    /// let fingerprinter = nearprint::Fingerprinter::default();
    /// assert_eq!(fingerprinter.words("GOOD news, everyone!"), "good\nnews\neveryone");
    /// ```
    pub fn words(&self, text: &str) -> String {
        let mut normal = String::new();
        self.scheme().normalize.append(text, &mut normal);
        let mut joined = String::with_capacity(normal.len());
        let mut words = Words::new(&normal);
        while let [word] = words.fill(&mut [Word::default()]) {
            if !joined.is_empty() {
                joined.push('\n');
            }
            joined.push_str(normal.get(word.start..word.end).unwrap_or_default());
        }
        joined
    }

    /// The different features of `text`, in the order in which they first end. O(text).
    ///
    /// ```
    /// let features = nearprint::Fingerprinter::default().features("Tick tick, tick!");
    /// let seen: Vec<_> = features.iter().map(|f| (f.feature.as_str(), f.count, f.weight)).collect();
    /// assert_eq!(seen, [("tick", 3, 2), ("tick tick", 2, 2)]);
    /// ```
    pub fn features(&self, text: &str) -> Vec<Feature> {
        inspection::features(self.scheme(), text)
    }

    /// Compares two texts, exactly and by their fingerprints. O(a + b).
    ///
    /// ```
    /// let compared = nearprint::Fingerprinter::default().compare("a red house", "a blue house");
    /// assert_eq!(compared.jaccard, 2.0 / 8.0);
    /// ```
    pub fn compare(&self, a: &str, b: &str) -> Comparison {
        inspection::compare(self.scheme(), a, b)
    }

    pub(crate) fn stream_mut(&mut self) -> &mut Stream {
        &mut self.0
    }

    /// The fingerprint, and the sketch, of a text that comes in chunks.
    pub fn stream(&self) -> Stream {
        let mut stream = Stream::new(*self.scheme());
        stream.clear_for_sketch();
        stream
    }
}
