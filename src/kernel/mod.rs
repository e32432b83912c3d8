//! Kernels: fused loops, each one straight-line body over a space of elements.
//!
//! A kernel reads its inputs, computes its [`Body`] for every element of its space, and stores some of the values;
//! a value that is reduced is stored a block of [`BLOCK`] elements at a time, and folded from there. Kernels are
//! made by [`fuse`] from a [`crate::ir::Program`], evaluated by `exec`, and hold no data.

mod cone;
pub mod fuse;
mod merge;
pub mod print;
pub mod verify;

use crate::ir::{Fold, NodeId};
use crate::scalar::prim::Prim;
use crate::types::DType;

/// Elements of one block: the unit of float sums, and of what stays in the first-level cache.
pub const BLOCK: usize = 1024;

/// Whether computing a prim again costs more than writing its result to memory and reading it back.
pub fn is_costly(prim: Prim) -> bool {
    use Prim::*;
    matches!(
        prim,
        Pow | Exp
            | Exp2
            | Expm1
            | Log
            | Log2
            | Log10
            | Log1p
            | Sin
            | Cos
            | Tan
            | Asin
            | Acos
            | Atan
            | Atan2
            | Sinh
            | Cosh
            | Tanh
            | Asinh
            | Acosh
            | Atanh
            | Cbrt
            | Hypot
            | Erf
            | Erfc
            | Gamma
            | Lgamma
            | Fmod
            | Gcd
    )
}

/// Straight-line code in single-assignment form: every operand is an earlier instruction.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Body {
    /// The instructions.
    pub insts: Vec<Inst>,
}

/// An instruction's result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Value(pub u32);

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
    Prim(Prim, [Option<Value>; 3]),
}

/// A loop over a space.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kernel {
    /// The lengths of the space, outermost first. Reduced axes, if any, come last.
    pub space: Vec<usize>,
    /// How many of the last axes are reduced; 0 when nothing is.
    pub reduced: usize,
    /// What `Load` and `Iota` refer to.
    pub sources: Vec<Source>,
    /// The code for one element.
    pub body: Body,
    /// What becomes of the values.
    pub sinks: Vec<Sink>,
}

/// Where a kernel reads. Axes are those of the space.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// The array that holds this node; for each axis of the space the axis of the array, or `None` to repeat.
    Array {
        /// An input, an earlier kernel's result, or a view of one.
        node: NodeId,
        /// Which axis of the array each axis of the space walks along.
        axes: Vec<Option<usize>>,
    },
    /// The coordinate along one axis of the space.
    Coordinate {
        /// The axis.
        axis: usize,
    },
}

/// What becomes of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sink {
    /// Every element is stored: the result is this node. Axes of the node in terms of the space's axes: the node's
    /// axis `i` is the space's axis `order[i]` (a fold's space may be permuted).
    Store {
        /// What is stored.
        value: Value,
        /// The node that this makes.
        node: NodeId,
        /// The space's axis for each axis of the node.
        order: Vec<usize>,
    },
    /// The reduced axes are folded in logical C order: the result is this node.
    Fold {
        /// What is folded.
        value: Value,
        /// How.
        fold: Fold,
        /// The node that this makes; it has the unreduced axes of the space in order (and lengths of 1 if kept).
        node: NodeId,
    },
}
