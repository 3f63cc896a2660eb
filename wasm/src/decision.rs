//! Decisions and their options as numbers.

use nearprint::dedupe::Options;

/// Decisions as numbers. `js/dedupe/decision-rows.ts` has the same.
pub const NEW: u32 = 0;
pub const UNCHANGED: u32 = 1;
pub const CHANGED: u32 = 2;
pub const DUPLICATE: u32 = 3;

/// Reads the options of a decision. Durations are NaN if they are not given.
pub fn options(min_resemblance: f64, now: f64, expires_in: f64, lease: f64) -> Options {
    let duration = |duration: f64| (!duration.is_nan()).then_some(duration as u64);
    let [expires_in, lease] = [expires_in, lease].map(duration);
    Options::default()
        .min_resemblance(min_resemblance)
        .now(now as u64)
        .expires_in(expires_in)
        .lease(lease)
}
