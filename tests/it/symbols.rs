//! The symbols in the hash of the words, against a search of the whole text by the properties of ICU4X.

use std::{hash::Hasher as _, sync::LazyLock};

use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{Alphabetic, GeneralCategory as Category, GeneralCategoryGroup, WhiteSpace},
};
use nearprint::{
    Fingerprinter, Key, Scheme, dedupe::Sketch, hash::fnv1_64, mix::fmix64,
    normalize::nfkc_casefold,
};
use proptest::{prelude::*, sample::select};
use siphasher::sip::SipHasher13;
use unicode_segmentation::UnicodeSegmentation;

use crate::keyed::key;

static VERBATIM: LazyLock<Fingerprinter> = LazyLock::new(|| fingerprinter("v1:64:verbatim"));

fn fingerprinter(id: &str) -> Fingerprinter {
    Fingerprinter::new(id.parse::<Scheme>().unwrap()).unwrap()
}

fn category(c: char) -> Category {
    CodePointMapData::<Category>::new().get(c)
}

fn is_word(segment: &str) -> bool {
    segment.chars().any(|c| {
        CodePointSetData::new::<Alphabetic>().contains(c)
            || GeneralCategoryGroup::Number.contains(category(c))
    })
}

/// Returns whether a character outside words is a symbol, whatever is around it.
fn is_always_symbol(c: char) -> bool {
    let is_excepted =
        matches!(c, '|' | '~' | '\u{2212}' | '\u{fffd}') || ('\u{2500}'..='\u{25ff}').contains(&c);
    match category(c) {
        Category::CurrencySymbol => true,
        Category::MathSymbol | Category::OtherSymbol => !is_excepted,
        _ => "#%&/@\\🏻🏼🏽🏾🏿".contains(c),
    }
}

/// A word or symbol of a text.
enum Token<'a> {
    Word(&'a str),
    Symbol(char),
}

/// Returns the words and symbols of a normalised text.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let is_decimal = |c| category(c) == Category::DecimalNumber;
    let is_space = |c| CodePointSetData::new::<WhiteSpace>().contains(c);
    let (mut tokens, mut word_end) = (Vec::new(), None);
    for (start, segment) in text.split_word_bound_indices() {
        if is_word(segment) {
            tokens.push(Token::Word(segment));
            word_end = Some(start + segment.len());
            continue;
        }
        for (at, c) in segment.char_indices().map(|(at, c)| (start + at, c)) {
            let rest = &text[at + c.len_utf8()..];
            let is_symbol = match c {
                '*' => !rest.starts_with(is_space),
                '-' | '\u{2212}' => word_end != Some(at) && rest.starts_with(is_decimal),
                c => is_always_symbol(c),
            };
            if is_symbol {
                tokens.push(Token::Symbol(c));
            }
        }
    }
    tokens
}

/// Returns the hash of the words and symbols of a normalised text.
fn expected(text: &str) -> u64 {
    let tokens = tokens(text);
    let state = tokens.iter().fold(0_u64, |state, token| {
        let token = match token {
            Token::Word(word) => fnv1_64(word.as_bytes()),
            Token::Symbol(c) => u64::MAX - u64::from(*c),
        };
        let x = (state ^ token).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x ^ x >> 32
    });
    // The two lowest bits are flags: 2 for a blank text.
    (fmix64(state) & !3) + 2 * u64::from(tokens.is_empty())
}

fn check(text: &str) {
    assert_eq!(VERBATIM.feature_set(key(), text).words_hash(), expected(text), "{text:?}");
}

#[test]
fn texts_that_differ_in_symbols() {
    let mut fingerprinter = Fingerprinter::default();
    let secret = Key::new(*b"sixteen bytes!!!");
    let mut keyed = Fingerprinter::new(Scheme::default().keyed(secret).unwrap()).unwrap();
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
    ] {
        let [a, b] = texts.map(|text| fingerprinter.feature_set(key(), text).words_hash());
        assert_ne!(a, b, "{texts:?}");
        for fingerprinter in [&mut fingerprinter, &mut keyed] {
            let [a, b] = texts.map(|text| fingerprinter.sketch(text));
            assert_ne!(a, b, "{texts:?}");
        }
    }
}

#[test]
fn punctuation_makes_no_difference() {
    let plain = VERBATIM.feature_set(key(), "one two 3 4").words_hash();
    let all = "\"'“”‘’«»„-‐‑–—―()[]{}.,:;!?…·•‣|~─│┃█■●▪◦^`´¨。、「」*\u{fffd}";
    for punctuation in all.chars() {
        for [before, after] in [["", " "], [" ", " "], [" ", "  "]] {
            let text = format!("one{before}{punctuation}{after}two 3{before}{punctuation}{after}4");
            assert_eq!(VERBATIM.feature_set(key(), &text).words_hash(), plain, "{text:?}");
        }
    }
    let hash = |text| VERBATIM.feature_set(key(), text).words_hash();
    assert_eq!(hash("pages 3-4"), hash("pages 3 4"));
    assert_eq!(hash("* one\n* two"), hash("- one\n- two"));
    assert_eq!(hash("a well-known word"), hash("a well known word"));
}

#[test]
fn every_character_between_words() {
    for c in '\0'..=char::MAX {
        for text in [["a", " b"], ["a ", "5"], ["a*", "-"], ["-", "-7"], [" ", ""]] {
            check(&[text[0], c.encode_utf8(&mut [0; 4]), text[1]].concat());
        }
    }
}

/// A symbol with a key is hashed as a word of its bytes would be.
#[test]
fn symbols_of_a_keyed_scheme() {
    let scheme = "v1:64:verbatim:words1".parse::<Scheme>().unwrap();
    let scheme = scheme.keyed(Key::new(*b"sixteen bytes!!!")).unwrap();
    let fingerprinter = Fingerprinter::new(scheme).unwrap();
    let token = |bytes: &[u8]| {
        let mut hasher = SipHasher13::new_with_key(b"sixteen bytes!!!");
        hasher.write(bytes);
        hasher.finish()
    };
    let state = ["it", "€", "5"].iter().fold(0_u64, |state, bytes| {
        let x = (state ^ token(bytes.as_bytes())).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x ^ x >> 32
    });
    assert_eq!(fingerprinter.feature_set(key(), "it €5").words_hash(), fmix64(state) & !3);
}

#[test]
fn symbols_of_the_normalised_text() {
    let fingerprinter = Fingerprinter::default();
    for text in
        ["＄５ ＋＋ ½ ™ ﹪ ＊\u{3000}x ＊x －5 ﹣5 ₋5 ⁻5 x−5 \u{ad}-\u{200b}5", "-\u{ad}5 *\u{ad} "]
    {
        let hash = fingerprinter.feature_set(key(), text).words_hash();
        assert_eq!(hash, expected(&nfkc_casefold(text)), "{text:?}");
    }
}

/// What matters to symbols: those that wait for the next character, those that ask for the one before, and their neighbours.
const AWKWARD: &str = "**--\u{2212}  \n\u{a0}\u{3000}055a\u{661}٫½Ⅷ中カก🇩👍🏽©Ⓜ$€+=<|~#%&/@\\_.,'’—─■\u{fffd}\u{301}\u{345}\u{200d}\u{fe0f}א\"";

fn awkward(len: usize) -> impl Strategy<Value = String> {
    let chars: Vec<char> = AWKWARD.chars().collect();
    prop::collection::vec(select(chars), 0..len).prop_map(String::from_iter)
}

/// Returns the hash of the words in a sketch (DESIGN.md, "Sketches"), without its lowest bit.
fn words_hash(sketch: &Sketch) -> u64 {
    let bytes = sketch.to_bytes();
    // The scheme's id with its length, the kind and the fingerprint come first.
    let words = &bytes[1 + usize::from(bytes[0]) + 1 + 8..][..8];
    u64::from_le_bytes(words.try_into().unwrap()) & !1
}

/// Asserts that a stream of these chunks has the hash of the whole text, which a feature set processes in one part.
fn check_chunks(fingerprinter: &Fingerprinter, chunks: &[&[u8]]) {
    let mut stream = fingerprinter.stream();
    for chunk in chunks {
        stream.update_bytes(chunk);
    }
    let text = String::from_utf8(chunks.concat()).unwrap();
    let hash = fingerprinter.feature_set(key(), &text).words_hash();
    let lens: Vec<usize> = chunks.iter().map(|chunk| chunk.len()).collect();
    let end = text.chars().rev().take(60).collect::<Vec<_>>().into_iter().rev().collect::<String>();
    assert_eq!(
        words_hash(&stream.sketch()),
        hash,
        "chunks of {lens:?} bytes, which end with {end:?}"
    );
}

/// All texts of five characters, in all chunks.
#[test]
fn short_texts_in_all_chunks() {
    let chars: Vec<char> = "*- 5a\u{2212}中+".chars().collect();
    for number in 0..chars.len().pow(5) {
        let text: String =
            (0..5).map(|at| chars[number / chars.len().pow(at) % chars.len()]).collect();
        check(&text);
        let ends: Vec<usize> = text.char_indices().skip(1).map(|(at, _)| at).collect();
        let hash = VERBATIM.feature_set(key(), &text).words_hash();
        for cuts in 0..1 << ends.len() {
            let mut stream = VERBATIM.stream();
            let mut start = 0;
            for (at, &end) in ends.iter().enumerate() {
                if cuts >> at & 1 == 1 {
                    stream.update(&text[start..end]);
                    start = end;
                }
            }
            let sketch = stream.update(&text[start..]).sketch();
            assert_eq!(words_hash(&sketch), hash, "{text:?} cut at {cuts:b}");
        }
    }
}

/// A text longer than 64 KiB is processed in parts.
#[test]
fn symbols_at_the_border_of_a_part() {
    for symbols in
        ["a* b", "a *b", "a-5", "a -5", "a --5", "a \u{2212}5", "中-5", "中*中", "$ *", "5 **- -5"]
    {
        for before in (1 << 16) - 12..=(1 << 16) + 2 {
            for filler in ["x ", "中", "-", "* ", "+"] {
                let text = filler.repeat(before / filler.len()) + symbols;
                check_chunks(&VERBATIM, &[text.as_bytes()]);
                check_chunks(&VERBATIM, &[text.as_bytes(), b" end of the text"]);
            }
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
        for fingerprinter in &[VERBATIM.clone(), Fingerprinter::default(), fingerprinter("v1:64:words2")] {
            check_chunks(fingerprinter, &chunks.iter().map(String::as_bytes).collect::<Vec<_>>());
            check_chunks(fingerprinter, &[head, tail]);
        }
    }
}
