//! The ids of documents: JavaScript numbers them 0, 1, 2 and so on, and the crate knows these numbers only. A snapshot has
//! the ids themselves, or a note of JavaScript with them.

use alloc::vec::Vec;

use crate::{
    error::{Result, Thrown},
    exchange::Exchange,
};

/// `Number.MAX_SAFE_INTEGER` of JavaScript.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// Returns `count` numbers.
pub fn numbers_out(count: usize, numbers: impl Iterator<Item = u64>) -> Result<Vec<u32>> {
    let mut all = Vec::new();
    all.try_reserve_exact(count)?;
    all.extend(numbers.map(|number| number as u32));
    Ok(all)
}

/// Writes the ids of a snapshot: the length of its note to the first cell, and then the note, or the ids if it is empty.
pub fn write_ids(mut ids: impl ExactSizeIterator<Item = u64>, note: &[u8]) -> Result<()> {
    let mut exchange = Exchange::open();
    let count = if note.is_empty() { ids.len() } else { 0 };
    let (head, cells) = exchange.cells_mut(1 + count)?.split_at_mut(1);
    head[0] = (note.len() as f64).to_bits();
    for (cell, id) in cells.iter_mut().zip(&mut ids) {
        if id > MAX_SAFE_INTEGER {
            let requirement = "a snapshot whose ids are at most Number.MAX_SAFE_INTEGER";
            return Err(Thrown::argument("bytes", requirement, "one with a larger id"));
        }
        *cell = (id as f64).to_bits();
    }
    exchange.write_at(8, note)
}
