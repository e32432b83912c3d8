//! Locks that a panic elsewhere does not close.
//!
//! What a lock guards here is right after each statement that changes it, so a thread that panicked while it held one
//! leaves nothing half done.
//!
//! ```
//! use arrlang::locks::{into_inner, lock};
//! let count = std::sync::Mutex::new(1);
//! *lock(&count) += 1;
//! assert_eq!(into_inner(count), 2);
//! ```

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits for a lock and takes it, also when the thread that had it last panicked.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a lock guards that nobody shares any more.
pub fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
