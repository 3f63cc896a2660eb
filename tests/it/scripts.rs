//! The features of an example of each script, and the rule that gives them.

use nearprint::simhash::Fingerprinter;

fn features(text: &str) -> Vec<String> {
    Fingerprinter::default().features(text).into_iter().map(|f| f.feature).collect()
}

/// Asserts that `text` has these features, separated by `|`.
#[track_caller]
fn check(text: &str, expected: &str, why: &str) {
    let expected: Vec<&str> = expected.split('|').filter(|feature| !feature.is_empty()).collect();
    assert_eq!(features(text), expected, "{text:?}: {why}");
}

/// Asserts that the two texts have the same features and fingerprint.
#[track_caller]
fn same(a: &str, b: &str, why: &str) {
    let mut fingerprinter = Fingerprinter::default();
    assert_eq!(features(a), features(b), "{a:?}, {b:?}: {why}");
    assert_eq!(fingerprinter.fingerprint(a), fingerprinter.fingerprint(b), "{a:?}, {b:?}: {why}");
}

#[test]
fn scripts_with_spaces_give_words_and_pairs() {
    check("The red house", "the|red|the red|house|red house", "a word, and its pair with the next");
    check(
        "Привет, мир",
        "привет|мир|привет мир",
        "Cyrillic is folded to lower case; punctuation is not a word",
    );
    check("مرحبا بالعالم", "مرحبا|بالعالم|مرحبا بالعالم", "Arabic is written with spaces");
    check("안녕 세계", "안녕|세계|안녕 세계", "Hangul is written with spaces");
    check("नमस्ते दुनिया", "नमस्ते|दुनिया|नमस्ते दुनिया", "vowel signs and viramas belong to the word");
    check(
        "don't o’clock",
        "don't|o’clock|don't o’clock",
        "no boundary at an apostrophe between letters (WB6, WB7)",
    );
}

#[test]
fn scripts_without_spaces_give_pairs_and_triples() {
    check("网页内容", "网页|页内|网页内|内容|页内容", "a Han character is a dense word");
    check("ひらがな", "ひら|らが|ひらが|がな|らがな", "a Hiragana character is a word");
    check(
        "カタカナ スキー",
        "カタカナスキー",
        "a Katakana run is one word (WB13), of a script without spaces",
    );
    check("กขค", "กข|ขค|กขค", "a Thai letter is a word: a long run is not one word");
    check(
        "น้ำใจ",
        "น้ํา|าใ|น้ําใ|ใจ|าใจ",
        "marks belong to their letter; SARA AM decomposes to a mark and a letter",
    );
}

#[test]
fn a_single_word_is_its_own_feature() {
    check("网", "网", "a text of one dense word gives that word");
    check("42", "42", "so does a single number");
    check("hello", "hello", "a word gives itself");
    check("", "", "an empty text has no features");
    check("… — !", "", "punctuation has no features");
}

#[test]
fn numbers_are_dense_words() {
    check(
        "call 555 now",
        "call|call 555|now|555 now",
        "a number gives a pair; its triple would need another word",
    );
    check(
        "3.14 1,234",
        "3.14 1,234",
        "no boundary at a point or a comma between digits (WB11, WB12)",
    );
    check("b2b", "b2b", "a word with a letter is not a number");
}

#[test]
fn equivalent_spellings_are_equal() {
    same("Ｈｅｌｌｏ　１２３", "hello 123", "fullwidth forms are compatibility characters");
    same("Cafe\u{301}", "Café", "NFD and NFC are canonically equivalent");
    same("\u{1112}\u{1161}\u{11ab}", "한", "Hangul jamo compose to syllables");
    same(
        "ｶﾞ ｽｷｰ",
        "ガ スキー",
        "halfwidth Katakana are compatibility characters, and voiced marks compose",
    );
    same("ﬁne eﬃcient", "fine efficient", "ligatures are compatibility characters");
    same("Straße", "STRASSE", "sharp s folds to ss");
    same("ΟΔΟΣ", "οδος", "final sigma folds to sigma");
    same("ex\u{ad}am\u{ad}ple", "example", "a soft hyphen is default-ignorable");
    same("zero\u{200b}width", "zerowidth", "so is a zero-width space");
    same("\u{feff}text", "text", "and a byte order mark");
    same("नमस्\u{200d}ते", "नमस्ते", "and a zero-width joiner, though it changes how Devanagari looks");
    same("\u{200f}שלום\u{200e}", "שלום", "and the direction marks");
    same("葛\u{e0100}飾", "葛飾", "and a variation selector");
    same("a\u{323}\u{301}", "a\u{301}\u{323}", "marks of different classes have a canonical order");
}

#[test]
fn distinctions_and_symbols() {
    check(
        "İstanbul",
        "i\u{307}stanbul",
        "the dotted capital I folds to i and a dot: folding is independent of the language",
    );
    check("ısparta", "ısparta", "the dotless small i folds to itself");
    check("👍 🎉 hello", "hello", "emoji have no letter or digit");
    check("🇩🇪 Flag", "flag", "flags have no letter or digit");
    check(
        "👩\u{200d}💻 at work",
        "at|work|at work",
        "emoji sequences have none either, and their joiner is ignorable",
    );
    check(
        "1\u{fe0f}\u{20e3} one",
        "one|1\u{20e3} one",
        "a keycap contains a digit, so it is a number, with its mark",
    );
}

#[test]
fn verbatim_keeps_case() {
    let scheme = "v1:64:verbatim".parse().unwrap_or_default();
    let features = Fingerprinter::new(scheme).map(|fingerprinter| fingerprinter.features("Ａ b"));
    let names: Vec<_> = features.iter().flatten().map(|f| f.feature.as_str()).collect();
    assert_eq!(names, ["Ａ", "b", "Ａ b"]);
}
