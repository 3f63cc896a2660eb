//! The index of fingerprints.

use alloc::{string::String, vec::Vec};

use nearprint::{
    Width,
    index::{Linkage, PairCursor},
};
use wasm_bindgen::prelude::*;

use crate::{
    error::thrown,
    exchange::{Exchange, check_memory},
    ids::{check_ids, id_in, id_out},
    texts::halves,
};

/// The maximum number of documents of a page.
const MAX_PAGE: usize = 1 << 12;

/// An exact index of fingerprints. A fingerprint is one cell, or two of 128 bits: the low half and the high half.
#[wasm_bindgen]
pub struct NearIndex {
    index: nearprint::NearIndex,
}

/// The position of an iteration over pairs.
#[wasm_bindgen]
pub struct Cursor(PairCursor);

fn join(low: u64, high: u64) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}

#[wasm_bindgen]
impl NearIndex {
    #[wasm_bindgen(constructor)]
    pub fn new(bits: u32, max_distance: u32, scheme: String) -> Result<NearIndex, JsValue> {
        let width = Width::try_from(bits).map_err(thrown)?;
        let index = nearprint::NearIndex::new(width, max_distance, scheme).map_err(thrown)?;
        Ok(Self { index })
    }

    #[wasm_bindgen(getter)]
    pub fn bits(&self) -> u32 {
        self.index.width().bits()
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

    pub fn add(&mut self, id: f64, low: u64, high: u64) -> Result<(), JsValue> {
        self.index.add(id_in(id), join(low, high)).map_err(thrown)
    }

    /// Adds the `count` documents in the exchange: first the ids, then the fingerprints. The next calls must add the remaining
    /// `left` documents. An error undoes all calls of the addition.
    #[wasm_bindgen(js_name = addPart)]
    pub fn add_part(&mut self, count: usize, left: usize) -> Result<(), JsValue> {
        let each = if self.index.width() == Width::W128 { 2 } else { 1 };
        let exchange = Exchange::open();
        let (ids, fingerprints) = exchange.cells(count * (1 + each)).split_at(count);
        let mut documents = ids.iter().zip(fingerprints.chunks_exact(each)).map(|(&id, cells)| {
            (id_in(f64::from_bits(id)), join(cells[0], cells.get(1).copied().unwrap_or(0)))
        });
        self.index.add_part(count, left, &mut documents).map_err(thrown)
    }

    /// Undoes an addition whose last documents have not come.
    pub fn cancel(&mut self) {
        self.index.cancel();
    }

    pub fn delete(&mut self, id: f64) -> bool {
        self.index.remove(id_in(id))
    }

    pub fn has(&self, id: f64) -> bool {
        self.index.contains(id_in(id))
    }

    /// Returns the fingerprint of a document.
    pub fn get(&self, id: f64) -> Option<u128> {
        self.index.get(id_in(id))
    }

    /// Writes four cells for each hit: its id and distance as `f64`, and both halves of its fingerprint. Returns the number of
    /// hits.
    pub fn query(
        &mut self,
        low: u64,
        high: u64,
        max_distance: u32,
        limit: u32,
    ) -> Result<usize, JsValue> {
        let hits = self.index.query(join(low, high), max_distance, limit as usize);
        let hits = hits.map_err(thrown)?;
        let mut exchange = Exchange::open();
        let cells = exchange.cells_mut(4 * hits.len())?;
        for (cells, hit) in cells.as_chunks_mut::<4>().0.iter_mut().zip(&hits) {
            let [low, high] = halves(hit.fingerprint);
            *cells = [id_out(hit.id).to_bits(), f64::from(hit.distance).to_bits(), low, high];
        }
        Ok(hits.len())
    }

    pub fn pairs(&self, max_distance: u32) -> Result<Cursor, JsValue> {
        self.index.pair_cursor(max_distance).map(Cursor).map_err(thrown)
    }

    /// Writes three cells for each of the next pairs, both ids and the distance as `f64`. Returns the number of pairs, at
    /// most `max`; `None` at the end.
    #[wasm_bindgen(js_name = nextPairs)]
    pub fn next_pairs(&self, cursor: &mut Cursor, max: usize) -> Result<Option<usize>, JsValue> {
        let mut exchange = Exchange::open();
        let mut cells = exchange.cells_mut(3 * max)?.as_chunks_mut::<3>().0.iter_mut();
        let more = self.index.next_pairs(&mut cursor.0, max, &mut |pair| {
            if let Some(cells) = cells.next() {
                *cells = [id_out(pair.a), id_out(pair.b), pair.distance.into()].map(f64::to_bits);
            }
        });
        Ok(more.map_err(thrown)?.then_some(max - cells.len()))
    }

    /// Writes two cells for every document, cluster by cluster: its id and the number of its cluster as `f64`.
    pub fn clusters(&self, star: bool, max_distance: u32) -> Result<(), JsValue> {
        let linkage = if star { Linkage::Star } else { Linkage::Single };
        let clusters = self.index.clusters(linkage, max_distance).map_err(thrown)?;
        let mut exchange = Exchange::open();
        let mut cells = exchange.cells_mut(2 * self.index.len())?.as_chunks_mut::<2>().0.iter_mut();
        for (number, cluster) in clusters.iter().enumerate() {
            for (&id, cells) in cluster.iter().zip(&mut cells) {
                *cells = [id_out(id), number as f64].map(f64::to_bits);
            }
        }
        Ok(())
    }

    /// Writes the next documents from position `from` on, in insertion order, behind three cells: the position to continue
    /// from (0 at the end), the number of documents, and an unused one. Writes three cells for each document: its id as `f64`, and both
    /// halves of its fingerprint.
    pub fn page(&self, from: u32) -> Result<(), JsValue> {
        let mut exchange = Exchange::open();
        let (head, rows) = exchange.cells_mut(3 * (1 + MAX_PAGE))?.split_at_mut(3);
        let mut rows = rows.as_chunks_mut::<3>().0.iter_mut();
        let next = self.index.page(from, &mut |id, fingerprint| {
            if let Some(row) = rows.next() {
                let [low, high] = halves(fingerprint);
                *row = [id_out(id).to_bits(), low, high];
            }
            rows.len() > 0
        });
        let count = MAX_PAGE - rows.len();
        head[..2].copy_from_slice(&[f64::from(next), count as f64].map(f64::to_bits));
        Ok(())
    }

    /// Writes as `f64` the number of cells, the size, the number of different fingerprints, the largest bucket and the bytes;
    /// then for every table the width of its block and of the part that numbers its buckets.
    pub fn stats(&self) -> Result<(), JsValue> {
        check_memory(0)?;
        let stats = self.index.stats();
        let sizes = [stats.size, stats.distinct, stats.largest_bucket, stats.bytes];
        let mut numbers: Vec<f64> = Vec::from([0.0]);
        numbers.extend(sizes.map(|size| size as f64));
        numbers.extend(
            stats.tables.iter().flat_map(|&(width, prefix)| [width, prefix]).map(f64::from),
        );
        numbers[0] = numbers.len() as f64;
        let mut exchange = Exchange::open();
        for (cell, number) in exchange.cells_mut(numbers.len())?.iter_mut().zip(numbers) {
            *cell = number.to_bits();
        }
        Ok(())
    }

    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self, note: &[u8]) -> Result<Vec<u8>, JsValue> {
        self.index.to_bytes_with(note).map_err(thrown)
    }

    /// Returns the index of a snapshot. Writes the length of its note to the first cell, and the note behind it.
    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(bytes: &[u8]) -> Result<NearIndex, JsValue> {
        let (index, note) = nearprint::NearIndex::from_bytes_with(bytes).map_err(thrown)?;
        check_ids(index.iter().map(|(id, _)| id))?;
        Exchange::open().write_note(note)?;
        Ok(Self { index })
    }
}
