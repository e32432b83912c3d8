//! The options of a run, with the ways it may end: the ground that all of [`crate::exec`] stands on.
//!
//! ```
//! use arrlang::exec::{Engine, Options, RunError};
//! let options = Options { engine: Engine::Blocks, max_memory: Some(1 << 20), ..Options::default() };
//! assert!(options.threads.is_none());
//! assert_eq!(RunError::Interrupted.to_string(), "interrupted");
//! ```

use super::ask::Ask;
use crate::ir::{NodeId, Program};
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
    /// Whether the program, its schedule, its kernels and their code are verified first.
    pub verify: bool,
    /// The most bytes that results and intermediate arrays may take at once.
    pub max_memory: Option<usize>,
    /// The most threads that compute at once, this one included, at most [`super::MAX_THREADS`]; absent: as many as
    /// this process may [run at once](super::available_threads). Results do not depend on it.
    pub threads: Option<NonZeroUsize>,
    /// Work that is estimated to take less time than this is not given to another thread. Absent: what was measured to
    /// pay; tests set it to nothing, so that small arrays are shared too.
    pub grain: Option<Duration>,
    /// Becomes true when the run should stop.
    pub interrupt: Option<&'a AtomicBool>,
    /// Is asked now and then whether the run should stop, for whom no flag can be set.
    pub ask: Option<&'a Ask<'a>>,
    /// Is told at once what a user may want to know while a run goes on: how long a loop will take.
    pub on_progress: Option<fn(&str)>,
    /// Receives what a user may want to know though nothing is wrong, such as why kernels are not compiled.
    pub notes: Option<&'a RefCell<Vec<String>>>,
}

/// What every thread of a run heeds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch<'a> {
    pub(super) interrupt: Option<&'a AtomicBool>,
    pub(super) ask: Option<&'a Ask<'a>>,
    pub(super) limit: Option<usize>,
}

impl Watch<'_> {
    /// Whether to go on.
    pub(crate) fn poll(&self) -> Result<(), RunError> {
        let told = self.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed));
        if told || self.ask.is_some_and(Ask::says_stop) { Err(RunError::Interrupted) } else { Ok(()) }
    }

    /// The error for scratch that there is no memory for: the system has no more, whatever the limit.
    pub(crate) fn out_of_memory(&self) -> RunError {
        RunError::OutOfMemory { needed: None, limit: None }
    }
}

impl<'a> Options<'a> {
    pub(crate) fn watch(&self) -> Watch<'a> {
        Watch { interrupt: self.interrupt, ask: self.ask, limit: self.max_memory }
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

/// A step of a loop that went wrong.
#[derive(Clone, Debug)]
pub struct FailedStep {
    /// The step as a program, with what it was given.
    pub program: Program,
    /// Which step, counted from 0.
    pub number: u64,
    /// The name of that number.
    pub counter: Option<String>,
    /// What went wrong in it.
    pub error: RunError,
}

impl PartialEq for FailedStep {
    fn eq(&self, other: &FailedStep) -> bool {
        self.number == other.number && self.error == other.error
    }
}

impl Eq for FailedStep {}

/// Why a run ended without results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunError {
    /// There is not enough memory, or not as much as allowed.
    OutOfMemory {
        /// Bytes needed at once; `None` when that number is itself too large, or not known.
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
        /// The place of the check in [`Program::checks`].
        check: usize,
        /// The flat index of the first element at fault.
        index: u64,
    },
    /// An input has no data, or data of another dtype or shape than the program was checked for.
    Unbound {
        /// The place of the input in [`Program::inputs`].
        input: usize,
    },
    /// Memory that is lent for an output has another dtype or shape.
    Misfit {
        /// The place of the output in [`crate::ir::Program::outputs`].
        output: usize,
    },
    /// A size is not known, because the program was checked without data.
    UnknownSize {
        /// The node.
        node: NodeId,
    },
    /// An array would have more elements than one may have; only the data decided how many.
    TooManyElements {
        /// The node.
        node: NodeId,
    },
    /// Elements are taken of an axis that has too few; only the data decided how long it is.
    TooShort {
        /// What takes them.
        node: NodeId,
    },
    /// An input cannot be read any further.
    Unreadable {
        /// The place of the input in [`crate::ir::Program::inputs`].
        input: usize,
        /// Why.
        reason: String,
    },
    /// What takes an output refuses more of it.
    Unwritable {
        /// The place of the output in [`crate::ir::Program::outputs`].
        output: usize,
        /// Why.
        reason: String,
    },
    /// A step of a loop went wrong.
    Step(Box<FailedStep>),
    /// A broken invariant: the program, a kernel or its code did not pass verification.
    Internal(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::OutOfMemory { needed, limit } => {
                match needed {
                    Some(needed) => write!(f, "needs {needed} bytes")?,
                    None => write!(f, "needs more bytes than there are")?,
                }
                limit.map_or(Ok(()), |limit| write!(f, ", limit {limit}"))
            }
            RunError::Interrupted => write!(f, "interrupted"),
            RunError::EmptyReduction { node } => write!(f, "%{} reduces nothing", node.0),
            RunError::TooShort { node } => write!(f, "%{} takes elements that are not there", node.0),
            RunError::CheckFailed { check, index } => write!(f, "check {check} fails at element {index}"),
            RunError::Step(step) => write!(f, "step {}: {}", step.number, step.error),
            RunError::Unbound { input } => write!(f, "input {input} has no data"),
            RunError::Misfit { output } => write!(f, "output {output} does not fit the memory"),
            RunError::TooManyElements { node } => write!(f, "%{} has too many elements", node.0),
            RunError::UnknownSize { node } => write!(f, "the shape of %{} is not known", node.0),
            RunError::Unreadable { input, reason } => write!(f, "input {input} cannot be read: {reason}"),
            RunError::Unwritable { output, reason } => write!(f, "output {output} cannot be written: {reason}"),
            RunError::Internal(reason) => write!(f, "internal error: {reason}"),
        }
    }
}

impl std::error::Error for RunError {}
