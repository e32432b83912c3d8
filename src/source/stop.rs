//! A cancellation token for reading a text: someone may not want to wait for what is in it.

use std::sync::atomic::{AtomicBool, Ordering};

/// Says when to stop; by default never.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stop<'a>(pub Option<&'a AtomicBool>);

impl Stop<'_> {
    /// Whether to stop.
    pub fn now(self) -> bool {
        self.0.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Whether to stop, asked once in a while only: `step` counts up.
    pub fn now_and_then(self, step: usize) -> bool {
        step.is_multiple_of(1024) && self.now()
    }
}
