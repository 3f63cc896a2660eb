//! Ids cross as `f64`: an integer is itself, and string number *n* of JavaScript is *n* + 1/2. The crate stores twice this
//! number, an integer that is small if the id is.

use alloc::vec::Vec;

use crate::{
    error::{Result, Thrown},
    exchange::Exchange,
};

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

/// `Number.MAX_SAFE_INTEGER` of JavaScript.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// Checks that the ids of a snapshot are ids that [`id_in`] returns. [`id_out`] would round others.
pub fn check_ids(mut ids: impl Iterator<Item = u64>) -> Result<()> {
    let is_exact = |id: u64| {
        let max = if id.is_multiple_of(2) { 2 * MAX_SAFE_INTEGER } else { MAX_SAFE_INTEGER };
        (id as i64).unsigned_abs() <= max
    };
    if ids.all(is_exact) {
        return Ok(());
    }
    Err(Thrown::argument(
        "bytes",
        "a snapshot made by toBytes()",
        "one with an id that is not a safe integer",
    ))
}

/// Writes the length of a snapshot's note, which has the string ids, to the first cell of the exchange, and the note after it.
pub fn write_note(note: &[u8]) -> Result<()> {
    let mut exchange = Exchange::open();
    exchange.cells_mut(1)?[0] = (note.len() as f64).to_bits();
    exchange.write_at(8, note)
}
