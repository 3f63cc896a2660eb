//! Characters that most text is made of and that stay as they are, 64 bytes at once.

use crate::simd::{
    Bytes,
    window::{READ, WINDOW, classify, with_padding},
};

/// Which bytes of a text are of such characters, as far as is known.
pub(super) struct Plain<'a> {
    text: &'a [u8],
    /// Where the last 64 bytes looked at start, and a bit for each of them.
    base: usize,
    plain: u64,
}

impl<'a> Plain<'a> {
    pub fn new(text: &'a str) -> Self {
        let text = text.as_bytes();
        Plain { text, base: 0, plain: of_text(text, 0) }
    }

    /// Where the first character from `at` on stands that may not stay as it is.
    #[inline]
    pub fn end(&mut self, mut at: usize) -> usize {
        loop {
            // A character that starts behind may go on in what was not looked at.
            if at - self.base >= WINDOW - 2 {
                (self.base, self.plain) = (at, of_text(self.text, at));
            }
            let run = (!self.plain >> (at - self.base)).trailing_zeros() as usize;
            at = (at + run).min(self.base + WINDOW);
            if at >= self.text.len() {
                return self.text.len();
            }
            if at - self.base < WINDOW - 2 {
                return at;
            }
        }
    }
}

fn of_text(text: &[u8], at: usize) -> u64 {
    with_padding(text, at, plain)
}

/// A bit for each byte of a character that stays as it is, if it is all here.
#[inline]
fn plain(bytes: &[u8; READ]) -> u64 {
    let [longer] = classify(bytes, |byte, _, _| [byte]);
    if longer == 0 {
        return u64::MAX;
    }
    let [mut three, starts_three, starts_two] = classify(bytes, ideographs);
    if starts_three & !three != 0 {
        let [dashes, kana, hangul] = classify(bytes, others);
        three |= dashes | kana | hangul;
    }
    let three = three & u64::MAX >> 2;
    let plain = !longer | three | three << 1 | three << 2;
    if starts_two == 0 {
        return plain;
    }
    let [of_two] = classify(bytes, two);
    let two = of_two & u64::MAX >> 1;
    plain | two | two << 1
}

/// The first of two bytes.
#[inline(always)]
fn two(first: Bytes, second: Bytes, _: Bytes) -> [Bytes; 1] {
    // U+00E0 to U+00FF.
    let latin = first.is(0xc3).and(second.greater(0x9f));
    // U+0430 to U+045F.
    let cyrillic =
        (first.is(0xd0).and(second.greater(0xaf))).or(first.is(0xd1).and_not(second.greater(0x9f)));
    // U+0621 to U+064A.
    let arabic =
        (first.is(0xd8).and(second.greater(0xa0))).or(first.is(0xd9).and_not(second.greater(0x8a)));
    [latin.or(cyrillic).or(arabic)]
}

/// The first of three bytes, of which most of Chinese is, of any three, and of two.
#[inline(always)]
fn ideographs(first: Bytes, second: Bytes, third: Bytes) -> [Bytes; 3] {
    // U+4000 to U+9FFF.
    let han = first.in_range(0xe4, 0xe9);
    // U+3001 to U+3011.
    let brackets = first.is(0xe3).and(second.is(0x80)).and(third.in_range(0x81, 0x91));
    [han.or(brackets), first.in_range(0xe2, 0xed), first.in_range(0xc3, 0xd9)]
}

/// The first of three other bytes, by script.
#[inline(always)]
fn others(first: Bytes, second: Bytes, third: Bytes) -> [Bytes; 3] {
    // U+2012 to U+201F but U+2017.
    let dashes =
        first.is(0xe2).and(second.is(0x80)).and(third.in_range(0x92, 0x9f)).and_not(third.is(0x97));
    // U+3040 to U+30FE but U+3099 to U+309F.
    let row = |row: u8| second.is(0x80 | row);
    let kana =
        row(1).or(row(2).and_not(third.in_range(0x99, 0x9f))).or(row(3).and_not(third.is(0xbf)));
    // U+AC00 to U+D77F.
    let hangul = (first.in_range(0xeb, 0xec))
        .or(first.is(0xea).and(second.greater(0xaf)))
        .or(first.is(0xed).and_not(second.greater(0x9d)));
    [dashes, first.is(0xe3).and(kana), hangul]
}

#[cfg(test)]
mod tests {
    use std::{string::String, vec::Vec};

    use super::*;
    use crate::text::normalize::unicode::{Entry, Unicode};

    fn is_plain(c: char) -> bool {
        let text = String::from(c);
        Plain::new(&text).end(0) == text.len()
    }

    #[test]
    fn plain_characters_are_quick_ones() {
        let found: Vec<char> = ('\u{80}'..=char::MAX).filter(|&c| is_plain(c)).collect();
        assert!(found.len() > 36_000);
        for c in found {
            assert_eq!(Unicode::get().entry(c).kind(), Entry::QUICK, "{c:?}");
        }
    }

    #[test]
    fn each_character_counts_wherever_it_stands() {
        for text in ["é", "пё", "漢", "、かな", "한국", "a漢é", "ſ", "K漢", "ﬁ", "😀漢字", "が"]
        {
            for before in 0..140 {
                let whole = String::from_iter(std::iter::repeat_n('x', before)) + text + "漢字 yes";
                let mut plain = Plain::new(&whole);
                let mut at = 0;
                while at < whole.len() {
                    let end = plain.end(at);
                    let expected =
                        whole[at..].find(|c| !is_plain(c)).map_or(whole.len(), |len| at + len);
                    assert_eq!(end, expected, "{whole:?} from {at}");
                    at = end + whole[end..].chars().next().map_or(1, char::len_utf8);
                }
            }
        }
    }
}
