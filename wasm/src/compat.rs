//! Fingerprints of other programs.

use nearprint::compat::{fingerprint_pairs, fingerprint_text};
use wasm_bindgen::prelude::*;

use crate::error::thrown;

/// Returns the fingerprint of a text in UTF-16.
#[wasm_bindgen(js_name = fingerprintText)]
pub fn text(scheme: &str, bits: u32, text: &[u16]) -> Result<u128, JsValue> {
    scheme.parse().and_then(|scheme| fingerprint_text(scheme, bits, text)).map_err(thrown)
}

/// Returns the fingerprint of pairs. `words` is all words joined, in UTF-16; `ends` is the end of each word in it.
#[wasm_bindgen(js_name = fingerprintPairs)]
pub fn pairs(
    scheme: &str,
    bits: u32,
    words: &[u16],
    ends: &[u32],
    weights: &[f64],
) -> Result<u128, JsValue> {
    let mut start = 0;
    let words = ends.iter().map(|&end| {
        let word = &words[start..end as usize];
        start = end as usize;
        word
    });
    let pairs = words.zip(weights.iter().copied());
    scheme.parse().and_then(|scheme| fingerprint_pairs(scheme, bits, pairs)).map_err(thrown)
}
