//! A fixed workload whose instructions are counted: an index of ids and fingerprints whose hashes collide. Without a bound on
//! the steps of an operation, it would take quadratic time.

use nearprint::simhash::{NearIndex, index::Settings};

#[path = "../../tests/it/colliding.rs"]
mod colliding;

fn main() {
    let keys = colliding::colliding_keys(5000);
    let mut index = NearIndex::new(Settings::default().max_distance(3)).unwrap();
    keys.iter().for_each(|&key| index.add(key, key.into()).unwrap());
    assert!(keys.iter().all(|&key| index.get(key) == Some(key.into())));
    assert!(keys.iter().all(|&key| index.remove(key)));
}
