//! A normalised text is in Normalization Form C and normalises to itself, and a text can be cut at its `boundary`.
#![no_main]

use icu_normalizer::ComposingNormalizerBorrowed;
use libfuzzer_sys::fuzz_target;
use nearprint::normalize::{boundary, nfkc_casefold, nfkc_casefold_into};

fuzz_target!(|text: &str| {
    let folded = nfkc_casefold(text);
    assert!(ComposingNormalizerBorrowed::new_nfc().is_normalized(&folded));
    assert_eq!(nfkc_casefold(&folded), folded);
    if let Some(at) = boundary(text) {
        let mut parts = nfkc_casefold(&text[..at]);
        nfkc_casefold_into(&text[at..], &mut parts);
        assert_eq!(parts, folded);
    }
});
