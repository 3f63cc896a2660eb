//! Ids and fingerprints that an attacker chooses so that their hashes collide.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use nearprint::{NearIndex, Width, mix::fmix64};

/// The multiplier of the hash in `src/index/slots.rs`.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The inverse of an odd number modulo 2^64 (Newton's iteration).
fn inverse(odd: u64) -> u64 {
    (0..6).fold(odd, |x, _| x.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(x))))
}

/// The key of a hash.
fn key_of_hash(hash: u64) -> u64 {
    let mixed = hash.wrapping_mul(inverse(GOLDEN));
    let mixed = mixed ^ mixed >> 29 ^ mixed >> 58;
    let folded = mixed.wrapping_mul(inverse(GOLDEN));
    folded ^ folded >> 32
}

/// Keys that have the same two lines of 16 slots, in a set of fewer than 4096 lines. Not in ascending order: ids in
/// ascending order are not hashed.
fn colliding_keys(count: usize) -> Vec<u64> {
    let hashes = (0..u64::from(u32::MAX)).rev().map(|low| 0x1234_5678 << 32 | low);
    let same = hashes.filter(|hash| hash.wrapping_mul(GOLDEN) >> 52 == 0);
    same.take(count).map(key_of_hash).collect()
}

fn index() -> NearIndex {
    NearIndex::new(Width::W64, 3, "").unwrap()
}

fn add_each(keys: &[u64]) -> (NearIndex, Duration) {
    let begin = Instant::now();
    let mut index = index();
    keys.iter().for_each(|&key| index.add(key, key.into()).unwrap());
    keys.iter().for_each(|&key| assert_eq!(index.get(key), Some(key.into())));
    assert_eq!(index.query(keys[0].into(), 0, 2).unwrap().len(), 1);
    (index, begin.elapsed())
}

/// Without the trie, which holds almost all of them, 20,000 keys would take 200 million comparisons in each set.
#[test]
#[cfg_attr(miri, ignore = "measures time")]
fn colliding_documents_are_added_in_linear_time() {
    let colliding = colliding_keys(20_000);
    let random: Vec<u64> = (0..20_000).map(fmix64).collect();
    let (random, random_time) = add_each(&random);
    let (index, time) = add_each(&colliding);
    // A node of the trie has 32 bytes.
    let more = index.stats().bytes - random.stats().bytes;
    assert!(more > 2 * 30 * 20_000, "the test needs keys that collide: {more} bytes more");
    assert!(time < 20 * random_time, "{time:?}, without collisions {random_time:?}");
}

#[test]
#[cfg_attr(miri, ignore = "thousands of operations")]
fn colliding_documents_are_as_a_map_has_them() {
    let keys = colliding_keys(200);
    let key = |random: u64| keys[random as usize % keys.len()];
    let mut index = index();
    let mut map = BTreeMap::new();
    let mut most_bytes = 0;
    for step in 0..20_000_u64 {
        let random = fmix64(step);
        let (id, fingerprint) = (key(random >> 40), u128::from(key(random >> 20 & 0xff)));
        // Many documents in the first half, few in the second.
        if random % 8 < if step % 10_000 < 5000 { 6 } else { 2 } {
            index.add(id, fingerprint).unwrap();
            map.insert(id, fingerprint);
        } else {
            assert_eq!(index.remove(id), map.remove(&id).is_some());
        }
        assert_eq!((index.len(), index.get(id)), (map.len(), map.get(&id).copied()));
        if step % 100 == 0 {
            for &key in &keys {
                assert_eq!(index.get(key), map.get(&key).copied());
                let equal = map.values().filter(|&&fingerprint| fingerprint == u128::from(key));
                let hits = index.query(key.into(), 0, usize::MAX).unwrap();
                assert_eq!(hits.len(), equal.count());
            }
        }
        if step < 10_000 {
            most_bytes = most_bytes.max(index.stats().bytes);
        }
    }
    // The nodes of removed keys are used again.
    assert!(index.stats().bytes <= most_bytes * 5 / 4, "{most_bytes}");
}
