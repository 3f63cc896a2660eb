//! A fixed workload whose instructions are counted: an index of ids and fingerprints whose hashes collide. Without a bound on
//! the steps of an operation, it would take quadratic time.

use nearprint::simhash::{NearIndex, index::Settings};

/// The multiplier of the hash in `src/rows/slots.rs`.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Keys that have the same two lines of slots, in a set of fewer than 4096 lines.
fn colliding_keys(count: usize) -> Vec<u64> {
    // Newton's iteration for the inverse modulo 2^64.
    let two_minus = |x: u64| 2_u64.wrapping_sub(GOLDEN.wrapping_mul(x));
    let inverse = (0..6).fold(GOLDEN, |x, _| x.wrapping_mul(two_minus(x)));
    let key = |hash: u64| {
        let mixed = hash.wrapping_mul(inverse);
        let folded = (mixed ^ mixed >> 29 ^ mixed >> 58).wrapping_mul(inverse);
        folded ^ folded >> 32
    };
    // In descending order: ids in ascending order are not hashed.
    let hashes = (0..u64::from(u32::MAX)).rev().map(|low| 0x1234_5678 << 32 | low);
    hashes.filter(|hash| hash.wrapping_mul(GOLDEN) >> 52 == 0).take(count).map(key).collect()
}

fn main() {
    let keys = colliding_keys(5000);
    let mut index = NearIndex::new(Settings::default().max_distance(3)).unwrap();
    keys.iter().for_each(|&key| index.add(key, key.into()).unwrap());
    assert!(keys.iter().all(|&key| index.get(key) == Some(key.into())));
    assert!(keys.iter().all(|&key| index.remove(key)));
}
