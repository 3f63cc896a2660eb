//! Keys that an attacker chooses so that their hashes collide. `collisions.rs` checks an index of them, and the workload
//! `collisions_workload` counts its instructions.

/// The multiplier of the hash in `src/rows/slots.rs`.
pub const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

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
pub fn colliding_keys(count: usize) -> Vec<u64> {
    let hashes = (0..u64::from(u32::MAX)).rev().map(|low| 0x1234_5678 << 32 | low);
    let same = hashes.filter(|hash| hash.wrapping_mul(GOLDEN) >> 52 == 0);
    same.take(count).map(key_of_hash).collect()
}
