//! Words against `unicode-segmentation` alone, and against Unicode's own WordBreakTest.txt, whose segments are independent of any
//! implementation.

use std::{
    collections::{BTreeSet, HashMap},
    fs::{self, File},
    io::Read as _,
    sync::LazyLock,
};

use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{self, Alphabetic, GeneralCategory, GeneralCategoryGroup, Script},
    script::ScriptWithExtensions,
};
use nearprint::hash::fmix64;
use nearprint::simhash::{Fingerprinter, Scheme};
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

use crate::hostile;
use crate::keyed::{hash_by_key, key};
use crate::tier;

/// The kind of every code point, by ICU4X, the Unicode Consortium's library: 1 for a number, 2 for a letter, 3 for a letter of a
/// script written without spaces, 4 for a decimal digit, 5 for a symbol, 0 for others.
static KINDS: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let alphabetic = CodePointSetData::new::<Alphabetic>();
    let categories = CodePointMapData::<GeneralCategory>::new();
    let scripts = ScriptWithExtensions::new();
    // The long vowel mark, for one, is Common, and shared by scripts.
    let is_unspaced = |c: char| match scripts.get_script_val(c) {
        Script::Common => [Script::Han, Script::Hiragana, Script::Katakana]
            .iter()
            .any(|&script| scripts.has_script(c, script)),
        Script::Han | Script::Hiragana | Script::Katakana => true,
        Script::Thai | Script::Lao | Script::Khmer | Script::Myanmar => true,
        _ => false,
    };
    let kind = |c: char| {
        if alphabetic.contains(c) {
            2 + u8::from(is_unspaced(c))
        } else {
            match categories.get(c) {
                GeneralCategory::DecimalNumber => 4,
                category if GeneralCategoryGroup::Number.contains(category) => 1,
                GeneralCategory::CurrencySymbol
                | GeneralCategory::MathSymbol
                | GeneralCategory::OtherSymbol => 5,
                _ => 0,
            }
        }
    };
    // A surrogate has no kind.
    (0..=u32::from(char::MAX)).map(|code| char::from_u32(code).map_or(0, kind)).collect()
});

fn kind(c: char) -> u8 {
    KINDS[c as usize]
}

/// Whether a segment is a word: it has a letter or a number.
fn is_word(segment: &str) -> bool {
    segment.chars().any(|c| (1..=4).contains(&kind(c)))
}

/// Whether a word has no letter, or the first one is of a script written without spaces.
fn is_dense(word: &str) -> bool {
    word.chars().map(kind).find(|kind| matches!(kind, 2 | 3)) != Some(2)
}

static KEYED: LazyLock<Fingerprinter> = LazyLock::new(|| {
    let scheme: Scheme = "v1:64:verbatim".parse().unwrap();
    Fingerprinter::new(scheme.keyed(key()).unwrap()).unwrap()
});

/// Checks that a text has these words, by their grams: a word that is not dense is one, a pair starts with each word, and a triple
/// with each dense word. The bindings separate features by line breaks, so no word may contain one.
#[track_caller]
fn check_words(text: &str, words: &[&str]) {
    let hashes: Vec<u64> = words.iter().map(|word| hash_by_key(word)).collect();
    let gram = |words: &[u64]| {
        let join =
            |gram: u64, word: &u64| gram.wrapping_mul(0xbf58_476d_1ce4_e5b9).wrapping_add(*word);
        fmix64(words[1..].iter().fold(words[0], join))
    };
    let singles =
        hashes.windows(1).zip(words).filter(|(_, word)| words.len() == 1 || !is_dense(word));
    let triples = hashes.windows(3).zip(words).filter(|(_, first)| is_dense(first));
    let some = singles.chain(triples).map(|(gram, _)| gram);
    let expected: BTreeSet<u64> = hashes.windows(2).chain(some).map(gram).collect();
    let features = KEYED.features(text);
    let found: BTreeSet<u64> = features.iter().map(|feature| feature.hash as u64).collect();
    assert_eq!(found, expected, "{text:?}");
    assert!(!words.iter().any(|word| word.contains('\n')), "{text:?}");
}

/// Checks that a text has the words that `unicode-segmentation` finds.
#[track_caller]
fn check(text: &str) {
    check_words(text, &text.unicode_words().collect::<Vec<_>>());
}

/// Seven bits a byte, the most significant first; bit 7 means that more bytes follow.
fn varint(number: u32) -> impl Iterator<Item = u8> {
    let len = (1..5).find(|len| number >> (7 * len) == 0).expect("fewer than 28 bits");
    (0..len).rev().map(move |at| (number >> (7 * at)) as u8 & 0x7f | u8::from(at > 0) << 7)
}

#[test]
fn the_table_of_kinds_agrees_with_icu4x() {
    let runs = KINDS.chunk_by(|a, b| a == b);
    let bytes: Vec<u8> =
        runs.flat_map(|run| varint((run.len() as u32) << 3 | u32::from(run[0]))).collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../src/text/kind.bin");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path, &bytes).expect("a writable file");
    }
    let is_current = fs::read(path).is_ok_and(|old| old == bytes);
    assert!(
        is_current,
        "{path} is not up to date: UPDATE=1 cargo test -p nearprint-tests --test it kinds"
    );
}

#[test]
fn every_line_of_word_break_test() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/WordBreakTest.txt.gz");
    let mut file = String::new();
    flate2::read::GzDecoder::new(File::open(path).expect("the data"))
        .read_to_string(&mut file)
        .expect("a text");
    assert!(file.starts_with("# WordBreakTest-17.0.0.txt"), "the Unicode version of the scheme");
    let mut lines = 0;
    for line in file.lines() {
        // ÷ 0001 × 0308 ÷ 0001 ÷	#  a comment
        let data = line.split('#').next().unwrap_or_default().trim();
        if data.is_empty() {
            continue;
        }
        lines += 1;
        let character = |code: &str| {
            char::from_u32(u32::from_str_radix(code, 16).expect("digits")).expect("a character")
        };
        let segments: Vec<String> = data
            .split('÷')
            .map(|segment| {
                segment.split(['×', ' ']).filter(|code| !code.is_empty()).map(character).collect()
            })
            .collect();
        let expected: Vec<&str> =
            segments.iter().map(String::as_str).filter(|segment| is_word(segment)).collect();
        check_words(&segments.concat(), &expected);
    }
    assert!(lines > 1800, "{lines} lines");
}

/// Characters of every property that matters to words: three of each combination, and those that rules name.
fn awkward_characters() -> Vec<char> {
    let breaks = CodePointMapData::<props::WordBreak>::new();
    let pictographic = CodePointSetData::new::<props::ExtendedPictographic>();
    let mut seen = HashMap::new();
    let mut chars: Vec<char> = ('\0'..=char::MAX)
        .filter(|&c| {
            let class = (breaks.get(c), kind(c), pictographic.contains(c));
            let count = seen.entry(class).or_insert(0);
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
fn every_character_in_contexts_that_differ_by_class() {
    // One text for each character: nothing joins across the line feeds.
    let contexts = concat!(
        "a*b\n1*2\nא*ב\nא\"*ב\nא'*ב\nก*ข\nक*ख\nカ*カ\n_*_\n-*-\n * \n",
        "\u{1f1e6}*\u{1f1e6}a\n-\u{200d}*a\na\u{200d}*a\n*"
    );
    for c in tier::every_char() {
        check(&contexts.replace('*', c.encode_utf8(&mut [0; 4])));
    }
}

/// Checks all texts of four characters that each stand for a class.
#[test]
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

/// Long texts that repeat what costs most.
#[test]
fn long_hostile_texts() {
    for unit in hostile::UNITS {
        let text = unit.repeat(300_000 / unit.len());
        let marks = ["a.", &"\u{301}".repeat(100_000), unit].concat();
        for text in [text, marks] {
            check(&text);
        }
    }
}

proptest! {
    #[test]
    fn of_any_text(text in any::<String>()) {
        check(&text);
    }

    #[test]
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
    fn a_cut_changes_no_word(
        head in prop::collection::vec(prop::sample::select(awkward_characters()), 0..40),
        tail in prop::collection::vec(prop::sample::select(awkward_characters()), 0..10),
    ) {
        let [head, tail] = [head, tail].map(String::from_iter);
        let mut stream = KEYED.stream();
        stream.update(&head).update(&tail);
        prop_assert_eq!(stream.digest(), KEYED.clone().fingerprint(&(head + &tail)));
    }
}
