//! The id of a scheme: how it is written and read.

use alloc::{borrow::Cow, string::String};
use core::{fmt, str::FromStr};

use super::scheme::{Scheme, Weights, Width};
use crate::{
    Error,
    error::decimal,
    features::id::{self, quoted},
    hash::Hash,
    text::Normalize,
};

/// The id of the default scheme.
const DEFAULT_ID: &str = "v1:64";

impl Scheme {
    /// Returns the id, as [`Display`](fmt::Display) writes it. Without the formatting of the standard library, which would be
    /// 2 kB of each WebAssembly module.
    pub(crate) fn id(&self) -> Cow<'static, str> {
        if *self == Scheme::default() {
            return DEFAULT_ID.into();
        }
        let verbatim = if self.normalize == Normalize::None { ":verbatim" } else { "" };
        let features = id::of_features(self.features);
        let hash = match self.hash {
            Hash::Fnv1 => String::new(),
            Hash::Fnv1a => ":fnv1a".into(),
            Hash::Keyed(key) => id::of_key(key),
        };
        let raw = if self.mix { "" } else { ":raw" };
        let weights = match self.weights {
            Weights::Log => "",
            Weights::Tf => ":tf",
            Weights::Binary => ":binary",
        };
        let bits = decimal(self.width.bits());
        ["v1:", &bits, verbatim, &features, &hash, raw, weights].concat().into()
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id())
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
        let mut parts = id::parts(id);
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
                _ if let Some(key) = id::read_key(part) => scheme.hash = Hash::Keyed(key),
                _ => {
                    scheme.features =
                        id::read_features(part).ok_or_else(|| id::unknown_part(part))?;
                }
            }
        }
        id::check_spelling(id, &scheme.id())?;
        scheme.check()
    }
}

impl From<Scheme> for String {
    fn from(scheme: Scheme) -> String {
        scheme.id().into()
    }
}

#[cfg(feature = "serde")]
crate::serialize::serialize_as_text!(Scheme);
