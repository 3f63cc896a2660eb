//! The JavaScript bindings: the only file that names wasm-bindgen. `js/` has the public interface.
//! Each of the three WebAssembly modules is a feature of the crate: users of one do not load the others.
//!
//! Texts do not cross as arguments. JavaScript writes their UTF-8 into the buffer that
//! [`Engine::input`](main::Engine::input) returns, and passes the number of bytes.

use alloc::string::ToString;
use core::fmt::Display;

use js_sys::RangeError;
use wasm_bindgen::prelude::*;

/// Every error of the crate is a value out of range: the facade has checked the types.
fn range_error(error: impl Display) -> RangeError {
    // Not a type parameter of the rest, which would be compiled for each type.
    let error: &dyn Display = &error;
    refusal(&error.to_string())
}

fn refusal(message: &str) -> RangeError {
    RangeError::new(&["nearprint: ", message].concat())
}

/// Schedules a new instance of the module. The glue creates it at the start of the next call, after it has passed texts
/// and slices to the old instance: that call must be [`finish_restart`], which takes none.
#[wasm_bindgen(js_name = scheduleRestart)]
pub fn schedule_restart() {
    wasm_bindgen::handler::schedule_reinit();
}

/// Does nothing by itself: see [`schedule_restart`].
#[wasm_bindgen(js_name = finishRestart)]
pub fn finish_restart() {}

/// The pages of memory from which on a text is refused that may find no room: a trap would lose every object of the
/// module. There are at most 2^16 pages, of 64 KiB. `js/core/text.js` has the same number.
#[cfg(feature = "wasm")]
const NEARLY_FULL: usize = 7 << 13;

/// The most memory that a piece of a text takes beside what is in proportion to it, in bytes.
#[cfg(feature = "wasm")]
const SPARE: usize = 16 << 20;

/// Whether there is memory for so many more bytes.
#[cfg(feature = "wasm")]
#[wasm_bindgen(js_name = hasRoom)]
pub fn has_room(bytes: usize) -> bool {
    let mut room = alloc::vec::Vec::<u8>::new();
    let has_room = room.try_reserve_exact(bytes).is_ok();
    // The compiler may leave out an allocation that is not used.
    core::hint::black_box(&room);
    has_room
}

/// Whether there is memory for what reading so many bytes takes, at the end of the module's memory.
#[cfg(feature = "wasm")]
fn has_room_to_read(bytes: usize) -> bool {
    #[cfg(target_arch = "wasm32")]
    let pages = core::arch::wasm32::memory_size(0);
    #[cfg(not(target_arch = "wasm32"))]
    let pages = 0;
    pages < NEARLY_FULL || has_room(SPARE.saturating_add(bytes.saturating_mul(16)))
}

/// The module of `nearprint`.
#[cfg(feature = "wasm")]
mod main {
    use alloc::{string::String, vec::Vec};

    use wasm_bindgen::prelude::*;

    use super::{RangeError, has_room_to_read, range_error, refusal};
    use crate::{
        Deduplicator, Feature, Fingerprinter, Scheme, SchemeError, Sketch, Stream, Weighted, Width,
        dedupe::Hit,
        index::{Linkage, NearIndex, PairCursor},
        rabin,
    };

    /// The most bytes that an [`Engine`] keeps for its input between two texts. `js/core/text.js` has the same number.
    const MOST_KEPT: usize = 1 << 20;

    /// A fingerprinter with the buffer for its texts, its stream and its weighted features.
    #[wasm_bindgen]
    pub struct Engine {
        fingerprinter: Fingerprinter,
        stream: Option<Stream>,
        weighted: Weighted,
        input: Vec<u8>,
        last: u128,
        /// The number of different features of the last digest, if it is newer than the last fingerprint.
        distinct: Option<usize>,
        /// The cells that [`rows`](Self::rows) returns.
        rows: Vec<u64>,
        /// The last sketch, made or read.
        sketch: Option<Sketch>,
        /// The binary forms of a batch of sketches, one after the other.
        batch: Vec<u8>,
        /// The id of the scheme of all sketches that are made.
        sketch_id: String,
    }

    /// A text that a `TextEncoder` has written.
    fn encoded(bytes: &[u8]) -> &str {
        // SAFETY: a `TextEncoder` writes whole characters of UTF-8 only (WHATWG Encoding, section 7.4), and the facade
        // runs nothing else between its write and this call.
        unsafe { str::from_utf8_unchecked(bytes) }
    }

    #[wasm_bindgen]
    impl Engine {
        #[wasm_bindgen(constructor)]
        pub fn new(id: &str) -> Result<Engine, RangeError> {
            if !has_room_to_read(0) {
                return Err(refusal("a fingerprinter takes more memory than there is"));
            }
            let create = || {
                let scheme: Scheme = id.parse()?;
                Ok((Fingerprinter::new(scheme)?, Weighted::new(scheme)?))
            };
            let (fingerprinter, weighted) =
                create().map_err(|error: SchemeError| range_error(error))?;
            Ok(Engine {
                sketch_id: String::from(Scheme { width: Width::W64, ..*fingerprinter.scheme() }),
                batch: Vec::new(),
                fingerprinter,
                stream: None,
                weighted,
                input: Vec::new(),
                last: 0,
                distinct: None,
                rows: Vec::new(),
                sketch: None,
            })
        }

        /// The address of a buffer of at least `len` bytes, or null if there is not enough memory for it and for what the
        /// method that reads it takes. Its content is kept, except after a method that reads a whole text of more than
        /// [`MOST_KEPT`] bytes.
        pub fn input(&mut self, len: usize) -> *mut u8 {
            // A piece of a text may move the counts of all features so far.
            let distinct = self.stream.as_ref().and_then(|stream| stream.votes().distinct());
            if !has_room_to_read(len.saturating_add(distinct.unwrap_or(0))) {
                return core::ptr::null_mut();
            }
            self.buffer(len)
        }

        /// The same, for what takes no memory beside it.
        pub fn buffer(&mut self, len: usize) -> *mut u8 {
            // What a large feature took is given back here.
            if self.input.len() > MOST_KEPT && len <= MOST_KEPT {
                self.input.truncate(MOST_KEPT);
                self.input.shrink_to_fit();
            }
            if self.input.len() < len {
                // JavaScript caches a view of up to `MOST_KEPT` bytes, so a larger buffer is only one that it asked for.
                let size = len.next_power_of_two().min(MOST_KEPT).max(len);
                if self.input.try_reserve_exact(size - self.input.len()).is_err() {
                    return core::ptr::null_mut();
                }
                self.input.resize(size, 0);
            }
            self.input.as_mut_ptr()
        }

        /// Gives back what a large text took.
        fn release_input(&mut self) {
            if self.input.len() > MOST_KEPT {
                self.input = Vec::new();
            }
        }

        /// The low half of the fingerprint of the text in the input; [`high`](Self::high) is the other half.
        ///
        /// `is_utf8` states that a `TextEncoder` has written the text. The other methods require that, except
        /// [`update`](Self::update).
        pub fn fingerprint(&mut self, len: usize, is_utf8: bool) -> u64 {
            let text = &self.input[..len];
            let print = if is_utf8 {
                self.fingerprinter.fingerprint(encoded(text))
            } else {
                self.fingerprinter.fingerprint_bytes(text)
            };
            self.distinct = None;
            self.low(print)
        }

        /// Makes the sketch of the text in the input. `is_utf8` as for [`fingerprint`](Self::fingerprint).
        pub fn sketch(&mut self, len: usize, is_utf8: bool) {
            let text = &self.input[..len];
            self.sketch = Some(if is_utf8 {
                self.fingerprinter.sketch(encoded(text))
            } else {
                self.fingerprinter.sketch_bytes(text)
            });
        }

        /// Makes the sketch of the stream so far.
        #[wasm_bindgen(js_name = sketchStream)]
        pub fn sketch_stream(&mut self) {
            let Engine { fingerprinter, stream, .. } = self;
            self.sketch = Some(stream.get_or_insert_with(|| fingerprinter.stream()).sketch());
        }

        /// Appends the binary form of the sketch that was made last to the batch, and returns the batch's length.
        #[wasm_bindgen(js_name = appendSketch)]
        pub fn append_sketch(&mut self) -> usize {
            if let Some(sketch) = &self.sketch {
                sketch.append_to(&mut self.batch, &self.sketch_id);
            }
            self.batch.len()
        }

        /// Returns the batch, and starts another.
        #[wasm_bindgen(js_name = takeSketches)]
        pub fn take_sketches(&mut self) -> Vec<u8> {
            core::mem::take(&mut self.batch)
        }

        /// Reads the binary form of a sketch from the input.
        #[wasm_bindgen(js_name = readSketch)]
        pub fn read_sketch(&mut self, len: usize) -> Result<(), RangeError> {
            self.sketch = Some(Sketch::from_bytes(&self.input[..len]).map_err(range_error)?);
            Ok(())
        }

        /// Writes the binary form of the last sketch to the input and returns its length; 0 if there is no memory for it.
        #[wasm_bindgen(js_name = writeSketch)]
        pub fn write_sketch(&mut self) -> usize {
            let bytes = self.last_sketch().to_bytes();
            if self.buffer(bytes.len()).is_null() {
                return 0;
            }
            self.input[..bytes.len()].copy_from_slice(&bytes);
            bytes.len()
        }

        /// The block values under which a search for the last sketch finds documents.
        pub fn probes(&self, count: usize) -> Result<Vec<u16>, RangeError> {
            self.last_sketch().probes(count).map_err(range_error)
        }

        /// The estimated resemblance of the last sketch and the one in the input.
        pub fn resemblance(&mut self, len: usize) -> Result<f64, RangeError> {
            let other = Sketch::from_bytes(&self.input[..len]).map_err(range_error)?;
            self.last_sketch().resemblance(&other).map_err(range_error)
        }

        /// Bits 64 to 127 of the last fingerprint.
        pub fn high(&self) -> u64 {
            (self.last >> 64) as u64
        }

        /// The number of different features of the last fingerprint or digest.
        pub fn distinct(&self) -> usize {
            self.distinct.unwrap_or_else(|| self.fingerprinter.distinct())
        }

        /// The normalised words of the text in the input, joined by line feeds.
        pub fn words(&mut self, len: usize) -> String {
            let words = self.fingerprinter.words(self.text(0, len));
            self.release_input();
            words
        }

        /// Adds the bytes in the input to the stream.
        pub fn update(&mut self, len: usize) {
            let Engine { fingerprinter, stream, input, .. } = self;
            stream.get_or_insert_with(|| fingerprinter.stream()).update_bytes(&input[..len]);
        }

        /// The low half of the fingerprint of the stream so far.
        pub fn digest(&mut self) -> u64 {
            let mut print = 0;
            self.distinct = Some(0);
            if let Some(stream) = &self.stream {
                let mut stream = stream.clone();
                print = stream.finish();
                self.distinct = Some(stream.distinct());
            }
            self.low(print)
        }

        /// Clears the stream and the weighted features.
        pub fn reset(&mut self) {
            self.stream = None;
            self.weighted.clear();
        }

        /// Adds the feature in the input.
        #[wasm_bindgen(js_name = addFeature)]
        pub fn add_feature(&mut self, len: usize, weight: f64) {
            // The facade has checked the weight.
            let _ = self.weighted.add(encoded(&self.input[..len]), weight);
        }

        /// Adds a feature by its hash.
        #[wasm_bindgen(js_name = addHash)]
        pub fn add_hash(&mut self, hash: u64, weight: f64) {
            let _ = self.weighted.add_hash(hash, weight);
        }

        /// The low half of the fingerprint of the weighted features so far.
        #[wasm_bindgen(js_name = weightedDigest)]
        pub fn weighted_digest(&mut self) -> u64 {
            let print = self.weighted.digest();
            self.low(print)
        }

        /// The names of the features of the text in the input, joined by line feeds (a name contains none: its white
        /// space is spaces). Writes three cells for each feature: its count in the low half and its weight in the high
        /// half; the low half of its hash; the high half.
        pub fn features(&mut self, len: usize) -> String {
            let features = self.fingerprinter.features(self.text(0, len));
            self.release_input();
            let mut names = String::new();
            self.rows.clear();
            self.push_features(&features, &mut names);
            names
        }

        /// Compares the text in the first `a` bytes of the input with the text in the `b` bytes after it. Returns the
        /// names of the features of both, as [`features`](Self::features) does. Writes the exact cosine, the
        /// Jaccard similarity and the resemblance, then for each text the number of its features, both halves of its
        /// fingerprint, its sums, and the cells of `features`. The first three cells, number and sums are `f64`.
        pub fn compare(&mut self, a: usize, b: usize) -> String {
            let compared = self.fingerprinter.compare(self.text(0, a), self.text(a, b));
            self.release_input();
            let mut names = String::new();
            self.rows.clear();
            let exact = [compared.exact_cosine, compared.jaccard, compared.resemblance];
            self.rows.extend(exact.map(f64::to_bits));
            for side in [compared.a, compared.b] {
                self.rows.push((side.features.len() as f64).to_bits());
                self.rows.extend(halves(side.fingerprint));
                self.rows.extend(side.sums.iter().map(|&sum| (sum as f64).to_bits()));
                self.push_features(&side.features, &mut names);
            }
            names
        }

        /// Returns the cells that the last call wrote, and removes them.
        pub fn rows(&mut self) -> Vec<u64> {
            core::mem::take(&mut self.rows)
        }

        fn push_features(&mut self, features: &[Feature], names: &mut String) {
            for feature in features {
                if !names.is_empty() {
                    names.push('\n');
                }
                names.push_str(&feature.feature);
                let [low, high] = halves(feature.hash);
                let votes = u64::from(feature.weight) << 32 | u64::from(feature.count);
                self.rows.extend([votes, low, high]);
            }
        }

        fn last_sketch(&self) -> &Sketch {
            self.sketch.as_ref().expect("the facade has made or read a sketch")
        }

        fn text(&self, from: usize, len: usize) -> &str {
            encoded(&self.input[from..from + len])
        }

        fn low(&mut self, print: u128) -> u64 {
            self.last = print;
            print as u64
        }
    }

    /// The documents of a `Deduplicator`. Sketches come from an [`Engine`].
    #[wasm_bindgen(js_name = Documents)]
    pub struct Documents {
        kept: Deduplicator,
        hit: Option<Hit>,
        /// Further hits of a query for all, the next one last.
        hits: Vec<Hit>,
        /// The note of a snapshot that was read, until it is taken.
        note: Vec<u8>,
    }

    #[wasm_bindgen(js_class = Documents)]
    impl Documents {
        #[wasm_bindgen(constructor)]
        pub fn new(
            scheme: &str,
            min_resemblance: Option<f64>,
            probes: Option<usize>,
        ) -> Result<Documents, RangeError> {
            let scheme: Scheme = scheme.parse().map_err(range_error)?;
            let mut kept = Deduplicator::new(scheme).map_err(range_error)?;
            if let Some(min_resemblance) = min_resemblance {
                kept = kept.with_min_resemblance(min_resemblance).map_err(range_error)?;
            }
            if let Some(probes) = probes {
                kept = kept.with_probes(probes).map_err(range_error)?;
            }
            Ok(Documents { kept, hit: None, hits: Vec::new(), note: Vec::new() })
        }

        #[wasm_bindgen(getter)]
        pub fn scheme(&self) -> String {
            (*self.kept.scheme()).into()
        }

        #[wasm_bindgen(getter, js_name = minResemblance)]
        pub fn min_resemblance(&self) -> f64 {
            self.kept.min_resemblance()
        }

        #[wasm_bindgen(getter)]
        pub fn probes(&self) -> usize {
            self.kept.probes()
        }

        #[wasm_bindgen(getter)]
        pub fn size(&self) -> usize {
            self.kept.len()
        }

        #[wasm_bindgen(getter)]
        pub fn bytes(&self) -> usize {
            self.kept.bytes()
        }

        pub fn has(&self, id: f64) -> bool {
            self.kept.has(id_in(id))
        }

        /// Gives the engine the sketch of a document. Returns false if there is no such id.
        pub fn get(&self, id: f64, engine: &mut Engine) -> bool {
            engine.sketch = self.kept.get(id_in(id));
            engine.sketch.is_some()
        }

        /// Returns the id of the hit for the engine's sketch, or NaN.
        pub fn query(&mut self, engine: &Engine) -> Result<f64, RangeError> {
            self.hit = self.kept.query(engine.last_sketch()).map_err(range_error)?;
            Ok(self.hit_id())
        }

        /// Finds all hits for the engine's sketch, up to `limit`, which `nextHit` returns.
        #[wasm_bindgen(js_name = queryAll)]
        pub fn query_all(&mut self, engine: &Engine, limit: usize) -> Result<(), RangeError> {
            self.hits = self.kept.query_all(engine.last_sketch(), limit).map_err(range_error)?;
            self.hits.reverse();
            Ok(())
        }

        /// Returns the id of the next hit, or NaN.
        #[wasm_bindgen(js_name = nextHit)]
        pub fn next_hit(&mut self) -> f64 {
            self.hit = self.hits.pop();
            self.hit_id()
        }

        /// Adds the engine's sketch if it is new. Returns the id of the hit, NaN if there is none, or positive infinity if
        /// another document has the id: the facade, which knows the id as a string, then throws.
        #[wasm_bindgen(js_name = addIfNew)]
        pub fn add_if_new(&mut self, id: f64, engine: &Engine) -> Result<f64, RangeError> {
            match self.kept.add_if_new(id_in(id), engine.last_sketch()) {
                Ok(hit) => {
                    self.hit = hit;
                    Ok(self.hit_id())
                }
                Err(error) if error.is_taken_id() => Ok(f64::INFINITY),
                Err(error) => Err(range_error(error)),
            }
        }

        /// Adds the engine's sketch.
        pub fn add(&mut self, id: f64, engine: &Engine) -> Result<(), RangeError> {
            self.kept.add(id_in(id), engine.last_sketch()).map_err(range_error)
        }

        fn hit_id(&self) -> f64 {
            self.hit.map_or(f64::NAN, |hit| id_out(hit.id))
        }

        /// The estimated resemblance of the last hit.
        #[wasm_bindgen(getter)]
        pub fn resemblance(&self) -> f64 {
            self.hit.map_or(f64::NAN, |hit| hit.resemblance)
        }

        /// The Hamming distance of the last hit.
        #[wasm_bindgen(getter)]
        pub fn distance(&self) -> f64 {
            self.hit.map_or(f64::NAN, |hit| hit.distance.into())
        }

        pub fn delete(&mut self, id: f64) -> bool {
            self.kept.remove(id_in(id))
        }

        pub fn clear(&mut self) {
            self.kept.clear();
        }

        /// All ids.
        pub fn ids(&self) -> Result<Vec<f64>, RangeError> {
            let mut ids = Vec::new();
            let room = ids.try_reserve_exact(self.kept.len());
            room.map_err(|error| range_error(crate::dedupe::Error::from(error)))?;
            ids.extend(self.kept.ids().map(id_out));
            Ok(ids)
        }

        #[wasm_bindgen(js_name = toBytes)]
        pub fn to_bytes(&self, note: &[u8]) -> Result<Vec<u8>, RangeError> {
            self.kept.try_to_bytes_with(note).map_err(range_error)
        }

        #[wasm_bindgen(js_name = fromBytes)]
        pub fn from_bytes(bytes: &[u8]) -> Result<Documents, RangeError> {
            let (kept, note) = Deduplicator::from_bytes_with(bytes).map_err(range_error)?;
            if !kept.ids().all(is_exact) {
                return Err(refusal(
                    "bytes: takes ids that JavaScript represents exactly, but got others",
                ));
            }
            let mut own = Vec::new();
            own.try_reserve_exact(note.len())
                .map_err(|error| range_error(crate::dedupe::Error::from(error)))?;
            own.extend_from_slice(note);
            Ok(Documents { kept, hit: None, hits: Vec::new(), note: own })
        }

        /// The note of the snapshot that was read.
        #[wasm_bindgen(js_name = takeNote)]
        pub fn take_note(&mut self) -> Vec<u8> {
            core::mem::take(&mut self.note)
        }
    }

    /// The Rabin fingerprint of bytes.
    #[wasm_bindgen(js_name = rabin)]
    pub fn rabin_fingerprint(bytes: &[u8]) -> u64 {
        rabin::fingerprint(bytes)
    }

    /// The Rabin fingerprint of every `width` consecutive bytes; `width` is at least 1.
    #[wasm_bindgen(js_name = rabinWindows)]
    pub fn rabin_windows(bytes: &[u8], width: u32) -> Vec<u64> {
        let mut windows = Vec::with_capacity(bytes.len());
        rabin::windows(bytes, width as usize).for_each(|window| windows.push(window));
        windows
    }

    /// Ids cross as `f64`: an integer is itself, and string number *n* of the facade is *n* + 1/2. The index stores
    /// twice that, which is an integer, and small if the id was small.
    fn id_in(id: f64) -> u64 {
        (2.0 * id) as i64 as u64
    }

    fn id_out(id: u64) -> f64 {
        id as i64 as f64 / 2.0
    }

    /// `Number.MAX_SAFE_INTEGER` of JavaScript.
    const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

    /// Whether an id of a snapshot is one that [`id_in`] returns: otherwise [`id_out`] would round it to another id.
    fn is_exact(id: u64) -> bool {
        (id as i64).unsigned_abs()
            <= if id.is_multiple_of(2) { 2 * MAX_SAFE_INTEGER } else { MAX_SAFE_INTEGER }
    }

    fn join(low: u64, high: u64) -> u128 {
        u128::from(high) << 64 | u128::from(low)
    }

    fn halves(fingerprint: u128) -> [u64; 2] {
        [fingerprint as u64, (fingerprint >> 64) as u64]
    }

    /// An index, and rows of 64-bit cells in which it and JavaScript exchange data through typed arrays: an object
    /// for every result would cost more than the search.
    ///
    /// Methods return a status, and the facade throws: the glue for a `Result` costs as much as a query.
    #[wasm_bindgen]
    pub struct Index {
        index: NearIndex,
        rows: Vec<u64>,
        /// Reused between queries, as `rows` is: an allocation costs a fifth of a query.
        found: Vec<u64>,
    }

    /// The position of a self-join.
    #[wasm_bindgen]
    pub struct Cursor(PairCursor);

    #[wasm_bindgen]
    impl Index {
        #[wasm_bindgen(constructor)]
        pub fn new(bits: u32, max_distance: u32, scheme: String) -> Result<Index, RangeError> {
            let index = NearIndex::new(bits, max_distance, scheme);
            let index = index.map_err(range_error)?;
            Ok(Self { index, rows: Vec::new(), found: Vec::new() })
        }

        #[wasm_bindgen(getter)]
        pub fn bits(&self) -> u32 {
            self.index.bits()
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

        /// Address of the rows.
        #[wasm_bindgen(getter)]
        pub fn rows(&self) -> *const u64 {
            self.rows.as_ptr()
        }

        /// Number of cells in the rows.
        #[wasm_bindgen(getter)]
        pub fn cells(&self) -> usize {
            self.rows.len()
        }

        /// Resizes the rows to `cells` zeros, for JavaScript to write. Returns false if there is not enough memory, and then
        /// undoes the addition in progress.
        pub fn room(&mut self, cells: usize) -> bool {
            self.rows.clear();
            let room = self.rows.try_reserve_exact(cells).is_ok();
            if room {
                self.rows.resize(cells, 0);
            } else {
                self.index.cancel();
            }
            room
        }

        /// Returns false if there is not enough memory.
        pub fn add(&mut self, id: f64, low: u64, high: u64) -> bool {
            self.index.extend(1, 0, &mut core::iter::once((id_in(id), join(low, high)))).is_ok()
        }

        /// Adds the `count` documents in the rows: first their ids, then their fingerprints. The next calls must add
        /// the remaining `left` documents. Returns false if there is not enough memory, and then all calls of the
        /// addition are undone.
        #[wasm_bindgen(js_name = addAll)]
        pub fn add_all(&mut self, count: usize, left: usize) -> bool {
            let (ids, fingerprints) = self.rows.split_at(count);
            let each = if self.index.bits() > 64 { 2 } else { 1 };
            let mut documents =
                ids.iter().zip(fingerprints.chunks_exact(each)).map(|(&id, cells)| {
                    let high = cells.get(1).map_or(0, |&high| high);
                    (id_in(f64::from_bits(id)), join(cells[0], high))
                });
            self.index.extend(count, left, &mut documents).is_ok()
        }

        /// Undoes an addition of which documents are left to come: for a caller that cannot go on.
        pub fn cancel(&mut self) {
            self.index.cancel();
        }

        pub fn delete(&mut self, id: f64) -> bool {
            self.index.remove(id_in(id))
        }

        /// Writes the low and the high half of the fingerprint. Returns false if there is no such id.
        pub fn get(&mut self, id: f64) -> bool {
            self.rows.clear();
            let fingerprint = self.index.get(id_in(id));
            self.rows.extend(halves(fingerprint.unwrap_or_default()));
            fingerprint.is_some()
        }

        /// Returns the number of hits, or -1 if there is not enough memory. Writes for each its id and distance (as `f64`),
        /// and both halves of its fingerprint.
        pub fn query(&mut self, low: u64, high: u64, max_distance: u32, limit: u32) -> i32 {
            let Self { index, rows, found } = self;
            rows.clear();
            let limit = limit as usize;
            if index.find(join(low, high), max_distance, limit, found).is_err()
                || rows.try_reserve(4 * found.len()).is_err()
            {
                return -1;
            }
            for hit in found.iter().map(|&number| index.hit(number)) {
                let [low, high] = halves(hit.fingerprint);
                let distance = f64::from(hit.distance).to_bits();
                rows.extend([id_out(hit.id).to_bits(), distance, low, high]);
            }
            found.len() as i32
        }

        pub fn pairs(&self, max_distance: u32) -> Result<Cursor, RangeError> {
            self.index.pair_cursor(max_distance).map(Cursor).map_err(range_error)
        }

        /// Continues for a bounded time. Returns the number of pairs found, from 0 to `most`; or -1 at the end; or -2
        /// if the index has changed; or -3 if there is not enough memory. Writes for each pair both ids and the distance, as
        /// `f64`.
        #[wasm_bindgen(js_name = nextPairs)]
        pub fn next_pairs(&mut self, cursor: &mut Cursor, most: usize) -> i32 {
            let Self { index, rows, .. } = self;
            rows.clear();
            if rows.try_reserve(3 * most).is_err() {
                return -3;
            }
            let more = index.next_pairs(&mut cursor.0, most, &mut |pair| {
                let row = [id_out(pair.a), id_out(pair.b), pair.distance.into()];
                rows.extend(row.map(f64::to_bits));
            });
            match more {
                Ok(false) if rows.is_empty() => -1,
                Ok(_) => (rows.len() / 3) as i32,
                Err(error) if error.is_change() => -2,
                Err(_) => -3,
            }
        }

        /// Writes for every document, in insertion order, its id and the number of its cluster, as `f64`. Returns false
        /// if there is not enough memory.
        pub fn clusters(&mut self, star: bool, max_distance: u32) -> bool {
            let Self { index, rows, .. } = self;
            let linkage = if star { Linkage::Star } else { Linkage::Single };
            rows.clear();
            if rows.try_reserve_exact(2 * index.len()).is_err() {
                return false;
            }
            let mut document =
                |id, cluster| rows.extend([id_out(id).to_bits(), f64::from(cluster).to_bits()]);
            index.each_clustered(linkage, max_distance, &mut document).is_ok()
        }

        /// Writes the next documents from position `from` on, in insertion order: for each its id (as `f64`) and both
        /// halves of its fingerprint. Returns the position to continue from, or 0 at the end, or 2^32 - 1 if there is not
        /// enough memory.
        pub fn documents(&mut self, from: u32) -> u32 {
            let Self { index, rows, .. } = self;
            rows.clear();
            if rows.try_reserve(3 << 12).is_err() {
                return u32::MAX;
            }
            index.documents(from, &mut |id, fingerprint| {
                let [low, high] = halves(fingerprint);
                rows.extend([id_out(id).to_bits(), low, high]);
                rows.len() < 3 << 12
            })
        }

        /// Writes the size, the number of different fingerprints, the largest bucket and the bytes; then for every
        /// table the width of its block and of the part that numbers its buckets.
        pub fn stats(&mut self) {
            let stats = self.index.stats();
            let bytes = stats.bytes + 8 * self.rows.capacity();
            let sizes = [stats.size, stats.distinct, stats.largest_bucket, bytes];
            self.rows.clear();
            self.rows.extend(sizes.map(|size| size as u64));
            for (width, prefix) in stats.tables {
                self.rows.extend([u64::from(width), u64::from(prefix)]);
            }
        }

        #[wasm_bindgen(js_name = toBytes)]
        pub fn to_bytes(&self, note: &[u8]) -> Result<Vec<u8>, RangeError> {
            self.index.try_to_bytes_with(note).map_err(range_error)
        }

        /// The index of a snapshot. Writes the note of the snapshot, its last cell padded with spaces.
        #[wasm_bindgen(js_name = fromBytes)]
        pub fn from_bytes(bytes: &[u8]) -> Result<Index, RangeError> {
            let (index, note) = NearIndex::from_bytes_with(bytes).map_err(range_error)?;
            let mut are_exact = true;
            index.documents(0, &mut |id, _| {
                are_exact &= is_exact(id);
                true
            });
            if !are_exact {
                return Err(refusal(
                    "bytes: an id is not a safe integer; takes a snapshot made by toBytes()",
                ));
            }
            let mut rows = Vec::new();
            rows.try_reserve_exact(note.len().div_ceil(8))
                .map_err(|error| range_error(crate::index::Error::from(error)))?;
            rows.extend(note.chunks(8).map(|chunk| {
                let mut cell = *b"        ";
                cell[..chunk.len()].copy_from_slice(chunk);
                u64::from_le_bytes(cell)
            }));
            Ok(Self { index, rows, found: Vec::new() })
        }
    }
}

/// What the module of the command line has beside that of `nearprint`.
#[cfg(feature = "wasm-tools")]
mod tools {
    use alloc::vec::Vec;

    use wasm_bindgen::prelude::*;

    use super::{RangeError, has_room_to_read, range_error};
    use crate::{
        Fingerprinter, Scheme,
        json::{Batch, Fields},
    };

    /// Reads lines of JSON and makes the sketches of their texts.
    #[wasm_bindgen]
    pub struct Lines {
        fields: Fields,
        fingerprinter: Fingerprinter,
        input: Vec<u8>,
        batch: Batch,
    }

    #[wasm_bindgen]
    impl Lines {
        #[wasm_bindgen(constructor)]
        pub fn new(scheme: &str, text_field: &str, id_field: &str) -> Result<Lines, RangeError> {
            let scheme: Scheme = scheme.parse().map_err(range_error)?;
            Ok(Lines {
                fields: Fields {
                    text: text_field.as_bytes().into(),
                    id: id_field.as_bytes().into(),
                },
                fingerprinter: Fingerprinter::new(scheme).map_err(range_error)?,
                input: Vec::new(),
                batch: Batch::default(),
            })
        }

        /// The address of a buffer of at least `len` bytes, or null if there is not enough memory for it and for what
        /// [`read`](Self::read) takes.
        pub fn input(&mut self, len: usize) -> *mut u8 {
            let more = len.saturating_sub(self.input.len());
            if !has_room_to_read(len) || self.input.try_reserve_exact(more).is_err() {
                return core::ptr::null_mut();
            }
            if more > 0 {
                self.input.resize(len, 0);
            }
            self.input.as_mut_ptr()
        }

        /// Reads the lines in the input. Returns the number of rows.
        pub fn read(&mut self, len: usize) -> usize {
            self.batch.read(&self.fields, &mut self.fingerprinter, &self.input[..len]);
            self.batch.rows.len()
        }

        /// The address of the rows, see [`Batch`].
        #[wasm_bindgen(getter)]
        pub fn rows(&self) -> *const u32 {
            self.batch.rows.as_ptr().cast()
        }

        /// The address of the sketches.
        #[wasm_bindgen(getter)]
        pub fn sketches(&self) -> *const u8 {
            self.batch.sketches.as_ptr()
        }
    }
}

/// The module of `nearprint/compat`.
#[cfg(feature = "wasm-compat")]
mod compat {
    use wasm_bindgen::prelude::*;

    use super::{RangeError, range_error};
    use crate::compat::{fingerprint_pairs, fingerprint_text};

    /// The fingerprint of a text in UTF-16.
    #[wasm_bindgen(js_name = fingerprintText)]
    pub fn text(scheme: &str, bits: u32, units: &[u16]) -> Result<u128, RangeError> {
        scheme.parse().and_then(|scheme| fingerprint_text(scheme, bits, units)).map_err(range_error)
    }

    /// The fingerprint of pairs. `units` is all words joined, in UTF-16; `ends` is the end of each word in it.
    #[wasm_bindgen(js_name = fingerprintPairs)]
    pub fn pairs(
        scheme: &str,
        bits: u32,
        units: &[u16],
        ends: &[u32],
        weights: &[f64],
    ) -> Result<u128, RangeError> {
        let mut start = 0;
        let words = ends.iter().map(|&end| {
            let word = &units[start..end as usize];
            start = end as usize;
            word
        });
        let pairs = words.zip(weights.iter().copied());
        scheme
            .parse()
            .and_then(|scheme| fingerprint_pairs(scheme, bits, pairs))
            .map_err(range_error)
    }
}
