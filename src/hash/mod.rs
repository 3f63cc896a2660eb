//! Hashing: from bytes to hashes, from hashes to well-distributed bits, from fingerprints to distances.
//!
//! In: the UTF-8 bytes of a word or a shingle ([`fnv`]), the hash of a feature ([`mix`]), two fingerprints ([`hamming`]).
//! Out: numbers. Nothing here depends on text, features or schemes. [`rabin`] is separate: it finds *equal* passages.

pub mod fnv;
pub mod hamming;
pub mod mix;
pub mod rabin;

pub use fnv::Hash;
