//! Schemes: the choices that determine a fingerprint, and the stable id that names them.

use alloc::{
    borrow::Cow,
    string::{String, ToString},
};
use core::{fmt, str::FromStr};

use crate::{
    Error,
    hash::{Hash, Key, mix},
    text::Normalize,
};

/// The width of a fingerprint. The widths nest: a narrower fingerprint is the low half of the next wider one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
    /// The number of bits: 32, 64 or 128.
    ///
    /// ```
    /// assert_eq!(nearprint::Width::default().bits(), 64);
    /// ```
    pub const fn bits(self) -> u32 {
        match self {
            Width::W32 => 32,
            Width::W64 => 64,
            Width::W128 => 128,
        }
    }

    /// A number with this many low bits set.
    pub(crate) const fn mask(self) -> u128 {
        u128::MAX >> (128 - self.bits())
    }
}

/// The features of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Features {
    /// Grams: words and bigrams in scripts written with spaces; bigrams and trigrams of numbers, and in scripts written
    /// without spaces, where a word is a character. The default.
    #[default]
    Grams,
    /// Shingles of `n` consecutive words, 1 to 64; `Words(1)` is single words.
    Words(u8),
    /// Shingles of `n` consecutive characters (code points), 1 to 64. A run of white space counts
    /// as one space (Leskovec, Rajaraman and Ullman, *Mining of Massive Datasets*, section 3.2).
    Chars(u8),
}

/// The longest shingle.
const MAX_SHINGLE: u8 = 64;

/// The weight of a feature that occurs `tf` times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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
    /// The weight of a feature that occurs `count` times, at least once.
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
/// [`Display`](fmt::Display) writes its id and [`FromStr`] reads it: `v1:`, the width, then each choice that is not the
/// default. Fingerprints are comparable if and only if the ids of their schemes are equal.
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
/// use nearprint::{Features, Scheme};
/// assert_eq!(Scheme::default().to_string(), "v1:64");
/// let scheme: Scheme = "v1:64:chars2:raw:tf".parse()?;
/// assert_eq!(scheme.features, Features::Chars(2));
/// # Ok::<(), nearprint::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scheme {
    /// The width of the fingerprint.
    pub width: Width,
    /// The normalisation of the text.
    pub normalize: Normalize,
    /// The features.
    pub features: Features,
    /// The hash of a word or of a character shingle.
    pub hash: Hash,
    /// Whether feature hashes pass the [finaliser](crate::hash::mix). A fingerprint of 128 bits needs it: the high half
    /// comes from another finaliser of the same 64-bit hash.
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
    /// The scheme with a secret key instead of a hash that everyone can compute. If its id names a key, it must be this one:
    /// the secret is then known.
    ///
    /// ```
    /// use nearprint::{Key, Scheme};
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
        let requirement = ["the key of the scheme ", &self.id()].concat();
        Err(Error::argument("key", requirement, ["that of ", &keyed.id()].concat()))
    }

    /// The scheme, if it is valid.
    ///
    /// # Errors
    /// A shingle of 0 or of more than 64 words or characters; 128 bits without the finaliser.
    pub(crate) fn check(self) -> Result<Self, Error> {
        if let Features::Words(n) | Features::Chars(n) = self.features
            && !(1..=MAX_SHINGLE).contains(&n)
        {
            let requirement = "shingles of 1 to 64 words or characters";
            return Err(Error::number("features", requirement, n));
        }
        if self.width == Width::W128 && !self.mix {
            return Err(Error::argument("mix", "true for 128 bits", "false"));
        }
        Ok(self)
    }
}

/// The id of the default scheme, which is read and written without formatting.
const DEFAULT_ID: &str = "v1:64";

impl Scheme {
    /// The id, as [`Display`](fmt::Display) writes it.
    pub(crate) fn id(&self) -> Cow<'static, str> {
        if *self == Scheme::default() { DEFAULT_ID.into() } else { self.to_string().into() }
    }

    /// The votes of a feature, given its hash: 64 bits, or 128 for that width.
    #[inline]
    pub(crate) fn bits(&self, hash: u64) -> u128 {
        let low = u128::from(if self.mix { mix::fmix64(hash) } else { hash });
        if self.width.bits() <= 64 {
            return low;
        }
        low | u128::from(mix::fmix64(hash ^ mix::HIGH_HALF)) << 64
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v1:{}", self.width.bits())?;
        if self.normalize == Normalize::None {
            f.write_str(":verbatim")?;
        }
        match self.features {
            Features::Grams => {}
            Features::Words(n) => write!(f, ":words{n}")?,
            Features::Chars(n) => write!(f, ":chars{n}")?,
        }
        match self.hash {
            Hash::Fnv1 => {}
            Hash::Fnv1a => f.write_str(":fnv1a")?,
            Hash::Keyed(key) => write!(f, ":key{:016x}", key.check())?,
        }
        if !self.mix {
            f.write_str(":raw")?;
        }
        f.write_str(match self.weights {
            Weights::Log => "",
            Weights::Tf => ":tf",
            Weights::Binary => ":binary",
        })
    }
}

impl FromStr for Scheme {
    type Err = Error;

    /// Reads an id as [`Display`](fmt::Display) writes it. Each scheme has one spelling, because stores compare ids as
    /// strings: the parts have a fixed order, and numbers have no sign and no leading zeros.
    fn from_str(id: &str) -> Result<Self, Error> {
        if id == DEFAULT_ID {
            return Ok(Scheme::default());
        }
        let mut parts = id.split(':');
        if parts.next() != Some("v1") {
            return Err(Error::argument("scheme", "an id that starts with v1", quoted(id)));
        }
        let mut scheme = Scheme {
            width: match parts.next() {
                Some("32") => Width::W32,
                Some("64") => Width::W64,
                Some("128") => Width::W128,
                _ => {
                    let requirement = "an id of 32, 64 or 128 bits, such as v1:64";
                    return Err(Error::argument("scheme", requirement, quoted(id)));
                }
            },
            ..Scheme::default()
        };
        for part in parts {
            match part {
                "verbatim" => scheme.normalize = Normalize::None,
                "fnv1a" => scheme.hash = Hash::Fnv1a,
                "raw" => scheme.mix = false,
                "tf" => scheme.weights = Weights::Tf,
                "binary" => scheme.weights = Weights::Binary,
                _ if let Some(key) = keyed(part) => scheme.hash = Hash::Keyed(key),
                _ => {
                    scheme.features = shingle(part).ok_or_else(|| {
                        let requirement = "an id whose parts are known";
                        Error::argument("scheme", requirement, quoted(part))
                    })?
                }
            }
        }
        let canonical = scheme.to_string();
        if canonical != id {
            let requirement = ["an id with its parts in order and once, ", &canonical].concat();
            return Err(Error::argument("scheme", requirement, quoted(id)));
        }
        scheme.check()
    }
}

/// Reads `key` and a check value.
fn keyed(part: &str) -> Option<Key> {
    u64::from_str_radix(part.strip_prefix("key")?, 16).ok().map(Key::of_check)
}

/// Reads `words` or `chars` and a number.
fn shingle(part: &str) -> Option<Features> {
    if let Some(n) = part.strip_prefix("words") {
        n.parse().ok().map(Features::Words)
    } else {
        part.strip_prefix("chars")?.parse().ok().map(Features::Chars)
    }
}

/// The id or the part of one in quotation marks, shortened: an id is short, and messages are read by people.
fn quoted(id: &str) -> String {
    const MAX_SHOWN: usize = 60;
    if id.len() <= MAX_SHOWN {
        return ["'", id, "'"].concat();
    }
    ["'", &id[..id.floor_char_boundary(MAX_SHOWN)], "…'"].concat()
}

impl From<Scheme> for String {
    fn from(scheme: Scheme) -> String {
        scheme.id().into()
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn a_scheme_has_one_spelling() {
        for id in [
            "v1:32",
            "v1:128:verbatim:words64:fnv1a:tf",
            "v1:64:chars1:raw:binary",
            "v1:64:words10",
        ] {
            assert_eq!(id.parse::<Scheme>().map(|scheme| scheme.to_string()).as_deref(), Ok(id));
        }
        let order = |id| format!("scheme must be an id with its parts in order and once, {id}");
        let part = || String::from("scheme must be an id whose parts are known");
        let bits = || String::from("scheme must be an id of 32, 64 or 128 bits, such as v1:64");
        let start = || String::from("scheme must be an id that starts with v1");
        let shingles = || String::from("features must be shingles of 1 to 64 words or characters");
        let refused = [
            ("v1:64:raw:fnv1a", order("v1:64:fnv1a:raw"), "'v1:64:raw:fnv1a'"),
            ("v1:64:raw:raw", order("v1:64:raw"), "'v1:64:raw:raw'"),
            ("v1:64:tf:binary", order("v1:64:binary"), "'v1:64:tf:binary'"),
            ("v1:64:words2:chars2", order("v1:64:chars2"), "'v1:64:words2:chars2'"),
            ("v1:64:words02", order("v1:64:words2"), "'v1:64:words02'"),
            ("v1:64:words+2", order("v1:64:words2"), "'v1:64:words+2'"),
            ("v1:64:words", part(), "'words'"),
            ("v1:64:words256", part(), "'words256'"),
            ("v1:64:words2x", part(), "'words2x'"),
            ("v1:64:", part(), "''"),
            ("v1:64:tf:log", part(), "'log'"),
            ("v1:064", bits(), "'v1:064'"),
            ("v2:64", start(), "'v2:64'"),
            ("v1:64:words0", shingles(), "0"),
            ("v1:64:chars65", shingles(), "65"),
            ("v1:128:raw", "mix must be true for 128 bits".into(), "false"),
        ];
        for (id, requirement, got) in refused {
            let error = id.parse::<Scheme>().unwrap_err();
            assert_eq!(error.to_string(), format!("{requirement}, got {got}"), "{id}");
        }
        let long = "é".repeat(1000).parse::<Scheme>().unwrap_err().to_string();
        assert!(long.len() < 150, "{long}");
    }
}
