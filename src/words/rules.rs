//! The word boundary rules of [UAX #29](https://www.unicode.org/reports/tr29/#Word_Boundary_Rules) as a table of
//! transitions, read off the forward iterator of `unicode-segmentation`, whose segments these are to the byte.

use super::table;

/// What is to be known of a character: its Word_Break class, kind, and whether it is a pictograph.
#[derive(Clone, Copy, Default)]
pub(super) struct Entry(u8);

/// The Word_Break classes, those that no rule tells apart taken together. The numbers are those of the table, and of
/// the columns of [`NEXT`].
pub(super) mod class {
    pub const OTHER: usize = 0;
    pub const NEWLINE: usize = 1; // CR, LF, Newline
    pub const SPACE: usize = 2; // WSegSpace
    pub const EXTEND: usize = 3; // Extend, Format
    pub const ZWJ: usize = 4;
    pub const MID_LETTER: usize = 11;
    pub const MID_NUM: usize = 12;
    pub const MID_NUM_LET: usize = 13;
    pub const SINGLE_QUOTE: usize = 14;
    pub const DOUBLE_QUOTE: usize = 15;
}

/// The entries of the blocks that differ.
static BLOCKS: [u8; table::BLOCKS] = expand(&table::BLOCK_RUNS);
/// Which block each 128 code points have. ASCII has the first.
static INDEX: [u8; table::INDEXED] = expand(&table::INDEX_RUNS);

const fn expand<const N: usize>(runs: &[u8]) -> [u8; N] {
    let mut values = [0; N];
    let (mut run, mut at) = (0, 0);
    while run < runs.len() {
        let end = at + runs[run + 1] as usize;
        while at < end {
            values[at] = runs[run];
            at += 1;
        }
        run += 2;
    }
    values
}

impl Entry {
    #[inline]
    pub fn of(code: u32) -> Self {
        let block = INDEX.get(code as usize / 128).map_or(0, |&block| usize::from(block));
        Entry(BLOCKS.get(block * 128 + code as usize % 128).map_or(0, |&entry| entry))
    }

    #[inline]
    pub fn of_ascii(byte: u8) -> Self {
        Entry(BLOCKS[usize::from(byte & 0x7f)])
    }

    #[inline]
    pub fn class(self) -> usize {
        usize::from(self.0 & 15)
    }

    /// 0 for neither letter nor number, 1 for a number, 2 and 3 for letters, 3 for those of scripts written without
    /// spaces.
    #[inline]
    pub fn kind(self) -> u8 {
        self.0 >> 4 & 3
    }

    /// Whether it belongs to what comes before it, nearly whatever that is (WB4).
    #[inline]
    pub fn attaches(self) -> bool {
        matches!(self.class(), class::EXTEND | class::ZWJ)
    }

    /// Extended_Pictographic.
    #[inline]
    pub fn is_pictograph(self) -> bool {
        self.0 & 64 != 0
    }
}

/// What the segment so far is, which says what may follow. In [`PENDING`] states and above it ends before the
/// character that led there unless the right one follows.
pub(super) type State = u8;

/// Only what WB4 attaches follows.
pub(super) const CLOSED: State = 0;
const NEWLINE: State = 1; // nothing follows
const SPACE: State = 2;
pub(super) const LETTER: State = 3;
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
