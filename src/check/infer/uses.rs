//! What expressions are used for, found once for a whole script when the first message asks.

use super::Ctx;
use crate::source::Span;
use crate::syntax::ast::{ExprId, ExprKind, Script};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The calls of a script, by the places of what they are of.
#[derive(Debug, Default)]
pub(in crate::check) struct Uses {
    /// Expressions that are arguments as they stand.
    pub(in crate::check) arguments: HashSet<Span>,
    /// The call or attribute whose first argument, or what stands before its dot, stands here, parentheses aside.
    pub(in crate::check) of: HashMap<Span, ExprId>,
    /// The call that stands here.
    pub(in crate::check) calls: HashMap<Span, ExprId>,
}

impl Uses {
    fn in_script(script: &Script) -> Uses {
        let mut uses = Uses::default();
        let place = |mut id: ExprId| {
            while let ExprKind::Paren(inner) = script.expr(id).kind {
                id = inner;
            }
            script.expr(id).span
        };
        for (id, expr) in (0..).map(ExprId).zip(&script.exprs) {
            match &expr.kind {
                ExprKind::Call(callee, args) => {
                    uses.arguments.extend(args.iter().map(|arg| script.expr(arg.value).span));
                    uses.calls.insert(expr.span, id);
                    let first = args.first().filter(|arg| arg.name.is_none()).map(|arg| arg.value);
                    let base = match &script.expr(*callee).kind {
                        ExprKind::Attribute(base, _) => Some(*base),
                        _ => None,
                    };
                    // Children come before parents, so the call takes the place of its callee.
                    uses.of.extend(first.into_iter().chain(base).map(|operand| (place(operand), id)));
                }
                ExprKind::Attribute(base, _) => {
                    uses.of.insert(place(*base), id);
                }
                _ => {}
            }
        }
        uses
    }
}

impl Ctx<'_> {
    /// The uses of the expressions of this script.
    pub(in crate::check) fn uses(&mut self) -> Arc<Uses> {
        let script = self.frame.script;
        self.frame.uses.get_or_insert_with(|| Arc::new(Uses::in_script(script))).clone()
    }
}
