//! `zxub`: word counts, FNV-1 64 over UTF-16 code units.

use super::{Error, Scheme, sums::Sums};

/// A sum of zero is a one, so no words at all give all ones.
pub(super) fn fingerprint<'a>(
    pairs: impl IntoIterator<Item = (&'a [u16], f64)>,
) -> Result<u128, Error> {
    let mut sums = Sums::<i64, 64>::new();
    let mut total = 0;
    for (word, count) in pairs {
        let count = whole(count).ok_or(Error::count(Scheme::Zxub))?;
        // Java counts in an int: past its range the original has no fingerprint worth the name.
        total += i64::from(count);
        if total > i64::from(i32::MAX) {
            return Err(Error::total(Scheme::Zxub));
        }
        sums.add(fnv1(word).into(), count.into());
    }
    Ok(sums.sign(|sum| sum >= 0))
}

/// The count as a Java int, if it is one and not negative.
fn whole(count: f64) -> Option<i32> {
    // The cast saturates and drops a fraction: what comes back equal was such a number.
    let int = count as i32;
    (int >= 0 && f64::from(int) == count).then_some(int)
}

/// FNV-1 64, but each step takes a whole UTF-16 code unit rather than a byte. A lone surrogate is a unit like any
/// other.
fn fnv1(word: &[u16]) -> u64 {
    word.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, &unit| {
        hash.wrapping_mul(0x100_0000_01b3) ^ u64::from(unit)
    })
}
