//! The properties of each character that normalisation needs.
//!
//! In: the columns of [`tables`], 15 kB, or 8 kB after Brotli (tables that can be searched as they are: 12 kB). Out: tables
//! with constant-time lookup ([`Unicode`]), 150 kB, expanded at first use, once a process. That takes some 0.2 ms, or 0.4 ms
//! in WebAssembly that the engine has not optimised yet.

use alloc::{boxed::Box, vec, vec::Vec};

use once_cell::race::OnceBox;

use super::{hangul, tables};
use crate::text::{char_rows::ROW, generated::Column};

/// The properties of a character: its kind in the top 8 bits, and a value in the 24 below.
///
/// The value of a character that folds to itself is its Canonical_Combining_Class in the low 8 bits, and above it the index of
/// its decomposition in [`Unicode::composites`], 0 for none.
#[derive(Clone, Copy)]
pub(super) struct CharData(u32);

impl CharData {
    /// Folds to itself and starts a segment.
    pub(super) const QUICK: u32 = 0;
    /// Folds to one other character, a QUICK one: the value.
    pub(super) const CHAR: u32 = 1;
    /// Folds to a string that starts with a QUICK character. The value is the string's index, then 6 bits of its length.
    pub(super) const STRING: u32 = 2;
    /// Folds to nothing.
    pub(super) const NOTHING: u32 = 3;
    /// A mark that folds to itself and is the second part of no composite.
    pub(super) const MARK: u32 = 4;
    /// Folds to itself; and it, or the first character of its decomposition, is the second part of a composite.
    pub(super) const SECOND: u32 = 5;
    /// Folds to a string that starts with a MARK or a SECOND. The value is as for STRING.
    pub(super) const OTHER: u32 = 6;
    /// The number of kinds, and one for none.
    pub(super) const KINDS: usize = 8;

    const fn new(kind: u32, value: u32) -> Self {
        CharData(kind << 24 | value)
    }

    fn value(self) -> u32 {
        self.0 & 0xFF_FFFF
    }

    pub(super) fn kind(self) -> u32 {
        self.0 >> 24
    }

    /// Returns whether the character and the text after it normalise independently of the text before it.
    pub(super) fn starts_segment(self) -> bool {
        self.kind() <= Self::STRING
    }

    /// Returns the Canonical_Combining_Class of a character that folds to itself.
    pub(super) fn class(self) -> u8 {
        self.0 as u8
    }

    /// Returns the character that a CHAR folds to.
    pub(super) fn char(self) -> char {
        character(self.value())
    }

    /// Returns the index in [`Unicode::composites`] of a character that folds to itself; 0 for none.
    fn composite(self) -> usize {
        self.value() as usize >> 8
    }
}

fn character(code: u32) -> char {
    char::from_u32(code).expect("the tables have a surrogate")
}

/// A character with a canonical decomposition into two.
struct Composite {
    whole: char,
    parts: (char, char),
}

/// The expanded tables.
pub(super) struct Unicode {
    /// For each row of the code space, its index in `rows`: 0 if all its characters are QUICK, with the value 0.
    row_index: [u16; END / ROW],
    rows: Vec<[CharData; ROW]>,
    /// The strings that STRING and OTHER characters fold to.
    strings: Vec<char>,
    /// All but Hangul, from index 1.
    composites: Vec<Composite>,
    /// A hash table with linear probing, from the parts to the index in `composites`; 0 is an empty slot.
    slots: [u16; SLOTS],
}

/// From here on, all characters are QUICK with the value 0, except U+E0000 to U+E0FFF.
const END: usize = 0x30000;
/// Four times the number of composites.
const SLOTS: usize = 2048;

impl Unicode {
    pub(super) fn get() -> &'static Self {
        static UNICODE: OnceBox<Unicode> = OnceBox::new();
        UNICODE.get_or_init(|| Box::new(Self::expand()))
    }

    #[inline]
    pub(super) fn char_data(&self, c: char) -> CharData {
        let code = c as usize;
        self.row(code / ROW)[code % ROW]
    }

    /// Returns the properties of the characters of a row, by its number.
    #[inline]
    pub(super) fn row(&self, number: usize) -> &[CharData; ROW] {
        static NOTHING: [CharData; ROW] = [CharData::new(CharData::NOTHING, 0); ROW];
        match self.row_index.get(number) {
            Some(&row) => &self.rows[usize::from(row)],
            None if (0xE0000 / ROW..0xE1000 / ROW).contains(&number) => &NOTHING,
            None => &self.rows[0],
        }
    }

    /// Returns the string that a STRING or an OTHER folds to.
    pub(super) fn string(&self, data: CharData) -> &[char] {
        let (start, length) = (data.value() as usize >> 6, data.value() as usize & 63);
        &self.strings[start..start + length]
    }

    /// Returns the characters with a canonical decomposition into two, without Hangul, in order.
    pub(super) fn composites(&self) -> impl Iterator<Item = char> {
        self.composites[1..].iter().map(|composite| composite.whole)
    }

    /// Returns the canonical decomposition of a character into two.
    pub(super) fn parts(&self, c: char) -> Option<(char, char)> {
        match self.char_data(c).composite() {
            0 => hangul::parts(c),
            composite => Some(self.composites[composite].parts),
        }
    }

    /// Returns the character that two characters compose to.
    pub(super) fn composite(&self, first: char, second: char) -> Option<char> {
        let composite = match self.slots[self.slot(first, second)] {
            0 => return hangul::composite(first, second),
            composite => &self.composites[usize::from(composite)],
        };
        Some(composite.whole)
    }

    /// Returns the slot of the composite of two characters, or the empty slot where it would be.
    fn slot(&self, first: char, second: char) -> usize {
        let mut slot = (u32::from(first) * 97 + u32::from(second)) as usize % SLOTS;
        while self.slots[slot] != 0
            && self.composites[usize::from(self.slots[slot])].parts != (first, second)
        {
            slot = (slot + 1) % SLOTS;
        }
        slot
    }

    fn expand() -> Self {
        let none = Composite { whole: '\0', parts: ('\0', '\0') };
        let mut unicode = Unicode {
            row_index: [0; _],
            rows: Vec::with_capacity(tables::ROWS),
            strings: Vec::new(),
            composites: vec![none],
            slots: [0; _],
        };
        unicode.rows.push([CharData(0); ROW]);
        let [gaps, spans, classes, composites, firsts, seconds, folds @ ..] = tables::columns();
        unicode.expand_classes([gaps, spans, classes]);
        unicode.expand_composites([composites, firsts, seconds]);
        unicode.expand_folds(folds); // last, since it reads the kinds that the others set
        unicode
    }

    fn set(&mut self, code: u32, data: CharData) {
        let code = code as usize;
        let row = &mut self.row_index[code / ROW];
        if *row == 0 {
            *row = self.rows.len() as u16;
            self.rows.push([CharData(0); ROW]);
        }
        self.rows[usize::from(*row)][code % ROW] = data;
    }

    fn expand_classes(&mut self, [mut gaps, mut spans, mut classes]: [Column; 3]) {
        let mut code = 0;
        while !gaps.is_empty() {
            code += gaps.number();
            let class = classes.byte();
            let kind = if class == 0 { CharData::SECOND } else { CharData::MARK };
            for _ in 0..spans.number() {
                self.set(code, CharData::new(kind, class.into()));
                code += 1;
            }
        }
    }

    fn expand_composites(&mut self, [mut composites, mut firsts, mut seconds]: [Column; 3]) {
        let (mut code, mut back, mut second) = (0, 0, 0);
        while !composites.is_empty() {
            code += composites.number();
            firsts.step(&mut back);
            seconds.step(&mut second);
            let parts = (character(code.wrapping_sub(back)), character(second));
            let class = self.char_data(parts.1).class();
            self.set(second, CharData::new(CharData::SECOND, class.into()));
            let slot = self.slot(parts.0, parts.1);
            self.slots[slot] = self.composites.len() as u16;
            self.composites.push(Composite { whole: character(code), parts });
        }
        for index in 1..self.composites.len() {
            let Composite { whole, parts } = self.composites[index];
            // If the first part is a composite itself, its kind is set already: it comes before.
            let kind = self.char_data(parts.0).kind();
            self.set(whole.into(), CharData::new(kind, (index as u32) << 8));
        }
    }

    fn expand_folds(&mut self, columns: [Column; 7]) {
        let [mut gaps, mut counts, mut kinds, mut singles, mut han_ranges, mut han, mut strings] =
            columns;
        let (mut code, mut offset) = (0, 0);
        let mut last_han = tables::HAN_STARTS;
        let mut string = [0; tables::SAME as usize];
        while !gaps.is_empty() {
            code += gaps.number();
            let kind = kinds.byte();
            let length = if kind < tables::SAME { kind } else { 1 };
            for nth in 0..counts.number() {
                if nth > 0 && kind == tables::EVERY_OTHER {
                    code += 1;
                }
                let start = self.strings.len();
                for position in 0..length {
                    let (steps, last, base) = match kind {
                        tables::HAN => (&mut han, &mut last_han[usize::from(han_ranges.byte())], 0),
                        1 | tables::SAME.. => (&mut singles, &mut offset, code),
                        _ => (&mut strings, &mut string[usize::from(position)], 0),
                    };
                    match kind {
                        tables::SAME if nth > 0 => *last = last.wrapping_sub(1),
                        tables::ADD | tables::EVERY_OTHER if nth > 0 => {}
                        _ => steps.step(last),
                    }
                    self.strings.push(character(last.wrapping_add(base)));
                }
                let data = self.fold_to(start);
                self.set(code, data);
                code += 1;
            }
        }
    }

    /// Returns the data of a character that folds to `strings[start..]`.
    fn fold_to(&mut self, start: usize) -> CharData {
        let string = &self.strings[start..];
        let Some(&first) = string.first() else {
            return CharData::new(CharData::NOTHING, 0);
        };
        let length = string.len();
        let is_quick = self.char_data(first).kind() == CharData::QUICK;
        if is_quick && length == 1 {
            self.strings.truncate(start);
            return CharData::new(CharData::CHAR, first.into());
        }
        let value = (start << 6 | length) as u32;
        CharData::new(if is_quick { CharData::STRING } else { CharData::OTHER }, value)
    }
}
