//! FNV-1 and FNV-1a against the values that their authors publish, and against the crate `fnv`.

use std::hash::Hasher as _;

use fnv::FnvHasher;
use nearprint::{
    hash::{fnv1_64, fnv1a_64},
    simhash::Fingerprinter,
};
use proptest::prelude::*;

/// A text, and its FNV-1 and FNV-1a of 64 bits: from `test_fnv.c` (Landon Curt Noll, public domain).
const PUBLISHED: [(&str, u64, u64); 7] = [
    ("", 0xcbf29ce484222325, 0xcbf29ce484222325),
    ("a", 0xaf63bd4c8601b7be, 0xaf63dc4c8601ec8c),
    ("b", 0xaf63bd4c8601b7bd, 0xaf63df4c8601f1a5),
    ("ab", 0x08326707b4eb37b8, 0x089c4407b545986a),
    ("abc", 0xd8dcca186bafadcb, 0xe71fa2190541574b),
    ("foo", 0xd8cbc7186ba13533, 0xdcb27518fed9d577),
    ("foobar", 0x340d8765a4dda9c2, 0x85944171f73967e8),
];

#[test]
fn published_values() {
    for (text, one, one_a) in PUBLISHED {
        assert_eq!(fnv1_64(text.as_bytes()), one, "FNV-1 of {text:?}");
        assert_eq!(fnv1a_64(text.as_bytes()), one_a, "FNV-1a of {text:?}");
    }
}

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// Returns the FNV-1a that the crate computes of `bytes`, from the state `start`.
fn crate_fnv1a(start: u64, bytes: &[u8]) -> u64 {
    let mut hasher = FnvHasher::with_key(start);
    hasher.write(bytes);
    hasher.finish()
}

/// Returns the FNV-1 of `bytes`, from the FNV-1a of the crate. FNV-1a multiplies after each byte and FNV-1 before it: with
/// the first multiplication in the start value and the last one undone, both are the same sequence of operations.
fn crate_fnv1(bytes: &[u8]) -> u64 {
    let inverse = 0xce96_5057_aff6_957b_u64;
    assert_eq!(PRIME.wrapping_mul(inverse), 1);
    crate_fnv1a(OFFSET.wrapping_mul(PRIME), bytes).wrapping_mul(inverse)
}

proptest! {
    #[test]
    fn any_bytes_have_the_hash_of_the_crate(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        prop_assert_eq!(fnv1_64(&bytes), crate_fnv1(&bytes));
    }

    /// Features are hashed eight bytes at a time, or a byte of many characters at a time.
    #[test]
    fn features_have_the_hashes_of_their_bytes(
        text in "([a-zé]{1,60}|[中ひ][ \n]?|[a-z]{1,9}[0-9]{1,9})( [a-zé中]{1,30}){0,80}",
        n in 1_usize..7,
    ) {
        type Hash = fn(&[u8]) -> u64;
        let hashes: [(&str, Hash); 2] = [("", crate_fnv1), (":fnv1a", |bytes| crate_fnv1a(OFFSET, bytes))];
        for (id, hash) in hashes {
            let features = |kind: &str| {
                let scheme = format!("v1:64:verbatim:{kind}{id}:raw").parse().expect("a scheme");
                Fingerprinter::new(scheme).expect("a fingerprinter").features(&text)
            };
            for feature in features("words1").into_iter().chain(features(&format!("chars{n}"))) {
                // The characters of a feature have no spaces between them; the words do.
                let expected = hash(feature.feature.as_bytes());
                prop_assert_eq!(feature.hash as u64, expected, "{} in {:?}", feature.feature, text);
            }
        }
    }
}
