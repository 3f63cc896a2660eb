//! Scopes: documents of different scopes are never compared.

use nearprint::dedupe::{Scope, Sketch, SketchScheme, Sketcher};

use crate::keyed::{TEXT, key};

fn long_text() -> String {
    (0..40_000).map(|n| format!("word{} ", n % 30_011)).collect()
}

fn schemes() -> impl Iterator<Item = Sketcher> {
    let ids = ["s1", "s1:chars3", "s1:words2"];
    ids.into_iter().map(|id| Sketcher::new(id.parse::<SketchScheme>().unwrap()).unwrap())
}

#[test]
fn a_sketch_has_a_scope() {
    for mut sketcher in schemes() {
        for text in [TEXT, &long_text(), "Good news", "", "!"] {
            let plain = sketcher.sketch(text);
            let [a, b] = ["a", "b"].map(|name| sketcher.sketch_in(Scope::new(name), text));
            assert_eq!(sketcher.sketch_in(Scope::new(""), text), plain);
            assert_eq!(sketcher.sketch_in(Scope::default(), text), plain);
            for (one, other) in [(&plain, &a), (&a, &b)] {
                assert!(!one.is_equal_document(other).unwrap(), "{text:.40}");
                assert!(one.resemblance(other).unwrap() < 0.15, "{text:.40}");
                assert_eq!(one.is_short(), other.is_short());
            }
            assert_eq!(sketcher.sketch_in(Scope::new("a"), text), a);
            assert_eq!(Sketch::from_bytes(&a.to_bytes()).unwrap(), a);
        }
    }
}

#[test]
fn texts_of_a_scope_resemble_each_other_as_without_one() {
    let mut sketcher = Sketcher::default();
    let other = TEXT.replace("closed", "open");
    let scope = Scope::new("news");
    let [a, b] = [TEXT, &other].map(|text| sketcher.sketch_in(scope, text));
    assert!(a.resemblance(&b).unwrap() > 0.7);
    let sets = [TEXT, &other].map(|text| sketcher.feature_set_in(key(), scope, text));
    let plain = [TEXT, &other].map(|text| sketcher.feature_set(key(), text));
    assert_eq!(sets[0].resemblance(&sets[1]), plain[0].resemblance(&plain[1]));
    assert_eq!(sets[0].resemblance(&plain[0]), 0.0);
    assert!(sets[0].hashes().is_sorted());
    assert_ne!(sets[0].sequence_hashes(), plain[0].sequence_hashes());
}

/// `DESIGN.md` defines the hash.
#[test]
fn the_hash_of_a_scope_is_xored() {
    let sketcher = Sketcher::default();
    let hash = nearprint::hash::fmix64(nearprint::hash::fnv1_64("Ж\u{10ffff}".as_bytes()));
    let scope = Scope::new("Ж\u{10ffff}");
    for text in [TEXT, "", "Good news"] {
        let plain = sketcher.feature_set(key(), text);
        let scoped = sketcher.feature_set_in(key(), scope, text);
        let mut hashes: Vec<u64> = plain.hashes().iter().map(|feature| feature ^ hash).collect();
        hashes.sort_unstable();
        assert_eq!(scoped.hashes(), hashes);
    }
    // Without words, both states are 0, and bit 1 of the first hash is set.
    let state = nearprint::hash::fmix64(hash);
    let hashes = sketcher.feature_set_in(key(), scope, "").sequence_hashes();
    assert_eq!(hashes, [state & !3 | 2, state]);
}

#[test]
fn streams_and_bytes_have_scopes() {
    let scope = Scope::new("news");
    for mut sketcher in schemes() {
        for text in [TEXT, &long_text(), "Good news", ""] {
            let expected = sketcher.sketch_in(scope, text);
            assert_eq!(sketcher.sketch_bytes_in(scope, text.as_bytes()), expected);
            for size in [1, 7, 100_000] {
                let mut stream = sketcher.stream_in(scope);
                for chunk in text.as_bytes().chunks(size) {
                    stream.update_bytes(chunk);
                }
                assert_eq!(stream.sketch(), expected);
            }
        }
        let invalid = b"Good \xff news";
        assert_eq!(
            sketcher.sketch_bytes_in(scope, invalid),
            sketcher.sketch_in(scope, "Good \u{fffd} news")
        );
    }
}
