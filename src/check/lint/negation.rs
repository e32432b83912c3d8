//! `-x` of an unsigned integer.

use super::Lint;
use super::possible::{PossibleFinding, Refutation};
use crate::check::infer::found::facts::AppliedOp;
use crate::check::infer::values::operand::OperandForm;
use crate::check::report;
use crate::diagnostic::codes::lints;
use crate::diagnostic::{Diagnostic, Level};
use crate::ir::NodeKind;
use crate::promotion::Class;
use crate::range::Interval;
use crate::source::Span;
use crate::syntax::ast::{ExprId, ExprKind};
use crate::types::{Elem, Kind};

impl Lint<'_, '_> {
    /// Reports the negative of an unsigned integer, which wraps for all but 0.
    pub(super) fn unsigned_negation(&mut self, applied: &AppliedOp) {
        let AppliedOp { op, operands, span, at, .. } = applied;
        let [operand] = operands.as_slice() else { return };
        let (Elem::Strong(dtype), OperandForm::Node(node, _)) = (operand.elem, &operand.form) else { return };
        if op.class != Class::Negation || dtype.kind() != Kind::Unsigned || self.known.settings.checked {
            return;
        }
        let values = self.interval(*node);
        if values.single() == Some(0) || self.is_lowest_bit(*span) {
            return;
        }
        // What the program makes of it may say that wrapping is meant: `u8(-x)`. Constants leave no node to ask about.
        let is_asked = matches!(self.graph.builder.program().node(applied.node).kind, NodeKind::Map(..));
        let row = &lints::UNSIGNED_NEGATION;
        let level = if is_asked { self.set(row) } else { self.level(row, *at) };
        if level == Level::Allow {
            return;
        }
        let Some(found) = self.negative(applied, level, &[]) else { return };
        if !is_asked {
            return self.report(found);
        }
        let exact = match values {
            Interval::Integer { low, high } => {
                Interval::Integer { low: high.saturating_neg(), high: low.saturating_neg() }
            }
            Interval::Float { .. } | Interval::Complex => values,
        };
        let (shared, walk) = (self.shared_arithmetic(applied.node, exact, applied), self.walk);
        self.perhaps(PossibleFinding::new(Refutation::Indifferent(applied.node), *span, found, walk).sharing(shared));
    }

    /// The finding about a negative. What mends it holds `others` too.
    pub(super) fn negative(&self, applied: &AppliedOp, level: Level, others: &[Interval]) -> Option<Diagnostic> {
        let [operand] = applied.operands.as_slice() else { return None };
        let (dtype, text) = (operand.elem.strong()?, self.text(operand.span));
        Some(report::unsigned_negation(level, operand, dtype, text, others, (self.widest(), applied.at)))
    }

    /// Whether a negative stands in `x & -x`, which wraps on purpose.
    fn is_lowest_bit(&self, negative: Span) -> bool {
        let Some(script) = self.script(negative) else { return false };
        let place = |mut id: ExprId| {
            while let ExprKind::Paren(inner) = script.expr(id).kind {
                id = inner;
            }
            script.expr(id).span
        };
        let positive = self.text(negative).trim_start_matches('-').trim_matches(['(', ')', ' ']);
        self.nearby(negative).any(|expr| {
            let ExprKind::Infix(op, left, right) = &expr.kind else { return false };
            let pairs = [(*left, *right), (*right, *left)];
            let same = |(one, other): (ExprId, ExprId)| place(one) == negative && self.text(place(other)) == positive;
            op.notation == "&" && pairs.into_iter().any(same)
        })
    }
}
