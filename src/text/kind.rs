//! The kinds of characters and segments.
//!
//! In: a segment. Out: whether it is a word, and how its script is written ([`Kind`]). In: a character. Out: whether it is a
//! decimal digit, or of a category of symbols.
//!
//! The table is our own, since `unicode-segmentation` exports no properties and the Unicode version of `char::is_alphabetic`
//! is the compiler's: a fingerprint must not change with the compiler.

use alloc::boxed::Box;

use once_cell::race::OnceBox;

use super::generated::{Column, Runs};

/// The kind of a word, by its first letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// No letter, but a number.
    Number,
    /// A letter of a script written with spaces.
    Spaced,
    /// A letter of a script written without spaces.
    Unspaced,
}

impl Kind {
    /// Returns the kind of a segment, or `None` if it is not a word.
    pub fn of(segment: &str) -> Option<Self> {
        let runs = runs();
        let mut kind = None;
        for c in segment.chars() {
            match runs.value(c) {
                NUMBER | DECIMAL => kind = Some(Kind::Number),
                SPACED => return Some(Kind::Spaced),
                UNSPACED => return Some(Kind::Unspaced),
                _ => {}
            }
        }
        kind
    }
}

/// Returns whether a character is a decimal digit, of the general category Nd.
pub(crate) fn is_decimal(c: char) -> bool {
    runs().value(c) == DECIMAL
}

/// Returns whether a character is a letter.
pub(crate) fn is_letter(c: char) -> bool {
    matches!(runs().value(c), SPACED | UNSPACED)
}

/// Returns whether a character is a letter of a script written with spaces.
pub(crate) fn is_spaced_letter(c: char) -> bool {
    runs().value(c) == SPACED
}

/// Returns whether a character is a letter or a number.
pub(crate) fn is_letter_or_number(c: char) -> bool {
    matches!(runs().value(c), NUMBER | DECIMAL | SPACED | UNSPACED)
}

/// Returns whether a character is a symbol: Sc, Sm or So, and no letter.
pub(crate) fn is_symbol(c: char) -> bool {
    runs().value(c) == SYMBOL
}

// The values of the table. All other characters have 0.
/// A number that is neither a letter nor a decimal digit.
const NUMBER: u32 = 1;
/// A letter of a script written with spaces.
const SPACED: u32 = 2;
/// A letter of a script written without spaces.
const UNSPACED: u32 = 3;
const DECIMAL: u32 = 4;
const SYMBOL: u32 = 5;

/// Returns the runs of characters of one kind.
///
/// `tests/it/words.rs` generates the file from Unicode's data: Copyright © 1991-2025 Unicode, Inc., Unicode License v3
/// (LICENSE-UNICODE).
fn runs() -> &'static Runs {
    static RUNS: OnceBox<Runs> = OnceBox::new();
    RUNS.get_or_init(|| Box::new(Runs::read(Column(include_bytes!("kind.bin")))))
}
