//! The parts of the ids of schemes that fingerprints and sketches share.

use alloc::string::String;

use super::Features;
use crate::{
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

/// Returns the id or the part of one in quotation marks, shortened: an id is short, and messages are read by people.
pub(crate) fn quoted(id: &str) -> String {
    const MAX_SHOWN: usize = 60;
    if id.len() <= MAX_SHOWN {
        return ["'", id, "'"].concat();
    }
    ["'", &id[..id.floor_char_boundary(MAX_SHOWN)], "…'"].concat()
}
