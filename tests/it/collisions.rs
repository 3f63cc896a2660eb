//! Ids and fingerprints that an attacker chooses so that their hashes collide. `collisions_workload` counts the instructions
//! that they take.

use std::collections::BTreeMap;

use nearprint::hash::fmix64;
use nearprint::simhash::{NearIndex, index::Settings};

use crate::colliding::{GOLDEN, colliding_keys};

/// The hash of a key, as `src/rows/slots.rs` defines it.
fn hash(key: u128) -> u64 {
    let folded = key as u64 ^ ((key >> 64) as u64).rotate_left(32).wrapping_mul(GOLDEN);
    let mixed = (folded ^ folded >> 32).wrapping_mul(GOLDEN);
    (mixed ^ mixed >> 29).wrapping_mul(GOLDEN)
}

/// Keys whose lines are in the first quarter of a set, of its overflow, and of the overflow of that.
fn crowding_keys(count: usize) -> Vec<u64> {
    let next =
        |key: u128| (key ^ key >> 64).wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645);
    let is_low = |key| hash(key) >> 62 == 0 && hash(key).wrapping_mul(GOLDEN) >> 62 == 0;
    let keys =
        |&key: &u64| std::iter::successors(Some(u128::from(key)), move |&key| Some(next(key)));
    (0..).map(fmix64).filter(|key| keys(key).take(3).all(is_low)).take(count).collect()
}

fn index() -> NearIndex {
    NearIndex::new(Settings::default().max_distance(3).scheme("")).unwrap()
}

#[test]
#[cfg_attr(miri, ignore = "thousands of operations")]
fn colliding_documents_are_as_a_map_has_them() {
    has_what_a_map_has(&colliding_keys(200));
    has_what_a_map_has(&crowding_keys(200));
}

fn has_what_a_map_has(keys: &[u64]) {
    let bytes = |ids: &mut dyn Iterator<Item = u64>| {
        let mut index = index();
        ids.take(keys.len()).for_each(|id| index.add(id, id.into()).unwrap());
        index.bytes()
    };
    let more = bytes(&mut keys.iter().copied()) - bytes(&mut (0..).map(fmix64));
    assert!(more > 2 * keys.len() * 4, "the test needs keys in the overflow: {more} bytes more");
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
            for &key in keys {
                assert_eq!(index.get(key), map.get(&key).copied());
                let equal = map.values().filter(|&&fingerprint| fingerprint == u128::from(key));
                let hits = index.query(key.into(), 0, usize::MAX).unwrap();
                assert_eq!(hits.len(), equal.count());
            }
        }
        if step < 10_000 {
            most_bytes = most_bytes.max(index.bytes());
        }
    }
    // The slots of removed keys are used again.
    assert!(index.bytes() <= most_bytes * 5 / 4, "{most_bytes}");
}
