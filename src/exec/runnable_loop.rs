//! Innermost loops that can run: compiled to machine code, or interpreted.
#![expect(unsafe_code, reason = "the operands of a loop are addresses with strides, not slices")]

use super::block::Interpreter;
use super::jit::{self, Instance, PreparedLoop};
use super::options::{Engine, Options, RunError, Watch};
use super::stepping::{Code, Loop, LoopOperand};

/// Elements of a block of a loop that is too short to be compiled.
const SHORT_BLOCK_ELEMENTS: usize = 64;

/// An inner loop, compiled or about to be interpreted.
pub(crate) enum RunnableLoop {
    Compiled(PreparedLoop),
    Interpreted {
        code: Box<Loop>,
        /// Whether it has few elements.
        short: bool,
        /// Why it could not be compiled.
        reason: Option<String>,
    },
}

impl std::fmt::Debug for RunnableLoop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", if self.is_interpreted() { "interpreted" } else { "compiled" })
    }
}

impl RunnableLoop {
    /// Compiles a loop, or chooses to interpret it where that fails, or where it is too short to be worth it.
    pub(crate) fn new(code: &Loop, short: bool, options: &Options) -> RunnableLoop {
        let interpreted = |reason| RunnableLoop::Interpreted { code: Box::new(code.clone()), short, reason };
        if short || options.engine != Engine::Jit || !jit::IS_BUILT {
            return interpreted(None);
        }
        match jit::prepare(code, options.verify) {
            Ok(prepared) => RunnableLoop::Compiled(prepared),
            Err(reason) => interpreted(Some(reason)),
        }
    }

    /// Compiles a loop with dense outputs that pass the caches by, if there is such code.
    pub(crate) fn streaming(code: &Loop, options: &Options) -> Option<RunnableLoop> {
        if options.engine != Engine::Jit {
            return None;
        }
        jit::prepare(&code.streaming(), options.verify).ok().map(RunnableLoop::Compiled)
    }

    /// Whether the loop is not compiled.
    fn is_interpreted(&self) -> bool {
        matches!(self, RunnableLoop::Interpreted { .. })
    }

    /// Tells the user why the loop is interpreted, if that was not the plan.
    pub(crate) fn note(&self, options: &Options) {
        if let RunnableLoop::Interpreted { reason: Some(reason), .. } = self {
            options.note(format!("kernels are interpreted: {reason}"));
        }
    }

    /// What runs the loop on one thread.
    pub(crate) fn runner(&self, watch: Watch) -> Result<Runner<'_>, RunError> {
        let refused = |_| watch.out_of_memory();
        Ok(match self {
            RunnableLoop::Compiled(prepared) => Runner::Compiled(jit::instance(prepared).map_err(refused)?),
            RunnableLoop::Interpreted { code, short, .. } => {
                let interpreter = match short {
                    true => Interpreter::for_blocks(code, SHORT_BLOCK_ELEMENTS),
                    false => Interpreter::new(code),
                };
                Runner::Interpreted(Box::new(interpreter.map_err(refused)?))
            }
        })
    }
}

/// What runs an inner loop on one thread.
pub(crate) enum Runner<'l> {
    Compiled(Instance<'l>),
    /// Many words, which would be moved for compiled loops too.
    Interpreted(Box<Interpreter<'l>>),
}

impl Code for Runner<'_> {
    unsafe fn run(&mut self, operands: &[LoopOperand], start: usize, len: usize) {
        // SAFETY: the caller promises what [`Code::run`] asks for; either kind asks for the same.
        unsafe {
            match self {
                Runner::Compiled(instance) => instance.run(operands, start, len),
                Runner::Interpreted(interpreter) => interpreter.run(operands, start, len),
            }
        }
    }

    unsafe fn rows_at_once(
        &mut self,
        operands: &[LoopOperand],
        elements: (usize, usize),
        rows: usize,
        to_next: &[isize],
    ) -> bool {
        // SAFETY: the caller promises what [`Code::rows_at_once`] asks for; either kind asks for the same.
        unsafe {
            match self {
                Runner::Compiled(instance) => instance.rows_at_once(operands, elements, rows, to_next),
                Runner::Interpreted(interpreter) => interpreter.rows_at_once(operands, elements, rows, to_next),
            }
        }
    }
}
