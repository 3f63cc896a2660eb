//! The rule for stores, which keep the versions of documents elsewhere: see [`nearprint::dedupe::versions`].

use alloc::vec::Vec;

use nearprint::dedupe::{
    Decision,
    versions::{self, Candidate, Change, Settlement, Version},
};
use wasm_bindgen::prelude::*;

use crate::{
    decision::{NEW, options, status_of},
    error::Result,
    exchange::{Exchange, check_memory},
};

/// The operations on a document. `js/dedupe/versions.ts` has the same.
const OBSERVE: u32 = 0;
const ADD: u32 = 1;
const CONFIRM: u32 = 2;

/// No document, and no index.
const NONE: f64 = -1.0;

/// The index and the resemblance of a decision without them.
const NO_HEAD: [f64; 2] = [NONE, f64::NAN];

/// Cells of a result before the indices of removed versions.
const CELLS: usize = 8;

/// Reads versions, each after a byte with its length, from position `from` to `to` of the exchange.
fn versions_in(exchange: &Exchange, from: usize, to: usize) -> Result<Vec<Version>> {
    let mut bytes = exchange.part(from, to.saturating_sub(from));
    let mut versions = Vec::new();
    while let Some((&len, rest)) = bytes.split_first() {
        let (value, rest) = rest.split_at_checked(len.into()).unwrap_or((rest, &[]));
        versions.try_reserve(1)?;
        versions.push(Version::from_bytes(value)?);
        bytes = rest;
    }
    Ok(versions)
}

/// Writes a row of cells, then the indices of the versions that a change removes, then its value.
fn write(exchange: &mut Exchange, head: [f64; 2], change: Option<&Change>) -> Result<()> {
    let mut value = Vec::new();
    let mut row = Vec::from(head);
    if let Some(Change { removes, version, deadline, .. }) = change {
        let (at, end) = version.as_ref().map_or((NONE, f64::INFINITY), |(at, version)| {
            version.write_to(&mut value);
            (at.map_or(NONE, |at| at as f64), time_out(version.end()))
        });
        let [removed, size] = [removes.len(), value.len()].map(|count| count as f64);
        row.extend([1.0, time_out(*deadline), at, end, removed, size]);
        row.extend(removes.iter().map(|&at| at as f64));
    }
    row.resize(row.len().max(CELLS), NONE);
    let cells = exchange.cells_mut(row.len())?;
    cells.iter_mut().zip(&row).for_each(|(to, cell)| *to = cell.to_bits());
    exchange.write_at(8 * row.len(), &value)
}

/// Returns a time for JavaScript: `Infinity` is never.
fn time_out(time: u64) -> f64 {
    if time == u64::MAX { f64::INFINITY } else { time as f64 }
}

/// Decides about the document in the first `document` bytes of the exchange. `own` versions of its id follow, then
/// candidates, up to position `end`. Returns the decision.
///
/// Writes cells: the index of the candidate that a duplicate resembles, else [`NONE`]; the resemblance; 1 if something changes,
/// else [`NONE`]; the deadline; the index of the version that is updated, [`NONE`] if one is added; its end; the number of
/// removed versions; the size of the value; the indices of the removed versions. The value follows.
#[expect(clippy::too_many_arguments, reason = "only numbers cross")]
#[wasm_bindgen]
pub fn decide(
    kind: u32,
    document: usize,
    own: usize,
    end: usize,
    min_resemblance: f64,
    now: f64,
    expires_in: f64,
    lease: f64,
) -> Result<u32> {
    check_memory(0)?;
    let mut exchange = Exchange::open();
    let sketch = if document > 0 { Some(exchange.sketch(0, document)?) } else { None };
    let all = versions_in(&exchange, document, end)?;
    let (own, candidates) = all.split_at_checked(own).unwrap_or((&all, &[]));
    let options = options(min_resemblance, now, expires_in, lease);
    let (status, head, change) = match (kind, &sketch) {
        (OBSERVE, Some(sketch)) => {
            let (decision, change) = versions::observe(sketch, own, candidates, &options)?;
            (status_of(&decision), head_of(decision), change)
        }
        (ADD, Some(sketch)) => (NEW, NO_HEAD, versions::add(sketch, own, &options)),
        (kind, sketch) => {
            let kind = if kind == CONFIRM { Settlement::Confirm } else { Settlement::Release };
            let change = versions::settle(kind, own, options.now, sketch.as_ref());
            (NEW, NO_HEAD, change)
        }
    };
    write(&mut exchange, head, change.as_ref())?;
    Ok(status)
}

/// Returns the index of the candidate of a decision, and the resemblance.
fn head_of(decision: Decision<Candidate>) -> [f64; 2] {
    match decision {
        Decision::Changed { resemblance } => [NONE, resemblance],
        Decision::Duplicate(candidate) => cells_of(candidate),
        _ => NO_HEAD,
    }
}

fn cells_of(Candidate { number, resemblance }: Candidate) -> [f64; 2] {
    [number.into(), resemblance]
}

/// Writes the hits among candidates for the document in the first `document` bytes of the exchange: two cells each, the index
/// of the candidate and the resemblance. Returns their number.
#[wasm_bindgen(js_name = hitsOf)]
pub fn hits_of(document: usize, end: usize, min_resemblance: f64, now: f64) -> Result<usize> {
    check_memory(0)?;
    let mut exchange = Exchange::open();
    let sketch = exchange.sketch(0, document)?;
    let candidates = versions_in(&exchange, document, end)?;
    let hits = versions::hits(&sketch, &candidates, min_resemblance, now as u64)?;
    for (row, &hit) in exchange.rows(hits.len())?.iter_mut().zip(&hits) {
        *row = cells_of(hit).map(f64::to_bits);
    }
    Ok(hits.len())
}
