//! Runs checked programs.
//!
//! [`mod@reference`] evaluates a program node by node and element by element: it is the meaning. The fast path fuses
//! the program into kernels ([`crate::kernel::fuse`]), which `driver` walks over memory; the loop inside is
//! compiled by `jit`, or, where that is not possible, interpreted a block at a time by `block`. All ways give
//! the same bits.
//!
//! ```
//! use arrlang::exec::{Options, run};
//! use arrlang::ir::{Output, build::Builder};
//! use arrlang::scalar::{Scalar, prim::Prim};
//! let mut b = Builder::default();
//! let count = b.iota(0, vec![arrlang::types::Dim::Const(4)]);
//! let three = b.constant(Scalar::of(3i64));
//! let node = b.map(Prim::Mul, &[count, three]);
//! b.output(Output { name: None, node, span: Default::default(), weak: false });
//! let arrays = run(&b.finish(), &Options::default()).unwrap();
//! assert_eq!(arrays[0].to_vec::<i64>(), [0, 3, 6, 9]);
//! ```

pub(crate) mod block;
pub(crate) mod driver;
pub(crate) mod environment;
pub(crate) mod fold;
mod guard;
#[cfg(all(feature = "jit", target_arch = "x86_64"))]
pub mod jit;
pub mod machine;
pub(crate) mod memory;
pub mod reference;
pub(crate) mod space;
pub(crate) mod stepping;
mod threads;
pub mod vmath;

#[cfg(test)]
pub(crate) mod tests;

pub use guard::panics_are_caught;
pub use threads::{MAX_THREADS, available as available_threads};

use crate::array::{Array, extent};
use crate::ir::{NodeId, NodeKind, Output, Program};
use crate::scalar::Scalar;
use crate::types::{Dim, shape};
use std::cell::RefCell;
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How programs are run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// Fused loops, compiled to machine code where this machine allows it.
    #[default]
    Jit,
    /// Fused loops, interpreted a block of elements at a time.
    Blocks,
    /// One node, one element at a time.
    Reference,
}

/// What a run may use and heeds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// How programs are run.
    pub engine: Engine,
    /// Whether the program, its kernels and their code are verified first.
    pub verify: bool,
    /// The most bytes that results and intermediate arrays may take at once.
    pub max_memory: Option<usize>,
    /// The most threads that compute at once, this one included, at most [`MAX_THREADS`]; absent: as many as this
    /// process may [run at once](available_threads). Results do not depend on it.
    pub threads: Option<NonZeroUsize>,
    /// Work that is estimated to take less time than this is not given to another thread. Absent: what was measured to
    /// pay; tests set it to nothing, so that small arrays are shared too.
    pub grain: Option<Duration>,
    /// Becomes true when the run should stop.
    pub interrupt: Option<&'a AtomicBool>,
    /// Receives what a user may want to know though nothing is wrong, such as why kernels are not compiled.
    pub notes: Option<&'a RefCell<Vec<String>>>,
}

/// What every thread of a run heeds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch<'a> {
    interrupt: Option<&'a AtomicBool>,
    limit: Option<usize>,
}

impl Watch<'_> {
    /// Whether to go on.
    pub(crate) fn poll(&self) -> Result<(), RunError> {
        match self.interrupt {
            Some(flag) if flag.load(Ordering::Relaxed) => Err(RunError::Interrupted),
            _ => Ok(()),
        }
    }

    /// That there is no memory for scratch.
    pub(crate) fn refused(&self) -> RunError {
        RunError::OutOfMemory { needed: None, limit: self.limit }
    }
}

impl<'a> Options<'a> {
    pub(crate) fn watch(&self) -> Watch<'a> {
        Watch { interrupt: self.interrupt, limit: self.max_memory }
    }

    /// Whether to go on.
    pub(crate) fn poll(&self) -> Result<(), RunError> {
        self.watch().poll()
    }

    #[cfg_attr(not(feature = "jit"), allow(dead_code, reason = "only compiling leaves notes"))]
    pub(crate) fn note(&self, text: String) {
        if let Some(notes) = self.notes {
            let mut notes = notes.borrow_mut();
            if !notes.contains(&text) {
                notes.push(text);
            }
        }
    }
}

/// Why a run ended without results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunError {
    /// There is not enough memory, or not as much as allowed.
    OutOfMemory {
        /// Bytes needed at once; `None` when that number is itself too large.
        needed: Option<usize>,
        /// The ceiling, if there is one.
        limit: Option<usize>,
    },
    /// The interrupt flag was set.
    Interrupted,
    /// A minimum or maximum, or the index of one, over an axis without elements.
    EmptyReduction {
        /// The fold.
        node: NodeId,
    },
    /// A check found an element at fault.
    CheckFailed {
        /// Which of [`Program::checks`].
        check: usize,
        /// The flat index of the first element at fault.
        index: u64,
    },
    /// An input has no data, or data of another dtype or shape than the program was checked for.
    Unbound {
        /// Which of [`Program::inputs`].
        input: usize,
    },
    /// A size is not known, because the program was checked without data.
    UnknownSize {
        /// The node.
        node: NodeId,
    },
    /// A broken invariant: the program, a kernel or its code did not pass verification.
    Internal(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::OutOfMemory { needed, limit } => {
                match needed {
                    Some(needed) => write!(f, "needs {needed} bytes")?,
                    None => write!(f, "needs more bytes than can be addressed")?,
                }
                limit.map_or(Ok(()), |limit| write!(f, ", limit {limit}"))
            }
            RunError::Interrupted => write!(f, "interrupted"),
            RunError::EmptyReduction { node } => write!(f, "%{} reduces nothing", node.0),
            RunError::CheckFailed { check, index } => write!(f, "check {check} fails at element {index}"),
            RunError::Unbound { input } => write!(f, "input {input} has no data"),
            RunError::UnknownSize { node } => write!(f, "the shape of %{} is not known", node.0),
            RunError::Internal(reason) => write!(f, "internal error: {reason}"),
        }
    }
}

impl std::error::Error for RunError {}

/// Runs a program: one array for each of its outputs.
///
/// # Errors
/// What went wrong first; see [`RunError`].
pub fn run(program: &Program, options: &Options) -> Result<Vec<Array>, RunError> {
    if options.verify {
        crate::ir::verify::program(program).map_err(RunError::Internal)?;
    }
    let _environment = environment::IeeeDefaults::set();
    match options.engine {
        Engine::Reference => {
            let needed = program.needed();
            prepare(program, &needed)?;
            reference::run(program, options, &needed)
        }
        Engine::Jit | Engine::Blocks => driver::run(program, options),
    }
}

/// The time that this thread spent compiling since the last call; nothing where nothing is compiled.
pub fn take_compile_time() -> std::time::Duration {
    #[cfg(all(feature = "jit", target_arch = "x86_64"))]
    return jit::take_compile_time();
    #[cfg(not(all(feature = "jit", target_arch = "x86_64")))]
    std::time::Duration::ZERO
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
    let output = |&node: &NodeId| Output { name: None, node, span: Default::default(), weak: false };
    let asked = Program { outputs: nodes.iter().map(output).collect(), checks: Vec::new(), ..program.clone() };
    let arrays = run(&asked, options)?;
    Ok(arrays.iter().map(|array| array.broadcast_to(shape).get(flat)).collect())
}

/// Finds what is wrong before anything runs: sizes that are unknown, inputs without data, reductions of nothing.
fn prepare(program: &Program, needed: &[bool]) -> Result<(), RunError> {
    for (index, node) in program.nodes.iter().enumerate().filter(|(index, _)| needed[*index]) {
        let id = NodeId(index as u32);
        let sizes = shape::sizes(&node.shape).ok_or(RunError::UnknownSize { node: id })?;
        // Also of what is never stored: elements are counted in a word.
        if extent(&sizes, 1).is_none() {
            return Err(RunError::OutOfMemory { needed: None, limit: None });
        }
        match &node.kind {
            NodeKind::Input(_) => same_as_bound(program, id)?,
            NodeKind::Fold { fold, arg, axes, .. } if !fold.has_identity() => {
                let shape = &program.node(*arg).shape;
                if axes.iter().any(|&axis| shape[axis as usize].known() == Some(0)) {
                    return Err(RunError::EmptyReduction { node: id });
                }
            }
            NodeKind::Fold { fold, arg, .. } | NodeKind::Scan { fold, arg, .. }
                if !fold::is_legal(*fold, program.node(*arg).dtype) =>
            {
                let dtype = program.node(*arg).dtype;
                return Err(RunError::Internal(format!("%{index}: there is no {} of {dtype}", fold.name())));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Fails when an input has no data, or other data than its node says.
fn same_as_bound(program: &Program, id: NodeId) -> Result<(), RunError> {
    let node = program.node(id);
    let NodeKind::Input(input) = node.kind else { return Ok(()) };
    let bound = program.inputs[input as usize].value.as_ref();
    let same = |array: &Array| {
        let sizes = array.shape().iter().map(|&size| Some(size as u64));
        array.dtype() == node.dtype && node.shape.iter().map(Dim::known).eq(sizes)
    };
    if bound.is_some_and(same) { Ok(()) } else { Err(RunError::Unbound { input: input as usize }) }
}

/// Fails with the first check whose scalar, as `value` gives it, is not -1.
fn checks(program: &Program, mut value: impl FnMut(NodeId) -> Result<Array, RunError>) -> Result<(), RunError> {
    for (check, condition) in program.checks.iter().enumerate() {
        let fault = value(condition.node)?.get(0).bits as i64;
        if fault >= 0 {
            return Err(RunError::CheckFailed { check, index: fault as u64 });
        }
    }
    Ok(())
}
