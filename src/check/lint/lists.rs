//! Lists times integers, which Python repeats.

use super::{Lint, Pass};
use crate::check::infer::found::facts::AppliedOp;
use crate::check::infer::values::operand::Operand;
use crate::check::report;
use crate::diagnostic::codes::lints;
use crate::source::Span;
use crate::syntax::ast::ExprKind;
use crate::types::{DType, Elem};

/// The passes over operations.
pub(super) const APPLIED: &[Pass<AppliedOp>] = &[|lint, it| lint.list_repetition(&it.operands, it.at)];

impl Lint<'_, '_> {
    /// Reports `[0.25]*n`: a list of one written number times an integer as lengths are.
    fn list_repetition(&mut self, operands: &[Operand], at: Span) {
        let [x, y] = operands else { return };
        if self.text(at) != "*" {
            return;
        }
        let (list, count) = match () {
            () if is_count(y) => (x, y),
            () if is_count(x) => (y, x),
            () => return,
        };
        let Some(number) = self.only_number(list.span) else { return };
        let number = self.text(number).to_owned();
        // Python's numbers say no dtype.
        if DType::ALL.iter().any(|dtype| number.ends_with(dtype.name())) {
            return;
        }
        let level = self.level(&lints::LIST_REPETITION, at);
        let count = self.text(self.without_parens(count.span)).to_owned();
        let whole = self.around(at, operands);
        self.report(report::list_repetition(level, &number, &count, (at, whole)));
    }

    /// The number that is the only element of a list, if one is written at a place.
    fn only_number(&self, place: Span) -> Option<Span> {
        let script = self.script(place)?;
        let items = self
            .nearby(place)
            .filter(|expr| expr.span == place)
            .find_map(|expr| if let ExprKind::Array(items) = &expr.kind { Some(items) } else { None })?;
        let [item] = items.as_slice() else { return None };
        let own = script.expr(*item);
        let number = if let ExprKind::Prefix(_, inner) = own.kind { script.expr(inner) } else { own };
        let is_number = matches!(number.kind, ExprKind::Int | ExprKind::Float | ExprKind::Bool(_));
        is_number.then_some(own.span)
    }

    /// The place of an expression without the parentheses around it.
    fn without_parens(&self, place: Span) -> Span {
        let Some(script) = self.script(place) else { return place };
        let inner = self
            .nearby(place)
            .filter(|expr| expr.span == place)
            .find_map(|expr| if let ExprKind::Paren(inner) = expr.kind { Some(script.expr(inner).span) } else { None });
        inner.unwrap_or(place)
    }
}

/// Whether it is an integer, and no array, of the dtype that lengths have.
fn is_count(operand: &Operand) -> bool {
    operand.shape.is_empty() && matches!(operand.elem, Elem::WeakInt | Elem::Strong(DType::I64))
}
