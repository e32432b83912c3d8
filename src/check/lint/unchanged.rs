//! Calls that change an array in NumPy, as statements of their own.

use super::Lint;
use crate::check::report;
use crate::diagnostic::Level;
use crate::diagnostic::codes::lints;
use crate::ops::elsewhere;
use crate::syntax::ast::{ExprId, ExprKind, Script, StmtKind};

impl Lint<'_, '_> {
    /// Reports statements that only seem to change an array which later ones read.
    pub(super) fn unchanged_arrays(&mut self) {
        let script: &Script = self.request.script;
        let Some((_, before)) = script.stmts.split_last() else { return };
        for stmt in before {
            let StmtKind::Expr { value, .. } = stmt.kind else { continue };
            let Some(array) = self.changed_elsewhere(value) else { continue };
            let span = script.expr(value).span;
            let level = self.level(&lints::UNCHANGED_ARRAY, span);
            if level == Level::Allow {
                continue;
            }
            let (name, written) = (self.text(script.expr(array).span).to_owned(), self.text(span).to_owned());
            let is_variable = script
                .stmts
                .iter()
                .any(|stmt| matches!(&stmt.kind, StmtKind::Var { name: own, .. } if own.text == name));
            let is_name = matches!(script.expr(array).kind, ExprKind::Name(_));
            let keep = is_name.then(|| if is_variable { format!("{name} = ") } else { format!("let {name} = ") });
            self.report(report::unchanged_array(level, &name, &written, keep.as_deref(), span));
        }
    }

    /// The array that a call changes in NumPy, if it is a name or a part of one.
    fn changed_elsewhere(&self, call: ExprId) -> Option<ExprId> {
        let script: &Script = self.request.script;
        let ExprKind::Call(callee, args) = &script.expr(call).kind else { return None };
        let first = || args.first().filter(|arg| arg.name.is_none()).map(|arg| arg.value);
        // A function of the script with this name does something else.
        let is_own = |name: &str| {
            script.stmts.iter().any(|stmt| matches!(&stmt.kind, StmtKind::Fn(function) if function.name.text == name))
        };
        let callee = script.expr(*callee);
        let (name, _) = callee.last_name()?;
        if is_own(name) {
            return None;
        }
        let array = if let ExprKind::Attribute(before, _) = &callee.kind {
            let path = self.text(script.expr(*before).span);
            let is_module = elsewhere::modules::find(path).is_some();
            let changes = elsewhere::changes_an_array(Some(path), name);
            changes.then(|| if is_module { first() } else { Some(*before) })??
        } else {
            elsewhere::changes_an_array(None, name).then(first)??
        };
        let mut base = array;
        while let ExprKind::Index(inner, _) = script.expr(base).kind {
            base = inner;
        }
        matches!(script.expr(base).kind, ExprKind::Name(_)).then_some(array)
    }
}
