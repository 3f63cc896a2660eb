//! Ids cross as `f64`: an integer is itself, and string number *n* of JavaScript is *n* + 1/2. The crate stores twice this
//! number, an integer that is small if the id is.

use alloc::vec::Vec;

use crate::{error::Result, exchange::Exchange};

pub fn id_in(id: f64) -> u64 {
    (2.0 * id) as i64 as u64
}

pub fn id_out(id: u64) -> f64 {
    id as i64 as f64 / 2.0
}

/// Returns `count` ids.
pub fn ids_out(count: usize, ids: impl Iterator<Item = u64>) -> Result<Vec<f64>> {
    let mut all = Vec::new();
    all.try_reserve_exact(count)?;
    all.extend(ids.map(id_out));
    Ok(all)
}

/// Writes the length of a snapshot's note, which has the string ids, to the first cell of the exchange, and the note after it.
pub fn write_note(note: &[u8]) -> Result<()> {
    let mut exchange = Exchange::open();
    exchange.cells_mut(1)?[0] = (note.len() as f64).to_bits();
    exchange.write_at(8, note)
}
