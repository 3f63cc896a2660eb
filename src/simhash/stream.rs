//! The chain from text to fingerprint, for a text that comes in chunks.

use alloc::string::String;

use super::{features::Cutter, scheme::Scheme, votes::Votes};
use crate::text::{Normalize, normalize, words};

/// A longer text goes through in pieces, so that memory stays small and in cache.
const PIECE: usize = 1 << 16;

/// A fingerprint in the making: of a text that comes in chunks, however it is cut.
///
/// ```
/// let fingerprinter = nearprint::Fingerprinter::default();
/// let mut stream = fingerprinter.stream();
/// for chunk in ["The qu", "ick bro", "wn fox"] {
///     stream.update(chunk);
/// }
/// assert_eq!(stream.digest() as u64, nearprint::fingerprint("The quick brown fox"));
/// ```
#[derive(Clone, Debug)]
pub struct Stream {
    scheme: Scheme,
    /// The start of a UTF-8 sequence whose end has not come yet.
    partial: Partial,
    /// Text that what follows may still change when it is normalised.
    raw: String,
    /// Normalised text whose last word may still go on.
    normal: String,
    /// How much of it was searched for a place to cut, in vain.
    searched: usize,
    cutter: Cutter,
    votes: Votes,
}

impl Stream {
    pub(crate) fn new(scheme: Scheme) -> Self {
        Stream {
            scheme,
            partial: Partial::default(),
            raw: String::new(),
            normal: String::new(),
            searched: 0,
            cutter: Cutter::new(&scheme),
            votes: {
                let mut votes = Votes::new(scheme);
                votes.start_sketching();
                votes
            },
        }
    }

    pub(crate) fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// Takes the next chunk. Amortised O(chunk); what is kept back is less than a word and a
    /// combining sequence.
    pub fn update(&mut self, chunk: &str) -> &mut Self {
        if self.partial.len > 0 {
            self.partial.len = 0;
            self.update_valid("\u{fffd}");
        }
        self.update_valid(chunk);
        self
    }

    /// Takes the next chunk of a text in UTF-8, which may start and end inside a character. Bytes
    /// that are not UTF-8 count as U+FFFD, one for each maximal part of a sequence.
    pub fn update_bytes(&mut self, mut chunk: &[u8]) -> &mut Self {
        while self.partial.len > 0 && !chunk.is_empty() {
            self.partial.push(chunk[0]);
            match core::str::from_utf8(self.partial.bytes()) {
                Ok(text) => {
                    let c = text.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
                    self.partial.len = 0;
                    self.update_valid(c.encode_utf8(&mut [0; 4]));
                }
                // Still the start of a character.
                Err(error) if error.error_len().is_none() => {}
                // It has no end: the byte just seen starts something else.
                Err(_) => {
                    self.partial.len = 0;
                    self.update_valid("\u{fffd}");
                    continue;
                }
            }
            chunk = &chunk[1..];
        }
        while !chunk.is_empty() {
            match core::str::from_utf8(chunk) {
                Ok(text) => {
                    self.update_valid(text);
                    break;
                }
                Err(error) => {
                    let (valid, rest) = chunk.split_at(error.valid_up_to());
                    if let Ok(text) = core::str::from_utf8(valid) {
                        self.update_valid(text);
                    }
                    let Some(invalid) = error.error_len() else {
                        self.partial.start(rest);
                        break;
                    };
                    self.update_valid("\u{fffd}");
                    chunk = &rest[invalid..];
                }
            }
        }
        self
    }

    /// The fingerprint of the text so far, in the low bits; more chunks may follow. O(distinct
    /// features), for it works on a copy.
    pub fn digest(&self) -> u128 {
        self.clone().finish()
    }

    /// The fingerprint of a whole text, which need not be searched for places to cut if it is
    /// short.
    pub(crate) fn whole(&mut self, text: &str) -> u128 {
        if text.len() > PIECE {
            self.clear();
            self.update_valid(text);
            return self.finish();
        }
        let Stream { scheme, normal, cutter, votes, .. } = self;
        normal.clear();
        scheme.normalize.append(text, normal);
        cutter.clear();
        votes.clear(normal.len(), false);
        cutter.push(normal, votes);
        cutter.finish(votes);
        votes.sign()
    }

    /// [`whole`](Self::whole), and what a sketch needs.
    pub(crate) fn whole_sketched(&mut self, text: &str) {
        self.clear();
        self.votes.start_sketching();
        if text.len() > PIECE {
            self.update_valid(text);
            self.finish();
            return;
        }
        let Stream { scheme, normal, cutter, votes, .. } = self;
        scheme.normalize.append(text, normal);
        cutter.push(normal, votes);
        cutter.finish(votes);
    }

    pub(crate) fn start_sketching(&mut self) {
        self.votes.start_sketching();
    }

    pub(crate) fn votes(&self) -> &Votes {
        &self.votes
    }

    /// Ends the text.
    pub(crate) fn finish(&mut self) -> u128 {
        if self.partial.len > 0 {
            self.update_valid("\u{fffd}");
        }
        self.scheme.normalize.append(&self.raw, &mut self.normal);
        self.push(self.normal.len());
        self.cutter.finish(&mut self.votes);
        self.votes.sign()
    }

    /// How many different features the text has had; after [`finish`](Self::finish), all of them. O(1), but O(text) for
    /// a whole one whose features were not counted.
    pub(crate) fn distinct(&self) -> usize {
        let Stream { scheme, normal, .. } = self;
        self.votes.distinct().unwrap_or_else(|| {
            let mut votes = Votes::new(*scheme);
            let mut cutter = Cutter::new(scheme);
            cutter.push(normal, &mut votes);
            cutter.finish(&mut votes);
            votes.distinct().unwrap_or_default()
        })
    }

    pub(crate) fn clear(&mut self) {
        self.partial.len = 0;
        self.raw.clear();
        self.normal.clear();
        self.searched = 0;
        self.cutter.clear();
        self.votes.clear(0, true);
    }

    fn update_valid(&mut self, mut text: &str) {
        while !text.is_empty() {
            let cut = text.floor_char_boundary(PIECE);
            let (piece, rest) = text.split_at_checked(cut).unwrap_or((text, ""));
            match self.boundary(piece) {
                // The whole piece may hang on what came before it.
                None => self.raw.push_str(piece),
                Some(at) => {
                    let (head, tail) = piece.split_at_checked(at).unwrap_or((piece, ""));
                    self.raw.push_str(head);
                    self.scheme.normalize.append(&self.raw, &mut self.normal);
                    self.raw.clear();
                    self.raw.push_str(tail);
                }
            }
            let cut = if self.cutter.takes_words() {
                words::last_cut(&self.normal, self.searched)
            } else {
                self.normal.len()
            };
            self.push(cut);
            self.searched = self.normal.len();
            text = rest;
        }
    }

    /// Where `text` can be cut without changing what it, or any text around it, normalises to.
    fn boundary(&self, text: &str) -> Option<usize> {
        match self.scheme.normalize {
            Normalize::NfkcCasefold => normalize::boundary(text),
            Normalize::None => Some(text.len()),
        }
    }

    /// Cuts the first `len` bytes of the normalised text into features.
    fn push(&mut self, len: usize) {
        let Stream { cutter, votes, normal, .. } = self;
        cutter.push(normal.get(..len).unwrap_or_default(), votes);
        normal.drain(..len);
    }
}

/// Up to three bytes that begin a UTF-8 sequence.
#[derive(Clone, Debug, Default)]
struct Partial {
    bytes: [u8; 4],
    len: usize,
}

impl Partial {
    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    fn push(&mut self, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    fn start(&mut self, bytes: &[u8]) {
        self.bytes[..bytes.len()].copy_from_slice(bytes);
        self.len = bytes.len();
    }
}
