//! SimHash fingerprints of text, and near-duplicate search over them.
//!
//! ```
//! use nearprint::{distance, fingerprint};
//!
//! let a = fingerprint("Breaking: the river burst its banks early on Tuesday, the council said.");
//! let b = fingerprint("BREAKING – The river burst its banks early on Tuesday, the council said");
//! assert!(distance(a, b) <= 8);
//! ```
//!
//! # Features
//!
//! - `compat`: the fingerprints of other programs, bit for bit, for users who have stored some. Adds `md-5`.
//!
//! It is off by default. The crate is `no_std` and needs `alloc`.
//!
//! # Speed
//!
//! For x86-64, compile with `RUSTFLAGS="-C target-cpu=x86-64-v2"`, which processors since 2009 can run. Searches among many
//! documents then take .6 to .7 of the time: without it, Rust cannot use the processor's population count.
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

#[cfg(feature = "compat")]
pub mod compat;
pub mod dedupe;
mod error;
mod hash;
pub mod index;
mod simd;
mod simhash;
mod text;

pub use dedupe::{Deduplicator, Sketch};
pub use error::{ArgumentError, Error};
pub use hash::{
    Hash, Key, fnv,
    hamming::{cosine, distance, similarity},
    mix, rabin,
};
pub use index::NearIndex;
pub use simhash::{
    Comparison, Feature, FeatureSet, Features, Fingerprinter, Scheme, Side, Stream, Weighted,
    Weights, Width, fingerprint,
};
pub use text::{
    Normalize,
    normalize::{self, UNICODE_VERSION},
};
