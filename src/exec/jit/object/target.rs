//! The target of code: a processor. On x86-64 it has some levels.
//!
//! An object for `x86_64-unknown-linux-gnu` has the code of every level, unless one level is asked for; the loader
//! chooses. Other objects have code of one kind.

use crate::exec::jit::isa::GENERATOR;
use crate::exec::machine::Level;
use crate::panics::catch_failure;
use cranelift_codegen::isa::{self, OwnedTargetIsa};
use cranelift_codegen::settings::{self, Configurable};

/// A kind of code in an object.
pub(super) struct Variant {
    /// On x86-64, its level.
    pub(super) level: Option<Level>,
    pub(super) isa: OwnedTargetIsa,
}

/// The processors that there may be code for, each with the cargo feature that brings it.
const ARCHITECTURES: [(&str, &str); 4] =
    [("x86_64", "object"), ("aarch64", "aarch64"), ("riscv64gc", "riscv64"), ("riscv64", "riscv64")];

/// The level that `--cpu` names.
///
/// # Errors
/// A sentence, when it names none.
fn named(cpu: &str) -> Result<Level, String> {
    if let Some(level) = Level::by_name(cpu).or_else(|| Level::of_processor(cpu)) {
        return Ok(level);
    }
    Err(match cpu {
        "x86-64" | "x86-64-v2" => format!(
            "`{cpu}` has no fused multiplication and addition, without which results would have other bits; `sse` needs \
             SSE4.1 and that alone"
        ),
        _ => format!("there is no processor `{cpu}`: it is sse, avx2, avx512, x86-64-v3 or x86-64-v4"),
    })
}

/// The kinds of code for a target, by default this machine, and a processor, by default all; the lowest level first.
///
/// # Errors
/// A sentence, when there is no such target or this build of `arr` has no code for it.
pub(super) fn variants(triple: Option<&str>, cpu: Option<&str>) -> Result<Vec<Variant>, String> {
    let host = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let name = triple.unwrap_or(&host);
    let unknown = || {
        format!(
            "there is no target `{name}`: targets begin with x86_64, aarch64 or riscv64gc and are Linux, such as {host}"
        )
    };
    let architecture = name.split('-').next().unwrap_or_default();
    // Another end, such as `android` or `gnux32`, has other libraries or another calling convention.
    let is_linux = ["-linux-gnu", "-linux-musl", "-linux"].iter().any(|end| name.ends_with(end));
    let known = ARCHITECTURES.iter().find(|(known, _)| *known == architecture).filter(|_| is_linux);
    let &(_, feature) = known.ok_or_else(unknown)?;
    let known = |error: isa::LookupError| match error {
        isa::LookupError::SupportDisabled => format!(
            "this arr has no code for `{name}`: it was installed without the cargo feature `{feature}`, `cargo install \
             --path . --features {feature}`"
        ),
        isa::LookupError::Unsupported => unknown(),
    };
    // The lookup panics on a name that it cannot read.
    let found = catch_failure(GENERATOR, || Ok(isa::lookup_by_name(name))).map_err(|_| unknown())?;
    let builder = found.map_err(known)?;
    // Other systems have other object files or calling conventions.
    if builder.triple().operating_system.to_string() != "linux" {
        return Err(unknown());
    }
    let with = |features: &[&str], level: Option<Level>| {
        let mut builder = isa::lookup(builder.triple().clone()).map_err(known)?;
        for feature in features {
            builder.enable(feature).map_err(|error| error.to_string())?;
        }
        let isa = builder.finish(flags()?).map_err(|error| error.to_string())?;
        Ok(Variant { level, isa })
    };
    if architecture != "x86_64" {
        if let Some(cpu) = cpu {
            return Err(format!("`--cpu {cpu}` is of x86-64, and `{name}` is not"));
        }
        let features: &[&str] = if feature == "riscv64" { &["has_v", "has_zvl128b"] } else { &[] };
        return Ok(vec![with(features, None)?]);
    }
    // Only the loader of glibc chooses.
    let chooses = builder.triple().to_string().ends_with("-linux-gnu");
    let levels = match cpu {
        Some(cpu) => vec![named(cpu)?],
        None if chooses => Level::with_code().collect(),
        None => vec![Level::Sse],
    };
    levels.into_iter().map(|level| with(&level.flags().collect::<Vec<_>>(), Some(level))).collect()
}

fn flags() -> Result<settings::Flags, String> {
    let mut flags = settings::builder();
    for (name, value) in [
        ("opt_level", "speed"),
        ("is_pic", "true"),
        ("use_colocated_libcalls", "false"),
        ("unwind_info", "false"),
        ("enable_verifier", "false"),
    ] {
        flags.set(name, value).map_err(|error| error.to_string())?;
    }
    Ok(settings::Flags::new(flags))
}
