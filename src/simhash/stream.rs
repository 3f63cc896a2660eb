//! The fingerprint of a text that comes in chunks.

use core::fmt;

use super::{scheme::Scheme, votes::Votes};
use crate::features::{AS_WRITTEN, pieces::Pieces};

/// The fingerprint of a text that comes in chunks. Chunk borders change nothing.
///
/// ```
/// use nearprint::simhash::{Fingerprinter, fingerprint};
///
/// let mut stream = Fingerprinter::default().stream();
/// stream.update("The qu").update("ick bro");
/// stream.extend(["wn", " fox"]);
/// assert_eq!(stream.digest() as u64, fingerprint("The quick brown fox"));
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Stream(Pieces<Votes, AS_WRITTEN>);

impl Stream {
    pub(super) fn new(scheme: Scheme) -> Self {
        let mut pieces = Pieces::new(scheme.choice(), Votes::new(scheme));
        pieces.start();
        Stream(pieces)
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

    /// Returns the fingerprint of the text so far, in the low bits. More chunks may follow: it finishes a copy of the
    /// stream. O(distinct features).
    #[must_use]
    pub fn digest(&self) -> u128 {
        let mut pieces = self.0.clone();
        pieces.finish();
        pieces.sink.finish()
    }

    /// Returns a lower bound on the number of different features so far: up to 2^16, or an eighth of them, are counted later.
    /// O(1).
    pub fn distinct(&self) -> usize {
        self.0.sink.distinct()
    }
}

/// Adds chunks.
impl<'a> Extend<&'a str> for Stream {
    fn extend<I: IntoIterator<Item = &'a str>>(&mut self, chunks: I) {
        chunks.into_iter().for_each(|chunk| _ = self.update(chunk));
    }
}

/// Adds what is written, and never fails.
impl fmt::Write for Stream {
    fn write_str(&mut self, chunk: &str) -> fmt::Result {
        self.update(chunk);
        Ok(())
    }
}
