//! How much the tests try. `TESTS=quick`, which `npm test` sets, tries less.

use proptest::test_runner::Config;

fn is_quick() -> bool {
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

/// Returns every character, or every character of the planes that have most of the scripts, and one of 64 of the others.
pub fn every_char() -> impl Iterator<Item = char> {
    let (scripts, others) = ('\0'..='\u{1ffff}', '\u{20000}'..=char::MAX);
    scripts.chain(others.step_by(if is_quick() { 64 } else { 1 }))
}
