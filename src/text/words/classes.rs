//! What 64 bytes are, of the characters that most text is made of: ASCII; letters of Latin, Greek, Cyrillic and Arabic;
//! Hangul, Han and kana; common punctuation and emoji.

use crate::simd::{SEEN, below, gather};

/// A bit for each byte. That of a character's first one stands for the character where a class is called so; elsewhere
/// all its bytes count.
#[derive(Default)]
pub(super) struct Classes {
    /// ALetter, and marks on it that UAX #29 has as Extend.
    pub letters: u64,
    first_mark: u64,
    /// Numeric.
    pub digits: u64,
    /// `_`, an ExtendNumLet.
    pub underscores: u64,
    pub katakana: u64,
    /// Han and Hiragana: no rule joins them to anything but marks, so each is a word.
    pub first_ideograph: u64,
    /// What is neither in words nor attaches to what is before it, but may join letters or digits.
    pub first_other: u64,
    /// Which of those may be joiners: ASCII, quotation marks of three bytes, and characters of two bytes.
    mids: u64,
    first_quote: u64,
    first_other_2: u64,
    /// All of these.
    pub known: u64,
}

impl Classes {
    #[inline]
    pub fn of(bytes: &[u8; SEEN]) -> Self {
        let [letters, digits, visible, others, underscores] = gather(bytes, |byte, _, _| {
            [
                byte.with(0x20).within(b'a', b'z'),
                byte.within(b'0', b'9'),
                byte.over(b' '),
                byte,
                byte.is(b'_'),
            ]
        });
        let first_other = !(letters | digits);
        let mids = visible & first_other;
        let mut classes =
            Classes { letters, digits, first_other, mids, known: !0, ..Classes::default() };
        if others | underscores != 0 {
            classes.underscores = underscores;
            classes.first_other &= !(others | underscores);
            classes.mids &= !underscores;
            classes.known = !others;
            classes.add_longer(bytes);
        }
        classes
    }

    fn add_longer(&mut self, bytes: &[u8; SEEN]) {
        let [of_three, of_ideographs] =
            gather(bytes, |byte, _, _| [byte.within(0xe1, 0xf0), byte.within(0xe3, 0xe9)]);
        if !(self.known | of_three | of_three << 1 | of_three << 2) != 0 {
            self.add_two(bytes);
        }
        // Most of Chinese, and then all that there is to do.
        if of_ideographs != 0 {
            self.add_ideographs(bytes);
        }
        if of_three & !self.known != 0 {
            self.add_three(bytes);
        }
    }

    /// Adds what is written in two bytes.
    fn add_two(&mut self, bytes: &[u8; SEEN]) {
        let [letter, mark, other] = gather(bytes, |first, second, _| {
            // U+00C0 to U+027F but the signs of multiplication and division.
            let latin = first.within(0xc3, 0xc9);
            let signs = first.is(0xc3).and(second.with(0x20).is(0xb7));
            // U+03A3 to U+03F5.
            let greek =
                (first.is(0xce).and(second.over(0xa2))).or(first.is(0xcf).but(second.over(0xb5)));
            // U+0400 to U+047F, U+04C0 to U+04FF.
            let cyrillic = first.with(1).is(0xd1).or(first.is(0xd3));
            // U+0620 to U+065F, of which the marks are U+064B and on; U+0670, a mark, to U+06D3.
            let arabic_9 = first.is(0xd9);
            let arabic = (first.is(0xd8).and(second.over(0x9f)))
                .or(arabic_9.but(second.within(0xa0, 0xaf)))
                .or(first.is(0xda))
                .or(first.is(0xdb).but(second.over(0x93)));
            let mark = arabic_9.and(second.within(0x8b, 0x9f).or(second.is(0xb0)));
            // Guillemets; the Arabic comma and question mark.
            let other = (first.is(0xc2).and(second.with(0x10).is(0xbb)))
                .or(first.is(0xd8).and(second.is(0x8c).or(second.is(0x9f))));
            [latin.but(signs).or(greek).or(cyrillic).or(arabic), mark, other]
        });
        let whole = |first: u64| first | first << 1;
        self.letters |= whole(letter);
        self.first_mark = mark;
        self.first_other |= other;
        self.first_other_2 = other;
        self.known |= whole(letter | other);
    }

    /// Adds Han and the punctuation that stands between.
    fn add_ideographs(&mut self, bytes: &[u8; SEEN]) {
        let [han, brackets] = gather(bytes, |first, second, third| {
            // U+4000 to U+9FFF but U+4DC0 to U+4DFF.
            let han = first.within(0xe4, 0xe9).but(first.is(0xe4).and(second.is(0xb7)));
            // U+3001 to U+3003, U+3008 to U+3011.
            let brackets = first.is(0xe3).and(second.is(0x80));
            [han, brackets.and(third.within(0x81, 0x83).or(third.within(0x88, 0x91)))]
        });
        self.first_ideograph = han;
        self.first_other |= brackets;
        self.known |= whole_three(han | brackets);
    }

    /// Adds what else is written in three bytes, and emoji, which are in four.
    fn add_three(&mut self, bytes: &[u8; SEEN]) {
        let [letter, hiragana, katakana, other, quote, emoji] =
            gather(bytes, |first, second, third| {
                // U+1E00 to U+1EFF.
                let latin = first.is(0xe1).and(second.within(0xb8, 0xbb));
                // U+AC00 to U+D77F.
                let hangul = (first.within(0xeb, 0xec))
                    .or(first.is(0xea).and(second.over(0xaf)))
                    .or(first.is(0xed).but(second.over(0x9d)));
                // U+3041 to U+3096; U+30A1 to U+30FF but the middle dot.
                let row = |row: u8| first.is(0xe3).and(second.is(0x80 | row));
                let hiragana = row(1).but(third.is(0x80)).or(row(2).but(third.over(0x96)));
                let dot = row(3).and(third.is(0xbb));
                let katakana = row(2).and(third.over(0xa0)).or(row(3)).but(dot);
                // U+2010 to U+201F, of which U+2018 and U+2019 are MidNumLet.
                let dashes = first.is(0xe2).and(second.is(0x80)).and(third.within(0x90, 0x9f));
                let quote = dashes.and(third.with(1).is(0x99));
                // U+1F300 to U+1F3BF, U+1F400 to U+1F6FF, U+1F900 to U+1F9FF.
                let emoji = (first.is(0xf0).and(second.is(0x9f))).and(
                    (third.within(0x8c, 0x9b).but(third.is(0x8f))).or(third.within(0xa4, 0xa7)),
                );
                [latin.or(hangul), hiragana, katakana, dot.or(dashes), quote, emoji]
            });
        self.letters |= whole_three(letter);
        self.first_ideograph |= hiragana;
        self.katakana = whole_three(katakana);
        self.first_other |= other | emoji;
        self.first_quote = quote;
        self.known |= whole_three(letter | hiragana | katakana | other | emoji) | emoji << 3;
    }

    /// Where other characters than usual stand together, which are not worth knowing.
    #[inline]
    pub fn unsure(&self, runs: u64) -> u64 {
        // A run of `_` alone is no word, and one of Katakana too has another kind.
        self.underscores & (!(runs << 1) | self.katakana >> 1)
            // A mark may be alphabetic, and what it is on then a word; the Arabic comma may join digits.
            | self.first_mark & !(self.letters << 1)
            | self.first_other_2 & self.digits << 1
    }

    /// The characters that alone between letters (WB6, WB7) or digits (WB11, WB12) join them to one of the runs.
    #[inline]
    pub fn joiners(&self, bytes: &[u8; SEEN], runs: u64) -> u64 {
        let mut joiners = 0;
        let mut rest = runs << 1 & (self.mids & runs >> 1 | self.first_quote & runs >> 3);
        while rest != 0 {
            let at = rest.trailing_zeros();
            let (letters, digits, len) = match bytes[at as usize] {
                b'.' | b'\'' => (self.letters, self.digits, 1),
                b':' => (self.letters, 0, 1),
                b',' | b';' => (0, self.digits, 1),
                0x80.. => (self.letters, self.digits, 3),
                _ => (0, 0, 1),
            };
            let between = |class: u64| class >> (at - 1) & class >> (at + len) & 1;
            joiners |= ((between(letters) | between(digits)) * below(len)) << at;
            rest &= rest - 1;
        }
        joiners
    }
}

/// All bytes of the characters of three that start there.
fn whole_three(first: u64) -> u64 {
    first | first << 1 | first << 2
}
