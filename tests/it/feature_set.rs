//! The hash of a text's words, and exact resemblance, against what is known of the texts.

use std::collections::{HashMap, HashSet};

use nearprint::dedupe::{Feature, Sketcher};
use proptest::prelude::*;

use crate::keyed::key;

/// Returns the pairs and words of texts of one-letter words by a naive count: the feature, its count in each text, and whether it is
/// a pair, in the order in which they first end in the first text.
fn naive_features(a: &str, b: &str) -> Vec<(String, u32, u32, bool)> {
    let grams = |text: &str| -> Vec<String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let ends = (0..words.len()).map(|at| {
            let pair = at.checked_sub(1).map(|before| words[before..=at].join(" "));
            [Some(words[at].to_string()), pair].into_iter().flatten()
        });
        ends.flatten().collect()
    };
    let (own, others) = (grams(a), grams(b));
    let count = |of: &[String], gram: &String| of.iter().filter(|it| *it == gram).count() as u32;
    let mut seen = HashSet::new();
    let first = own.iter().filter(|&gram| seen.insert(gram.clone()));
    let features = first
        .map(|gram| (gram.clone(), count(&own, gram), count(&others, gram), gram.contains(' ')));
    features.collect()
}

proptest! {
    /// Texts of some and of many words, so that lists are sorted by insertion and by parts.
    #[test]
    fn features_are_counted_in_both_texts(a in "([a-p] ){0,6}|([a-p] ){100,300}", b in "([a-p] ){0,300}") {
        let sketcher = Sketcher::default();
        let compared = sketcher.compare(key(), &a, &b);
        let seen = |features: &[Feature]| -> Vec<(String, u32, u32, bool)> {
            features.iter().map(|f| (f.feature.clone(), f.count, f.other_count, f.decides)).collect()
        };
        prop_assert_eq!(seen(&compared.a.features), naive_features(&a, &b));
        prop_assert_eq!(seen(&compared.b.features), naive_features(&b, &a));
        let hashes: HashMap<u64, &str> =
            compared.a.features.iter().map(|f| (f.hash, f.feature.as_str())).collect();
        prop_assert_eq!(hashes.len(), compared.a.features.len());
    }
}

/// The Thue-Morse sequence of two words and its complement, in which every polynomial modulo 2^64 collides.
#[test]
fn thue_morse_sequences_have_different_hashes() {
    let sketcher = Sketcher::default();
    for exponent in 0..14 {
        let hash = |words: [&str; 2]| {
            let text: String =
                (0..1_u32 << exponent).map(|at| words[(at.count_ones() % 2) as usize]).collect();
            sketcher.feature_set(key(), &text).sequence_hashes()
        };
        assert_ne!(hash(["river ", "bank "]), hash(["bank ", "river "]), "2^{exponent} words");
    }
}

#[test]
fn prefixes_have_different_hashes() {
    let sketcher = Sketcher::default();
    let mut seen = HashSet::new();
    for len in 0..2000 {
        assert!(
            seen.insert(sketcher.feature_set(key(), &"a ".repeat(len)).sequence_hashes()),
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
    // The replaced words leave 3 of its 12 word pairs.
    let exact = [(long, 3.0 / 21.0), ("the road is closed", 0.0), ("the", 0.0), ("is", 0.0)];
    for (id, shares) in [
        ("s1", exact),
        (
            "s1:words1",
            [(long, 8.0 / 12.0), ("the road is closed", 2.0 / 6.0), ("the", 0.0), ("is", 0.0)],
        ),
    ] {
        let mut sketcher = Sketcher::new(id.parse().unwrap()).unwrap();
        for (text, share) in shares {
            let forged = forge(text);
            assert_ne!(text, forged);
            let [a, b] = [text, &forged].map(|text| sketcher.sketch(text));
            assert_eq!(a, b, "the hashes of the words are equal");
            let [a, b] = [text, &forged].map(|text| sketcher.feature_set(key(), text));
            assert_eq!(a.sequence_hashes(), b.sequence_hashes());
            assert_ne!(a.keyed_sequence_hashes(), b.keyed_sequence_hashes());
            assert_eq!(a.resemblance(&b), share, "{id}: {text}");
            let compared = sketcher.compare(key(), text, &forged);
            assert_eq!(compared.exact_resemblance, share);
            assert_eq!(sketcher.compare(key(), text, text).exact_resemblance, 1.0);
        }
    }
}

#[test]
fn blank_texts_do_not_resemble_each_other_exactly() {
    for (id, blank) in [("s1", "..."), ("s1:words3", "?"), ("s1:chars2", " \n")] {
        let sketcher = Sketcher::new(id.parse().unwrap()).unwrap();
        for other in ["", blank, "a", "$"] {
            let [a, b] = [blank, other].map(|text| sketcher.feature_set(key(), text));
            assert_eq!((a.resemblance(&b), b.resemblance(&a)), (0.0, 0.0), "{id}: {other:?}");
        }
    }
}
