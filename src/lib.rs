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
//! - `compat`: fingerprints of other programs, bit for bit, for those who have stored some. Adds `md-5`.
//! - `wasm`, `wasm-compat`: the JavaScript bindings of the npm package's two WebAssembly modules. Not for Rust users.
//!
//! None is on by default. The crate is `no_std` and needs `alloc`.
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod accumulate;
mod bytes;
mod chars;
#[cfg(feature = "compat")]
pub mod compat;
mod count;
mod expand;
mod features;
mod fingerprint;
pub mod fnv;
mod hamming;
pub mod index;
mod inspect;
pub mod mix;
pub mod normalize;
pub mod rabin;
mod scheme;
mod stream;
mod votes;
#[cfg(any(feature = "wasm", feature = "wasm-compat"))]
mod wasm;
mod weighted;
mod words;

pub use fingerprint::{Fingerprinter, fingerprint};
pub use hamming::{cosine, distance, similarity};
pub use index::NearIndex;
pub use inspect::{Comparison, Feature, Side};
pub use normalize::UNICODE_VERSION;
pub use scheme::{Features, Hash, Normalize, Scheme, SchemeError, Weights, Width};
pub use stream::Stream;
pub use weighted::{WeightError, Weighted};
