//! Sketches in their binary form.

use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use crate::{
    error::Result,
    exchange::{Exchange, check_memory},
};

/// Checks that the bytes in the exchange are a sketch.
#[wasm_bindgen(js_name = checkSketch)]
pub fn check_sketch(len: usize) -> Result<()> {
    Exchange::open().sketch(0, len).map(drop)
}

/// Returns the estimated resemblance of the sketches in the first `a` bytes of the exchange and in the next `b` bytes.
#[wasm_bindgen]
pub fn resemblance(a: usize, b: usize) -> Result<f64> {
    let exchange = Exchange::open();
    Ok(exchange.sketch(0, a)?.resemblance(&exchange.sketch(a, b)?)?)
}

/// Returns whether the sketches in the first `a` bytes of the exchange and in the next `b` bytes are of near-duplicates.
/// `resemblance` is their exact resemblance; by default, the estimate decides.
#[cfg(feature = "dedupe")]
#[wasm_bindgen(js_name = areNear)]
pub fn are_near(
    a: usize,
    b: usize,
    min_resemblance: f64,
    resemblance: Option<f64>,
) -> Result<bool> {
    let exchange = Exchange::open();
    Ok(exchange.sketch(0, a)?.is_near(&exchange.sketch(a, b)?, min_resemblance, resemblance)?)
}

/// Returns the keys of the sketch in the exchange, none if it has no keys.
#[wasm_bindgen(js_name = keysOf)]
pub fn keys_of(len: usize) -> Result<Vec<u64>> {
    check_memory(0)?;
    Ok(Exchange::open().sketch(0, len)?.keys().unwrap_or_default())
}
