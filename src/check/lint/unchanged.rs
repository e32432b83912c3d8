//! Calls that change an array in NumPy, as statements of their own, and what is stored in a copy that is a view there.

use super::Lint;
use super::bindings::{Reads, reads};
use crate::check::report;
use crate::diagnostic::Level;
use crate::diagnostic::codes::lints;
use crate::ops::elsewhere;
use crate::syntax::ast::{ExprId, ExprKind, Index, Script, Stmt, StmtKind};

impl Lint<'_, '_> {
    /// Reports statements that only seem to change an array which later ones read.
    pub(super) fn unchanged_arrays(&mut self) {
        let script: &Script = self.request.script;
        let Some((_, before)) = script.stmts.split_last() else { return };
        for stmt in before {
            let StmtKind::Expr { value, .. } = stmt.kind else { continue };
            let Some((array, is_reshaped)) = self.changed_elsewhere(value) else { continue };
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
            let keeps_shape = is_variable && !is_reshaped;
            let keep = is_name.then(|| if keeps_shape { format!("{name} = ") } else { format!("let {name} = ") });
            self.report(report::unchanged_array(level, &name, &written, keep.as_deref(), span));
        }
    }

    /// Reports what is stored in a variable that is a part of another one, which a view in NumPy would change too,
    /// where a later statement reads the other one.
    pub(super) fn unchanged_sources(&mut self) {
        let script: &Script = self.request.script;
        let reads = reads(script);
        for (at, stmt) in script.stmts.iter().enumerate() {
            let StmtKind::Var { name, value, .. } = &stmt.kind else { continue };
            let Some(source) = self.source_of(script, *value, &script.stmts[..at]) else { continue };
            let later = &script.stmts[at + 1..];
            let Some(store) = lost_store(script, &reads, (source, name.text.as_str()), later) else { continue };
            let level = self.level(&lints::UNCHANGED_ARRAY, store.span);
            if level != Level::Allow {
                let part = script.expr(*value).span;
                let part = (self.text(part), part);
                self.report(report::unchanged_source(level, source, part, &name.text, store.span));
            }
        }
    }

    /// The variable of which a value is a part that NumPy would not copy: it is indexed by slices, and by integers that
    /// are written out.
    fn source_of<'s>(&self, script: &'s Script, value: ExprId, before: &[Stmt]) -> Option<&'s str> {
        let ExprKind::Index(base, index) = &script.expr(value).kind else { return None };
        let ExprKind::Name(name) = &script.expr(*base).kind else { return None };
        let is_known = |index: &Index| match index {
            Index::At(id) => self.text(script.expr(*id).span).parse::<i64>().is_ok(),
            Index::Slice(..) | Index::Ellipsis(_) | Index::NewAxis(_) => true,
        };
        let is_array = index.iter().any(|index| matches!(index, Index::Slice(..)));
        let last = before.iter().rev().find(|stmt| stmt.kind.names().iter().any(|own| own.text == *name))?;
        let is_view = is_array && index.iter().all(is_known) && matches!(last.kind, StmtKind::Var { .. });
        is_view.then_some(name.as_str())
    }

    /// The array that a call changes in NumPy, if it is a name or a part of one, and whether it gives it
    /// another shape.
    fn changed_elsewhere(&self, call: ExprId) -> Option<(ExprId, bool)> {
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
        matches!(script.expr(base).kind, ExprKind::Name(_)).then_some((array, elsewhere::changes_a_shape(name)))
    }
}

/// The last store in a part before its source is read, where no statement takes both: whoever compares them, or puts
/// the part back, knows that they are two values.
fn lost_store<'s>(script: &Script, reads: &Reads, (source, part): (&str, &str), later: &'s [Stmt]) -> Option<&'s Stmt> {
    let mut store = None;
    for stmt in later {
        let base = if let StmtKind::Assign { target, .. } = stmt.kind { base_of(script, target) } else { None };
        let is_read = |wanted: &str| {
            let places = reads.get(wanted).map_or(&[][..], Vec::as_slice);
            let next = places.get(places.partition_point(|&at| at < stmt.span.start));
            next.is_some_and(|&at| at < stmt.span.end)
        };
        let (reads_source, reads_part) = (is_read(source), is_read(part));
        let changes_source = base == Some(source);
        if reads_part && (reads_source || changes_source) {
            return None;
        }
        if store.is_some() && reads_source {
            return store;
        }
        let only_gives = matches!(stmt.kind, StmtKind::Output { value: None, .. });
        if !only_gives && stmt.kind.names().iter().any(|name| name.text == source || name.text == part) {
            return None;
        }
        let StmtKind::Assign { target, op, .. } = &stmt.kind else { continue };
        let is_whole = op.is_none() && matches!(script.expr(*target).kind, ExprKind::Name(_));
        match base {
            // What has another value as a whole is no view any more.
            Some(name) if is_whole && (name == source || name == part) => return None,
            Some(name) if name == part => store = Some(stmt),
            _ => {}
        }
    }
    None
}

/// The name that an assignment changes: `x` in `x[0] = 1`.
fn base_of(script: &Script, target: ExprId) -> Option<&str> {
    let mut expr = script.expr(target);
    while let ExprKind::Index(base, _) = expr.kind {
        expr = script.expr(base);
    }
    let ExprKind::Name(name) = &expr.kind else { return None };
    Some(name)
}
