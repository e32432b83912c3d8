//! Results of reductions that nothing keeps: `v > 2*mean(v)` compares an f64 at once, `i16(mean(v))` casts it.

use super::Lint;
use crate::check::infer::creation::elements::has_stated_dtype;
use crate::check::report;
use crate::ops::{self, Form};
use crate::promotion::Class;
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprId, ExprKind, Script};

/// How many expressions around a call are looked at.
const MAX_SEARCHED_EXPRESSIONS: usize = 8;

/// Whether an operation makes one element of many.
fn reduces(name: &str) -> bool {
    let is_statistic = |class: Class| matches!(class, Class::Mean | Class::Quantile);
    ops::by_name(name).is_some_and(|op| is_statistic(op.class) || matches!(op.form, Form::Fold(_)))
}

impl Lint<'_, '_> {
    /// Whether the result of a reduction, with nothing but numbers and other reductions computed into it, is compared
    /// or cast where it is written.
    pub(super) fn is_fleeting(&self, shown: &str, call: Span) -> bool {
        let Some(script) = self.script(call).filter(|_| reduces(shown)) else { return false };
        let mut inner = call;
        for _ in 0..MAX_SEARCHED_EXPRESSIONS {
            let is_around = move |expr: &&Expr| expr.span != inner && report::covers(expr.span, inner);
            let Some(outer) = self.nearby(inner).find(is_around) else { return false };
            let is_inner = |id: ExprId| script.expr(id).span == inner;
            if matches!(outer.kind, ExprKind::Compare(..)) || has_stated_dtype(script, inner, |span| self.text(span)) {
                return true;
            }
            if !goes_on(script, &outer.kind, is_inner) {
                return false;
            }
            inner = outer.span;
        }
        false
    }
}

/// Whether an expression around a number gives a number again, as a method of it does: `v.mean()`.
#[expect(clippy::wildcard_enum_match_arm, reason = "other expressions keep what they are given")]
fn goes_on(script: &Script, around: &ExprKind, is_inner: impl Fn(ExprId) -> bool) -> bool {
    match around {
        ExprKind::Paren(_) | ExprKind::Prefix(..) | ExprKind::Attribute(..) => true,
        ExprKind::Infix(_, left, right) => [*left, *right].into_iter().all(|id| is_inner(id) || is_number(script, id)),
        ExprKind::Call(callee, _) => is_inner(*callee),
        _ => false,
    }
}

/// Whether an operand is a literal, or a reduction, or is made of such.
#[expect(clippy::wildcard_enum_match_arm, reason = "other expressions may be arrays")]
fn is_number(script: &Script, id: ExprId) -> bool {
    match &script.expr(id).kind {
        ExprKind::Int | ExprKind::Float => true,
        ExprKind::Paren(inner) | ExprKind::Prefix(_, inner) => is_number(script, *inner),
        ExprKind::Infix(_, left, right) => is_number(script, *left) && is_number(script, *right),
        ExprKind::Call(callee, _) => script.expr(*callee).last_name().is_some_and(|(name, _)| reduces(name)),
        _ => false,
    }
}
