//! The index of fingerprints.

use alloc::{string::String, vec::Vec};

use nearprint::simhash::{
    self, Width,
    index::{PairCursor, Settings},
};
use wasm_bindgen::prelude::*;

use crate::{
    error::{Result, false_length},
    exchange::{Exchange, check_memory, halves},
    ids::{numbers_out, write_ids},
};

/// An exact index of fingerprints. A fingerprint is one cell, or two of 128 bits: the low half and the high half.
#[wasm_bindgen]
pub struct NearIndex {
    index: simhash::NearIndex,
}

/// The position of an iteration over pairs.
#[wasm_bindgen]
pub struct DistancePairs(PairCursor);

#[wasm_bindgen]
impl NearIndex {
    #[wasm_bindgen(constructor)]
    pub fn new(bits: u32, max_distance: u32, scheme: String) -> Result<NearIndex> {
        check_memory(0)?;
        let settings = Settings::default()
            .width(Width::try_from(bits)?)
            .max_distance(max_distance)
            .scheme(scheme);
        let index = simhash::NearIndex::new(settings)?;
        Ok(Self { index })
    }

    #[wasm_bindgen(getter)]
    pub fn bits(&self) -> u32 {
        self.index.width().bits()
    }

    #[wasm_bindgen(getter)]
    pub fn bytes(&self) -> usize {
        self.index.bytes()
    }

    #[wasm_bindgen(getter, js_name = maxDistance)]
    pub fn max_distance(&self) -> u32 {
        self.index.max_distance()
    }

    #[wasm_bindgen(getter)]
    pub fn scheme(&self) -> String {
        self.index.scheme().into()
    }

    #[wasm_bindgen(getter)]
    pub fn size(&self) -> usize {
        self.index.len()
    }

    pub fn add(&mut self, id: u32, fingerprint: u128) -> Result<()> {
        Ok(self.index.add(id.into(), fingerprint)?)
    }

    /// Adds the `count` documents in the exchange: first the ids, then the fingerprints.
    #[wasm_bindgen(js_name = addAll)]
    pub fn add_all(&mut self, count: usize) -> Result<()> {
        let each = if self.index.width() == Width::W128 { 2 } else { 1 };
        let exchange = Exchange::open();
        let (ids, rest) = exchange.cells().split_at_checked(count).ok_or_else(false_length)?;
        let fingerprints = rest.get(..count * each).ok_or_else(false_length)?;
        let documents = ids.iter().zip(fingerprints.chunks_exact(each)).map(|(&id, cells)| {
            let high = cells.get(1).map_or(0, |&high| u128::from(high) << 64);
            (f64::from_bits(id) as u64, u128::from(cells[0]) | high)
        });
        Ok(self.index.add_all(documents)?)
    }

    pub fn delete(&mut self, id: u32) -> bool {
        self.index.remove(id.into())
    }

    /// Returns the fingerprint of a document.
    pub fn get(&self, id: u32) -> Option<u128> {
        self.index.get(id.into())
    }

    /// Writes four cells for each hit: its id and distance as `f64`, and both halves of its fingerprint. Returns their number.
    pub fn query(&self, fingerprint: u128, max_distance: u32, limit: usize) -> Result<usize> {
        let hits = self.index.query(fingerprint, max_distance, limit)?;
        for (row, hit) in Exchange::open().rows(hits.len())?.iter_mut().zip(&hits) {
            let [low, high] = halves(hit.fingerprint);
            *row = [(hit.id as f64).to_bits(), f64::from(hit.distance).to_bits(), low, high];
        }
        Ok(hits.len())
    }

    pub fn pairs(&self, max_distance: u32) -> Result<DistancePairs> {
        Ok(DistancePairs(self.index.pair_cursor(max_distance)?))
    }

    /// Writes three cells for the next pair, both ids and the distance as `f64`. Returns false at the end.
    #[wasm_bindgen(js_name = nextPair)]
    pub fn next_pair(&self, cursor: &mut DistancePairs) -> Result<bool> {
        let Some(pair) = self.index.next_pair(&mut cursor.0)? else { return Ok(false) };
        let cells = [pair.a as f64, pair.b as f64, pair.distance.into()];
        Exchange::open().rows(1)?[0] = cells.map(f64::to_bits);
        Ok(true)
    }

    /// Returns all ids, in insertion order.
    pub fn ids(&self) -> Result<Vec<u32>> {
        numbers_out(self.index.len(), self.index.iter().map(|(id, _)| id))
    }

    /// Returns a snapshot with these ids, in the order of [`ids`](Self::ids), and this note.
    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self, ids: &[f64], note: &[u8]) -> Result<Vec<u8>> {
        Ok(self.index.to_bytes_with(ids.iter().map(|&id| id as u64), note)?)
    }

    /// Returns the index of a snapshot, in which the ids are 0, 1, 2 and so on. Writes the snapshot's own ids, as `write_ids`
    /// does.
    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(bytes: &[u8]) -> Result<NearIndex> {
        let (index, ids, note) = simhash::NearIndex::from_bytes_with(bytes)?;
        write_ids(ids, note)?;
        Ok(Self { index })
    }
}
