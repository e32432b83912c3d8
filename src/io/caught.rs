//! Panics of libraries that read what a file holds, which are answered as errors.

use std::cell::Cell;

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is in a call whose panics become errors, so that a panic hook has nothing to say.
pub fn panics_are_caught() -> bool {
    GUARDED.get()
}

/// Runs `work`. `None` where it panics.
#[cfg(feature = "tables")]
pub(super) fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    let outer = GUARDED.replace(true);
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    GUARDED.set(outer);
    outcome.ok()
}
