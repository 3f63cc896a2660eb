//! The exchange: the buffer through which texts, sketches and results cross between JavaScript and the module.

use alloc::{string::String, vec::Vec};
use core::{arch::wasm32::memory_size, cell::Cell, mem};

#[cfg(feature = "sketch")]
use nearprint::{Sketch, dedupe::Scope};
use wasm_bindgen::prelude::*;

use crate::error::{Result, Thrown};

/// The maximum size that the buffer keeps between two calls, in bytes. `js/common/exchange.ts` has the same number.
const MAX_KEPT: usize = 1 << 20;

/// The size of the module's memory, in pages of 64 KiB, from which on a text is refused if it may not fit: a trap would lose
/// every object of the module. `js/common/exchange.ts` has the same number.
const NEARLY_FULL: usize = 7 << 13;

/// The purposes for which JavaScript opens the exchange: to read a result, or to write an input or a text.
/// `js/common/exchange.ts` has the same numbers.
const RESULT: u32 = 0;
const TEXT: u32 = 2;

/// The kind of a text that a `TextEncoder` has written as UTF-8. `js/common/exchange.ts` has the same number, and another for
/// any other bytes.
pub const ENCODED: u32 = 0;

/// The memory that reading a piece of a text takes at most, in addition to 16 times its size, in bytes.
const TEXT_BASE: usize = 16 << 20;

/// The maximum size of the module's memory, in pages of 64 KiB.
const MAX_PAGES: usize = 1 << 16;

struct Buffer {
    cells: Cell<Vec<u64>>,
    /// The address of the cells after the last call. JavaScript compares it with the address of its view.
    address: Cell<usize>,
}

// SAFETY: an instance of the module has one thread.
unsafe impl Sync for Buffer {}

static BUFFER: Buffer = Buffer { cells: Cell::new(Vec::new()), address: Cell::new(0) };

/// The buffer during a call. A result that does not fit moves it.
pub struct Exchange(Vec<u64>);

impl Drop for Exchange {
    fn drop(&mut self) {
        BUFFER.address.set(self.0.as_ptr() as usize);
        BUFFER.cells.set(mem::take(&mut self.0));
    }
}

impl Exchange {
    pub fn open() -> Self {
        Exchange(BUFFER.cells.take())
    }

    /// Returns the first `len` bytes.
    pub fn bytes(&self, len: usize) -> &[u8] {
        self.part(0, len)
    }

    /// Returns bytes `from` to `from + len`, or as many of them as there are. So a false length does not trap, which would lose
    /// every object of the module.
    pub fn part(&self, from: usize, len: usize) -> &[u8] {
        let rest = self.all().get(from..).unwrap_or_default();
        &rest[..len.min(rest.len())]
    }

    /// Reads the sketch in bytes `from` to `from + len`.
    #[cfg(feature = "sketch")]
    pub fn sketch(&self, from: usize, len: usize) -> Result<Sketch> {
        Ok(Sketch::from_bytes(self.part(from, len))?)
    }

    /// Returns the text in bytes `from` to `from + len`, which a `TextEncoder` has written or `isUtf8` has checked. If the buffer is
    /// shorter, the length is false, and the text is empty: a part of it could end inside a character.
    #[inline(never)]
    pub fn text(&self, from: usize, len: usize) -> &str {
        let part = self.part(from, len);
        let text = if part.len() < len { &[] } else { part };
        // SAFETY: a `TextEncoder` writes whole characters of UTF-8 only (WHATWG Encoding, section 7.4), `isUtf8` accepts no
        // others, and JavaScript runs nothing else between the write and this call.
        unsafe { str::from_utf8_unchecked(text) }
    }

    /// Returns the scope whose name is in bytes `from` to `from + len`, written as a [`text`](Self::text).
    #[cfg(feature = "sketch")]
    pub fn scope(&self, from: usize, len: usize) -> Scope {
        Scope::new(self.text(from, len))
    }

    /// Returns all cells.
    #[cfg(feature = "simhash")]
    pub fn cells(&self) -> &[u64] {
        &self.0
    }

    fn all(&self) -> &[u8] {
        // SAFETY: every byte of the cells is initialised.
        unsafe { core::slice::from_raw_parts(self.0.as_ptr().cast(), 8 * self.0.len()) }
    }

    fn all_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `all`, and every byte is valid in a cell.
        unsafe { core::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast(), 8 * self.0.len()) }
    }

    /// Writes bytes from position `at` on, behind what is written already.
    pub fn write_at(&mut self, at: usize, bytes: &[u8]) -> Result<()> {
        self.reserve(at + bytes.len())?;
        self.all_mut()[at..at + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    /// Reserves `count` cells at the start for a result.
    pub fn cells_mut(&mut self, count: usize) -> Result<&mut [u64]> {
        self.release_excess(8 * count);
        self.reserve(8 * count)?;
        Ok(&mut self.0[..count])
    }

    /// Reserves `count` rows of `N` cells at the start for a result.
    #[cfg(any(feature = "dedupe", feature = "simhash"))]
    pub fn rows<const N: usize>(&mut self, count: usize) -> Result<&mut [[u64; N]]> {
        Ok(self.cells_mut(N * count)?.as_chunks_mut().0)
    }

    /// Gives back the memory of an earlier large text or result, unless the buffer needs it for `len` bytes.
    fn release_excess(&mut self, len: usize) {
        if self.0.len() > MAX_KEPT / 8 && len <= MAX_KEPT {
            self.0.truncate(MAX_KEPT / 8);
            self.0.shrink_to_fit();
        }
    }

    /// Makes the buffer at least `len` bytes long.
    fn reserve(&mut self, len: usize) -> Result<()> {
        let cells = len.div_ceil(8);
        if self.0.len() < cells {
            // The buffer exceeds `MAX_KEPT`, the maximum size of the view that JavaScript caches, only if this call needs it.
            let size = cells.next_power_of_two().min(MAX_KEPT / 8).max(cells);
            self.0.try_reserve_exact(size - self.0.len())?;
            self.0.resize(size, 0);
        }
        Ok(())
    }
}

/// Adds a name to a list with one name a line.
#[cfg(any(feature = "sketch", feature = "fingerprint"))]
pub fn push_line(lines: &mut String, name: &str) {
    if !lines.is_empty() {
        lines.push('\n');
    }
    lines.push_str(name);
}

/// Returns the low half and the high half of a fingerprint, as cells.
#[cfg(feature = "fingerprint")]
pub fn halves(fingerprint: u128) -> [u64; 2] {
    [fingerprint as u64, (fingerprint >> 64) as u64]
}

/// Returns the address of a cell that always holds the current address of the exchange.
#[wasm_bindgen(js_name = exchangeAddress)]
pub fn exchange_address() -> *const usize {
    BUFFER.address.as_ptr()
}

/// Returns the address of the exchange, of at least `len` bytes, or null if there is not enough memory for it; for a text,
/// null also if reading a text of this length might exhaust the memory. A result longer than `len` is kept whole, because
/// JavaScript may first read only its start to learn its length.
#[wasm_bindgen(js_name = exchange)]
pub fn exchange(len: usize, purpose: u32) -> *mut u8 {
    let mut exchange = Exchange::open();
    if purpose != RESULT {
        exchange.release_excess(len);
    }
    if (purpose == TEXT && !can_read(len)) || exchange.reserve(len).is_err() {
        return core::ptr::null_mut();
    }
    exchange.all_mut().as_mut_ptr()
}

/// Returns whether `bytes` more bytes can be allocated.
#[wasm_bindgen(js_name = canAllocate)]
pub fn can_allocate(bytes: usize) -> bool {
    let mut vector = Vec::<u8>::new();
    let can_allocate = vector.try_reserve_exact(bytes).is_ok();
    // The compiler may leave out an allocation that is not used.
    core::hint::black_box(&vector);
    can_allocate
}

/// Checks that a call that reads `bytes` bytes cannot exhaust the memory: strings and vectors of Rust abort when it does.
pub fn check_memory(bytes: usize) -> Result<()> {
    if can_read(bytes) { Ok(()) } else { Err(Thrown::out_of_memory()) }
}

/// Checks that all these numbers of bytes together can be allocated. The memory does not grow by the check, unless it is almost
/// full.
#[cfg(any(feature = "sketch", feature = "fingerprint"))]
pub fn check_allocation(sizes: &[usize]) -> Result<()> {
    let bytes = sizes.iter().fold(TEXT_BASE, |sum, &size| sum.saturating_add(size));
    let can_grow = bytes >> 16 < MAX_PAGES - memory_size(0);
    if can_grow || can_allocate(bytes) { Ok(()) } else { Err(Thrown::out_of_memory()) }
}

fn can_read(bytes: usize) -> bool {
    memory_size(0) < NEARLY_FULL || can_allocate(TEXT_BASE.saturating_add(bytes.saturating_mul(16)))
}
