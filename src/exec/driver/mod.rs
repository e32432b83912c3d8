//! Walks kernels over memory.
//!
//! The driver owns the arrays of a run: it resolves each kernel's sources to arrays (views of inputs and of earlier
//! results), makes room for its results, and lets go of what no later kernel reads. [`bind`] turns sources and sinks
//! into addresses and [`loops`], [`walk`] runs them, [`cost`] says what they are worth. [`fused`] keeps the kernels of
//! programs, [`lives`] when their arrays are needed, [`laid`] how kernels were laid out, [`again`] where operands were.
//! [`map`] runs those whose elements are independent, [`rows`] and [`columns`] those that fold or scan, [`single`]
//! those of one element; [`gather`] reads by position.

mod again;
mod alias;
mod bind;
mod columns;
mod cost;
mod fused;
mod gather;
mod laid;
mod lives;
mod loops;
mod map;
mod reduce;
mod rows;
mod single;
mod store;
mod stream;
mod walk;

use super::block::Interpreter;
use super::lent::Lent;
use super::memory::Meter;
use super::options::{Engine, Options, RunError, Watch};
use super::stepping::{Code, Loop, Operand};
use crate::array::Array;
use crate::ir::{NodeId, Program};
use fused::fused;
use store::Store;

/// So many elements are computed sooner than code for them is compiled; of a few kernels nobody notices.
const SHORT: usize = 64;
const MANY: usize = 16;

/// Runs a program as kernels, which may write to memory that is lent for nodes.
pub(super) fn run(program: &Program, options: &Options, lent: &[(NodeId, &Lent)]) -> Result<Vec<Array>, RunError> {
    run_metered(program, options, lent, &mut Meter::new(options.max_memory))
}

/// An array of the same elements in memory of its own.
pub(super) fn copied(array: &Array, options: &Options) -> Result<Array, RunError> {
    let bytes = walk::copied(array, &mut Meter::new(options.max_memory), options)?;
    Ok(Array::from_bytes(array.dtype(), array.shape(), bytes))
}

/// Copies the elements of an array to memory that is lent.
pub(super) fn copy_to(array: &Array, lent: &Lent, options: &Options) -> Result<(), RunError> {
    walk::copy_to(array, lent.first().addr(), lent.strides(), options)
}

/// Runs a program as kernels; the meter counts what they hold.
pub(super) fn run_metered(
    program: &Program,
    options: &Options,
    lent: &[(NodeId, &Lent)],
    meter: &mut Meter,
) -> Result<Vec<Array>, RunError> {
    let fused = fused(program, options.verify)?;
    let kernels = &fused.kernels;
    let mut store = Store::new(program, &fused.lives, meter, lent);
    store.could_hold(kernels)?;
    for (kernel, layout) in kernels.iter().zip(&fused.layouts) {
        options.poll()?;
        let elements = kernel.space.iter().try_fold(1usize, |count, &len| count.checked_mul(len));
        let short = kernels.len() > MANY && elements.is_some_and(|count| count <= SHORT) && !options.verify;
        if !single::run(kernel, &mut store, options)? {
            bind::run(kernel, short, layout, &mut store, options)?;
        }
        store.end_kernel(kernel);
    }
    super::preflight::checks(program, |node| store.array(node, options))?;
    match &program.outputs[..] {
        [only] => Ok(vec![store.give(only.node, options)?]),
        outputs => outputs.iter().map(|output| store.array(output.node, options)).collect(),
    }
}

/// An inner loop, compiled or about to be interpreted.
enum Ready {
    #[cfg(all(feature = "jit", target_arch = "x86_64"))]
    Compiled(super::jit::Prepared),
    /// Perhaps because it is short.
    Interpreted { code: Box<Loop>, short: bool },
}

impl Ready {
    /// Compiles a loop, or chooses to interpret it where that fails, or where it is too short to be worth it.
    fn new(code: Loop, short: bool, options: &Options) -> Ready {
        if short {
            return Ready::Interpreted { code: Box::new(code), short };
        }
        #[cfg(all(feature = "jit", target_arch = "x86_64"))]
        if options.engine == Engine::Jit {
            match super::jit::prepare(&code, options.verify) {
                Ok(prepared) => return Ready::Compiled(prepared),
                Err(reason) => options.note(format!("kernels are interpreted: {reason}")),
            }
        }
        let _ = (options, Engine::Blocks);
        Ready::Interpreted { code: Box::new(code), short }
    }

    /// Compiles a loop with dense outputs that pass the caches by, if there is such code.
    fn streaming(code: &Loop, options: &Options) -> Option<Ready> {
        #[cfg(all(feature = "jit", target_arch = "x86_64"))]
        if options.engine == Engine::Jit {
            return super::jit::prepare(&code.streaming(), options.verify).ok().map(Ready::Compiled);
        }
        let _ = (code, options);
        None
    }

    /// Whether it is machine code.
    fn is_compiled(&self) -> bool {
        !matches!(self, Ready::Interpreted { .. })
    }

    /// One for a thread.
    fn runner(&self, watch: Watch) -> Result<Runner<'_>, RunError> {
        let runner = match self {
            #[cfg(all(feature = "jit", target_arch = "x86_64"))]
            Ready::Compiled(prepared) => prepared.instance().map(Runner::Compiled),
            Ready::Interpreted { code, short: true } => Interpreter::for_blocks(code, SHORT).map(Runner::Interpreted),
            Ready::Interpreted { code, short: false } => Interpreter::new(code).map(Runner::Interpreted),
        };
        runner.map_err(|_| watch.refused())
    }
}

/// What runs an inner loop on one thread.
enum Runner<'l> {
    #[cfg(all(feature = "jit", target_arch = "x86_64"))]
    Compiled(super::jit::Instance<'l>),
    Interpreted(Interpreter<'l>),
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

    unsafe fn rows_at_once(
        &mut self,
        operands: &[Operand],
        elements: (usize, usize),
        rows: usize,
        to_next: &[isize],
    ) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            match self {
                #[cfg(all(feature = "jit", target_arch = "x86_64"))]
                Runner::Compiled(instance) => instance.rows_at_once(operands, elements, rows, to_next),
                Runner::Interpreted(interpreter) => interpreter.rows_at_once(operands, elements, rows, to_next),
            }
        }
    }
}
