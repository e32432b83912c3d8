//! The number of threads that may compute: `--threads`, then `ARR_NUM_THREADS`, then as many as the machine offers.

use super::args::ExecutionArgs;
use super::{isa, output, parsers};
use crate::diagnostic::Outcome;
use std::ffi::OsString;
use std::num::NonZeroUsize;

const VARIABLE: &str = "ARR_NUM_THREADS";

/// What the environment says, if it says something.
fn from_environment(value: Option<OsString>) -> Result<Option<NonZeroUsize>, String> {
    let Some(value) = value.filter(|value| !value.is_empty()) else { return Ok(None) };
    let text = value.to_string_lossy();
    parsers::threads(&text).map(Some).map_err(|wanted| format!("invalid value {text:?} for {VARIABLE}: {wanted}"))
}

impl ExecutionArgs {
    /// Tells what is wrong with the environment, unless an option makes it irrelevant; the error is then how the
    /// command ends. The engine is held to the instructions that the environment names.
    pub(super) fn check_environment(&self) -> Result<(), Outcome> {
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
    fn an_empty_variable_says_nothing_and_a_wrong_one_is_named() {
        assert_eq!(from_environment(None), Ok(None));
        assert_eq!(from_environment(Some("".into())), Ok(None));
        assert_eq!(from_environment(Some("3".into())), Ok(NonZeroUsize::new(3)));
        let wrong = from_environment(Some("many".into())).unwrap_err();
        assert_eq!(wrong, "invalid value \"many\" for ARR_NUM_THREADS: write a number from 1 to 1024");
    }
}
