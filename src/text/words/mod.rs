//! Words: UAX #29 word segments that hold a letter or a number, in the Unicode version of the scheme.
//!
//! They are those of `unicode-segmentation` to the byte, and tested so; that crate is not used itself, for its
//! search by range for every character, and for its tables' size in WebAssembly. Here
//!
//! 1. the words of common characters are found 64 bytes at a time, by vectors and in the bits of numbers;
//! 2. everything else goes through a table of classes and one of transitions, a character a step.

mod classes;
mod entries;
mod rules;
mod table;
mod window;

use entries::{Entries, Entry};
use window::{Reach, Window};

use crate::{simd, text::chars};

/// A word, and how its script is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word {
    /// Its first byte in the text, and the byte behind its last.
    pub start: usize,
    pub end: usize,
    kind: Kind,
}

/// What the letters of a segment are, by the first of them: the numbers are those of [`Entry::kind`].
type Kind = u8;
const NO_WORD: Kind = 0;
const NUMBER: Kind = 1;
const SPACED: Kind = 2;
const UNSPACED: Kind = 3;

impl Word {
    /// Whether the word by itself says little: a character or a run of a script written without spaces, or a number.
    /// Such words count only together with the words that follow.
    #[inline]
    pub fn is_dense(&self) -> bool {
        self.kind != SPACED
    }

    /// Whether its script is written without spaces: that of its first letter is Han, Hiragana, Katakana, Thai, Lao,
    /// Khmer or Myanmar.
    ///
    /// UAX #29 gives one Han or Hiragana character, one Thai, Lao, Khmer or Myanmar cluster, and a whole Katakana run
    /// as a word.
    pub fn is_unspaced(&self) -> bool {
        self.kind == UNSPACED
    }
}

/// The words of a text from one segment boundary on.
pub(crate) struct Words<'a> {
    /// UTF-8.
    text: &'a [u8],
    entries: &'static Entries,
    /// Where the next segment starts.
    at: usize,
    /// The character there if it was looked at already, else of no length.
    ahead: Char,
    /// Where the last window found words, and before where another would be in vain.
    window: Window,
    vain: usize,
    /// For how many bytes no window is tried if the next one is of no use.
    pause: usize,
}

#[derive(Clone, Copy, Default)]
struct Char {
    entry: Entry,
    /// In bytes. 0 for the end of the text.
    len: u8,
}

impl<'a> Words<'a> {
    pub fn new(text: &'a str) -> Self {
        Words {
            text: text.as_bytes(),
            entries: Entries::get(),
            at: 0,
            ahead: Char::default(),
            window: Window::default(),
            vain: 0,
            pause: 8,
        }
    }

    /// The next words in order, as many as there is place for. O(text) for all of them.
    pub fn fill<'w>(&mut self, words: &'w mut [Word]) -> &'w [Word] {
        let mut len = 0;
        while let Some(rest) = words.get_mut(len..) {
            len += self.window.take(rest);
            if len == words.len() || self.at == self.text.len() {
                break;
            }
            if self.at >= self.vain && self.look() {
                continue;
            }
            let start = self.at;
            let kind = self.segment();
            if kind != NO_WORD
                && let Some(place) = words.get_mut(len)
            {
                *place = Word { start, end: self.at, kind };
                len += 1;
            }
        }
        &words[..len]
    }

    /// Has a window find the next words, and tells whether it got any further.
    #[inline]
    fn look(&mut self) -> bool {
        let (window, Reach { decided, known }) =
            simd::seen(self.text, self.at, |bytes| Window::new(bytes, self.at));
        self.window = window;
        if known < simd::LEN as usize {
            self.vain = self.at + known + 1;
        }
        if decided < 4 {
            // In a script that windows do not know they find spaces only.
            self.vain = self.at + self.pause;
            self.pause = (2 * self.pause).min(256);
        } else {
            self.pause = 8;
        }
        if decided > 0 {
            self.at = (self.at + decided).min(self.text.len());
            self.ahead = Char::default();
        }
        decided > 0
    }

    /// Ends the segment that starts where the last one ended, and tells what it holds.
    fn segment(&mut self) -> Kind {
        let (mut at, mut state, mut kind) = (self.at, rules::START, NO_WORD);
        // Where the segment ends if the character there has no right one behind it.
        let mut fallback = (at, kind);
        let mut after_joiner = false;
        let mut char = if self.ahead.len > 0 { self.ahead } else { self.char(at) };
        while char.len > 0 {
            let mut next = rules::next(state, char.entry);
            if after_joiner && char.entry.is_pictograph() {
                next = rules::CLOSED; // WB3c, before all other rules
            }
            if next == rules::BREAK {
                break;
            }
            if next >= rules::PENDING && state < rules::PENDING {
                fallback = (at, kind);
            }
            if kind < SPACED {
                kind = kind.max(char.entry.kind());
            }
            after_joiner = char.entry.is_joiner();
            state = next;
            at += usize::from(char.len);
            char = self.char(at);
        }
        if state >= rules::PENDING {
            (at, kind) = fallback;
            char = Char::default();
        }
        self.at = at;
        self.ahead = char;
        kind
    }

    /// The character at `at`.
    #[inline]
    fn char(&self, at: usize) -> Char {
        match self.text.get(at..) {
            Some(rest @ [_, ..]) => {
                let char = chars::Char::first(rest);
                Char { entry: self.entries.of(char.code()), len: char.len() as u8 }
            }
            _ => Char::default(),
        }
    }
}

/// The last position at which `text` can be cut without changing its words, whatever may follow
/// it: the words of `text` are those of `text[..cut]` and then those of `text[cut..]`. 0 if there
/// is none behind the first `searched` bytes, where none was found before. O(text - searched).
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

/// Whether `c` starts a segment whatever comes before it, and ends the one before it as the end of
/// the text does: UAX #29 then sees the boundary by its last rule (WB999), and nothing on one side
/// depends on the other. Only common characters; it is enough to find one now and then.
fn starts_segment(c: char) -> bool {
    match c {
        '\0'..='\x7f' => {
            !(c.is_ascii_alphanumeric() || matches!(c, '"' | '\'' | ',' | '.' | ':' | ';' | '_'))
        }
        // Hiragana and Han: of the class Other in WordBreakProperty.txt.
        '\u{3041}'..='\u{3096}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' => true,
        // Consonants of Thai, Lao, Khmer and Myanmar: of the class Other too.
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

    /// The words by the oracle, and their kinds by the characters in them.
    fn expected(text: &str) -> Vec<Word> {
        let kind_of = |word: &str| {
            let kinds = word.chars().map(|c| Entries::get().of(c.into()).kind());
            let first_letter = kinds.clone().find(|&kind| kind >= SPACED);
            first_letter.or(kinds.max()).unwrap_or(NO_WORD)
        };
        let words = text.unicode_word_indices();
        words.map(|(start, w)| Word { start, end: start + w.len(), kind: kind_of(w) }).collect()
    }

    fn check(text: &str) {
        let expected = expected(text);
        for block in [1, 5, 64] {
            let mut words = Words::new(text);
            let mut place = [Word::default(); 64];
            let mut found = Vec::new();
            while let some @ [_, ..] = words.fill(&mut place[..block]) {
                found.extend_from_slice(some);
            }
            assert_eq!(found, expected, "{text:?}, {block} at a time");
        }
    }

    /// Characters of every entry of the table, a few of each, the awkward ones above all.
    fn every_entry() -> Vec<char> {
        let mut seen = [0; 256];
        let mut chars: Vec<char> = ('\0'..=char::MAX)
            .filter(|&c| {
                let entry = Entries::get().of(c.into());
                let id = entry.class()
                    | usize::from(entry.kind()) << 4
                    | usize::from(entry.is_pictograph()) << 6;
                seen[id] += 1;
                seen[id] <= 3
            })
            .collect();
        chars.extend(
            "aZ0_'.:,;\" \n\r‘’“”–…·éяא״׳ـ्ก中ひカー가👩\u{200d}\u{fe0f}🇩🇪©Ⓜ\u{300}\u{345}".chars(),
        );
        chars
    }

    #[test]
    fn every_character_is_of_the_class_that_unicode_segmentation_has() {
        for c in '\0'..=char::MAX {
            for probe in [
                "a*b",
                "1*2",
                "א*ב",
                "カ*カ",
                "_*_",
                "-*-",
                " * ",
                "\u{1f1e6}*\u{1f1e6}a",
                "-\u{200d}*a",
                "a\u{200d}*a",
                "*",
            ] {
                check(&probe.replace('*', c.encode_utf8(&mut [0; 4])));
            }
        }
    }

    #[test]
    fn kinds_are_those_of_the_standard_library() {
        if char::UNICODE_VERSION != (17, 0, 0) {
            return;
        }
        for c in '\0'..=char::MAX {
            let kind = Entries::get().of(c.into()).kind();
            assert_eq!(kind >= SPACED, c.is_alphabetic(), "{c:?}");
            assert_eq!(kind != NO_WORD, c.is_alphanumeric(), "{c:?}");
        }
    }

    /// All short texts over characters that stand for the classes.
    #[test]
    fn every_short_sequence_of_classes() {
        let chars: Vec<char> = "a1_'.,\" \n-א カ中👩\u{200d}\u{345}🇩Ⓜ\u{2c2}".chars().collect();
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

    /// What a window knows, and a bit of what it does not.
    const TEXTS: [&str; 9] = [
        "it's said 3.14 of 1,000: don't_ask, e.g. \"well-known\" a.m.  x",
        "l’été “à Noël” – straße… d’œuvre, ção ñandú «où» việt nam của",
        "съешь же ещё этих мягких французских булок, да выпей чаю: 5,5 кг",
        "هٰذا كِتابٌ، 1،5 وَالسَّلامُ عَلَيْكُمْ؟ ایران گفت",
        "中华人民共和国。第12条「道路」运输,2004年4月30日々本",
        "このカタカナ・テストはフックについて学びー、がぎぐ々。ABC株式会社",
        "대한민국의 국민은, 법률이 정하는 바에 의하여 3월의 히읗.",
        "ok 😀😀 👩\u{200d}💻 👍🏽 🇩🇪 ❤\u{fe0f}yes🎉no 🤣",
        "ελλάδα· שלום עולם צה\"ל ไทย กขค भारत में e\u{301}a\u{308}",
    ];

    /// Every awkward character at every place of a window.
    #[test]
    fn awkward_characters_anywhere_in_a_window() {
        let awkward: Vec<char> = every_entry();
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
    fn windows_of_any_length() {
        for text in TEXTS {
            let text = text.repeat(3);
            for (at, _) in text.char_indices() {
                check(&text[at..]);
                check(&text[..at]);
            }
        }
        for filler in ["a", "_", "1", " ", "中", "カ", "я", "\u{64b}", "'", "\r", "𠀀"] {
            for len in 0..140 {
                check(&filler.repeat(len));
                check(&["b", &filler.repeat(len), "b"].concat());
            }
        }
    }

    proptest! {
        #[test]
        fn of_any_text(text in any::<String>()) {
            check(&text);
        }

        #[test]
        fn of_awkward_characters(text in prop::collection::vec(prop::sample::select(every_entry()), 0..40)) {
            check(&text.into_iter().collect::<String>());
        }

        #[test]
        fn of_ascii(text in "[a-cXYZ09_'.:,;\" \n\r-]{0,40}") {
            check(&text);
        }

        #[test]
        fn of_letters_with_something_between(text in "([a-z]{1,20}[ '’.–é中0_\u{301}\u{200d}]{1,2}){0,8}") {
            check(&text);
        }

        #[test]
        fn of_what_a_window_knows(
            text in prop::collection::vec(prop::sample::select(TEXTS.concat().chars().collect::<Vec<_>>()), 0..200),
        ) {
            check(&text.into_iter().collect::<String>());
        }

        #[test]
        fn of_runs(
            runs in prop::collection::vec(
                (prop::sample::select(TEXTS.concat().chars().chain(every_entry()).collect::<Vec<_>>()), 1_usize..20),
                0..30,
            ),
        ) {
            check(&runs.into_iter().map(|(c, len)| String::from(c).repeat(len)).collect::<String>());
        }

        #[test]
        fn a_cut_changes_no_word(
            chars in prop::collection::vec(prop::sample::select(every_entry()), 0..40),
            more in prop::collection::vec(prop::sample::select(every_entry()), 0..10),
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
