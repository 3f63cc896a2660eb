//! Normalisation, the first step. Placeholder for the tables: lower case, character by character.

use alloc::string::String;

use crate::scheme::{Normalize, Scheme};

pub(crate) fn nfkc_casefold_into(text: &str, out: &mut String) {
    out.extend(text.chars().flat_map(char::to_lowercase));
}

pub(crate) fn boundary(text: &str) -> usize {
    text.len()
}

/// Appends `text` to `out`, normalised as the scheme says.
pub(crate) fn normalize(scheme: &Scheme, text: &str, out: &mut String) {
    match scheme.normalize {
        Normalize::NfkcCasefold => nfkc_casefold_into(text, out),
        Normalize::None => out.push_str(text),
    }
}
