//! Sketches: the data that a deduplicator stores for a document.

use alloc::{format, string::String, vec::Vec};

use super::margins::{MAX_PROBES, Margins, NO_FLIPS};
use crate::{
    Error,
    hash::hamming,
    index::probe::{BLOCKS, block},
    simhash::{
        Fingerprinter, Purpose, Scheme, Stream, Width,
        minhash::{CELLS, Estimate, MinHash},
    },
};

/// A text of fewer different features is *short*: it resembles only texts with the same words.
///
/// One edited word of a v1 text changes three features, which is more than a third of seven.
pub const MIN_FEATURES: usize = 8;

/// A text of fewer different features that is not short is *brief*: its threshold is at least [`MIN_BRIEF_RESEMBLANCE`].
pub const BRIEF_FEATURES: usize = 16;

/// The smallest threshold, other than 0, for a pair with a brief text.
///
/// Two brief texts from one template, with different names, can reach the default threshold.
pub const MIN_BRIEF_RESEMBLANCE: f64 = 0.75;

/// The data that a [`Deduplicator`](super::Deduplicator) stores for a document: the 64-bit fingerprint of the text, a hash of its words
/// in order, and the MinHash of its features. A short text has no MinHash.
///
/// Documents are equal if their fingerprints and word hashes are equal. Otherwise the MinHash estimates their resemblance.
///
/// A sketch made from a text also has the margins of the fingerprint's bits, which direct the search. A deduplicator does
/// not store them.
///
/// ```
/// use nearprint::{Fingerprinter, Sketch};
///
/// let mut fingerprinter = Fingerprinter::default();
/// let text = "The river burst its banks early on Tuesday, the council said, and the road is closed.";
/// let a = fingerprinter.sketch(text);
/// let b = fingerprinter.sketch(&text.replace("closed", "open"));
/// assert!(a.resemblance(&b)? > 0.7);
/// assert_eq!(Sketch::from_bytes(&a.to_bytes())?, a);
/// # Ok::<(), nearprint::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sketch {
    scheme: Scheme,
    pub(super) content: Content,
    pub(super) margins: Option<Margins>,
}

/// A sketch without its scheme and its margins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Content {
    pub fingerprint: u64,
    pub words: WordsHash,
    /// Absent for a short text.
    pub minhash: Option<MinHash>,
}

/// The hash of all words in order, or of all characters. Its lowest bit is 1 for a short or brief text. That bit follows
/// from the words, so texts with equal words have equal hashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct WordsHash(pub u64);

impl WordsHash {
    pub fn has_few_features(self) -> bool {
        self.0 & 1 == 1
    }

    /// Returns a key, given the fingerprint. Equal documents have equal keys.
    pub fn key(self, fingerprint: u64) -> u128 {
        u128::from(fingerprint) | u128::from(self.0) << 64
    }
}

/// Returns whether the estimate for documents with these words reaches their threshold. A threshold of 0 admits all.
pub(super) fn reaches(
    estimate: &Estimate,
    a: WordsHash,
    b: WordsHash,
    min_resemblance: f64,
) -> bool {
    let has_few_features = a.has_few_features() || b.has_few_features();
    let threshold = match min_resemblance {
        min if min > 0.0 && has_few_features => min.max(MIN_BRIEF_RESEMBLANCE),
        min => min,
    };
    // Compares the rounded quotient that a hit reports, so that no hit reports less than the threshold.
    estimate.resemblance() >= threshold
}

impl Content {
    pub fn key(&self) -> u128 {
        self.words.key(self.fingerprint)
    }

    /// Returns whether the documents are equal.
    pub fn equals(&self, other: &Self) -> bool {
        self.key() == other.key()
    }

    pub fn resemblance(&self, other: &Self) -> Estimate {
        match (&self.minhash, &other.minhash) {
            (Some(a), Some(b)) => a.estimate(b),
            _ => Estimate::of_equality(self.equals(other)),
        }
    }
}

/// The kinds of a sketch in its binary form.
const SHORT: u8 = 0;
const PLAIN: u8 = 1;
const WITH_MARGINS: u8 = 2;

impl Sketch {
    /// Creates a sketch, with `scheme` at 64 bits.
    pub(super) fn new(scheme: Scheme, content: Content, margins: Option<Margins>) -> Self {
        Sketch { scheme: Scheme { width: Width::W64, ..scheme }, content, margins }
    }

    /// Returns the scheme of the fingerprint and the features, at 64 bits.
    pub fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// Returns the 64-bit fingerprint.
    pub fn fingerprint(&self) -> u64 {
        self.content.fingerprint
    }

    /// Returns whether the text has fewer than [`MIN_FEATURES`] different features.
    pub fn is_short(&self) -> bool {
        self.content.minhash.is_none()
    }

    /// Returns whether the documents have equal fingerprints and equal words, up to collisions of 64-bit hashes.
    ///
    /// Margins make no difference. The scheme decides whether case and punctuation do.
    ///
    /// # Errors
    /// The sketches are of different schemes.
    pub fn is_equal_document(&self, other: &Self) -> Result<bool, Error> {
        check_scheme("other", &self.scheme, &other.scheme)?;
        Ok(self.content.equals(&other.content))
    }

    /// Returns the number of bits in which the fingerprints differ.
    ///
    /// # Errors
    /// The sketches are of different schemes.
    pub fn distance(&self, other: &Self) -> Result<u32, Error> {
        check_scheme("other", &self.scheme, &other.scheme)?;
        Ok(hamming::distance(self.content.fingerprint, other.content.fingerprint))
    }

    /// Returns the estimated Jaccard resemblance of the feature sets, from 0 to 1. If either text is short, it is 1 for
    /// equal documents, else 0. O(1).
    ///
    /// # Errors
    /// The sketches are of different schemes.
    pub fn resemblance(&self, other: &Self) -> Result<f64, Error> {
        check_scheme("other", &self.scheme, &other.scheme)?;
        Ok(self.content.resemblance(&other.content).resemblance())
    }

    /// Returns the values of the four 16-bit blocks under which a search for this sketch finds documents: `count` for each
    /// block, the highest block first, beginning with the fingerprint's own value. A short text has none.
    ///
    /// This is for a search in a database. A kept document is a candidate if the value of one of its blocks is among the
    /// values of that block.
    ///
    /// # Errors
    /// `count` is not from 1 to 256.
    pub fn probes(&self, count: usize) -> Result<Vec<u16>, Error> {
        check_probes("count", count)?;
        if self.is_short() {
            return Ok(Vec::new());
        }
        let mut probes = Vec::with_capacity(BLOCKS * count);
        let mut flips = NO_FLIPS;
        self.margins.as_ref().unwrap_or(&Margins::UNKNOWN).flips(count, &mut flips);
        for (at, flips) in flips.iter().enumerate() {
            let own = block(self.content.fingerprint, at);
            probes.extend(flips[..count].iter().map(|flip| own ^ flip));
        }
        Ok(probes)
    }

    /// Returns the same sketch without margins, as a deduplicator stores it.
    #[must_use]
    pub fn without_margins(&self) -> Self {
        Sketch { margins: None, ..self.clone() }
    }

    /// Returns the binary form, the same on every machine: `DESIGN.md` defines it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(128);
        self.write_to(&mut bytes);
        bytes
    }

    /// Appends the binary form.
    pub fn write_to(&self, bytes: &mut Vec<u8>) {
        let id = self.scheme.id();
        let Content { fingerprint, words, minhash } = &self.content;
        bytes.push(id.len() as u8);
        bytes.extend_from_slice(id.as_bytes());
        bytes.push(match (minhash, &self.margins) {
            (None, _) => SHORT,
            (Some(_), None) => PLAIN,
            (Some(_), Some(_)) => WITH_MARGINS,
        });
        for number in [fingerprint, &words.0].into_iter().chain(minhash.iter().flat_map(|m| &m.0)) {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend(self.margins.iter().flat_map(|margins| margins.0));
    }

    /// Reads what [`to_bytes`](Self::to_bytes) writes.
    ///
    /// # Errors
    /// The bytes are not the binary form of a sketch.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let read = || {
            let (&len, rest) = bytes.split_first()?;
            let (id, rest) = rest.split_at_checked(len.into())?;
            let scheme: Scheme = core::str::from_utf8(id).ok()?.parse().ok()?;
            let (&kind, rest) = rest.split_first()?;
            let (&fingerprint, rest) = rest.split_first_chunk::<8>()?;
            let (&words, rest) = rest.split_first_chunk::<8>()?;
            let words = WordsHash(u64::from_le_bytes(words));
            let (minhash, margins) = match (kind, rest.split_first_chunk::<{ 8 * CELLS }>()) {
                (SHORT, None) if rest.is_empty() && words.has_few_features() => (None, None),
                (PLAIN, Some((cells, []))) => (Some(MinHash::from_bytes(cells)), None),
                (WITH_MARGINS, Some((cells, packed))) => {
                    (Some(MinHash::from_bytes(cells)), Some(Margins(packed.try_into().ok()?)))
                }
                _ => return None,
            };
            let fingerprint = u64::from_le_bytes(fingerprint);
            let content = Content { fingerprint, words, minhash };
            (scheme.width == Width::W64).then(|| Sketch::new(scheme, content, margins))
        };
        read().ok_or_else(|| {
            let got = format!("{} bytes that are not", bytes.len());
            Error::argument("bytes", "the binary form of a sketch", got)
        })
    }
}

impl Fingerprinter {
    /// Returns the [`Sketch`] of `text`: with the scheme at 64 bits, whatever its width. O(text).
    pub fn sketch(&mut self, text: &str) -> Sketch {
        let stream = self.stream_mut();
        stream.process(text, Purpose::Sketch);
        finished_sketch(stream)
    }

    /// Returns the [`Sketch`] of a text in UTF-8, in which invalid sequences count as
    /// [`fingerprint_bytes`](Self::fingerprint_bytes) counts them.
    pub fn sketch_bytes(&mut self, text: &[u8]) -> Sketch {
        let stream = self.stream_mut();
        stream.process_bytes(text, Purpose::Sketch);
        finished_sketch(stream)
    }
}

impl Stream {
    /// Returns the [`Sketch`] of the text so far; more chunks may follow. O(distinct features).
    ///
    /// ```
    /// let mut fingerprinter = nearprint::Fingerprinter::default();
    /// let mut stream = fingerprinter.stream();
    /// stream.update("Good ne").update("ws");
    /// assert_eq!(stream.sketch(), fingerprinter.sketch("Good news"));
    /// ```
    pub fn sketch(&self) -> Sketch {
        let mut stream = self.clone();
        stream.finish();
        finished_sketch(&stream)
    }
}

/// Checks that a sketch or a deduplicator is of the scheme `expected`.
pub(super) fn check_scheme(
    argument: &'static str,
    expected: &Scheme,
    scheme: &Scheme,
) -> Result<(), Error> {
    if scheme == expected {
        return Ok(());
    }
    let requirement = ["of the scheme ", &String::from(*expected)].concat();
    Err(Error::argument(argument, requirement, ["one of ", &String::from(*scheme)].concat()))
}

pub(super) fn check_probes(argument: &'static str, probes: usize) -> Result<(), Error> {
    if (1..=MAX_PROBES).contains(&probes) {
        return Ok(());
    }
    Err(Error::number(argument, format!("from 1 to {MAX_PROBES}"), probes))
}

/// Returns the sketch of a finished text.
fn finished_sketch(stream: &Stream) -> Sketch {
    let votes = stream.votes();
    let features = votes.distinct();
    let words = WordsHash(votes.sequence() & !1 | u64::from(features < BRIEF_FEATURES));
    let (minhash, margins) = if features < MIN_FEATURES {
        (None, None)
    } else {
        (Some(votes.minhash()), Some(Margins::new(&votes.sums())))
    };
    let content = Content { fingerprint: votes.low_half(), words, minhash };
    Sketch::new(*stream.scheme(), content, margins)
}
