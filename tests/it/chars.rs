//! Characters, with one space for each run of white space, against the standard library.

use std::sync::LazyLock;

use nearprint::hash::fnv1_64;
use nearprint::simhash::{Fingerprinter, Scheme};

static CHARS: LazyLock<Fingerprinter> = LazyLock::new(|| {
    Fingerprinter::new("v1:64:verbatim:chars1:raw:tf".parse::<Scheme>().unwrap()).unwrap()
});

/// The fingerprint of the FNV-1 of each character.
fn fingerprint(text: &str) -> u128 {
    let mut sums = [0_i64; 64];
    for c in text.chars() {
        let hash = fnv1_64(c.encode_utf8(&mut [0; 4]).as_bytes());
        for (bit, sum) in sums.iter_mut().enumerate() {
            *sum += if hash >> bit & 1 == 1 { 1 } else { -1 };
        }
    }
    sums.iter().rev().fold(0, |bits, &sum| bits << 1 | u128::from(sum > 0))
}

/// Returns the text with one space for each run of white space, and none at its ends.
fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn check(text: &str) {
    assert_eq!(CHARS.clone().fingerprint(text), fingerprint(&collapse(text)), "{text:?}");
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
            let digest = CHARS.stream().update(&text).update("x").digest();
            assert_eq!(digest, fingerprint(&collapse(&(text.clone() + "x"))), "{text:?}");
        }
    }
}
