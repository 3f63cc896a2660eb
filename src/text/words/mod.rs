//! Words: the segments of UAX #29 that contain a letter or a number, in the Unicode version of the scheme.
//!
//! In: a text, normalised or not. Out: the position of each word and how its script is written ([`Word`]).
//!
//! The words agree with `unicode-segmentation`. They are found in two ways:
//!
//! 1. [`scan`] finds the words of common characters, 64 bytes at a time;
//! 2. `unicode-segmentation` itself decides the others, one segment at a time ([`Words::next_segment`]).
//!
//! Both start at a segment boundary and return one, so each can go on where the other stops.

mod char_class;
mod classes;
mod scan;
mod word;

use unicode_segmentation::UnicodeSegmentation;

pub(crate) use self::word::{Word, WordRule};
use self::{
    char_class::{CLUSTER, MARK, Row},
    scan::{FoundWords, Progress},
};
use crate::{
    simd::window::{WINDOW, with_padding},
    text::{char_rows::ROW, is_white_space, kind::Kind, normalize},
};

// Another Unicode version gives other words, so it needs another scheme: a build with it must fail.
const _: () = {
    let (major, minor, update) = unicode_segmentation::UNICODE_VERSION;
    let ours = normalize::UNICODE_VERSION;
    assert!(
        major == ours.0 as u64 && minor == ours.1 as u64 && update == ours.2 as u64,
        "unicode-segmentation and scheme v1 differ in Unicode version"
    );
};

/// Finds the words of a text from a segment boundary on.
///
/// Time is proportional to the text, whatever the text:
///
/// - A window reads 67 bytes, and then advances by at least [`USEFUL`] bytes or delays the next window by [`BACKOFF`] bytes.
///   So there is at most one window for each [`USEFUL`] bytes.
/// - `unicode-segmentation` reads a segment, and sometimes characters after it: a joiner and the marks on it (WB6, WB7b,
///   WB12). Those are the next segment, so it reads each byte at most twice.
pub(crate) struct Words<'a> {
    text: &'a str,
    /// The start of the next segment.
    at: usize,
    /// The words that the last window found.
    found: FoundWords,
    /// The position from which a window is tried again.
    retry_at: usize,
    rule: WordRule,
    /// The end of the part of the text that `at` is in and that can be segmented by itself.
    region_end: usize,
}

/// A window that advances by fewer bytes costs more than it saves.
const USEFUL: usize = 4;
/// The number of bytes after such a window for which no other one is tried.
const BACKOFF: usize = 32;

impl<'a> Words<'a> {
    pub fn new(text: &'a str, rule: WordRule) -> Self {
        Words { text, at: 0, found: FoundWords::default(), retry_at: 0, rule, region_end: 0 }
    }

    /// Fills `words` with the next words, or with all that are left, and returns them. O(text) for all words together.
    pub fn fill<'w>(&mut self, words: &'w mut [Word]) -> &'w [Word] {
        let mut len = 0;
        loop {
            len += self.found.take(&mut words[len..]);
            if len == words.len() || self.at == self.text.len() {
                return &words[..len];
            }
            if self.at >= self.retry_at && self.scan_window() {
                continue;
            }
            if let Some(word) = self.next_segment() {
                words[len] = word;
                len += 1;
            }
        }
    }

    /// Scans one 64-byte window and returns whether it advanced.
    #[inline]
    fn scan_window(&mut self) -> bool {
        let (found, Progress { decided, known }) =
            with_padding(self.text.as_bytes(), self.at, |bytes| {
                FoundWords::scan(bytes, self.at, self.rule)
            });
        self.found = found;
        if known < WINDOW {
            self.retry_at = self.at + known + 1;
        }
        if decided < USEFUL {
            // In scripts the scan does not know, it finds little but spaces.
            self.retry_at = self.at + BACKOFF;
        }
        self.at = (self.at + decided).min(self.text.len());
        decided > 0
    }

    /// Advances by one segment, and returns it if it is a word.
    fn next_segment(&mut self) -> Option<Word> {
        let start = self.at;
        let mut rest = &self.text[start..];
        if self.rule == WordRule::S1 {
            if let Some(len) = split_letter(rest) {
                self.at += len;
                return Some(Word { start, end: self.at, is_dense: true, is_unspaced: true });
            }
            if start >= self.region_end {
                self.region_end = start + region(rest);
            }
            rest = &self.text[start..self.region_end];
        }
        let segment = rest.split_word_bounds().next()?;
        self.at += segment.len();
        let kind = Kind::of(segment)?;
        let is_unspaced = kind == Kind::Unspaced;
        let is_dense = is_unspaced || kind == Kind::Number;
        Some(Word { start, end: self.at, is_dense, is_unspaced })
    }
}

/// Returns the length of the letter that a text starts with and the marks on it, if it is a word by [`WordRule::S1`].
fn split_letter(text: &str) -> Option<usize> {
    let mut chars = text.char_indices();
    chars.next().filter(|&(_, c)| is_split_letter(c))?;
    Some(chars.find(|&(_, c)| class_of(c) != Some(MARK)).map_or(text.len(), |(end, _)| end))
}

/// Returns a length up to which a text can be segmented by itself: to a letter that is a word, or to white space. The part is
/// searched once, and then segmented, so the time is linear however the letters are mixed.
fn region(text: &str) -> usize {
    let mut after_space = true;
    for (at, c) in text.char_indices() {
        let is_space = matches!(c, ' ' | '\n' | '\r' | '\t');
        if at > 0 && (is_split_letter(c) || is_space && !after_space) {
            return at;
        }
        after_space = is_space;
    }
    text.len()
}

/// Returns whether a letter is a word by [`WordRule::S1`], although UAX #29 joins it with others.
fn is_split_letter(c: char) -> bool {
    word::is_split(c) && class_of(c) == Some(CLUSTER)
}

/// Returns the class of a character by [`WordRule::S1`], unless it is ASCII.
fn class_of(c: char) -> Option<usize> {
    let row = Row::get(c as usize / ROW, WordRule::S1).filter(|_| !c.is_ascii());
    row.map(|row| row.class(c as usize % ROW))
}

/// Returns whether a normalised text may be cut between two characters without changing its words or symbols, whatever follows:
/// the words of the text are the words of both parts, and so are the symbols between them.
pub(crate) fn may_cut_between(before: char, after: char) -> bool {
    starts_segment(after)
        && match after {
            // A hyphen or an exclamation mark is not a symbol after a word.
            '-' | '!' => before == after || is_white_space(before),
            // A letter makes an exclamation mark a symbol.
            _ if before == '!' => after.is_ascii(),
            // White space joins the white space before it (WB3, WB3d). It makes `*` no symbol.
            _ => !(is_white_space(after) && (is_white_space(before) || before == '*')),
        }
}

/// Returns whether the text can be cut before `c`, except after some characters: there is a boundary (WB3b, WB999), and
/// neither side affects the segments of the other. Covers common characters only, since cuts need not be frequent.
fn starts_segment(c: char) -> bool {
    match c {
        '\0'..='\x7f' => {
            !(c.is_ascii_alphanumeric() || matches!(c, '"' | '\'' | ',' | '.' | ':' | ';' | '_'))
        }
        // Hiragana and Han: their Word_Break is Other.
        '\u{3041}'..='\u{3096}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' => true,
        // Letters of Thai, Lao, Khmer and Myanmar: their Word_Break is Other too.
        '\u{e01}'..='\u{e30}'
        | '\u{e94}'..='\u{e97}'
        | '\u{1000}'..='\u{102a}'
        | '\u{1780}'..='\u{17b3}' => true,
        _ => false,
    }
}
