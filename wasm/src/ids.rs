//! Ids cross as `f64`: an integer is itself, and string number *n* of JavaScript is *n* + 1/2. The crate stores twice that,
//! which is an integer, and small if the id was small.

use wasm_bindgen::prelude::*;

use crate::error::refused;

pub fn id_in(id: f64) -> u64 {
    (2.0 * id) as i64 as u64
}

pub fn id_out(id: u64) -> f64 {
    id as i64 as f64 / 2.0
}

/// `Number.MAX_SAFE_INTEGER` of JavaScript.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// Checks that the ids of a snapshot are ids that [`id_in`] returns. [`id_out`] would round others.
pub fn check_ids(mut ids: impl Iterator<Item = u64>) -> Result<(), JsValue> {
    let is_exact = |id: u64| {
        let max = if id.is_multiple_of(2) { 2 * MAX_SAFE_INTEGER } else { MAX_SAFE_INTEGER };
        (id as i64).unsigned_abs() <= max
    };
    if ids.all(is_exact) {
        return Ok(());
    }
    Err(refused(
        "bytes",
        "a snapshot made by toBytes()",
        "one with an id that is not a safe integer",
    ))
}
