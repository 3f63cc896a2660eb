//! The JavaScript bindings: the only file that knows of wasm-bindgen. What users see is in `js/`.
//!
//! Texts do not cross as arguments: JavaScript writes them straight into the buffer that
//! [`Engine::input`] lends, and then says how many bytes it wrote.

use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use crate::{Fingerprinter, Scheme, Stream};

fn range_error(message: impl core::fmt::Display) -> JsValue {
    js_sys::RangeError::new(&alloc::format!("{message}")).into()
}

/// A fingerprinter or a stream with the buffer its texts are written to.
#[wasm_bindgen]
pub struct Engine {
    fingerprinter: Fingerprinter,
    stream: Option<Stream>,
    input: Vec<u8>,
    last: u128,
}

#[wasm_bindgen]
impl Engine {
    #[wasm_bindgen(constructor)]
    pub fn new(id: &str) -> Result<Engine, JsValue> {
        let scheme: Scheme = id.parse().map_err(range_error)?;
        let fingerprinter = Fingerprinter::new(scheme).map_err(range_error)?;
        Ok(Engine { fingerprinter, stream: None, input: Vec::new(), last: 0 })
    }

    /// The address of a buffer of `len` bytes at least.
    pub fn input(&mut self, len: usize) -> *mut u8 {
        if self.input.len() < len {
            self.input.resize(len.next_power_of_two(), 0);
        }
        self.input.as_mut_ptr()
    }

    /// The fingerprint of the text in the input; its high half is told by [`high`](Self::high).
    pub fn fingerprint(&mut self, len: usize) -> u64 {
        self.last = self.fingerprinter.fingerprint_bytes(&self.input[..len]);
        self.last as u64
    }

    /// Adds the input to the stream.
    pub fn update(&mut self, len: usize) {
        let Engine { fingerprinter, stream, input, .. } = self;
        stream.get_or_insert_with(|| fingerprinter.stream()).update_bytes(&input[..len]);
    }

    /// The fingerprint of the stream so far.
    pub fn digest(&mut self) -> u64 {
        self.last = self.stream.as_ref().map_or(0, Stream::digest);
        self.last as u64
    }

    /// Forgets the stream.
    pub fn reset(&mut self) {
        self.stream = None;
    }

    /// Bits 64 to 127 of the last fingerprint.
    pub fn high(&self) -> u64 {
        (self.last >> 64) as u64
    }
}
