//! Scopes: sets of documents that are not compared with each other.

use crate::hash::{fnv1_64, mix};

/// A set of documents, such as a site, a language or a customer. Documents of different scopes are never equal, and their
/// resemblance is near 0. The default is no scope, which is a set too.
///
/// Its hash is mixed into the hashes that a [`Sketch`](super::Sketch) and a [`FeatureSet`](super::FeatureSet) are made of.
///
/// ```
/// use nearprint::dedupe::{Scope, Sketcher};
///
/// let mut sketcher = Sketcher::default();
/// let text = "The river burst its banks early on Tuesday, the council said, and the road is closed.";
/// let [news, print] = ["news", "print"].map(|name| sketcher.sketch_in(Scope::new(name), text));
/// assert!(news.resemblance(&print)? < 0.1);
/// assert_eq!(sketcher.sketch_in(Scope::new(""), text), sketcher.sketch(text));
/// # Ok::<(), nearprint::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scope(
    /// The number that hashes are XORed with, 0 for no scope.
    pub(super) u64,
);

impl Scope {
    /// Returns the scope with this name. The empty name is no scope.
    pub fn new(name: &str) -> Self {
        match name {
            "" => Scope::default(),
            _ => Scope(mix::fmix64(fnv1_64(name.as_bytes()))),
        }
    }
}
