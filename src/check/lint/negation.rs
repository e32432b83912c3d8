//! `-x` of an unsigned integer.

use super::Lint;
use super::possible::{Possible, Unless};
use crate::check::infer::facts::Applied;
use crate::check::infer::operand::OperandForm;
use crate::check::report;
use crate::diagnostic::Level;
use crate::diagnostic::codes::lints;
use crate::ir::NodeKind;
use crate::promotion::Class;
use crate::source::Span;
use crate::syntax::ast::{ExprId, ExprKind};
use crate::types::{Elem, Kind};

impl Lint<'_, '_> {
    /// Reports the negative of an unsigned integer, which wraps for all but 0.
    pub(super) fn unsigned_negation(&mut self, applied: &Applied) {
        let Applied { op, operands, span, at, .. } = applied;
        let [operand] = operands.as_slice() else { return };
        let (Elem::Strong(dtype), OperandForm::Node(node, _)) = (operand.elem, &operand.form) else { return };
        if op.class != Class::Negation || dtype.kind() != Kind::Unsigned || self.known.settings.checked {
            return;
        }
        if self.interval(*node).single() == Some(0) || self.is_lowest_bit(*span) {
            return;
        }
        // What the program makes of it may say that wrapping is meant: `u8(-x)`. Constants leave no node to ask about.
        let is_asked = matches!(self.graph.builder.program().node(applied.node).kind, NodeKind::Map(..));
        let row = &lints::UNSIGNED_NEGATION;
        let level = if is_asked { self.set(row) } else { self.level(row, *at) };
        if level == Level::Allow {
            return;
        }
        let text = self.text(operand.span).to_owned();
        let found = report::unsigned_negation(level, operand, dtype, &text, (self.widest(), *at));
        let walk = self.walk;
        match is_asked {
            true => self.perhaps(Possible::new(Unless::Indifferent(applied.node), *span, found, walk)),
            false => self.report(found),
        }
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
