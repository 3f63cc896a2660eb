//! The core against the reference implementation, on arbitrary text.

use nearprint::{
    Key,
    dedupe::{SketchScheme, Sketcher},
    hash::{fmix64, fnv1_64},
    simhash::{Fingerprinter, Scheme},
};
use nearprint_reference as reference;
use proptest::prelude::*;

use crate::{
    sketch_form::{assert_same, sketch_in},
    tier,
};

const IDS: [&str; 9] = [
    "v1:128",
    "v1:64:verbatim",
    "v1:64:words1:tf",
    "v1:64:words3:binary",
    "v1:64:words2:raw",
    "v1:128:chars1",
    "v1:64:chars2:raw:tf",
    "v1:64:chars5:fnv1a",
    "v1:32:verbatim:chars3",
];

/// Schemes of sketches.
const SKETCH_IDS: [&str; 5] = ["s1", "s1:words1", "s1:words3", "s1:chars1", "s1:chars5"];

const KEY: &[u8; 16] = b"sixteen bytes!!!";

/// Text of characters that matter to word boundaries, normalisation, dense words or symbols.
fn provoking() -> impl Strategy<Value = String> {
    let of = |chars: &'static str| prop::sample::select(chars.chars().collect::<Vec<_>>());
    let c = prop_oneof![
        6 => of("aAbB zZ09_'\".,:;-\n\r\t!é ß"),
        3 => of("\u{300}\u{301}\u{323}\u{345}\u{327}\u{5b4}\u{64e}\u{93e}\u{94d}\u{e33}\u{e49}\u{1133e}\u{3099}\u{309a}\u{20dd}"),
        2 => of("\u{ad}\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}\u{fe0f}\u{180e}\u{e0041}\u{115f}\u{3164}\u{85}\u{2028}\u{a0}\u{3000}"),
        3 => of("网页内容々〆〇ー・カタｶﾞｽひらがな゛゜〱㌔豈𠮷"),
        3 => of("กขำาะໝນ້ຳកខា្မမြန်가각힣각ㄱ"),
        2 => of("אבה\"׳״שسلمﷺﻻكЖжΣςσİıſǅﬁﬆẞΐ"),
        2 => of("👍👩🏽‍❤️🇩🇪🇫1️⃣©™²①Ⅷ½𝐇"),
        4 => of("-\u{2212}**57٣５+<=#%&/@\\|~^`$€₿№°♥─■\u{fffd}－＊＃"),
        1 => any::<char>(),
    ];
    prop::collection::vec(c, 0..60).prop_map(String::from_iter)
}

/// Returns the pieces of a text that is cut at these places, also inside a character.
fn pieces<'a>(text: &'a [u8], cuts: &[prop::sample::Index]) -> Vec<&'a [u8]> {
    let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
    at.extend([0, text.len()]);
    at.sort_unstable();
    at.windows(2).map(|ends| &text[ends[0]..ends[1]]).collect()
}

fn check(text: &str, cuts: &[prop::sample::Index]) -> Result<(), TestCaseError> {
    let keyed = IDS.into_iter().filter(|id| !id.contains("fnv1a")).map(|id| (id, Some(KEY)));
    for (id, key) in IDS.into_iter().map(|id| (id, None)).chain(keyed) {
        let expected = reference::keyed_fingerprint(id, key, text);
        let mut scheme = id.parse::<Scheme>().unwrap();
        if let Some(key) = key {
            scheme = scheme.keyed(Key::new(*key)).unwrap();
        }
        let mut core = Fingerprinter::new(scheme).unwrap();
        prop_assert_eq!(core.fingerprint(text), expected, "{} of {:?}", id, text);
        let mut stream = core.stream();
        for piece in pieces(text.as_bytes(), cuts) {
            stream.update_bytes(piece);
        }
        prop_assert_eq!(stream.digest(), expected, "{} of {:?}, in pieces", id, text);
        let by_features = core.compare(text, "").a.fingerprint;
        prop_assert_eq!(by_features, expected, "{} of {:?}, by its features", id, text);
    }
    Ok(())
}

/// Text of characters that matter to folding, and the characters around them.
fn folding() -> impl Strategy<Value = String> {
    let of = |chars: &'static str| prop::sample::select(chars.chars().collect::<Vec<_>>());
    let c = prop_oneof![
        6 => of("aAbn 059.,!*-é ßÉñ"),
        4 => of("'’‘ʼ·ʹ־׳״ـ՚‧"),
        4 => of("\u{300}\u{301}\u{323}\u{302}\u{307}\u{327}\u{338}\u{5b4}\u{64e}\u{654}\u{670}\u{711}\u{93e}\u{94d}\u{3099}\u{20dd}"),
        3 => of("æŒłĐøħıİǿǽệỹΰΏйЁїאבآأٱىیکكي"),
        3 => of("-\u{ad}\u{2010}\u{2011}\n\r\t \u{85}\u{2028}\u{b}"),
        3 => of("网カがㄅㄆꊿꂷꦱꦧ꦳꧀ᬲᬸ꧑ꪁกᦀᨠ\u{13000}"),
        2 => of("–\u{2212}≠=<\u{338}+$👍"),
        1 => any::<char>(),
    ];
    prop::collection::vec(c, 0..60).prop_map(String::from_iter)
}

fn check_sketches(text: &str, cuts: &[prop::sample::Index]) -> Result<(), TestCaseError> {
    let keys = [None, Some(KEY)];
    for (id, key) in SKETCH_IDS.into_iter().flat_map(|id| keys.map(|key| (id, key))) {
        let mut scheme = id.parse::<SketchScheme>().unwrap();
        if let Some(key) = key {
            scheme = scheme.keyed(Key::new(*key)).unwrap();
        }
        let mut core = Sketcher::new(scheme).unwrap();
        let written = scheme.to_string();
        let sketch_of = |scope, text| reference::keyed_sketch(&written, id, key, scope, text);
        let (sketch, scoped) = (sketch_of("", text), sketch_of("example.org", text));
        let why = format!("{id} of {text:?}");
        assert_same(&core.sketch(text), &sketch, &why);
        assert_same(&sketch_in(&mut core, "", text), &sketch, &why);
        assert_same(&sketch_in(&mut core, "example.org", text), &scoped, &why);
        // The text without its beginning.
        let rest: String = text.chars().skip(text.len() / 20).collect();
        prop_assert_eq!(
            core.sketch(text).resemblance(&core.sketch(&rest)).unwrap(),
            reference::resemblance(&sketch, &sketch_of("", &rest)),
            "{}: {:?} and {:?}",
            id,
            text,
            rest
        );
        let mut stream = core.stream();
        for piece in pieces(text.as_bytes(), cuts) {
            stream.update_bytes(piece);
        }
        assert_same(&stream.sketch(), &sketch, &format!("{why}, in pieces"));
        let set = core.feature_set(Key::new(*KEY), text);
        let numbers = [0, 8].map(|at| {
            let start = written.len() + 2 + at;
            u64::from_le_bytes(sketch[start..start + 8].try_into().unwrap())
        });
        prop_assert_eq!(set.sequence_hashes(), [numbers[0] & !1, numbers[1]], "{}", why);
    }
    Ok(())
}

proptest! {
    #![proptest_config(tier::cases(3000))]

    #[test]
    fn on_provoking_text(text in provoking(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6)) {
        check(&text, &cuts)?;
        check_sketches(&text, &cuts)?;
    }

    #[test]
    fn on_text_that_folds(text in folding(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6)) {
        check_sketches(&text, &cuts)?;
    }

    #[test]
    fn on_any_text(text in ".{0,40}", cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6)) {
        check(&text, &cuts)?;
        check_sketches(&text, &cuts)?;
    }

    #[test]
    fn bytes_have_the_fingerprint_of_their_lossy_text(
        bytes in prop::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(b"a \xe2\x82\xac\xf0\x9f\xed\xa0".to_vec())], 0..40),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let mut core = Fingerprinter::default();
        let expected = core.fingerprint(&String::from_utf8_lossy(&bytes));
        prop_assert_eq!(core.fingerprint_bytes(&bytes), expected);
        let mut stream = core.stream();
        for piece in pieces(&bytes, &cuts) {
            stream.update_bytes(piece);
        }
        prop_assert_eq!(stream.digest(), expected, "{:x?}, in pieces", bytes);
    }
}

/// Every character: whether it is a word, and whether that is dense; whether it is a symbol, and makes one of a sign before it;
/// what it folds to, and whether it is a letter that a hyphen or an apostrophe joins.
#[test]
fn on_every_character() {
    let mut core = Sketcher::default();
    let differs = |&c: &char| {
        let text = format!("a {c} b -{c} *{c} !{c} 5'{c} x{c}y a-\n{c} {c}-\na");
        core.sketch(&text).to_bytes() != reference::sketch("s1", "", &text)
    };
    let wrong: Vec<String> =
        tier::every_char().filter(differs).map(|c| format!("U+{:04X}", u32::from(c))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join(" "));
}

/// Odd sketches of every level that texts of up to 20,000 features have.
#[test]
fn on_texts_of_every_size() {
    let id = "s1:words2";
    let mut core = Sketcher::new(id.parse().unwrap()).unwrap();
    let sketches: Vec<_> = (0..24)
        .map(|size| {
            let words = (10.0 * 1.4_f64.powi(size)) as usize;
            let text: String = (words / 9..words).map(|n| format!("w{n} ")).collect();
            let expected = reference::sketch(id, "", &text);
            let sketch = core.sketch(&text);
            assert_same(&sketch, &expected, &format!("{words} words"));
            (sketch, expected)
        })
        .collect();
    for (a, expected_a) in &sketches {
        for (b, expected_b) in &sketches {
            let expected = reference::resemblance(expected_a, expected_b);
            assert_eq!(a.resemblance(b).unwrap(), expected, "{a:?}, {b:?}");
        }
    }
}

/// A text of more different features than the table of counts holds.
#[test]
fn on_a_long_text() {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from_u32(0x4e00 + (state >> 16) % 5000).unwrap()
    };
    let long: String = (0..60_000).map(|_| next()).collect();
    let text = format!("{long}{}{}", "一二三四 ".repeat(3000), &long[..90_000]);
    for id in ["v1:64", "v1:128", "v1:64:raw", "v1:64:binary", "v1:128:tf", "v1:64:chars2"] {
        let mut core = Fingerprinter::new(id.parse::<Scheme>().unwrap()).unwrap();
        assert_eq!(core.fingerprint(&text), reference::fingerprint(id, &text), "{id}");
        let mut stream = core.stream();
        stream.update(&text).update(" ");
        if !id.ends_with("tf") {
            // At most two words are kept back, with which three features end each.
            let all = core.features(&text).len();
            assert!((all - 6..=all).contains(&stream.distinct()), "{id}: {}", stream.distinct());
        }
    }
    for id in ["s1", "s1:chars2"] {
        let mut core = Sketcher::new(id.parse().unwrap()).unwrap();
        assert_same(&core.sketch(&text), &reference::sketch(id, "", &text), id);
    }
}

/// A text longer than 64 KiB is processed in parts. What waits for the next character is at their borders.
#[test]
fn on_the_border_of_a_part() {
    let ends = [
        "a* b",
        "a *b",
        "a-5",
        "a -5",
        "a --5",
        "a \u{2212}5",
        "中-5",
        "中*中",
        "$ *",
        "5 **- -5",
        "a !b",
        "a! b",
        "l’é",
        "5’a",
        "5’’5",
        "a-\nb",
        "a-\n5",
        "é\u{301}\u{323} b",
        "x ́ y",
    ];
    let mut core = Sketcher::default();
    for end in ends {
        for filler in ["x ", "中", "- ", "'"] {
            // The same text from the first word on, in one part.
            for before in (1 << 16) - 12..=(1 << 16) + 2 {
                let text = filler.repeat(before / filler.len()) + end;
                let mut stream = core.stream();
                text.as_bytes().chunks(1000).for_each(|chunk| {
                    stream.update_bytes(chunk);
                });
                assert_eq!(
                    core.sketch(&text),
                    stream.sketch(),
                    "{end:?} after {before} bytes of {filler:?}"
                );
            }
        }
    }
}

/// Words whose hashes collide in every table of counts: the low 17 bits of each are equal.
fn colliding_words(count: usize) -> Vec<String> {
    let words = (0_u64..).map(|n| {
        (0..8).map(|at| char::from(b'a' + (n >> (4 * at) & 15) as u8)).collect::<String>()
    });
    words.filter(|word| fmix64(fnv1_64(word.as_bytes())) << 47 == 0).take(count).collect()
}

#[test]
fn on_a_hostile_text() {
    let words = colliding_words(100);
    let various = |from: u32| (from..from + 40_000).map(|n| format!("w{} ", n % 39_000));
    let repeated = (0..3000).map(|n| format!("{} ", words[n * n % words.len()]));
    // The table meets the words first, then when it is half full, then when it is full.
    let texts = [0, 10_000, 80_000].map(|before| {
        (0..before).map(|n| format!("v{n} ")).chain(repeated.clone()).collect::<String>()
    });
    // Each fingerprinter gets all texts: none leaves anything for the next.
    let ids = ["v1:64", "v1:64:words1:binary", "v1:128:words1"];
    let mut fingerprinters =
        ids.map(|id| (id, Fingerprinter::new(id.parse::<Scheme>().unwrap()).unwrap()));
    let mut sketcher = Sketcher::default();
    for text in
        texts.iter().chain(&[various(0).chain(repeated.clone()).chain(various(7)).collect()])
    {
        assert_same(&sketcher.sketch(text), &reference::sketch("s1", "", text), "a hostile text");
        for (id, core) in &mut fingerprinters {
            assert_eq!(core.fingerprint(text), reference::fingerprint(id, text), "{id}");
        }
    }
}
