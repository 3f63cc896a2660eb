//! The reference's sketches against exact numbers: whether estimates and shared keys are what the definition promises.

use std::collections::HashSet;

use nearprint_reference::{keys, minima, resemblance, sketch};

use crate::random::Random;
use crate::tier;

/// A scheme whose features are the words.
const WORDS: &str = "s1:words1";

/// Returns two sets of random numbers of these sizes that have `common` members in common.
fn sets(random: &mut Random, sizes: [usize; 2], common: usize) -> [HashSet<u64>; 2] {
    let both: Vec<u64> = (0..common).map(|_| random.next()).collect();
    sizes.map(|size| {
        let own = (common..size).map(|_| random.next());
        both.iter().copied().chain(own).collect()
    })
}

/// Returns the sketch of a text that has a word for each feature: 30 bits of it, since the reference takes its time for each letter.
fn sketch_of(set: &HashSet<u64>) -> Vec<u8> {
    let letter = |word: u64, at: u32| char::from_digit((word >> (5 * at) & 31) as u32, 32).unwrap();
    let words = set.iter().map(|&word| (0..6).map(|at| letter(word, at)).collect());
    sketch(WORDS, "", &words.collect::<Vec<String>>().join(" "))
}

/// Returns the level of an odd sketch, in the highest bits of its last byte.
fn level(sketch: &[u8]) -> u32 {
    u32::from(sketch[sketch.len() - 97] >> 1)
}

fn jaccard([a, b]: &[HashSet<u64>; 2]) -> f64 {
    a.intersection(b).count() as f64 / a.union(b).count() as f64
}

#[test]
fn exact_sketches_have_the_exact_resemblance() {
    let mut random = Random(1);
    let mut errors = Vec::new();
    for round in 0..300 {
        let sizes = [8 + round % 33, 8 + round / 8 % 33];
        let common = (random.next() % (sizes[0].min(sizes[1]) as u64 + 1)) as usize;
        let sets = sets(&mut random, sizes, common);
        let error = resemblance(&sketch_of(&sets[0]), &sketch_of(&sets[1])) - jaccard(&sets);
        // Different features seldom share a value of 12 bits, as in the largest sets, and hardly ever one of 20 bits.
        let limit = if sizes[0].max(sizes[1]) <= 24 { 0.0 } else { 0.06 };
        assert!((0.0..=limit).contains(&error), "{sizes:?}, {common} in common: off by {error}");
        errors.push(error);
    }
    let exact = errors.iter().filter(|&&error| error == 0.0).count();
    assert!(exact > 285, "{exact} of {} exactly", errors.len());
}

/// The standard error of an estimate: of an odd sketch of `bits` bits, and of the sample if there is one.
fn standard_error(jaccard: f64, bits: f64, features: f64, is_sample: bool) -> f64 {
    let differ = features * (1.0 - jaccard) / (1.0 + jaccard);
    let variance = bits / 4.0 * ((4.0 * differ / bits).exp() - 1.0);
    let of_bits = (1.0 + jaccard).powi(2) / (2.0 * features) * variance.sqrt();
    let union = (features + differ) / 2.0;
    let of_sample = if is_sample { (jaccard * (1.0 - jaccard) / union).sqrt() } else { 0.0 };
    of_bits.hypot(of_sample)
}

#[test]
fn odd_sketches_have_about_the_exact_resemblance() {
    let mut random = Random(2);
    // Both toggled at level 0, one exact, neighbouring levels, equal levels above 0.
    let sizes = [[60, 60], [100, 90], [300, 250], [400, 400], [40, 44], [380, 430], [420, 390]];
    let sampled = [
        [700, 700],
        [750, 900],
        [1200, 1200],
        [900, 750],
        [3000, 3000],
        [3000, 3400],
        [9000, 9000],
    ];
    let mut deviations = Vec::new();
    let mut met = HashSet::new();
    for [a, b] in sizes.into_iter().chain(sampled) {
        for share in [0.7, 0.8, 0.9, 0.97] {
            for _ in 0..if a < 3000 { 8 } else { 2 } {
                let sets = sets(&mut random, [a, b], (a.min(b) as f64 * share) as usize);
                let [x, y] = [sketch_of(&sets[0]), sketch_of(&sets[1])];
                let higher = level(&x).max(level(&y));
                let is_apart = level(&x) != level(&y);
                met.insert((higher, is_apart));
                let (exact, bits) = (jaccard(&sets), if is_apart { 240.0 } else { 480.0 });
                let counted = (a + b) as f64 / f64::from(1 << higher);
                let error = resemblance(&x, &y) - exact;
                let deviation = error / standard_error(exact, bits, counted, higher > 0);
                assert!(deviation.abs() < 4.0, "{a}, {b}, {exact}: off by {error}");
                deviations.push(deviation);
            }
        }
    }
    assert!((0..4).all(|level| met.contains(&(level, false))), "{met:?}");
    assert!((1..3).all(|level| met.contains(&(level, true))), "{met:?}");
    let count = deviations.len() as f64;
    let mean = deviations.iter().sum::<f64>() / count;
    let square = deviations.iter().map(|deviation| deviation * deviation).sum::<f64>() / count;
    assert!(mean.abs() < 0.2 && square < 1.2, "mean {mean}, mean square {square}");
}

#[test]
fn estimates_are_symmetric_and_1_for_equal_texts() {
    let mut random = Random(3);
    let mut sketches = Vec::new();
    for size in [3, 9, 40, 41, 300, 401, 900, 5000] {
        let [a, b] = sets(&mut random, [size, size + size / 4], size * 9 / 10);
        sketches.extend([sketch_of(&a), sketch_of(&b)]);
    }
    for a in &sketches {
        assert_eq!(resemblance(a, a), 1.0);
        for b in &sketches {
            let estimate = resemblance(a, b);
            assert_eq!(estimate, resemblance(b, a));
            assert!((0.0..=1.0).contains(&estimate));
        }
    }
}

#[test]
fn one_feature_fills_every_slot() {
    let mut random = Random(4);
    for _ in 0..100 {
        let minima = minima(&HashSet::from([random.next()]));
        assert!(!minima.contains(&u64::MAX));
        let different = minima.iter().collect::<HashSet<_>>().len();
        assert_eq!(different, 36, "each slot has a value of another round, or of its own");
    }
    assert_eq!(minima(&HashSet::new()), [u64::MAX; 36]);
}

/// Returns the Jaccard similarity of sets, about `jaccard`, and the shares of the slots and of the keys of bands that they have in common.
fn shared(random: &mut Random, size: usize, jaccard: f64) -> [f64; 3] {
    let pairs = 4000 / size + 60;
    let common = (2.0 * size as f64 * jaccard / (1.0 + jaccard)).round() as usize;
    let mut shared = [0, 0];
    for _ in 0..pairs {
        let sets = sets(random, [size, size], common);
        let [a, b] = [minima(&sets[0]), minima(&sets[1])];
        shared[0] += (0..36).filter(|&slot| a[slot] == b[slot]).count();
        let [a, b] = [keys(&sketch_of(&sets[0])), keys(&sketch_of(&sets[1]))];
        shared[1] += (0..12).filter(|&band| a[band] == b[band]).count();
    }
    [
        common as f64 / (2 * size - common) as f64,
        shared[0] as f64 / (36 * pairs) as f64,
        shared[1] as f64 / (12 * pairs) as f64,
    ]
}

#[test]
fn keys_are_shared_as_often_as_three_minima() {
    let mut random = Random(5);
    for jaccard in [0.5, 0.7, 0.9] {
        // Few features: nearly each has a bin of its own, so items are as similar as features.
        let [exact, slots, bands] = shared(&mut random, 20, jaccard);
        assert!((slots - exact).abs() < 0.03, "{exact}: {slots} of the slots");
        assert!((bands - exact.powi(3)).abs() < 0.05, "{exact}: {bands} of the keys");
        // Many features: each of the 256 bins has the same item with probability J, so the sets of items have the Jaccard
        // similarity J / (2 - J).
        let [exact, slots, bands] = shared(&mut random, tier::size(3000, 750), jaccard);
        let of_items = exact / (2.0 - exact);
        assert!((slots - of_items).abs() < 0.05, "{exact}: {slots} of the slots");
        assert!((bands - of_items.powi(3)).abs() < 0.07, "{exact}: {bands} of the keys");
    }
}

#[test]
fn texts_share_key_12_if_their_words_are_equal() {
    let key = |text| *keys(&sketch("s1", "", text)).last().unwrap();
    let long = "One two three four, five six seven eight nine.";
    assert_eq!(key(long), key("one two three four five six SEVEN eight nine"));
    assert_ne!(key(long), key("two one three four five six seven eight nine"));
    assert_eq!(keys(&sketch("s1", "", "short text")).len(), 1);
}
