//! Lines of JSON, for the command line.

use nearprint::Fingerprinter;
use nearprint_lines::{Batch, Fields};
use wasm_bindgen::prelude::*;

use crate::{error::thrown, exchange::Exchange, texts::scheme_of};

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
    pub fn new(
        scheme: &str,
        key: &[u8],
        text_field: &str,
        id_field: &str,
    ) -> Result<Lines, JsValue> {
        Ok(Lines {
            fields: Fields { text: text_field.as_bytes().into(), id: id_field.as_bytes().into() },
            fingerprinter: Fingerprinter::new(scheme_of(scheme, key)?).map_err(thrown)?,
            batch: Batch::default(),
        })
    }

    /// Reads the lines in the exchange. Writes the rows, see [`Batch`], and behind them the sketches. Returns the number of
    /// rows.
    pub fn read(&mut self, len: usize) -> Result<usize, JsValue> {
        let mut exchange = Exchange::open();
        let Self { fields, fingerprinter, batch } = self;
        batch.read(fields, fingerprinter, exchange.bytes(len));
        let rows = batch.rows.as_flattened();
        for (cell, pair) in
            exchange.cells_mut(rows.len() / 2)?.iter_mut().zip(rows.as_chunks::<2>().0)
        {
            *cell = u64::from(pair[0]) | u64::from(pair[1]) << 32;
        }
        exchange.write_at(4 * rows.len(), &batch.sketches)?;
        Ok(batch.rows.len())
    }
}
