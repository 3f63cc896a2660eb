//! Tables that are small in the source, columns of bytes, and expanded when they are first asked for.

use alloc::boxed::Box;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

/// A value that is made when it is first asked for, and then for the life of the process.
pub(crate) struct Lazy<T: 'static>(AtomicPtr<T>);

impl<T: Send + Sync> Lazy<T> {
    pub const fn new() -> Self {
        Lazy(AtomicPtr::new(ptr::null_mut()))
    }

    /// The value, or what `expand` makes, which is the same each time.
    pub fn get(&self, expand: fn() -> T) -> &'static T {
        let known = self.0.load(Ordering::Acquire);
        // SAFETY: it is null or what a call of this function has leaked, and nobody changes or frees that.
        if let Some(known) = unsafe { known.as_ref() } {
            return known;
        }
        let expanded = Box::leak(Box::new(expand()));
        // Threads that come first at the same time leak one each: they are the same, and there will be no more.
        self.0.store(expanded, Ordering::Release);
        expanded
    }
}

/// The rest of a column.
pub(crate) struct Column(pub &'static [u8]);

impl Column {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[inline(never)]
    pub fn byte(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or_default()
    }

    /// The next number: seven bits a byte, the highest first, and the eighth says that more follow.
    #[inline(never)]
    pub fn number(&mut self) -> u32 {
        let mut number = 0;
        loop {
            let byte = self.byte();
            number = number << 7 | u32::from(byte & 0x7F);
            if byte < 0x80 {
                return number;
            }
        }
    }

    /// Adds the next number, whose lowest bit is the sign.
    #[inline(never)]
    pub fn step(&mut self, value: &mut u32) {
        let number = self.number();
        let magnitude = (number >> 1) ^ (number & 1).wrapping_neg();
        *value = value.wrapping_add(magnitude);
    }
}
