//! `-x` of an unsigned integer.

use crate::check::infer::Ctx;
use crate::check::infer::operands::{Operand, OperandForm};
use crate::check::report;
use crate::diagnostic::Level;
use crate::diagnostic::codes::lints;
use crate::ops::Op;
use crate::promotion::Class;
use crate::source::Span;
use crate::syntax::ast::{ExprId, ExprKind};
use crate::types::{Elem, Kind};

impl Ctx<'_> {
    /// Reports a negative of unsigned integers, which wraps for all but 0.
    pub(in crate::check) fn unsigned_negation(&mut self, op: &'static Op, operands: &[Operand], span: Span, at: Span) {
        let [operand] = operands else { return };
        let (Elem::Strong(dtype), OperandForm::Node(node, _)) = (operand.elem, &operand.form) else { return };
        if op.class != Class::Negation || dtype.kind() != Kind::Unsigned || self.settings.checked {
            return;
        }
        if self.interval(*node).single() == Some(0) || self.is_lowest_bit(span) {
            return;
        }
        let level = self.level(&lints::UNSIGNED_NEGATION, at);
        if level != Level::Allow {
            let text = self.text(operand.span).to_owned();
            self.findings.push(report::unsigned_negation(level, operand, dtype, &text, at));
        }
    }

    /// Whether a negative stands in `x & -x`, which wraps on purpose.
    fn is_lowest_bit(&self, negative: Span) -> bool {
        let bare = |id: ExprId| self.text(self.place(id));
        let positive = self.text(negative).trim_start_matches('-').trim_matches(['(', ')', ' ']);
        self.nearby(negative.end).any(|expr| {
            let ExprKind::Infix(op, left, right) = &expr.kind else { return false };
            let pairs = [(*left, *right), (*right, *left)];
            op.notation == "&"
                && pairs.iter().any(|&(one, other)| self.place(one) == negative && bare(other) == positive)
        })
    }
}
