//! Which fingerprint: the choices that make one, and the stable id that names them.

use alloc::string::String;
use core::{fmt, str::FromStr};

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

/// What happens to a text before it is cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Normalize {
    /// Unicode NFKC_Casefold: case, width, compatibility forms and ignorable characters make no
    /// difference. The default.
    #[default]
    NfkcCasefold,
    /// The text as it is.
    None,
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

/// The hash of a word, or of a character shingle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Hash {
    /// FNV-1, 64 bits. The default.
    #[default]
    Fnv1,
    /// FNV-1a, 64 bits.
    Fnv1a,
}

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
    /// Whether the hash passes the [finaliser](crate::mix). Without it there is no 128-bit
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
    /// The id, put together without formatting machinery: nothing else in the WebAssembly needs any.
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

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id())
    }
}

impl FromStr for Scheme {
    type Err = SchemeError;

    /// Reads an id as [`Display`](fmt::Display) writes it.
    fn from_str(id: &str) -> Result<Self, SchemeError> {
        let mut parts = id.split(':');
        if parts.next() != Some("v1") {
            return Err(SchemeError("scheme: the id starts with v1"));
        }
        let mut scheme = Scheme {
            width: match parts.next() {
                Some("32") => Width::W32,
                Some("64") => Width::W64,
                Some("128") => Width::W128,
                _ => return Err(SchemeError("scheme: bits is 32, 64 or 128, as in v1:64")),
            },
            ..Scheme::default()
        };
        for part in parts {
            let shingle = |name| part.strip_prefix(name)?.parse().ok();
            match part {
                "verbatim" => scheme.normalize = Normalize::None,
                "fnv1a" => scheme.hash = Hash::Fnv1a,
                "raw" => scheme.mix = false,
                "tf" => scheme.weights = Weights::Tf,
                "binary" => scheme.weights = Weights::Binary,
                _ => {
                    scheme.features = if let Some(n) = shingle("words") {
                        Features::Words(n)
                    } else if let Some(n) = shingle("chars") {
                        Features::Chars(n)
                    } else {
                        return Err(SchemeError("scheme: the id has a part that v1 has not"));
                    }
                }
            }
        }
        // One spelling a scheme: ids are compared as strings by those who store them.
        if scheme.id() == id {
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
