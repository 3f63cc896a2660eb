//! Scopes: documents of different scopes are never compared.

use nearprint::{Fingerprinter, Scheme, Scope, Sketch};

use crate::keyed::key;

const TEXT: &str =
    "The river burst its banks early on Tuesday, the council said, and the road is closed.";

fn long_text() -> String {
    (0..40_000).map(|n| format!("word{} ", n % 30_011)).collect()
}

fn schemes() -> impl Iterator<Item = Fingerprinter> {
    let ids = ["v1:64", "v1:128", "v1:64:chars3", "v1:64:words2:raw", "v1:64:fnv1a:tf"];
    ids.into_iter().map(|id| Fingerprinter::new(id.parse::<Scheme>().unwrap()).unwrap())
}

#[test]
fn the_fingerprint_has_no_scope_and_the_rest_of_a_sketch_has() {
    for mut fingerprinter in schemes() {
        for text in [TEXT, &long_text(), "Good news", "", "!"] {
            let plain = fingerprinter.sketch(text);
            let [a, b] = ["a", "b"].map(|name| fingerprinter.sketch_in(Scope::new(name), text));
            assert_eq!(fingerprinter.sketch_in(Scope::new(""), text), plain);
            assert_eq!(fingerprinter.sketch_in(Scope::default(), text), plain);
            for (one, other) in [(&plain, &a), (&a, &b)] {
                assert!(!one.is_equal_document(other).unwrap(), "{text:.40}");
                assert!(one.resemblance(other).unwrap() < 0.15, "{text:.40}");
                assert_eq!(one.distance(other).unwrap(), 0);
                assert_eq!(one.is_short(), other.is_short());
            }
            assert_eq!(fingerprinter.sketch_in(Scope::new("a"), text), a);
            assert_eq!(Sketch::from_bytes(&a.to_bytes()).unwrap(), a);
        }
    }
}

#[test]
fn texts_of_a_scope_resemble_each_other_as_without_one() {
    let mut fingerprinter = Fingerprinter::default();
    let other = TEXT.replace("closed", "open");
    let scope = Scope::new("news");
    let [a, b] = [TEXT, &other].map(|text| fingerprinter.sketch_in(scope, text));
    assert!(a.resemblance(&b).unwrap() > 0.7);
    let sets = [TEXT, &other].map(|text| fingerprinter.feature_set_in(key(), scope, text));
    let plain = [TEXT, &other].map(|text| fingerprinter.feature_set(key(), text));
    assert_eq!(sets[0].resemblance(&sets[1]), plain[0].resemblance(&plain[1]));
    assert_eq!(sets[0].resemblance(&plain[0]), 0.0);
    assert!(sets[0].hashes().is_sorted());
    assert_ne!(sets[0].words_hash(), plain[0].words_hash());
}

/// `DESIGN.md` defines the hash.
#[test]
fn the_hash_of_a_scope_is_xored() {
    let fingerprinter = Fingerprinter::default();
    let hash = nearprint::mix::fmix64(nearprint::hash::fnv1_64("Ж\u{10ffff}".as_bytes()));
    let scope = Scope::new("Ж\u{10ffff}");
    for text in [TEXT, "", "Good news"] {
        let plain = fingerprinter.feature_set(key(), text);
        let scoped = fingerprinter.feature_set_in(key(), scope, text);
        let mut hashes: Vec<u64> = plain.hashes().iter().map(|feature| feature ^ hash).collect();
        hashes.sort_unstable();
        assert_eq!(scoped.hashes(), hashes);
    }
    // Without words, the state of the hash is 0, and bit 1 is set.
    let words = fingerprinter.feature_set_in(key(), scope, "").words_hash();
    assert_eq!(words, nearprint::mix::fmix64(hash) & !3 | 2);
}

#[test]
fn streams_and_bytes_have_scopes() {
    let scope = Scope::new("news");
    for mut fingerprinter in schemes() {
        for text in [TEXT, &long_text(), "Good news", ""] {
            let expected = fingerprinter.sketch_in(scope, text);
            assert_eq!(fingerprinter.sketch_bytes_in(scope, text.as_bytes()), expected);
            for size in [1, 7, 100_000] {
                let mut stream = fingerprinter.stream_in(scope);
                for chunk in text.as_bytes().chunks(size) {
                    stream.update_bytes(chunk);
                }
                assert_eq!(stream.sketch(), expected);
                assert_eq!(stream.digest(), fingerprinter.fingerprint(text));
            }
        }
        let invalid = b"Good \xff news";
        assert_eq!(
            fingerprinter.sketch_bytes_in(scope, invalid),
            fingerprinter.sketch_in(scope, "Good \u{fffd} news")
        );
    }
}
