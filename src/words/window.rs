//! Words in a window of 64 bytes, all at once: each class of bytes is a number of 64 bits, one a byte, and where words
//! start and end comes out by arithmetic on those.
//!
//! A window knows the characters that most text is made of: ASCII, letters of Latin, Cyrillic and Arabic, Hangul, Han,
//! kana, and common punctuation. It leaves off where another comes, which may belong to what stands before it, or at its
//! own end; what is left is for the automaton, or for the next window.

use super::{SPACED, Word, bytes::Bytes};

/// The words that a window found and that were not taken yet.
#[derive(Clone, Copy, Default)]
pub(super) struct Window {
    /// Its first byte in the text.
    base: usize,
    /// The first byte of each word and the one behind its last. There may be more starts than ends.
    starts: u64,
    ends: u64,
    /// Where words end that have a letter, and those of a script written without spaces. Other bits are any.
    lettered: u64,
    unspaced: u64,
}

/// What the bytes of a window are. Where a class is not called `first` all bytes of its characters count.
#[derive(Default)]
struct Classes {
    /// ALetter, and Extend where `first_mark` says so.
    letters: u64,
    first_mark: u64,
    /// Numeric.
    digits: u64,
    /// `_`, the ExtendNumLet that is in use.
    underscores: u64,
    katakana: u64,
    /// Han and Hiragana: UAX #29 has no rule for them, so each is a word.
    first_ideograph: u64,
    /// No word, and nothing that attaches to what comes before it (WB4).
    first_other: u64,
    /// Those of `first_other` that may go between letters or digits and join them: of one byte, and of three.
    mids: u64,
    first_mid_3: u64,
    first_other_2: u64,
    /// All that the window knows.
    known: u64,
}

/// Bytes that a window looks at: characters that start among the first 64 are seen whole.
pub(super) const LEN: usize = 66;

impl Window {
    /// The words from the segment boundary `at` on and where what it is not sure of starts, in bytes behind `at`, which is a
    /// boundary too. Behind the text's end there are zeros.
    #[inline]
    pub fn new(bytes: &[u8; LEN], at: usize) -> (Self, usize, usize) {
        let (mut classes, is_all) = Classes::ascii(bytes);
        if !is_all {
            classes.add_more(bytes);
        }
        let Classes { letters, digits, underscores, katakana, first_ideograph, .. } = classes;
        let mut runs = letters | digits | underscores;
        let unknown = !classes.known
            // Runs with `_` are words if there is more in them, and only of such.
            | underscores & !(runs << 1)
            | underscores & katakana >> 1
            // The Arabic comma may join digits (WB11, WB12).
            | classes.first_other_2 & digits << 1
            | classes.first_mark & !(letters << 1);
        let unknown = unknown.trailing_zeros();
        let sure = below(unknown);
        runs |= classes.joiners(bytes, runs);

        let starts = edges(runs) | edges(katakana) | first_ideograph;
        let ends = runs << 1 & !runs | katakana << 1 & !katakana | first_ideograph << 3;

        // What comes next may attach to the last character, or make it join the run before it.
        let words = runs | katakana | first_ideograph;
        let mut last = 64 - ((words | classes.first_other) & sure).leading_zeros();
        let mut limit = unknown;
        if last > 0 && words >> (last - 1) & 1 == 0 {
            last -= 1;
            limit = last + u32::from(bytes[last as usize] == b' ');
            // White space in a row is one segment (WB3d).
            while last > 0 && bytes[last as usize] == b' ' && bytes[last as usize - 1] == b' ' {
                last -= 1;
            }
        } else {
            last = limit;
        }
        let ends = ends & below(limit);
        let undecided = starts & !below(64 - ends.leading_zeros() - u32::from(ends != 0));
        let next = undecided.trailing_zeros().min(last);
        let unspaced = katakana << 1 | first_ideograph << 3;
        // A run is a row of ones: adding to it carries to where it ends, if a letter is in it.
        let lettered = runs.wrapping_add(letters) & !runs | unspaced;
        (Window { base: at, starts, ends, lettered, unspaced }, next as usize, unknown as usize)
    }

    /// Takes the next words, as many as there are and as there is place for.
    #[inline]
    pub fn take(&mut self, words: &mut [Word]) -> usize {
        let Window { base, mut starts, mut ends, lettered, unspaced } = *self;
        let mut len = 0;
        for place in words {
            if ends == 0 {
                break;
            }
            let (start, end) = (starts.trailing_zeros(), ends.trailing_zeros());
            let kind = SPACED - 1 + (lettered >> end & 1) as u8 + (unspaced >> end & 1) as u8;
            *place = Word { start: base + start as usize, end: base + end as usize, kind };
            starts &= starts - 1;
            ends &= ends - 1;
            len += 1;
        }
        (self.starts, self.ends) = (starts, ends);
        len
    }
}

impl Classes {
    #[inline]
    fn ascii(bytes: &[u8; LEN]) -> (Self, bool) {
        let [letters, digits, printable, others, underscores] = gather(bytes, |byte, _, _| {
            [
                byte.with(0x20).within(b'a', b'z'),
                byte.within(b'0', b'9'),
                byte.over(b' '),
                byte,
                byte.is(b'_'),
            ]
        });
        let known = !others;
        let first_other = known & !(letters | digits | underscores);
        let mids = printable & first_other;
        let classes =
            Classes { letters, digits, first_other, mids, known: !0, ..Classes::default() };
        if others | underscores == 0 {
            return (classes, true);
        }
        (Classes { underscores, known, ..classes }, false)
    }

    fn add_more(&mut self, bytes: &[u8; LEN]) {
        let [of_three] = gather(bytes, |byte, _, _| [byte.within(0xe1, 0xf0)]);
        if !(self.known | of_three | of_three << 1 | of_three << 2) != 0 {
            self.add_two(bytes);
        }
        if of_three != 0 {
            self.add_three(bytes);
        }
    }

    fn add_two(&mut self, bytes: &[u8; LEN]) {
        let [letter, mark, other] = gather(bytes, |first, second, _| {
            // U+00C0 to U+027F but the signs of multiplication and division.
            let latin = first.within(0xc3, 0xc9);
            let signs = first.is(0xc3).and(second.with(0x20).is(0xb7));
            // U+03A3 to U+03F5.
            let greek =
                (first.is(0xce).and(second.over(0xa2))).or(first.is(0xcf).but(second.over(0xb5)));
            // U+0400 to U+047F, U+04C0 to U+04FF.
            let cyrillic = first.with(1).is(0xd1).or(first.is(0xd3));
            // U+0620 to U+065F, U+0670 to U+06D3.
            let arabic_9 = first.is(0xd9);
            let arabic = (first.is(0xd8).and(second.over(0x9f)))
                .or(arabic_9.but(second.within(0xa0, 0xaf)))
                .or(first.is(0xda))
                .or(first.is(0xdb).but(second.over(0x93)));
            let marks = arabic_9.and(second.within(0x8b, 0x9f).or(second.is(0xb0)));
            // Guillemets, the Arabic comma and question mark.
            let other = (first.is(0xc2).and(second.with(0x10).is(0xbb)))
                .or(first.is(0xd8).and(second.is(0x8c).or(second.is(0x9f))));
            [latin.but(signs).or(greek).or(cyrillic).or(arabic), marks, other]
        });
        let whole = |first: u64| first | first << 1;
        self.letters |= whole(letter);
        self.first_mark = mark;
        self.first_other |= other;
        self.first_other_2 = other;
        self.known |= whole(letter | other);
    }

    fn add_three(&mut self, bytes: &[u8; LEN]) {
        let [letter, ideograph, katakana, mut other, general, emoji] =
            gather(bytes, |first, second, third| {
                // U+1E00 to U+1EFF.
                let latin = first.is(0xe1).and(second.within(0xb8, 0xbb));
                // U+AC00 to U+D77F.
                let hangul = (first.within(0xeb, 0xec))
                    .or(first.is(0xea).and(second.over(0xaf)))
                    .or(first.is(0xed).but(second.over(0x9d)));
                // U+4000 to U+9FFF but U+4DC0 to U+4DFF.
                let han = first.within(0xe4, 0xe9).but(first.is(0xe4).and(second.is(0xb7)));
                // U+3000 to U+30FF.
                let kana = first.is(0xe3);
                let row = |row: u8| kana.and(second.is(0x80 | row));
                let dot = row(3).and(third.is(0xbb));
                let hiragana = row(1).but(third.is(0x80)).or(row(2).but(third.over(0x96)));
                let katakana = row(2).and(third.over(0xa0)).or(row(3)).but(dot);
                let punctuation = row(0).and(third.within(0x81, 0x83).or(third.within(0x88, 0x91)));
                // U+1F300 to U+1F3BF, U+1F400 to U+1F6FF, U+1F900 to U+1F9FF.
                let emoji = (first.is(0xf0).and(second.is(0x9f))).and(
                    (third.within(0x8c, 0x9b).but(third.is(0x8f))).or(third.within(0xa4, 0xa7)),
                );
                // U+2010 to U+201F.
                let general = first.is(0xe2).and(second.is(0x80)).and(third.within(0x90, 0x9f));
                [latin.or(hangul), han.or(hiragana), katakana, punctuation.or(dot), general, emoji]
            });
        let whole = |first: u64| first | first << 1 | first << 2;
        other |= general | emoji;
        self.letters |= whole(letter);
        self.first_ideograph = ideograph;
        self.katakana = whole(katakana);
        self.first_mid_3 = general;
        self.first_other |= other;
        self.known |= whole(letter | ideograph | katakana | other) | emoji << 3;
    }

    /// Single characters that go between letters (WB6, WB7) or digits (WB11, WB12) and join them.
    #[inline]
    fn joiners(&self, bytes: &[u8; LEN], runs: u64) -> u64 {
        let mut joiners = 0;
        let mut rest = runs << 1 & (self.mids & runs >> 1 | self.first_mid_3 & runs >> 3);
        while rest != 0 {
            let at = rest.trailing_zeros() as usize;
            let (joins_letters, joins_digits, len) = match bytes[at] {
                b'.' | b'\'' => (true, true, 1),
                b':' => (true, false, 1),
                b',' | b';' => (false, true, 1),
                0xe2 if matches!(bytes[at + 2], 0x98 | 0x99) => (true, true, 3), // ‘ and ’
                _ => (false, false, 1),
            };
            let between = |class: u64| class >> (at - 1) & class >> (at + len) & 1 != 0;
            if joins_letters && between(self.letters) || joins_digits && between(self.digits) {
                joiners |= below(len as u32) << at;
            }
            rest &= rest - 1;
        }
        joiners
    }
}

/// For each of the first 64 bytes what `classes` says of it and the two behind it, a bit a byte.
#[inline(always)]
fn gather<const N: usize>(
    bytes: &[u8; LEN],
    classes: impl Fn(Bytes, Bytes, Bytes) -> [Bytes; N],
) -> [u64; N] {
    let chunks = |behind: usize| bytes[behind..].as_chunks().0.iter().map(Bytes::new);
    let mut gathered = [0; N];
    for (at, ((first, second), third)) in chunks(0).zip(chunks(1)).zip(chunks(2)).enumerate() {
        for (all, some) in gathered.iter_mut().zip(classes(first, second, third)) {
            *all |= some.bits() << (16 * at);
        }
    }
    gathered
}

/// The bits lower than that of the number, which is 64 at most.
#[inline]
fn below(bit: u32) -> u64 {
    1_u64.checked_shl(bit).unwrap_or(0).wrapping_sub(1)
}

/// The first bit of each run.
#[inline]
fn edges(runs: u64) -> u64 {
    runs & !(runs << 1)
}
