//! `^` between integers where a power is more likely meant.

use super::{Lint, Pass};
use crate::check::infer::found::facts::AppliedOp;
use crate::check::infer::values::operand::Operand;
use crate::check::report;
use crate::diagnostic::codes::lints;
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprId, ExprKind, Script};

/// The passes over operations.
pub(super) const APPLIED: &[Pass<AppliedOp>] = &[|lint, it| lint.xor_as_power(&it.operands, it.at)];

impl Lint<'_, '_> {
    /// Reports `2 ^ n`, `10 ^ n`, `x ^ 2` and `x ^ 3` of integers. A number in binary, octal or hexadecimal digits says
    /// that bits are meant, and so does another operator on bits.
    pub(super) fn xor_as_power(&mut self, operands: &[Operand], at: Span) {
        let [x, y] = operands else { return };
        if self.text(at) != "^" || !is_integer(x) || !is_integer(y) {
            return;
        }
        let (left, right) = (self.text(x.span), self.text(y.span));
        let (number, other) = match () {
            () if matches!(left, "2" | "10") && !is_of_bits(right) => (left, None),
            () if matches!(right, "2" | "3") && !is_of_bits(left) => (right, Some(x.span)),
            () => return,
        };
        if self.is_among_bits(y.span, at) || other.is_some_and(|other| self.is_number(other)) {
            return;
        }
        let level = self.level(&lints::XOR_AS_POWER, at);
        self.report(report::xor_as_power(level, number, at));
    }

    /// Whether an operand of a `^` is the result of an operator on bits, or the `^` is an operand of one.
    fn is_among_bits(&self, last: Span, at: Span) -> bool {
        let Some(script) = self.script(at) else { return false };
        let is_own = |expr: &&Expr| matches!(&expr.kind, ExprKind::Infix(op, ..) if op.span == at);
        let Some(own) = self.nearby(last).find(is_own) else { return false };
        let ExprKind::Infix(_, left, right) = &own.kind else { return false };
        let made = |id: ExprId| matches!(notation(bare(script, id)), Some("&" | "|" | "^" | "~" | "<<" | ">>"));
        if made(*left) || made(*right) {
            return true;
        }
        let mut around = self.nearby(own.span).filter(|expr| {
            expr.span != own.span && report::covers(expr.span, own.span) && !matches!(expr.kind, ExprKind::Paren(_))
        });
        around.next().is_some_and(|expr| matches!(notation(expr), Some("&" | "|" | "^" | "~")))
    }

    /// Whether a number or an array of numbers is written at a place.
    fn is_number(&self, place: Span) -> bool {
        let Some(script) = self.script(place) else { return false };
        let is_written = |expr: &Expr| {
            let negated = if let ExprKind::Prefix(_, inner) = &expr.kind { Some(bare(script, *inner)) } else { None };
            matches!(negated.unwrap_or(expr).kind, ExprKind::Int | ExprKind::Array(_))
        };
        let mut found =
            self.nearby(place).filter(|expr| expr.span == place && !matches!(expr.kind, ExprKind::Paren(_)));
        found.next().is_some_and(is_written)
    }
}

/// An expression without the parentheses around it.
fn bare(script: &Script, mut id: ExprId) -> &Expr {
    while let ExprKind::Paren(inner) = &script.expr(id).kind {
        id = *inner;
    }
    script.expr(id)
}

/// The operator of an expression.
fn notation(expr: &Expr) -> Option<&'static str> {
    let (ExprKind::Infix(op, ..) | ExprKind::Prefix(op, _)) = &expr.kind else { return None };
    Some(op.notation)
}

fn is_integer(operand: &Operand) -> bool {
    operand.elem.kind().is_integer()
}

/// Whether a text is a number in binary, octal or hexadecimal digits.
fn is_of_bits(text: &str) -> bool {
    let prefix = text.get(..2).unwrap_or_default();
    matches!(prefix, "0b" | "0B" | "0o" | "0O" | "0x" | "0X")
}
