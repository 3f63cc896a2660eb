//! Words that are broken at the ends of lines.
//!
//! In: a text, in chunks. Out: the text in which a hyphen directly before a line break is dropped between two letters, with the
//! white space after it: `munici-`, line feed, `pality` is `municipality`. This precedes normalisation, which would delete a
//! soft hyphen.
//!
//! Only letters of scripts written with spaces are joined. A compound such as `well-known` that is broken at its own hyphen
//! becomes one word, as any program without a dictionary makes it.
//!
//! # Cost
//!
//! Linear, whatever the chunks: at most one hyphen is kept back, and none of the white space after it.

use alloc::{borrow::Cow, string::String};

use super::{fold, is_white_space, kind};
use crate::simd::{
    Bytes,
    window::{READ, WINDOW, classify, with_padding},
};

/// Joins the words of a text that are broken at the ends of its lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct BrokenWords {
    /// Whether the last character of the text so far, without marks on it, is a letter that a hyphen can follow.
    ends_with_letter: bool,
    pending: Option<Pending>,
}

/// A hyphen after a letter, which is neither dropped nor passed on yet.
#[derive(Clone, Copy, Debug)]
struct Pending {
    hyphen: char,
    /// The last of the white space after it, which begins with a line break. `None` at first.
    space: Option<char>,
}

impl BrokenWords {
    /// Forgets the text.
    pub fn clear(&mut self) {
        *self = BrokenWords::default();
    }

    /// Returns the next part of the text, given the next chunk. O(chunk).
    pub fn join<'a>(&mut self, chunk: &'a str) -> Cow<'a, str> {
        let mut out = String::new();
        let mut is_same = self.pending.is_none();
        let mut rest = self.continue_pending(chunk, &mut out);
        // The text before `copied` is in `out`.
        let mut copied = chunk.len() - rest.len();
        while let Some(at) = next_hyphen(rest) {
            let position = chunk.len() - rest.len() + at;
            let after_letter = match ends_with_letter(&rest[..at]) {
                Some(ends_with_letter) => ends_with_letter,
                None => self.ends_with_letter,
            };
            let hyphen = rest[at..].chars().next().unwrap_or('-');
            rest = &rest[at + hyphen.len_utf8()..];
            self.ends_with_letter = false;
            if !after_letter {
                continue;
            }
            is_same = false;
            out.push_str(&chunk[copied..position]);
            self.pending = Some(Pending { hyphen, space: None });
            rest = self.continue_pending(rest, &mut out);
            copied = chunk.len() - rest.len();
        }
        if let Some(ends_with_letter) = ends_with_letter(rest) {
            self.ends_with_letter = ends_with_letter;
        }
        if is_same {
            return Cow::Borrowed(chunk);
        }
        out.push_str(&chunk[copied..]);
        Cow::Owned(out)
    }

    /// Ends the text, and returns its last part.
    pub fn finish(&mut self) -> String {
        let mut out = String::new();
        if let Some(pending) = self.pending.take() {
            pending.keep(&mut out);
        }
        self.clear();
        out
    }

    /// Decides on the pending hyphen as far as the chunk allows it. Returns the rest of the chunk.
    fn continue_pending<'a>(&mut self, mut rest: &'a str, out: &mut String) -> &'a str {
        let Some(mut pending) = self.pending else { return rest };
        let Some(next) = rest.chars().next() else { return rest };
        if pending.space.is_none() && !is_line_break(next) {
            pending.keep(out);
            self.pending = None;
            return rest;
        }
        let after = rest.trim_start_matches(is_white_space);
        pending.space = rest[..rest.len() - after.len()].chars().next_back().or(pending.space);
        self.pending = Some(pending);
        rest = after;
        if let Some(next) = rest.chars().next() {
            self.pending = None;
            if !kind::is_spaced_letter(next) {
                pending.keep(out);
            }
        }
        rest
    }
}

impl Pending {
    /// Passes the hyphen on, and of the white space after it a line feed and the last character. The rest makes no difference to
    /// words and symbols. The last character does: a mark belongs to a tab before it, and not to a line feed.
    fn keep(self, out: &mut String) {
        out.push(self.hyphen);
        if let Some(space) = self.space {
            out.push('\n');
            if space != '\n' {
                out.push(space);
            }
        }
    }
}

/// Returns whether a text ends with a letter of a script written with spaces, and any marks on it. `None` if it has only marks.
fn ends_with_letter(text: &str) -> Option<bool> {
    text.chars().rev().find(|&c| !fold::is_dropped_mark(c)).map(kind::is_spaced_letter)
}

fn is_line_break(c: char) -> bool {
    matches!(c, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Returns the position of the first hyphen that a line break follows, or that ends the text.
fn next_hyphen(text: &str) -> Option<usize> {
    let mut start = 0;
    while start < text.len() {
        let mut rest = with_padding(text.as_bytes(), start, candidates);
        while rest != 0 {
            let at = start + rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let mut chars = text[at..].chars();
            if matches!(chars.next(), Some('-' | '\u{ad}' | '\u{2010}'))
                && chars.next().is_none_or(is_line_break)
            {
                return Some(at);
            }
        }
        start += WINDOW;
    }
    None
}

/// Returns the first bytes of the characters that may be such hyphens. After the text's end, the bytes are zero.
#[inline]
fn candidates(bytes: &[u8; READ]) -> u64 {
    // Most windows have neither character: this takes fewer tests.
    let [may_be] = classify(bytes, |first: Bytes, second, _| {
        // All line breaks begin below U+000E or, as signed numbers, below zero. So does the end of the text.
        let ascii = first.is(b'-').and_not(second.greater(b'\r'));
        [ascii.or(first.set_bits(0x20).is(0xe2))]
    });
    if may_be == 0 {
        return 0;
    }
    let [other] = classify(bytes, |first, second, third| {
        let soft = first.is(0xc2).and(second.is(0xad));
        [soft.or(first.is(0xe2).and(second.is(0x80)).and(third.is(0x90))).or(first.is(b'-'))]
    });
    may_be & other
}

#[cfg(test)]
mod tests {
    use std::{string::String, vec::Vec};

    use proptest::prelude::*;

    use super::*;

    fn joined(chunks: &[&str]) -> String {
        let mut words = BrokenWords::default();
        let mut out = String::new();
        for chunk in chunks {
            out += &words.join(chunk);
        }
        out + &words.finish()
    }

    /// The rule, on a whole text.
    fn expected(text: &str) -> String {
        let chars: Vec<char> = text.chars().collect();
        let mut out = String::new();
        let mut at = 0;
        while at < chars.len() {
            let c = chars[at];
            let is_hyphen = matches!(c, '-' | '\u{ad}' | '\u{2010}');
            let before = chars[..at].iter().rev().find(|&&c| !fold::is_dropped_mark(c));
            let after_letter = before.is_some_and(|&c| kind::is_spaced_letter(c));
            let space = chars[at + 1..].iter().take_while(|&&c| is_white_space(c)).count();
            let breaks = chars.get(at + 1).is_some_and(|&c| is_line_break(c));
            at += 1;
            if !(is_hyphen && after_letter && breaks) {
                out.push(c);
                continue;
            }
            at += space;
            if !chars.get(at).is_some_and(|&c| kind::is_spaced_letter(c)) {
                out.extend([c, '\n']);
                out.extend(Some(chars[at - 1]).filter(|&last| last != '\n'));
            }
        }
        out
    }

    #[test]
    fn examples() {
        for (text, whole) in [
            ("munici-\n  pality", "municipality"),
            ("Ab\u{ad}\r\nend", "Abend"),
            ("e\u{301}\u{2010}\u{2028}t", "e\u{301}t"),
            ("well-known - or\n", "well-known - or\n"),
            ("page 5-\n6", "page 5-\n6"),
            ("a-\n\n\n", "a-\n"),
            ("a-\n\n\t\u{300}", "a-\n\t\u{300}"),
            ("a-\n- b", "a-\n- b"),
            ("网-\n页", "网-\n页"),
        ] {
            assert_eq!(joined(&[text]), whole);
        }
    }

    #[test]
    fn a_gigabyte_of_line_feeds_takes_no_memory() {
        let mut words = BrokenWords::default();
        assert_eq!(words.join("a-"), "a");
        for _ in 0..1000 {
            assert_eq!(words.join("\n"), "");
        }
        assert_eq!(words.join("b"), "b");
    }

    proptest! {
        #[test]
        fn any_text_in_any_chunks(
            chars in prop::collection::vec(prop_oneof![
                8 => prop::sample::select("aé\u{301}5网-\u{ad}\u{2010}\n\r\u{85}\u{2028} \t.".chars().collect::<Vec<_>>()),
                1 => any::<char>(),
            ], 0..200),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
        ) {
            let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(chars.len() + 1)).collect();
            at.extend([0, chars.len()]);
            at.sort_unstable();
            let chunks: Vec<String> = at.windows(2).map(|at| chars[at[0]..at[1]].iter().collect()).collect();
            let chunks: Vec<&str> = chunks.iter().map(|chunk| &**chunk).collect();
            let text = String::from_iter(&chars);
            prop_assert_eq!(joined(&chunks), expected(&text));
            prop_assert_eq!(joined(&[&text]), expected(&text));
        }
    }
}
