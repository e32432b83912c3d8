//! The execution of checked programs.
//!
//! [`mod@reference`] evaluates a program node by node and element by element: it is the meaning. The fast path fuses
//! the program into kernels ([`crate::kernel::fuse`]), `plan` decides what they do with memory, and `run` follows the
//! plan. The loop inside is compiled by `jit`, or, where that is not possible, interpreted a block at a time by
//! `block`. All three ways, reference, interpreted and compiled, give the same bits.
//!
//! ```
//! use arrlang::exec::{Options, run};
//! use arrlang::ir::{ProgramOutput, build::ProgramBuilder};
//! use arrlang::scalar::{Scalar, prim::Prim};
//! let mut b = ProgramBuilder::default();
//! let count = b.iota(0, vec![arrlang::types::Dim::Const(4)]);
//! let three = b.constant(Scalar::of(3i64));
//! let node = b.map(Prim::Mul, &[count, three]);
//! b.output(ProgramOutput { name: None, node, span: Default::default(), weak: false });
//! let arrays = run(&b.finish(), &Options::default()).unwrap();
//! assert_eq!(arrays[0].to_vec::<i64>(), [0, 3, 6, 9]);
//! ```

mod ask;
pub(crate) mod block;
#[cfg(feature = "object")]
pub mod built;
pub(crate) mod environment;
pub(crate) mod fold;
mod into;
#[cfg_attr(not(all(feature = "jit", target_arch = "x86_64")), path = "jit/absent.rs")]
pub mod jit;
mod lent;
mod loops;
pub mod machine;
pub(crate) mod memory;
mod options;
mod patches;
pub(crate) mod plan;
mod plan_with_code;
mod preflight;
pub mod reference;
mod routine;
pub(crate) mod run;
mod runnable_loop;
pub(crate) mod space;
mod staged;
mod staged_outlook;
mod stages;
pub(crate) mod stepping;
mod stores;
mod threads;
pub mod vmath;

#[cfg(test)]
pub(crate) mod tests;

pub use ask::Ask;
pub(crate) use into::PlannedCall;
pub use into::{copy_into, run, run_into, run_through};
pub use lent::LentMemory;
pub use options::{Engine, FailedStep, Options, RunError};
pub use plan::Outlook;
pub(crate) use run::InputArrays;
pub use run::windowed::Flow;
pub use threads::{MAX_THREADS, available as available_threads};

use crate::ir::{NodeId, Program, ProgramOutput};
use crate::scalar::Scalar;
use crate::source::Span;
use std::fmt::Write;

/// The time that this thread spent compiling since the last call. It is zero where nothing is compiled.
pub fn take_compile_time() -> std::time::Duration {
    jit::take_compile_time()
}

/// How a program is run, as text: buffers, loops, and where results are made. Inputs without data lie in C order.
///
/// # Errors
/// When a size is not known.
pub fn plan_text(program: &Program) -> Result<String, crate::kernel::fuse::UnknownSize> {
    let mut text = plan::text(&staged::without_stages(program))?;
    for of in program.loops() {
        let (kind, in_place) = match patches::PatchedStep::of(&of.step, of.states) {
            _ if loops::is_elementwise(of) => (", elementwise", None),
            _ if loops::is_of_numbers(of) => (", of numbers", None),
            Some(patched) => (", in place", Some(patched.step)),
            None => ("", None),
        };
        let _ = writeln!(text, "step of a {}{kind}", of.word());
        let step = in_place.as_ref().unwrap_or(&of.step);
        plan_text(step)?.lines().for_each(|line| {
            let _ = writeln!(text, "  {line}");
        });
    }
    Ok(text)
}

/// In which stages a program is run, as text: routines and loops, and what kernels give between them. No data is needed.
///
/// # Errors
/// When what is left of a program waits for itself.
pub fn stages_text(program: &Program) -> Result<String, RunError> {
    let mut text = staged::text(program)?;
    for of in program.loops() {
        let _ = writeln!(text, "step of a {}", of.word());
        stages_text(&of.step)?.lines().for_each(|line| {
            let _ = writeln!(text, "  {line}");
        });
    }
    Ok(text)
}

/// What a run will need whose arrays of at least `least` bytes are read from and written to files.
///
/// # Errors
/// When a size is not known.
pub fn outlook(
    program: &Program,
    least: usize,
    options: &Options,
) -> Result<Outlook, crate::kernel::fuse::UnknownSize> {
    match stages::has_stages(program) {
        true => staged_outlook::outlook(program, least),
        false => plan::outlook(program, least, Flow::default().room(options)),
    }
}

/// The elements of some nodes at one place of a shape that they broadcast to: the operands of an element at fault.
///
/// # Errors
/// As for [`run`].
///
/// # Panics
/// When a node does not broadcast to the shape, or has no such element.
pub fn elements_at(
    program: &Program,
    nodes: &[NodeId],
    shape: &[usize],
    flat: usize,
    options: &Options,
) -> Result<Vec<Scalar>, RunError> {
    let output = |&node: &NodeId| ProgramOutput { name: None, node, span: Span::default(), weak: false };
    let asked = Program { outputs: nodes.iter().map(output).collect(), checks: Vec::new(), ..program.clone() };
    let arrays = run(&asked, options)?;
    // What has no elements, beside what has, shows none.
    let shown = |array: &crate::array::Array| (!array.is_empty()).then(|| array.broadcast_to(shape).get(flat));
    Ok(arrays.iter().map_while(shown).collect())
}
