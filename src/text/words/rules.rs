//! The word boundary rules of [UAX #29](https://www.unicode.org/reports/tr29/#Word_Boundary_Rules) as a table of
//! transitions, read off the forward iterator of `unicode-segmentation`, whose segments these are to the byte.

use super::entries::Entry;

/// What the segment so far is, which says what may follow. In [`PENDING`] states and above it ends before the
/// character that led there unless the right one follows.
pub(super) type State = u8;

/// Only what WB4 attaches follows.
pub(super) const CLOSED: State = 0;
const NEWLINE: State = 1; // nothing follows
const SPACE: State = 2;
const LETTER: State = 3;
const HEBREW: State = 4;
const NUMERIC: State = 5;
const KATAKANA: State = 6;
const UNDERSCORE: State = 7; // ExtendNumLet
const FLAG: State = 8; // one Regional_Indicator
const HEBREW_QUOTE: State = 9; // a letter and a single quote, which stays (WB7a)
/// The start of a segment.
pub(super) const START: State = 10;
pub(super) const PENDING: State = 11;
const LETTER_MID: State = 11; // wants a letter (WB6, WB7)
const HEBREW_MID: State = 12; // wants a Hebrew letter (WB7b, WB7c)
const NUMERIC_MID: State = 13; // wants a digit (WB11, WB12)
pub(super) const BREAK: State = 15;

/// The state after a character: a row a state, a column a class.
#[rustfmt::skip]
static NEXT: [[State; 16]; 14] = {
    const B: u8 = BREAK;
    const C: u8 = CLOSED;
    const N: u8 = NEWLINE;
    const S: u8 = SPACE;
    const L: u8 = LETTER;
    const H: u8 = HEBREW;
    const D: u8 = NUMERIC;
    const K: u8 = KATAKANA;
    const U: u8 = UNDERSCORE;
    const R: u8 = FLAG;
    const LM: u8 = LETTER_MID;
    const HM: u8 = HEBREW_MID;
    const DM: u8 = NUMERIC_MID;
    const Q: u8 = HEBREW_QUOTE;
    [
//  Oth NL Sp Ext ZWJ Let Heb Num Kat Und Reg M:  M,  M.  '   "
    [B, B, B, C,  C,  B,  B,  B,  B,  B,  B,  B,  B,  B,  B,  B], // CLOSED
    [B, B, B, B,  B,  B,  B,  B,  B,  B,  B,  B,  B,  B,  B,  B], // NEWLINE
    [B, B, S, C,  C,  B,  B,  B,  B,  B,  B,  B,  B,  B,  B,  B], // SPACE
    [B, B, B, L,  L,  L,  H,  D,  B,  U,  B,  LM, B,  LM, LM, B], // LETTER
    [B, B, B, H,  H,  L,  H,  D,  B,  U,  B,  LM, B,  LM, Q,  HM], // HEBREW
    [B, B, B, D,  D,  L,  H,  D,  B,  U,  B,  B,  DM, DM, DM, B], // NUMERIC
    [B, B, B, K,  K,  B,  B,  B,  K,  U,  B,  B,  B,  B,  B,  B], // KATAKANA
    [B, B, B, U,  U,  L,  H,  D,  K,  U,  B,  B,  B,  B,  B,  B], // UNDERSCORE
    [B, B, B, R,  R,  B,  B,  B,  B,  B,  C,  B,  B,  B,  B,  B], // FLAG
    [B, B, B, Q,  Q,  L,  H,  B,  B,  B,  B,  B,  B,  B,  B,  B], // HEBREW_QUOTE
    [C, N, S, C,  C,  L,  H,  D,  K,  U,  R,  C,  C,  C,  C,  C], // START
    [B, B, B, LM, LM, L,  H,  B,  B,  B,  B,  B,  B,  B,  B,  B], // LETTER_MID
    [B, B, B, HM, HM, B,  H,  B,  B,  B,  B,  B,  B,  B,  B,  B], // HEBREW_MID
    [B, B, B, DM, DM, B,  B,  D,  B,  B,  B,  B,  B,  B,  B,  B], // NUMERIC_MID
    ]
};

#[inline]
pub(super) fn next(state: State, entry: Entry) -> State {
    NEXT[usize::from(state)][entry.class()]
}
