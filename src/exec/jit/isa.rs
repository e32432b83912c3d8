//! The machine: what code is generated for, found out once.
//!
//! Below SSE4.1 and FMA some operations become library calls, which are never resolved here; such machines interpret.

use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use std::sync::OnceLock;

/// How much the compiler tries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Effort {
    /// Registers in one pass: linear time, slower code. For long functions.
    pub(super) single_pass: bool,
    /// Whether Cranelift's verifier runs.
    pub(super) verify: bool,
}

/// The target for an effort.
pub(super) fn isa(effort: Effort) -> Result<OwnedTargetIsa, String> {
    static TARGETS: [OnceLock<Result<OwnedTargetIsa, String>>; 4] = [const { OnceLock::new() }; 4];
    let slot = usize::from(effort.single_pass) * 2 + usize::from(effort.verify);
    TARGETS[slot].get_or_init(|| build(effort)).clone()
}

fn build(effort: Effort) -> Result<OwnedTargetIsa, String> {
    if !(is_x86_feature_detected!("sse4.1") && is_x86_feature_detected!("fma")) {
        return Err("this processor has no SSE4.1 or no FMA".to_owned());
    }
    let mut flags = settings::builder();
    let regalloc = if effort.single_pass { "single_pass" } else { "backtracking" };
    let verifier = if effort.verify { "true" } else { "false" };
    for (name, value) in [
        ("opt_level", "speed"),
        ("regalloc_algorithm", regalloc),
        ("enable_verifier", verifier),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        ("unwind_info", "false"),
    ] {
        flags.set(name, value).map_err(|error| error.to_string())?;
    }
    let builder = cranelift_native::builder()?;
    builder.finish(settings::Flags::new(flags)).map_err(|error| error.to_string())
}
