//! Kernels: fused loops, each one straight-line body over a space of elements.
//!
//! A kernel reads its inputs, computes its [`Body`] for every element of its space, and stores some of the values. A
//! value that is reduced or scanned, or that holds positions to read at, is stored a block of [`BLOCK`] elements at a
//! time, and used from there.
//! Kernels are made by [`fuse`] from a [`crate::ir::Program`], evaluated by `exec`, and hold no data.
//!
//! A walk says where an array is read or written: it has an [`AxisWalk`] for each axis of the array. Slices, also
//! backwards, transposes and broadcasts are just other walks.

mod cluster;
mod cut;
pub mod fuse;
mod fusion;
mod group;
mod limits;
mod merge;
pub mod print;
mod region;
mod short;
mod snapshot;
#[cfg(test)]
mod tests;
pub(crate) mod trim;
pub(crate) mod unread;
pub mod verify;
mod walk;

use crate::ir::{Fold, NodeId, NodeKind, Program};
use crate::scalar::prim::Prim;
use crate::types::DType;

/// Elements of one block: the unit of float sums, and of what stays in the first-level cache.
pub const BLOCK: usize = 1024;

/// Straight-line code in single-assignment form: every operand is an earlier instruction.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Body {
    /// The instructions.
    pub insts: Vec<Inst>,
}

/// An instruction by its place in the body, and the value that it gives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct InstId(pub u32);

/// One instruction of a [`Body`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Inst {
    /// What it computes.
    pub op: InstOp,
    /// The dtype of its result.
    pub dtype: DType,
}

/// What an instruction computes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InstOp {
    /// The current element of a source.
    Load(u32),
    /// The current value of a counting source: its base plus its step times the element's index. An `i64`.
    Iota(u32),
    /// A constant: the bits.
    Const(u128),
    /// A prim of earlier values.
    Prim(Prim, [Option<InstId>; 3]),
}

impl Body {
    /// The instruction that makes a value.
    pub(crate) fn inst(&self, value: InstId) -> &Inst {
        &self.insts[value.0 as usize]
    }

    /// The dtype of a value.
    pub(crate) fn dtype(&self, value: InstId) -> DType {
        self.inst(value).dtype
    }

    /// Adds an instruction. Returns its value.
    pub(crate) fn push(&mut self, op: InstOp, dtype: DType) -> InstId {
        self.insts.push(Inst { op, dtype });
        InstId(self.insts.len() as u32 - 1)
    }

    /// The low bits of a value that is a constant.
    pub(crate) fn constant(&self, value: InstId) -> Option<u64> {
        match self.inst(value).op {
            InstOp::Const(bits) => Some(bits as u64),
            InstOp::Load(_) | InstOp::Iota(_) | InstOp::Prim(..) => None,
        }
    }
}

/// A loop over a space.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kernel {
    /// The lengths of the space, outermost first. Reduced axes, if any, come last.
    pub space: Vec<usize>,
    /// How many of the last axes are reduced; 0 when nothing is.
    pub reduced: usize,
    /// The sources that `Load` and `Iota` refer to.
    pub sources: Vec<KernelSource>,
    /// The code for one element.
    pub body: Body,
    /// What becomes of the values.
    pub sinks: Vec<Sink>,
}

/// How one axis of an array is walked: at element `i` of an axis of the space, its position is `start + step * i`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AxisWalk {
    /// The axis of the space; `None` stays at `start`.
    pub axis: Option<usize>,
    /// The position of the space's first element.
    pub start: isize,
    /// How far one element of the space is from the next; 0 without an axis.
    pub step: isize,
}

impl AxisWalk {
    /// One position of an axis, always.
    pub fn fixed(start: isize) -> AxisWalk {
        AxisWalk { axis: None, start, step: 0 }
    }

    /// All of an axis, in order, along an axis of the space.
    pub fn along(axis: usize) -> AxisWalk {
        AxisWalk { axis: Some(axis), start: 0, step: 1 }
    }

    /// The walk whose positions are `start + step * position`, for each `position` of this walk.
    #[must_use]
    pub fn through(self, start: isize, step: isize) -> AxisWalk {
        let from = start.wrapping_add(step.wrapping_mul(self.start));
        AxisWalk { axis: self.axis, start: from, step: self.step.wrapping_mul(step) }
    }

    /// The position at an element of the space.
    pub fn position(self, index: usize) -> isize {
        self.start.wrapping_add(self.step.wrapping_mul(index as isize))
    }
}

/// Where a kernel reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KernelSource {
    /// The array that holds a node. If no part of the walk names an axis of the space, the elements repeat along it.
    Array {
        /// An input, an earlier kernel's result, or a view of one.
        node: NodeId,
        /// How each axis of the array is walked.
        walk: Vec<AxisWalk>,
    },
    /// A coordinate of the space, times a step, from a start.
    Coordinate(AxisWalk),
}

/// What becomes of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sink {
    /// Every element is stored in the array of a node.
    Store {
        /// What is stored.
        value: InstId,
        /// The node that this makes, or makes part of.
        node: NodeId,
        /// How each axis of the node is walked.
        walk: Vec<AxisWalk>,
        /// Who stores the node's other elements.
        extent: Extent,
    },
    /// The reduced axes are folded in logical C order: the result is this node.
    Fold {
        /// What is folded.
        value: InstId,
        /// How.
        fold: Fold,
        /// The node that this makes; it has the unreduced axes of the space in order (and lengths of 1 if kept).
        node: NodeId,
    },
    /// The one reduced axis is scanned: the result is this node.
    Scan {
        /// What is scanned.
        value: InstId,
        /// How.
        fold: Fold,
        /// The node that this makes.
        node: NodeId,
        /// How each axis of the node is walked.
        walk: Vec<AxisWalk>,
    },
    /// The values are positions along an axis of an array. The elements at these positions make the node.
    Gather {
        /// The positions.
        value: InstId,
        /// The array that is read. It is in memory.
        arg: NodeId,
        /// An axis of `arg`.
        axis: usize,
        /// The node that this makes; the space takes the place of the axis.
        node: NodeId,
    },
}

/// Where the elements of a node come from that a store does not make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// There are no others.
    Whole,
    /// Other stores of the same node make them, before or after this one.
    Part,
    /// They come from this array, which is in memory. The store may reuse it if no later kernel reads it.
    Over(NodeId),
}

impl Sink {
    /// The value that is stored or used.
    pub fn value(&self) -> InstId {
        let (Sink::Store { value, .. }
        | Sink::Fold { value, .. }
        | Sink::Scan { value, .. }
        | Sink::Gather { value, .. }) = self;
        *value
    }

    /// The node that this makes, or makes part of.
    pub fn node(&self) -> NodeId {
        let (Sink::Store { node, .. } | Sink::Fold { node, .. } | Sink::Scan { node, .. } | Sink::Gather { node, .. }) =
            self;
        *node
    }

    /// The array that this reads besides the kernel's sources, if it reads one.
    pub fn reads(&self) -> Option<NodeId> {
        match self {
            Sink::Gather { arg, .. } => Some(*arg),
            Sink::Store { extent: Extent::Over(base), .. } => Some(*base),
            Sink::Store { .. } | Sink::Fold { .. } | Sink::Scan { .. } => None,
        }
    }
}

impl Kernel {
    /// The arrays that are read, in no order; one may come twice.
    pub fn reads(&self) -> impl Iterator<Item = NodeId> {
        let sources = self.sources.iter().filter_map(|source| match source {
            KernelSource::Array { node, .. } => Some(*node),
            KernelSource::Coordinate(_) => None,
        });
        sources.chain(self.sinks.iter().filter_map(Sink::reads))
    }
}

/// Which nodes of a program kernels put in memory.
#[derive(Clone, Debug)]
pub struct StoredNodes {
    stored: Vec<bool>,
}

impl StoredNodes {
    /// The nodes that these kernels make.
    pub fn by(program: &Program, kernels: &[Kernel]) -> StoredNodes {
        let mut stored = vec![false; program.nodes.len()];
        kernels.iter().flat_map(|kernel| &kernel.sinks).for_each(|sink| stored[sink.node().index()] = true);
        StoredNodes { stored }
    }

    /// The operand of a view that is not stored; `None` for every other node.
    pub fn argument(&self, program: &Program, id: NodeId) -> Option<NodeId> {
        let NodeKind::View { arg, .. } = program.node(id).kind else { return None };
        (!self.stored[id.index()]).then_some(arg)
    }

    /// The node in memory whose elements a chain of views shows.
    pub fn home(&self, program: &Program, mut id: NodeId) -> NodeId {
        while let Some(arg) = self.argument(program, id) {
            id = arg;
        }
        id
    }
}
