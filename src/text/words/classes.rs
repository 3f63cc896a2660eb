//! The character classes of a window. Vectors classify the characters that most text consists of: ASCII; letters of Latin,
//! Greek, Cyrillic and Arabic; Hangul, Han and kana; common punctuation. The others are looked up in
//! [`char_class`](super::char_class).

use super::{
    char_class::{CLASSES, CLUSTER, COMMA, DIGIT, HEBREW, LETTER, MARK, OTHER, Row},
    word::WordRule,
};
use crate::{
    simd::window::{READ, classify, mask_below},
    text::char_rows::{each_row, whole},
};

/// One bit for each byte of a window.
///
/// Masks named `…_starts` have a bit for the first byte of each character, the others for all bytes.
#[derive(Default)]
pub(super) struct Classes {
    /// ALetter and Hebrew_Letter, and the marks on them.
    pub letters: u64,
    /// The Hebrew part of `letters`: quotes join Hebrew letters only (WB7a to WB7c).
    hebrew: u64,
    /// Extend and Format.
    marks: u64,
    /// Numeric.
    pub digits: u64,
    /// `_`, an ExtendNumLet.
    pub underscores: u64,
    pub katakana: u64,
    /// Letters of scripts written without spaces, except Katakana, and the marks on them. Only marks join these letters, so
    /// each letter starts a word.
    pub clusters: u64,
    pub cluster_starts: u64,
    /// Characters that are in no word, unless they join letters or digits, and that attach to nothing before them.
    pub other_starts: u64,
    /// The possible joiners: some of ASCII, quotation marks of three bytes, and commas of other scripts.
    ascii_joiners: u64,
    quote_starts: u64,
    comma_starts: u64,
    /// All bytes of the characters above.
    pub known: u64,
}

impl Classes {
    #[inline]
    pub fn of(bytes: &[u8; READ], rule: WordRule) -> Self {
        let [letters, digits, visible, not_ascii, underscores] = classify(bytes, |byte, _, _| {
            [
                byte.set_bits(0x20).in_range(b'a', b'z'),
                byte.in_range(b'0', b'9'),
                byte.greater(b' '),
                byte,
                byte.is(b'_'),
            ]
        });
        let other_starts = !(letters | digits);
        let ascii_joiners = visible & other_starts;
        let mut classes = Classes {
            letters,
            digits,
            other_starts,
            ascii_joiners,
            known: !0,
            ..Classes::default()
        };
        if not_ascii | underscores != 0 {
            classes.underscores = underscores;
            classes.other_starts &= !(not_ascii | underscores);
            classes.ascii_joiners &= !underscores;
            classes.known = !not_ascii;
            classes.add_not_ascii(bytes, not_ascii, rule);
        }
        classes
    }

    fn add_not_ascii(&mut self, bytes: &[u8; READ], not_ascii: u64, rule: WordRule) {
        let [two_byte_starts, starts, han_starts, three_byte_starts] =
            classify(bytes, |byte, _, _| {
                [
                    byte.in_range(0xc2, 0xdf),
                    byte.in_range(0xc2, 0xf4),
                    byte.in_range(0xe3, 0xe9),
                    byte.in_range(0xe2, 0xed),
                ]
            });
        if two_byte_starts != 0 {
            self.add_two_bytes(bytes);
        }
        // Before the other characters of three bytes: Chinese text has hardly any of those.
        if han_starts != 0 {
            self.add_han(bytes);
        }
        if three_byte_starts & !self.known != 0 {
            self.add_three_bytes(bytes);
        }
        let rest = starts & !(self.known | self.marks);
        if rest != 0 {
            self.add_rest(bytes, rest, not_ascii & !starts, rule);
        }
        if self.marks != 0 {
            self.attach_marks();
        }
    }

    /// Adds the characters of two bytes.
    fn add_two_bytes(&mut self, bytes: &[u8; READ]) {
        let [letter, mark, other] = classify(bytes, |first, second, _| {
            // U+00C0 to U+027F except the signs of multiplication and division.
            let latin = first.in_range(0xc3, 0xc9);
            let signs = first.is(0xc3).and(second.set_bits(0x20).is(0xb7));
            // U+03A3 to U+03F5.
            let greek = (first.is(0xce).and(second.greater(0xa2)))
                .or(first.is(0xcf).and_not(second.greater(0xb5)));
            // U+0400 to U+047F, U+04C0 to U+04FF.
            let cyrillic = first.set_bits(1).is(0xd1).or(first.is(0xd3));
            // U+0620 to U+065F, with marks from U+064B on; the mark U+0670, and U+0671 to U+06D3.
            let arabic_9 = first.is(0xd9);
            let arabic = (first.is(0xd8).and(second.greater(0x9f)))
                .or(arabic_9.and_not(second.in_range(0xa0, 0xaf)))
                .or(first.is(0xda))
                .or(first.is(0xdb).and_not(second.greater(0x93)));
            let mark = arabic_9.and(second.in_range(0x8b, 0x9f).or(second.is(0xb0)));
            // Guillemets; the Arabic comma and question mark.
            let other = (first.is(0xc2).and(second.set_bits(0x10).is(0xbb)))
                .or(first.is(0xd8).and(second.is(0x8c).or(second.is(0x9f))));
            [latin.and_not(signs).or(greek).or(cyrillic).or(arabic).and_not(mark), mark, other]
        });
        self.letters |= two_bytes(letter);
        self.marks = two_bytes(mark);
        self.other_starts |= other;
        self.comma_starts = other;
        self.known |= two_bytes(letter | other);
    }

    /// Adds Han and its punctuation.
    fn add_han(&mut self, bytes: &[u8; READ]) {
        let [han, brackets] = classify(bytes, |first, second, third| {
            // U+4000 to U+9FFF except U+4DC0 to U+4DFF.
            let han = first.in_range(0xe4, 0xe9).and_not(first.is(0xe4).and(second.is(0xb7)));
            // U+3001 to U+3003, U+3008 to U+3011.
            let brackets = first.is(0xe3).and(second.is(0x80));
            [han, brackets.and(third.in_range(0x81, 0x83).or(third.in_range(0x88, 0x91)))]
        });
        self.add_clusters(han);
        self.other_starts |= brackets;
        self.known |= three_bytes(han | brackets);
    }

    /// Adds the other characters of three bytes.
    fn add_three_bytes(&mut self, bytes: &[u8; READ]) {
        let [hangul, hiragana, katakana, other, quote] = classify(bytes, |first, second, third| {
            // U+AC00 to U+D77F.
            let hangul = (first.in_range(0xeb, 0xec))
                .or(first.is(0xea).and(second.greater(0xaf)))
                .or(first.is(0xed).and_not(second.greater(0x9d)));
            // U+3041 to U+3096; U+30A1 to U+30FF except the middle dot.
            let row = |row: u8| first.is(0xe3).and(second.is(0x80 | row));
            let hiragana = row(1).and_not(third.is(0x80)).or(row(2).and_not(third.greater(0x96)));
            let dot = row(3).and(third.is(0xbb));
            let katakana = row(2).and(third.greater(0xa0)).or(row(3)).and_not(dot);
            // U+2010 to U+201F, among them the MidNumLet U+2018 and U+2019.
            let dashes = first.is(0xe2).and(second.is(0x80)).and(third.in_range(0x90, 0x9f));
            let quote = dashes.and(third.set_bits(1).is(0x99));
            [hangul, hiragana, katakana, dot.or(dashes), quote]
        });
        self.letters |= three_bytes(hangul);
        self.add_clusters(hiragana);
        self.katakana = three_bytes(katakana);
        self.other_starts |= other;
        self.quote_starts = quote;
        self.known |= three_bytes(hangul | hiragana | katakana | other);
    }

    /// Adds the characters that start at `starts`, by lookups. `others` has all bytes that are not the first of a character.
    #[inline(never)]
    fn add_rest(&mut self, bytes: &[u8; READ], starts: u64, others: u64, rule: WordRule) {
        let mut starts_of = [0; CLASSES];
        each_row(bytes, starts, |row| {
            if let Some(classes) = Row::get(row.number, rule) {
                row.each(|column, bit| starts_of[classes.class(column)] |= bit);
            }
        });
        let whole = |class: usize| whole(starts_of[class], others);
        let (letters, hebrew, digits) = (whole(LETTER), whole(HEBREW), whole(DIGIT));
        let (clusters, others) = (whole(CLUSTER), whole(OTHER) | whole(COMMA));
        self.letters |= letters | hebrew;
        self.hebrew = hebrew;
        self.marks |= whole(MARK);
        self.digits |= digits;
        self.clusters |= clusters;
        self.cluster_starts |= starts_of[CLUSTER];
        self.other_starts |= starts_of[OTHER] | starts_of[COMMA];
        self.comma_starts |= starts_of[COMMA];
        self.known |= letters | hebrew | digits | clusters | others;
    }

    /// Adds the marks after letters to them (WB4). Other marks stay unknown: a mark joins any character, and may itself be a
    /// letter in Unicode's sense.
    fn attach_marks(&mut self) {
        let marks_on = |letters: u64| {
            let first = self.marks & letters << 1;
            // Adding the first bit of a run, a row of ones, clears the run.
            self.marks & !self.marks.wrapping_add(first)
        };
        let [letters, hebrew, clusters] = [self.letters, self.hebrew, self.clusters].map(marks_on);
        self.letters |= letters;
        self.hebrew |= hebrew;
        self.clusters |= clusters;
        self.known |= letters | clusters;
    }

    fn add_clusters(&mut self, starts: u64) {
        self.cluster_starts |= starts;
        self.clusters |= three_bytes(starts);
    }

    /// Returns the known characters in a context that a window does not decide. They are rare in text.
    #[inline]
    pub fn ambiguous(&self, bytes: &[u8; READ], runs: u64) -> u64 {
        // A run of only `_` is not a word; with Katakana it is a word of another kind.
        let underscores = self.underscores & (!(runs << 1) | self.katakana >> 1);
        // `'` belongs to a Hebrew letter before it (WB7a).
        let apostrophes = match self.hebrew << 1 & !(self.letters >> 1) {
            0 => 0,
            positions => positions & classify(bytes, |byte, _, _| [byte.is(b'\'')])[0],
        };
        // The commas join digits.
        let commas = self.comma_starts & self.digits << 1;
        underscores | apostrophes | commas
    }

    /// Returns the joiners: single characters that connect the letters (WB6, WB7, WB7b, WB7c) or digits (WB11, WB12) around
    /// them.
    #[inline]
    pub fn joiners(&self, bytes: &[u8; READ], runs: u64) -> u64 {
        let mut joiners = 0;
        let mut rest = runs << 1 & (self.ascii_joiners & runs >> 1 | self.quote_starts & runs >> 3);
        while rest != 0 {
            let at = rest.trailing_zeros();
            let (letters, digits, len) = match bytes[at as usize] {
                b'.' | b'\'' => (self.letters, self.digits, 1),
                b':' => (self.letters, 0, 1),
                b'"' => (self.hebrew, 0, 1),
                b',' | b';' => (0, self.digits, 1),
                0x80.. => (self.letters, self.digits, 3),
                _ => (0, 0, 1),
            };
            let between = |class: u64| class >> (at - 1) & class >> (at + len) & 1;
            joiners |= ((between(letters) | between(digits)) * mask_below(len)) << at;
            rest &= rest - 1;
        }
        joiners
    }
}

/// Returns all bytes of the characters of two bytes with these first bytes.
fn two_bytes(starts: u64) -> u64 {
    starts | starts << 1
}

/// Returns all bytes of the characters of three bytes with these first bytes.
fn three_bytes(starts: u64) -> u64 {
    starts | starts << 1 | starts << 2
}
