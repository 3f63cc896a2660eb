//! Hashing: bytes to 64-bit hashes, hashes to evenly distributed bits, fingerprints to distances.
//!
//! In: a word's or a shingle's UTF-8 bytes ([`fnv`]), a feature's hash ([`mix`]), two fingerprints ([`hamming`]).
//! Out: numbers. Nothing here knows about text, features or schemes. [`rabin`] stands apart: it is the fingerprint for
//! *equal* passages.

pub mod fnv;
pub mod hamming;
pub mod mix;
pub mod rabin;

pub use fnv::Hash;
