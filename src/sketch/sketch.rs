//! Sketches: documents without their texts.

use alloc::{string::String, vec::Vec};

use super::{
    minima::{BANDS, BandKeys, KEYS, key_of_equality},
    near::{check_min_resemblance, reaches},
    record::Record,
    scheme::SketchScheme,
};
use crate::{Error, error::decimal};

/// A document without its text, as a [`Deduplicator`](crate::Deduplicator) compares it: two hashes of its words and symbols in order,
/// and unless the text is short, the odd sketch of its features and the keys under which it is found.
///
/// Documents are equal if both hashes are. Otherwise the odd sketches estimate their resemblance. The keys are made from 12
/// bands of minima of the features, and documents that share a key are compared. A set files a document under its keys and does
/// not keep them, so the sketches that [`get`](crate::Deduplicator::get) returns have none.
///
/// ```
/// use nearprint::dedupe::{Sketch, Sketcher};
///
/// let mut sketcher = Sketcher::default();
/// let text = "The river burst its banks early on Tuesday, the council said, and the road is closed.";
/// let a = sketcher.sketch(text);
/// let b = sketcher.sketch(&text.replace("closed", "open"));
/// assert!(a.resemblance(&b)? > 0.7);
/// assert_eq!(Sketch::from_bytes(&a.to_bytes())?, a);
/// # Ok::<(), nearprint::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Sketch {
    pub(crate) scheme: SketchScheme,
    pub(crate) record: Record,
    /// Absent for a short text, and for a document of a set.
    pub(crate) keys: Option<BandKeys>,
}

/// The kinds of a sketch in its binary form.
const SHORT: u8 = 0;
const RECORD: u8 = 1;
const WHOLE: u8 = 2;

impl Sketch {
    /// Returns the scheme.
    pub fn scheme(&self) -> &SketchScheme {
        &self.scheme
    }

    /// Returns whether the text has fewer than [`MIN_FEATURES`](super::MIN_FEATURES) different features.
    pub fn is_short(&self) -> bool {
        self.record.is_short()
    }

    /// Returns whether the text is *blank*: it has neither words nor symbols or, in schemes of characters, only white space. Such
    /// a text resembles nothing, not even an equal one, and has no keys.
    pub fn is_blank(&self) -> bool {
        self.record.is_blank()
    }

    /// Returns the two hashes that equal documents have in common.
    pub fn hashes(&self) -> [u64; 2] {
        [self.record.sequence.first, self.record.sequence.second]
    }

    /// Returns whether the documents have the same words and symbols in the same order, up to collisions of two 64-bit hashes.
    ///
    /// Case, apostrophes, punctuation and words broken at line ends make no difference, but accents do.
    ///
    /// # Errors
    /// The sketches are of different schemes.
    pub fn is_equal_document(&self, other: &Self) -> Result<bool, Error> {
        check_scheme("other", &self.scheme, &other.scheme)?;
        Ok(self.record.equals(&other.record))
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

    /// Returns whether the documents are near-duplicates, by the rule of [`Deduplicator`](crate::Deduplicator):
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
    /// and last the key that equal documents have in common. A blank text has no keys. Returns `None` for a sketch from a set, which
    /// does not keep them.
    ///
    /// This is for a search in a database: documents that share a key are candidates, and [`resemblance`](Self::resemblance)
    /// verifies them.
    pub fn keys(&self) -> Option<Vec<u64>> {
        let mut keys = [0; KEYS];
        let len = self.write_keys(&mut keys).ok()?;
        Some(keys[..len].to_vec())
    }

    /// Writes the keys to `keys`, and returns how many there are. Fails for a sketch from a set, which has no keys.
    pub(crate) fn write_keys(&self, keys: &mut [u64; KEYS]) -> Result<usize, Error> {
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
        keys[bands.len()] = key_of_equality(self.record.sequence);
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
            let scheme: SketchScheme = core::str::from_utf8(id).ok()?.parse().ok()?;
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
            let is_valid = kind == SHORT || !record.is_blank();
            (is_valid && rest.is_empty()).then_some(Sketch { scheme, record, keys })
        };
        read().ok_or_else(|| {
            let got = [&decimal(bytes.len() as u64), " bytes that are not"].concat();
            Error::argument("bytes", "the binary form of a sketch", got)
        })
    }
}

/// Returns the first number of 64 bits, and the rest.
pub(crate) fn take_number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((u64::from_le_bytes(*number), rest))
}

/// Checks that a sketch or a deduplicator is of the scheme `expected`.
pub(crate) fn check_scheme(
    argument: &'static str,
    expected: &SketchScheme,
    scheme: &SketchScheme,
) -> Result<(), Error> {
    if scheme == expected {
        return Ok(());
    }
    let requirement = ["of the scheme ", &String::from(*expected)].concat();
    Err(Error::argument(argument, requirement, ["one of ", &String::from(*scheme)].concat()))
}
