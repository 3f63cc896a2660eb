//! The JavaScript bindings: the only file that knows of wasm-bindgen. What users see is in `js/`.
//! There are two WebAssembly modules, one a feature of the crate: a user of the one does not load the other.
//!
//! Texts do not cross as arguments: JavaScript writes their UTF-8 straight into the buffer that
//! [`Engine::input`](main::Engine::input) lends, and then says how many bytes it wrote.

use js_sys::RangeError;

/// What the core refuses is a value out of range: the facade has checked the kinds.
fn range_error(message: impl core::fmt::Display) -> RangeError {
    RangeError::new(&alloc::format!("nearprint: {message}"))
}

/// The module of `nearprint`.
#[cfg(feature = "wasm")]
mod main {
    use alloc::{borrow::Cow, string::String, vec::Vec};

    use js_sys::{Array, BigUint64Array, Float64Array, Object, RangeError, Reflect, Uint32Array};
    use wasm_bindgen::prelude::*;

    use super::range_error;
    use crate::{Feature, Fingerprinter, Scheme, Side, Stream, Weighted, rabin};

    /// A fingerprinter with the buffer that its texts are written to, and what it has in the making.
    #[wasm_bindgen]
    pub struct Engine {
        fingerprinter: Fingerprinter,
        stream: Option<Stream>,
        weighted: Weighted,
        input: Vec<u8>,
        last: u128,
    }

    #[wasm_bindgen]
    impl Engine {
        #[wasm_bindgen(constructor)]
        pub fn new(id: &str) -> Result<Engine, RangeError> {
            let scheme: Scheme = id.parse().map_err(range_error)?;
            Ok(Engine {
                fingerprinter: Fingerprinter::new(scheme).map_err(range_error)?,
                stream: None,
                weighted: Weighted::new(scheme).map_err(range_error)?,
                input: Vec::new(),
                last: 0,
            })
        }

        /// The address of a buffer of `len` bytes at least. What was in it stays.
        pub fn input(&mut self, len: usize) -> Result<*mut u8, RangeError> {
            if self.input.len() < len {
                let more = len - self.input.len();
                self.input
                    .try_reserve(more)
                    .map_err(|_| range_error("text takes more memory than there is"))?;
                self.input.resize(self.input.capacity(), 0);
            }
            Ok(self.input.as_mut_ptr())
        }

        /// The low half of the fingerprint of the text in the input; for the high one, see
        /// [`high`](Self::high).
        pub fn fingerprint(&mut self, len: usize) -> u64 {
            let print = self.fingerprinter.fingerprint_bytes(&self.input[..len]);
            self.low(print)
        }

        /// Bits 64 to 127 of the last fingerprint.
        pub fn high(&self) -> u64 {
            (self.last >> 64) as u64
        }

        /// How many different features the last whole text had.
        pub fn distinct(&self) -> usize {
            self.fingerprinter.distinct()
        }

        /// Adds the input to the stream.
        pub fn update(&mut self, len: usize) {
            let Engine { fingerprinter, stream, input, .. } = self;
            stream.get_or_insert_with(|| fingerprinter.stream()).update_bytes(&input[..len]);
        }

        /// The low half of the fingerprint of the stream so far.
        pub fn digest(&mut self) -> u64 {
            let print = self.stream.as_ref().map_or(0, Stream::digest);
            self.low(print)
        }

        /// Forgets the stream and the weighted features.
        pub fn reset(&mut self) {
            self.stream = None;
            self.weighted.clear();
        }

        /// Adds the feature in the input.
        #[wasm_bindgen(js_name = addFeature)]
        pub fn add_feature(&mut self, len: usize, weight: f64) -> Result<(), RangeError> {
            let feature = String::from_utf8_lossy(&self.input[..len]);
            self.weighted.add(&feature, weight).map(|_| ()).map_err(range_error)
        }

        /// Adds a feature by its hash.
        #[wasm_bindgen(js_name = addHash)]
        pub fn add_hash(&mut self, hash: u64, weight: f64) -> Result<(), RangeError> {
            self.weighted.add_hash(hash, weight).map(|_| ()).map_err(range_error)
        }

        /// The low half of the fingerprint of the weighted features so far.
        #[wasm_bindgen(js_name = weightedDigest)]
        pub fn weighted_digest(&mut self) -> u64 {
            let print = self.weighted.digest();
            self.low(print)
        }

        /// The features of the text in the input, as columns.
        pub fn features(&self, len: usize) -> JsValue {
            columns(&self.fingerprinter.features(&self.text(0, len)))
        }

        /// Compares the text in the first `a` bytes of the input with that in the `b` bytes after it.
        pub fn compare(&self, a: usize, b: usize) -> JsValue {
            let compared = self.fingerprinter.compare(&self.text(0, a), &self.text(a, b));
            object(&[
                ("a", side(&compared.a)),
                ("b", side(&compared.b)),
                ("exactCosine", compared.exact_cosine.into()),
                ("jaccard", compared.jaccard.into()),
            ])
        }

        fn text(&self, from: usize, len: usize) -> Cow<'_, str> {
            String::from_utf8_lossy(&self.input[from..from + len])
        }

        fn low(&mut self, print: u128) -> u64 {
            self.last = print;
            print as u64
        }
    }

    fn object(entries: &[(&str, JsValue)]) -> JsValue {
        let object = Object::new();
        for (key, value) in entries {
            // Setting a property of a new plain object does not fail.
            let _ = Reflect::set(&object, &JsValue::from_str(key), value);
        }
        object.into()
    }

    /// Low and high halves by turns.
    fn halves(values: impl Iterator<Item = u128>) -> JsValue {
        let halves: Vec<u64> =
            values.flat_map(|value| [value as u64, (value >> 64) as u64]).collect();
        BigUint64Array::from(&halves[..]).into()
    }

    /// One array a field: the facade makes the objects, which is many times faster.
    fn columns(features: &[Feature]) -> JsValue {
        let names: Array = features.iter().map(|f| JsValue::from_str(&f.feature)).collect();
        let counts: Vec<u32> = features.iter().map(|f| f.count).collect();
        let weights: Vec<u32> = features.iter().map(|f| f.weight).collect();
        object(&[
            ("features", names.into()),
            ("counts", Uint32Array::from(&counts[..]).into()),
            ("weights", Uint32Array::from(&weights[..]).into()),
            ("hashes", halves(features.iter().map(|f| f.hash))),
        ])
    }

    fn side(side: &Side) -> JsValue {
        let sums: Vec<f64> = side.sums.iter().map(|&sum| sum as f64).collect();
        object(&[
            ("fingerprint", halves(core::iter::once(side.fingerprint))),
            ("features", columns(&side.features)),
            ("sums", Float64Array::from(&sums[..]).into()),
        ])
    }

    /// The Rabin fingerprint of bytes.
    #[wasm_bindgen(js_name = rabin)]
    pub fn rabin_fingerprint(bytes: &[u8]) -> u64 {
        rabin::fingerprint(bytes)
    }

    /// The Rabin fingerprint of every run of `width` bytes; `width` is at least 1.
    #[wasm_bindgen(js_name = rabinWindows)]
    pub fn rabin_windows(bytes: &[u8], width: u32) -> Vec<u64> {
        rabin::windows(bytes, width as usize).collect()
    }
}

/// The module of `nearprint/compat`.
#[cfg(feature = "wasm-compat")]
mod compat {
    use js_sys::RangeError;
    use wasm_bindgen::prelude::*;

    use super::range_error;
    use crate::compat::{fingerprint_pairs, fingerprint_text};

    /// The fingerprint of a text.
    #[wasm_bindgen(js_name = fingerprintText)]
    pub fn text(scheme: &str, bits: u32, units: &[u16]) -> Result<u128, RangeError> {
        scheme.parse().and_then(|scheme| fingerprint_text(scheme, bits, units)).map_err(range_error)
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
        scheme
            .parse()
            .and_then(|scheme| fingerprint_pairs(scheme, bits, pairs))
            .map_err(range_error)
    }
}
