//! The symbols in the hashes of equality, against the reference.

use std::sync::LazyLock;

use nearprint::Key;
use nearprint::dedupe::{Sketch, SketchScheme, Sketcher};
use nearprint_reference as reference;
use proptest::{prelude::*, sample::select};

use crate::keyed::key;
use crate::tier::{self, every_char};

static DEFAULT: LazyLock<Sketcher> = LazyLock::new(Sketcher::default);

/// Returns the two hashes of a text by the reference, the first with lowest bit 0.
fn expected(text: &str) -> [u64; 2] {
    let sketch = Sketch::from_bytes(&reference::sketch("s1", "", text)).unwrap();
    hashes_of(&sketch)
}

/// Returns the two hashes in a sketch, the first with lowest bit 0.
fn hashes_of(sketch: &Sketch) -> [u64; 2] {
    let [first, second] = sketch.hashes();
    [first & !1, second]
}

/// Returns the two hashes of a text, which a feature set processes in one part.
fn hashes(text: &str) -> [u64; 2] {
    DEFAULT.feature_set(key(), text).sequence_hashes()
}

fn check(text: &str) {
    assert_eq!(hashes(text), expected(text), "{text:?}");
}

#[test]
fn texts_that_differ_in_symbols() {
    let mut sketcher = Sketcher::default();
    let secret = Key::new(*b"sixteen bytes!!!");
    let mut keyed = Sketcher::new(SketchScheme::default().keyed(secret).unwrap()).unwrap();
    for texts in [
        ["it costs $500 now", "it costs €500 now"],
        ["we write C++", "we write C#"],
        ["it is -5 degrees", "it is +5 degrees"],
        ["it is -5 degrees", "it is 5 degrees"],
        ["it is \u{2212}5 degrees", "it is 5 degrees"],
        ["good 👍", "good 👎"],
        ["good 👍🏽", "good 👍🏿"],
        ["👍", "👎"],
        ["+ =", "= +"],
        ["a < b", "a > b"],
        ["a + b = c", "a b + = c"],
        ["5*", "5"],
        ["a *b", "a b"],
        ["5 %", "5"],
        ["me@here", "me here"],
        ["a/b", "a b"],
        ["a\\b", "a/b"],
        ["a & b", "a b"],
        ["25℃", "25℉"],
        ["if !ready then start", "if ready then start"],
        ["it is –5 degrees", "it is 5 degrees"],
        ["a ≠ b", "a = b"],
    ] {
        for sketcher in [&mut sketcher, &mut keyed] {
            let [a, b] = texts.map(|text| sketcher.sketch(text));
            for (a, b) in a.hashes().into_iter().zip(b.hashes()) {
                assert_ne!(a, b, "{texts:?}");
            }
        }
    }
}

#[test]
fn punctuation_makes_no_difference() {
    let plain = hashes("one two 3 4");
    let all = "\"“”«»„-‐‑–—―()[]{}.,:;!?…·•‣|~─│┃█■●▪◦^`´¨。、「」*\u{fffd}";
    for punctuation in all.chars() {
        for [before, after] in [["", " "], [" ", " "], [" ", "  "]] {
            let text = format!("one{before}{punctuation}{after}two 3{before}{punctuation}{after}4");
            assert_eq!(hashes(&text), plain, "{text:?}");
        }
    }
    let hash = hashes;
    assert_eq!(hash("pages 3-4"), hash("pages 3 4"));
    assert_eq!(hash("* one\n* two"), hash("- one\n- two"));
    assert_eq!(hash("a well-known word"), hash("a well known word"));
}

#[test]
fn every_character_between_words() {
    // Or every character in one of the contexts: characters of one kind mostly are neighbours, so a kind is in all of them.
    let step = tier::size(1, 5);
    for (at, c) in every_char().enumerate() {
        let contexts = [["a", " b"], ["a ", "5"], ["a*", "-"], ["-", "-7"], [" ", ""]];
        for [before, after] in contexts.into_iter().skip(at % step).step_by(step) {
            check(&[before, c.encode_utf8(&mut [0; 4]), after].concat());
        }
    }
}

/// The characters that symbols depend on: symbols that wait for the next character, symbols that depend on the one before, and
/// their neighbours.
const AWKWARD: &str = "**--\u{2212}  \n\u{a0}\u{3000}055a\u{661}٫½Ⅷ中カก🇩👍🏽©Ⓜ$€+=<|~#%&/@\\_.,'’—─■\u{fffd}\u{301}\u{345}\u{200d}\u{fe0f}א\"";

fn awkward(len: usize) -> impl Strategy<Value = String> {
    let chars: Vec<char> = AWKWARD.chars().collect();
    prop::collection::vec(select(chars), 0..len).prop_map(String::from_iter)
}

/// Asserts that a stream of these chunks has the hashes of the whole text.
fn check_chunks(sketcher: &Sketcher, chunks: &[&[u8]]) {
    let mut stream = sketcher.stream();
    for chunk in chunks {
        stream.update_bytes(chunk);
    }
    let text = String::from_utf8(chunks.concat()).unwrap();
    let whole = sketcher.feature_set(key(), &text).sequence_hashes();
    assert_eq!(hashes_of(&stream.sketch()), whole, "chunks {chunks:?}");
}

/// All texts of five characters, in all chunks.
#[test]
fn short_texts_in_all_chunks() {
    let chars: Vec<char> = "*- 5a!’中".chars().collect();
    for number in 0..chars.len().pow(5) {
        let text: String =
            (0..5).map(|at| chars[number / chars.len().pow(at) % chars.len()]).collect();
        check(&text);
        let ends: Vec<usize> = text.char_indices().skip(1).map(|(at, _)| at).collect();
        let whole = hashes(&text);
        for cuts in 0..1 << ends.len() {
            let mut stream = DEFAULT.stream();
            let mut start = 0;
            for (at, &end) in ends.iter().enumerate() {
                if cuts >> at & 1 == 1 {
                    stream.update(&text[start..end]);
                    start = end;
                }
            }
            let sketch = stream.update(&text[start..]).sketch();
            assert_eq!(hashes_of(&sketch), whole, "{text:?} cut at {cuts:b}");
        }
    }
}

proptest! {
    #[test]
    fn of_any_text(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn of_awkward_characters(text in awkward(40)) {
        check(&text);
    }

    /// More words than a batch has.
    #[test]
    fn of_batches(words in prop::collection::vec((awkward(4), 0..20_u32), 0..200)) {
        check(&words.iter().map(|(gap, word)| format!("{word}{gap} ")).collect::<String>());
    }

    #[test]
    fn of_chunks(chunks in prop::collection::vec(awkward(8), 0..8), cut in any::<prop::sample::Index>()) {
        let text = chunks.concat();
        let (head, tail) = text.as_bytes().split_at(cut.index(text.len() + 1));
        for sketcher in &[DEFAULT.clone(), Sketcher::new("s1:words2".parse().unwrap()).unwrap()] {
            check_chunks(sketcher, &chunks.iter().map(String::as_bytes).collect::<Vec<_>>());
            check_chunks(sketcher, &[head, tail]);
        }
    }
}
