//! The kind of a segment.
//!
//! In: a segment. Out: whether it is a word, and how its script is written ([`Kind`]).
//!
//! The table is our own, since `unicode-segmentation` exports no properties and the Unicode version of `char::is_alphabetic`
//! is the compiler's: a fingerprint must not change with the compiler.

use alloc::boxed::Box;

use once_cell::race::OnceBox;

use crate::text::columns::{Column, Runs};

/// The kind of a word, by its first letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
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
                0 => {}
                1 => kind = Some(Kind::Number),
                2 => return Some(Kind::Spaced),
                _ => return Some(Kind::Unspaced),
            }
        }
        kind
    }
}

/// Returns the runs of characters of one kind: 0 for neither letter nor number, 1 for a number, 2 for a letter, 3 for a letter
/// of a script written without spaces.
///
/// `tests/it/words.rs` generates the file from Unicode's data: Copyright © 1991-2025 Unicode, Inc., Unicode License v3 (LICENSE-UNICODE).
fn runs() -> &'static Runs<2> {
    static RUNS: OnceBox<Runs<2>> = OnceBox::new();
    RUNS.get_or_init(|| Box::new(Runs::read(Column(include_bytes!("kind.bin")))))
}
