//! Sketches of texts, in one piece and in several, and exact comparison.

use alloc::{string::String, vec::Vec};

use nearprint::{
    Key,
    dedupe::{self, Comparison, Feature, FeatureSet, SketchScheme},
};
use wasm_bindgen::prelude::*;

use crate::{
    error::Result,
    exchange::{ENCODED, Exchange, check_allocation, check_memory, push_line},
};

/// Returns the scheme of an id. `key` is empty, or the 16 bytes of a secret key.
pub fn scheme_of(id: &str, key: &[u8]) -> Result<SketchScheme> {
    let scheme: SketchScheme = id.parse()?;
    let Ok(bytes) = key.try_into() else { return Ok(scheme) };
    Ok(scheme.keyed(Key::new(bytes))?)
}

/// Returns the key of exact comparison, which crosses as a number.
fn key_of(key: u128) -> Key {
    Key::new(key.to_le_bytes())
}

/// The number of cells before the features of a comparison. `js/sketch/comparison.ts` has the same number.
const HEAD: usize = 4;

/// Makes sketches of one scheme.
#[wasm_bindgen]
pub struct Sketcher(dedupe::Sketcher);

#[wasm_bindgen]
impl Sketcher {
    #[wasm_bindgen(constructor)]
    pub fn new(scheme: &str, key: &[u8]) -> Result<Sketcher> {
        check_memory(0)?;
        Ok(Sketcher(dedupe::Sketcher::new(scheme_of(scheme, key)?)?))
    }

    /// Returns the id of the scheme.
    #[wasm_bindgen(getter)]
    pub fn scheme(&self) -> String {
        (*self.0.scheme()).into()
    }

    /// Writes the sketch of the text in the exchange, in the scope whose name follows it in `scope` bytes, and returns its
    /// length.
    pub fn sketch(&mut self, len: usize, kind: u32, scope: usize) -> Result<usize> {
        let mut exchange = Exchange::open();
        let sketch = self.sketch_of(&exchange, len, kind, scope);
        let mut bytes = Vec::with_capacity(320);
        sketch.write_to(&mut bytes);
        exchange.write_at(0, &bytes)?;
        Ok(bytes.len())
    }

    /// Compares the text in the first `a` bytes of the exchange with the text in the next `b` bytes, exactly. Returns the names
    /// of the features of the first text, and of those that only the second has, joined by line feeds: white space in a name is
    /// spaces.
    ///
    /// Writes the number of cells, the exact resemblance and the containment of both texts, as `f64`; then two cells for each of
    /// these features: its counts in the first text, in the low half, and in the second; and 1 if it decides the resemblance,
    /// else 0.
    pub fn compare(&self, a: usize, b: usize, key: u128) -> Result<String> {
        let mut exchange = Exchange::open();
        let texts = [exchange.text(0, a), exchange.text(a, b)];
        check_allocation(&texts.map(|text| self.0.memory_of_features(text)))?;
        let compared = self.0.compare(key_of(key), texts[0], texts[1]);
        let Comparison { a, b, exact_resemblance, .. } = compared;
        let len = HEAD + 2 * (a.features.len() + b.features.len());
        let (head, rows) = exchange.cells_mut(len)?.split_at_mut(HEAD);
        let (mut names, mut rows) = (String::new(), rows.as_chunks_mut().0.iter_mut());
        let mut write = |feature: &Feature, [in_a, in_b]: [u32; 2]| {
            push_line(&mut names, &feature.feature);
            if let Some(row) = rows.next() {
                *row = [u64::from(in_b) << 32 | u64::from(in_a), u64::from(feature.decides)];
            }
        };
        for feature in &a.features {
            write(feature, [feature.count, feature.other_count]);
        }
        for feature in b.features.iter().filter(|feature| feature.other_count == 0) {
            write(feature, [0, feature.count]);
        }
        let len = len - 2 * rows.len();
        let numbers = [len as f64, exact_resemblance, a.containment, b.containment];
        head.copy_from_slice(&numbers.map(f64::to_bits));
        Ok(names)
    }

    /// Writes the features that decide the resemblance of the text in the exchange, in the scope that follows it: the two hashes
    /// of its words and symbols by the scheme, the two by the key, and the hashes of the features in ascending order. Returns
    /// the number of cells.
    #[wasm_bindgen(js_name = featureSet)]
    pub fn feature_set(&self, len: usize, scope: usize, key: u128) -> Result<usize> {
        let mut exchange = Exchange::open();
        let (scope, text) = (exchange.scope(len, scope), exchange.text(0, len));
        let set = self.0.feature_set_in(key_of(key), scope, text);
        write_features(&mut exchange, &set)
    }
}

impl Sketcher {
    /// Returns the sketch of the text in the exchange. The rest is as for [`sketch`](Self::sketch).
    #[inline(never)]
    pub fn sketch_of(
        &mut self,
        exchange: &Exchange,
        len: usize,
        kind: u32,
        scope: usize,
    ) -> dedupe::Sketch {
        let scope = exchange.scope(len, scope);
        match kind {
            ENCODED => self.0.sketch_in(scope, exchange.text(0, len)),
            _ => self.0.sketch_bytes_in(scope, exchange.bytes(len)),
        }
    }
}

fn write_features(exchange: &mut Exchange, set: &FeatureSet) -> Result<usize> {
    let cells = exchange.cells_mut(4 + set.hashes().len())?;
    let (head, hashes) = cells.split_at_mut(4);
    let ([a, b], [c, d]) = (set.sequence_hashes(), set.keyed_sequence_hashes());
    head.copy_from_slice(&[a, b, c, d]);
    hashes.copy_from_slice(set.hashes());
    Ok(cells.len())
}

/// Makes the sketch of a text in pieces.
#[wasm_bindgen]
pub struct SketchStream(dedupe::SketchStream);

#[wasm_bindgen]
impl SketchStream {
    /// Starts a text in the scope whose name is in the first `scope` bytes of the exchange.
    #[wasm_bindgen(constructor)]
    pub fn new(sketcher: &Sketcher, scope: usize) -> Result<SketchStream> {
        check_memory(0)?;
        Ok(SketchStream(sketcher.0.stream_in(Exchange::open().scope(0, scope))))
    }

    /// Adds the bytes in the exchange, or if there are none, ends an incomplete character.
    pub fn update(&mut self, len: usize) -> Result<()> {
        check_memory(len)?;
        match len {
            0 => self.0.update(""),
            _ => self.0.update_bytes(Exchange::open().bytes(len)),
        };
        Ok(())
    }

    /// Returns the sketch of the text so far.
    pub fn sketch(&self) -> Result<Vec<u8>> {
        check_memory(0)?;
        Ok(self.0.sketch().to_bytes())
    }
}
