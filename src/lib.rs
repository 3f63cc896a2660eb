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
//! The crate has two wings, which know nothing of each other.
//!
//! The module [`dedupe`] decides on documents:
//!
//! | type | use |
//! | --- | --- |
//! | [`Sketcher`] | makes the [`Sketch`] of a text, and compares two texts exactly |
//! | [`SketchStream`](dedupe::SketchStream) | makes the sketch of a text that comes in chunks |
//! | [`Sketch`] | is stored in place of the text; two sketches estimate the resemblance of their texts |
//! | [`Deduplicator`] | keeps sketches, and decides on each document: new, unchanged, changed or a duplicate |
//! | [`Options`](dedupe::Options) | sets the threshold, and for how long a document is kept |
//! | [`Scope`](dedupe::Scope) | keeps sites, languages or customers apart |
//! | [`SketchScheme`](dedupe::SketchScheme) | chooses words or characters, and a secret key |
//! | [`FeatureSet`](dedupe::FeatureSet) | gives the exact resemblance and containment of texts, each read once |
//! | [`versions`](dedupe::versions) | makes the same decisions for documents that a database keeps |
//!
//! The module [`simhash`] computes and searches fingerprints of 32, 64 or 128 bits. A fingerprint is the same on every machine
//! for as long as its [`Scheme`](simhash::Scheme) keeps its name; it is not a cryptographic hash.
//!
//! | item | use |
//! | --- | --- |
//! | [`fingerprint`](simhash::fingerprint()), [`Fingerprinter`](simhash::Fingerprinter) | compute the fingerprint of a text |
//! | [`Stream`](simhash::Stream) | computes the fingerprint of a text that comes in chunks |
//! | [`Scheme`](simhash::Scheme) | chooses words or characters, weights, width, a secret key |
//! | [`Weighted`](simhash::Weighted) | takes features of your own, with weights |
//! | [`distance`](simhash::distance), [`similarity`](simhash::similarity) | compare two fingerprints |
//! | [`NearIndex`](simhash::NearIndex) | finds all fingerprints within a Hamming distance, and all near pairs |
//! | [`block_keys`](simhash::block_keys) | gives the keys for such a search in a database |
//! | [`rabin`](simhash::rabin) | finds equal passages |
//!
//! # Ids are `u64`
//!
//! A set stores many ids, and compares and hashes them for each document. Numbers need no allocation, take 4 or 8 bytes, and are
//! the same in a snapshot on every machine; the order of a set cannot depend on how another type is hashed. Number URLs or names
//! by their positions in a list: [an example](dedupe#ids).
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
//! ## Compare two sketches
//!
//! Sketches can be stored anywhere, and read on another machine. Apostrophes, accents and case make no difference to the estimate.
//!
//! ```
//! use nearprint::{Sketch, Sketcher};
//!
//! let mut sketcher = Sketcher::default();
//! let stored = sketcher.sketch("L’été, l’eau du lac est déjà chaude, dit le maître-nageur.").to_bytes();
//! let typed = sketcher.sketch("L'ete, l'eau du lac est deja chaude, dit le maitre-nageur.");
//! assert_eq!(Sketch::from_bytes(&stored)?.resemblance(&typed)?, 1.0);
//! # Ok::<(), nearprint::Error>(())
//! ```
//!
//! ## Read a text in chunks
//!
//! Chunks can be cut anywhere, also inside a character.
//!
//! ```
//! use nearprint::Sketcher;
//!
//! let mut sketcher = Sketcher::default();
//! let text = "The river burst its banks early on Tuesday, and the road to the café is closed.";
//! let mut stream = sketcher.stream();
//! for chunk in text.as_bytes().chunks(7) {
//!     stream.update_bytes(chunk);
//! }
//! assert_eq!(stream.sketch(), sketcher.sketch(text));
//! ```
//!
//! ## Find clusters
//!
//! ```
//! use nearprint::{Deduplicator, Sketcher, dedupe::{Linkage, Options}};
//!
//! let mut sketcher = Sketcher::default();
//! let mut all = Deduplicator::default();
//! let text = "The river burst its banks early on Tuesday, and the road to the harbour is closed.";
//! for (id, text) in [(1, text), (2, "Good news"), (3, &text.replace("Tuesday", "Thursday"))] {
//!     all.add(id, &sketcher.sketch(text), &Options::default())?;
//! }
//! for members in &all.clusters(Linkage::Star, &Options::default())? {
//!     assert_eq!(members.iter().map(|member| member.id).collect::<Vec<_>>(), [1, 3]);
//! }
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
//! # For bindings
//!
//! These are for bindings to other languages, such as the npm package, and for programs that keep texts or ids of their own:
//!
//! | item | use |
//! | --- | --- |
//! | [`Deduplicator::pair_cursor`], [`NearIndex::pair_cursor`](simhash::NearIndex::pair_cursor) | iterate without a reference to the set |
//! | [`Deduplicator::observe_step`] | decides by texts that the caller reads, from a file or asynchronously |
//! | [`Deduplicator::prune_next`], [`next_expiry`](Deduplicator::next_expiry) | name the ids of expired documents |
//! | [`Deduplicator::to_bytes_with`], [`NearIndex::to_bytes_with`](simhash::NearIndex::to_bytes_with) | write a snapshot with ids of another type |
//! | [`Sketcher::memory_of_features`], [`Fingerprinter::memory_of_features`](simhash::Fingerprinter::memory_of_features), [`Stream::distinct`](simhash::Stream::distinct) | bound the memory of a call that cannot fail |
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
//! None is on by default.
//!
//! - `compat`: the fingerprints of seven other programs, bit for bit, for users who have stored them. Adds the dependency `md-5`.
//! - `serde`: a [`Sketch`] is serialised as its [text](Sketch#impl-Display-for-Sketch), and a scheme as its id.
//!
//! # No standard library
//!
//! The crate is `no_std` on every platform, and needs `alloc`. So there is no feature `std`.
//!
//! # Vector instructions
//!
//! The target chooses them at compile time, and results do not depend on them: SSE2 on x86-64, NEON on AArch64, and SIMD in
//! WebAssembly with `-C target-feature=+simd128`; other targets use integers of 64 bits. For x86-64, compile with
//! `RUSTFLAGS="-C target-cpu=x86-64-v2"`, for processors since about 2013. Searches among many documents then take 0.6 to 0.7 of
//! the time: without it, Rust cannot use the processor's population count.
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
#[cfg(feature = "serde")]
mod serialize;
mod simd;
pub mod simhash;
mod sketch;
mod sort;
mod text;

pub use dedupe::{Deduplicator, Sketch, Sketcher};
pub use error::{ArgumentError, Error};
pub use features::Features;
pub use hash::{Hash, Key};
pub use text::{Normalize, normalize};
