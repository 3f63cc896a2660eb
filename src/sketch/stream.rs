//! The sketch of a text that comes in chunks.

use core::fmt;

use super::{gathering::Gathering, scheme::SketchScheme, scope::Scope, sketch::Sketch};
use crate::features::{FOLDED, pieces::Pieces};

/// The sketch of a text that comes in chunks. Chunk borders change nothing.
///
/// ```
/// let mut sketcher = nearprint::dedupe::Sketcher::default();
/// let mut stream = sketcher.stream();
/// stream.update("Good ne").update("ws");
/// assert_eq!(stream.sketch(), sketcher.sketch("Good news"));
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct SketchStream(Pieces<Gathering, FOLDED>);

impl SketchStream {
    pub(super) fn new(scheme: SketchScheme, scope: Scope) -> Self {
        let mut pieces = Pieces::new(scheme.choice(), Gathering::new(scheme));
        pieces.sink.scope = scope;
        pieces.start();
        SketchStream(pieces)
    }

    /// Adds the next chunk. Amortised O(chunk). Keeps back the text after the last position at which it can be cut: usually a word
    /// and a combining sequence, but all of a text without spaces or common characters.
    pub fn update(&mut self, chunk: &str) -> &mut Self {
        self.0.update(chunk);
        self
    }

    /// Adds the next chunk of a text in UTF-8, which may start and end inside a character. Invalid bytes count as U+FFFD,
    /// one for each maximal part of a sequence (The Unicode Standard, section 3.9).
    pub fn update_bytes(&mut self, chunk: &[u8]) -> &mut Self {
        self.0.update_bytes(chunk);
        self
    }

    /// Returns the sketch of the text so far. More chunks may follow: it finishes a copy of the stream. O(1), and linear in the
    /// text that is kept back.
    pub fn sketch(&self) -> Sketch {
        let mut pieces = self.0.clone();
        pieces.finish();
        finished(&mut pieces)
    }
}

/// Adds chunks.
impl<'a> Extend<&'a str> for SketchStream {
    fn extend<I: IntoIterator<Item = &'a str>>(&mut self, chunks: I) {
        chunks.into_iter().for_each(|chunk| _ = self.update(chunk));
    }
}

/// Adds what is written, and never fails.
impl fmt::Write for SketchStream {
    fn write_str(&mut self, chunk: &str) -> fmt::Result {
        self.update(chunk);
        Ok(())
    }
}

/// Returns the sketch of a text that has ended.
pub(super) fn finished(pieces: &mut Pieces<Gathering, FOLDED>) -> Sketch {
    let (record, keys) = pieces.sink.finish();
    Sketch { scheme: pieces.sink.scheme, record, keys }
}
