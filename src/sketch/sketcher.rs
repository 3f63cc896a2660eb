//! Sketches of whole texts. `pieces.rs` passes the features of a text to `gathering.rs`, and `stream.rs` returns the sketch.

use super::{
    compare::{self, Comparison},
    feature_set::FeatureSet,
    gathering::Gathering,
    scheme::SketchScheme,
    scope::Scope,
    sketch::Sketch,
    stream::{SketchStream, finished},
};
use crate::{
    Error,
    features::{FOLDED, check_secret, pieces::Pieces},
    hash::Key,
};

/// Makes sketches of one [`SketchScheme`]. Its memory is used again for the next text.
///
/// ```
/// use nearprint::dedupe::Sketcher;
///
/// let mut sketcher = Sketcher::default();
/// let text = "C’est l’été à la plage, et l’eau est déjà chaude, dit le maître-nageur.";
/// let typed = "C'est l'ete a la plage, et l'eau est deja chaude, dit le maitre-nageur.";
/// let [a, b] = [text, typed].map(|text| sketcher.sketch(text));
/// assert_eq!(a.resemblance(&b)?, 1.0);
/// // Accents decide whether documents are equal.
/// assert!(!a.is_equal_document(&b)?);
/// # Ok::<(), nearprint::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sketcher(Pieces<Gathering, FOLDED>);

impl Default for Sketcher {
    fn default() -> Self {
        Sketcher::of(SketchScheme::default())
    }
}

impl Sketcher {
    /// Creates a sketcher of this scheme.
    ///
    /// # Errors
    /// The scheme has shingles of 0 or of more than 64 words or characters, or a key whose secret is unknown.
    pub fn new(scheme: SketchScheme) -> Result<Self, Error> {
        check_secret(scheme.hash(), || scheme.id().into())?;
        scheme.check().map(Sketcher::of)
    }

    fn of(scheme: SketchScheme) -> Self {
        Sketcher(Pieces::new(scheme.choice(), Gathering::new(scheme)))
    }

    /// Returns the scheme.
    pub fn scheme(&self) -> &SketchScheme {
        &self.0.sink.scheme
    }

    /// Returns the sketch of `text`. O(text).
    pub fn sketch(&mut self, text: &str) -> Sketch {
        self.sketch_in(Scope::default(), text)
    }

    /// Returns the sketch of `text` in this scope. O(text).
    pub fn sketch_in(&mut self, scope: Scope, text: &str) -> Sketch {
        self.0.sink.scope = scope;
        self.0.process(text);
        finished(&mut self.0)
    }

    /// Returns the sketch of a text in UTF-8. Invalid bytes count as U+FFFD, one for each maximal part of a sequence (WHATWG
    /// Encoding, UTF-8 decoder).
    pub fn sketch_bytes(&mut self, text: &[u8]) -> Sketch {
        self.sketch_bytes_in(Scope::default(), text)
    }

    /// Returns the [`sketch_bytes`](Self::sketch_bytes) of a text in this scope.
    pub fn sketch_bytes_in(&mut self, scope: Scope, text: &[u8]) -> Sketch {
        self.0.sink.scope = scope;
        self.0.process_bytes(text);
        finished(&mut self.0)
    }

    /// Starts the sketch of a text that comes in chunks.
    pub fn stream(&self) -> SketchStream {
        self.stream_in(Scope::default())
    }

    /// Starts the sketch of a text in this scope that comes in chunks.
    pub fn stream_in(&self, scope: Scope) -> SketchStream {
        SketchStream::new(*self.scheme(), scope)
    }

    /// Returns an upper bound on the memory that the features of `text` take in [`compare`](Self::compare), in bytes, with the
    /// memory to write them once more. A comparison takes at most the sum of the bounds of both texts. O(text).
    ///
    /// ```
    /// let sketcher = nearprint::dedupe::Sketcher::default();
    /// assert!(sketcher.memory_of_features("a red house and a garden") < 10_000);
    /// ```
    pub fn memory_of_features(&self, text: &str) -> usize {
        compare::memory_of_features(self.scheme(), text)
    }

    /// Compares two texts exactly. O(n log n) for `n` features.
    ///
    /// The exact values are computed with `key`: see [`FeatureSet`].
    ///
    /// ```
    /// use nearprint::{Key, dedupe::Sketcher};
    ///
    /// let key = Key::new(*b"16 random bytes.");
    /// let compared = Sketcher::default().compare(key, "a red house", "a red house and a garden");
    /// assert_eq!(compared.exact_resemblance, 2.0 / 5.0);
    /// assert_eq!((compared.a.containment, compared.b.containment), (1.0, 2.0 / 5.0));
    /// // The features of a text are in the order in which they first end.
    /// let seen: Vec<_> = compared.a.features.iter().map(|f| (f.feature.as_str(), f.other_count)).collect();
    /// assert_eq!(seen, [("a", 2), ("red", 1), ("a red", 1), ("house", 1), ("red house", 1)]);
    /// ```
    ///
    /// # Panics
    ///
    /// The key was read from the id of a scheme, so its secret is unknown.
    pub fn compare(&self, key: Key, a: &str, b: &str) -> Comparison {
        compare::compare(self.scheme(), key, a, b)
    }

    /// Returns the features that decide the resemblance of `text` to others, exactly. O(n log n) for `n` features.
    ///
    /// # Panics
    ///
    /// The key was read from the id of a scheme, so its secret is unknown.
    pub fn feature_set(&self, key: Key, text: &str) -> FeatureSet {
        self.feature_set_in(key, Scope::default(), text)
    }

    /// Returns the [`feature_set`](Self::feature_set) of `text` in this scope. Texts of different scopes share no features.
    ///
    /// # Panics
    ///
    /// The key was read from the id of a scheme, so its secret is unknown.
    pub fn feature_set_in(&self, key: Key, scope: Scope, text: &str) -> FeatureSet {
        FeatureSet::new(self.scheme(), key, scope, text)
    }
}
