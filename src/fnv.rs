//! FNV-1 and FNV-1a, the Fowler–Noll–Vo hashes (RFC 9923).
//!
//! FNV-1 multiplies and then xors, so a text's last byte reaches only the low 8 bits of its hash:
//! features are never summed raw unless asked for, see [`mix`](crate::mix). FNV-1a xors first;
//! its 64-bit form is the [`fnv`] crate's.

use core::hash::Hasher;

const OFFSET_32: u32 = 0x811c_9dc5;
const OFFSET_64: u64 = 0xcbf2_9ce4_8422_2325;
const OFFSET_128: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME_32: u32 = 0x0100_0193;
const PRIME_128: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
const PRIME_64: u64 = 0x0000_0100_0000_01b3;

/// FNV-1, 32 bits, of `bytes`. O(bytes).
///
/// ```
/// assert_eq!(nearprint::fnv::fnv1_32(b"foobar"), 0x31f0_b262);
/// ```
pub fn fnv1_32(bytes: &[u8]) -> u32 {
    bytes.iter().fold(OFFSET_32, |hash, &byte| hash.wrapping_mul(PRIME_32) ^ u32::from(byte))
}

/// FNV-1, 64 bits, of `bytes`. O(bytes).
///
/// ```
/// assert_eq!(nearprint::fnv::fnv1_64(b"foobar"), 0x340d_8765_a4dd_a9c2);
/// ```
#[inline]
pub fn fnv1_64(bytes: &[u8]) -> u64 {
    bytes.iter().fold(OFFSET_64, |hash, &byte| hash.wrapping_mul(PRIME_64) ^ u64::from(byte))
}

/// FNV-1, 128 bits, of `bytes`. O(bytes).
///
/// ```
/// assert_eq!(nearprint::fnv::fnv1_128(b""), 0x6c62272e07bb014262b821756295c58d);
/// ```
pub fn fnv1_128(bytes: &[u8]) -> u128 {
    bytes.iter().fold(OFFSET_128, |hash, &byte| hash.wrapping_mul(PRIME_128) ^ u128::from(byte))
}

/// FNV-1a, 32 bits, of `bytes`. O(bytes).
///
/// ```
/// assert_eq!(nearprint::fnv::fnv1a_32(b"foobar"), 0xbf9c_f968);
/// ```
pub fn fnv1a_32(bytes: &[u8]) -> u32 {
    bytes.iter().fold(OFFSET_32, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(PRIME_32))
}

/// FNV-1a, 64 bits, of `bytes`. O(bytes).
///
/// ```
/// assert_eq!(nearprint::fnv::fnv1a_64(b"foobar"), 0x8594_4171_f739_67e8);
/// ```
#[inline]
pub fn fnv1a_64(bytes: &[u8]) -> u64 {
    let mut hasher = fnv::FnvHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

/// FNV-1a, 128 bits, of `bytes`. O(bytes).
///
/// ```
/// assert_eq!(nearprint::fnv::fnv1a_128(b"a"), 0xd228cb696f1a8caf78912b704e4a8964);
/// ```
pub fn fnv1a_128(bytes: &[u8]) -> u128 {
    bytes.iter().fold(OFFSET_128, |hash, &byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME_128))
}
