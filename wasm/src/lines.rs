//! Lines of JSON, for the command line.

use alloc::string::String;

use nearprint::Sketcher;
use nearprint_lines::LineSketcher;
use wasm_bindgen::prelude::*;

use crate::{error::Result, exchange::Exchange, sketcher::scheme_of};

/// Reads lines of JSON and makes the sketches of their texts.
#[wasm_bindgen]
pub struct Lines(LineSketcher);

#[wasm_bindgen]
impl Lines {
    #[wasm_bindgen(constructor)]
    pub fn new(
        scheme: &str,
        key: &[u8],
        text_field: &str,
        id_field: &str,
        scope_field: Option<String>,
    ) -> Result<Lines> {
        let sketcher = Sketcher::new(scheme_of(scheme, key)?)?;
        Ok(Lines(LineSketcher::new(sketcher, text_field, id_field, scope_field.as_deref())))
    }

    /// Reads the lines in the exchange, which are valid UTF-8. Writes the rows, see [`LineSketcher`], and behind them the ids and the
    /// sketches. Returns the row count.
    pub fn read(&mut self, len: usize) -> Result<usize> {
        let mut exchange = Exchange::open();
        self.0.read(exchange.text(0, len));
        let rows = self.0.rows.as_flattened().as_chunks().0;
        for (cell, &[low, high]) in exchange.cells_mut(rows.len())?.iter_mut().zip(rows) {
            *cell = u64::from(low) | u64::from(high) << 32;
        }
        let ids = 8 * rows.len();
        exchange.write_at(ids, &self.0.ids)?;
        exchange.write_at(ids + self.0.ids.len(), &self.0.sketches)?;
        Ok(self.0.rows.len())
    }
}
