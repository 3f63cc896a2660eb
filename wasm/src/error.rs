//! Errors of the crate as JavaScript values.

use js_sys::{Array, Error, RangeError};
use wasm_bindgen::prelude::*;

/// Returns the value that a call throws. The glue throws an `Error` for an object that is gone, and a trap is a
/// `RuntimeError`.
pub fn thrown(error: nearprint::Error) -> JsValue {
    match error {
        nearprint::Error::Argument(error) => {
            refused(error.argument(), error.requirement(), error.got())
        }
        nearprint::Error::Changed => {
            Error::new("nearprint: the index has changed since the iteration began").into()
        }
        _ => out_of_memory(),
    }
}

/// Returns the value for a wrong argument.
pub fn refused(argument: &str, requirement: &str, got: &str) -> JsValue {
    Array::of3(&argument.into(), &requirement.into(), &got.into()).into()
}

#[cold]
pub fn out_of_memory() -> JsValue {
    RangeError::new("nearprint: there is not enough memory").into()
}
