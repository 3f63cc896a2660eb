//! The chain from text to fingerprint, for a text that comes in chunks.
//!
//! Normalisation and segmentation need context, so a stream keeps back the end of each chunk until the text that
//! follows can no longer change it.

use alloc::{string::String, vec::Vec};

use super::{
    features::Extractor,
    scheme::Scheme,
    votes::{Purpose, Votes},
};
use crate::text::{Normalize, normalize, words};

/// A longer text is processed in parts of this size, which bounds the memory of a part and keeps it in cache.
const PART: usize = 1 << 16;

/// The size up to which the buffers of a text are kept for the next text.
const KEPT: usize = 8 * PART;

/// The fingerprint of a text that comes in chunks. Chunk borders change nothing.
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
#[must_use]
pub struct Stream {
    scheme: Scheme,
    /// The incomplete UTF-8 sequence at the end of the last chunk.
    partial: Vec<u8>,
    /// Text whose normalised form depends on the text that follows.
    raw: String,
    /// Normalised text whose last word or symbol depends on the text that follows.
    normal: String,
    /// `normal[..searched]` has no place to cut.
    searched: usize,
    extractor: Extractor,
    votes: Votes,
}

impl Stream {
    pub(crate) fn new(scheme: Scheme) -> Self {
        Stream {
            scheme,
            partial: Vec::new(),
            raw: String::new(),
            normal: String::new(),
            searched: 0,
            extractor: Extractor::new(&scheme),
            votes: Votes::new(scheme),
        }
    }

    pub(crate) fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// Adds the next chunk. Amortised O(chunk). Keeps back the text after the last place where it can be cut: usually a word
    /// and a combining sequence, but all of a text without spaces or common characters.
    pub fn update(&mut self, chunk: &str) -> &mut Self {
        self.end_partial();
        self.update_valid(chunk);
        self
    }

    /// Adds the next chunk of a text in UTF-8, which may start and end inside a character. Invalid bytes count as U+FFFD,
    /// one for each maximal part of a sequence (The Unicode Standard, section 3.9).
    pub fn update_bytes(&mut self, mut chunk: &[u8]) -> &mut Self {
        // At most three more bytes complete the sequence or make it invalid.
        while !self.partial.is_empty()
            && let Some((&byte, rest)) = chunk.split_first()
        {
            let mut bytes = core::mem::take(&mut self.partial);
            bytes.push(byte);
            self.update_sequences(&bytes);
            chunk = rest;
        }
        self.update_sequences(chunk);
        self
    }

    /// Adds sequences of UTF-8, and keeps back an incomplete one at the end.
    fn update_sequences(&mut self, mut bytes: &[u8]) {
        loop {
            let error = match core::str::from_utf8(bytes) {
                Ok(text) => return self.update_valid(text),
                Err(error) => error,
            };
            let (valid, rest) = bytes.split_at(error.valid_up_to());
            if let Ok(text) = core::str::from_utf8(valid) {
                self.update_valid(text);
            }
            let Some(invalid) = error.error_len() else {
                self.partial = rest.to_vec();
                return;
            };
            self.update_valid("\u{fffd}");
            bytes = &rest[invalid..];
        }
    }

    /// Returns the fingerprint of the text so far, in the low bits. More chunks may follow: it finishes a copy of the
    /// stream. O(distinct features).
    #[must_use]
    pub fn digest(&self) -> u128 {
        self.clone().finish()
    }

    /// Returns the fingerprint of a whole text.
    pub(crate) fn process(&mut self, text: &str, purpose: Purpose) -> u128 {
        if text.len() > PART {
            self.start(purpose);
            self.update_valid(text);
            return self.finish();
        }
        // A single part needs no search for places to cut.
        let Stream { scheme, normal, extractor, votes, .. } = self;
        normal.clear();
        scheme.normalize.append(text, normal);
        extractor.clear();
        votes.start(purpose, normal.len());
        extractor.push(normal, votes);
        extractor.finish(votes);
        votes.finish()
    }

    /// Returns the fingerprint of a whole text in UTF-8, in which invalid bytes count as in a stream.
    pub(crate) fn process_bytes(&mut self, text: &[u8], purpose: Purpose) -> u128 {
        match core::str::from_utf8(text) {
            Ok(text) => self.process(text, purpose),
            Err(_) => {
                self.start(purpose);
                self.update_bytes(text).finish()
            }
        }
    }

    /// Forgets the text, and starts the next one.
    pub(crate) fn start(&mut self, purpose: Purpose) {
        self.partial.clear();
        self.raw.clear();
        self.normal.clear();
        self.searched = 0;
        self.extractor.clear();
        self.votes.start(purpose, 0);
    }

    /// Returns the votes of a text that has ended.
    pub(crate) fn votes(&self) -> &Votes {
        &self.votes
    }

    /// Ends the text.
    pub(crate) fn finish(&mut self) -> u128 {
        self.end_partial();
        self.scheme.normalize.append(&self.raw, &mut self.normal);
        self.push(self.normal.len());
        self.extractor.finish(&mut self.votes);
        for buffer in [&mut self.raw, &mut self.normal] {
            buffer.clear();
            buffer.shrink_to(KEPT);
        }
        self.votes.finish()
    }

    /// Returns a lower bound on the number of different features so far: up to 2^16, or an eighth of them, are counted later.
    /// O(1).
    pub fn distinct(&self) -> usize {
        self.votes.distinct()
    }

    /// Ends an incomplete UTF-8 sequence that nothing continues.
    fn end_partial(&mut self) {
        if !core::mem::take(&mut self.partial).is_empty() {
            self.update_valid("\u{fffd}");
        }
    }

    fn update_valid(&mut self, mut text: &str) {
        while !text.is_empty() {
            let (part, rest) = text.split_at(text.floor_char_boundary(PART));
            // The last position at which the text can be cut without changing the normalised form of the whole.
            let boundary = match self.scheme.normalize {
                Normalize::NfkcCasefold => normalize::boundary(part),
                Normalize::None => Some(part.len()),
            };
            match boundary {
                // The whole part may depend on the text before it.
                None => self.raw.push_str(part),
                Some(at) => {
                    let (head, tail) = part.split_at(at);
                    self.raw.push_str(head);
                    self.scheme.normalize.append(&self.raw, &mut self.normal);
                    self.raw.clear();
                    self.raw.push_str(tail);
                }
            }
            let cut = if self.extractor.takes_words {
                words::last_cut(&self.normal, self.searched)
            } else {
                self.normal.len()
            };
            self.push(cut);
            self.searched = self.normal.len();
            text = rest;
        }
    }

    /// Extracts the features of the first `len` bytes of the normalised text.
    fn push(&mut self, len: usize) {
        let Stream { extractor, votes, normal, .. } = self;
        extractor.push(&normal[..len], votes);
        normal.drain(..len);
    }
}
