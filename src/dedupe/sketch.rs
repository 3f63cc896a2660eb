//! Sketches: what a deduplicator needs to know of a document.

use alloc::{string::String, vec::Vec};

use super::{decide::reaches, deduplicator::check_min_resemblance};
use crate::{
    Error,
    error::decimal,
    hash::hamming,
    simhash::{
        Fingerprinter, Purpose, Scheme, Scope, Stream, Width,
        minima::{BANDS, BandKeys, key_of_words},
        odd_sketch::OddSketch,
        sequence::BLANK,
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

/// What a [`Deduplicator`](super::Deduplicator) needs to know of a document: the 64-bit fingerprint of the text, a hash of its words and
/// symbols in order, and unless the text is short, the odd sketch of its features and the keys under which it is found.
///
/// Documents are equal if their fingerprints and word hashes are equal. Otherwise the odd sketches estimate their
/// resemblance. The keys are 12 bands of minima of the features: two documents that share a key are compared. A set files a
/// document under its keys and does not keep them, so the sketches that [`get`](super::Deduplicator::get) returns have none.
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
#[must_use]
pub struct Sketch {
    pub(super) scheme: Scheme,
    pub(super) record: Record,
    /// Absent for a short text, and for a document of a set.
    pub(super) keys: Option<BandKeys>,
}

/// The part of a sketch that a set keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Record {
    pub fingerprint: u64,
    pub words: WordsHash,
    /// Empty for a short text.
    pub odd: OddSketch,
}

/// The hash of all words and symbols in order, or of all characters. Its lowest bit is 1 for a short or brief text, and the
/// next one for a blank text. These bits follow from the words, so texts with equal words have equal hashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct WordsHash(pub u64);

impl WordsHash {
    pub fn has_few_features(self) -> bool {
        self.0 & 1 != 0
    }

    /// Returns whether the text has no words and symbols.
    pub fn is_blank(self) -> bool {
        self.0 & BLANK != 0
    }
}

impl Record {
    /// The size in bytes.
    pub const BYTES: usize = Self::SHORT_BYTES + OddSketch::BYTES;
    /// The size for a short text: of the fingerprint and the hash of the words.
    pub const SHORT_BYTES: usize = 16;

    /// Reads the numbers of a record, which may be any. Numbers that are missing are 0.
    pub fn read(bytes: &[u8]) -> Self {
        let mut numbers = [0; Self::BYTES / 8];
        for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks().0) {
            *number = u64::from_le_bytes(*bytes);
        }
        let [fingerprint, words, odd @ ..] = numbers;
        Record { fingerprint, words: WordsHash(words), odd: OddSketch(odd) }
    }

    /// Reads what [`write_to`](Self::write_to) writes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let record = Self::read(bytes);
        let is_valid = match bytes.len() {
            Self::SHORT_BYTES => record.words.has_few_features(),
            Self::BYTES => !record.is_short(),
            _ => false,
        };
        is_valid.then_some(record)
    }

    /// Returns the numbers that the record consists of.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        [self.fingerprint, self.words.0].into_iter().chain(self.odd.0)
    }

    /// Appends the binary form.
    pub fn write_to(&self, bytes: &mut Vec<u8>) {
        let size = if self.is_short() { Self::SHORT_BYTES } else { Self::BYTES };
        for number in self.numbers().take(size / 8) {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
    }

    pub fn is_short(&self) -> bool {
        self.odd.is_empty()
    }

    /// Returns what equal documents have in common.
    pub fn equality(&self) -> u128 {
        u128::from(self.fingerprint) | u128::from(self.words.0) << 64
    }

    /// Returns whether the documents are equal.
    pub fn equals(&self, other: &Self) -> bool {
        self.words == other.words && self.fingerprint == other.fingerprint
    }

    /// Returns the estimated resemblance. A blank text resembles nothing, not even another one.
    pub fn resemblance(&self, other: &Self) -> f64 {
        if self.is_short() || other.is_short() {
            return f64::from(self.equals(other) && !self.words.is_blank());
        }
        self.odd.estimate(&other.odd)
    }

    pub fn distance(&self, other: &Self) -> u32 {
        hamming::distance(self.fingerprint, other.fingerprint)
    }
}

/// The kinds of a sketch in its binary form.
const SHORT: u8 = 0;
const RECORD: u8 = 1;
const WHOLE: u8 = 2;

impl Sketch {
    /// Returns the scheme of the fingerprint and the features, at 64 bits.
    pub fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// Returns the 64-bit fingerprint.
    pub fn fingerprint(&self) -> u64 {
        self.record.fingerprint
    }

    /// Returns whether the text has fewer than [`MIN_FEATURES`] different features.
    pub fn is_short(&self) -> bool {
        self.record.is_short()
    }

    /// Returns whether the text is *blank*: it has neither words nor symbols or, in schemes of characters, only white space. Such
    /// a text resembles nothing, not even an equal one, and has no keys.
    pub fn is_blank(&self) -> bool {
        self.record.words.is_blank()
    }

    /// Returns whether the documents have equal fingerprints and equal words and symbols in the same order, up to collisions of
    /// 64-bit hashes.
    ///
    /// The scheme decides whether case and punctuation make a difference.
    ///
    /// # Errors
    /// The sketches are of different schemes.
    pub fn is_equal_document(&self, other: &Self) -> Result<bool, Error> {
        check_scheme("other", &self.scheme, &other.scheme)?;
        Ok(self.record.equals(&other.record))
    }

    /// Returns the number of bits in which the fingerprints differ.
    ///
    /// # Errors
    /// The sketches are of different schemes.
    pub fn distance(&self, other: &Self) -> Result<u32, Error> {
        check_scheme("other", &self.scheme, &other.scheme)?;
        Ok(self.record.distance(&other.record))
    }

    /// Returns the estimated Jaccard resemblance of the feature sets, from 0 to 1. If either text is short, it is 1 for
    /// equal documents that are not blank, else 0. O(1).
    ///
    /// # Errors
    /// The sketches are of different schemes.
    pub fn resemblance(&self, other: &Self) -> Result<f64, Error> {
        check_scheme("other", &self.scheme, &other.scheme)?;
        Ok(self.record.resemblance(&other.record))
    }

    /// Returns whether the documents are near-duplicates, by the rule of [`Deduplicator`](super::Deduplicator):
    /// by their exact resemblance if it is given, else by the estimate.
    ///
    /// # Errors
    /// The sketches are of different schemes, or the threshold is out of range.
    pub fn is_near(
        &self,
        other: &Self,
        min_resemblance: f64,
        exact: Option<f64>,
    ) -> Result<bool, Error> {
        check_scheme("other", &self.scheme, &other.scheme)?;
        check_min_resemblance(min_resemblance)?;
        let resemblance = exact.unwrap_or_else(|| self.record.resemblance(&other.record));
        Ok(reaches(resemblance, &self.record, &other.record, min_resemblance))
    }

    /// Returns the keys under which the document is filed: one for each of the 12 bands of minima, unless the text is short,
    /// and last the key that equal documents have in common. None for a blank text; `None` for a sketch from a set, which does
    /// not keep them.
    ///
    /// This is for a search in a database: documents that share a key are candidates, and [`resemblance`](Self::resemblance)
    /// verifies them.
    pub fn keys(&self) -> Option<Vec<u64>> {
        let mut keys = [0; BANDS + 1];
        let len = self.write_keys(&mut keys).ok()?;
        Some(keys[..len].to_vec())
    }

    /// Writes the keys to `keys`, and returns how many there are. Fails for a sketch from a set, which has no keys.
    pub(super) fn write_keys(&self, keys: &mut [u64; BANDS + 1]) -> Result<usize, Error> {
        let bands = match &self.keys {
            Some(bands) => &bands[..],
            None if self.is_short() => &[],
            None => {
                let requirement = "made from a text, since a set keeps no keys";
                return Err(Error::argument("sketch", requirement, "one from a set"));
            }
        };
        if self.is_blank() {
            return Ok(0);
        }
        keys[..bands.len()].copy_from_slice(bands);
        keys[bands.len()] = key_of_words(self.record.words.0);
        Ok(bands.len() + 1)
    }

    /// Returns the binary form, the same on every machine: `DESIGN.md` defines it.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(320);
        self.write_to(&mut bytes);
        bytes
    }

    /// Appends the binary form.
    pub fn write_to(&self, bytes: &mut Vec<u8>) {
        let id = self.scheme.id();
        bytes.push(id.len() as u8);
        bytes.extend_from_slice(id.as_bytes());
        bytes.push(match self.keys {
            Some(_) => WHOLE,
            None if self.record.is_short() => SHORT,
            None => RECORD,
        });
        self.record.write_to(bytes);
        for key in self.keys.iter().flatten() {
            bytes.extend_from_slice(&key.to_le_bytes());
        }
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
            let size = match kind {
                SHORT => Record::SHORT_BYTES,
                RECORD | WHOLE => Record::BYTES,
                _ => return None,
            };
            let (record, mut rest) = rest.split_at_checked(size)?;
            let record = Record::from_bytes(record)?;
            let mut keys = None;
            if kind == WHOLE {
                for key in keys.insert([0; BANDS]) {
                    (*key, rest) = take_number(rest)?;
                }
            }
            let is_valid = kind == SHORT || !record.words.is_blank();
            let is_whole = rest.is_empty() && scheme.width == Width::W64;
            (is_valid && is_whole).then_some(Sketch { scheme, record, keys })
        };
        read().ok_or_else(|| {
            let got = [&decimal(bytes.len() as u64), " bytes that are not"].concat();
            Error::argument("bytes", "the binary form of a sketch", got)
        })
    }
}

/// Returns the first number of 64 bits, and the rest.
pub(super) fn take_number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((u64::from_le_bytes(*number), rest))
}

impl Fingerprinter {
    /// Returns the [`Sketch`] of `text`: with the scheme at 64 bits, whatever its width. O(text).
    pub fn sketch(&mut self, text: &str) -> Sketch {
        self.sketch_in(Scope::default(), text)
    }

    /// Returns the [`Sketch`] of `text` in this scope. O(text).
    pub fn sketch_in(&mut self, scope: Scope, text: &str) -> Sketch {
        self.0.process(text, Purpose::Sketch(scope));
        finished_sketch(&self.0)
    }

    /// Returns the [`Sketch`] of a text in UTF-8, in which invalid sequences count as
    /// [`fingerprint_bytes`](Self::fingerprint_bytes) counts them.
    pub fn sketch_bytes(&mut self, text: &[u8]) -> Sketch {
        self.sketch_bytes_in(Scope::default(), text)
    }

    /// Returns the [`sketch_bytes`](Self::sketch_bytes) of a text in this scope.
    pub fn sketch_bytes_in(&mut self, scope: Scope, text: &[u8]) -> Sketch {
        self.0.process_bytes(text, Purpose::Sketch(scope));
        finished_sketch(&self.0)
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

/// Returns the sketch of a finished text.
#[inline(never)]
fn finished_sketch(stream: &Stream) -> Sketch {
    let votes = stream.votes();
    let features = votes.distinct();
    let words = WordsHash(votes.sequence() | u64::from(features < BRIEF_FEATURES));
    let (mut odd, mut keys) = (OddSketch::default(), None);
    if features >= MIN_FEATURES {
        odd = votes.sample.sketch();
        keys = Some(votes.bins.keys());
    }
    let scheme = Scheme { width: Width::W64, ..*stream.scheme() };
    let record = Record { fingerprint: votes.low_half(), words, odd };
    Sketch { scheme, record, keys }
}
