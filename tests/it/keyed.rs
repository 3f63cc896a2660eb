//! Keyed schemes: a key is known by its check value, and nothing reveals the secret.

use std::hash::Hasher as _;

use nearprint::{
    Error, Key,
    dedupe::{self, Deduplicator, Sketch, SketchScheme, Sketcher},
    simhash::{Fingerprinter, Scheme, Weighted, distance},
};
use proptest::prelude::*;
use siphasher::sip::SipHasher13;

const SECRET: [u8; 16] = *b"sixteen bytes!!!";
pub const TEXT: &str =
    "The river burst its banks early on Tuesday, the council said, and the road is closed.";

/// Returns the key of exact comparison in the tests.
pub fn key() -> Key {
    Key::new(SECRET)
}

/// Returns the hash of a word by that key, as another implementation computes it.
pub fn hash_by_key(word: &str) -> u64 {
    SipHasher13::new_with_key(&SECRET).hash(word.as_bytes())
}

fn keyed(secret: [u8; 16]) -> Scheme {
    Scheme::default().keyed(Key::new(secret)).unwrap()
}

fn keyed_sketches(secret: [u8; 16]) -> SketchScheme {
    SketchScheme::default().keyed(Key::new(secret)).unwrap()
}

fn refused(result: Result<impl Sized, Error>) -> String {
    result.err().expect("it must be refused").to_string()
}

#[test]
fn fingerprints_depend_on_the_key() {
    let of = |scheme| Fingerprinter::new(scheme).unwrap().fingerprint(TEXT);
    let [plain, first, second] =
        [Scheme::default(), keyed(SECRET), keyed(*b"another 16 bytes")].map(of);
    assert!(distance(plain, first) > 8);
    assert!(distance(second, first) > 8);
    assert_eq!(first, of(keyed(SECRET)));
}

#[test]
fn sketches_depend_on_the_key() {
    let of = |scheme| Sketcher::new(scheme).unwrap().sketch(TEXT);
    let schemes =
        [SketchScheme::default(), keyed_sketches(SECRET), keyed_sketches(*b"another 16 bytes")];
    let [plain, first, second] = schemes.map(of);
    refused(first.resemblance(&plain));
    refused(first.resemblance(&second));
    assert_eq!(first.resemblance(&of(keyed_sketches(SECRET))), Ok(1.0));
    for [a, b] in [[&plain, &first], [&first, &second]] {
        assert!(a.keys().unwrap().iter().all(|key| !b.keys().unwrap().contains(key)));
    }
}

/// The fingerprint of one feature is its hash after the finaliser.
#[test]
fn bytes_of_every_length_have_the_hash_of_another_implementation() {
    for len in 0..40 {
        let feature = "0123456789abcdefghijklmnopqrstuvwxyzABCD"[..len].to_owned();
        let mut weighted = Weighted::new(keyed(SECRET)).unwrap();
        let digest = weighted.add(&feature, 1.0).unwrap().digest();
        assert_eq!(digest, nearprint::hash::fmix64(hash_by_key(&feature)).into(), "{feature:?}");
    }
}

#[test]
fn the_scheme_of_an_id_has_no_secret() {
    let id = keyed(SECRET).to_string();
    let public: Scheme = id.parse().unwrap();
    assert_eq!(public, keyed(SECRET));
    let expected = "key must be the 16-byte key of the scheme v1:64:key6b05b8960e676da0, got none";
    assert_eq!(refused(Fingerprinter::new(public)), expected);
    assert_eq!(refused(Weighted::new(public)), expected);
    let sketches: SketchScheme = keyed_sketches(SECRET).to_string().parse().unwrap();
    let expected = "key must be the 16-byte key of the scheme s1:key6b05b8960e676da0, got none";
    assert_eq!(refused(Sketcher::new(sketches)), expected);
    let other = refused(sketches.keyed(Key::new(*b"another 16 bytes")));
    assert!(other.starts_with("key must be the key of the scheme s1:key6b05b8960e676da0, got"));
    assert!(Fingerprinter::new(public.keyed(Key::new(SECRET)).unwrap()).is_ok());
    let other = refused(public.keyed(Key::new(*b"another 16 bytes")));
    assert!(other.starts_with("key must be the key of the scheme v1:64:key6b05b8960e676da0, got"));
    refused("v1:64:fnv1a".parse::<Scheme>().unwrap().keyed(Key::new(SECRET)));
    for bad in
        ["v1:64:key", "v1:64:key12", "v1:64:key6B05B8960E676DA0", "v1:64:fnv1a:key6b05b8960e676da0"]
    {
        refused(bad.parse::<Scheme>());
    }
}

#[test]
fn sketches_and_sets_work_without_the_secret() {
    let sketch = Sketcher::new(keyed_sketches(SECRET)).unwrap().sketch(TEXT);
    let read = Sketch::from_bytes(&sketch.to_bytes()).unwrap();
    assert_eq!(read.resemblance(&sketch), Ok(1.0));
    let mut kept = Deduplicator::new(*read.scheme()).unwrap();
    kept.observe(1, &sketch, &dedupe::Options::default()).unwrap();
    let decision = kept.observe(2, &read, &dedupe::Options::default()).unwrap();
    assert!(matches!(decision, dedupe::Decision::Duplicate(_)));
}

#[test]
fn the_secret_is_in_no_output() {
    let scheme = keyed_sketches(SECRET);
    let sketch = Sketcher::new(scheme).unwrap().sketch(TEXT);
    let shown = format!("{scheme:?} {scheme} {sketch:?} {:?}", Key::new(SECRET));
    let number = u128::from_le_bytes(SECRET);
    for part in [number as u64, (number >> 64) as u64] {
        assert!(!shown.contains(&format!("{part:x}")) && !shown.contains(&part.to_string()));
    }
    assert!(!sketch.to_bytes().windows(4).any(|bytes| SECRET.windows(4).any(|part| part == bytes)));
}

proptest! {
    #[test]
    fn words_have_the_hashes_of_another_implementation(key: [u8; 16], word in "[a-zéя]{1,40}") {
        let mut hasher = SipHasher13::new_with_key(&key);
        hasher.write(word.as_bytes());
        let scheme: Scheme = "v1:64:verbatim:words1:raw".parse().unwrap();
        let scheme = scheme.keyed(Key::new(key)).unwrap();
        let features = Fingerprinter::new(scheme).unwrap().features(&word);
        let hashes: Vec<u128> = features.iter().map(|feature| feature.hash).collect();
        prop_assert_eq!(hashes, [u128::from(hasher.finish())]);
    }
}
