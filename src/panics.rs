//! Panics that are answered as errors.
//!
//! They are those of libraries and of the code generator. While a panic is caught here, a panic hook has nothing to say: it asks [`panics_are_caught`].
//!
//! ```
//! use arrlang::panics::{catch_panic, panics_are_caught};
//! let quiet = catch_panic(panics_are_caught);
//! assert_eq!((quiet, panics_are_caught()), (Ok(true), false));
//! ```

use std::cell::Cell;

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is in a call whose panics become errors.
pub fn panics_are_caught() -> bool {
    GUARDED.get()
}

/// Runs `work`.
///
/// # Errors
/// The text of its panic.
pub fn catch_panic<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let outer = GUARDED.replace(true);
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    GUARDED.set(outer);
    outcome.map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned())).unwrap_or_default()
    })
}

/// Runs what may fail; `who` is named where it panics.
///
/// # Errors
/// Those of `work`, and its panic.
pub fn catch_failure<T>(who: &str, work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_panic(work).unwrap_or_else(|text| Err(format!("{who} failed: {text}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d01_a_panic_of_the_code_generator_is_an_error_and_silent() {
        let mut quiet = false;
        let outcome: Result<(), String> = catch_failure("the code generator", || {
            quiet = panics_are_caught();
            // No hook is called, so nothing is printed by this test.
            std::panic::resume_unwind(Box::new("no such instruction"))
        });
        assert_eq!(outcome, Err("the code generator failed: no such instruction".to_owned()));
        assert!(quiet && !panics_are_caught());
    }
}
