//! The finaliser that every feature hash passes, so that each of its bits depends on all of the
//! feature.
//!
//! It is not an ornament. Summed raw, FNV-1 of character bigrams puts 94 % of *unrelated* English
//! documents within 3 bits of each other.

/// MurmurHash3's 64-bit finaliser `fmix64` (Appleby 2011, public domain), a bijection.
///
/// ```
/// assert_eq!(nearprint::mix::fmix64(0), 0);
/// assert_eq!(nearprint::mix::fmix64(1), 0xb456_bcfc_34c2_cb2c);
/// ```
#[inline]
pub fn fmix64(mut hash: u64) -> u64 {
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}

/// What the hash is moved by, before the same finaliser gives the high half of a feature's 128 bits: the golden ratio,
/// 2^64 / φ. The low half is `fmix64(hash)`, so that a 64-bit fingerprint is the low half of the 128-bit one.
pub(crate) const HIGH_HALF: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of each of the hashes, moved by so much.
#[inline(never)]
pub(crate) fn all(hashes: &[u64], by: u64, mixed: &mut [u64]) {
    for (mixed, &hash) in mixed.iter_mut().zip(hashes) {
        *mixed = one_by_one(hash ^ by);
    }
}

/// In the vectors of WebAssembly a multiplication of 64 bits is emulated, and no gain. wasm-opt inlines this.
#[cfg_attr(target_arch = "wasm32", inline(never))]
fn one_by_one(hash: u64) -> u64 {
    fmix64(hash)
}
