//! Fingerprints of other programs, and Rabin fingerprints.

use alloc::vec::Vec;

use nearprint::simhash::{
    compat::{fingerprint_pairs, fingerprint_text},
    rabin,
};
use wasm_bindgen::prelude::*;

use crate::error::{Result, false_length};

/// Returns the fingerprint of a text in UTF-16.
#[wasm_bindgen(js_name = fingerprintText)]
pub fn text(scheme: &str, bits: u32, text: &[u16]) -> Result<u128> {
    Ok(fingerprint_text(scheme.parse()?, bits, text)?)
}

/// Returns the fingerprint of pairs. `words` is all words joined, in UTF-16; `ends` is the end of each word in it.
#[wasm_bindgen(js_name = fingerprintPairs)]
pub fn pairs(
    scheme: &str,
    bits: u32,
    words: &[u16],
    ends: &[u32],
    weights: &[f64],
) -> Result<u128> {
    let is_within = |&end: &u32| end as usize <= words.len();
    if !ends.is_sorted() || !ends.iter().all(is_within) {
        return Err(false_length());
    }
    let mut start = 0;
    let words = ends.iter().map(|&end| {
        let word = &words[start..end as usize];
        start = end as usize;
        word
    });
    Ok(fingerprint_pairs(scheme.parse()?, bits, words.zip(weights.iter().copied()))?)
}

#[wasm_bindgen(js_name = rabin)]
pub fn rabin_fingerprint(bytes: &[u8]) -> u64 {
    rabin::fingerprint(bytes)
}

/// Returns the Rabin fingerprint of every `width` consecutive bytes. `width` is at least 1.
#[wasm_bindgen(js_name = rabinWindows)]
pub fn rabin_windows(bytes: &[u8], width: usize) -> Result<Vec<u64>> {
    if width == 0 {
        return Err(false_length());
    }
    let mut windows = Vec::new();
    windows.try_reserve_exact((bytes.len() + 1).saturating_sub(width))?;
    windows.extend(rabin::windows(bytes, width));
    Ok(windows)
}
