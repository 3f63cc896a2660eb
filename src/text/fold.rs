//! Folding: the words of sketches are the same where people read the same word.
//!
//! In: normalised text. Out: the text without accents and other marks on letters, without apostrophes and the like next to
//! letters, and with one form of letters that are typed in several ways; and the changes ([`Change`]).
//!
//! Fingerprints do not fold: the rules can improve, and a fingerprint never changes. Sketches compare folded words, and the changes
//! decide whether two documents are equal: `año` resembles `ano`, and is another document.
//!
//! # Rules
//!
//! 1. A *mark* is dropped: the combining marks of Latin, Greek and Cyrillic, and the points and signs of Hebrew, Arabic and
//!    Syriac. In the scripts of India, in Thai and in kana, marks are part of the spelling, and stay. A letter that decomposes
//!    canonically into a letter and such marks becomes that letter.
//! 2. A *joiner* is dropped next to a letter: apostrophes, middle dots, the primes of transliterations, and the tatweel, which
//!    stretches Arabic words. It stays elsewhere: `5'10` is not `510`. Adjacent joiners are dropped together.
//! 3. Some *letters* get one form: `æ` becomes `ae`, `ø` becomes `o`, and Arabic letters that are typed for each other become one.
//!
//! # Cost
//!
//! Linear. Windows of 64 bytes find the characters that may change: of ASCII only the apostrophe. All others are copied in
//! runs, and a text without changes is not copied.

use alloc::{boxed::Box, vec::Vec};

use once_cell::race::OnceBox;

use super::{char_rows::ROW, kind::is_letter, normalize};
use crate::simd::{
    Bytes,
    window::{READ, WINDOW, classify, with_padding},
};

/// A letter that rule 1 or rule 3 changed, or a mark that rule 1 dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// The byte of the folded text before which the change was made: the end of the new letters.
    pub end: usize,
    /// The character of the normalised text.
    pub from: char,
}

/// Folds texts. Its memory is used again for the next one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Folder {
    folded: Vec<u8>,
    changes: Vec<Change>,
}

impl Folder {
    /// Limits the memory that is kept for the next text.
    pub fn shrink_to(&mut self, capacity: usize) {
        self.folded.clear();
        self.folded.shrink_to(capacity);
        self.changes.clear();
        self.changes.shrink_to(capacity / size_of::<Change>());
    }

    /// Returns the folded text of a normalised one, and its changes in order. O(text).
    ///
    /// A text may be folded in parts that end where [`may_cut_between`] allows it.
    #[inline(never)]
    pub fn fold<'a>(&'a mut self, normal: &'a str) -> (&'a str, &'a [Change]) {
        self.changes.clear();
        let mut writer =
            Writer { text: normal.as_bytes(), copied: 0, out: &mut self.folded, len: 0 };
        // A text of ASCII does not need the tables.
        let mut folds = None;
        // The characters before `done` are decided on.
        let (mut start, mut done) = (0, 0);
        while start < normal.len() {
            let mut rest = with_padding(normal.as_bytes(), start, candidates);
            while rest != 0 {
                let at = start + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                if at < done {
                    continue;
                }
                let Some(c) = normal[at..].chars().next() else { break };
                let end = at + c.len_utf8();
                let entry = match c {
                    '\0'..='\x7f' => JOINER,
                    _ => folds.get_or_insert_with(Folds::get).entry(c.into()),
                };
                match entry {
                    SAME => {}
                    JOINER => {
                        writer.copy_to(at);
                        if writer.ends_with_ascii_letter() {
                            writer.copied = end;
                            continue;
                        }
                        done = fold_joiners(normal, at, &mut writer, &mut self.changes);
                    }
                    entry => {
                        writer.copy_to(at);
                        writer.replace(end, entry);
                        self.changes.push(Change { end: writer.len, from: c });
                    }
                }
            }
            start += WINDOW;
        }
        if writer.copied == 0 {
            return (normal, &self.changes);
        }
        writer.copy_to(normal.len());
        let len = writer.len;
        let folded = core::str::from_utf8(&self.folded[..len]);
        (folded.expect("whole characters are copied, dropped and replaced"), &self.changes)
    }
}

/// Writes the folded text.
struct Writer<'a> {
    text: &'a [u8],
    /// The text before this position is written or dropped.
    copied: usize,
    /// `len` bytes of it are written. The folded text is never longer than the text.
    out: &'a mut Vec<u8>,
    len: usize,
}

/// The number of bytes that a short run is copied as.
const COPY: usize = 16;

impl Writer<'_> {
    /// Copies the text up to `end`.
    #[inline]
    fn copy_to(&mut self, end: usize) {
        let (run, out) = (&self.text[self.copied..], &mut self.out[self.len..]);
        let len = end - self.copied;
        // Most runs are short, and a copy of a fixed length is one instruction. The first one makes the output long enough.
        match (run.first_chunk::<COPY>(), out.first_chunk_mut::<COPY>()) {
            (Some(run), Some(out)) if len <= COPY && self.copied > 0 => {
                *out = *run;
                self.len += len;
                self.copied = end;
            }
            _ => self.copy_long_to(end),
        }
    }

    /// Copies the text up to `end`, of any length.
    #[inline(never)]
    fn copy_long_to(&mut self, end: usize) {
        if self.copied == 0 && self.out.len() < self.text.len() + COPY {
            self.out.resize(self.text.len() + COPY, 0);
        }
        let run = &self.text[self.copied..end];
        self.out[self.len..][..run.len()].copy_from_slice(run);
        self.len += run.len();
        self.copied = end;
    }

    /// Writes the letters of an entry in place of the character that ends at `end`.
    #[inline]
    fn replace(&mut self, end: usize, entry: u32) {
        self.copied = end;
        if entry == MARK {
            return;
        }
        let [first, second] = [entry & !(u32::MAX << SECOND), entry >> SECOND];
        if first < 0x80 {
            self.out[self.len] = first as u8;
            self.len += 1;
        } else {
            let first = char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER);
            self.len += first.encode_utf8(&mut self.out[self.len..]).len();
        }
        if second != 0 {
            self.out[self.len] = second as u8;
            self.len += 1;
        }
    }

    /// Returns whether the last character that is written is a letter of ASCII.
    #[inline]
    fn ends_with_ascii_letter(&self) -> bool {
        self.out[..self.len].last().is_some_and(u8::is_ascii_alphabetic)
    }

    /// Returns the last character that is written.
    fn last(&self) -> Option<char> {
        let written = &self.out[..self.len];
        let start = written.iter().rposition(|&byte| byte & 0xc0 != 0x80)?;
        core::str::from_utf8(&written[start..]).ok()?.chars().next()
    }
}

/// Returns whether a normalised text may be cut between two characters, and folded in parts, whatever follows: neither is a mark or
/// a joiner, so neither decides what becomes of the other.
pub(crate) fn may_cut_between(before: char, after: char) -> bool {
    !is_mark_or_joiner(before) && !is_mark_or_joiner(after)
}

fn is_mark_or_joiner(c: char) -> bool {
    matches!(entry_of(c), MARK | JOINER)
}

/// Returns whether a character is a mark that folding drops.
pub(super) fn is_dropped_mark(c: char) -> bool {
    entry_of(c) == MARK
}

/// Folds the joiners from `at` on, and the marks among them. Returns the position after them.
#[inline(never)]
fn fold_joiners(
    normal: &str,
    at: usize,
    writer: &mut Writer<'_>,
    changes: &mut Vec<Change>,
) -> usize {
    let run = || normal[at..].chars().take_while(|&c| is_mark_or_joiner(c));
    let end = at + run().map(char::len_utf8).sum::<usize>();
    let neighbours = [writer.last(), normal[end..].chars().next()];
    let is_next_to_letter = neighbours.into_iter().flatten().any(is_letter);
    for c in run() {
        let next = writer.copied + c.len_utf8();
        if entry_of(c) == MARK {
            changes.push(Change { end: writer.len, from: c });
            writer.copied = next;
        } else if is_next_to_letter {
            writer.copied = next;
        } else {
            writer.copy_to(next);
        }
    }
    end
}

/// Returns the first bytes of the characters that may change.
#[inline]
fn candidates(bytes: &[u8; READ]) -> u64 {
    let [apostrophes, not_ascii] = classify(bytes, |first, _, _| [first.is(b'\''), first]);
    if not_ascii == 0 {
        return apostrophes;
    }
    let [latin, two_bytes, more_bytes] = classify(bytes, |first, _, _| {
        [
            // U+00C0 to U+027F; marks from U+0300 to U+036F.
            first.in_range(0xc3, 0xc9).or(first.in_range(0xcc, 0xcd)),
            first.in_range(0xc2, 0xdf),
            first.in_range(0xe0, 0xe2).or(first.in_range(0xef, 0xf0)),
        ]
    });
    let mut all = apostrophes | latin;
    if two_bytes & !latin != 0 {
        all |= classify(bytes, other_two_bytes)[0];
    }
    if more_bytes != 0 {
        all |= classify(bytes, some_more_bytes)[0];
    }
    all
}

#[inline(always)]
fn other_two_bytes(first: Bytes, second: Bytes, _: Bytes) -> [Bytes; 1] {
    let latin = (first.is(0xc2).and(second.is(0xb7))).or(first.is(0xca).and(second.greater(0xb8)));
    // All but U+03B1 to U+03C9.
    let greek =
        (first.is(0xce).and_not(second.greater(0xb0))).or(first.is(0xcf).and(second.greater(0x89)));
    // U+0439, and all from U+0450 to U+04FF.
    let cyrillic = (first.is(0xd0).and(second.is(0xb9)))
        .or(first.is(0xd1).and(second.greater(0x8f)))
        .or(first.in_range(0xd2, 0xd3));
    let armenian = first.is(0xd5).and(second.is(0x9a));
    // All but U+05D0 to U+05EA.
    let hebrew = (first.is(0xd6).and(second.greater(0x90)))
        .or(first.is(0xd7).and_not(second.in_range(0x90, 0xaa)));
    // All but U+0627 to U+063F, U+0641 to U+0648, U+064A, and U+0680 to U+06BF except U+06A9.
    let arabic = (first.is(0xd8).and_not(second.greater(0xa6)))
        .or(first.is(0xd9).and_not(second.in_range(0x81, 0x88).or(second.is(0x8a))))
        .or(first.is(0xda).and(second.is(0xa9)))
        .or(first.is(0xdb));
    // Syriac but for U+0712 to U+072F; the apostrophe of N'Ko.
    let others = (first.in_range(0xdc, 0xdd).and_not(second.in_range(0x92, 0xaf)))
        .or(first.is(0xdf).and(second.is(0xb4)));
    [latin.or(greek).or(cyrillic).or(armenian).or(hebrew).or(arabic).or(others)]
}

#[inline(always)]
fn some_more_bytes(first: Bytes, second: Bytes, third: Bytes) -> [Bytes; 1] {
    let marks = (first.is(0xe0).and(second.is(0xa3)))
        .or(first.is(0xe2).and(second.is(0x83)))
        .or(first.is(0xef).and(second.is(0xb8)));
    // U+1A80 to U+1AFF; U+1DC0 to U+1FFF.
    let extended = first.is(0xe1).and(second.in_range(0xaa, 0xab).or(second.greater(0xb6)));
    let quotes = first.is(0xe2).and(second.is(0x80));
    let quotes = quotes.and(third.in_range(0x98, 0x9b).or(third.is(0xa7)));
    // U+10000 to U+10FFF.
    let todhri = first.is(0xf0).and(second.is(0x90));
    [marks.or(extended).or(quotes).or(todhri)]
}

/// Returns what becomes of a character: see [`Folds::rows`].
fn entry_of(c: char) -> u32 {
    match c {
        '\'' => JOINER,
        '\0'..='\x7f' => SAME,
        _ => Folds::get().entry(c.into()),
    }
}

/// The characters that fold, in rows: expanded at first use.
struct Folds {
    /// For each row of the code space, its index in `rows`: 0 if all its characters stay the same.
    row_index: [u8; END / ROW],
    /// A letter in the low 21 bits, and a second one of ASCII above, or 0; or one of the constants below.
    rows: Vec<[u32; ROW]>,
}

/// All characters from here on stay the same.
const END: usize = 0x10600;

const SAME: u32 = 0;
const MARK: u32 = 1;
const JOINER: u32 = 2;
/// The position of the second letter in an entry.
const SECOND: u32 = 21;

impl Folds {
    fn get() -> &'static Self {
        static FOLDS: OnceBox<Folds> = OnceBox::new();
        FOLDS.get_or_init(|| Box::new(Self::expand()))
    }

    /// Returns what becomes of a character.
    #[inline]
    fn entry(&self, code: u32) -> u32 {
        let Some(&row) = self.row_index.get(code as usize / ROW) else { return SAME };
        self.rows[usize::from(row)][code as usize % ROW]
    }

    fn expand() -> Self {
        let mut folds = Folds { row_index: [0; _], rows: Vec::new() };
        folds.rows.push([SAME; ROW]);
        for &(first, last) in MARKS {
            (first..=last).for_each(|c| folds.set(c, MARK));
        }
        for &(first, last) in JOINERS {
            (first..=last).for_each(|c| folds.set(c, JOINER));
        }
        for &(from, first, second) in LETTERS {
            folds.set(from, u32::from(first) | u32::from(second) << SECOND);
        }
        for whole in normalize::composites().filter(|&whole| is_letter(whole)) {
            let mut letter = whole;
            while let Some((first, second)) = normalize::parts(letter)
                && folds.entry(second.into()) == MARK
            {
                letter = first;
            }
            if letter != whole {
                let entry = folds.entry(letter.into());
                folds.set(whole, if entry == SAME { letter.into() } else { entry });
            }
        }
        folds
    }

    fn set(&mut self, c: char, entry: u32) {
        let row = &mut self.row_index[c as usize / ROW];
        if *row == 0 {
            *row = self.rows.len() as u8;
            self.rows.push([SAME; ROW]);
        }
        self.rows[usize::from(*row)][c as usize % ROW] = entry;
    }
}

/// The ranges of marks that are dropped.
const MARKS: &[(char, char)] = &[
    // Latin, Greek, Cyrillic.
    ('\u{300}', '\u{36f}'),
    ('\u{483}', '\u{487}'),
    // Hebrew.
    ('\u{591}', '\u{5bd}'),
    ('\u{5bf}', '\u{5bf}'),
    ('\u{5c1}', '\u{5c2}'),
    ('\u{5c4}', '\u{5c5}'),
    ('\u{5c7}', '\u{5c7}'),
    // Arabic.
    ('\u{610}', '\u{61a}'),
    ('\u{64b}', '\u{65f}'),
    ('\u{670}', '\u{670}'),
    ('\u{6d6}', '\u{6dc}'),
    ('\u{6df}', '\u{6e4}'),
    ('\u{6e7}', '\u{6e8}'),
    ('\u{6ea}', '\u{6ed}'),
    // Syriac.
    ('\u{711}', '\u{711}'),
    ('\u{730}', '\u{74a}'),
    // Arabic.
    ('\u{8ca}', '\u{8e1}'),
    ('\u{8e3}', '\u{8ff}'),
    // Marks of any script.
    ('\u{1ab0}', '\u{1aff}'),
    ('\u{1dc0}', '\u{1dff}'),
    ('\u{20d0}', '\u{20f0}'),
    ('\u{fe20}', '\u{fe2f}'),
];

/// The ranges of joiners beyond ASCII.
const JOINERS: &[(char, char)] = &[
    ('\u{b7}', '\u{b7}'),
    ('\u{2b9}', '\u{2bf}'),
    // Normalisation makes it U+00B7.
    ('\u{387}', '\u{387}'),
    ('\u{55a}', '\u{55a}'),
    ('\u{5f3}', '\u{5f4}'),
    ('\u{640}', '\u{640}'),
    ('\u{7f4}', '\u{7f4}'),
    ('\u{2018}', '\u{201b}'),
    ('\u{2027}', '\u{2027}'),
];

/// Letters with one form, and the one or two letters that they become.
const LETTERS: &[(char, char, char)] = &[
    ('æ', 'a', 'e'),
    ('œ', 'o', 'e'),
    ('ł', 'l', '\0'),
    ('đ', 'd', '\0'),
    ('ø', 'o', '\0'),
    ('ħ', 'h', '\0'),
    ('ŧ', 't', '\0'),
    ('ı', 'i', '\0'),
    // Alef wasla.
    ('\u{671}', '\u{627}', '\0'),
    // Alef maksura and the Farsi yeh.
    ('\u{649}', '\u{64a}', '\0'),
    ('\u{6cc}', '\u{64a}', '\0'),
    // Keheh.
    ('\u{6a9}', '\u{643}', '\0'),
];

#[cfg(test)]
mod tests {
    use std::{string::String, vec::Vec};

    use nearprint_reference as reference;
    use proptest::prelude::*;

    use super::*;

    fn assert_folds(normal: &str) {
        let mut folder = Folder::default();
        let (folded, changes) = folder.fold(normal);
        let changes: Vec<_> = changes.iter().map(|change| (change.end, change.from)).collect();
        let (expected, expected_changes) = reference::fold::fold(normal);
        let expected_changes: Vec<_> =
            expected_changes.iter().map(|change| (change.end, change.from)).collect();
        assert_eq!(folded, expected, "{normal:?}");
        assert_eq!(changes, expected_changes, "{normal:?}");
    }

    #[test]
    fn every_character() {
        for c in '\0'..=char::MAX {
            let normal =
                normalize::nfkc_casefold(&String::from_iter(['a', c, 'b', c, ' ', c, '1']));
            assert_folds(&normal);
        }
    }

    proptest! {
        #[test]
        fn any_sequence(chars in prop::collection::vec(prop_oneof![
            prop::sample::select("abä1 .'’·ʼ־״ـ\u{301}\u{327}\u{5b4}\u{64e}\u{3099}\u{94d}éệœßłåøאבسلمىیکкйёήΐ网カ".chars().collect::<Vec<_>>()),
            any::<char>(),
        ], 0..150)) {
            assert_folds(&normalize::nfkc_casefold(&String::from_iter(chars)));
        }
    }
}
