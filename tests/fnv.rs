//! FNV-1 and FNV-1a against the values that their authors and the Go standard library publish.

use nearprint::{
    Fingerprinter,
    fnv::{fnv1_32, fnv1_64, fnv1_128, fnv1a_32, fnv1a_64, fnv1a_128},
};
use proptest::prelude::*;

/// A text, and its FNV-1 and FNV-1a of 32 and 64 bits: from `test_fnv.c` (Landon Curt Noll, public domain).
const SHORT: [(&str, u32, u32, u64, u64); 7] = [
    ("", 0x811c9dc5, 0x811c9dc5, 0xcbf29ce484222325, 0xcbf29ce484222325),
    ("a", 0x050c5d7e, 0xe40c292c, 0xaf63bd4c8601b7be, 0xaf63dc4c8601ec8c),
    ("b", 0x050c5d7d, 0xe70c2de5, 0xaf63bd4c8601b7bd, 0xaf63df4c8601f1a5),
    ("ab", 0x70772d38, 0x4d2505ca, 0x08326707b4eb37b8, 0x089c4407b545986a),
    ("abc", 0x439c2f4b, 0x1a47e90b, 0xd8dcca186bafadcb, 0xe71fa2190541574b),
    ("foo", 0x408f5e13, 0xa9f37ed7, 0xd8cbc7186ba13533, 0xdcb27518fed9d577),
    ("foobar", 0x31f0b262, 0xbf9cf968, 0x340d8765a4dda9c2, 0x85944171f73967e8),
];

/// A text, and its FNV-1 and FNV-1a of 128 bits: from Go's `hash/fnv/fnv_test.go`.
const LONG: [(&str, u128, u128); 4] = [
    ("", 0x6c62272e07bb014262b821756295c58d, 0x6c62272e07bb014262b821756295c58d),
    ("a", 0xd228cb69101a8caf78912b704e4a141e, 0xd228cb696f1a8caf78912b704e4a8964),
    ("ab", 0x0880945aeeab1be95aa073305526c088, 0x08809544bbab1be95aa0733055b69a62),
    ("abc", 0xa68bb2a4348b5822836dbc78c6aee73b, 0xa68d622cec8b5822836dbc7977af7f3b),
];

#[test]
fn published_values_of_32_and_64_bits() {
    for (text, one_32, one_a_32, one_64, one_a_64) in SHORT {
        let bytes = text.as_bytes();
        assert_eq!(fnv1_32(bytes), one_32, "FNV-1, 32 bits, of {text:?}");
        assert_eq!(fnv1a_32(bytes), one_a_32, "FNV-1a, 32 bits, of {text:?}");
        assert_eq!(fnv1_64(bytes), one_64, "FNV-1, 64 bits, of {text:?}");
        assert_eq!(fnv1a_64(bytes), one_a_64, "FNV-1a, 64 bits, of {text:?}");
    }
}

#[test]
fn published_values_of_128_bits() {
    for (text, one, one_a) in LONG {
        assert_eq!(fnv1_128(text.as_bytes()), one, "FNV-1 of {text:?}");
        assert_eq!(fnv1a_128(text.as_bytes()), one_a, "FNV-1a of {text:?}");
    }
    // RFC 9923, appendix.
    assert_eq!(fnv1a_128(b"foobar"), 0x343e1662793c64bf6f0d3597ba446f18);
}

proptest! {
    /// Features are hashed eight bytes at a time, or a byte of many characters at a time.
    #[test]
    fn features_have_the_hashes_of_their_bytes(
        text in "([a-zé]{1,60}|[中ひ][ \n]?|[a-z]{1,9}[0-9]{1,9})( [a-zé中]{1,30}){0,80}",
        n in 1_usize..7,
    ) {
        type Hash = fn(&[u8]) -> u64;
        let hashes: [(&str, Hash); 2] = [("", fnv1_64), (":fnv1a", fnv1a_64)];
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
