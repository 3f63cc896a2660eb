//! Words by windows and segments against `unicode-segmentation` alone.

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
            let count = seen.entry((breaks.get(c), kind, pictographic.contains(c))).or_insert(0);
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

/// Checks all texts of four characters that each stand for a class.
#[test]
#[cfg_attr(miri, ignore = "hundreds of thousands of texts")]
fn every_short_sequence_of_classes() {
    let chars: Vec<char> =
        "a1_'.,\" \n-א カ中กिक\u{e48}\u{5b0}\u{64b}👩\u{200d}\u{345}🇩Ⓜ\u{2c2}".chars().collect();
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
