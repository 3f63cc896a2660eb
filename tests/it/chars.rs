//! Characters, with one space for each run of white space, against the standard library.

use std::sync::LazyLock;

use nearprint::{Fingerprinter, Scheme, mix::fmix64};

use crate::keyed::key;

static CHARS: LazyLock<Fingerprinter> = LazyLock::new(|| {
    Fingerprinter::new("v1:64:verbatim:chars1".parse::<Scheme>().unwrap()).unwrap()
});

/// The hash of all code points in order (DESIGN.md, "Equality by a hash of the words").
fn hash(text: &str) -> u64 {
    let state = text.chars().fold(0, |state, c| {
        let product = (state ^ u64::from(c)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        product ^ product >> 32
    });
    (fmix64(state) & !3) + 2 * u64::from(text.is_empty())
}

/// Returns the text with one space for each run of white space, and none at its ends.
fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn check(text: &str) {
    assert_eq!(CHARS.feature_set(key(), text).words_hash(), hash(&collapse(text)), "{text:?}");
}

#[test]
fn every_character() {
    for c in '\0'..=char::MAX {
        let text = String::from_iter([c, 'x', 'y', 'z']);
        check(&text);
        check(&text[..c.len_utf8()]);
    }
}

#[test]
fn white_space_at_every_position() {
    let chars = [
        ' ', '\n', '\u{85}', '\u{a0}', '\u{1680}', '\u{2003}', '\u{3000}', 'x', '·', 'ḁ', '漢',
        '😀',
    ];
    for number in 0..chars.len().pow(3) {
        let three = [number, number / chars.len(), number / chars.len().pow(2)];
        let three = String::from_iter(three.map(|at| chars[at % chars.len()]));
        for before in (0..4).chain(56..68) {
            let text = "y".repeat(before) + &three + "z " + &three;
            check(&text);
            // White space at the end of a chunk is part of a run that the next chunk may continue.
            let fingerprint = CHARS.stream().update(&text).update("x").digest();
            let expected = CHARS.clone().fingerprint(&collapse(&(text.clone() + "x")));
            assert_eq!(fingerprint, expected, "{text:?}");
        }
    }
}
