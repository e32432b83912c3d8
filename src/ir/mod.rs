//! The checked program: a flat arena of typed nodes in dependency order.
//!
//! Everything that the surface language leaves open is decided here: conversions are nodes, weak types are gone,
//! every node has a dtype and a shape. Operands of a [`NodeKind::Map`] broadcast to its shape by NumPy's rule
//! (aligned at the right, a dimension of 1 or a missing one is repeated). Nodes are built by [`build::ProgramBuilder`],
//! which shares equal nodes, so a value that is written twice is computed once.
//!
//! ```text
//! %0 = input x                 : i32[5]
//! %1 = const 2                 : i32
//! %2 = mul %0 %1               : i32[5]
//! %3 = sum %2 axes=0           : i32
//! print %3
//! ```

pub mod build;
pub mod columns;
mod fault;
mod lengths;
pub mod library;
mod logical;
pub mod loops;
pub mod print;
pub mod routine;
pub mod verify;

use crate::array::Array;
use crate::array::logical::Logical;
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim, Shape};
pub use fault::{Check, Fault};
pub use lengths::{Length, ReadLength};
use loops::LoopRef;
use routine::Routine;
use std::sync::Arc;

/// A node of a [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    /// As an index into [`Program::nodes`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One value of the program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    /// How it is made.
    pub kind: NodeKind,
    /// The dtype of its elements.
    pub dtype: DType,
    /// Its shape; all sizes are known when the program is run.
    pub shape: Shape,
}

/// How a node is made.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum NodeKind {
    /// The array bound to an input: an index into [`Program::inputs`].
    Input(u32),
    /// A scalar known now.
    Const(Scalar),
    /// The coordinate along `axis`, an `i64`: `0, 1, 2, …`.
    Iota {
        /// An axis of the node's own shape.
        axis: u32,
    },
    /// A prim, element by element. `args` has as many entries as the prim has operands.
    Map(Prim, Args),
    /// A reduction of `arg` over `axes`, ascending; the axes disappear, or stay with length 1.
    Fold {
        /// How elements are combined.
        fold: Fold,
        /// What is reduced; its dtype is the accumulator's.
        arg: NodeId,
        /// Axes of `arg`, ascending, at least one unless `arg` is a scalar.
        axes: Vec<u32>,
        /// Whether reduced axes stay, with length 1.
        keep: bool,
    },
    /// Every element combined with all before it along `axis`, from the first on, one after the other. Halves are
    /// accumulated in `f32`, and each result is rounded once.
    Scan {
        /// How elements are combined: `Sum`, `Prod`, `Min` or `Max`.
        fold: Fold,
        /// What is scanned.
        arg: NodeId,
        /// An axis of `arg`.
        axis: u32,
    },
    /// The same elements, or some of them, seen with another shape or in another order, without moving them.
    View {
        /// What is seen.
        arg: NodeId,
        /// How.
        view: View,
    },
    /// Elements of `arg` by their position along `axis`: the axes of `index` take the place of that axis. Positions
    /// count from 0; one outside is a fault that a [`Check`] reports, and reads the nearest element (or a zero where
    /// there is none).
    Gather {
        /// What is read.
        arg: NodeId,
        /// Positions, `i64`.
        index: NodeId,
        /// An axis of `arg`.
        axis: u32,
    },
    /// Arrays one after the other along `axis`.
    Concat {
        /// At least one; they have the node's shape but for `axis`.
        parts: Box<[NodeId]>,
        /// An axis of the node's shape.
        axis: u32,
    },
    /// `base` with other values at some places. A new value: nobody who holds `base` sees the change.
    Update {
        /// What is changed.
        base: NodeId,
        /// Where, for each axis of `base`; as many positions as `value` is long.
        region: Box<[Slice]>,
        /// The new elements: as many axes as `base`.
        value: NodeId,
    },
    /// One of the results of a loop; see [`loops`].
    Loop {
        /// The loop, shared by all its results.
        of: LoopRef,
        /// What it begins with, what it goes through, and what its steps use from outside.
        args: Box<[NodeId]>,
        /// Which result.
        result: u32,
    },
    /// A value of the step that runs: of a loop that is still being built.
    Param(u32),
    /// An operation over whole lines; see [`routine`].
    Routine {
        /// What happens.
        routine: Routine,
        /// Its operands, which differ in their last axis alone.
        args: Box<[NodeId]>,
    },
}

/// Up to three operands.
pub type Args = [Option<NodeId>; 3];

/// How a reduction combines elements. Float sums and products follow the one fixed order of the language
/// (blocks of 1024 by logical index, 32 accumulators by `i mod 32`, a binary tree, blocks by a pairwise tree).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Fold {
    /// Sum; of nothing 0. Integers wrap.
    Sum,
    /// Product; of nothing 1.
    Prod,
    /// Smallest, not-a-number wins, `-0` is below `+0`; of nothing: refused by the checker or at run time.
    Min,
    /// Largest, not-a-number wins, `-0` is below `+0`; of nothing: refused by the checker or at run time.
    Max,
    /// Whether any is true (`bool`); of nothing false.
    Any,
    /// Whether all are true (`bool`); of nothing true.
    All,
    /// The index (an `i64`, logical C order over the reduced axes) of the first smallest element; the first NaN wins.
    ArgMin,
    /// The index of the first largest element; the first NaN wins.
    ArgMax,
    /// The index of the first true element (`bool`), or -1.
    FirstTrue,
}

impl Fold {
    /// The dtype of the result for elements of `dtype`.
    pub fn result(self, dtype: DType) -> DType {
        match self {
            Fold::ArgMin | Fold::ArgMax | Fold::FirstTrue => DType::I64,
            Fold::Sum | Fold::Prod | Fold::Min | Fold::Max | Fold::Any | Fold::All => dtype,
        }
    }

    /// Whether a reduction of nothing has a value.
    pub fn has_identity(self) -> bool {
        !matches!(self, Fold::Min | Fold::Max | Fold::ArgMin | Fold::ArgMax)
    }

    /// The name in printed programs.
    pub fn name(self) -> &'static str {
        match self {
            Fold::Sum => "sum",
            Fold::Prod => "prod",
            Fold::Min => "min",
            Fold::Max => "max",
            Fold::Any => "any",
            Fold::All => "all",
            Fold::ArgMin => "argmin",
            Fold::ArgMax => "argmax",
            Fold::FirstTrue => "firsttrue",
        }
    }
}

/// A way to see elements without moving them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum View {
    /// Repeated to the node's shape by the broadcasting rule.
    Broadcast,
    /// Axis `i` of the node is axis `order[i]` of the argument.
    Transpose(Vec<u32>),
    /// The same elements in logical C order under the node's shape. Copies when strides do not allow a view.
    Reshape,
    /// Some elements of each axis, as many as the node is long.
    Slice(Box<[Slice]>),
    /// All windows along an axis, which becomes that of their first elements; the elements of a window are along a new
    /// last axis. Windows have elements in common.
    Windows(u32),
}

/// Positions along an axis: `start`, `start + step`, `start + 2*step`, …
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Slice {
    /// The first position; means nothing where no position is taken.
    pub start: Dim,
    /// The distance between positions, not 0; below 0 they go backwards.
    pub step: i64,
}

impl Slice {
    /// All positions of an axis, in order.
    pub fn all() -> Slice {
        Slice { start: Dim::Const(0), step: 1 }
    }

    /// The position of element `index`, when the start is a number.
    pub fn position(&self, index: usize) -> Option<isize> {
        let start = isize::try_from(self.start.known()?).ok()?;
        start.checked_add(isize::try_from(self.step).ok()?.checked_mul(isize::try_from(index).ok()?)?)
    }

    /// The lengths before and behind the first position on an axis. Neither is below 0 if the axis has the position.
    pub fn room(&self, whole: &Dim) -> impl Iterator<Item = Dim> + use<> {
        let behind = whole.add_scaled(&self.start, -1).and_then(|rest| rest.add_scaled(&Dim::Const(1), -1));
        std::iter::once(self.start.clone()).chain(behind)
    }
}

/// An input of a program.
#[derive(Clone, Debug)]
pub struct ProgramInput {
    /// Its name.
    pub name: String,
    /// Where it was declared.
    pub span: Span,
    /// The data, once bound; a program without data can be checked and printed, not run.
    pub value: Option<Array>,
    /// What its integers stand for by its type, where no data says that: `date[n]`.
    pub meaning: Option<Logical>,
}

impl ProgramInput {
    /// What an array that the text says is called among inputs; no input can have this name.
    pub(crate) const LITERAL: &str = "[literal]";

    /// Whether the text says it.
    pub(crate) fn is_literal(&self) -> bool {
        self.name == ProgramInput::LITERAL
    }
}

/// What a program gives: a named output or a printed expression.
#[derive(Clone, Debug)]
pub struct ProgramOutput {
    /// The name of an `output`; `None` for a bare expression.
    pub name: Option<String>,
    /// The node; a tuple that is printed gives several.
    pub node: NodeId,
    /// The statement or expression it belongs to.
    pub span: Span,
    /// Whether its value is weak: shown, never computed with.
    pub weak: bool,
}

/// A program that was checked: no errors, no weak literals, no implicit conversions.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// All values, operands before users. Programs share them, so that one that is run again is known at once.
    pub nodes: Arc<Vec<Node>>,
    /// The inputs.
    pub inputs: Vec<ProgramInput>,
    /// What it gives, in source order.
    pub outputs: Vec<ProgramOutput>,
    /// What must hold at run time, in source order.
    pub checks: Vec<Check>,
    /// Dimensions whose lengths are known when a node is.
    pub lengths: Vec<Length>,
    /// Lengths that something reads as numbers, if some data could give them another value than they say.
    pub read: Vec<ReadLength>,
}

impl Program {
    /// The node with this id.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The node whose elements a chain of views shows.
    pub fn below_views(&self, id: NodeId) -> NodeId {
        self.below(id, |kind| matches!(kind, NodeKind::View { .. }))
    }

    /// The node below a chain of views and conversions.
    pub fn below_conversions(&self, id: NodeId) -> NodeId {
        self.below(id, |kind| matches!(kind, NodeKind::View { .. } | NodeKind::Map(Prim::Convert, _)))
    }

    /// The node below a chain of nodes that `passes` knows, each of which is made from one node.
    pub fn below(&self, mut id: NodeId, passes: impl Fn(&NodeKind) -> bool) -> NodeId {
        while passes(&self.node(id).kind)
            && let Some(operand) = self.node(id).operands().next()
        {
            id = operand;
        }
        id
    }

    /// The nodes of the outputs, then those of the checks.
    pub fn given(&self) -> impl Iterator<Item = NodeId> {
        self.outputs.iter().map(|output| output.node).chain(self.checks.iter().map(|check| check.node))
    }

    /// Which nodes the outputs and checks depend on.
    pub fn needed_nodes(&self) -> Vec<bool> {
        self.needed_for(self.given())
    }

    /// Which nodes some depend on, and these.
    pub fn needed_for(&self, given: impl IntoIterator<Item = NodeId>) -> Vec<bool> {
        let mut needed = vec![false; self.nodes.len()];
        given.into_iter().for_each(|node| needed[node.index()] = true);
        let counts = self.counts();
        for index in (0..self.nodes.len()).rev() {
            if needed[index] {
                let node = &self.nodes[index];
                node.operands().for_each(|operand| needed[operand.index()] = true);
                if !counts.is_empty() {
                    let made = |name: &str| counts.get(name).map(|count| count.index());
                    node.names(&mut |name| made(name).into_iter().for_each(|count| needed[count] = true));
                }
            }
        }
        needed
    }

    /// The loops that the program needs, each once.
    pub fn loops(&self) -> Vec<&loops::ProgramLoop> {
        let mut found: Vec<&LoopRef> = Vec::new();
        for (node, _) in self.nodes.iter().zip(self.needed_nodes()).filter(|(_, needed)| *needed) {
            if let NodeKind::Loop { of, .. } = &node.kind
                && !found.contains(&of)
            {
                found.push(of);
            }
        }
        found.into_iter().map(|of| &*of.0).collect()
    }

    /// Puts a size in place of the name of a dimension, in every shape.
    pub fn equate(&mut self, name: &str, size: &Dim) {
        self.equate_in_nodes(name, size);
        self.equate_in_checks(name, size);
        self.read.iter_mut().for_each(|length| length.dim = length.dim.substitute(name, size));
    }

    /// Puts a size in place of the name of a dimension, in what checks say.
    fn equate_in_checks(&mut self, name: &str, size: &Dim) {
        for check in &mut self.checks {
            if let Fault::Index { len, .. } | Fault::Count { wanted: len, .. } = &mut check.fault {
                *len = len.substitute(name, size);
            }
        }
    }

    /// Puts a size in place of the name of a dimension, in nodes alone.
    pub fn equate_in_nodes(&mut self, name: &str, size: &Dim) {
        let mut loops: Vec<(LoopRef, LoopRef)> = Vec::new();
        for node in Arc::make_mut(&mut self.nodes) {
            for dim in node.shape.iter_mut().filter(|dim| dim.has_name(name)) {
                *dim = dim.substitute(name, size);
            }
            if let NodeKind::View { view: View::Slice(region), .. } | NodeKind::Update { region, .. } = &mut node.kind {
                region.iter_mut().for_each(|slice| slice.start = slice.start.substitute(name, size));
            } else if let NodeKind::Loop { of, .. } = &mut node.kind
                // A loop without the name stays: whoever holds it may ask for the others of its results.
                && of.0.mentions(name)
            {
                // Its results go on sharing it.
                match loops.iter().find(|(before, _)| before == of) {
                    Some((_, now)) => *of = now.clone(),
                    None => {
                        let before = of.clone();
                        of.equate(name, size);
                        loops.push((before, of.clone()));
                    }
                }
            }
        }
    }
}

impl Node {
    /// The nodes that this one is made from.
    pub fn operands(&self) -> impl Iterator<Item = NodeId> + use<'_> {
        let mut parts: &[NodeId] = &[];
        let slots = match &self.kind {
            NodeKind::Input(_) | NodeKind::Param(_) | NodeKind::Const(_) | NodeKind::Iota { .. } => [None; 3],
            NodeKind::Map(_, args) => *args,
            NodeKind::Fold { arg, .. } | NodeKind::Scan { arg, .. } | NodeKind::View { arg, .. } => {
                [Some(*arg), None, None]
            }
            NodeKind::Gather { arg, index, .. } => [Some(*arg), Some(*index), None],
            NodeKind::Update { base, value, .. } => [Some(*base), Some(*value), None],
            NodeKind::Concat { parts: all, .. }
            | NodeKind::Routine { args: all, .. }
            | NodeKind::Loop { args: all, .. } => {
                parts = all;
                [None; 3]
            }
        };
        slots.into_iter().flatten().chain(parts.iter().copied())
    }
}

impl NodeKind {
    /// Gives each operand another number: [`Node::operands`] names the same ones.
    pub(crate) fn each_operand(&mut self, mut f: impl FnMut(&mut NodeId)) {
        match self {
            NodeKind::Input(_) | NodeKind::Param(_) | NodeKind::Const(_) | NodeKind::Iota { .. } => {}
            NodeKind::Map(_, args) => args.iter_mut().flatten().for_each(f),
            NodeKind::Fold { arg, .. } | NodeKind::Scan { arg, .. } | NodeKind::View { arg, .. } => f(arg),
            NodeKind::Gather { arg, index, .. } => {
                f(arg);
                f(index);
            }
            NodeKind::Update { base, value, .. } => {
                f(base);
                f(value);
            }
            NodeKind::Concat { parts: all, .. }
            | NodeKind::Routine { args: all, .. }
            | NodeKind::Loop { args: all, .. } => all.iter_mut().for_each(f),
        }
    }
}
