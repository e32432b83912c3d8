//! Keys that random numbers are drawn from more than once.

use super::Lint;
use crate::check::infer::found::facts::KeyUse;
use crate::check::infer::found::walk_cause::WalkId;
use crate::check::report;
use crate::diagnostic::Level;
use crate::diagnostic::codes::lints;
use crate::ops::{self, Role};
use crate::source::Span;
use crate::syntax::ast::{ExprKind, StmtKind};

/// Where numbers were first drawn from a key.
#[derive(Clone)]
pub(super) struct FirstDraw {
    drawn: KeyUse,
    /// The calls that led there, the outermost first, then the place; each with the walk that it stands in.
    path: Vec<(Span, WalkId)>,
}

impl Lint<'_, '_> {
    /// Reports a key from which numbers were drawn before, or are drawn again in every step of a loop. A key that is
    /// made in place, as in `random.key(0)`, is not reported: then the same numbers are meant. In a loop it is, if it
    /// is made of a key that has a name.
    pub(super) fn reused_key(&mut self, drawn: &KeyUse) {
        let KeyUse { key, at, origin, stays, counter } = *drawn;
        let path = self.findings.path(self.walk, at);
        let now = FirstDraw { drawn: *drawn, path };
        let first = self.known.drawn.entry(key).or_insert_with(|| now.clone()).clone();
        let in_place = [first.drawn.at, at].into_iter().any(|place| self.text(place).contains('('));
        // What is made of a key of which that was told has the same cause.
        let is_told = stays && self.known.kept.iter().any(|kept| report::covers(origin, *kept));
        if stays {
            self.known.kept.push(at);
        }
        if is_told || in_place && !(stays && self.is_of_a_name(at)) {
            return;
        }
        if first.drawn.at == at && !stays {
            return self.reused_by_calls(&first, &now);
        }
        let level = self.level(&lints::REUSED_KEY, at);
        if level != Level::Allow {
            let (text, counter) = (self.text(at).to_owned(), counter.map(|counter| self.text(counter)));
            self.report(match stays {
                true => report::same_key(level, &text, counter, at),
                false => report::reused_key(level, &text, first.drawn.at, at),
            });
        }
    }

    /// Whether a key that is written at a place has a name, or is made there of one that has: `random.fold_in(k, 1)`.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other expression makes a key of another one")]
    fn is_of_a_name(&self, at: Span) -> bool {
        let Some(script) = self.script(at) else { return false };
        let Some(mut expr) = self.nearby(at).find(|expr| expr.span == at) else { return false };
        loop {
            let inner = match &expr.kind {
                ExprKind::Name(_) => return true,
                ExprKind::Paren(inner) | ExprKind::Index(inner, _) => *inner,
                ExprKind::Call(callee, args) => {
                    let op = ops::find(self.text(script.expr(*callee).span));
                    let makes = op.is_some_and(|op| op.params.iter().any(|param| matches!(param.role, Role::Key)));
                    let Some(first) = args.first().filter(|arg| makes && arg.name.is_none()) else { return false };
                    first.value
                }
                _ => return false,
            };
            expr = script.expr(inner);
        }
    }

    /// Reports the second of two calls that draw from one key at the same place of a function.
    fn reused_by_calls(&mut self, first: &FirstDraw, now: &FirstDraw) {
        let mut pairs = first.path.iter().zip(&now.path);
        let Some(nth) = pairs.position(|((one, _), (other, _))| one != other) else { return };
        let ((before, _), (call, walk)) = (first.path[nth], now.path[nth]);
        if [first, now].into_iter().any(|it| self.is_made_in(it, nth)) {
            return;
        }
        self.walk = walk;
        let level = self.level(&lints::REUSED_KEY, call);
        if level != Level::Allow {
            self.report(report::reused_key_in_calls(level, before, call, now.drawn.at));
        }
    }

    /// Whether a key is made in the call with this number of those that led to a draw, or in a function that this call
    /// leads to.
    fn is_made_in(&self, it: &FirstDraw, nth: usize) -> bool {
        let origin = it.drawn.origin;
        let in_call = it.path[nth..].iter().any(|&(call, _)| report::covers(call, origin));
        in_call || it.path[nth + 1..].iter().any(|&(place, _)| self.is_in_function_of(place, origin))
    }

    /// Whether two places are in one function.
    fn is_in_function_of(&self, place: Span, other: Span) -> bool {
        let holds = |span: Span| report::covers(span, place) && report::covers(span, other);
        let stmts = self.script(place).map_or(&[][..], |script| &script.stmts);
        stmts.iter().any(|stmt| matches!(stmt.kind, StmtKind::Fn(_)) && holds(stmt.span))
    }
}
