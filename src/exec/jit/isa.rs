//! The machine: what code is generated for, found out once.
//!
//! Below SSE4.1 and FMA some operations become library calls, which are never resolved here; such machines interpret.

use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use std::sync::OnceLock;

/// How much the compiler tries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Effort {
    /// Whether the middle end looks for something better to compute.
    pub(super) optimize: bool,
    /// Registers in one pass: linear time, slower code. For long functions.
    pub(super) single_pass: bool,
    /// Whether Cranelift's verifier runs.
    pub(super) verify: bool,
}

/// The target for an effort.
pub(super) fn isa(effort: Effort) -> Result<OwnedTargetIsa, String> {
    #[cfg(test)]
    if let Some(level) = LEVEL.get() {
        return level.target(effort);
    }
    static TARGETS: [OnceLock<Result<OwnedTargetIsa, String>>; 8] = [const { OnceLock::new() }; 8];
    let flags = [effort.optimize, effort.single_pass, effort.verify];
    let slot = flags.into_iter().fold(0, |slot, flag| 2 * slot + usize::from(flag));
    TARGETS[slot].get_or_init(|| build(effort)).clone()
}

/// Whether this thread compiles for less than the whole machine.
pub(super) fn is_narrowed() -> bool {
    #[cfg(test)]
    return LEVEL.get().is_some();
    #[cfg(not(test))]
    false
}

fn build(effort: Effort) -> Result<OwnedTargetIsa, String> {
    if !(is_x86_feature_detected!("sse4.1") && is_x86_feature_detected!("fma")) {
        return Err("this processor has no SSE4.1 or no FMA".to_owned());
    }
    let builder = cranelift_native::builder()?;
    builder.finish(flags(effort)?).map_err(|error| error.to_string())
}

fn flags(effort: Effort) -> Result<settings::Flags, String> {
    let mut flags = settings::builder();
    let regalloc = if effort.single_pass { "single_pass" } else { "backtracking" };
    let verifier = if effort.verify { "true" } else { "false" };
    for (name, value) in [
        ("opt_level", if effort.optimize { "speed" } else { "none" }),
        ("regalloc_algorithm", regalloc),
        ("enable_verifier", verifier),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        ("unwind_info", "false"),
    ] {
        flags.set(name, value).map_err(|error| error.to_string())?;
    }
    Ok(settings::Flags::new(flags))
}

/// A machine with fewer instructions than this one, for tests.
#[cfg(test)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Level {
    /// Neither SSE4.1 nor FMA.
    Baseline,
    /// SSE4.1 and FMA, without wider vectors.
    Sse41Fma,
    /// AVX2, without AVX-512.
    Avx2,
}

#[cfg(test)]
thread_local! {
    /// What this thread compiles for, if not for the whole machine.
    pub(super) static LEVEL: std::cell::Cell<Option<Level>> = const { std::cell::Cell::new(None) };
}

#[cfg(test)]
impl Level {
    fn target(self, effort: Effort) -> Result<OwnedTargetIsa, String> {
        let sse = ["has_sse3", "has_ssse3", "has_sse41", "has_sse42", "has_popcnt"];
        let features: Vec<&str> = match self {
            Level::Baseline => return Err("this processor has no SSE4.1 or no FMA".to_owned()),
            Level::Sse41Fma => sse.into_iter().chain(["has_avx", "has_fma"]).collect(),
            Level::Avx2 => sse.into_iter().chain(["has_avx", "has_avx2", "has_fma", "has_bmi1", "has_bmi2"]).collect(),
        };
        let mut builder = cranelift_codegen::isa::lookup_by_name("x86_64").map_err(|error| error.to_string())?;
        for feature in features {
            builder.enable(feature).map_err(|error| error.to_string())?;
        }
        builder.finish(flags(effort)?).map_err(|error| error.to_string())
    }
}
