//! Errors of the crate as JavaScript values.

use alloc::collections::TryReserveError;

use js_sys::{Array, Error, RangeError};
use wasm_bindgen::prelude::*;

/// The result of a call that can throw.
pub type Result<T> = core::result::Result<T, Thrown>;

/// The value that a call throws. The glue throws an `Error` for an object that is gone, and a trap is a `RuntimeError`.
pub struct Thrown(JsValue);

impl Thrown {
    /// Returns the value for a wrong argument.
    pub fn argument(argument: &str, requirement: &str, got: &str) -> Self {
        Thrown(Array::of3(&argument.into(), &requirement.into(), &got.into()).into())
    }

    #[cold]
    pub fn out_of_memory() -> Self {
        Thrown(RangeError::new("nearprint: there is not enough memory").into())
    }
}

/// Returns the error for a length or a position that lies outside the data that it is about. JavaScript computes all of them.
#[cold]
#[cfg(any(feature = "dedupe", feature = "simhash", feature = "compat"))]
pub fn false_length() -> Thrown {
    Thrown::argument("length", "within its data", "one outside of it")
}

impl From<nearprint::Error> for Thrown {
    #[cold]
    fn from(error: nearprint::Error) -> Self {
        match error {
            nearprint::Error::Argument(error) => {
                Thrown::argument(error.argument(), error.requirement(), error.got())
            }
            nearprint::Error::Changed => {
                let message = "nearprint: the index has changed since the iteration began";
                Thrown(Error::new(message).into())
            }
            _ => Thrown::out_of_memory(),
        }
    }
}

impl From<TryReserveError> for Thrown {
    fn from(_: TryReserveError) -> Self {
        Thrown::out_of_memory()
    }
}

impl From<Thrown> for JsValue {
    fn from(thrown: Thrown) -> Self {
        thrown.0
    }
}
