//! The deduplicator.

use alloc::{string::String, vec::Vec};
use core::ops::ControlFlow;

use nearprint::{
    Sketch,
    dedupe::{Decision, Hit, Linkage, PairCursor},
};
use wasm_bindgen::prelude::*;

use crate::{
    decision::{options, status_of},
    error::{Result, false_length},
    exchange::{Exchange, check_memory},
    ids::{numbers_out, write_ids},
    sketcher::Sketcher,
};

/// A set of documents over time. A document crosses as its sketch, in the exchange. Times are milliseconds since 1970;
/// `Infinity` is never.
#[wasm_bindgen]
pub struct Deduplicator {
    kept: nearprint::Deduplicator,
}

/// The position of an iteration over pairs.
#[wasm_bindgen]
pub struct ResemblancePairs(PairCursor);

/// In place of a decision: the exact resemblance to a document is needed. `js/dedupe/decision-rows.ts` has the same.
const COMPARE: u32 = 4;

/// In place of the number of an id that was never kept. `js/dedupe/document-set.ts` has the same.
const UNKNOWN: u64 = u32::MAX as u64;

/// A bound on the length of a sketch's binary form.
const MAX_SKETCH_BYTES: usize = 512;

#[wasm_bindgen]
impl Deduplicator {
    #[wasm_bindgen(constructor)]
    pub fn new(scheme: &str) -> Result<Deduplicator> {
        check_memory(0)?;
        Ok(Deduplicator { kept: nearprint::Deduplicator::new(scheme.parse()?)? })
    }

    #[wasm_bindgen(getter)]
    pub fn scheme(&self) -> String {
        (*self.kept.scheme()).into()
    }

    /// Sets the salt of an empty set. JavaScript draws it with the first document.
    #[wasm_bindgen(setter)]
    pub fn set_salt(&mut self, salt: u64) -> Result<()> {
        self.kept = nearprint::Deduplicator::with_salt(*self.kept.scheme(), salt)?;
        Ok(())
    }

    #[wasm_bindgen(getter)]
    pub fn size(&self) -> usize {
        self.kept.len()
    }

    #[wasm_bindgen(getter)]
    pub fn bytes(&self) -> usize {
        self.kept.bytes()
    }

    /// Decides on a batch of documents in order, and keeps the new and changed ones.
    ///
    /// The exchange has the sketches of `count` documents, one after the other. From byte `numbers` on, a multiple of 8, it has two
    /// `u32` for each document: the number that is its id, and the position at which its sketch ends. `expires_in` and `lease` are
    /// NaN if they are not given.
    ///
    /// Writes a [`row`] for each document. An error leaves the documents before it decided.
    pub fn observe(
        &mut self,
        count: usize,
        numbers: usize,
        min_resemblance: f64,
        now: f64,
        expires_in: f64,
        lease: f64,
    ) -> Result<()> {
        let options = options(min_resemblance, now, expires_in, lease);
        decide(count, numbers, &mut |id, sketch| Ok(self.kept.observe(id, sketch, &options)?))
    }

    /// Decides on the text in the exchange by its sketch, which `sketcher` makes, and keeps it if it is new or changed. Writes the
    /// [`row`]. `len`, `kind` and `scope` are as for [`Sketcher::sketch`].
    #[wasm_bindgen(js_name = observeText)]
    #[expect(clippy::too_many_arguments, reason = "numbers cross one by one")]
    pub fn observe_text(
        &mut self,
        sketcher: &mut Sketcher,
        id: u32,
        len: usize,
        kind: u32,
        scope: usize,
        min_resemblance: f64,
        now: f64,
        expires_in: f64,
    ) -> Result<()> {
        let mut exchange = Exchange::open();
        let sketch = sketcher.sketch_of(&exchange, len, kind, scope);
        let options = options(min_resemblance, now, expires_in, f64::NAN);
        exchange.rows(1)?[0] = row(self.kept.observe(id.into(), &sketch, &options)?);
        Ok(())
    }

    /// Observes the document in the exchange by the `exact` exact resemblances that follow its sketch. Writes the [`row`] of the
    /// decision. If one more is needed, changes nothing, and writes COMPARE, the id to compare with, and the two hashes of its words and
    /// symbols.
    #[wasm_bindgen(js_name = observeStep)]
    pub fn observe_step(
        &mut self,
        id: u32,
        len: usize,
        exact: usize,
        min_resemblance: f64,
        now: f64,
        expires_in: f64,
    ) -> Result<()> {
        let mut exchange = Exchange::open();
        let sketch = exchange.sketch(0, len)?;
        let exact = exact_in(&exchange, len, exact)?;
        let options = options(min_resemblance, now, expires_in, f64::NAN);
        let row = match self.kept.observe_step(id.into(), &sketch, &options, &exact)? {
            ControlFlow::Break(decision) => row(decision),
            ControlFlow::Continue(request) => {
                let [first, second] = request.hashes;
                [f64::from(COMPARE).to_bits(), (request.id as f64).to_bits(), first, second]
            }
        };
        exchange.rows(1)?[0] = row;
        Ok(())
    }

    /// Writes a [`row`] for each document of a batch with the decision that [`observe`](Self::observe) would make on it alone, and
    /// changes nothing. The exchange is as for `observe`. The number of a document that was never kept is [`UNKNOWN`].
    pub fn peek(&self, count: usize, numbers: usize, min_resemblance: f64, now: f64) -> Result<()> {
        let options = options(min_resemblance, now, f64::NAN, f64::NAN);
        decide(count, numbers, &mut |id, sketch| {
            Ok(self.kept.peek((id != UNKNOWN).then_some(id), sketch, &options)?)
        })
    }

    /// Confirms the provisional version of an id, or releases it; if `len` is not 0, only one that equals the sketch in the
    /// exchange. Returns whether there is one.
    pub fn settle(&mut self, id: u32, len: usize, confirms: bool, now: f64) -> Result<bool> {
        let sketch = if len > 0 { Some(sketch_in(len)?) } else { None };
        let (id, sketch, now) = (id.into(), sketch.as_ref(), now as u64);
        Ok(if confirms {
            self.kept.confirm(id, sketch, now)
        } else {
            self.kept.release(id, sketch, now)
        }?)
    }

    /// Keeps the document in the exchange, whatever it resembles.
    pub fn add(&mut self, id: u32, len: usize, now: f64, expires_in: f64) -> Result<()> {
        let sketch = sketch_in(len)?;
        Ok(self.kept.add(id.into(), &sketch, &options(1.0, now, expires_in, f64::NAN))?)
    }

    /// Writes the hits for the document in the exchange, up to `limit`, three cells each: id, resemblance, and 1 if it is
    /// provisional. Returns their number.
    pub fn query(
        &mut self,
        len: usize,
        min_resemblance: f64,
        now: f64,
        limit: usize,
    ) -> Result<usize> {
        let sketch = sketch_in(len)?;
        let hits =
            self.kept.query(&sketch, limit, &options(min_resemblance, now, f64::NAN, f64::NAN))?;
        write_hits(&hits)?;
        Ok(hits.len())
    }

    /// Returns whether a document is kept.
    pub fn has(&self, id: u32) -> bool {
        self.kept.contains(id.into())
    }

    /// Returns the time at which a kept document expires, or `Infinity`.
    pub fn expires(&self, id: u32) -> f64 {
        self.kept.expires(id.into()).map_or(f64::INFINITY, |expires| expires as f64)
    }

    /// Returns the sketch of a kept document.
    pub fn get(&self, id: u32) -> Result<Option<Vec<u8>>> {
        let Some(sketch) = self.kept.get(id.into()) else { return Ok(None) };
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(MAX_SKETCH_BYTES)?;
        sketch.write_to(&mut bytes);
        Ok(Some(bytes))
    }

    pub fn delete(&mut self, id: u32) -> bool {
        self.kept.remove(id.into())
    }

    pub fn clear(&mut self) {
        self.kept.clear();
    }

    pub fn ids(&self) -> Result<Vec<u32>> {
        numbers_out(self.kept.len(), self.kept.ids())
    }

    /// Returns a time before which no document expires, or `Infinity`.
    #[wasm_bindgen(getter, js_name = nextExpiry)]
    pub fn next_expiry(&self) -> f64 {
        self.kept.next_expiry().map_or(f64::INFINITY, |time| time as f64)
    }

    /// Removes the documents that have expired, and returns their ids. JavaScript calls it before a call whose time reaches
    /// `next_expiry`, to release the ids. If memory runs out, some documents stay.
    pub fn prune(&mut self, now: f64) -> Vec<u32> {
        let mut ids = Vec::new();
        while ids.try_reserve(1).is_ok()
            && let Some(id) = self.kept.prune_next(now as u64)
        {
            ids.push(id as u32);
        }
        ids
    }

    pub fn pairs(&self, min_resemblance: f64, now: f64) -> Result<ResemblancePairs> {
        let options = options(min_resemblance, now, f64::NAN, f64::NAN);
        Ok(ResemblancePairs(self.kept.pair_cursor(&options)?))
    }

    /// Writes three cells for the next pair, both ids and the resemblance. Returns false at the end.
    #[wasm_bindgen(js_name = nextPair)]
    pub fn next_pair(&self, pairs: &mut ResemblancePairs) -> Result<bool> {
        let Some(pair) = self.kept.next_pair(&mut pairs.0) else { return Ok(false) };
        let cells = [pair.a as f64, pair.b as f64, pair.resemblance];
        Exchange::open().rows(1)?[0] = cells.map(f64::to_bits);
        Ok(true)
    }

    /// Writes three cells for each member, cluster by cluster: its id, its resemblance, and 1 if it is the first of its
    /// cluster. Returns the number of members.
    pub fn clusters(&self, star: bool, min_resemblance: f64, now: f64) -> Result<usize> {
        let linkage = if star { Linkage::Star } else { Linkage::Single };
        let clusters =
            self.kept.clusters(linkage, &options(min_resemblance, now, f64::NAN, f64::NAN))?;
        let count = clusters.iter().map(<[_]>::len).sum();
        let mut exchange = Exchange::open();
        let mut rows = exchange.rows(count)?.iter_mut();
        for cluster in clusters.iter() {
            for (at, (member, row)) in cluster.iter().zip(&mut rows).enumerate() {
                let is_first = f64::from(at == 0);
                *row = [member.id as f64, member.resemblance, is_first].map(f64::to_bits);
            }
        }
        Ok(count)
    }

    /// Returns a snapshot with these ids, in the order of [`ids`](Self::ids), and this note.
    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self, ids: &[f64], note: &[u8]) -> Result<Vec<u8>> {
        Ok(self.kept.to_bytes_with(ids.iter().map(|&id| id as u64), note)?)
    }

    /// Returns the deduplicator of a snapshot, in which the ids are 0, 1, 2 and so on. Writes the snapshot's own ids, as
    /// `write_ids` does.
    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(bytes: &[u8]) -> Result<Deduplicator> {
        check_memory(0)?;
        let (kept, ids, note) = nearprint::Deduplicator::from_bytes_with(bytes)?;
        write_ids(ids, note)?;
        Ok(Deduplicator { kept })
    }
}

/// Writes a [`row`] for each of `count` documents: the decision of `decision` on its id and its sketch. The exchange has the sketches,
/// and from byte `numbers` on the numbers, as [`Deduplicator::observe`] describes.
fn decide(
    count: usize,
    numbers: usize,
    // Not generic: the loop is in the module once.
    decision: &mut dyn FnMut(u64, &Sketch) -> Result<Decision>,
) -> Result<()> {
    let mut exchange = Exchange::open();
    let mut rows = Vec::new();
    rows.try_reserve_exact(count)?;
    let sketches = exchange.bytes(numbers);
    let numbers = exchange.part(numbers, count.saturating_mul(8)).as_chunks().0;
    if numbers.len() < count {
        return Err(false_length());
    }
    let mut start = 0;
    for number in numbers {
        let number = u64::from_le_bytes(*number);
        let (id, end) = (number & u64::from(u32::MAX), (number >> 32) as usize);
        let sketch = Sketch::from_bytes(sketches.get(start..end).unwrap_or_default())?;
        rows.push(row(decision(id, &sketch)?));
        start = end;
    }
    exchange.rows(count)?.copy_from_slice(&rows);
    Ok(())
}

/// Reads the sketch in the first `len` bytes of the exchange.
fn sketch_in(len: usize) -> Result<Sketch> {
    Exchange::open().sketch(0, len)
}

/// Returns a decision as cells: its status, the id of the original of a duplicate, the resemblance, and 1 if the original is
/// provisional. Cells that a decision does not have are 0.
fn row(decision: Decision) -> [u64; 4] {
    let [id, resemblance, is_provisional] = match decision {
        Decision::Changed { resemblance } => [0.0, resemblance, 0.0],
        Decision::Duplicate(hit) => cells(hit),
        _ => [0.0; 3],
    };
    [status_of(&decision).into(), id, resemblance, is_provisional].map(f64::to_bits)
}

fn cells(Hit { id, resemblance, is_provisional }: Hit) -> [f64; 3] {
    [id as f64, resemblance, is_provisional.into()]
}

fn write_hits(hits: &[Hit]) -> Result<()> {
    for (to, &hit) in Exchange::open().rows(hits.len())?.iter_mut().zip(hits) {
        *to = cells(hit).map(f64::to_bits);
    }
    Ok(())
}

/// Reads `count` exact resemblances from position `from` of the exchange on, NaN for a text that is not available.
fn exact_in(exchange: &Exchange, from: usize, count: usize) -> Result<Vec<Option<f64>>> {
    let cells = exchange.part(from, count.saturating_mul(8)).as_chunks().0;
    let mut exact = Vec::new();
    exact.try_reserve_exact(count)?;
    let numbers = cells.iter().map(|cell| f64::from_le_bytes(*cell));
    exact.extend(numbers.map(|number| (!number.is_nan()).then_some(number)));
    Ok(exact)
}
