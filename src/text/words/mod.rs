//! Words: the segments of UAX #29 that contain a letter or a number, in the Unicode version of the scheme.
//!
//! In: a text, normalised or not. Out: the position of each word and how its script is written ([`Word`]).
//!
//! The words are those of `unicode-segmentation`, by two ways:
//!
//! 1. [`scan`] finds the words of common characters, 64 bytes at a time;
//! 2. `unicode-segmentation` itself decides the others, one segment at a time ([`Words::next_segment`]).
//!
//! Both start at a segment boundary and return one, so each can go on where the other stops.

mod char_class;
mod classes;
mod kind;
mod kind_table;
mod scan;

use unicode_segmentation::{UWordBounds, UnicodeSegmentation};

use self::{
    kind::Kind,
    scan::{FoundWords, Progress},
};
use crate::{
    simd::window::{WINDOW, with_padding},
    text::normalize,
};

// Another Unicode version gives other words, so it needs another scheme: such a dependency must not compile.
const _: () = {
    let (major, minor, update) = unicode_segmentation::UNICODE_VERSION;
    let ours = normalize::UNICODE_VERSION;
    assert!(
        major == ours.0 as u64 && minor == ours.1 as u64 && update == ours.2 as u64,
        "unicode-segmentation has another Unicode version than scheme v1"
    );
};

/// A word, and how its script is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word {
    /// The first byte in the text, and the byte after the last.
    pub start: usize,
    pub end: usize,
    is_dense: bool,
    is_unspaced: bool,
}

impl Word {
    fn new(start: usize, end: usize, kind: Kind) -> Self {
        let is_unspaced = kind == Kind::Unspaced;
        Word { start, end, is_dense: is_unspaced || kind == Kind::Number, is_unspaced }
    }

    /// Whether the word says little by itself: it is a number, or its script is written without spaces. Dense words count
    /// only together with the words that follow.
    #[inline]
    pub fn is_dense(&self) -> bool {
        self.is_dense
    }

    /// Whether the script is written without spaces: the first letter is Han, Hiragana, Katakana, Thai, Lao, Khmer or
    /// Myanmar.
    ///
    /// UAX #29 makes one word of each Han or Hiragana character, of each Thai, Lao, Khmer or Myanmar cluster, and of a
    /// whole Katakana run.
    #[inline]
    pub fn is_unspaced(&self) -> bool {
        self.is_unspaced
    }
}

/// Finds the words of a text from a segment boundary on.
///
/// Time is proportional to the text, whatever the text:
///
/// - A window reads 67 bytes. Then it has advanced by at least [`USEFUL`] bytes, or the next one is at least
///   [`MIN_BACKOFF`] bytes away: at most one window for [`USEFUL`] bytes.
/// - `unicode-segmentation` reads a segment, and sometimes characters after it: a joiner and the marks on it (WB6, WB7b,
///   WB12). Those are the next segment, so it reads each byte at most twice.
pub(crate) struct Words<'a> {
    text: &'a str,
    /// The start of the next segment.
    at: usize,
    /// What the last window found.
    found: FoundWords,
    /// Iterates over the text from some earlier segment on; from `at` on if its rest is as long.
    segments: UWordBounds<'a>,
    /// The position from which a window is tried again.
    retry_at: usize,
    /// For how many bytes no window is tried after the next useless one.
    backoff: usize,
    #[cfg(test)]
    windows: usize,
}

/// A window that advances by fewer bytes costs more than it saves.
const USEFUL: usize = 4;
const MIN_BACKOFF: usize = 8;
const MAX_BACKOFF: usize = 256;

impl<'a> Words<'a> {
    pub fn new(text: &'a str) -> Self {
        Words {
            text,
            at: 0,
            found: FoundWords::default(),
            segments: text.split_word_bounds(),
            retry_at: 0,
            backoff: MIN_BACKOFF,
            #[cfg(test)]
            windows: 0,
        }
    }

    /// Writes the next words into `words` and returns them: fewer than fit only at the end of the text. O(text) for all
    /// words together.
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
        #[cfg(test)]
        (self.windows += 1);
        let (found, Progress { decided, known }) =
            with_padding(self.text.as_bytes(), self.at, |bytes| FoundWords::scan(bytes, self.at));
        self.found = found;
        if known < WINDOW {
            self.retry_at = self.at + known + 1;
        }
        if decided < USEFUL {
            // In scripts that windows do not know, they find little but spaces.
            self.retry_at = self.at + self.backoff;
            self.backoff = (2 * self.backoff).min(MAX_BACKOFF);
        } else {
            self.backoff = MIN_BACKOFF;
        }
        self.at = (self.at + decided).min(self.text.len());
        decided > 0
    }

    /// Advances by one segment, and returns it if it is a word.
    fn next_segment(&mut self) -> Option<Word> {
        let start = self.at;
        if self.segments.as_str().len() != self.text.len() - start {
            self.segments = self.text[start..].split_word_bounds();
        }
        let segment = self.segments.next()?;
        self.at += segment.len();
        Some(Word::new(start, self.at, Kind::of(segment)?))
    }
}

/// The last position at which `text` can be cut without changing its words, whatever follows it:
/// its words are those of `text[..cut]` and then those of `text[cut..]`. Returns 0 if there is no
/// such position after the first `searched` bytes, in which an earlier call found none.
/// O(text - searched).
pub(crate) fn last_cut(text: &str, searched: usize) -> usize {
    let mut next: Option<(usize, char)> = None;
    for (at, c) in text.char_indices().rev() {
        if let Some((cut, first)) = next
            && starts_segment(first)
            // White space joins the white space before it (WB3, WB3d).
            && !(first.is_whitespace() && c.is_whitespace())
        {
            return cut;
        }
        if at < searched {
            break;
        }
        next = Some((at, c));
    }
    0
}

/// Whether there is a boundary before `c`, whatever comes before it, and the segments before it are
/// those of a text that ends there. The boundary is then one of the last rule (WB999), and nothing
/// on one side depends on the other side. Covers common characters only: a cut now and then is enough.
fn starts_segment(c: char) -> bool {
    match c {
        '\0'..='\x7f' => {
            !(c.is_ascii_alphanumeric() || matches!(c, '"' | '\'' | ',' | '.' | ':' | ';' | '_'))
        }
        // Hiragana and Han: their Word_Break is Other.
        '\u{3041}'..='\u{3096}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' => true,
        // Consonants of Thai, Lao, Khmer and Myanmar: their Word_Break is Other too.
        '\u{e01}'..='\u{e30}'
        | '\u{e94}'..='\u{e97}'
        | '\u{1000}'..='\u{102a}'
        | '\u{1780}'..='\u{17b3}' => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::{string::String, vec::Vec};

    use super::*;
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation;

    /// The words by `unicode-segmentation` alone.
    fn expected(text: &str) -> Vec<Word> {
        let word = |(start, word): (usize, &str)| {
            Word::new(start, start + word.len(), Kind::of(word).expect("a word"))
        };
        text.unicode_word_indices().map(word).collect()
    }

    /// Checks the words of a text, and that the number of windows is linear.
    fn check(text: &str) {
        let expected = expected(text);
        for at_once in [1, 5, 64] {
            let mut words = Words::new(text);
            let mut buffer = [Word::default(); 64];
            let mut found = Vec::new();
            while let some @ [_, ..] = words.fill(&mut buffer[..at_once]) {
                found.extend_from_slice(some);
            }
            assert_eq!(found, expected, "{text:?}, {at_once} at a time");
            let windows = words.windows;
            assert!(windows <= text.len() / USEFUL + 1, "{windows} windows in {text:?}");
        }
    }

    /// Characters of every property that matters to words: three of each combination, and those that rules name.
    fn awkward_characters() -> Vec<char> {
        use icu_properties::{CodePointMapData, CodePointSetData, props};
        let breaks = CodePointMapData::<props::WordBreak>::new();
        let pictographic = CodePointSetData::new::<props::ExtendedPictographic>();
        let mut seen = std::collections::HashMap::new();
        let mut chars: Vec<char> = ('\0'..=char::MAX)
            .filter(|&c| {
                let kind = Kind::of(&String::from(c)).map(|kind| kind as u8);
                let count =
                    seen.entry((breaks.get(c), kind, pictographic.contains(c))).or_insert(0);
                *count += 1;
                *count <= 3
            })
            .collect();
        chars.extend(
            "aZ0_'.:,;\" \n\r‘’“”–…·éяא״׳־\u{5b0}\u{5c1}ـ्ะกำ\u{e31}\u{e48}๑฿कऽ१।\u{93f}中ひカー가👩\u{200d}\u{fe0f}🇩🇪©Ⓜ\u{300}\u{345}\u{64b}".chars(),
        );
        chars
    }

    #[test]
    #[cfg_attr(miri, ignore = "every character")]
    fn every_character_in_contexts_that_differ_by_class() {
        // One text for each character: nothing joins across the line feeds.
        let contexts = concat!(
            "a*b\n1*2\nא*ב\nא\"*ב\nא'*ב\nก*ข\nक*ख\nカ*カ\n_*_\n-*-\n * \n",
            "\u{1f1e6}*\u{1f1e6}a\n-\u{200d}*a\na\u{200d}*a\n*"
        );
        for c in '\0'..=char::MAX {
            check(&contexts.replace('*', c.encode_utf8(&mut [0; 4])));
        }
    }

    /// All texts of four characters, each of which stands for a class.
    #[test]
    #[cfg_attr(miri, ignore = "hundreds of thousands of texts")]
    fn every_short_sequence_of_classes() {
        let chars: Vec<char> =
            "a1_'.,\" \n-א カ中กिक\u{e48}\u{5b0}\u{64b}👩\u{200d}\u{345}🇩Ⓜ\u{2c2}"
                .chars()
                .collect();
        let mut text = String::new();
        for number in 0..chars.len().pow(4) {
            text.clear();
            let mut rest = number;
            for _ in 0..4 {
                text.push(chars[rest % chars.len()]);
                rest /= chars.len();
            }
            check(&text);
        }
    }

    /// Mostly characters that windows know, and some that they do not.
    const TEXTS: [&str; 13] = [
        "it's said 3.14 of 1,000: don't_ask, e.g. \"well-known\" a.m.  x",
        "l’été “à Noël” – straße… d’œuvre, ção ñandú «où» việt nam của",
        "съешь же ещё этих мягких французских булок, да выпей чаю: 5,5 кг",
        "هٰذا كِتابٌ، 1،5 وَالسَّلامُ عَلَيْكُمْ؟ ایران گفت",
        "中华人民共和国。第12条「道路」运输,2004年4月30日々本",
        "このカタカナ・テストはフックについて学びー、がぎぐ々。ABC株式会社",
        "대한민국의 국민은, 법률이 정하는 바에 의하여 3월의 히읗.",
        "ok 😀😀 👩\u{200d}💻 👍🏽 🇩🇪 ❤\u{fe0f}yes🎉no 🤣",
        "בְּרֵאשִׁית בָּרָא. צה\"ל, ג'ורג' אמר: \"שלום רב\" מרכז־העיר 1948 א\u{64b}'",
        "กรุงเทพมหานคร น้ำใจ เมื่อปี 2491 ฿๑๒ ที่นี่ ฯลฯ ABC",
        "Մարդիկ ծնվում են ազատ։ Ամեն ոք՝ իրավունք ունի։ 1948։ 5։6 կգ",
        "क्या हिन्दी, विश्व-शान्ति है। सन् १९४८ में १.५ x ॐ कऽ",
        "ελλάδα· שלום עולם צה\"ל ไทย กขค भारत में e\u{301}a\u{308}",
    ];

    /// Every awkward character at every place of a window.
    #[test]
    #[cfg_attr(miri, ignore = "looks for awkward ones among all characters")]
    fn awkward_characters_anywhere_in_a_window() {
        let awkward = awkward_characters();
        for text in TEXTS {
            let text = text.repeat(3);
            for (at, _) in text.char_indices().take_while(|&(at, _)| at < 70) {
                for c in &awkward {
                    let (head, tail) = text.split_at(at);
                    check(&[head, c.encode_utf8(&mut [0; 4]), tail].concat());
                }
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "thousands of texts")]
    fn windows_of_any_length() {
        for text in TEXTS {
            let text = text.repeat(3);
            for (at, _) in text.char_indices() {
                check(&text[at..]);
                check(&text[..at]);
            }
        }
        for filler in [
            "a",
            "_",
            "1",
            " ",
            "中",
            "カ",
            "я",
            "א",
            "א'",
            "א\"",
            "ก",
            "ก\u{e48}",
            "क",
            "\u{93f}",
            "\u{64b}",
            "'",
            "\r",
            "𠀀",
        ] {
            for len in 0..140 {
                check(&filler.repeat(len));
                check(&["b", &filler.repeat(len), "b"].concat());
            }
        }
    }

    /// Texts that repeat what costs most: each must stay linear, which quadratic time would miss by hours.
    #[test]
    #[cfg_attr(miri, ignore = "measures time")]
    fn hostile_texts_take_linear_time() {
        for unit in [
            "\u{301}",     // one segment of marks
            "\u{200d}",    // joiners
            "👩\u{200d}",  // joined pictographs
            "🇩",           // flags, in pairs
            "a.",          // joiners between letters: one word
            "a.\u{301}",   // and with marks on the joiner
            "a'\u{200d}1", // a joiner that joins nothing
            "א\"\u{5b0}",  // a quote that waits for a Hebrew letter
            "א'",          // apostrophes that windows do not decide
            "_ ",          // runs of `_`, which they do not decide either
            "aaaa_ _ ",    // windows that decide just enough to go on
            "abc \u{e31}", // marks where windows do not expect them
            "x²",          // unknown to windows
            "ঘ",
            "1,",
        ] {
            let text = unit.repeat(300_000 / unit.len());
            let marks = ["a.", &"\u{301}".repeat(100_000), unit].concat();
            for text in [text, marks] {
                let mut words = Words::new(&text);
                let mut buffer = [Word::default(); 64];
                let mut count = 0;
                while let some @ [_, ..] = words.fill(&mut buffer) {
                    count += some.len();
                }
                assert_eq!(count, text.unicode_words().count(), "{unit:?}");
                assert!(words.windows <= text.len() / USEFUL + 1, "{unit:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn of_any_text(text in any::<String>()) {
            check(&text);
        }

        #[test]
        #[cfg_attr(miri, ignore = "looks for them among all characters")]
        fn of_awkward_characters(text in prop::collection::vec(prop::sample::select(awkward_characters()), 0..40)) {
            check(&text.into_iter().collect::<String>());
        }

        #[test]
        fn of_ascii(text in "[a-cXYZ09_'.:,;\" \n\r-]{0,40}") {
            check(&text);
        }

        #[test]
        fn of_letters_with_joiners_between(text in "([a-z]{1,20}[ '’.–é中0_\u{301}\u{200d}]{1,2}){0,8}") {
            check(&text);
        }

        #[test]
        fn of_characters_known_to_windows(
            text in prop::collection::vec(prop::sample::select(TEXTS.concat().chars().collect::<Vec<_>>()), 0..200),
        ) {
            check(&text.into_iter().collect::<String>());
        }

        #[test]
        fn of_runs(
            runs in prop::collection::vec(
                (prop::sample::select(TEXTS.concat().chars().chain(awkward_characters()).collect::<Vec<_>>()), 1_usize..20),
                0..30,
            ),
        ) {
            check(&runs.into_iter().map(|(c, len)| String::from(c).repeat(len)).collect::<String>());
        }

        #[test]
        #[cfg_attr(miri, ignore = "looks for awkward ones among all characters")]
        fn a_cut_changes_no_word(
            chars in prop::collection::vec(prop::sample::select(awkward_characters()), 0..40),
            more in prop::collection::vec(prop::sample::select(awkward_characters()), 0..10),
        ) {
            let head: String = chars.into_iter().collect();
            let cut = last_cut(&head, 0);
            let whole = head.clone() + &more.into_iter().collect::<String>();
            let all: Vec<_> = whole.unicode_words().collect();
            let parts: Vec<_> = whole[..cut].unicode_words().chain(whole[cut..].unicode_words()).collect();
            prop_assert_eq!(all, parts);
        }
    }
}
