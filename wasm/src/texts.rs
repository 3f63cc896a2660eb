//! Texts: fingerprints, sketches, words, features, and comparisons of two texts.

use alloc::{string::String, vec::Vec};

use nearprint::{Feature, Key, Scheme, rabin};
use wasm_bindgen::prelude::*;

use crate::{
    error::{out_of_memory, thrown},
    exchange::{Exchange, check_memory},
};

/// A document as it crosses: UTF-8 that a `TextEncoder` has written.
pub const ENCODED: u32 = 0;
/// Any other bytes of a text.
pub const BYTES: u32 = 1;

/// Returns the scheme of an id. `key` is empty, or the 16 bytes of a secret key.
pub fn scheme_of(id: &str, key: &[u8]) -> Result<Scheme, JsValue> {
    let scheme: Scheme = id.parse().map_err(thrown)?;
    match key.try_into() {
        Ok(bytes) => scheme.keyed(Key::new(bytes)).map_err(thrown),
        Err(_) => Ok(scheme),
    }
}

/// Computes fingerprints and sketches of one scheme.
#[wasm_bindgen]
pub struct Fingerprinter(nearprint::Fingerprinter);

#[wasm_bindgen]
impl Fingerprinter {
    #[wasm_bindgen(constructor)]
    pub fn new(scheme: &str, key: &[u8]) -> Result<Fingerprinter, JsValue> {
        check_memory(0)?;
        nearprint::Fingerprinter::new(scheme_of(scheme, key)?).map(Fingerprinter).map_err(thrown)
    }

    /// Returns the id of the scheme.
    #[wasm_bindgen(getter)]
    pub fn scheme(&self) -> String {
        (*self.0.scheme()).into()
    }

    /// Returns the low 64 bits of the fingerprint of the text in the exchange. `kind` is [`ENCODED`] or [`BYTES`].
    pub fn fingerprint(&mut self, len: usize, kind: u32) -> u64 {
        self.wide(len, kind) as u64
    }

    /// Returns the fingerprint of 128 bits.
    #[wasm_bindgen(js_name = fingerprint128)]
    pub fn fingerprint_128(&mut self, len: usize, kind: u32) -> u128 {
        self.wide(len, kind)
    }

    fn wide(&mut self, len: usize, kind: u32) -> u128 {
        let exchange = Exchange::open();
        match kind {
            ENCODED => self.0.fingerprint(exchange.text(0, len)),
            _ => self.0.fingerprint_bytes(exchange.bytes(len)),
        }
    }

    /// Writes the sketches of `count` texts, one after the other, and returns the number of bytes.
    ///
    /// In: a cell for each text with its length in bytes, negative for [`BYTES`]; then the texts. Out: a cell for each sketch
    /// with its length; then the sketches.
    #[wasm_bindgen(js_name = sketchAll)]
    pub fn sketch_all(&mut self, count: usize) -> Result<usize, JsValue> {
        let mut exchange = Exchange::open();
        let mut ends = Vec::with_capacity(count);
        let mut sketches = Vec::new();
        let mut from = 8 * count;
        for at in 0..count {
            let len = f64::from_bits(exchange.cells(count)[at]);
            let size = len.abs() as usize;
            let sketch = if len.is_sign_positive() {
                self.0.sketch(exchange.text(from, size))
            } else {
                self.0.sketch_bytes(&exchange.bytes(from + size)[from..])
            };
            let before = sketches.len();
            sketch.write_to(&mut sketches);
            ends.push(((sketches.len() - before) as f64).to_bits());
            from += size;
        }
        exchange.cells_mut(count)?.copy_from_slice(&ends);
        exchange.write_at(8 * count, &sketches)?;
        Ok(8 * count + sketches.len())
    }

    /// Returns the normalised words of the text in the exchange, joined by line feeds: a word contains none.
    pub fn words(&self, len: usize) -> String {
        self.0.words(Exchange::open().text(0, len)).join("\n")
    }

    /// Returns the names of the features of the text in the exchange, joined by line feeds: white space in a name is spaces.
    /// Writes three cells for each feature: its count in the low half and its weight in the high half; the low half of its
    /// hash; the high half.
    pub fn features(&self, len: usize) -> Result<String, JsValue> {
        let mut exchange = Exchange::open();
        let features = self.0.features(exchange.text(0, len));
        let (mut names, mut cells) = (String::new(), Vec::new());
        push_features(&features, &mut names, &mut cells);
        exchange.cells_mut(cells.len())?.copy_from_slice(&cells);
        Ok(names)
    }

    /// Compares the text in the first `a` bytes of the exchange with the text in the next `b` bytes. Returns the names of the
    /// features of both, as [`features`](Self::features) does.
    ///
    /// Writes the number of cells, the exact cosine, the Jaccard similarity and the exact resemblance; then for each text the
    /// number of its features, both halves of its fingerprint, its containment, its sums, and the cells of
    /// [`features`](Self::features). All cells but the halves of the fingerprints and the cells of the features are `f64`.
    pub fn compare(&self, a: usize, b: usize) -> Result<String, JsValue> {
        let mut exchange = Exchange::open();
        let compared = self.0.compare(exchange.text(0, a), exchange.text(a, b));
        let mut names = String::new();
        let mut cells: Vec<u64> = Vec::from([0]);
        let exact = [compared.exact_cosine, compared.jaccard, compared.exact_resemblance];
        cells.extend(exact.map(f64::to_bits));
        for side in [&compared.a, &compared.b] {
            cells.push((side.features.len() as f64).to_bits());
            cells.extend(halves(side.fingerprint));
            cells.push(side.containment.to_bits());
            cells.extend(side.sums.iter().map(|&sum| (sum as f64).to_bits()));
            push_features(&side.features, &mut names, &mut cells);
        }
        cells[0] = (cells.len() as f64).to_bits();
        exchange.cells_mut(cells.len())?.copy_from_slice(&cells);
        Ok(names)
    }

    /// Writes a cell with the hash of the words of the text in the exchange, and a cell for each feature that decides its
    /// resemblance: their hashes in ascending order. Returns the number of cells.
    #[wasm_bindgen(js_name = featureSet)]
    pub fn feature_set(&self, len: usize) -> Result<usize, JsValue> {
        let mut exchange = Exchange::open();
        let set = self.0.feature_set(exchange.text(0, len));
        let count = 1 + set.hashes().len();
        let cells = exchange.cells_mut(count)?;
        cells[0] = set.words_hash();
        cells[1..].copy_from_slice(set.hashes());
        Ok(count)
    }
}

/// Returns the low half and the high half.
pub fn halves(fingerprint: u128) -> [u64; 2] {
    [fingerprint as u64, (fingerprint >> 64) as u64]
}

fn push_features(features: &[Feature], names: &mut String, cells: &mut Vec<u64>) {
    for feature in features {
        if !names.is_empty() {
            names.push('\n');
        }
        names.push_str(&feature.feature);
        let [low, high] = halves(feature.hash);
        let votes = u64::from(feature.weight) << 32 | u64::from(feature.count);
        cells.extend([votes, low, high]);
    }
}

/// Computes the fingerprint and the sketch of a text in pieces.
#[wasm_bindgen]
pub struct Stream(nearprint::Stream);

#[wasm_bindgen]
impl Stream {
    #[wasm_bindgen(constructor)]
    pub fn new(fingerprinter: &Fingerprinter) -> Result<Stream, JsValue> {
        check_memory(0)?;
        Ok(Stream(fingerprinter.0.stream()))
    }

    /// Adds the bytes in the exchange. A piece may move the counts of all features so far.
    pub fn update(&mut self, len: usize) -> Result<(), JsValue> {
        check_memory(len.saturating_add(self.0.distinct()))?;
        self.0.update_bytes(Exchange::open().bytes(len));
        Ok(())
    }

    /// Returns the low 64 bits of the fingerprint of the text so far.
    pub fn digest(&self) -> Result<u64, JsValue> {
        self.digest_128().map(|digest| digest as u64)
    }

    /// Returns the fingerprint of 128 bits.
    #[wasm_bindgen(js_name = digest128)]
    pub fn digest_128(&self) -> Result<u128, JsValue> {
        check_memory(self.0.distinct())?;
        Ok(self.0.digest())
    }

    /// Writes the sketch of the text so far, and returns the number of bytes.
    pub fn sketch(&self) -> Result<usize, JsValue> {
        check_memory(self.0.distinct())?;
        let sketch = self.0.sketch().to_bytes();
        Exchange::open().write(&sketch)
    }
}

/// Computes the fingerprint of weighted features.
#[wasm_bindgen]
pub struct Weighted(nearprint::Weighted);

#[wasm_bindgen]
impl Weighted {
    #[wasm_bindgen(constructor)]
    pub fn new(scheme: &str, key: &[u8]) -> Result<Weighted, JsValue> {
        check_memory(0)?;
        nearprint::Weighted::new(scheme_of(scheme, key)?).map(Weighted).map_err(thrown)
    }

    /// Adds the feature in the exchange.
    pub fn add(&mut self, len: usize, weight: f64) -> Result<(), JsValue> {
        let exchange = Exchange::open();
        self.0.add(exchange.text(0, len), weight).map(drop).map_err(thrown)
    }

    /// Adds a feature by its hash.
    #[wasm_bindgen(js_name = addHash)]
    pub fn add_hash(&mut self, hash: u64, weight: f64) -> Result<(), JsValue> {
        self.0.add_hash(hash, weight).map(drop).map_err(thrown)
    }

    /// Returns the fingerprint of the features so far.
    pub fn digest(&self) -> u128 {
        self.0.digest()
    }
}

/// Returns the Rabin fingerprint of the bytes in the exchange.
#[wasm_bindgen(js_name = rabin)]
pub fn rabin_fingerprint(len: usize) -> Result<u64, JsValue> {
    check_memory(0)?;
    Ok(rabin::fingerprint(Exchange::open().bytes(len)))
}

/// Writes the Rabin fingerprint of every `width` consecutive bytes in the exchange, a cell each, and returns their number.
/// `width` is at least 1.
#[wasm_bindgen(js_name = rabinWindows)]
pub fn rabin_windows(len: usize, width: u32) -> Result<usize, JsValue> {
    check_memory(0)?;
    let mut exchange = Exchange::open();
    let mut windows = Vec::new();
    let count = (len + 1).saturating_sub(width as usize);
    windows.try_reserve_exact(count).map_err(|_| out_of_memory())?;
    rabin::windows(exchange.bytes(len), width as usize).for_each(|window| windows.push(window));
    exchange.cells_mut(count)?.copy_from_slice(&windows);
    Ok(count)
}
