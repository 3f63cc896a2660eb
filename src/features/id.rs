//! The parts of the ids of schemes that fingerprints and sketches share.

use alloc::string::String;

use super::Features;
use crate::{
    Error,
    error::{decimal, hex},
    hash::Key,
};

/// Returns the part for shingles, with a colon before it, or nothing for grams.
pub(crate) fn of_features(features: Features) -> String {
    match features {
        Features::Grams => String::new(),
        Features::Words(n) => [":words", &decimal(n)].concat(),
        Features::Chars(n) => [":chars", &decimal(n)].concat(),
    }
}

/// Returns the part for a key, with a colon before it.
pub(crate) fn of_key(key: Key) -> String {
    [":key", &hex(key.check().into(), 16)].concat()
}

/// Reads `words` or `chars` and a number.
pub(crate) fn read_features(part: &str) -> Option<Features> {
    if let Some(n) = part.strip_prefix("words") {
        n.parse().ok().map(Features::Words)
    } else {
        part.strip_prefix("chars")?.parse().ok().map(Features::Chars)
    }
}

/// Reads `key` and a check value.
pub(crate) fn read_key(part: &str) -> Option<Key> {
    u64::from_str_radix(part.strip_prefix("key")?, 16).ok().map(Key::of_check)
}

/// Returns the parts of an id.
pub(crate) fn parts(id: &str) -> impl Iterator<Item = &str> {
    #[expect(
        clippy::manual_pattern_char_comparison,
        reason = "0.7 kB less of each WebAssembly module"
    )]
    id.split(|c| c == ':')
}

/// Returns the error for a part of an id that is neither a choice of its kind of scheme nor a key.
pub(crate) fn unknown_part(part: &str) -> Error {
    Error::argument("scheme", "an id whose parts are known", quoted(part))
}

/// Checks that an id is written as its scheme writes it.
pub(crate) fn check_spelling(id: &str, canonical: &str) -> Result<(), Error> {
    if id == canonical {
        return Ok(());
    }
    let requirement = ["an id with its parts in order and once, ", canonical].concat();
    Err(Error::argument("scheme", requirement, quoted(id)))
}

/// Returns the error for the key of another scheme, given the ids of both.
pub(crate) fn other_key(expected: &str, passed: &str) -> Error {
    let requirement = ["the key of the scheme ", expected].concat();
    Error::argument("key", requirement, ["the key of ", passed].concat())
}

/// Returns the id or the part of one in quotation marks, shortened: an id is short, and messages are read by people.
pub(crate) fn quoted(id: &str) -> String {
    const MAX_SHOWN: usize = 60;
    if id.len() <= MAX_SHOWN {
        return ["'", id, "'"].concat();
    }
    ["'", &id[..id.floor_char_boundary(MAX_SHOWN)], "…'"].concat()
}
