//! The tests of the public API, in one program, which links once. A test with an allocator of its own is a program of its own.

mod auto_traits;
mod chars;
mod clusters;
mod colliding;
mod collisions;
#[cfg(feature = "compat")]
mod compat;
mod dedupe;
mod feature_set;
mod hash;
mod hostile;
mod index;
mod inspection;
mod keyed;
mod normalize;
mod rabin;
mod random;
mod reference;
mod scheme;
mod scope;
mod scripts;
mod sketch_form;
mod sketches;
mod snapshots;
mod structure;
mod symbols;
mod tier;
mod vectors;
mod words;
