//! What Unicode says of each character, expanded from the columns of [`tables`] when it is first asked for.

use alloc::{boxed::Box, vec, vec::Vec};
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

use super::{hangul, tables};

/// A kind, above, and what it says, in the 24 bits below.
#[derive(Clone, Copy)]
pub(super) struct Entry(u32);

impl Entry {
    /// Folds to itself and starts a segment. Says which of the composites it is, if it is one.
    pub(super) const QUICK: u32 = 0;
    /// Folds to one other character, which is QUICK. Says which.
    pub(super) const CHAR: u32 = 1;
    /// Folds to a string, which starts with a character that is QUICK. Says where it is, and its length.
    pub(super) const STRING: u32 = 2;
    /// Folds to nothing.
    pub(super) const NOTHING: u32 = 3;
    /// A mark that folds to itself and is the second part of no composite. Says its class.
    pub(super) const MARK: u32 = 4;
    /// Folds to itself, and it is, or its decomposition starts with, the second part of a composite. Says its class, and
    /// which of the composites it is.
    pub(super) const SECOND: u32 = 5;
    /// Folds to a string that starts with a MARK or a SECOND. Says the same as STRING.
    pub(super) const OTHER: u32 = 6;

    const fn new(kind: u32, says: u32) -> Self {
        Entry(kind << 24 | says)
    }

    fn says(self) -> u32 {
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
        character(self.says())
    }

    /// Which of the composites it is, of what folds to itself; 0 if none.
    fn composite(self) -> usize {
        self.says() as usize >> 8
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

/// The expanded tables: some 80 kB.
pub(super) struct Unicode {
    /// For every 64 code points, which of `blocks` they are; the first block is of characters there is nothing to say of.
    index: [u16; END / BLOCK],
    blocks: Vec<[Entry; BLOCK]>,
    /// What STRING and OTHER fold to.
    strings: Vec<char>,
    /// But for the first.
    composites: Vec<Composite>,
    /// The composites by their parts: each in the first place from the hash of its parts on that was free.
    slots: [u16; SLOTS],
}

const END: usize = 0x30000; // beyond are tags, and nothing else that has properties
const BLOCK: usize = 64;
const SLOTS: usize = 2048;

impl Unicode {
    pub(super) fn get() -> &'static Self {
        static EXPANDED: AtomicPtr<Unicode> = AtomicPtr::new(ptr::null_mut());
        let known = EXPANDED.load(Ordering::Acquire);
        // SAFETY: it is null or what a call of this function has leaked, and nobody changes or frees that.
        if let Some(known) = unsafe { known.as_ref() } {
            return known;
        }
        let expanded = Box::leak(Box::new(Self::expand()));
        // Threads that are first at the same time leak one each and agree: once in the life of a process.
        EXPANDED.store(expanded, Ordering::Release);
        expanded
    }

    /// The same, for where it is in no hurry.
    #[inline(never)]
    pub(super) fn entry(&self, c: char) -> Entry {
        self.quick_entry(c)
    }

    #[inline(always)]
    pub(super) fn quick_entry(&self, c: char) -> Entry {
        let code = u32::from(c) as usize;
        match self.index.get(code / BLOCK) {
            Some(&block) => self.blocks[usize::from(block)][code % BLOCK],
            None if matches!(code, 0xE0000..=0xE0FFF) => Entry::new(Entry::NOTHING, 0),
            None => Entry::new(Entry::QUICK, 0),
        }
    }

    /// The string that a STRING or an OTHER folds to.
    pub(super) fn string(&self, entry: Entry) -> &[char] {
        let (start, length) = (entry.says() as usize >> 6, entry.says() as usize & 63);
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
            blocks: vec![[Entry(0); BLOCK]],
            strings: Vec::new(),
            composites: vec![nothing],
            slots: [0; _],
        };
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
            let kind = self.entry(parts.0).kind(); // the first part's own decomposition is smaller: it has been here
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

/// A column of numbers, to read one after the other.
struct Column(&'static [u8]);

impl Column {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[inline(never)]
    fn byte(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or_default()
    }

    #[inline(never)] // nor the others that expand: they are called from many places and once in a life
    /// The next number: seven bits a byte, the highest first, and the eighth says that more follow.
    fn number(&mut self) -> u32 {
        let mut number = 0;
        loop {
            let byte = self.byte();
            number = number << 7 | u32::from(byte & 0x7F);
            if byte < 0x80 {
                return number;
            }
        }
    }

    #[inline(never)]
    /// Adds the next number, whose lowest bit is the sign.
    fn step(&mut self, value: &mut u32) {
        let number = self.number();
        let magnitude = (number >> 1) ^ (number & 1).wrapping_neg();
        *value = value.wrapping_add(magnitude);
    }
}
