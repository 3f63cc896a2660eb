//! The JavaScript bindings: the only file that knows of wasm-bindgen. What users see is in `js/`.
//! There are two WebAssembly modules, one a feature of the crate: a user of the one does not load the other.
//!
//! Texts do not cross as arguments: JavaScript writes their UTF-8 straight into the buffer that
//! [`Engine::input`](main::Engine::input) lends, and then says how many bytes it wrote.

#[cfg(feature = "wasm-compat")]
use js_sys::RangeError;
use wasm_bindgen::prelude::*;

// In the module of `nearprint` every byte counts, and js-sys would bring 0.6 kB along that it exports for futures.
#[cfg(not(feature = "wasm-compat"))]
#[wasm_bindgen]
extern "C" {
    /// JavaScript's, as js-sys has it.
    pub type RangeError;

    #[wasm_bindgen(constructor)]
    fn new(message: &str) -> RangeError;
}

/// What the core refuses is a value out of range: the facade has checked the kinds.
fn range_error(message: &str) -> RangeError {
    let mut text = alloc::string::String::from("nearprint: ");
    text.push_str(message);
    RangeError::new(&text)
}

/// With `true`, has the next call start the module again, since after a trap its memory may be in disorder. That call is
/// best one with `false`, which does nothing else: the glue passes texts and slices to the old instance.
#[wasm_bindgen]
pub fn restart(schedule: bool) {
    if schedule {
        wasm_bindgen::handler::schedule_reinit();
    }
}

/// The module of `nearprint`.
#[cfg(feature = "wasm")]
mod main {
    use alloc::{
        string::{String, ToString},
        vec::Vec,
    };

    use wasm_bindgen::prelude::*;

    use super::{RangeError, range_error};
    use crate::{
        Feature, Fingerprinter, Scheme, SchemeError, Stream, Weighted,
        index::{Found, Linkage, NearIndex, PairCursor},
        rabin,
    };

    /// A fingerprinter with the buffer that its texts are written to, and what it has in the making.
    #[wasm_bindgen]
    pub struct Engine {
        fingerprinter: Fingerprinter,
        stream: Option<Stream>,
        weighted: Weighted,
        input: Vec<u8>,
        last: u128,
        /// Of the last digest, if that came after the last fingerprint.
        distinct: Option<usize>,
        /// What [`rows`](Self::rows) hands over.
        rows: Vec<u64>,
    }

    /// The text that a `TextEncoder` has written.
    fn encoded(bytes: &[u8]) -> &str {
        // SAFETY: it writes nothing but whole characters in UTF-8 (WHATWG Encoding, section 7.4), and the facade calls
        // nothing between that and this.
        unsafe { str::from_utf8_unchecked(bytes) }
    }

    #[wasm_bindgen]
    impl Engine {
        #[wasm_bindgen(constructor)]
        pub fn new(id: &str) -> Result<Engine, RangeError> {
            let made = || {
                let scheme: Scheme = id.parse()?;
                Ok((Fingerprinter::new(scheme)?, Weighted::new(scheme)?))
            };
            let (fingerprinter, weighted) =
                made().map_err(|error: SchemeError| range_error(error.message()))?;
            Ok(Engine {
                fingerprinter,
                stream: None,
                weighted,
                input: Vec::new(),
                last: 0,
                distinct: None,
                rows: Vec::new(),
            })
        }

        /// The address of a buffer of `len` bytes at least, or null if there is no memory for it. What was in it stays.
        pub fn input(&mut self, len: usize) -> *mut u8 {
            if self.input.len() < len {
                let more = len - self.input.len();
                if self.input.try_reserve(more).is_err() {
                    return core::ptr::null_mut();
                }
                self.input.resize(self.input.capacity(), 0);
            }
            self.input.as_mut_ptr()
        }

        /// The low half of the fingerprint of the text in the input; for the high one, see
        /// [`high`](Self::high).
        ///
        /// `is_utf8` says that it is what a `TextEncoder` has just written. For the other methods that is all there may be.
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

        /// Bits 64 to 127 of the last fingerprint.
        pub fn high(&self) -> u64 {
            (self.last >> 64) as u64
        }

        /// How many different features the text of the last fingerprint or digest had.
        pub fn distinct(&self) -> usize {
            self.distinct.unwrap_or_else(|| self.fingerprinter.distinct())
        }

        /// The normalised words of the text in the input, with a line break between any two.
        pub fn words(&self, len: usize) -> String {
            self.fingerprinter.words(self.text(0, len))
        }

        /// Adds the input to the stream.
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

        /// Forgets the stream and the weighted features.
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

        /// The names of the features of the text in the input, with a line break between any two (no name holds one, for
        /// white space is a space there). Of each, the rows have the count and in the high half the weight, then both
        /// halves of the hash.
        pub fn features(&mut self, len: usize) -> String {
            let features = self.fingerprinter.features(self.text(0, len));
            let mut names = String::new();
            self.rows.clear();
            self.push_features(&features, &mut names);
            names
        }

        /// Compares the text in the first `a` bytes of the input with that in the `b` bytes after it. The names of the
        /// features of both, as [`features`](Self::features) tells them. The rows have the exact cosine and the Jaccard
        /// resemblance, and of each text how many features it has, both halves of its fingerprint, the sums, and what
        /// `features` has there; all that is no fingerprint or feature as `f64`.
        pub fn compare(&mut self, a: usize, b: usize) -> String {
            let compared = self.fingerprinter.compare(self.text(0, a), self.text(a, b));
            let mut names = String::new();
            self.rows.clear();
            self.rows.extend([compared.exact_cosine, compared.jaccard].map(f64::to_bits));
            for side in [compared.a, compared.b] {
                self.rows.push((side.features.len() as f64).to_bits());
                self.rows.extend(halves(side.fingerprint));
                self.rows.extend(side.sums.iter().map(|&sum| (sum as f64).to_bits()));
                self.push_features(&side.features, &mut names);
            }
            names
        }

        /// What the last call wrote, once.
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

        fn text(&self, from: usize, len: usize) -> &str {
            encoded(&self.input[from..from + len])
        }

        fn low(&mut self, print: u128) -> u64 {
            self.last = print;
            print as u64
        }
    }

    /// The Rabin fingerprint of bytes.
    #[wasm_bindgen(js_name = rabin)]
    pub fn rabin_fingerprint(bytes: &[u8]) -> u64 {
        rabin::fingerprint(bytes)
    }

    /// The Rabin fingerprint of every run of `width` bytes; `width` is at least 1.
    #[wasm_bindgen(js_name = rabinWindows)]
    pub fn rabin_windows(bytes: &[u8], width: u32) -> Vec<u64> {
        let mut windows = Vec::with_capacity(bytes.len());
        rabin::windows(bytes, width as usize).for_each(|window| windows.push(window));
        windows
    }

    /// Ids cross as `f64`: a safe integer is itself, and string number *n* of the facade is *n* + 1/2. In the index both
    /// are doubled, and so are integers, and small where they were small.
    fn id_in(id: f64) -> u64 {
        (2.0 * id) as i64 as u64
    }

    fn id_out(id: u64) -> f64 {
        id as i64 as f64 / 2.0
    }

    fn join(low: u64, high: u64) -> u128 {
        u128::from(high) << 64 | u128::from(low)
    }

    fn halves(fingerprint: u128) -> [u64; 2] {
        [fingerprint as u64, (fingerprint >> 64) as u64]
    }

    /// An index, and rows of words that it and JavaScript write for each other through typed arrays: an object made here
    /// for every result would cost more than finding it.
    ///
    /// Methods tell what JavaScript has to throw by their result. The glue around a `Result` costs as much as a query.
    #[wasm_bindgen]
    pub struct Index {
        index: NearIndex,
        rows: Vec<u64>,
        /// Kept between queries, as `rows` is: allocating costs a fifth of one.
        found: Vec<Found>,
    }

    /// Where a self-join has got to.
    #[wasm_bindgen]
    pub struct Cursor(PairCursor);

    #[wasm_bindgen]
    impl Index {
        #[wasm_bindgen(constructor)]
        pub fn new(bits: u32, max_distance: u32, scheme: String) -> Result<Index, RangeError> {
            let index = NearIndex::new(bits, max_distance, scheme);
            let index = index.map_err(|error| range_error(&error.to_string()))?;
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

        /// How many words the rows have.
        #[wasm_bindgen(getter)]
        pub fn words(&self) -> usize {
            self.rows.len()
        }

        /// Makes the rows `words` long, for JavaScript to write. Returns false for want of memory, and undoes an addition of
        /// which rows are left to come.
        pub fn room(&mut self, words: usize) -> bool {
            self.rows.clear();
            let room = self.rows.try_reserve_exact(words).is_ok();
            if room {
                self.rows.resize(words, 0);
            } else {
                self.index.cancel();
            }
            room
        }

        /// False if there is not the memory.
        pub fn add(&mut self, id: f64, low: u64, high: u64) -> bool {
            self.index.extend(1, 0, &mut core::iter::once((id_in(id), join(low, high)))).is_ok()
        }

        /// Adds the `count` documents in the rows, ids first and then fingerprints; `left` more come with the next calls,
        /// before any other. Returns false for want of memory, and then has undone all calls of the addition.
        #[wasm_bindgen(js_name = addAll)]
        pub fn add_all(&mut self, count: usize, left: usize) -> bool {
            let (ids, words) = self.rows.split_at(count);
            let each = if self.index.bits() > 64 { 2 } else { 1 };
            let mut documents = ids.iter().zip(words.chunks_exact(each)).map(|(&id, words)| {
                let high = words.get(1).map_or(0, |&high| high);
                (id_in(f64::from_bits(id)), join(words[0], high))
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

        /// Writes low half and high half.
        pub fn get(&mut self, id: f64) -> bool {
            self.rows.clear();
            let fingerprint = self.index.get(id_in(id));
            self.rows.extend(halves(fingerprint.unwrap_or_default()));
            fingerprint.is_some()
        }

        /// How many documents were found. Writes id and distance (each an `f64`), low half and high half of each.
        pub fn query(&mut self, low: u64, high: u64, max_distance: u32, limit: u32) -> usize {
            let Self { index, rows, found } = self;
            rows.clear();
            index.each_hit(join(low, high), max_distance, limit as usize, found, &mut |hit| {
                let [low, high] = halves(hit.fingerprint);
                let distance = f64::from(hit.distance).to_bits();
                rows.extend([id_out(hit.id).to_bits(), distance, low, high]);
            });
            rows.len() / 4
        }

        pub fn pairs(&self, max_distance: u32) -> Cursor {
            Cursor(self.index.pair_cursor(max_distance))
        }

        /// Goes on for a bounded time. How many pairs were found, `most` at most and maybe none; or -1 at the end, -2 if the
        /// index has changed. Writes both ids and the distance of each, as `f64`.
        #[wasm_bindgen(js_name = nextPairs)]
        pub fn next_pairs(&mut self, cursor: &mut Cursor, most: usize) -> i32 {
            let Self { index, rows, .. } = self;
            rows.clear();
            let more = index.next_pairs(&mut cursor.0, most, &mut |pair| {
                let row = [id_out(pair.a), id_out(pair.b), pair.distance.into()];
                rows.extend(row.map(f64::to_bits));
            });
            match more {
                Ok(false) if rows.is_empty() => -1,
                Ok(_) => (rows.len() / 3) as i32,
                Err(_) => -2,
            }
        }

        /// Writes the id of every document in insertion order, as `f64`, and a number that those of a cluster share. False
        /// if there is not the memory.
        pub fn clusters(&mut self, star: bool, max_distance: u32) -> bool {
            let Self { index, rows, .. } = self;
            let linkage = if star { Linkage::Star } else { Linkage::Single };
            rows.clear();
            let mut document =
                |id, cluster| rows.extend([id_out(id).to_bits(), f64::from(cluster).to_bits()]);
            index.each_clustered(linkage, max_distance, &mut document).is_ok()
        }

        /// Writes id (an `f64`), low half and high half of documents in insertion order: of some of those that come at
        /// `from` or after. Where to go on from; 0 at the end.
        pub fn documents(&mut self, from: u32) -> u32 {
            let Self { index, rows, .. } = self;
            rows.clear();
            index.documents(from, &mut |id, fingerprint| {
                let [low, high] = halves(fingerprint);
                rows.extend([id_out(id).to_bits(), low, high]);
                rows.len() < 3 << 12
            })
        }

        /// Writes size, different fingerprints, largest bucket, bytes; then for every table the width of its block and of
        /// the part that numbers its buckets.
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
        pub fn to_bytes(&self, note: &[u8]) -> Vec<u8> {
            self.index.to_bytes_with(note)
        }

        /// The index of a snapshot. Its note goes to the rows, the last word filled up with spaces.
        #[wasm_bindgen(js_name = fromBytes)]
        pub fn from_bytes(bytes: &[u8]) -> Result<Index, RangeError> {
            let read = NearIndex::from_bytes_with(bytes);
            let (index, note) = read.map_err(|error| range_error(&error.to_string()))?;
            let rows = note.chunks(8).map(|chunk| {
                let mut word = *b"        ";
                word[..chunk.len()].copy_from_slice(chunk);
                u64::from_le_bytes(word)
            });
            Ok(Self { index, rows: rows.collect(), found: Vec::new() })
        }
    }
}

/// The module of `nearprint/compat`.
#[cfg(feature = "wasm-compat")]
mod compat {
    use alloc::string::ToString;

    use wasm_bindgen::prelude::*;

    use super::{RangeError, range_error};
    use crate::compat::{Error, fingerprint_pairs, fingerprint_text};

    fn told(error: Error) -> RangeError {
        range_error(&error.to_string())
    }

    /// The fingerprint of a text.
    #[wasm_bindgen(js_name = fingerprintText)]
    pub fn text(scheme: &str, bits: u32, units: &[u16]) -> Result<u128, RangeError> {
        scheme.parse().and_then(|scheme| fingerprint_text(scheme, bits, units)).map_err(told)
    }

    /// The fingerprint of pairs: the units of all words end to end, where each word ends in them, and its weight.
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
            let word = units.get(start..end as usize).unwrap_or_default();
            start = end as usize;
            word
        });
        let pairs = words.zip(weights.iter().copied());
        scheme.parse().and_then(|scheme| fingerprint_pairs(scheme, bits, pairs)).map_err(told)
    }
}
