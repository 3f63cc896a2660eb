//! Schemes of sketches.

use alloc::{borrow::Cow, string::String};
use core::{fmt, str::FromStr};

use crate::{
    Error,
    features::{
        Choice, Features,
        id::{self, quoted},
    },
    hash::{Hash, Key},
    text::Normalize,
};

/// The id of the default scheme.
const DEFAULT_ID: &str = "s1";

/// The choices that determine a sketch. [`SketchScheme::default`] is `s1`.
///
/// [`Display`](fmt::Display) writes its id and [`FromStr`] reads it: `s1`, then each choice that is not
/// the default. Sketches are comparable if and only if the ids of their schemes are equal.
///
/// | choice | in the id |
/// | --- | --- |
/// | [`Features::Words`]`(n)`, [`Features::Chars`]`(n)` | `words`*n*, `chars`*n* |
/// | a key | `key` and the [check value](Key::check) in 16 hexadecimal digits |
///
/// ```
/// use nearprint::{Features, dedupe::SketchScheme};
///
/// assert_eq!(SketchScheme::default().to_string(), "s1");
/// let scheme: SketchScheme = "s1:chars5".parse()?;
/// assert_eq!(scheme.features, Features::Chars(5));
/// # Ok::<(), nearprint::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct SketchScheme {
    /// The features.
    pub features: Features,
    /// The secret key by which words and characters are hashed, or `None`: then anyone can compute the hashes, and forge texts
    /// that resemble others.
    pub key: Option<Key>,
}

impl SketchScheme {
    /// Sets [`features`](field@Self::features). The calls that take the scheme check it.
    ///
    /// ```
    /// use nearprint::{Features, dedupe::SketchScheme};
    /// assert_eq!(SketchScheme::default().features(Features::Words(3)).to_string(), "s1:words3");
    /// ```
    #[must_use]
    pub const fn features(mut self, features: Features) -> Self {
        self.features = features;
        self
    }

    /// Returns the scheme with a secret key. If the scheme was read from an id that names a key, `key` must be that key.
    ///
    /// ```
    /// use nearprint::{Key, dedupe::SketchScheme};
    ///
    /// let scheme = SketchScheme::default().keyed(Key::new(*b"sixteen bytes!!!"))?;
    /// assert_eq!(scheme.to_string(), "s1:key6b05b8960e676da0");
    /// # Ok::<(), nearprint::Error>(())
    /// ```
    ///
    /// # Errors
    /// The scheme has another key.
    pub fn keyed(self, key: Key) -> Result<Self, Error> {
        let keyed = SketchScheme { key: Some(key), ..self };
        if self.key.is_none() || self == keyed {
            return Ok(keyed);
        }
        Err(id::other_key(&self.id(), &keyed.id()))
    }

    /// Returns the scheme, if it is valid.
    pub(crate) fn check(self) -> Result<Self, Error> {
        self.features.check()?;
        Ok(self)
    }

    /// Returns the hash of words and characters.
    pub(super) fn hash(&self) -> Hash {
        self.key.map_or(Hash::Fnv1, Hash::Keyed)
    }

    /// Returns what an extractor of features needs to know.
    pub(super) fn choice(&self) -> Choice {
        Choice { features: self.features, hash: self.hash(), normalize: Normalize::NfkcCasefold }
    }

    /// Returns the id, as [`Display`](fmt::Display) writes it.
    pub(crate) fn id(&self) -> Cow<'static, str> {
        if *self == SketchScheme::default() {
            return DEFAULT_ID.into();
        }
        let key = self.key.map_or(String::new(), id::of_key);
        [DEFAULT_ID, &id::of_features(self.features), &key].concat().into()
    }
}

impl fmt::Display for SketchScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id())
    }
}

impl FromStr for SketchScheme {
    type Err = Error;

    /// Reads an id as [`Display`](fmt::Display) writes it. Each scheme has one spelling, because stores compare ids as
    /// strings: the parts have a fixed order, and numbers have no sign and no leading zeros.
    fn from_str(id: &str) -> Result<Self, Error> {
        if id == DEFAULT_ID {
            return Ok(SketchScheme::default());
        }
        let mut parts = id::parts(id);
        if parts.next() != Some(DEFAULT_ID) {
            return Err(Error::argument("scheme", "an id that starts with s1", quoted(id)));
        }
        let mut scheme = SketchScheme::default();
        for part in parts {
            if let Some(key) = id::read_key(part) {
                scheme.key = Some(key);
                continue;
            }
            scheme.features = id::read_features(part).ok_or_else(|| id::unknown_part(part))?;
        }
        id::check_spelling(id, &scheme.id())?;
        scheme.check()
    }
}

impl From<SketchScheme> for String {
    fn from(scheme: SketchScheme) -> String {
        scheme.id().into()
    }
}

#[cfg(feature = "serde")]
crate::serialize::serialize_as_text!(SketchScheme);
