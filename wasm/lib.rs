//! What makes a WebAssembly module of the crate's bindings (`src/wasm.rs`).
#![no_std]

extern crate nearprint;

#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

/// A panic is a trap, as it is with the standard library, whose message nobody would see: without it goes all the code
/// that words one.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
