//! Which fingerprint: the choices that make one, and the stable id that names them.

use alloc::string::String;
use core::{fmt, str::FromStr};

use crate::{
    hash::{Hash, mix},
    text::Normalize,
};

/// How wide a fingerprint is. The widths nest: a narrower fingerprint is the low half of the next.
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

/// What a text is cut into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Features {
    /// Words and word pairs in scripts written with spaces, word pairs and triples in scripts
    /// written without (where a word is a character) and for numbers. The default.
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

/// How much a feature counts that occurs `tf` times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Weights {
    /// `1 + floor(log2 tf)`. The default: with `tf` itself, long pages collapse onto each other.
    #[default]
    Log,
    /// `tf`.
    Tf,
    /// 1.
    Binary,
}

/// All the choices that make a fingerprint. [`Scheme::default`] is `v1:64`.
///
/// Its id, [`Display`](fmt::Display) and [`FromStr`], is `v1:`, the width, and then each choice
/// that is not the default: fingerprints are comparable if and only if their ids are equal.
///
/// | choice | in the id |
/// | --- | --- |
/// | [`Normalize::None`] | `verbatim` |
/// | [`Features::Words`]`(n)`, [`Features::Chars`]`(n)` | `words`*n*, `chars`*n* |
/// | [`Hash::Fnv1a`] | `fnv1a` |
/// | `mix: false` | `raw` |
/// | [`Weights::Tf`], [`Weights::Binary`] | `tf`, `binary` |
///
/// ```
/// use nearprint::{Features, Scheme};
/// assert_eq!(Scheme::default().to_string(), "v1:64");
/// let scheme: Scheme = "v1:64:chars2:raw:tf".parse()?;
/// assert_eq!(scheme.features, Features::Chars(2));
/// # Ok::<(), nearprint::SchemeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scheme {
    /// How wide the fingerprint is.
    pub width: Width,
    /// What happens to the text first.
    pub normalize: Normalize,
    /// What it is cut into.
    pub features: Features,
    /// How a feature is hashed.
    pub hash: Hash,
    /// Whether the hash passes the [finaliser](crate::hash::mix). Without it there is no 128-bit
    /// fingerprint, for the high half is another finaliser of the same 64 bits.
    pub mix: bool,
    /// How much a repeated feature counts.
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
    /// The scheme itself if there is such a fingerprint.
    ///
    /// # Errors
    /// A shingle of 0 or of more than 64 words or characters; 128 bits without the finaliser.
    pub(crate) fn check(self) -> Result<Self, SchemeError> {
        if let Features::Words(n) | Features::Chars(n) = self.features
            && !(1..=MAX_SHINGLE).contains(&n)
        {
            return Err(SchemeError("features: a shingle takes 1 to 64"));
        }
        if self.width == Width::W128 && !self.mix {
            return Err(SchemeError("mix: 128 bits need the finaliser, mix: true"));
        }
        Ok(self)
    }
}

impl Scheme {
    /// The id that [`from_str`](Self::from_str) reads.
    fn id(&self) -> String {
        let mut id = String::from(match self.width {
            Width::W32 => "v1:32",
            Width::W64 => "v1:64",
            Width::W128 => "v1:128",
        });
        if self.normalize == Normalize::None {
            id.push_str(":verbatim");
        }
        let shingle = match self.features {
            Features::Grams => None,
            Features::Words(n) => Some((":words", n)),
            Features::Chars(n) => Some((":chars", n)),
        };
        if let Some((unit, n)) = shingle {
            id.push_str(unit);
            for power in [100, 10, 1] {
                if n >= power || power == 1 {
                    id.push(char::from(b'0' + n / power % 10));
                }
            }
        }
        if self.hash == Hash::Fnv1a {
            id.push_str(":fnv1a");
        }
        if !self.mix {
            id.push_str(":raw");
        }
        id.push_str(match self.weights {
            Weights::Log => "",
            Weights::Tf => ":tf",
            Weights::Binary => ":binary",
        });
        id
    }
}

impl Scheme {
    /// The bits of a feature of this hash: all 128 where the scheme asks for them.
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
        f.write_str(&self.id())
    }
}

impl FromStr for Scheme {
    type Err = SchemeError;

    /// Reads an id as [`Display`](fmt::Display) writes it.
    fn from_str(id: &str) -> Result<Self, SchemeError> {
        let mut parts = id.as_bytes().split(|&byte| byte == b':');
        if parts.next() != Some(b"v1") {
            return Err(SchemeError("scheme: the id starts with v1"));
        }
        let mut scheme = Scheme {
            width: match parts.next() {
                Some(b"32") => Width::W32,
                Some(b"64") => Width::W64,
                Some(b"128") => Width::W128,
                _ => return Err(SchemeError("scheme: bits is 32, 64 or 128, as in v1:64")),
            },
            ..Scheme::default()
        };
        // One spelling a scheme, since ids are compared as strings by those who store them: each kind of part has its
        // place, and a number has no sign and no zeros before it.
        let mut one_spelling = true;
        let mut last = 0;
        for part in parts {
            let place = match part {
                b"verbatim" => {
                    scheme.normalize = Normalize::None;
                    1
                }
                b"fnv1a" => {
                    scheme.hash = Hash::Fnv1a;
                    3
                }
                b"raw" => {
                    scheme.mix = false;
                    4
                }
                b"tf" => {
                    scheme.weights = Weights::Tf;
                    5
                }
                b"binary" => {
                    scheme.weights = Weights::Binary;
                    5
                }
                _ => {
                    // Both units have five letters.
                    let (unit, digits) = part.split_at_checked(5).unwrap_or_default();
                    let n =
                        core::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
                    scheme.features = match (unit, n) {
                        (b"words", Some(n)) => Features::Words(n),
                        (b"chars", Some(n)) => Features::Chars(n),
                        _ => return Err(SchemeError("scheme: the id has a part that v1 has not")),
                    };
                    one_spelling &= matches!(digits, [_] | [b'1'..=b'9', ..]);
                    2
                }
            };
            one_spelling &= place > last;
            last = place;
        }
        if one_spelling {
            scheme.check()
        } else {
            Err(SchemeError("scheme: the id's parts are out of order"))
        }
    }
}

/// Why there is no such scheme. Its `Display` names the choice and what it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchemeError(&'static str);

impl SchemeError {
    /// What its `Display` shows.
    #[cfg_attr(not(feature = "wasm"), allow(dead_code))]
    pub(crate) fn message(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for SchemeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl core::error::Error for SchemeError {}

impl From<Scheme> for String {
    fn from(scheme: Scheme) -> String {
        scheme.id()
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn one_spelling_a_scheme() {
        for id in [
            "v1:32",
            "v1:128:verbatim:words64:fnv1a:tf",
            "v1:64:chars1:raw:binary",
            "v1:64:words10",
        ] {
            assert_eq!(id.parse::<Scheme>().map(|scheme| scheme.to_string()).as_deref(), Ok(id));
        }
        let refused = [
            ("v1:64:raw:fnv1a", "scheme: the id's parts are out of order"),
            ("v1:64:raw:raw", "scheme: the id's parts are out of order"),
            ("v1:64:tf:binary", "scheme: the id's parts are out of order"),
            ("v1:64:words2:chars2", "scheme: the id's parts are out of order"),
            ("v1:64:words02", "scheme: the id's parts are out of order"),
            ("v1:64:words+2", "scheme: the id's parts are out of order"),
            ("v1:64:words", "scheme: the id has a part that v1 has not"),
            ("v1:64:words256", "scheme: the id has a part that v1 has not"),
            ("v1:64:words2x", "scheme: the id has a part that v1 has not"),
            ("v1:64:", "scheme: the id has a part that v1 has not"),
            ("v1:64:tf:log", "scheme: the id has a part that v1 has not"),
            ("v1:064", "scheme: bits is 32, 64 or 128, as in v1:64"),
            ("v2:64", "scheme: the id starts with v1"),
            ("v1:64:words0", "features: a shingle takes 1 to 64"),
            ("v1:64:chars65", "features: a shingle takes 1 to 64"),
            ("v1:128:raw", "mix: 128 bits need the finaliser, mix: true"),
        ];
        for (id, why) in refused {
            assert_eq!(id.parse::<Scheme>().map_err(SchemeError::message), Err(why), "{id}");
        }
    }
}
