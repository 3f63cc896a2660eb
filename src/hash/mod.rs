//! Hashing: from bytes to hashes, from hashes to well-distributed bits, from fingerprints to distances.
//!
//! In: the UTF-8 bytes of a word or a shingle ([`fnv`], [`keyed`]), the hash of a feature ([`mix`]), two fingerprints ([`hamming`]).
//! Out: numbers. Nothing here depends on text, features or schemes. [`rabin`] is separate: it finds *equal* passages.

pub mod fnv;
pub mod hamming;
pub mod keyed;
pub mod mix;
pub mod rabin;

pub use keyed::Key;

/// The hash of a word, or of a character shingle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Hash {
    /// FNV-1, 64 bits. The default.
    #[default]
    Fnv1,
    /// FNV-1a, 64 bits.
    Fnv1a,
    /// SipHash-1-3 with a secret key: of a word, or of each character of a shingle.
    Keyed(Key),
}
