//! The names that expressions are, or are made of.

use super::ast::{Expr, ExprId, ExprKind, Script};
use crate::source::Span;

impl Script {
    /// The name that an index, or several, stand behind, and where: `x` of `x[0][1:]`, or of `x` alone.
    pub fn indexed_name(&self, id: ExprId) -> Option<(&str, Span)> {
        let mut expr = self.expr(id);
        while let ExprKind::Index(base, _) = &expr.kind {
            expr = self.expr(*base);
        }
        let ExprKind::Name(name) = &expr.kind else { return None };
        Some((name, expr.span))
    }

    /// The words of `np.linalg`, where the first is a name that means nothing of the program's.
    pub fn dotted_name(&self, id: ExprId, is_free: impl Fn(&str) -> bool) -> Option<String> {
        let (mut words, mut at) = (Vec::new(), id);
        while let ExprKind::Attribute(base, name) = &self.expr(at).kind {
            words.push(name.text.as_str());
            at = *base;
        }
        let ExprKind::Name(name) = &self.expr(at).kind else { return None };
        if !is_free(name) {
            return None;
        }
        words.push(name);
        words.reverse();
        Some(words.join("."))
    }
}

impl Expr {
    /// The name that it is, or that stands after its dot, and where.
    pub fn last_name(&self) -> Option<(&str, Span)> {
        if let ExprKind::Attribute(_, name) = &self.kind {
            return Some((&name.text, name.span));
        }
        let ExprKind::Name(name) = &self.kind else { return None };
        Some((name, self.span))
    }
}
