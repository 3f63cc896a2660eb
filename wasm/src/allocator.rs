//! The allocator. `talc` has less code than the allocator of the standard library, at the same speed, and uses more memory.
//!
//! The memory grows by a sixteenth if it can: the engine of JavaScript collects garbage after each growth, however small.

use core::{
    alloc::Layout,
    arch::wasm32::{memory_grow, memory_size},
    ptr::NonNull,
};

use talc::{
    base::{CHUNK_UNIT, Talc, binning::Binning},
    cell::TalcSyncCell,
    source::Source,
    wasm::WasmBinning,
};

#[global_allocator]
static ALLOCATOR: TalcSyncCell<Memory, WasmBinning> = TalcSyncCell::new_wasm(Memory { end: None });

/// The size of a page of memory in bytes.
const PAGE: usize = 1 << 16;

#[derive(Debug)]
struct Memory {
    /// The end of the allocator's part of the memory.
    end: Option<NonNull<u8>>,
}

// SAFETY: nothing here allocates.
unsafe impl Source for Memory {
    fn acquire<B: Binning>(talc: &mut Talc<Self, B>, layout: Layout) -> Result<(), ()> {
        // The allocator adds a header, and rounds the sizes of chunks.
        let needed = (layout.size() + layout.align() + 3 * CHUNK_UNIT).div_ceil(PAGE);
        let grow = |pages| Some(memory_grow::<0>(pages)).filter(|&start| start != usize::MAX);
        let start = grow(needed.max(memory_size::<0>() / 16)).or_else(|| grow(needed)).ok_or(())?;
        // The end of a full memory of 4 GiB does not fit in a `usize`.
        let [start, end] =
            [start, memory_size::<0>()].map(|page| page.saturating_mul(PAGE) as *mut u8);
        // SAFETY: the memory is new, and follows the allocator's part if that ends there.
        talc.source.end = unsafe {
            match talc.source.end.filter(|own| own.as_ptr() == start) {
                Some(own) => Some(talc.extend(own, end)),
                None => talc.claim(start, end.addr() - start.addr()),
            }
        };
        talc.source.end.map(|_| ()).ok_or(())
    }
}
