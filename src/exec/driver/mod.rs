//! Walks kernels over memory.
//!
//! The driver owns the arrays of a run: it resolves each kernel's sources to arrays (views of inputs and of earlier
//! results), makes room for its results, and lets go of what no later kernel reads. [`bind`] turns sources and sinks
//! into addresses and strides, [`walk`] lays out the loops; those that fold or scan are run by [`reduce`], and
//! [`gather`] reads by position.

mod alias;
mod bind;
mod gather;
mod reduce;
mod store;
mod walk;

use super::block::Interpreter;
use super::memory::Meter;
use super::stepping::{Code, Loop, Operand};
use super::{Engine, Options, RunError};
use crate::array::Array;
use crate::ir::Program;
use crate::kernel::{self, fuse};
use store::Store;

/// So many elements are computed sooner than code for them is compiled; of a few kernels nobody notices.
const SHORT: usize = 64;
const MANY: usize = 16;

/// Runs a program as kernels.
pub(super) fn run(program: &Program, options: &Options) -> Result<Vec<Array>, RunError> {
    run_metered(program, options, &mut Meter::new(options.max_memory))
}

/// Runs a program as kernels; the meter counts what they hold.
pub(super) fn run_metered(program: &Program, options: &Options, meter: &mut Meter) -> Result<Vec<Array>, RunError> {
    let kernels = fuse::fuse(program).map_err(|fuse::UnknownSize(node)| RunError::UnknownSize { node })?;
    if options.verify {
        for kernel in &kernels {
            kernel::verify::kernel(program, kernel).map_err(RunError::Internal)?;
        }
    }
    let mut store = Store::new(program, &kernels, meter);
    for kernel in &kernels {
        options.poll()?;
        let elements = kernel.space.iter().try_fold(1usize, |count, &len| count.checked_mul(len));
        let short = kernels.len() > MANY && elements.is_some_and(|count| count <= SHORT) && !options.verify;
        bind::run(kernel, short, &mut store, options)?;
        store.end_kernel(kernel);
    }
    super::checks(program, |node| store.array(node, options))?;
    program.outputs.iter().map(|output| store.array(output.node, options)).collect()
}

/// What runs an inner loop.
enum Runner<'l> {
    #[cfg(all(feature = "jit", target_arch = "x86_64"))]
    Compiled(super::jit::Instance),
    Interpreted(Interpreter<'l>),
}

impl<'l> Runner<'l> {
    /// Compiles a loop, or prepares to interpret it where that fails, or where it is too short to be worth it.
    fn new(code: &'l Loop, short: bool, options: &Options) -> Result<Runner<'l>, RunError> {
        let refused = |_| RunError::OutOfMemory { needed: None, limit: options.max_memory };
        if short {
            return Ok(Runner::Interpreted(Interpreter::for_blocks(code, SHORT).map_err(refused)?));
        }
        #[cfg(all(feature = "jit", target_arch = "x86_64"))]
        if options.engine == Engine::Jit {
            match super::jit::instance(code, options.verify) {
                Ok(instance) => return Ok(Runner::Compiled(instance)),
                Err(reason) => options.note(format!("kernels are interpreted: {reason}")),
            }
        }
        let _ = (options, Engine::Blocks);
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
