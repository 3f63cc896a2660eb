//! What Unicode says of each character, expanded from the columns of [`tables`] when it is first asked for.
//!
//! The columns are made to be small once compressed, with nothing in them that follows from the rest: 18 kB, or 8 kB
//! after Brotli, where tables to be searched came to 12 kB. Expanding takes some 0.2 ms, 0.4 ms as WebAssembly that is
//! not optimised yet, and 120 kB, once in the life of a process.

use alloc::{boxed::Box, vec, vec::Vec};

use once_cell::race::OnceBox;

use super::{hangul, tables};
use crate::text::columns::Column;

/// What there is to say of a character: its kind, in the highest 8 bits, and what goes with that, in the 24 below. Of a
/// character that folds to itself that is its class, and beside it which of the composites it is, 0 for none.
#[derive(Clone, Copy)]
pub(super) struct Entry(u32);

impl Entry {
    /// Folds to itself and starts a segment. With nothing else to say this is 0.
    pub(super) const QUICK: u32 = 0;
    /// Folds to one other character, a QUICK one: that one goes with it.
    pub(super) const CHAR: u32 = 1;
    /// Folds to a string that starts with a QUICK character: the string's place and, in 6 bits, its length.
    pub(super) const STRING: u32 = 2;
    /// Folds to nothing.
    pub(super) const NOTHING: u32 = 3;
    /// A mark that folds to itself and is the second part of no composite.
    pub(super) const MARK: u32 = 4;
    /// Folds to itself; and it, or the first character of its decomposition, is the second part of a composite.
    pub(super) const SECOND: u32 = 5;
    /// Folds to a string that starts with a MARK or a SECOND: as STRING.
    pub(super) const OTHER: u32 = 6;

    const fn new(kind: u32, rest: u32) -> Self {
        Entry(kind << 24 | rest)
    }

    fn rest(self) -> u32 {
        self.0 & 0xFF_FFFF
    }

    pub(super) fn kind(self) -> u32 {
        self.0 >> 24
    }

    /// Whether nothing before a character can change what it, and all that follows it, normalises to.
    pub(super) fn starts_segment(self) -> bool {
        self.kind() <= Self::STRING
    }

    /// The Canonical_Combining_Class, of what folds to itself.
    pub(super) fn class(self) -> u8 {
        self.0 as u8
    }

    /// The character that a CHAR folds to.
    pub(super) fn char(self) -> char {
        character(self.rest())
    }

    /// Which of the composites it is, of what folds to itself; 0 if none.
    fn composite(self) -> usize {
        self.rest() as usize >> 8
    }
}

#[inline(never)]
fn character(code: u32) -> char {
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}

struct Composite {
    whole: char,
    parts: (char, char),
}

/// The expanded tables.
pub(super) struct Unicode {
    /// For every 64 code points, which of `blocks` they are: the first if there is nothing to say of them.
    index: [u16; END / BLOCK],
    blocks: Vec<[Entry; BLOCK]>,
    /// What STRING and OTHER fold to.
    strings: Vec<char>,
    /// All but Hangul, after one that is none.
    composites: Vec<Composite>,
    /// The places of `composites` by their parts: each is where its hash says or in the next slot that was free.
    slots: [u16; SLOTS],
}

const END: usize = 0x30000; // beyond, only U+E0000 to U+E0FFF have something to say
const BLOCK: usize = 64;
const SLOTS: usize = 2048; // four times the composites

impl Unicode {
    pub(super) fn get() -> &'static Self {
        static UNICODE: OnceBox<Unicode> = OnceBox::new();
        UNICODE.get_or_init(|| Box::new(Self::expand()))
    }

    #[inline(never)] // for size
    pub(super) fn entry(&self, c: char) -> Entry {
        let code = u32::from(c) as usize;
        match self.index.get(code / BLOCK) {
            Some(&block) => self.blocks[usize::from(block)][code % BLOCK],
            None if matches!(code, 0xE0000..=0xE0FFF) => Entry::new(Entry::NOTHING, 0),
            None => Entry::new(Entry::QUICK, 0),
        }
    }

    /// The string that a STRING or an OTHER folds to.
    pub(super) fn string(&self, entry: Entry) -> &[char] {
        let (start, length) = (entry.rest() as usize >> 6, entry.rest() as usize & 63);
        &self.strings[start..start + length]
    }

    /// The two characters that one is composed of.
    #[inline(never)]
    pub(super) fn parts(&self, c: char) -> Option<(char, char)> {
        match self.entry(c).composite() {
            0 => hangul::parts(c),
            composite => Some(self.composites[composite].parts),
        }
    }

    /// The character that is composed of two.
    pub(super) fn composite(&self, first: char, second: char) -> Option<char> {
        let composite = match self.slots[self.slot(first, second)] {
            0 => return hangul::composite(first, second),
            composite => &self.composites[usize::from(composite)],
        };
        Some(composite.whole)
    }

    /// Where the composite of two characters is, or a place that is free.
    #[inline(never)]
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
        let nothing = Composite { whole: '\0', parts: ('\0', '\0') };
        let mut unicode = Unicode {
            index: [0; _],
            blocks: Vec::with_capacity(tables::BLOCKS),
            strings: Vec::new(),
            composites: vec![nothing],
            slots: [0; _],
        };
        unicode.blocks.push([Entry(0); BLOCK]);
        unicode.expand_classes();
        unicode.expand_composites();
        unicode.expand_folds(); // which asks what the others have said
        unicode
    }

    #[inline(never)]
    fn set(&mut self, code: u32, entry: Entry) {
        let code = code as usize;
        let block = &mut self.index[code / BLOCK];
        if *block == 0 {
            *block = self.blocks.len() as u16;
            self.blocks.push([Entry(0); BLOCK]);
        }
        self.blocks[usize::from(*block)][code % BLOCK] = entry;
    }

    fn expand_classes(&mut self) {
        let [mut gaps, mut spans, mut classes] =
            [&tables::CLASS_GAPS[..], &tables::CLASS_SPANS, &tables::CLASSES].map(Column);
        let mut code = 0;
        while !gaps.is_empty() {
            code += gaps.number();
            let class = classes.byte();
            let kind = if class == 0 { Entry::SECOND } else { Entry::MARK };
            for _ in 0..spans.number() {
                self.set(code, Entry::new(kind, class.into()));
                code += 1;
            }
        }
    }

    fn expand_composites(&mut self) {
        let [mut composites, mut firsts, mut seconds] =
            [&tables::COMPOSITES[..], &tables::FIRSTS, &tables::SECONDS].map(Column);
        let (mut code, mut back, mut second) = (0, 0, 0);
        while !composites.is_empty() {
            code += composites.number();
            firsts.step(&mut back);
            seconds.step(&mut second);
            let parts = (character(code.wrapping_sub(back)), character(second));
            let class = self.entry(parts.1).class();
            self.set(second, Entry::new(Entry::SECOND, class.into()));
            let slot = self.slot(parts.0, parts.1);
            self.slots[slot] = self.composites.len() as u16;
            self.composites.push(Composite { whole: character(code), parts });
        }
        for index in 1..self.composites.len() {
            let Composite { whole, parts } = self.composites[index];
            let kind = self.entry(parts.0).kind(); // a first part that is a composite itself has been here before
            self.set(whole.into(), Entry::new(kind, (index as u32) << 8));
        }
    }

    fn expand_folds(&mut self) {
        let [mut gaps, mut counts, mut kinds, mut singles, mut han_blocks, mut han, mut strings] =
            [
                &tables::FOLD_GAPS[..],
                &tables::FOLD_COUNTS,
                &tables::FOLD_KINDS,
                &tables::SINGLES,
                &tables::HAN_BLOCKS,
                &tables::HAN_STEPS,
                &tables::STRINGS,
            ]
            .map(Column);
        let (mut code, mut ahead) = (0, 0);
        let mut han_before = tables::HAN_STARTS;
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
                for place in 0..length {
                    let (steps, before, base) = match kind {
                        tables::HAN => {
                            (&mut han, &mut han_before[usize::from(han_blocks.byte())], 0)
                        }
                        1 | tables::SAME.. => (&mut singles, &mut ahead, code),
                        _ => (&mut strings, &mut string[usize::from(place)], 0),
                    };
                    match kind {
                        tables::SAME if nth > 0 => *before = before.wrapping_sub(1),
                        tables::ADD | tables::EVERY_OTHER if nth > 0 => {}
                        _ => steps.step(before),
                    }
                    self.strings.push(character(before.wrapping_add(base)));
                }
                let entry = self.fold_to(start);
                self.set(code, entry);
                code += 1;
            }
        }
    }

    /// The entry of what folds to the end of `strings`, from a place on.
    fn fold_to(&mut self, start: usize) -> Entry {
        let string = &self.strings[start..];
        let Some(&first) = string.first() else {
            return Entry::new(Entry::NOTHING, 0);
        };
        let length = string.len();
        let is_quick = self.entry(first).kind() == Entry::QUICK;
        if is_quick && length == 1 {
            self.strings.truncate(start);
            return Entry::new(Entry::CHAR, first.into());
        }
        let place = (start << 6 | length) as u32;
        Entry::new(if is_quick { Entry::STRING } else { Entry::OTHER }, place)
    }
}
