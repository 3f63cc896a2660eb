//! Sketches: what a deduplicator stores of a document.

use alloc::{string::String, vec::Vec};

use super::{
    error::{Error, Kind},
    margins::{BLOCK_BITS, BLOCKS, MOST_PROBES, Margins, NO_FLIPS},
};
use crate::{
    hash::hamming,
    simhash::{
        Fingerprinter, MIN_FEATURES, Scheme, Stream, Width,
        minhash::{CELLS, MinHash},
    },
};

/// What a [`Deduplicator`](super::Deduplicator) stores of a document: its 64-bit fingerprint and the MinHash of its
/// features, or a hash of its words if the text is short.
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
/// # Ok::<(), nearprint::dedupe::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sketch {
    scheme: Scheme,
    pub(crate) fingerprint: u64,
    pub(crate) content: Content,
    pub(crate) margins: Option<Margins>,
}

/// What a candidate is verified by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Content {
    /// Of a short text: a hash of its words, in order.
    Words(u64),
    /// Of any other text: the MinHash of its features.
    Features(MinHash),
}

/// The kinds of a sketch in its binary form.
const SHORT: u8 = 0;
const PLAIN: u8 = 1;
const WITH_MARGINS: u8 = 2;

impl Sketch {
    /// `scheme` is taken at 64 bits.
    pub(crate) fn new(
        scheme: Scheme,
        fingerprint: u64,
        content: Content,
        margins: Option<Margins>,
    ) -> Self {
        Sketch { scheme: Scheme { width: Width::W64, ..scheme }, fingerprint, content, margins }
    }

    /// The scheme of the fingerprint and the features, at 64 bits.
    pub fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// The 64-bit fingerprint.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Whether the text has fewer than [`MIN_FEATURES`] different features.
    pub fn is_short(&self) -> bool {
        matches!(self.content, Content::Words(_))
    }

    /// The number of bits in which the fingerprints differ.
    pub fn distance(&self, other: &Self) -> u32 {
        hamming::distance(self.fingerprint, other.fingerprint)
    }

    /// The estimated Jaccard resemblance of the feature sets, from 0 to 1. Of short texts it is 1 if their words are equal,
    /// else 0; that of a short text and a longer one is 0. O(1).
    ///
    /// # Errors
    /// The sketches are of different schemes.
    pub fn resemblance(&self, other: &Self) -> Result<f64, Error> {
        check_scheme("other", &self.scheme, &other.scheme)?;
        Ok(match (&self.content, &other.content) {
            (Content::Features(a), Content::Features(b)) => a.estimate(b).resemblance(),
            (a, b) => f64::from(u8::from(a == b && self.fingerprint == other.fingerprint)),
        })
    }

    /// The values of the four 16-bit blocks under which a search for this sketch finds documents: `count` for each block,
    /// those of the highest block first, the fingerprint's own value at the head of each. A short text has none.
    ///
    /// This is for a search in a database. A kept document is a candidate if, in one of the four blocks, its value is
    /// among those of that block.
    ///
    /// # Errors
    /// A count out of range, which is 1 to 256.
    pub fn probes(&self, count: usize) -> Result<Vec<u16>, Error> {
        if !(1..=MOST_PROBES).contains(&count) {
            return Err(Kind::Probes(count).into());
        }
        if self.is_short() {
            return Ok(Vec::new());
        }
        let mut probes = Vec::with_capacity(BLOCKS * count);
        let mut flips = NO_FLIPS;
        self.margins.as_ref().unwrap_or(&Margins::UNKNOWN).flips(count, &mut flips);
        for (block, flips) in flips.iter().enumerate() {
            let own = (self.fingerprint >> ((BLOCKS - 1 - block) * BLOCK_BITS)) as u16;
            probes.extend(flips[..count].iter().map(|flip| own ^ flip));
        }
        Ok(probes)
    }

    /// The same sketch without margins, as a deduplicator stores it.
    #[must_use]
    pub fn without_margins(&self) -> Self {
        Sketch { margins: None, ..self.clone() }
    }

    /// Whether the sketches are equal but for their margins.
    pub(crate) fn is_document_of(&self, other: &Self) -> bool {
        self.scheme == other.scheme
            && self.fingerprint == other.fingerprint
            && self.content == other.content
    }

    /// The binary form, the same on every machine; all numbers are little-endian.
    ///
    /// | bytes | content |
    /// | --- | --- |
    /// | 1 | the length of the scheme's id |
    /// | | the scheme's id, ASCII |
    /// | 1 | kind: 0 short, 1 without margins, 2 with margins |
    /// | 8 | the fingerprint |
    /// | 8 or 64 | the hash of the words (kind 0), or the MinHash: 256 bins of 2 bits |
    /// | 32 | the margins (kind 2): 64 of 4 bits |
    pub fn to_bytes(&self) -> Vec<u8> {
        let id = String::from(self.scheme);
        let mut bytes = Vec::with_capacity(1 + id.len() + 1 + 8 + 64 + 32);
        self.append_to(&mut bytes, &id);
        bytes
    }

    /// Appends the binary form. `id` is that of the scheme: to format it takes as long as all the rest.
    pub(crate) fn append_to(&self, bytes: &mut Vec<u8>, id: &str) {
        bytes.push(id.len() as u8);
        bytes.extend_from_slice(id.as_bytes());
        bytes.push(match (&self.content, &self.margins) {
            (Content::Words(_), _) => SHORT,
            (_, None) => PLAIN,
            (_, Some(_)) => WITH_MARGINS,
        });
        let cells = match &self.content {
            Content::Words(hash) => core::slice::from_ref(hash),
            Content::Features(MinHash(cells)) => cells,
        };
        for &cell in core::iter::once(&self.fingerprint).chain(cells) {
            bytes.extend_from_slice(&cell.to_le_bytes());
        }
        if let Some(margins) = &self.margins {
            bytes.extend_from_slice(&margins.packed());
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
            let (&fingerprint, rest) = rest.split_first_chunk::<8>()?;
            let fingerprint = u64::from_le_bytes(fingerprint);
            let (content, margins) = match kind {
                SHORT => (Content::Words(u64::from_le_bytes(rest.try_into().ok()?)), None),
                PLAIN | WITH_MARGINS => {
                    let (cells, rest) = rest.split_first_chunk::<{ 8 * CELLS }>()?;
                    let minhash = MinHash::from_bytes(cells);
                    let margins = match (kind, rest) {
                        (PLAIN, []) => None,
                        (WITH_MARGINS, packed) => Some(Margins::unpack(packed.try_into().ok()?)),
                        _ => return None,
                    };
                    (Content::Features(minhash), margins)
                }
                _ => return None,
            };
            (scheme.width == Width::W64).then(|| Sketch::new(scheme, fingerprint, content, margins))
        };
        read().ok_or(Kind::Sketch { len: bytes.len() }.into())
    }
}

impl Fingerprinter {
    /// The [`Sketch`] of `text`: of the scheme at 64 bits, whatever its width. O(text).
    pub fn sketch(&mut self, text: &str) -> Sketch {
        let stream = self.stream_mut();
        stream.whole_sketch(text);
        finished_sketch(stream)
    }

    /// The [`Sketch`] of a text in UTF-8, in which invalid sequences count as
    /// [`fingerprint_bytes`](Self::fingerprint_bytes) counts them.
    pub fn sketch_bytes(&mut self, text: &[u8]) -> Sketch {
        match core::str::from_utf8(text) {
            Ok(text) => self.sketch(text),
            Err(_) => {
                let stream = self.stream_mut();
                stream.clear_for_sketch();
                stream.update_bytes(text);
                stream.finish();
                finished_sketch(stream)
            }
        }
    }
}

impl Stream {
    /// The [`Sketch`] of the text so far; more chunks may follow. O(distinct features).
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

/// Whether two schemes are equal.
pub(super) fn check_scheme(
    argument: &'static str,
    takes: &Scheme,
    got: &Scheme,
) -> Result<(), Error> {
    if takes == got {
        return Ok(());
    }
    let (takes, got) = (String::from(*takes), String::from(*got));
    Err(Kind::Scheme { argument, takes, got }.into())
}

/// The sketch of the text that the stream has ended.
fn finished_sketch(stream: &Stream) -> Sketch {
    let votes = stream.votes();
    let features = votes.distinct().expect("a sketch counts features");
    let (content, margins) = if features < MIN_FEATURES {
        (Content::Words(votes.units()), None)
    } else {
        (Content::Features(votes.minhash()), Some(Margins::new(&votes.sums())))
    };
    Sketch::new(*stream.scheme(), votes.low_half(), content, margins)
}
