//! The uses of expressions, found for a whole script when the first message asks.

use crate::check::infer::Ctx;
use crate::source::Span;
use crate::syntax::ast::{ExprId, ExprKind, Script};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The calls of a script, by the places of what they are of.
#[derive(Debug, Default)]
pub(in crate::check) struct CallsOf {
    /// Expressions that are arguments as they stand.
    pub(in crate::check) arguments: HashSet<Span>,
    /// The call that stands here.
    pub(in crate::check) calls: HashMap<Span, ExprId>,
}

impl CallsOf {
    fn in_script(script: &Script) -> CallsOf {
        let mut uses = CallsOf::default();
        for (id, expr) in (0..).map(ExprId).zip(&script.exprs) {
            if let ExprKind::Call(_, args) = &expr.kind {
                uses.arguments.extend(args.iter().map(|arg| script.expr(arg.value).span));
                uses.calls.insert(expr.span, id);
            }
        }
        uses
    }
}

impl Ctx<'_> {
    /// The uses of the expressions of this script.
    pub(in crate::check) fn uses(&mut self) -> Arc<CallsOf> {
        let script = self.frame.script;
        self.frame.on_demand.uses.get_or_insert_with(|| Arc::new(CallsOf::in_script(script))).clone()
    }
}
