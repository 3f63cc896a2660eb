//! What makes a WebAssembly module of the crate's bindings (`src/wasm.rs`).
#![no_std]

extern crate nearprint;

/// 4.5 kB less code than the standard library's and as fast, for more memory: 33 MB where that takes 26, in an index
/// of 400 000 fingerprints.
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// A panic is a trap, as it is with the standard library, whose message nobody would see: without it goes all the code
/// that words one.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
