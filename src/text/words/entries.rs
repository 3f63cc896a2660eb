//! What is to be known of each character, expanded from the columns of [`table`] when it is first asked for.

use alloc::vec::Vec;

use super::table;
use crate::text::columns::{Column, Lazy};

/// What is to be known of a character: its Word_Break class, kind, and whether it is a pictograph.
#[derive(Clone, Copy, Default)]
pub(super) struct Entry(u8);

impl Entry {
    /// The Word_Break class, those that no rule tells apart taken together: a column of [`super::rules`].
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

    /// Zero Width Joiner, a class of its own.
    #[inline]
    pub fn is_joiner(self) -> bool {
        self.class() == 4
    }

    /// Extended_Pictographic.
    #[inline]
    pub fn is_pictograph(self) -> bool {
        self.0 & 64 != 0
    }
}

const BLOCK: usize = 128;

/// The entries of all characters: some 60 kB.
pub(super) struct Entries {
    /// Which block each 128 code points are. Beyond, there is nothing to be known.
    index: Vec<u16>,
    blocks: Vec<[Entry; BLOCK]>,
}

impl Entries {
    pub fn get() -> &'static Self {
        static EXPANDED: Lazy<Entries> = Lazy::new();
        EXPANDED.get(Self::expand)
    }

    fn expand() -> Self {
        let mut entries = Entries { index: Vec::new(), blocks: Vec::new() };
        let mut lengths = Column(&table::LENGTHS);
        let mut filled = BLOCK;
        for &entry in &table::ENTRIES {
            let mut length = lengths.number() as usize;
            let mut is_all_of_it = false;
            while length > 0 {
                if filled == BLOCK {
                    filled = 0;
                    if !is_all_of_it || length < BLOCK {
                        entries.blocks.push([Entry(0); BLOCK]);
                    }
                    entries.index.push(entries.blocks.len() as u16 - 1);
                }
                let some = length.min(BLOCK - filled);
                if let Some(block) = entries.blocks.last_mut() {
                    block[filled..filled + some].fill(Entry(entry));
                }
                is_all_of_it = some == BLOCK;
                filled += some;
                length -= some;
            }
        }
        entries
    }

    #[inline]
    pub fn of(&self, code: u32) -> Entry {
        let block = self
            .index
            .get(code as usize / BLOCK)
            .and_then(|&block| self.blocks.get(usize::from(block)));
        block.map_or(Entry(0), |block| block[code as usize % BLOCK])
    }
}
