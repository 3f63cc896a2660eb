//! The character classes of a window, for the characters that most text consists of: ASCII; letters of Latin, Greek,
//! Cyrillic, Arabic, Hebrew and Devanagari; Hangul, Han, kana and Thai; common punctuation and emoji.

use crate::simd::window::{READ, classify, mask_below};

/// One bit for each byte of a window.
///
/// The masks named `…_starts` have only the first byte of each character, the others all bytes.
#[derive(Default)]
pub(super) struct Classes {
    /// ALetter and Hebrew_Letter, and the marks (Extend) of their scripts.
    pub letters: u64,
    mark_starts: u64,
    /// The Hebrew part of `letters`: quotes join Hebrew letters only (WB7a to WB7c).
    hebrew: u64,
    /// `'`, in a window with Hebrew letters.
    apostrophes: u64,
    /// Numeric.
    pub digits: u64,
    /// `_`, an ExtendNumLet.
    pub underscores: u64,
    pub katakana: u64,
    /// Han, Hiragana and Thai letters, and Thai marks. Only marks join these letters, so each letter starts a word.
    pub clusters: u64,
    pub cluster_starts: u64,
    cluster_mark_starts: u64,
    /// Characters that are in no word, unless they join letters or digits, and that attach to nothing before them.
    pub other_starts: u64,
    /// The possible joiners: some of ASCII, quotation marks of three bytes, and the others of two bytes.
    ascii_joiners: u64,
    quote_starts: u64,
    two_byte_other_starts: u64,
    /// All bytes of the characters above.
    pub known: u64,
}

impl Classes {
    #[inline]
    pub fn of(bytes: &[u8; READ]) -> Self {
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
            classes.add_not_ascii(bytes);
        }
        classes
    }

    fn add_not_ascii(&mut self, bytes: &[u8; READ]) {
        let [three_byte_starts, han_starts] =
            classify(bytes, |byte, _, _| [byte.in_range(0xe0, 0xf0), byte.in_range(0xe3, 0xe9)]);
        if !(self.known | three_bytes(three_byte_starts)) != 0 {
            self.add_two_bytes(bytes);
        }
        // Before the other characters of three bytes: Chinese text has hardly any of those.
        if han_starts != 0 {
            self.add_han(bytes);
        }
        if three_byte_starts & !self.known != 0 {
            self.add_three_bytes(bytes, three_byte_starts);
        }
    }

    /// Adds the characters of two bytes.
    fn add_two_bytes(&mut self, bytes: &[u8; READ]) {
        let [letter, mark, other, hebrew] = classify(bytes, |first, second, _| {
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
            let hebrew = first.set_bits(1).is(0xd7);
            [latin.and_not(signs).or(greek).or(cyrillic).or(arabic), mark, other, hebrew]
        });
        self.letters |= two_bytes(letter);
        self.mark_starts = mark;
        self.other_starts |= other;
        self.two_byte_other_starts = other;
        self.known |= two_bytes(letter | other);
        if hebrew != 0 {
            self.add_hebrew(bytes);
        }
    }

    fn add_hebrew(&mut self, bytes: &[u8; READ]) {
        let [letter, mark, maqaf, apostrophes] = classify(bytes, |first, second, _| {
            let letter = first.is(0xd7).and(second.in_range(0x90, 0xaa));
            // U+0591 to U+05BF except the hyphen (maqaf), U+05C1 and U+05C2.
            let maqaf = first.is(0xd6).and(second.is(0xbe));
            let mark = (first.is(0xd6).and(second.greater(0x90)).and_not(maqaf))
                .or(first.is(0xd7).and(second.in_range(0x81, 0x82)));
            [letter, mark, maqaf, first.is(b'\'')]
        });
        self.hebrew = two_bytes(letter | mark);
        self.apostrophes = apostrophes;
        self.letters |= self.hebrew;
        self.mark_starts |= mark;
        self.other_starts |= maqaf;
        self.two_byte_other_starts |= maqaf;
        self.known |= self.hebrew | two_bytes(maqaf);
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

    /// Adds the other characters of three bytes, and emoji, which have four.
    fn add_three_bytes(&mut self, bytes: &[u8; READ], starts: u64) {
        let [e0] = classify(bytes, |first, _, _| [first.is(0xe0)]);
        if e0 != 0 {
            self.add_thai_and_devanagari(bytes);
        }
        if starts & !self.known == 0 {
            return;
        }
        let [letter, hiragana, katakana, other, quote, emoji] =
            classify(bytes, |first, second, third| {
                // U+1E00 to U+1EFF.
                let latin = first.is(0xe1).and(second.in_range(0xb8, 0xbb));
                // U+AC00 to U+D77F.
                let hangul = (first.in_range(0xeb, 0xec))
                    .or(first.is(0xea).and(second.greater(0xaf)))
                    .or(first.is(0xed).and_not(second.greater(0x9d)));
                // U+3041 to U+3096; U+30A1 to U+30FF except the middle dot.
                let row = |row: u8| first.is(0xe3).and(second.is(0x80 | row));
                let hiragana =
                    row(1).and_not(third.is(0x80)).or(row(2).and_not(third.greater(0x96)));
                let dot = row(3).and(third.is(0xbb));
                let katakana = row(2).and(third.greater(0xa0)).or(row(3)).and_not(dot);
                // U+2010 to U+201F, among them the MidNumLet U+2018 and U+2019.
                let dashes = first.is(0xe2).and(second.is(0x80)).and(third.in_range(0x90, 0x9f));
                let quote = dashes.and(third.set_bits(1).is(0x99));
                // U+1F300 to U+1F3BF, U+1F400 to U+1F6FF, U+1F900 to U+1F9FF.
                let emoji = (first.is(0xf0).and(second.is(0x9f))).and(
                    (third.in_range(0x8c, 0x9b).and_not(third.is(0x8f)))
                        .or(third.in_range(0xa4, 0xa7)),
                );
                [latin.or(hangul), hiragana, katakana, dot.or(dashes), quote, emoji]
            });
        self.letters |= three_bytes(letter);
        self.add_clusters(hiragana);
        self.katakana = three_bytes(katakana);
        self.other_starts |= other | emoji;
        self.quote_starts = quote;
        self.known |= three_bytes(letter | hiragana | katakana | other | emoji) | emoji << 3;
    }

    fn add_thai_and_devanagari(&mut self, bytes: &[u8; READ]) {
        let [thai, thai_mark, letter, mark, digit, danda] =
            classify(bytes, |first, second, third| {
                let row = |row: u8| first.is(0xe0).and(second.is(row));
                let (thai_0, thai_4) = (row(0xb8), row(0xb9));
                // U+0E31, U+0E34 to U+0E3A, U+0E47 to U+0E4E.
                let thai_mark = (thai_0.and(third.is(0xb1).or(third.in_range(0xb4, 0xba))))
                    .or(thai_4.and(third.in_range(0x87, 0x8e)));
                // U+0E01 to U+0E3A, U+0E40 to U+0E4E.
                let thai = (thai_0.and(third.in_range(0x81, 0xba)))
                    .or(thai_4.and_not(third.greater(0x8e)));
                let (devanagari_0, devanagari_4) = (row(0xa4), row(0xa5));
                // U+0900 to U+0903, U+093A to U+094F except U+093D, U+0951 to U+0957, U+0962, U+0963.
                let mark_0 = third.in_range(0xba, 0xbf).and_not(third.is(0xbd));
                let mark =
                    (devanagari_0.and(mark_0.or(third.in_range(0x80, 0x83)))).or(devanagari_4
                        .and(third.in_range(0x80, 0x97).and_not(third.is(0x90)))
                        .or(devanagari_4.and(third.in_range(0xa2, 0xa3))));
                // U+0966 to U+096F; U+0964, U+0965 and U+0970.
                let digit = devanagari_4.and(third.in_range(0xa6, 0xaf));
                let danda = devanagari_4.and(third.in_range(0xa4, 0xa5).or(third.is(0xb0)));
                let letter = devanagari_0.or(devanagari_4.and_not(third.in_range(0xa4, 0xb0)));
                [thai, thai_mark, letter, mark, digit, danda]
            });
        self.add_clusters(thai & !thai_mark);
        self.clusters |= three_bytes(thai_mark);
        self.cluster_mark_starts = thai_mark;
        self.letters |= three_bytes(letter);
        self.mark_starts |= mark;
        self.digits |= three_bytes(digit);
        self.other_starts |= danda;
        self.known |= three_bytes(thai | letter | digit | danda);
    }

    fn add_clusters(&mut self, starts: u64) {
        self.cluster_starts |= starts;
        self.clusters |= three_bytes(starts);
    }

    /// The known characters in a context that a window does not decide. They are rare in text.
    #[inline]
    pub fn ambiguous(&self, runs: u64) -> u64 {
        // A run of nothing but `_` is no word; with Katakana it is one of another kind.
        let underscores = self.underscores & (!(runs << 1) | self.katakana >> 1);
        // A mark joins any character, and may itself be a letter in Unicode's sense. Quotes treat a Hebrew letter with a
        // mark as a Hebrew letter, whichever script the mark is of.
        let marks = self.mark_starts & (!(self.letters << 1) | self.hebrew ^ self.hebrew << 1)
            | self.cluster_mark_starts & !(self.clusters << 1);
        // `'` belongs to a Hebrew letter before it (WB7a).
        let apostrophes = self.apostrophes & self.hebrew << 1 & !(self.letters >> 1);
        // The Arabic comma joins digits.
        let commas = self.two_byte_other_starts & self.digits << 1;
        underscores | marks | apostrophes | commas
    }

    /// The joiners: single characters that connect the letters (WB6, WB7, WB7b, WB7c) or digits (WB11, WB12) around them.
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

/// All bytes of the characters of two bytes with these first bytes.
fn two_bytes(starts: u64) -> u64 {
    starts | starts << 1
}

/// All bytes of the characters of three bytes with these first bytes.
fn three_bytes(starts: u64) -> u64 {
    starts | starts << 1 | starts << 2
}
