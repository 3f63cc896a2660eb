//! `zxub`: word counts, FNV-1 64 over UTF-16 code units.

use super::{Scheme, sums::Sums};
use crate::{
    Error,
    hash::fnv::{OFFSET_64, PRIME_64},
};

/// Returns the fingerprint of counted words. A sum of zero gives a one, so the fingerprint of no words is all ones.
pub(super) fn fingerprint<'a>(
    pairs: impl IntoIterator<Item = (&'a [u16], f64)>,
) -> Result<u128, Error> {
    let mut sums = Sums::<i64, 64>::new();
    let mut total = 0;
    for (word, count) in pairs {
        let count = java_int(count).ok_or_else(|| {
            Scheme::Zxub.refuse("count", "a whole number from 0 to 2147483647", "another")
        })?;
        // Java counts in an int, which overflows beyond this.
        total += i64::from(count);
        if total > i64::from(i32::MAX) {
            return Err(Scheme::Zxub.refuse("counts", "at most 2147483647 in all", "more"));
        }
        sums.add(fnv1(word).into(), count.into());
    }
    Ok(sums.sign(|sum| sum >= 0))
}

/// Returns the count as a Java int, if it is a whole number from 0 to 2³¹ − 1.
fn java_int(count: f64) -> Option<i32> {
    // The cast saturates and truncates, so only such a number is unchanged by it.
    let int = count as i32;
    (int >= 0 && f64::from(int) == count).then_some(int)
}

/// Computes an FNV-1 64 in which each step takes a whole UTF-16 code unit instead of a byte. A lone surrogate is one too.
fn fnv1(word: &[u16]) -> u64 {
    word.iter().fold(OFFSET_64, |hash, &unit| hash.wrapping_mul(PRIME_64) ^ u64::from(unit))
}
