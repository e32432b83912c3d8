//! The target that Cranelift generates code for. A [`Level`] decides it, and how much the compiler tries.
//!
//! Below SSE4.1 and FMA some operations become library calls, which are never resolved here; such machines interpret.

use crate::exec::machine::Level;
use crate::locks::lock;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

/// Who fails when code cannot be generated.
pub(super) const GENERATOR: &str = "the code generator";

/// How much the compiler tries.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Effort {
    /// Whether the middle end looks for something better to compute.
    pub(super) optimize: bool,
    /// Registers in one pass: linear time, slower code. For long functions.
    pub(super) single_pass: bool,
    /// Whether Cranelift's verifier runs.
    pub(super) verify: bool,
}

/// The target for a level and an effort.
pub(super) fn isa(level: Level, effort: Effort) -> Result<OwnedTargetIsa, String> {
    type Targets = HashMap<(Level, Effort), Result<OwnedTargetIsa, String>>;
    static TARGETS: LazyLock<Mutex<Targets>> = LazyLock::new(Mutex::default);
    lock(&TARGETS).entry((level, effort)).or_insert_with(|| build(level, effort)).clone()
}

/// For the processor as it is, or for the instructions of a lower level.
fn build(level: Level, effort: Effort) -> Result<OwnedTargetIsa, String> {
    if level.vector_bits() == 0 {
        return Err("this processor has no SSE4.1 or no FMA".to_owned());
    }
    let builder = if level == Level::best() {
        cranelift_native::builder()?
    } else {
        let mut builder = cranelift_codegen::isa::lookup_by_name("x86_64").map_err(|error| error.to_string())?;
        for flag in level.flags() {
            builder.enable(flag).map_err(|error| error.to_string())?;
        }
        builder
    };
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
