//! Panics of the code generator or of libraries, answered as errors.

use std::cell::Cell;

/// Who fails when code cannot be generated.
#[cfg_attr(not(feature = "jit"), allow(dead_code, reason = "only compiling generates code"))]
pub(crate) const GENERATOR: &str = "the code generator";

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is in a call whose panics become errors, so that a panic hook has nothing to say.
pub fn panics_are_caught() -> bool {
    GUARDED.get()
}

/// Runs `work`; a panic is an error.
pub(crate) fn catch_panic<T>(who: &str, work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let outer = GUARDED.replace(true);
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    GUARDED.set(outer);
    outcome.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned()));
        Err(format!("{who} failed: {}", text.unwrap_or_default()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d01_a_panic_of_the_code_generator_is_an_error_and_silent() {
        let mut quiet = false;
        let outcome: Result<(), String> = catch_panic("the code generator", || {
            quiet = panics_are_caught();
            // No hook is called, so nothing is printed by this test.
            std::panic::resume_unwind(Box::new("no such instruction"))
        });
        assert_eq!(outcome, Err("the code generator failed: no such instruction".to_owned()));
        assert!(quiet && !panics_are_caught());
    }
}
