// Made by tests/data/unicode-tables.mjs from tests/data/ucd.txt.gz, Unicode 17.0.0: do not edit.
// Derived from Unicode's data: Copyright © 1991-2025 Unicode, Inc., Unicode License v3 (LICENSE-UNICODE).

use core::array;

use crate::text::generated::Column;

/// The Unicode version of these tables.
pub(super) const UNICODE_VERSION: (u8, u8, u8) = (17, 0, 0);

/// The number of rows of 256 code points that have data, and one for all others.
pub(super) const ROWS: usize = 110;

/// In `fold_kinds`: all code points fold to one character.
pub(super) const SAME: u8 = 32;
/// In `fold_kinds`: consecutive code points fold to consecutive characters.
pub(super) const ADD: u8 = 33;
/// In `fold_kinds`: the same for every other code point.
pub(super) const EVERY_OTHER: u8 = 34;
/// In `fold_kinds`: each code point folds to a Han character.
pub(super) const HAN: u8 = 35;
/// The first code points of the ranges of Han characters.
pub(super) const HAN_STARTS: [u32; 3] = [0x3400, 0x4e00, 0x20000];

/// Returns the columns. Each is in the file after its length.
///
/// - `class_gaps`: ranges of marks, and of the Hangul letters that join the letter before them: the number of code points
///   between a range and the one before
/// - `class_spans`: the length of each of those ranges
/// - `classes`: their Canonical_Combining_Class
/// - `composites`: the composites of a folded text, without Hangul: the difference of each from the one before
/// - `firsts`: the distance from the first part of a composite to it: the difference from the composite before
/// - `seconds`: the second part: the difference from the one before
/// - `fold_gaps`: ranges of code points that are not their own NFKC_CF, without ASCII and U+E0000..U+E0FFF: the number of
///   code points between a range and the one before
/// - `fold_counts`: the number of code points of a range that fold
/// - `fold_kinds`: the length of the strings that a range folds to, or one of the constants above
/// - `singles`: the distance from a code point to the character that it folds to, in ranges of single characters: the
///   difference from the one before. In a range of [`SAME`], [`ADD`] or [`EVERY_OTHER`], only the first code point has one
/// - `han_ranges`: the range of a Han character that a code point folds to: an index into [`HAN_STARTS`]
/// - `han_steps`: its difference from the one before in that range
/// - `strings`: the characters of all other strings: the difference from the character at the same position of the last
///   string that has one
pub(super) fn columns() -> [Column; 13] {
    let mut rest = Column(include_bytes!("tables.bin"));
    array::from_fn(|_| rest.column())
}
