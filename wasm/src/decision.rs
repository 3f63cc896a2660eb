//! Decisions and their options as numbers.

use nearprint::dedupe::{Decision, Options};

/// The statuses of decisions. `js/dedupe/decision-rows.ts` has the same.
pub const NEW: u32 = 0;
const UNCHANGED: u32 = 1;
const CHANGED: u32 = 2;
const DUPLICATE: u32 = 3;

/// Returns the status of a decision.
pub fn status_of<O>(decision: &Decision<O>) -> u32 {
    match decision {
        Decision::New => NEW,
        Decision::Unchanged => UNCHANGED,
        Decision::Changed { .. } => CHANGED,
        Decision::Duplicate(_) => DUPLICATE,
        _ => unreachable!("these are all decisions"),
    }
}

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
