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

/// The 128 bits of a feature: the low half is `fmix64(hash)`, so that a 64-bit fingerprint is the
/// low half of the 128-bit one; the high half is the finaliser of the same hash, moved by this, the
/// golden ratio 2^64 / φ.
pub(crate) const HIGH_HALF: u64 = 0x9e37_79b9_7f4a_7c15;
