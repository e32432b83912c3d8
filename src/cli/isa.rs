//! The instructions that the engine may use: `ARR_ISA`, or else all that the processor has.

use super::output;
use crate::exec::machine::{self, Level};
use std::ffi::OsString;
use std::sync::Once;

const VARIABLE: &str = "ARR_ISA";

/// What the environment says, if it says something.
fn from_environment(value: Option<OsString>) -> Result<Option<Level>, String> {
    let Some(value) = value.filter(|value| !value.is_empty()) else { return Ok(None) };
    let text = value.to_string_lossy();
    let wrong = || format!("invalid value {text:?} for {VARIABLE}: write sse, avx2 or avx512");
    Level::by_name(text.trim()).map(Some).ok_or_else(wrong)
}

/// Holds the engine to what the environment says. The error is what is wrong with that. A level that the processor
/// lacks is lowered, which is said once.
pub(super) fn hold() -> Result<(), String> {
    let Some(wanted) = from_environment(std::env::var_os(VARIABLE))? else { return Ok(()) };
    let level = machine::hold(wanted);
    if level < wanted {
        static SAID: Once = Once::new();
        SAID.call_once(|| {
            output::notes(&[format!("this processor has no {wanted}, so {VARIABLE} is taken as {level}")]);
        });
    }
    Ok(())
}

/// What the level that runs means, in words.
pub(super) fn in_words() -> String {
    match machine::level().vector_bits() {
        0 => "nothing is compiled for this processor".to_owned(),
        bits => format!("vectors of {bits} bits"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_variable_says_nothing_and_a_wrong_one_is_named() {
        assert_eq!(from_environment(None), Ok(None));
        assert_eq!(from_environment(Some("".into())), Ok(None));
        for level in Level::with_code() {
            assert_eq!(from_environment(Some(level.name().into())), Ok(Some(level)));
        }
        for text in ["base", "avx", "AVX2", "avx-512", "avx2,fma"] {
            let wrong = from_environment(Some(text.into())).unwrap_err();
            assert_eq!(wrong, format!("invalid value {text:?} for ARR_ISA: write sse, avx2 or avx512"));
        }
    }
}
