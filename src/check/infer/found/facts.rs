//! Inferred facts, one by one, for the passes that look for seldom meant code.
//!
//! Inference says what happened and judges nothing: which operands met, what an operation was made of, where a literal
//! was rounded. The passes of [`crate::check::lint`] read the facts and the ranges of the nodes. If the mode refuses
//! the cost of a promotion, the fact says so, and there is no value.

use super::f64_origins::{Cause, is_wide};
use super::walk_cause::WalkId;
use crate::check::Settings;
use crate::check::infer::Ctx;
use crate::check::infer::values::operand::Operand;
use crate::constant::Const;
use crate::diagnostic::Level;
use crate::diagnostic::codes::Row;
use crate::ir::{Fold, NodeId, Program};
use crate::ops::{Op, ScaledOperation};
use crate::promotion::verdict::Effect;
use crate::promotion::{Decision, Operation};
use crate::scalar::Scalar;
use crate::source::Span;
use crate::syntax::ast::ExprId;
use crate::types::{DType, Dim, Elem};
use num_bigint::BigInt;
use std::ops::Range;

/// Something that was inferred.
pub(in crate::check) struct Fact {
    /// The walk in which it was inferred.
    pub(in crate::check) walk: WalkId,
    /// Whether only errors about it are reported.
    pub(in crate::check) quiet: bool,
    pub(in crate::check) about: Subject,
}

/// What a fact is about.
pub(in crate::check) enum Subject {
    /// Settings that hold from here on.
    Settings(Box<Settings>),
    /// Values compared in a row.
    Chain(Chain),
    /// Operands met as `f64`.
    Meeting { shown: &'static str, operands: Vec<Operand>, decision: Decision, at: Span },
    /// A value whose dtype was decided by the operands that met last.
    Made { dtype: DType, span: Span },
    /// A call or a literal whose dtype nothing says: it has the default one.
    Born { dtype: DType, cause: Cause, span: Span },
    /// A function that came with the language gave an `f64` to a call: what the call is given, and its name.
    Returned { shown: String, operands: Vec<Operand>, dtype: DType, call: Span, at: Span },
    /// A value was stored in a variable, or a step gave it to a state: where the dtype of that was decided.
    Entered { into: Span, given: Operand },
    /// An operation.
    Applied(AppliedOp),
    /// A reduction, a scan or a sort.
    Folded(FoldedAxes),
    /// A sum of products: how it is written, its operands, their nodes, and how many products there are.
    Product { shown: &'static str, operands: Vec<Operand>, nodes: Vec<NodeId>, count: Option<Dim>, at: Span },
    /// Elements that are folded by groups.
    Grouped(FoldedGroups),
    /// A cast that somebody wrote, where there were `made` nodes before it.
    Cast { from: NodeId, to: NodeId, operand: Operand, written: Span, span: Span, made: usize },
    /// Arithmetic that is to be guarded.
    Guarded(GuardedArithmetic),
    /// A cost of a promotion.
    Cost(Box<PromotionCost>),
    /// A weak value that was computed meets a narrower dtype.
    Narrowed { level: Level, operand: Operand, from: DType, dtype: DType, meets: Option<Operand> },
    /// A literal has another value in a dtype.
    Rounded { value: Const, becomes: Scalar, span: Span },
    /// A value is stored in a narrower variable.
    Stored { row: &'static Row, level: Level, name: String, from: DType, to: DType, given: Operand, shown: String },
    /// Random numbers are drawn from a key.
    Drawn(KeyUse),
    /// A shift by more bits than there are.
    Shifted { op: &'static Op, operands: Vec<Operand>, dtype: DType },
    /// An operation on the bits of constants, whose value is exact.
    BitsOfConstants { op: &'static Op, operands: Vec<Operand>, at: Span },
    /// An integer is compared with a dtype that does not hold it.
    Outside { op: &'static Op, operand: Operand, other: Operand, dtype: DType, span: Span },
}

/// `0 <= x < 1`
pub(in crate::check) struct Chain {
    pub(in crate::check) id: ExprId,
    pub(in crate::check) span: Span,
    /// The type of each value that is compared. It is `None` if the value is not computed, and the list is empty if
    /// something is wrong.
    pub(in crate::check) elems: Vec<Option<Elem>>,
    /// How many of the next facts are about the comparisons.
    pub(in crate::check) facts: usize,
}

/// An operation on operands, and the nodes that it is made of.
#[derive(Clone)]
pub(in crate::check) struct AppliedOp {
    pub(in crate::check) op: &'static Op,
    pub(in crate::check) operands: Vec<Operand>,
    pub(in crate::check) how: Expansion,
    pub(in crate::check) node: NodeId,
    /// The nodes that the operation added.
    pub(in crate::check) nodes: Range<usize>,
    /// The expression.
    pub(in crate::check) span: Span,
    /// The operator, or the name of the function.
    pub(in crate::check) at: Span,
}

/// How an operation is made of nodes.
#[derive(Clone)]
pub(in crate::check) enum Expansion {
    /// As its row says, from these nodes and numbers.
    Row(Vec<NodeId>, Box<[f64]>),
    /// A power or a shift of a node by a number.
    Scaled(ScaledOperation, NodeId, BigInt),
    /// Integers compared exactly.
    Compared,
    /// Differences of neighbours.
    Inside,
}

/// A reduction, a scan or a sort of a node along axes.
pub(in crate::check) struct FoldedAxes {
    pub(in crate::check) op: &'static Op,
    pub(in crate::check) operand: Operand,
    pub(in crate::check) node: NodeId,
    pub(in crate::check) axes: Vec<usize>,
    pub(in crate::check) decision: Decision,
    /// The dtype that was asked of the result, and where.
    pub(in crate::check) asked: Option<(DType, Span)>,
    pub(in crate::check) at: Span,
}

/// Elements that are added or multiplied by groups: `segment_sum`, `add_at`.
pub(in crate::check) struct FoldedGroups {
    pub(in crate::check) op: &'static Op,
    /// The operand whose dtype the result has.
    pub(in crate::check) operand: Operand,
    /// Whether the operand holds weights of labels. In the call, weights stand behind the labels.
    pub(in crate::check) weighs: bool,
    /// The node that is folded, and the node whose elements it is folded into, if there is one.
    pub(in crate::check) node: NodeId,
    pub(in crate::check) into: Option<NodeId>,
    pub(in crate::check) fold: Fold,
    /// How many elements one group may have.
    pub(in crate::check) count: Option<Dim>,
    pub(in crate::check) at: Span,
}

/// A key that numbers are drawn from.
#[derive(Clone, Copy, Debug)]
pub(in crate::check) struct KeyUse {
    pub(in crate::check) key: NodeId,
    /// Where it is written.
    pub(in crate::check) at: Span,
    /// Where it was made.
    pub(in crate::check) origin: Span,
    /// Whether numbers are drawn from the same one in every step of a loop.
    pub(in crate::check) stays: bool,
    /// The counter of the innermost such loop.
    pub(in crate::check) counter: Option<Span>,
}

/// What is to be guarded under `--checked`.
pub(in crate::check) struct GuardedArithmetic {
    pub(in crate::check) what: WrappingPlace,
    pub(in crate::check) at: Span,
    /// How many checks the program had before.
    pub(in crate::check) checks: usize,
    /// How many nodes it had when this was written.
    pub(in crate::check) written: usize,
}

/// Where integers may wrap.
pub(in crate::check) enum WrappingPlace {
    /// In the nodes of an operation, and how the operation is written.
    Nodes(Range<usize>, &'static str),
    /// In a cast from one node to the other.
    Cast(NodeId, NodeId),
}

impl Ctx<'_> {
    /// A call or a literal has the default dtype, as nothing says otherwise; `span` is where its dtype was decided.
    pub(in crate::check) fn born(&mut self, dtype: DType, cause: Cause, span: Span) {
        if self.counts(dtype) {
            self.found(Subject::Born { dtype, cause, span });
        }
    }

    /// The result of the operation whose operands met last has the default dtype, as nothing says otherwise.
    pub(in crate::check) fn born_of_operation(&mut self, dtype: DType, span: Span) {
        if self.counts(dtype) {
            self.found(Subject::Made { dtype, span });
        }
    }

    /// A value is stored in a variable, or becomes that of a state; `into` is where the dtype of that was decided.
    pub(in crate::check) fn enter(&mut self, into: Span, given: &Operand) {
        if given.elem.strong().is_some_and(is_wide) {
            self.found(Subject::Entered { into, given: given.clone() });
        }
    }

    /// Whether a dtype is recorded. A narrow one is recorded only in functions: there a place may have another dtype in
    /// each call.
    fn counts(&self, dtype: DType) -> bool {
        is_wide(dtype) || self.calls.inside()
    }

    /// Says that the nodes from the number `before` on are an operation that may wrap.
    pub(in crate::check) fn may_wrap(&mut self, before: usize, shown: &'static str, at: Span) {
        let nodes = before..self.graph.builder.program().nodes.len();
        self.note_guard(WrappingPlace::Nodes(nodes, shown), at);
    }

    /// Says that the nodes from the number `before` on are one operation that is made of others, and that its operands
    /// do not show these nodes. The operation may wrap.
    pub(in crate::check) fn made_inside(
        &mut self,
        (op, shown): (&'static Op, &'static str),
        operands: &[Operand],
        node: NodeId,
        before: usize,
        (span, at): (Span, Span),
    ) {
        let (nodes, operands) = (before..self.graph.builder.program().nodes.len(), operands.to_vec());
        self.found(Subject::Applied(AppliedOp { op, operands, how: Expansion::Inside, node, nodes, span, at }));
        self.may_wrap(before, shown, at);
    }

    /// Records arithmetic that is to be guarded, under `--checked`.
    pub(in crate::check) fn note_guard(&mut self, what: WrappingPlace, at: Span) {
        if self.settings.checked {
            let Program { checks, nodes, .. } = self.graph.builder.program();
            let (checks, written) = (checks.len(), nodes.len());
            let at = self.site(at);
            self.found(Subject::Guarded(GuardedArithmetic { what, at, checks, written }));
        }
    }
}

/// A cost of a promotion, and its level.
pub(in crate::check) struct PromotionCost {
    pub(in crate::check) row: &'static Row,
    pub(in crate::check) level: Level,
    /// The effect on one operand. It is `None` if the operation itself causes the cost.
    pub(in crate::check) effect: Option<Effect>,
    pub(in crate::check) operation: Operation,
    pub(in crate::check) shown: &'static str,
    pub(in crate::check) operands: Vec<Operand>,
    pub(in crate::check) decision: Decision,
    pub(in crate::check) from: DType,
    pub(in crate::check) to: DType,
    pub(in crate::check) at: Span,
}
