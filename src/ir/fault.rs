//! Conditions of a running program, with the fault where one does not hold.

use super::NodeId;
use crate::source::Span;
use crate::types::{DType, Dim};

/// A run-time condition that must hold: `node` is an `i64` scalar that is -1 when all is well, else the flat index
/// of the first element at fault.
#[derive(Clone, Debug)]
pub struct Check {
    /// The index of the first fault, or -1.
    pub node: NodeId,
    /// How many nodes there were when what it guards was written: loops know by it which conditions are theirs.
    pub written: usize,
    /// What to say, as a template of the run-time report.
    pub fault: Fault,
    /// The operation at fault.
    pub span: Span,
    /// The calls of functions that led to it, the innermost first.
    pub calls: Vec<Span>,
}

/// What a [`Check`] guards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A value outside the range that its input declares (or not a number).
    OutOfRange {
        /// The input.
        input: String,
        /// The range as written, `[0, 4095]`.
        range: String,
        /// The values that are checked.
        value: NodeId,
    },
    /// Integer arithmetic that wrapped, under `--checked`.
    Overflow {
        /// How the arithmetic is written.
        op: &'static str,
        /// The operands, to show the first pair at fault.
        operands: Vec<NodeId>,
        /// The dtype that could not hold the result.
        dtype: DType,
    },
    /// Integer division by zero, or of the smallest integer by -1, under `--checked`.
    Division {
        /// The operator.
        op: &'static str,
        /// The operands.
        operands: Vec<NodeId>,
        /// The dtype.
        dtype: DType,
    },
    /// A sum or a product of many integers whose exact value does not fit, under `--checked`.
    Total {
        /// The function as written.
        op: String,
        /// The exact values, but for rounding to `f64`.
        exact: NodeId,
        /// The dtype that could not hold the result.
        dtype: DType,
    },
    /// A computed position that an axis does not have.
    Index {
        /// The positions as they were given, negative ones counted from the end.
        index: NodeId,
        /// Which axis.
        axis: u32,
        /// Its length.
        len: Dim,
    },
    /// A mask that keeps another number of elements than stand beside it.
    Count {
        /// How many it keeps.
        count: NodeId,
        /// How many stand beside it.
        wanted: Dim,
        /// Whether these are values that are stored there; positions, else.
        stored: bool,
    },
    /// A value that an operation has no meaning for.
    Refused {
        /// What to say, with `{value}` and `{place}`.
        text: &'static str,
        /// The values.
        value: NodeId,
    },
    /// The smallest or largest of a selection that keeps nothing.
    Nothing {
        /// The function.
        function: &'static str,
        /// Which axis.
        axis: u32,
    },
    /// A function whose library this build does not have.
    NotBuilt {
        /// Its name.
        function: &'static str,
        /// The feature that brings it.
        feature: &'static str,
    },
    /// A matrix that a function of matrices has no answer for.
    Unfit {
        /// The function.
        function: &'static str,
        /// What the matrix is: `singular`.
        is: &'static str,
    },
    /// A condition that a script asserts.
    Asserted {
        /// The sign, when it is one comparison.
        op: Option<&'static str>,
        /// Its two sides.
        operands: Vec<NodeId>,
        /// What to say in place of that, where a function of the language asserts it.
        said: Option<&'static str>,
        /// The part of a length that lengths are said with before it, and the part that they are said with where the
        /// condition holds.
        parts: Option<[String; 2]>,
    },
    /// Two lengths that a script asserts to be equal, one of which data decides: from there on they are one.
    Lengths {
        /// Both, then what is as long as it says only if they are: none of it is made before.
        nodes: Vec<NodeId>,
    },
    /// A cast that changed the value, under `--checked`.
    LossyCast {
        /// What was cast.
        value: NodeId,
        /// To which dtype.
        dtype: DType,
    },
}

impl Fault {
    /// The nodes that a message shows, for who gives them other numbers.
    pub fn nodes(&mut self) -> &mut [NodeId] {
        match self {
            Fault::OutOfRange { value, .. }
            | Fault::Total { exact: value, .. }
            | Fault::Index { index: value, .. }
            | Fault::Count { count: value, .. }
            | Fault::Refused { value, .. }
            | Fault::LossyCast { value, .. } => std::slice::from_mut(value),
            Fault::Overflow { operands, .. } | Fault::Division { operands, .. } | Fault::Asserted { operands, .. } => {
                operands
            }
            Fault::Lengths { nodes } => nodes,
            Fault::Nothing { .. } | Fault::NotBuilt { .. } | Fault::Unfit { .. } => &mut [],
        }
    }

    /// The nodes that a message shows.
    pub fn shown(&self) -> &[NodeId] {
        match self {
            Fault::OutOfRange { value, .. }
            | Fault::Total { exact: value, .. }
            | Fault::Index { index: value, .. }
            | Fault::Count { count: value, .. }
            | Fault::Refused { value, .. }
            | Fault::LossyCast { value, .. } => std::slice::from_ref(value),
            Fault::Overflow { operands, .. } | Fault::Division { operands, .. } | Fault::Asserted { operands, .. } => {
                operands
            }
            Fault::Lengths { nodes } => nodes,
            Fault::Nothing { .. } | Fault::NotBuilt { .. } | Fault::Unfit { .. } => &[],
        }
    }

    /// What must not be made before the condition holds.
    pub fn waiting(&self) -> &[NodeId] {
        if let Fault::Lengths { nodes } = self { &nodes[2..] } else { &[] }
    }
}
