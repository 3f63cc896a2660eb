//! The hash of a text's words, and the resemblance of sketches, against what is known of the texts.

use std::collections::HashSet;

use nearprint::{Fingerprinter, Scheme};

/// The Thue-Morse sequence of two words and its complement, in which every polynomial modulo 2^64 collides.
#[test]
fn thue_morse_sequences_have_different_hashes() {
    let fingerprinter = Fingerprinter::default();
    for exponent in 0..14 {
        let hash = |words: [&str; 2]| {
            let text: String =
                (0..1_u32 << exponent).map(|at| words[(at.count_ones() % 2) as usize]).collect();
            fingerprinter.feature_set(&text).words_hash()
        };
        assert_ne!(hash(["river ", "bank "]), hash(["bank ", "river "]), "2^{exponent} words");
    }
}

#[test]
fn prefixes_have_different_hashes() {
    let fingerprinter = Fingerprinter::default();
    let mut seen = HashSet::new();
    for len in 0..2000 {
        assert!(
            seen.insert(fingerprinter.feature_set(&"a ".repeat(len)).words_hash()),
            "{len} words"
        );
    }
}

/// The estimate is unbiased, and its standard error is at most the documented 0.044.
#[test]
fn the_error_of_the_resemblance_is_the_documented_one() {
    let scheme: Scheme = "v1:64:words1".parse().unwrap();
    let mut fingerprinter = Fingerprinter::new(scheme).unwrap();
    for (size, shared) in [(100_u32, 0.5), (400, 0.7), (3000, 0.7), (3000, 0.9)] {
        let common = (2.0 * shared / (1.0 + shared) * f64::from(size)).round() as u32;
        let exact = f64::from(common) / f64::from(2 * size - common);
        let rounds = 400;
        let (mut sum, mut squares) = (0.0, 0.0);
        for round in 0..rounds {
            let [a, b] = [0, size - common].map(|from| {
                let words = (from..from + size).map(|n| format!("{round}w{n} "));
                fingerprinter.sketch(&words.collect::<String>())
            });
            let error = a.resemblance(&b).unwrap() - exact;
            sum += error;
            squares += error * error;
        }
        let (bias, deviation) = (sum / f64::from(rounds), (squares / f64::from(rounds)).sqrt());
        assert!(bias.abs() < 0.01, "{size} {shared}: bias {bias}");
        assert!(deviation < 0.048, "{size} {shared}: standard error {deviation}");
    }
}
