//! Fingerprints of texts, in one piece and in several, and of the caller's features.

use alloc::{string::String, vec::Vec};

use nearprint::{
    Key,
    simhash::{self, Feature, Scheme},
};
use wasm_bindgen::prelude::*;

use crate::{
    error::Result,
    exchange::{ENCODED, Exchange, check_allocation, check_memory, halves, push_line},
};

/// Returns the scheme of an id. `key` is empty, or the 16 bytes of a secret key.
fn scheme_of(id: &str, key: &[u8]) -> Result<Scheme> {
    let scheme: Scheme = id.parse()?;
    let Ok(bytes) = key.try_into() else { return Ok(scheme) };
    Ok(scheme.keyed(Key::new(bytes))?)
}

/// Computes fingerprints of one scheme.
#[wasm_bindgen]
pub struct Fingerprinter(simhash::Fingerprinter);

#[wasm_bindgen]
impl Fingerprinter {
    #[wasm_bindgen(constructor)]
    pub fn new(scheme: &str, key: &[u8]) -> Result<Fingerprinter> {
        check_memory(0)?;
        Ok(Fingerprinter(simhash::Fingerprinter::new(scheme_of(scheme, key)?)?))
    }

    /// Returns the id of the scheme.
    #[wasm_bindgen(getter)]
    pub fn scheme(&self) -> String {
        (*self.0.scheme()).into()
    }

    /// Returns the low 64 bits of the fingerprint of the text in the exchange.
    pub fn fingerprint(&mut self, len: usize, kind: u32) -> u64 {
        self.fingerprint_128(len, kind) as u64
    }

    /// Returns the fingerprint of 128 bits.
    #[wasm_bindgen(js_name = fingerprint128)]
    pub fn fingerprint_128(&mut self, len: usize, kind: u32) -> u128 {
        let exchange = Exchange::open();
        match kind {
            ENCODED => self.0.fingerprint(exchange.text(0, len)),
            _ => self.0.fingerprint_bytes(exchange.bytes(len)),
        }
    }

    /// Returns the names of the features of the text in the exchange, joined by line feeds: white space in a name is spaces.
    /// Writes the number of cells, as `f64`; then three cells for each feature: its count in the low half and its weight in the
    /// high half; the low half of its hash; the high half.
    pub fn features(&self, len: usize) -> Result<String> {
        let mut exchange = Exchange::open();
        let text = exchange.text(0, len);
        check_allocation(&[self.0.memory_of_features(text)])?;
        let features = self.0.features(text);
        let mut names = String::new();
        let len = 1 + 3 * features.len();
        let (head, rows) = exchange.cells_mut(len)?.split_at_mut(1);
        head[0] = (len as f64).to_bits();
        for (feature, row) in features.iter().zip(rows.as_chunks_mut().0) {
            push_line(&mut names, &feature.feature);
            *row = cells_of(feature);
        }
        Ok(names)
    }

    /// Compares the text in the first `a` bytes of the exchange with the text in the next `b` bytes. Returns the names of the
    /// features of both, as [`features`](Self::features) does.
    ///
    /// Writes the number of cells; then for each text the number of its features, both halves of its fingerprint, its sums, and the cells
    /// of [`features`](Self::features). All cells but the halves of the fingerprints and the cells of the features are `f64`.
    pub fn compare(&self, a: usize, b: usize) -> Result<String> {
        let mut exchange = Exchange::open();
        let texts = [exchange.text(0, a), exchange.text(a, b)];
        check_allocation(&texts.map(|text| self.0.memory_of_features(text)))?;
        let compared = self.0.compare(texts[0], texts[1]);
        let mut names = String::new();
        let mut cells: Vec<u64> = Vec::from([0]);
        for side in [&compared.a, &compared.b] {
            cells.push((side.features.len() as f64).to_bits());
            cells.extend(halves(side.fingerprint));
            cells.extend(side.sums.iter().map(|&sum| (sum as f64).to_bits()));
            cells.reserve_exact(3 * side.features.len());
            for feature in &side.features {
                push_line(&mut names, &feature.feature);
                cells.extend(cells_of(feature));
            }
        }
        cells[0] = (cells.len() as f64).to_bits();
        exchange.cells_mut(cells.len())?.copy_from_slice(&cells);
        Ok(names)
    }
}

/// Returns the cells of a feature: see [`Fingerprinter::features`].
fn cells_of(feature: &Feature) -> [u64; 3] {
    let [low, high] = halves(feature.hash);
    [u64::from(feature.weight) << 32 | u64::from(feature.count), low, high]
}

/// Computes the fingerprint of a text in pieces.
#[wasm_bindgen]
pub struct FingerprintStream(simhash::Stream);

#[wasm_bindgen]
impl FingerprintStream {
    #[wasm_bindgen(constructor)]
    pub fn new(fingerprinter: &Fingerprinter) -> Result<FingerprintStream> {
        check_memory(0)?;
        Ok(FingerprintStream(fingerprinter.0.stream()))
    }

    /// Adds the bytes in the exchange, or if there are none, ends an incomplete character. This can copy the counts of all
    /// features.
    pub fn update(&mut self, len: usize) -> Result<()> {
        check_memory(len.saturating_add(self.0.distinct()))?;
        match len {
            0 => self.0.update(""),
            _ => self.0.update_bytes(Exchange::open().bytes(len)),
        };
        Ok(())
    }

    /// Returns the fingerprint of the text so far.
    pub fn digest(&self) -> Result<u128> {
        check_memory(self.0.distinct())?;
        Ok(self.0.digest())
    }
}

/// Computes the fingerprint of weighted features.
#[wasm_bindgen]
pub struct Weighted(simhash::Weighted);

#[wasm_bindgen]
impl Weighted {
    #[wasm_bindgen(constructor)]
    pub fn new(scheme: &str, key: &[u8]) -> Result<Weighted> {
        check_memory(0)?;
        Ok(Weighted(simhash::Weighted::new(scheme_of(scheme, key)?)?))
    }

    /// Adds the feature in the exchange.
    pub fn add(&mut self, len: usize, weight: f64) -> Result<()> {
        self.0.add(Exchange::open().text(0, len), weight)?;
        Ok(())
    }

    /// Adds a feature by its hash.
    #[wasm_bindgen(js_name = addHash)]
    pub fn add_hash(&mut self, hash: u64, weight: f64) -> Result<()> {
        self.0.add_hash(hash, weight)?;
        Ok(())
    }

    /// Returns the fingerprint of the features so far.
    pub fn digest(&self) -> u128 {
        self.0.digest()
    }
}
