//! Schemes: the choices that determine a fingerprint.

use crate::{
    Error,
    features::{Choice, Features, id},
    hash::{Hash, Key, mix},
    text::Normalize,
};

/// The width of a fingerprint. The widths nest: a narrower fingerprint is the low half of the next wider one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a program that stores fingerprints has a type for each width"
)]
pub enum Width {
    /// 32 bits.
    W32,
    /// 64 bits, the default.
    #[default]
    W64,
    /// 128 bits.
    W128,
}

impl Width {
    /// Returns the number of bits: 32, 64 or 128.
    ///
    /// ```
    /// assert_eq!(nearprint::simhash::Width::default().bits(), 64);
    /// ```
    pub const fn bits(self) -> u32 {
        match self {
            Width::W32 => 32,
            Width::W64 => 64,
            Width::W128 => 128,
        }
    }

    /// Returns a number with this many low bits set.
    pub(crate) const fn mask(self) -> u128 {
        u128::MAX >> (128 - self.bits())
    }
}

impl TryFrom<u32> for Width {
    type Error = Error;

    /// Returns the width with this number of bits: 32, 64 or 128.
    fn try_from(bits: u32) -> Result<Self, Error> {
        let widths = [Width::W32, Width::W64, Width::W128];
        let width = widths.into_iter().find(|width| width.bits() == bits);
        width.ok_or_else(|| Error::number("bits", "32, 64 or 128", bits))
    }
}

/// The weight of a feature that occurs `tf` times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Weights {
    /// `1 + floor(log2 tf)`. The default: with `tf`, the fingerprints of long pages become similar.
    #[default]
    Log,
    /// `tf`.
    Tf,
    /// 1.
    Binary,
}

impl Weights {
    /// Returns the weight of a feature that occurs `count` times, at least once.
    pub(crate) const fn of(self, count: u64) -> u64 {
        match self {
            Weights::Log => 1 + count.ilog2() as u64,
            Weights::Tf => count,
            Weights::Binary => 1,
        }
    }
}

/// The choices that determine a fingerprint. [`Scheme::default`] is `v1:64`.
///
/// [`Display`](core::fmt::Display) writes its id and [`FromStr`](core::str::FromStr) reads it: `v1:`, the width, then each
/// choice that is not the default. Fingerprints are comparable if and only if the ids of their schemes are equal.
///
/// | choice | in the id |
/// | --- | --- |
/// | [`Normalize::None`] | `verbatim` |
/// | [`Features::Words`]`(n)`, [`Features::Chars`]`(n)` | `words`*n*, `chars`*n* |
/// | [`Hash::Fnv1a`] | `fnv1a` |
/// | [`Hash::Keyed`] | `key` and the [check value](Key::check) in 16 hexadecimal digits |
/// | `mix: false` | `raw` |
/// | [`Weights::Tf`], [`Weights::Binary`] | `tf`, `binary` |
///
/// ```
/// use nearprint::{Features, simhash::Scheme};
/// assert_eq!(Scheme::default().to_string(), "v1:64");
/// let scheme = Scheme::default().features(Features::Chars(2)).mix(false);
/// assert_eq!("v1:64:chars2:raw".parse::<Scheme>()?, scheme);
/// # Ok::<(), nearprint::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Scheme {
    /// The width of the fingerprint.
    pub width: Width,
    /// The normalisation of the text.
    pub normalize: Normalize,
    /// The features.
    pub features: Features,
    /// The hash of a word or of a character shingle.
    pub hash: Hash,
    /// Whether feature hashes pass the [finaliser](crate::hash::fmix64). A fingerprint of 128 bits needs it: the high half
    /// finalises the same hash, XORed with a constant.
    pub mix: bool,
    /// The weight of a repeated feature.
    pub weights: Weights,
}

impl Default for Scheme {
    fn default() -> Self {
        Scheme {
            width: Width::default(),
            normalize: Normalize::default(),
            features: Features::default(),
            hash: Hash::default(),
            mix: true,
            weights: Weights::default(),
        }
    }
}

impl Scheme {
    /// Sets [`width`](field@Self::width).
    #[must_use]
    pub const fn width(mut self, width: Width) -> Self {
        self.width = width;
        self
    }

    /// Sets [`normalize`](field@Self::normalize).
    #[must_use]
    pub const fn normalize(mut self, normalize: Normalize) -> Self {
        self.normalize = normalize;
        self
    }

    /// Sets [`features`](field@Self::features). The calls that take the scheme check it.
    #[must_use]
    pub const fn features(mut self, features: Features) -> Self {
        self.features = features;
        self
    }

    /// Sets [`hash`](field@Self::hash).
    #[must_use]
    pub const fn hash(mut self, hash: Hash) -> Self {
        self.hash = hash;
        self
    }

    /// Sets [`mix`](field@Self::mix).
    #[must_use]
    pub const fn mix(mut self, mix: bool) -> Self {
        self.mix = mix;
        self
    }

    /// Sets [`weights`](field@Self::weights).
    #[must_use]
    pub const fn weights(mut self, weights: Weights) -> Self {
        self.weights = weights;
        self
    }

    /// Returns the scheme with a secret key instead of a public hash. If the scheme was read from an id that names a key,
    /// `key` must be that key.
    ///
    /// ```
    /// use nearprint::{Key, simhash::Scheme};
    /// let key = Key::new(*b"sixteen bytes!!!");
    /// let scheme = Scheme::default().keyed(key)?;
    /// assert_eq!(scheme.to_string(), "v1:64:key6b05b8960e676da0");
    /// assert!("v1:64:key6b05b8960e676da0".parse::<Scheme>()?.keyed(key).is_ok());
    /// # Ok::<(), nearprint::Error>(())
    /// ```
    ///
    /// # Errors
    /// The scheme has another key, or the hash FNV-1a.
    pub fn keyed(self, key: Key) -> Result<Self, Error> {
        let keyed = Scheme { hash: Hash::Keyed(key), ..self };
        if self.hash == Hash::Fnv1 || self.hash == keyed.hash {
            return Ok(keyed);
        }
        Err(id::other_key(&self.id(), &keyed.id()))
    }

    /// Returns what an extractor of features needs to know.
    pub(super) fn choice(&self) -> Choice {
        let Scheme { features, hash, normalize, .. } = *self;
        Choice { features, hash, normalize }
    }

    /// Returns the scheme, if it is valid.
    pub(crate) fn check(self) -> Result<Self, Error> {
        self.features.check()?;
        if self.width == Width::W128 && !self.mix {
            return Err(Error::argument("mix", "true for 128 bits", "false"));
        }
        Ok(self)
    }

    /// Returns the bits that a feature votes for, given its hash: 128 for a width of 128, otherwise 64.
    #[inline]
    pub(crate) fn votes_of(&self, hash: u64) -> u128 {
        let low = u128::from(if self.mix { mix::fmix64(hash) } else { hash });
        if self.width.bits() <= 64 {
            return low;
        }
        low | u128::from(mix::fmix64(hash ^ mix::HIGH_HALF)) << 64
    }
}
