//! `nearprint::normalize` against Unicode's own data and against other implementations.
//!
//! `tests/data/ucd.txt.gz` has the properties from which `src/text/normalize/tables.rs` is generated. The first test compares them,
//! for every code point, with ICU4X, the Unicode Consortium's library, of the same Unicode version; with `UPDATE=1` it writes
//! the file. `tests/data/NormalizationTest.txt.gz` is Unicode's.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::sync::LazyLock;

use icu_casemap::CaseMapper;
use icu_normalizer::properties::{
    CanonicalCombiningClassMap, CanonicalComposition, CanonicalDecomposition, Decomposed,
};
use icu_normalizer::{ComposingNormalizer, DecomposingNormalizer};
use icu_properties::{CodePointSetData, props::DefaultIgnorableCodePoint};
use nearprint::normalize::{UNICODE_VERSION, boundary, nfkc_casefold, nfkc_casefold_into};
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization as _;

use crate::tier;

/// The properties in `ucd.txt.gz`. Code points that are not there have the default values.
struct Ucd {
    ccc: HashMap<char, u8>,
    nfkc_cf: HashMap<char, String>,
}

static UCD: LazyLock<Ucd> = LazyLock::new(|| {
    let mut ucd = Ucd { ccc: HashMap::new(), nfkc_cf: HashMap::new() };
    for line in unzip("ucd.txt.gz").lines().filter(|line| !line.starts_with('#')) {
        let [code, ccc, _, _, nfkc_cf] = fields(line);
        let c = sequence(code).pop().unwrap();
        ucd.ccc.insert(c, ccc.parse().unwrap());
        if nfkc_cf != "=" {
            ucd.nfkc_cf.insert(c, sequence(nfkc_cf));
        }
    }
    ucd
});

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data").join(name)
}

fn unzip(name: &str) -> String {
    let mut text = String::new();
    let file = File::open(path(name)).unwrap();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text
}

fn fields<const N: usize>(line: &str) -> [&str; N] {
    let fields: Vec<_> = line.split(';').collect();
    fields[..N].try_into().unwrap()
}

/// Converts `"0041 030A"` to a text.
fn sequence(codes: &str) -> String {
    let code = |code| char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap();
    codes.split_whitespace().map(code).collect()
}

fn codes(text: &str) -> String {
    let codes: Vec<_> = text.chars().map(|c| format!("{:04X}", u32::from(c))).collect();
    codes.join(" ")
}

fn every_char() -> impl Iterator<Item = char> {
    '\0'..=char::MAX
}

/// The definition: map each character by NFKC_CF, then convert to Normalization Form C.
fn oracle(text: &str) -> String {
    let map = |c| UCD.nfkc_cf.get(&c).cloned().unwrap_or_else(|| String::from(c));
    text.chars().map(map).collect::<String>().nfc().collect()
}

/// The same with ICU4X, which is fast on long runs of marks too.
fn icu(text: &str) -> String {
    let map = |c| UCD.nfkc_cf.get(&c).cloned().unwrap_or_else(|| String::from(c));
    let mapped: String = text.chars().map(map).collect();
    ComposingNormalizer::new_nfc().normalize(&mapped).into_owned()
}

#[track_caller]
fn check(text: &str) {
    assert_eq!(codes(&nfkc_casefold(text)), codes(&oracle(text)), "of {}", codes(text));
}

/// The property NFKC_CF as UAX #44 derives it: case folding, compatibility normalisation and the removal of
/// Default_Ignorable_Code_Point, repeated until nothing changes.
fn derived_nfkc_cf(c: char) -> String {
    let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
    let mut text = String::from(c);
    loop {
        let folded = CaseMapper::new().fold_string(&text).into_owned();
        let mut next = ComposingNormalizer::new_nfkc().normalize(&folded).into_owned();
        next.retain(|c| !ignorable.contains(c));
        if next == text {
            return text;
        }
        text = next;
    }
}

#[test]
fn the_data_agree_with_icu4x() {
    let mut text = String::from(
        "# Unicode 17.0.0: code point; ccc; canonical Decomposition_Mapping; x if Full_Composition_Exclusion; NFKC_CF\n\
         # where one of them says something, Hangul syllables left out; \"=\" is the code point itself.\n\
         # Written by tests/it/normalize.rs. Copyright (c) 1991-2025 Unicode, Inc., Unicode License v3 (LICENSE-UNICODE).\n",
    );
    for c in every_char().filter(|c| !('가'..='힣').contains(c)) {
        let ccc = CanonicalCombiningClassMap::new().get_u8(c);
        let (parts, excluded) = match CanonicalDecomposition::new().decompose(c) {
            Decomposed::Default => (String::new(), ""),
            Decomposed::Singleton(part) => (String::from(part), "x"),
            Decomposed::Expansion(first, second) => {
                let composite = CanonicalComposition::new().compose(first, second);
                (String::from_iter([first, second]), if composite == Some(c) { "" } else { "x" })
            }
        };
        let folded = derived_nfkc_cf(c);
        let is_itself = folded.chars().eq([c]);
        if ccc == 0 && parts.is_empty() && is_itself {
            continue;
        }
        let folded = if is_itself { String::from("=") } else { codes(&folded) };
        writeln!(text, "{:04X};{ccc};{};{excluded};{folded}", u32::from(c), codes(&parts)).unwrap();
    }
    if std::env::var_os("UPDATE").is_some() {
        let file = File::create(path("ucd.txt.gz")).unwrap();
        let mut gzip = flate2::write::GzEncoder::new(file, flate2::Compression::best());
        gzip.write_all(text.as_bytes()).unwrap();
        gzip.finish().unwrap();
    }
    assert!(text == unzip("ucd.txt.gz"), "ucd.txt.gz is not up to date");
}

#[test]
fn all_libraries_have_one_unicode_version() {
    assert_eq!(UNICODE_VERSION, (17, 0, 0));
    assert_eq!(unicode_normalization::UNICODE_VERSION, UNICODE_VERSION);
    assert_eq!(unicode_segmentation::UNICODE_VERSION, (17, 0, 0));
    assert!(unzip("NormalizationTest.txt.gz").starts_with("# NormalizationTest-17.0.0.txt"));
}

#[test]
fn every_code_point_alone_and_in_context() {
    for c in tier::every_char() {
        check(&format!("{c}"));
        check(&format!("a{c}")); // on an ASCII letter
        check(&format!("{c}\u{301}\u{323}")); // under marks
        check(&format!("é\u{345}{c}\u{327}")); // among them
        check(&format!("\u{1100}{c}\u{11A8}")); // between Hangul letters
        check(&format!("\u{16D63}{c}\u{16D67}")); // composites that begin with what joins
        check(&format!("\u{DDA}{c}\u{DCA}\u{9C7}{c}\u{9BE}"));
    }
}

#[test]
fn every_second_character_after_characters_that_are_not_plain() {
    // The second character of a composition joins or is a mark: each of those after characters that may compose with it.
    let composes = |c: char| nfkc_casefold(&format!("a{c}\u{334}")) != format!("a{c}\u{334}");
    let seconds: Vec<char> = every_char()
        .filter(|&c| UCD.ccc.get(&c).is_some_and(|&ccc| ccc != 0) || !is_boundary(c))
        .collect();
    let firsts: Vec<char> = every_char()
        .filter(|&c| composes(c) || UCD.ccc.contains_key(&c))
        .filter(|c| !('\u{E0000}'..='\u{E0FFF}').contains(c) && !c.is_ascii())
        .collect();
    for &first in firsts.iter().step_by(if tier::is_quick() { 35 } else { 7 }) {
        let text: String = seconds.iter().flat_map(|&second| [first, second, 'x']).collect();
        check(&text);
    }
}

fn is_boundary(c: char) -> bool {
    boundary(&String::from(c)).is_some()
}

#[test]
fn normalization_test() {
    let file = unzip("NormalizationTest.txt.gz");
    let mut tested = 0;
    for line in file.lines().filter(|line| !line.starts_with(['#', '@']) && !line.is_empty()) {
        let columns: [String; 5] = fields::<5>(line).map(sequence);
        for column in &columns {
            check(column);
        }
        let nfd_source = columns[2].clone();
        // toNFKC_Casefold is a compatibility folding: texts with equal NFKC have equal results.
        let [source, nfc, nfd, nfkc, nfkd] = columns.map(|column| nfkc_casefold(&column));
        // Except with U+0345, a mark that folds to a letter: the order of other marks then decides which letter they are on.
        if !nfd_source.contains('\u{345}') {
            for other in [nfc, nfd, nfkc, nfkd] {
                assert_eq!(source, other, "{line}");
            }
        }
        tested += 1;
    }
    assert!(tested > 19_000);
}

#[test]
fn case_folding() {
    let mut tested = 0;
    for line in unzip("CaseFolding.txt.gz").lines().filter(|line| !line.starts_with('#')) {
        let [code, status, mapping] = fields(line);
        if ["C", "F"].contains(&status.trim()) {
            assert_eq!(nfkc_casefold(&sequence(code)), nfkc_casefold(&sequence(mapping)), "{line}");
            tested += 1;
        }
    }
    assert!(tested > 1_500);
}

/// Characters that windows know and characters that they do not, at every position of a window.
#[test]
fn every_position_of_a_window() {
    for text in [
        "é",
        "пё",
        "漢",
        "、かな",
        "한국",
        "a漢é",
        "ſ",
        "K漢",
        "ﬁ",
        "😀漢字",
        "が",
        "שלום",
        "ქართ",
        "กข",
        "ก\u{e48}ก",
        "ก\u{e38}\u{e48}",
        "\u{e48}ก",
        "Ⅰ\u{e48}",
        "a\u{e48}\u{5b0}",
    ] {
        for before in 0..140 {
            check(&["x".repeat(before).as_str(), text, "漢字 YES"].concat());
        }
    }
}

#[test]
fn hostile_texts_of_a_megabyte() {
    let marks = "\u{323}\u{301}\u{345}\u{334}\u{5B0}\u{AD}".repeat(100_000);
    let joining = "\u{16D67}".repeat(500_000);
    // Every class many times, in the worst order for a sort by insertion; windows that end at every other character.
    let classes: String = (0..400_000)
        .map(|at| ["\u{301}", "\u{323}", "\u{5b0}", "\u{334}", "\u{3099}"][at * 5 / 400_000])
        .collect();
    let alternating = "aÀ漢\u{301}".repeat(100_000);
    let texts = [format!("a{marks}"), format!("가{marks}b"), marks.clone(), joining.clone()];
    for text in texts.into_iter().chain([classes, alternating, "\u{1f1e6}".repeat(250_000)]) {
        assert_eq!(nfkc_casefold(&text), icu(&text));
    }
    assert_eq!(boundary(&marks.replace('\u{345}', "")), None);
    assert_eq!(boundary(&joining), None);
    assert_eq!(boundary(&format!("a가{joining}")), Some(1));
}

#[test]
fn appending_keeps_the_existing_text() {
    let mut out = String::from("e");
    nfkc_casefold_into("\u{301}X", &mut out);
    nfkc_casefold_into("", &mut out);
    assert_eq!(out, "e\u{301}x");
}

#[test]
fn boundaries_are_close_to_the_end() {
    for (text, expected) in [
        ("", None),
        ("a", Some(0)),
        ("ab", Some(1)),
        ("a\u{301}", Some(0)),
        ("文字", Some(3)),
        ("한국", Some(3)),
        ("\u{1112}\u{1161}\u{11AB}", Some(0)),
        ("a\u{200D}", Some(0)),
        ("\u{301}\u{200D}", None),
        ("ba\u{FF9E}", Some(1)),
    ] {
        assert_eq!(boundary(text), expected, "of {text:?}");
    }
}

#[track_caller]
fn check_boundary(text: &str, rest: &str) {
    let whole = oracle(&format!("{text}{rest}"));
    let at = boundary(text).unwrap_or(0);
    let mut parts = nfkc_casefold(&text[..at]);
    nfkc_casefold_into(&format!("{}{rest}", &text[at..]), &mut parts);
    assert_eq!(codes(&parts), codes(&whole), "of {} and {}", codes(text), codes(rest));
}

/// Texts of any characters, mostly of characters that normalisation changes or reorders.
fn texts() -> impl Strategy<Value = String> {
    static INTERESTING: LazyLock<Vec<char>> = LazyLock::new(|| {
        let mut chars: Vec<_> = UCD.ccc.keys().copied().filter(|&c| c < '\u{E0000}').collect();
        chars.extend(every_char().filter(|&c| !is_boundary(c) && c < '\u{E0000}'));
        chars.sort_unstable();
        chars
    });
    static MARKS: LazyLock<Vec<char>> =
        LazyLock::new(|| INTERESTING.iter().copied().filter(|&c| !is_boundary(c)).collect());
    let character = prop_oneof![
        4 => any::<prop::sample::Index>().prop_map(|i| *i.get(&INTERESTING)),
        4 => any::<prop::sample::Index>().prop_map(|i| *i.get(&MARKS)),
        2 => prop::sample::select("aeouAEOUiIsS가\u{1100}\u{1161}\u{11A8}한ｶﾊαω\u{3B9}\u{345}\u{301}\u{323}".chars().collect::<Vec<_>>()),
        1 => any::<char>(),
        1 => prop::char::range(' ', '~'),
    ];
    prop::collection::vec(character, 0..24).prop_map(String::from_iter)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..tier::cases(20_000) })]

    #[test]
    fn is_the_definition(text in texts()) {
        check(&text);
    }

    #[test]
    fn is_the_definition_among_ascii(text in texts(), before in "[ -~]{0,40}", after in "[ -~]{0,40}") {
        check(&format!("{before}{text}{after}"));
    }

    /// The two libraries against each other. A normalised text normalises to itself, except after U+0345 and similar marks:
    /// they fold to a letter, which then precedes marks that belonged to another letter.
    #[test]
    fn icu4x_agrees(text in texts()) {
        let mapped: String = text.chars().map(derived_nfkc_cf).collect();
        prop_assert_eq!(ComposingNormalizer::new_nfc().normalize(&mapped), nfkc_casefold(&text));
        let nfd = DecomposingNormalizer::new_nfd().normalize(&text);
        if !nfd.contains('\u{345}') {
            prop_assert_eq!(nfkc_casefold(&nfd), nfkc_casefold(&text));
        }
    }

    #[test]
    fn the_parts_at_a_boundary_normalise_separately(text in texts(), rest in texts()) {
        check_boundary(&text, &rest);
    }

    #[test]
    fn chunks_normalise_as_the_whole(text in texts(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6)) {
        let chars: Vec<char> = text.chars().collect();
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(chars.len() + 1)).collect();
        cuts.push(chars.len());
        cuts.sort_unstable();
        let (mut begin, mut held, mut out) = (0, String::new(), String::new());
        for cut in cuts {
            let chunk = String::from_iter(&chars[begin..cut]);
            begin = cut;
            let last = boundary(&chunk); // of the new chunk alone
            let done = last.map_or(0, |at| held.len() + at);
            held.push_str(&chunk);
            nfkc_casefold_into(&held[..done], &mut out);
            held.drain(..done);
        }
        nfkc_casefold_into(&held, &mut out);
        prop_assert_eq!(out, oracle(&text));
    }
}
