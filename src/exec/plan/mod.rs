//! The memory of a program, decided before there is any.
//!
//! [`build`] goes from a program and the layouts of its inputs to a [`Plan`]: a flat list of steps over numbered
//! buffers. It decides where every array lies and for how long ([`liveness`]), which result is made in the place of an
//! operand ([`room`], [`alias`]), in which order loops are nested ([`nest`]) and what they are worth ([`cost`]).
//! Nothing is allocated, compiled or run, so a plan can be printed ([`print`]), verified ([`verify`]) and tested alone.
//! [`windows`] says which arrays pass through windows if they are larger than memory, [`outlook`] what a run needs
//! then. [`cache`] keeps plans, with the code that their loops get when they first run; [`super::run`] follows them.
//!
//! ```text
//! sum(2 * a)    in0 = f32[1000] [4]          allocate b0
//!               b0  = f32[]                  rows [1000] reduced 1: in0 -> sum b0
//!                                            give b0
//! ```

mod alias;
mod build;
mod cache;
pub(crate) mod cost;
mod liveness;
mod loops;
mod nest;
mod outlook;
mod print;
mod reader;
mod reductions;
mod room;
mod storage;
#[cfg(test)]
mod tests;
mod verify;
mod windows;

use crate::array::{Array, Sizes, Strides};
use crate::exec::space::PerOperand;
use crate::ir::NodeId;
use crate::types::DType;
#[cfg(feature = "object")]
pub(crate) use build::for_lengths;
#[cfg(feature = "cli")]
pub(crate) use build::kernels;
pub(crate) use cache::{Demands, LentNodes, plan_of, plan_with_code};
pub(crate) use cost::{ElementCost, Share};
pub(crate) use loops::{Loops, Use};
pub(crate) use nest::{Nest, NestKind, PositionSource, positions};
pub use outlook::Outlook;
pub(crate) use outlook::outlook;
pub(crate) use print::text;
pub(crate) use reader::PositionReader;
pub(crate) use reductions::Reduction;
use smallvec::smallvec;
pub(crate) use storage::{Storage, StoredArray};
pub(crate) use windows::{Window, WindowPass, WindowPlan, WindowRoom};

/// A program, ready to run over inputs of certain layouts.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The inputs that are read.
    pub(crate) inputs: Vec<InputLayout>,
    pub(crate) buffers: Vec<PlannedBuffer>,
    /// Constants that are given or read as arrays.
    pub(crate) constants: Vec<Array>,
    pub(crate) steps: Vec<PlanStep>,
    /// The arrays that the program gives.
    pub(crate) outputs: Vec<StoredArray>,
}

/// How an input lies in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct InputLayout {
    /// Its number among the inputs of the program.
    pub(crate) input: u32,
    pub(crate) node: NodeId,
    pub(crate) dtype: DType,
    pub(crate) sizes: Sizes,
    pub(crate) strides: Strides,
}

impl InputLayout {
    /// Whether an array lies like this.
    pub(crate) fn is_of(&self, array: &Array) -> bool {
        // Axes are few: comparing them one by one is faster than a call that compares memory.
        array.dtype() == self.dtype && array.shape().iter().eq(&self.sizes) && array.strides().iter().eq(&self.strides)
    }
}

/// Memory that a plan asks for: room for elements of a dtype in C order. A result that is made in the place of an
/// operand may have another dtype of the same size.
#[derive(Debug)]
pub(crate) struct PlannedBuffer {
    pub(crate) dtype: DType,
    pub(crate) sizes: Sizes,
    /// The node whose memory it is, if somebody lends some for it.
    pub(crate) lent: Option<NodeId>,
}

/// One step of a run.
#[derive(Debug)]
pub(crate) enum PlanStep {
    /// A buffer gets its memory. Its elements are not written yet.
    Allocate(u32),
    /// Loops run.
    Run(Box<LoopNest>),
    /// Nobody reads a buffer any more.
    Release(u32),
    /// The run ends here if the scalar is not -1.
    Check { check: usize, at: StoredArray },
}

/// Where an operand of loops begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// The operand is a count that begins with this value.
    Count(isize),
    /// The operand begins `offset` bytes from where a storage begins.
    At { storage: Storage, offset: isize },
}

/// Nested loops over storage.
#[derive(Debug)]
pub(crate) struct LoopNest {
    pub(crate) loops: Loops,
    /// Where each operand begins.
    pub(crate) origins: PerOperand<Origin>,
    /// The readers of elements by position.
    pub(crate) readers: Vec<PositionReader>,
    pub(crate) nest: Nest,
}

impl LoopNest {
    /// Copies elements from some strides to others.
    pub(crate) fn copy(from: &StoredArray, to: Origin, strides: &[isize]) -> LoopNest {
        let mut loops = Loops::copy(from.dtype, &from.sizes, &from.strides, strides);
        let origin = Origin::At { storage: from.storage, offset: from.offset };
        let nest = Nest::new(&mut loops);
        LoopNest { loops, origins: smallvec![origin, to], readers: Vec::new(), nest }
    }
}
