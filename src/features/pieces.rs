//! The chain from text to features, for a text that comes in chunks.
//!
//! Words that are broken at line ends, normalisation, folding and segmentation need context, so the chain keeps back the end of
//! each chunk until the text that follows can no longer change it.

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::{
    choice::Choice,
    extractor::{Extractor, Sink},
};
use crate::text::{
    Normalize,
    broken_words::BrokenWords,
    fold::{self, Folder},
    normalize,
    words::{self, WordRule},
};

/// A longer text is processed in parts of this size, which bounds the memory of a part and keeps it in cache.
const PART: usize = 1 << 16;

/// The size up to which the buffers of a text are kept for the next text.
const KEPT: usize = 8 * PART;

/// The values of `FOLDS`: the words of sketches, and the words of fingerprints.
pub(crate) const FOLDED: bool = true;
pub(crate) const AS_WRITTEN: bool = false;

/// Passes the features of texts to a sink. Chunk borders change nothing.
///
/// `FOLDS` is whether words are those of sketches: joined where they are broken, and folded. It is a part of the type, so a program
/// without sketches has neither the code nor the tables of it.
#[derive(Clone, Debug)]
pub(crate) struct Pieces<S, const FOLDS: bool> {
    choice: Choice,
    /// The incomplete UTF-8 sequence at the end of the last chunk.
    partial: Vec<u8>,
    broken: BrokenWords,
    /// Text whose normalised form depends on the text that follows.
    raw: String,
    /// Normalised text whose last word or symbol depends on the text that follows.
    normal: String,
    /// `normal[..searched]` cannot be cut.
    searched: usize,
    folder: Folder,
    extractor: Extractor,
    pub sink: S,
}

/// Passes the features of a whole text to `sink`. Not generic: a WebAssembly module has the code for all such sinks once.
pub(crate) fn extract<const FOLDS: bool>(choice: Choice, text: &str, sink: &mut dyn Sink) {
    Pieces::<_, FOLDS>::new(choice, sink).process(text);
}

impl<S: Sink, const FOLDS: bool> Pieces<S, FOLDS> {
    pub fn new(choice: Choice, sink: S) -> Self {
        Pieces {
            choice,
            partial: Vec::new(),
            broken: BrokenWords::default(),
            raw: String::new(),
            normal: String::new(),
            searched: 0,
            folder: Folder::default(),
            extractor: Extractor::new(choice, if FOLDS { WordRule::S1 } else { WordRule::V1 }),
            sink,
        }
    }

    /// Adds the next chunk. Amortised O(chunk). Keeps back the text after the last position at which it can be cut: usually a word
    /// and a combining sequence, but all of a text without spaces or common characters.
    pub fn update(&mut self, chunk: &str) {
        self.end_partial();
        self.update_valid(chunk);
    }

    /// Adds the next chunk of a text in UTF-8, which may start and end inside a character. Invalid bytes count as U+FFFD,
    /// one for each maximal part of a sequence (The Unicode Standard, section 3.9).
    pub fn update_bytes(&mut self, mut chunk: &[u8]) {
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

    /// Passes on the features of a whole text.
    pub fn process(&mut self, text: &str) {
        if text.len() > PART {
            self.start();
            self.update_valid(text);
            return self.finish();
        }
        // A single part needs no search for positions to cut.
        let mut text = Cow::Borrowed(text);
        if self.joins_broken_words() {
            self.broken.clear();
            if let Cow::Owned(joined) = self.broken.join(&text) {
                text = Cow::Owned(joined + &self.broken.finish());
            }
        }
        self.normal.clear();
        self.choice.normalize.append(&text, &mut self.normal);
        self.extractor.clear();
        self.sink.start(self.normal.len());
        self.extract(self.normal.len());
        self.extractor.finish(&mut self.sink);
    }

    /// Passes on the features of a whole text in UTF-8, in which invalid bytes count as in chunks.
    pub fn process_bytes(&mut self, text: &[u8]) {
        match core::str::from_utf8(text) {
            Ok(text) => self.process(text),
            Err(_) => {
                self.start();
                self.update_bytes(text);
                self.finish();
            }
        }
    }

    /// Forgets the text, and starts the next one.
    pub fn start(&mut self) {
        self.partial.clear();
        self.broken.clear();
        self.raw.clear();
        self.normal.clear();
        self.searched = 0;
        self.extractor.clear();
        self.sink.start(0);
    }

    /// Ends the text.
    pub fn finish(&mut self) {
        self.end_partial();
        if self.joins_broken_words() {
            let rest = self.broken.finish();
            self.normalize(&rest);
        }
        self.choice.normalize.append(&self.raw, &mut self.normal);
        self.raw.clear();
        self.take(self.normal.len());
        self.extractor.finish(&mut self.sink);
        for buffer in [&mut self.raw, &mut self.normal] {
            buffer.clear();
            buffer.shrink_to(KEPT);
        }
        if FOLDS {
            self.folder.shrink_to(KEPT);
        }
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
            if self.joins_broken_words() {
                let part = self.broken.join(part);
                self.normalize(&part);
            } else {
                self.normalize(part);
            }
            self.take(self.last_cut());
            self.searched = self.normal.len();
            text = rest;
        }
    }

    /// Normalises the text up to the last position at which it can be cut without changing the normalised form of the whole.
    fn normalize(&mut self, part: &str) {
        let boundary = match self.choice.normalize {
            Normalize::NfkcCasefold => normalize::boundary(part),
            Normalize::None => Some(part.len()),
        };
        match boundary {
            // The whole part may depend on the text before it.
            None => self.raw.push_str(part),
            Some(at) => {
                let (head, tail) = part.split_at(at);
                self.raw.push_str(head);
                self.choice.normalize.append(&self.raw, &mut self.normal);
                self.raw.clear();
                self.raw.push_str(tail);
            }
        }
    }

    /// Returns the last position at which the normalised text can be cut without changing its features, or 0 if there is none.
    fn last_cut(&self) -> usize {
        let takes_words = self.choice.takes_words();
        let may_cut_between = |before, after| {
            (!takes_words || words::may_cut_between(before, after))
                && (!FOLDS || fold::may_cut_between(before, after))
        };
        let mut after: Option<(usize, char)> = None;
        for (at, before) in self.normal.char_indices().rev() {
            if let Some((cut, after)) = after
                && may_cut_between(before, after)
            {
                return cut;
            }
            // Once more with the last character of that part, since its neighbour was unknown.
            if at < self.searched {
                break;
            }
            after = Some((at, before));
        }
        0
    }

    fn joins_broken_words(&self) -> bool {
        FOLDS && self.choice.takes_words()
    }

    /// Extracts the features of the first `len` bytes of the normalised text, and removes them.
    fn take(&mut self, len: usize) {
        self.extract(len);
        self.normal.drain(..len);
    }

    /// Extracts the features of the first `len` bytes of the normalised text.
    fn extract(&mut self, len: usize) {
        let Pieces { extractor, folder, normal, sink, .. } = self;
        let part = &normal[..len];
        let (text, changes) = if FOLDS { folder.fold(part) } else { (part, &[][..]) };
        extractor.push(text, changes, sink);
    }
}
