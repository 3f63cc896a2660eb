//! The hash of a text's words, and the resemblance of sketches, against what is known of the texts.

use std::collections::HashSet;

use nearprint::{Fingerprinter, Sketch};

use crate::keyed::key;

/// The Thue-Morse sequence of two words and its complement, in which every polynomial modulo 2^64 collides.
#[test]
fn thue_morse_sequences_have_different_hashes() {
    let fingerprinter = Fingerprinter::default();
    for exponent in 0..14 {
        let hash = |words: [&str; 2]| {
            let text: String =
                (0..1_u32 << exponent).map(|at| words[(at.count_ones() % 2) as usize]).collect();
            fingerprinter.feature_set(key(), &text).words_hash()
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
            seen.insert(fingerprinter.feature_set(key(), &"a ".repeat(len)).words_hash()),
            "{len} words"
        );
    }
}

/// Words with equal FNV hashes: anyone can find such words.
const COLLIDING: [[&str; 2]; 2] = [["is", "bivzfosmrjblug"], ["the", "hswthsacrnvmgp"]];

fn forge(text: &str) -> String {
    let forge = |word: &str| {
        let pair = COLLIDING.iter().find(|[own, _]| *own == word);
        pair.map_or(word.to_string(), |[_, other]| other.to_string())
    };
    text.split(' ').map(forge).collect::<Vec<_>>().join(" ")
}

#[test]
fn forged_texts_are_not_equal() {
    let long = "the river is high and the road is closed since the council met";
    // Of its 12 pairs of words, 3 have no word that is replaced.
    let exact = [(long, 3.0 / 21.0), ("the road is closed", 0.0), ("the", 0.0), ("is", 0.0)];
    for (id, shares) in [
        ("v1:64", exact),
        ("v1:128:tf", exact),
        (
            "v1:64:words1",
            [(long, 8.0 / 12.0), ("the road is closed", 2.0 / 6.0), ("the", 0.0), ("is", 0.0)],
        ),
    ] {
        let mut fingerprinter = Fingerprinter::new(id.parse().unwrap()).unwrap();
        for (text, share) in shares {
            let forged = forge(text);
            assert_ne!(text, forged);
            let [a, b] = [text, &forged].map(|text| fingerprinter.sketch(text));
            assert_eq!(a, b, "the hashes of the words are equal");
            let [a, b] = [text, &forged].map(|text| fingerprinter.feature_set(key(), text));
            assert_eq!(a.words_hash(), b.words_hash());
            assert_ne!(a.keyed_words_hash(), b.keyed_words_hash());
            assert_eq!(a.resemblance(&b), share, "{id}: {text}");
            let compared = fingerprinter.compare(key(), text, &forged);
            assert_eq!(compared.exact_resemblance, share);
            assert!(compared.jaccard < 1.0 && compared.exact_cosine < 0.99);
            assert_eq!(fingerprinter.compare(key(), text, text).exact_resemblance, 1.0);
        }
    }
}

#[test]
fn blank_texts_do_not_resemble_each_other_exactly() {
    for (id, blank) in [("v1:64", "..."), ("v1:64:words3", "?"), ("v1:64:chars2", " \n")] {
        let fingerprinter = Fingerprinter::new(id.parse().unwrap()).unwrap();
        for other in ["", blank, "a", "$"] {
            let [a, b] = [blank, other].map(|text| fingerprinter.feature_set(key(), text));
            assert_eq!((a.resemblance(&b), b.resemblance(&a)), (0.0, 0.0), "{id}: {other:?}");
        }
    }
}

/// The sketch of the words with these numbers, each a feature.
fn sketch_of(fingerprinter: &mut Fingerprinter, numbers: std::ops::Range<u32>) -> Sketch {
    fingerprinter.sketch(&numbers.map(|number| format!("w{number} ")).collect::<String>())
}

fn words() -> Fingerprinter {
    Fingerprinter::new("v1:64:words1".parse().unwrap()).unwrap()
}

/// The level of the odd sketch: the highest 7 bits of its 64 bytes.
fn level(sketch: &Sketch) -> u8 {
    let bytes = sketch.to_bytes();
    bytes[1 + usize::from(bytes[0]) + 17 + 63] >> 1
}

/// Calls `run` with two sketches of `a` and `b` features that share `common`, of many pairs.
fn each_pair([a, b, common]: [u32; 3], mut run: impl FnMut(&Sketch, &Sketch)) {
    let mut fingerprinter = words();
    for round in 0..300 {
        let from = round * 100_000;
        let first = sketch_of(&mut fingerprinter, from..from + a);
        let second = sketch_of(&mut fingerprinter, from + a - common..from + a - common + b);
        run(&first, &second);
    }
}

/// The estimate is unbiased: of sketches of one level, and of neighbours. It does not depend on the order.
#[test]
fn the_error_of_the_resemblance_is_small() {
    let cases = [
        // Sizes, shared features, levels, and the largest standard error.
        ([45, 45, 30], [0, 0], 0.03),
        ([41, 40, 30], [0, 0], 0.03),
        ([100, 100, 67], [0, 0], 0.03),
        ([390, 390, 320], [0, 0], 0.04),
        ([600, 600, 480], [1, 1], 0.05),
        ([3000, 3000, 2500], [3, 3], 0.05),
        ([390, 450, 380], [0, 1], 0.05),
        ([1500, 1700, 1400], [2, 3], 0.07),
        ([390, 1700, 390], [0, 3], 0.0),
    ];
    for (sizes @ [a, b, common], levels, most) in cases {
        let exact = f64::from(common) / f64::from(a + b - common);
        // Sketches whose levels differ by more count as unrelated.
        let exact = if levels[1] > levels[0] + 1 { 0.0 } else { exact };
        let (mut sum, mut squares, mut count) = (0.0, 0.0, 0.0);
        each_pair(sizes, |a, b| {
            if [level(a), level(b)] == levels {
                let error = a.resemblance(b).unwrap() - exact;
                assert_eq!(a.resemblance(b), b.resemblance(a));
                assert_eq!(a.resemblance(a), Ok(1.0));
                sum += error;
                squares += error * error;
                count += 1.0;
            }
        });
        assert!(count > 40.0, "{sizes:?}: {count} pairs of these levels");
        let (bias, deviation) = (sum / count, f64::sqrt(squares / count));
        assert!(bias.abs() < most / 4.0 + 1e-9, "{sizes:?}: bias {bias}");
        assert!(deviation <= most, "{sizes:?}: standard error {deviation}");
    }
}

/// Texts of at most 40 features are compared by 12 bits of each feature, of which few are equal by chance.
#[test]
fn short_lists_of_features_are_compared_exactly() {
    for sizes @ [a, b, common] in [[8, 8, 7], [30, 33, 25], [40, 40, 38], [40, 20, 20], [39, 38, 0]]
    {
        let mut equal = 0;
        each_pair(sizes, |first, second| {
            let shared = |common: u32| f64::from(common) / f64::from(a + b - common);
            let estimate = first.resemblance(second).unwrap();
            equal += u32::from(estimate == shared(common));
            assert!(
                (shared(common)..=shared(common + 3)).contains(&estimate),
                "{sizes:?}: {estimate}"
            );
        });
        assert!(equal > 200, "{sizes:?}: {equal} of 300");
    }
}

/// Two texts have a key of a band in common with a probability of the cube of their resemblance.
#[test]
fn the_share_of_equal_keys_is_the_cube_of_the_resemblance() {
    for sizes @ [a, b, common] in [[8, 8, 7], [20, 20, 16], [40, 20, 20]] {
        let mut equal = 0;
        each_pair(sizes, |a, b| {
            let [a, b] = [a, b].map(|sketch| sketch.keys().unwrap());
            assert!(a.len() == 13 && a.iter().collect::<HashSet<_>>().len() == 13);
            equal += a[..12].iter().zip(&b).filter(|(a, b)| a == b).count();
        });
        let expected = (f64::from(common) / f64::from(a + b - common)).powi(3);
        let share = equal as f64 / (12.0 * 300.0);
        assert!((share - expected).abs() < 0.03, "{sizes:?}: {share}, expected {expected}");
    }
}
