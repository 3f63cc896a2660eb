//! The schemes: one for each program whose fingerprints are reproduced.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::{fmt, str::FromStr};

use crate::Error;

/// A program whose fingerprints are reproduced. The [module documentation](super) has a table of them.
///
/// ```
/// use nearprint::simhash::compat::{Input, Scheme};
///
/// let scheme: Scheme = "charikar-py".parse()?;
/// assert_eq!(scheme, Scheme::CharikarPy);
/// assert_eq!(scheme.widths(), [32, 64, 128]);
/// assert_eq!(scheme.input(), Input::Text);
/// # Ok::<(), nearprint::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scheme {
    /// `zxub`: word counts, FNV-1 over UTF-16 code units. A sum of zero gives a one.
    Zxub,
    /// `simhash-java`: pairs of UTF-16 code units, MurmurHash64A.
    SimhashJava,
    /// `simhash-java-2018`: like [`SimhashJava`](Self::SimhashJava), but a bit is 1 only where its sum exceeds 1.
    SimhashJava2018,
    /// `jieba`: weighted keywords, Jenkins' `hashlittle2`.
    Jieba,
    /// `keywords-py`: weighted keywords, the string hash of Python 2.
    KeywordsPy,
    /// `charikar-py`: words split on white space, the string hash of Python 2. A sum of zero gives a one.
    CharikarPy,
    /// `1e0ng`: shingles of four characters in lower case, MD5.
    E0ng,
}

/// The kind of input that a [`Scheme`] takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "a program takes a text, or its words")]
pub enum Input {
    /// A text: [`fingerprint_text`](super::fingerprint_text).
    Text,
    /// Words with a count or a weight: [`fingerprint_pairs`](super::fingerprint_pairs).
    Pairs,
}

impl Scheme {
    /// Every scheme.
    pub const ALL: &'static [Self] = &[
        Self::Zxub,
        Self::SimhashJava,
        Self::SimhashJava2018,
        Self::Jieba,
        Self::KeywordsPy,
        Self::CharikarPy,
        Self::E0ng,
    ];

    /// Returns the name, which [`FromStr`] parses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zxub => "zxub",
            Self::SimhashJava => "simhash-java",
            Self::SimhashJava2018 => "simhash-java-2018",
            Self::Jieba => "jieba",
            Self::KeywordsPy => "keywords-py",
            Self::CharikarPy => "charikar-py",
            Self::E0ng => "1e0ng",
        }
    }

    /// Returns the available widths of its fingerprints, in bits, in ascending order.
    #[must_use]
    pub const fn widths(self) -> &'static [u32] {
        match self {
            Self::CharikarPy => &[32, 64, 128],
            Self::E0ng => &[64, 128],
            _ => &[64],
        }
    }

    /// Returns whether it takes a text or pairs.
    #[must_use]
    pub const fn input(self) -> Input {
        match self {
            Self::Zxub | Self::Jieba | Self::KeywordsPy => Input::Pairs,
            Self::SimhashJava | Self::SimhashJava2018 | Self::CharikarPy | Self::E0ng => {
                Input::Text
            }
        }
    }

    /// Returns a description of its input, for messages.
    const fn takes(self) -> &'static str {
        match self {
            Self::Zxub => "[word, count] pairs",
            Self::Jieba | Self::KeywordsPy => "[keyword, weight] pairs",
            _ => "a text",
        }
    }

    /// Returns the error for another kind of input.
    #[cold]
    pub(super) fn refuse_input(self, got: &'static str) -> Error {
        Error::argument("input", self.with_name(self.takes()), got)
    }

    /// Returns the error for a part of an input that the original program does not accept.
    #[cold]
    pub(super) fn refuse(
        self,
        argument: &'static str,
        requirement: &str,
        got: &'static str,
    ) -> Error {
        Error::argument(argument, self.with_name(requirement), got)
    }

    /// Returns a requirement of this scheme only. Not `format!`, whose code for strings is 4 kB of WebAssembly.
    #[cold]
    pub(super) fn with_name(self, requirement: &str) -> String {
        [requirement, " with the scheme ", self.name()].concat()
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Scheme {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL.iter().copied().find(|scheme| scheme.name() == name).ok_or_else(|| {
            let quoted = |name| ["\"", name, "\""].concat();
            let names = either(Self::ALL.iter().map(|scheme| quoted(scheme.name())));
            Error::argument("scheme", names, quoted(name))
        })
    }
}

#[cfg(feature = "serde")]
crate::serialize::serialize_as_text!(Scheme);

/// Joins items as `a, b or c`.
pub(super) fn either(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    let [all_but_last @ .., last] = &items[..] else { return String::new() };
    if all_but_last.is_empty() {
        last.to_string()
    } else {
        [&all_but_last.join(", "), last].map(String::as_str).join(" or ")
    }
}
