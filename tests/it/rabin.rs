//! The Rabin fingerprint against Avro's published values, and against long division.

use nearprint::simhash::rabin::{EMPTY, fingerprint, windows};
use proptest::{collection::vec, prelude::*};

/// Canonical forms and fingerprints of Apache Avro's `share/test/data/schema-tests.txt`.
const AVRO: [(&str, i64); 8] = [
    (r#""null""#, 7195948357588979594),
    (r#""boolean""#, -6970731678124411036),
    (r#""string""#, -8142146995180207161),
    (r#"[]"#, -1241056759729112623),
    (r#"["int","boolean"]"#, 5392556393470105090),
    (r#"{"name":"x.y.foo","type":"record","fields":[]}"#, 5916914534497305771),
    (r#"{"name":"x.y.z.foo","type":"fixed","size":32}"#, -3064184465700546786),
    ("", EMPTY.cast_signed()),
];

#[test]
fn avro_publishes_the_same_fingerprints() {
    for (schema, expected) in AVRO {
        assert_eq!(fingerprint(schema.as_bytes()).cast_signed(), expected, "{schema}");
    }
}

/// The remainder of a polynomial over GF(2), highest power first, by `divisor` of degree 64.
fn remainder(dividend: &[bool], divisor: u128) -> u64 {
    let rest = dividend.iter().fold(0_u128, |rest, &bit| {
        let rest = rest << 1 | u128::from(bit);
        if rest >> 64 & 1 == 1 { rest ^ divisor } else { rest }
    });
    rest as u64
}

/// The polynomial, highest power first: x^64, and `EMPTY` with its bits reversed.
fn divisor() -> u128 {
    1 << 64 | u128::from(EMPTY.reverse_bits())
}

/// The remainder of the start value plus the bytes, lowest bit of each first, times x^64.
fn by_long_division(bytes: &[u8]) -> u64 {
    let mut message: Vec<bool> =
        bytes.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 == 1)).collect();
    message.extend([false; 64]);
    for (bit, coefficient) in message.iter_mut().take(64).enumerate() {
        *coefficient ^= EMPTY >> bit & 1 == 1;
    }
    remainder(&message, divisor()).reverse_bits()
}

/// Rabin's irreducibility test: x^(2^64) = x modulo the polynomial, and x^(2^32) - x has no common factor with it.
#[test]
fn the_polynomial_is_irreducible() {
    let square = |value: u64| {
        let spread: Vec<bool> =
            (0..128).rev().map(|power| power % 2 == 0 && value >> (power / 2) & 1 == 1).collect();
        remainder(&spread, divisor())
    };
    let power = |squarings| (0..squarings).fold(2, |value, _| square(value));
    assert_eq!(power(64), 2);

    let (mut a, mut b) = (divisor(), u128::from(power(32) ^ 2));
    while b != 0 {
        while a.leading_zeros() <= b.leading_zeros() {
            a ^= b << (b.leading_zeros() - a.leading_zeros());
        }
        (a, b) = (b, a);
    }
    assert_eq!(a, 1);
}

#[test]
#[should_panic(expected = "at least 1")]
fn a_width_of_0_panics() {
    let _ = windows(b"abc", 0);
}

#[test]
fn fewer_bytes_than_the_width_have_no_window() {
    assert_eq!(windows(b"abc", 4).count(), 0);
    assert_eq!(windows(b"abc", usize::MAX).count(), 0);
    assert_eq!(windows(b"abc", 3).collect::<Vec<_>>(), [fingerprint(b"abc")]);
}

proptest! {
    #[test]
    fn a_fingerprint_is_the_remainder_of_long_division(bytes in vec(any::<u8>(), 0..64)) {
        prop_assert_eq!(fingerprint(&bytes), by_long_division(&bytes));
    }

    #[test]
    fn a_window_has_the_fingerprint_of_its_bytes(bytes in vec(any::<u8>(), 0..64), width in 1..70_usize) {
        let rolled: Vec<u64> = windows(&bytes, width).collect();
        let apart: Vec<u64> = bytes.windows(width).map(fingerprint).collect();
        prop_assert_eq!(rolled, apart);
    }
}
