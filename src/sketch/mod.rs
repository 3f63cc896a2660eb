//! Sketches: from a text to what a set needs to know of it.
//!
//! In: a text, and a [`SketchScheme`]. Out: a [`Sketch`]: two hashes of its words and symbols, which decide equality
//! (`sequence`, `symbols`), an odd sketch of its features, which estimates the resemblance (`sample`, `odd_sketch`), and the keys
//! under which it is found (`minima`). `gathering` collects all of it in one pass.
//!
//! [`FeatureSet`] has the features themselves, for exact comparison.

mod compare;
mod feature_set;
mod gathering;
pub(crate) mod minima;
pub(crate) mod near;
mod odd_sketch;
pub(crate) mod record;
mod sample;
mod scheme;
mod scope;
pub(crate) mod sequence;
#[expect(clippy::module_inception, reason = "the folder is named after its main concept")]
pub(crate) mod sketch;
mod sketcher;
mod stream;
mod symbols;
mod text_form;

pub use compare::{Comparison, Feature, Side};
pub use feature_set::FeatureSet;
pub use near::{BRIEF_FEATURES, MIN_BRIEF_RESEMBLANCE, MIN_FEATURES, MIN_RESEMBLANCE};
pub use scheme::SketchScheme;
pub use scope::Scope;
pub use sketch::Sketch;
pub use sketcher::Sketcher;
pub use stream::SketchStream;
