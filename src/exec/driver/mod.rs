//! Walks kernels over memory.
//!
//! The driver owns the arrays of a run: it resolves each kernel's sources to arrays (views of inputs and of earlier
//! results), makes room for its results, and lets go of what no later kernel reads. How a kernel's loops are laid out
//! is decided in [`walk`]; loops that fold are run by [`reduce`].

mod reduce;
mod store;
mod walk;

use super::block::Interpreter;
use super::memory::Meter;
use super::stepping::{Code, Loop, Operand};
use super::{Engine, Options, RunError};
use crate::array::Array;
use crate::ir::{NodeId, NodeKind, Program};
use crate::kernel::{self, Kernel, Sink, Source, fuse};
use store::Store;

/// Runs a program as kernels.
pub(super) fn run(program: &Program, options: &Options) -> Result<Vec<Array>, RunError> {
    let kernels = fuse::fuse(program).map_err(|fuse::UnknownSize(node)| RunError::UnknownSize { node })?;
    if options.verify {
        for kernel in &kernels {
            kernel::verify::kernel(program, kernel).map_err(RunError::Internal)?;
        }
    }
    let mut store = Store::new(program, Meter::new(options.max_memory));
    let last = last_uses(program, &kernels);
    for (index, kernel) in kernels.iter().enumerate() {
        options.poll()?;
        walk::run(kernel, &mut store, options)?;
        for node in sources(kernel) {
            if last[fuse::base(program, node).index()] == index as u32 {
                store.forget(node);
            }
        }
    }
    super::checks(program, |node| store.scalar(node))?;
    program.outputs.iter().map(|output| store.array(output.node, options)).collect()
}

/// The nodes whose arrays a kernel reads.
fn sources(kernel: &Kernel) -> impl Iterator<Item = NodeId> {
    kernel.sources.iter().filter_map(|source| match source {
        Source::Array { node, .. } => Some(*node),
        Source::Coordinate { .. } => None,
    })
}

/// For each node in memory, which kernel reads it last; what the program gives is kept forever.
fn last_uses(program: &Program, kernels: &[Kernel]) -> Vec<u32> {
    let mut last = vec![0; program.nodes.len()];
    for (index, kernel) in kernels.iter().enumerate() {
        sources(kernel).for_each(|node| last[fuse::base(program, node).index()] = index as u32);
    }
    let given = program.outputs.iter().map(|output| output.node).chain(program.checks.iter().map(|check| check.node));
    given.for_each(|node| last[fuse::base(program, node).index()] = u32::MAX);
    for (index, node) in program.nodes.iter().enumerate() {
        if matches!(node.kind, NodeKind::Input(_)) {
            last[index] = u32::MAX;
        }
    }
    last
}

/// The nodes that a kernel makes, with their values.
fn results(kernel: &Kernel) -> impl Iterator<Item = NodeId> {
    kernel.sinks.iter().map(|sink| match sink {
        Sink::Store { node, .. } | Sink::Fold { node, .. } => *node,
    })
}

/// What runs an inner loop.
enum Runner<'l> {
    #[cfg(all(feature = "jit", target_arch = "x86_64"))]
    Compiled(super::jit::Instance),
    Interpreted(Interpreter<'l>),
}

impl<'l> Runner<'l> {
    /// Compiles a loop, or prepares to interpret it where that fails.
    fn new(code: &'l Loop, options: &Options) -> Result<Runner<'l>, RunError> {
        #[cfg(all(feature = "jit", target_arch = "x86_64"))]
        if options.engine == Engine::Jit {
            match super::jit::instance(code, options.verify) {
                Ok(instance) => return Ok(Runner::Compiled(instance)),
                Err(reason) => options.note(format!("kernels are interpreted: {reason}")),
            }
        }
        let _ = (options, Engine::Blocks);
        let refused = |_| RunError::OutOfMemory { needed: None, limit: options.max_memory };
        Ok(Runner::Interpreted(Interpreter::new(code).map_err(refused)?))
    }
}

impl Code for Runner<'_> {
    unsafe fn run(&mut self, operands: &[Operand], start: usize, len: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            match self {
                #[cfg(all(feature = "jit", target_arch = "x86_64"))]
                Runner::Compiled(instance) => instance.run(operands, start, len),
                Runner::Interpreted(interpreter) => interpreter.run(operands, start, len),
            }
        }
    }
}
