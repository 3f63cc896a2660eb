//! How much the tests try. `TESTS=quick`, which `npm test` sets, tries less.

use proptest::test_runner::Config;

pub fn is_quick() -> bool {
    std::env::var_os("TESTS").is_some_and(|tests| tests == "quick")
}

/// Returns the configuration of a property test with `all` random cases, or a tenth of them.
pub fn cases(all: u32) -> Config {
    Config::with_cases(if is_quick() { all / 10 } else { all })
}

/// Returns the size of an experiment: `all`, or less.
pub fn size(all: usize, less: usize) -> usize {
    if is_quick() { less } else { all }
}

/// Returns every character, or every character of the planes that have most of the scripts, and one of 64 of the others and of
/// large blocks of alike characters.
pub fn every_char() -> impl Iterator<Item = char> {
    let is_alike = |c| {
        matches!(
            c,
            // Ideographs, Hangul, private use, Tangut, and what follows these planes.
            '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{e000}'..='\u{f8ff}'
                | '\u{17000}'..='\u{18cff}' | '\u{20000}'..
        )
    };
    let is_quick = is_quick();
    ('\0'..=char::MAX).filter(move |&c| !is_quick || !is_alike(c) || u32::from(c) % 64 == 0)
}
