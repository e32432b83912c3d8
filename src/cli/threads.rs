//! How many threads may compute: `--threads`, then `ARR_NUM_THREADS`, then as many as the machine offers.

use super::args::Running;
use super::{isa, output};
use crate::exec::MAX_THREADS;
use std::ffi::OsString;
use std::num::NonZeroUsize;

const VARIABLE: &str = "ARR_NUM_THREADS";

/// `1`, `16`.
pub(super) fn number(text: &str) -> Result<NonZeroUsize, String> {
    let wanted = || format!("write a number from 1 to {MAX_THREADS}");
    let number: NonZeroUsize = text.trim().parse().map_err(|_| wanted())?;
    if number.get() > MAX_THREADS { Err(wanted()) } else { Ok(number) }
}

/// What the environment says, if it says something.
fn from_environment(value: Option<OsString>) -> Result<Option<NonZeroUsize>, String> {
    let Some(value) = value.filter(|value| !value.is_empty()) else { return Ok(None) };
    let text = value.to_string_lossy();
    number(&text).map(Some).map_err(|wanted| format!("invalid value {text:?} for {VARIABLE}: {wanted}"))
}

impl Running {
    /// Tells what is wrong with the environment, unless an option makes it irrelevant; the exit code. The engine is held
    /// to the instructions that it says.
    pub(super) fn check_environment(&self) -> Result<(), u8> {
        isa::hold().map_err(|text| output::usage(&text))?;
        match self.threads {
            Some(_) => Ok(()),
            None => from_environment(std::env::var_os(VARIABLE)).map(drop).map_err(|text| output::usage(&text)),
        }
    }

    /// The most threads; `None` for as many as the machine offers.
    pub(super) fn threads(&self) -> Option<NonZeroUsize> {
        self.threads.or_else(|| from_environment(std::env::var_os(VARIABLE)).ok().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_threads_are_from_one_to_the_ceiling() {
        assert_eq!(number("1").unwrap().get(), 1);
        assert_eq!(number(&MAX_THREADS.to_string()).unwrap().get(), MAX_THREADS);
        for text in ["0", "-1", "", "two", "1.5", "99999999999999999999", &(MAX_THREADS + 1).to_string()] {
            assert!(number(text).unwrap_err().contains("from 1 to 1024"), "{text}");
        }
    }

    #[test]
    fn an_empty_variable_says_nothing_and_a_wrong_one_is_named() {
        assert_eq!(from_environment(None), Ok(None));
        assert_eq!(from_environment(Some("".into())), Ok(None));
        assert_eq!(from_environment(Some("3".into())), Ok(NonZeroUsize::new(3)));
        let wrong = from_environment(Some("many".into())).unwrap_err();
        assert_eq!(wrong, "invalid value \"many\" for ARR_NUM_THREADS: write a number from 1 to 1024");
    }
}
