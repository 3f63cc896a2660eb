//! What a fingerprint is made of, and sums of the caller's own features, against hash maps and plain sums.

use nearprint::simhash::{Feature, Fingerprinter, Scheme, Weighted};
use proptest::prelude::*;

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop::sample::select(vec!["the", "river", "burst", "7", "网", "页", "."]),
        0..12,
    )
    .prop_map(|words| words.join(" "))
}

fn scheme() -> impl Strategy<Value = Scheme> {
    let ids =
        vec!["v1:64", "v1:128:tf", "v1:32:binary", "v1:64:words2", "v1:64:chars2", "v1:64:words1"];
    prop::sample::select(ids).prop_map(|id| id.parse().unwrap())
}

proptest! {
    #[test]
    fn a_comparison_has_the_sums_of_the_votes(scheme in scheme(), a in text(), b in text()) {
        let mut fingerprinter = Fingerprinter::new(scheme).unwrap();
        let comparison = fingerprinter.compare(&a, &b);
        for (side, text) in [(&comparison.a, &a), (&comparison.b, &b)] {
            prop_assert_eq!(side.fingerprint, fingerprinter.fingerprint(text));
            prop_assert_eq!(&side.features, &fingerprinter.features(text));
            for (bit, &sum) in side.sums.iter().enumerate() {
                let (ones, zeros): (Vec<_>, Vec<_>) =
                    side.features.iter().partition(|feature| feature.hash >> bit & 1 == 1);
                let weight = |features: &[&Feature]| -> i64 {
                    features.iter().map(|feature| i64::from(feature.weight)).sum()
                };
                prop_assert_eq!(sum, weight(&ones) - weight(&zeros));
            }
        }
    }

    #[test]
    fn weighted_features_are_summed(
        scheme in scheme(),
        // Weights from 2^-40 to 2^32.
        features in prop::collection::vec((any::<u64>(), -8..8_i32, prop::sample::select(vec![0, 20, 38, 69])), 0..6),
    ) {
        let mut weighted = Weighted::new(scheme).unwrap();
        let mut sums = [0_i128; 128];
        for &(hash, weight, power) in &features {
            weighted.add_hash(hash, f64::from(weight) * 2_f64.powi(power - 40)).unwrap();
            let weight = i128::from(weight) << power;
            // The fingerprint of one feature is its bits.
            let mut one = Weighted::new(scheme).unwrap();
            let bits = one.add_hash(hash, 1.0).unwrap().digest();
            for (at, sum) in sums.iter_mut().enumerate().take(scheme.width.bits() as usize) {
                *sum += if bits >> at & 1 == 1 { weight } else { -weight };
            }
        }
        let ones = (0..128).filter(|&at| sums[at as usize] > 0);
        prop_assert_eq!(weighted.digest(), ones.fold(0, |print, at| print | 1_u128 << at));
    }
}

/// Independent of [`Weighted`]: the finaliser is public.
#[test]
fn the_bits_of_a_feature_are_its_mixed_hash() {
    for hash in [0, 1, 0x0123_4567_89ab_cdef, u64::MAX] {
        let mut weighted = Weighted::new("v1:128".parse::<Scheme>().unwrap()).unwrap();
        let print = weighted.add_hash(hash, 1.0).unwrap().digest();
        let halves = [hash, hash ^ 0x9e37_79b9_7f4a_7c15].map(nearprint::hash::fmix64);
        assert_eq!(print, u128::from(halves[1]) << 64 | u128::from(halves[0]));
    }
}

#[test]
fn the_words_of_a_feature_are_joined_as_they_are_written() {
    let fingerprinter = Fingerprinter::default();
    let text = |feature: Feature| feature.feature;
    let features: Vec<String> =
        fingerprinter.features("Good news 网页 7").into_iter().map(text).collect();
    assert_eq!(
        features,
        ["good", "news", "good news", "news 网", "网页", "页 7", "网页 7"].map(String::from)
    );
}

#[test]
fn features_with_equal_bits_are_different() {
    let scheme: Scheme = "v1:32:words1".parse().unwrap();
    let features = Fingerprinter::new(scheme).unwrap().features("w22734x w90525x");
    assert_eq!(features.len(), 2);
    assert_eq!(features[0].hash, features[1].hash);
}
