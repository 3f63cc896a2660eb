//! Decisions as numbers, and what they depend on.

use alloc::vec::Vec;

use nearprint::dedupe::Options;

use crate::{error::Result, exchange::Exchange};

/// Decisions as numbers, and a request for a comparison. `js/core/decide.ts` has the same.
pub const NEW: u32 = 0;
pub const UNCHANGED: u32 = 1;
pub const CHANGED: u32 = 2;
pub const DUPLICATE: u32 = 3;
pub const COMPARE: u32 = 4;

/// Reads the options of a decision. Durations are NaN if they are not given.
pub fn options(min_resemblance: f64, now: f64, expires_in: f64, lease: f64) -> Options {
    let duration = |duration: f64| (!duration.is_nan()).then_some(duration as u64);
    let [expires_in, lease] = [expires_in, lease].map(duration);
    Options { min_resemblance, now: now as u64, expires_in, lease }
}

/// Reads exact resemblances if they decide: `count` cells from position `from` of the exchange on, NaN for a text that is not
/// available.
pub fn exact_in(
    exchange: &Exchange,
    from: usize,
    count: Option<usize>,
) -> Result<Option<Vec<Option<f64>>>> {
    let Some(count) = count else { return Ok(None) };
    let cells = exchange.bytes(from + 8 * count)[from..].as_chunks().0;
    let mut exact = Vec::new();
    exact.try_reserve_exact(count)?;
    let numbers = cells.iter().map(|cell| f64::from_le_bytes(*cell));
    exact.extend(numbers.map(|number| (!number.is_nan()).then_some(number)));
    Ok(Some(exact))
}
