//! The bindings between the crate and `js/`: one class or function for each class or function of the package.
//!
//! The npm package has several modules, each compiled from this crate with one feature: `dedupe` from texts to sketches and
//! decisions, `simhash` from texts to fingerprints and their search, `compat`, and for the command line `cli`, which is `dedupe`
//! with the reader of JSON Lines. The demo page has `page`, from texts to sketches and fingerprints. No object crosses from one
//! module to another.
//!
//! # Conventions
//!
//! - **Input** crosses as arguments, or through the [exchange](exchange), one buffer in the module's memory: JavaScript writes
//!   a text or the binary form of a sketch there, and passes its length in bytes, and its kind if there are several.
//! - **Results**: a call returns one value, which may be a list of numbers or bytes. Rows of several numbers are written to the
//!   start of the exchange, as cells of 64 bits, and the call returns how many there are. Nothing in the exchange outlives the
//!   next call.
//! - **Missing values** are `Option`: undefined in JavaScript. No number stands for "none", with two exceptions for
//!   times: `Infinity` is the time of a document that never expires, and NaN a duration that is not given.
//! - **Numbers**: an id is a `u32`, in cells an `f64` (`ids`), and a time an `f64` in milliseconds since 1970. A fingerprint is
//!   a bigint, or in cells the low half and then the high half. Statuses and kinds are small numbers, with the same names here
//!   and in `js/`.
//! - **Errors** are thrown ([`Thrown`](error::Thrown)): an array of argument, requirement and value for a wrong argument, a
//!   `RangeError` for a lack of memory. `js/common/module.ts` turns them into the errors of the package.
//! - **State** is in the objects that the caller holds, and nowhere else.
//!
//! Names are the names of the crate in camel case. `contains` and `remove` are `has` and `delete`, as in a `Map` of JavaScript.
#![no_std]

extern crate alloc;

mod allocator;
mod error;

#[cfg(feature = "compat")]
mod compat;
#[cfg(feature = "dedupe")]
mod decision;
#[cfg(feature = "dedupe")]
mod deduplicator;
#[cfg(any(feature = "fingerprint", feature = "sketch"))]
mod exchange;
#[cfg(feature = "fingerprint")]
mod fingerprinter;
#[cfg(any(feature = "dedupe", feature = "simhash"))]
mod ids;
#[cfg(feature = "simhash")]
mod index;
#[cfg(feature = "cli")]
mod lines;
#[cfg(feature = "sketch")]
mod sketcher;
#[cfg(feature = "sketch")]
mod sketches;
#[cfg(feature = "dedupe")]
mod versions;

use wasm_bindgen::prelude::*;

/// A panic is a trap, as with the standard library on this target. Its message would not be visible, so the code that
/// formats it is left out.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

/// Runs when an instance is created: allocates the table of JavaScript values, which the first such value needs. Otherwise a
/// call that throws for a lack of memory would trap.
#[wasm_bindgen(start)]
pub fn reserve_for_errors() {
    drop(error::Thrown::out_of_memory());
}

/// Schedules a new instance of the module. The glue creates it at the start of the next call, after it has passed slices to
/// the old instance: that call must be [`finish_restart`], which takes none.
#[wasm_bindgen(js_name = scheduleRestart)]
pub fn schedule_restart() {
    wasm_bindgen::handler::schedule_reinit();
}

/// Does nothing: see [`schedule_restart`].
#[wasm_bindgen(js_name = finishRestart)]
pub fn finish_restart() {}
