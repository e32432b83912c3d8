//! Names that hide builtins.

use super::Lint;
use super::{loops, names_read};
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::diagnostic::codes::lints;
use crate::diagnostic::{Edit, Level};
use crate::ops;
use crate::source::Span;
use crate::syntax::ast::{DimsExpr, ExprKind, LoopDomain, Name, Script, Stmt, StmtKind, TypeExpr};
use std::collections::HashSet;

/// How many findings of a script come with the edits that rename all uses.
const MAX_RENAMED: usize = 64;

/// What gives a name its meaning.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Definition {
    /// The name can be changed without anybody noticing.
    Own,
    /// Callers know the name.
    Public,
    /// The interface's word for a value, or a name in the body of a loop. It matters only where the builtin is called
    /// too.
    Given,
}

impl Lint<'_, '_> {
    /// Reports every definition of the script whose name is that of a builtin. Outputs may have any name; so may
    /// inputs, parameters, states, counters and names in bodies of loops, if nothing of that name is called. In a `broken` script not every use
    /// is known, and nothing is renamed.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other statement defines nothing, or an output")]
    pub(super) fn shadowed_builtins(&mut self, broken: bool) {
        let script: &Script = self.request.script;
        let mut found: Vec<(&Name, Definition, Span)> = Vec::new();
        let mut left: Vec<&Stmt> = script.stmts.iter().rev().collect();
        while let Some(stmt) = left.pop() {
            match &stmt.kind {
                StmtKind::Input { name, .. } => found.push((name, Definition::Given, stmt.span)),
                StmtKind::Var { .. } | StmtKind::Let { .. } => {
                    found.extend(stmt.kind.names().iter().map(|name| (name, Definition::Own, stmt.span)));
                }
                StmtKind::Fn(function) => {
                    found.push((&function.name, Definition::Public, stmt.span));
                    found.extend(function.params.iter().map(|param| (&param.name, Definition::Given, stmt.span)));
                    left.extend(function.body.stmts.iter().rev());
                }
                _ => {}
            }
        }
        for it in loops(script) {
            let counter = if let LoopDomain::Steps { counter, .. } = &it.over { counter.as_ref() } else { None };
            let carried = counter.into_iter().chain(it.state.iter().map(|(name, _)| name));
            found.extend(carried.map(|name| (name, Definition::Given, name.span)));
            let own = it.body.stmts.iter().filter(|stmt| !matches!(stmt.kind, StmtKind::Output { .. }));
            let own =
                own.flat_map(|stmt| stmt.kind.names().iter().map(move |name| (name, Definition::Given, stmt.span)));
            found.extend(own);
        }
        let called: HashSet<&str> =
            script.exprs.iter().filter_map(|expr| called(script, &expr.kind)).map(|name| name.0).collect();
        let matters =
            |given: Definition, name: &Name| given != Definition::Given || called.contains(name.text.as_str());
        // A name that an earlier input hid was reported then.
        let env = self.request.env;
        let is_new = |name: &Name| is_builtin(&name.text) && env.is_none_or(|env| env.get(&name.text).is_none());
        let found = found.into_iter().filter(|(name, given, _)| is_new(name) && matters(*given, name));
        for (index, (name, definition, stmt)) in found.enumerate() {
            let level = self.level(&lints::SHADOWED_BUILTIN, name.span);
            if level != Level::Allow {
                let is_own = definition == Definition::Own && index < MAX_RENAMED;
                let rename = if is_own && !broken { self.renamed(name, stmt) } else { None };
                self.report(report::shadowed_builtin(level, &name.text, rename, name.span));
            }
        }
        self.shadowed_constants();
    }

    /// Reports the first dimension with the name of a constant of the language, for each such name. Names of builtins
    /// are left alone: a call means the builtin, even where a dimension has its name.
    fn shadowed_constants(&mut self) {
        let script: &Script = self.request.script;
        let mut told: Vec<&str> = Vec::new();
        for (name, span) in script.stmts.iter().flat_map(types).flat_map(|ty| dimensions(script, ty)) {
            if ops::constants::find(name).is_none() || told.contains(&name) {
                continue;
            }
            told.push(name);
            let level = self.level(&lints::SHADOWED_BUILTIN, span);
            if level != Level::Allow {
                self.report(report::shadowed_builtin(level, name, None, span));
            }
        }
    }

    /// The edits that give a binding another name, if these are certainly all.
    fn renamed(&self, name: &Name, stmt: Span) -> Option<(String, Vec<Edit>)> {
        let script: &Script = self.request.script;
        let new = format!("{}_", name.text);
        let bindings = script.stmts.iter().flat_map(|stmt| stmt.kind.names());
        let is_other = |other: &Name| other.text == name.text || other.text == new;
        let nested = script.stmts.iter().any(|stmt| matches!(stmt.kind, StmtKind::Fn(_)))
            || loops(script).any(|it| it.names().any(is_other))
            || loops(script).flat_map(|it| &it.body.stmts).flat_map(|stmt| stmt.kind.names()).any(is_other);
        if nested || bindings.filter(|other| other.text == name.text || other.text == new).count() > 1 {
            return None;
        }
        let mut edits = vec![Edit { span: name.span, text: new.clone() }];
        // If the value is no function, a call meant the builtin, and it does so again once the value has a new name.
        let function =
            self.scope.find(&name.text).is_some_and(|it| matches!(it.value, Value::Function(_) | Value::Builtin(_)));
        let calls: HashSet<Span> = match function {
            true => HashSet::new(),
            false => script.exprs.iter().filter_map(|expr| called(script, &expr.kind)).map(|name| name.1).collect(),
        };
        for (read, span) in names_read(script).filter(|(_, span)| !calls.contains(span)) {
            if read == name.text && span.start >= stmt.end {
                edits.push(Edit { span, text: new.clone() });
            }
            if read == new {
                return None;
            }
        }
        edits.sort_by_key(|edit| edit.span.start);
        edits.dedup_by_key(|edit| edit.span.start);
        Some((new, edits))
    }
}

/// The name of the function that a call names, also as a method, with its place.
fn called<'s>(script: &'s Script, kind: &'s ExprKind) -> Option<(&'s str, Span)> {
    let ExprKind::Call(callee, _) = kind else { return None };
    script.expr(*callee).last_name()
}

/// Whether a name stands for an operation or a constant of the language.
fn is_builtin(name: &str) -> bool {
    ops::by_name(name).is_some() || ops::constants::find(name).is_some()
}

/// The types that a statement states, those in the body of a function too.
fn types(stmt: &Stmt) -> Vec<&TypeExpr> {
    let body = if let StmtKind::Fn(function) = &stmt.kind { function.body.stmts.as_slice() } else { &[] };
    stmt.kind.types().chain(body.iter().flat_map(types)).collect()
}

/// The names of dimensions in a type, each with its place.
fn dimensions<'s>(script: &'s Script, ty: &TypeExpr) -> Vec<(&'s str, Span)> {
    let DimsExpr::List(list) = &ty.dims else { return Vec::new() };
    let (mut found, mut left) = (Vec::new(), list.clone());
    while let Some(id) = left.pop() {
        let expr = script.expr(id);
        if let ExprKind::Name(name) = &expr.kind {
            found.push((name.as_str(), expr.span));
        } else if let ExprKind::Call(_, args) = &expr.kind {
            // `min` in a dimension is a function, not a name of a dimension.
            left.extend(args.iter().map(|arg| arg.value));
        } else {
            expr.kind.each_child(&mut |child| left.push(child));
        }
    }
    found
}
