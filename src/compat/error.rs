//! The errors of a scheme's input.

use alloc::string::String;
use core::fmt;

use super::{Input, Scheme};

/// An unknown scheme, or an input that the original program cannot take. The message names the scheme and what it takes.
///
/// ```
/// use nearprint::compat::{Scheme, fingerprint_text};
///
/// let error = fingerprint_text(Scheme::E0ng, 32, &[]).unwrap_err();
/// assert_eq!(error.to_string(), r#"scheme "1e0ng" takes 64 or 128 bits, but got 32"#);
/// let error = "2e0ng".parse::<Scheme>().unwrap_err();
/// assert!(error.to_string().starts_with(r#"unknown scheme "2e0ng": takes "zxub", "#));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Unknown(String),
    Input(Scheme, Input),
    Width(Scheme, u32),
    Count(Scheme),
    Total(Scheme),
    Weight(Scheme),
    LoneSurrogate(Scheme),
    EmptyKeyword(Scheme),
}

impl Error {
    pub(super) fn unknown(name: &str) -> Self {
        Self(Kind::Unknown(name.into()))
    }

    pub(super) const fn input(scheme: Scheme, got: Input) -> Self {
        Self(Kind::Input(scheme, got))
    }

    pub(super) const fn width(scheme: Scheme, got: u32) -> Self {
        Self(Kind::Width(scheme, got))
    }

    pub(super) const fn count(scheme: Scheme) -> Self {
        Self(Kind::Count(scheme))
    }

    pub(super) const fn total(scheme: Scheme) -> Self {
        Self(Kind::Total(scheme))
    }

    pub(super) const fn weight(scheme: Scheme) -> Self {
        Self(Kind::Weight(scheme))
    }

    pub(super) const fn lone_surrogate(scheme: Scheme) -> Self {
        Self(Kind::LoneSurrogate(scheme))
    }

    pub(super) const fn empty_keyword(scheme: Scheme) -> Self {
        Self(Kind::EmptyKeyword(scheme))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Unknown(name) => {
                write!(f, "unknown scheme \"{name}\": takes ")?;
                list(f, &Scheme::ALL.map(Scheme::name), |f, name| write!(f, "\"{name}\""))
            }
            Kind::Input(scheme, got) => {
                let got = match got {
                    Input::Text => "a text",
                    Input::Pairs => "pairs",
                };
                write!(f, "scheme \"{scheme}\" takes {}, but got {got}", scheme.takes())
            }
            Kind::Width(scheme, got) => {
                write!(f, "scheme \"{scheme}\" takes ")?;
                list(f, scheme.widths(), |f, bits| write!(f, "{bits}"))?;
                write!(f, " bits, but got {got}")
            }
            Kind::Count(scheme) => write!(
                f,
                "scheme \"{scheme}\" takes counts that are whole numbers from 0 to {}",
                i32::MAX
            ),
            Kind::Total(scheme) => write!(
                f,
                "scheme \"{scheme}\" takes counts that add up to at most {}, but got more",
                i32::MAX
            ),
            Kind::Weight(scheme) => {
                write!(f, "scheme \"{scheme}\" takes weights that are finite numbers")
            }
            Kind::LoneSurrogate(scheme) => write!(
                f,
                "scheme \"{scheme}\" takes keywords that have a UTF-8 form, but got one with a lone surrogate"
            ),
            Kind::EmptyKeyword(scheme) => {
                write!(
                    f,
                    "scheme \"{scheme}\" takes keywords of at least one character, but got an empty one"
                )
            }
        }
    }
}

impl core::error::Error for Error {}

/// Writes the items as `a, b or c`.
fn list<T>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    item: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (i, value) in items.iter().enumerate() {
        if i > 0 {
            f.write_str(if i + 1 == items.len() { " or " } else { ", " })?;
        }
        item(f, value)?;
    }
    Ok(())
}
