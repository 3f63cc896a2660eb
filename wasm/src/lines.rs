//! Lines of JSON, for the command line.

use nearprint::Fingerprinter;
use nearprint_lines::{Batch, Fields};
use wasm_bindgen::prelude::*;

use crate::{error::Result, exchange::Exchange, texts::scheme_of};

/// Reads lines of JSON and makes the sketches of their texts.
#[wasm_bindgen]
pub struct Lines {
    fields: Fields,
    fingerprinter: Fingerprinter,
    /// Memory that is used again.
    batch: Batch,
}

#[wasm_bindgen]
impl Lines {
    #[wasm_bindgen(constructor)]
    pub fn new(scheme: &str, key: &[u8], text_field: &str, id_field: &str) -> Result<Lines> {
        Ok(Lines {
            fields: Fields { text: text_field.as_bytes().into(), id: id_field.as_bytes().into() },
            fingerprinter: Fingerprinter::new(scheme_of(scheme, key)?)?,
            batch: Batch::default(),
        })
    }

    /// Reads the lines in the exchange. Writes the rows, see [`Batch`], and behind them the sketches. Returns the number of
    /// rows.
    pub fn read(&mut self, len: usize) -> Result<usize> {
        let mut exchange = Exchange::open();
        let Self { fields, fingerprinter, batch } = self;
        batch.read(fields, fingerprinter, exchange.bytes(len));
        let rows = batch.rows.as_flattened().as_chunks().0;
        for (cell, &[low, high]) in exchange.cells_mut(rows.len())?.iter_mut().zip(rows) {
            *cell = u64::from(low) | u64::from(high) << 32;
        }
        exchange.write_at(8 * rows.len(), &batch.sketches)?;
        Ok(batch.rows.len())
    }
}
