//! Counts the slots and nodes that a set examines, in tests: crafted keys must not make it slow.

#[cfg(test)]
std::thread_local! {
    pub(super) static STEPS: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

/// Counts in tests only.
#[inline]
pub(super) fn count_steps(_steps: usize) {
    #[cfg(test)]
    STEPS.set(STEPS.get() + _steps);
}
