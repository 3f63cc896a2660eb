//! Hash functions: from the bytes of a word or a shingle to its hash ([`Hash`](enum@Hash)), and from the hash of a
//! feature to well-distributed bits ([`fmix64`]).
//!
//! Nothing here depends on text, features or schemes.

pub(crate) mod fnv;
mod keyed;
pub(crate) mod mix;

pub use self::fnv::{fnv1_64, fnv1a_64};
pub use keyed::Key;
pub use mix::fmix64;

/// The hash of a word, or of a character shingle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Hash {
    /// FNV-1, 64 bits. The default.
    #[default]
    Fnv1,
    /// FNV-1a, 64 bits.
    Fnv1a,
    /// SipHash-1-3 with a secret key: of a word, or of each character of a shingle.
    Keyed(Key),
}

impl Hash {
    /// Returns the 64-bit hash of the UTF-8 bytes of a word or of a character shingle.
    #[inline]
    pub(crate) fn of(self, bytes: &[u8]) -> u64 {
        match self {
            Hash::Fnv1 => fnv1_64(bytes),
            Hash::Fnv1a => fnv1a_64(bytes),
            Hash::Keyed(key) => key.hash(bytes),
        }
    }
}
