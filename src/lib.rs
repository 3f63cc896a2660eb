//! Finds near-duplicate texts: texts that are the same except for edits.
//!
//! Two texts are near-duplicates if they share enough word pairs. Their *resemblance* is the Jaccard similarity of their sets
//! of word pairs, and a [`Deduplicator`] drops a document whose resemblance to a kept one is at least 0.67 (or another
//! threshold). It keeps a [`Sketch`] of each document, and not its text: about 140 bytes a document. A query finds candidates
//! by keys that similar texts share, and reads a bounded number of documents instead of all of them.
//!
//! Every script is supported: words follow [UAX #29], and in scripts without spaces, such as Chinese and Thai, the features are
//! runs of characters. Case, apostrophes, accents and words that are broken at line ends make no difference to the resemblance.
//!
//! Meaning is not compared: a paraphrase or translation is not a near-duplicate.
//!
//! # Overview
//!
//! The crate has two wings, which know nothing of each other: [`dedupe`] decides on documents, and [`simhash`] computes and
//! searches fingerprints of 32, 64 or 128 bits. A fingerprint is the same on every machine for as long as its
//! [`Scheme`](simhash::Scheme) keeps its name; it is not a cryptographic hash.
//!
//! | to | use |
//! | --- | --- |
//! | drop near-duplicates from a stream of documents | [`Deduplicator`], with sketches of a [`Sketcher`] |
//! | compare two texts, exactly | [`Sketcher::compare`], or a [`FeatureSet`](dedupe::FeatureSet) of each text |
//! | compare two texts by their stored sketches | [`Sketch::resemblance`] |
//! | sketch a text that comes in chunks | [`SketchStream`](dedupe::SketchStream) |
//! | keep sites, languages or customers apart | [`Scope`](dedupe::Scope) |
//! | choose words or characters, a secret key | [`SketchScheme`](dedupe::SketchScheme) |
//! | compute the fingerprint of a text | [`fingerprint`](simhash::fingerprint), [`Fingerprinter`](simhash::Fingerprinter) |
//! | search stored fingerprints by Hamming distance, exactly | [`NearIndex`](simhash::NearIndex) |
//! | find all near pairs of them, or search them in a database | [`NearIndex::pairs`](simhash::NearIndex::pairs), [`block_keys`](simhash::block_keys) |
//! | choose words or characters, weights, width, a secret key | [`Scheme`](simhash::Scheme) |
//! | use features of your own, with weights | [`Weighted`](simhash::Weighted) |
//! | find equal passages | [`rabin`](simhash::rabin) |
//!
//! # Examples
//!
//! ## Remove near-duplicates
//!
//! [`Deduplicator::observe`] decides on each document, and keeps it if it is new or changed.
//!
//! ```
//! use nearprint::dedupe::{Decision, Deduplicator, Options, Sketcher};
//!
//! let pages = [
//!     (1, "The river burst its banks early on Tuesday, and the road to the harbour is closed."),
//!     (2, "The orchestra opens its season on Friday with a concert for two pianos."),
//!     (3, "PRINT: The river burst its banks early on Tuesday, and the road to the harbour is closed."),
//! ];
//! let mut sketcher = Sketcher::default();
//! let mut kept = Deduplicator::new(*sketcher.scheme())?;
//! let mut unique = vec![];
//! for (id, text) in pages {
//!     match kept.observe(id, &sketcher.sketch(text), &Options::default())? {
//!         Decision::Duplicate(hit) => assert_eq!((id, hit.id), (3, 1)),
//!         _ => unique.push(id),
//!     }
//! }
//! assert_eq!(unique, [1, 2]);
//! # Ok::<(), nearprint::Error>(())
//! ```
//!
//! Sketching takes most of the time, and needs no other document: threads can do it, each with a sketcher of its own. The
//! example `dedupe_lines` of the repository removes near-duplicates from JSON Lines on all cores.
//!
//! ## Remember documents between runs
//!
//! A snapshot carries the kept documents and their ids to the next run.
//!
//! ```
//! use nearprint::dedupe::{Decision, Deduplicator, Options, Sketcher};
//!
//! let mut sketcher = Sketcher::default();
//! let mut kept = Deduplicator::new(*sketcher.scheme())?;
//! let text = "The ferry to the islands leaves at nine in the morning and returns at five in the afternoon.";
//! kept.observe(1, &sketcher.sketch(text), &Options::default())?;
//! let snapshot = kept.to_bytes()?;
//!
//! let mut kept = Deduplicator::from_bytes(&snapshot)?;
//! let mut observe = |text: &str| kept.observe(1, &sketcher.sketch(text), &Options::default());
//! assert_eq!(observe(text)?, Decision::Unchanged);
//! assert!(matches!(observe(&text.replace("nine", "ten"))?, Decision::Changed { .. }));
//! # Ok::<(), nearprint::Error>(())
//! ```
//!
//! ## Compare two texts
//!
//! ```
//! use nearprint::{Key, Sketcher};
//!
//! // Words are hashed with a secret key, so words of equal hashes cannot be prepared.
//! let key = Key::new(*b"16 random bytes.");
//! let compared = Sketcher::default().compare(
//!     key,
//!     "one two three four five six seven eight nine ten",
//!     "one two three four five six seven eight nine eleven",
//! );
//! // 8 of the 10 different word pairs are in both texts.
//! assert_eq!(compared.exact_resemblance, 0.8);
//! let shared = |name| compared.b.features.iter().any(|feature| feature.feature == name);
//! assert!(shared("eight nine") && !shared("nine ten"));
//! ```
//!
//! ## Search stored fingerprints
//!
//! A [`NearIndex`](simhash::NearIndex) finds all fingerprints within a Hamming distance. They may come from any program.
//!
//! ```
//! use nearprint::simhash::{NearIndex, fingerprint, index::Settings};
//!
//! let mut index = NearIndex::new(Settings::default())?;
//! index.add(1, fingerprint("Breaking: the river burst its banks early on Tuesday, the council said.").into())?;
//! index.add(2, fingerprint("The orchestra opens its season on Friday with a concert.").into())?;
//!
//! let query = fingerprint("BREAKING – The river burst its banks early on Tuesday, the council said");
//! let hits = index.query(query.into(), 8, 10)?;
//! assert_eq!(hits.iter().map(|hit| hit.id).collect::<Vec<_>>(), [1]);
//! # Ok::<(), nearprint::Error>(())
//! ```
//!
//! # Errors, memory and time
//!
//! - Wrong arguments, and a lack of memory in a set or an index, give an [`Error`]. Unless its documentation says otherwise,
//!   a failed call has changed nothing.
//! - Time is linear in the text, or O(n log n) beyond 65,000 different features of a fingerprint and in long runs of marks. A
//!   fingerprint needs at most 3 MB and 8 bytes a byte of text, more for shingles of characters or runs of marks.
//! - Whoever chooses texts can make unrelated ones resemble each other, unless the scheme has a secret [`Key`].
//!
//! # Crate features
//!
//! - `compat` (off by default): the fingerprints of seven other programs, bit for bit, for users who have stored them. Adds
//!   the dependency `md-5`.
//! - `serde` (off by default): a [`Sketch`] is serialised as its [text](Sketch#impl-Display-for-Sketch).
//!
//! The crate is `no_std` and needs `alloc`. For x86-64, compile with `RUSTFLAGS="-C target-cpu=x86-64-v2"`, for processors
//! since about 2013. Searches among many documents then take 0.6 to 0.7 of the time: without it, Rust cannot use the
//! processor's population count.
//!
//! [UAX #29]: https://www.unicode.org/reports/tr29/
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod dedupe;
mod error;
mod features;
pub mod hash;
mod rows;
mod simd;
pub mod simhash;
mod sketch;
mod sort;
mod text;

pub use dedupe::{Deduplicator, Sketch, Sketcher};
pub use error::{ArgumentError, Error};
pub use features::Features;
pub use hash::{Hash, Key};
pub use text::{
    Normalize,
    normalize::{self, UNICODE_VERSION},
};
