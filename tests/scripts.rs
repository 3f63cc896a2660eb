//! What becomes of the world's writing: the features of one example each, and why.

use nearprint::Fingerprinter;

fn features(text: &str) -> Vec<String> {
    Fingerprinter::default().features(text).into_iter().map(|f| f.feature).collect()
}

/// `text` has these features, separated by `|`.
#[track_caller]
fn check(text: &str, expected: &str, why: &str) {
    let expected: Vec<&str> = expected.split('|').filter(|feature| !feature.is_empty()).collect();
    assert_eq!(features(text), expected, "{text:?}: {why}");
}

/// The two texts have one fingerprint.
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
        "Cyrillic, folded to small letters; punctuation is no word",
    );
    check("مرحبا بالعالم", "مرحبا|بالعالم|مرحبا بالعالم", "Arabic is written with spaces");
    check("안녕 세계", "안녕|세계|안녕 세계", "Hangul is written with spaces");
    check("नमस्ते दुनिया", "नमस्ते|दुनिया|नमस्ते दुनिया", "vowel signs and viramas belong to the word");
    check(
        "don't o’clock",
        "don't|o’clock|don't o’clock",
        "an apostrophe between letters does not part (WB6, WB7)",
    );
}

#[test]
fn scripts_without_spaces_give_pairs_and_triples() {
    check(
        "网页内容",
        "网页|页内|网页内|内容|页内容",
        "a Han character is a word, and says little alone",
    );
    check("ひらがな", "ひら|らが|ひらが|がな|らがな", "a Hiragana character is a word");
    check(
        "カタカナ スキー",
        "カタカナスキー",
        "a Katakana run is one word (WB13), of a script without spaces",
    );
    check("กขค", "กข|ขค|กขค", "a Thai letter is a word: no run ends up as a giant one");
    check("น้ำใจ", "น้ํา|าใ|น้ําใ|ใจ|าใจ", "its marks belong to it, and SARA AM is a mark and a letter");
}

#[test]
fn single_words_stand_for_themselves() {
    check("网", "网", "a text of fewer words than a gram needs gives the gram of what there is");
    check("42", "42", "a number alone too");
    check("hello", "hello", "");
    check("", "", "nothing gives nothing");
    check("… — !", "", "punctuation gives nothing");
}

#[test]
fn numbers_count_with_what_follows() {
    check(
        "call 555 now",
        "call|call 555|now|555 now",
        "a number alone says little; it has no third word here",
    );
    check(
        "3.14 1,234",
        "3.14 1,234",
        "a point or a comma between digits does not part (WB11, WB12)",
    );
    check("b2b", "b2b", "a word with a letter is no number");
}

#[test]
fn one_text_in_two_spellings() {
    same("Ｈｅｌｌｏ　１２３", "hello 123", "fullwidth forms are compatibility characters");
    same("Cafe\u{301}", "Café", "NFD and NFC are canonically equivalent");
    same("\u{1112}\u{1161}\u{11ab}", "한", "Hangul letters compose to syllables");
    same("ｶﾞ ｽｷｰ", "ガ スキー", "halfwidth Katakana, with its voiced marks");
    same("ﬁne eﬃcient", "fine efficient", "ligatures are compatibility characters");
    same("Straße", "STRASSE", "sharp s folds to ss");
    same("ΟΔΟΣ", "οδος", "final sigma folds to sigma");
    same("ex\u{ad}am\u{ad}ple", "example", "a soft hyphen is default-ignorable");
    same("zero\u{200b}width", "zerowidth", "so is a zero-width space");
    same("\u{feff}text", "text", "and a byte order mark");
    same("नमस्\u{200d}ते", "नमस्ते", "and a zero-width joiner, though it changes how Devanagari looks");
    same("\u{200f}שלום\u{200e}", "שלום", "and the marks of direction");
    same("葛\u{e0100}飾", "葛飾", "and a variation selector");
    same("a\u{323}\u{301}", "a\u{301}\u{323}", "marks of different classes have a canonical order");
}

#[test]
fn what_stays_apart() {
    check(
        "İstanbul",
        "i\u{307}stanbul",
        "the dotted capital I folds to i and a dot: folding knows no language",
    );
    check("ısparta", "ısparta", "and the dotless small one stays");
    check("👍 🎉 hello", "hello", "emoji have neither letter nor digit");
    check("🇩🇪 Flag", "flag", "nor have flags");
    check(
        "👩\u{200d}💻 at work",
        "at|work|at work",
        "nor have sequences, whose joiner is ignorable besides",
    );
    check(
        "1\u{fe0f}\u{20e3} one",
        "one|1\u{20e3} one",
        "a keycap holds a digit, so it is a number, with its mark",
    );
}

#[test]
fn case_is_kept_on_demand() {
    let scheme = "v1:64:verbatim".parse().unwrap_or_default();
    let features = Fingerprinter::new(scheme).map(|fingerprinter| fingerprinter.features("Ａ b"));
    let names: Vec<_> = features.iter().flatten().map(|f| f.feature.as_str()).collect();
    assert_eq!(names, ["Ａ", "b", "Ａ b"]);
}
