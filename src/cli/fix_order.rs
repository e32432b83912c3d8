//! The order of fixes: one that was made for the dtype of a value waits where a fix changes that value.

use crate::diagnostic::Fix;
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind, Script, Stmt, StmtKind};
use std::collections::HashSet;

/// A statement with the fixes that stand in it and in no statement inside of it.
struct FixedStatement<'s> {
    span: Span,
    /// The names that it gives a value.
    names: Vec<&'s str>,
    /// Whether it is a function or stands in one.
    in_function: bool,
    fixes: Vec<usize>,
}

/// The fixes that may be carried out at once: none is made for a value that another of them changes. The body of a
/// function is fixed before what is made of its calls, but after what its calls are given.
pub(super) fn ready<'f>(script: &Script, fixes: &[&'f Fix]) -> Vec<&'f Fix> {
    let (statements, mut taken) = statements(script, fixes);
    let functions: HashSet<&str> = script.stmts.iter().filter_map(|stmt| function_name(&stmt.kind)).collect();
    let reads_at = |place: Span, names: &HashSet<&str>| {
        let mut read = within(script, place).filter_map(Expr::last_name);
        !names.is_empty() && read.any(|(name, _)| names.contains(name))
    };
    let reads = |statement: &FixedStatement, names: &HashSet<&str>| reads_at(statement.span, names);
    let changes = |statement: &FixedStatement| statement.fixes.iter().any(|&index| !fixes[index].keeps_values);
    // What is made of a call is decided again when the body is fixed.
    let bodies_change = statements.iter().any(|it| it.in_function && changes(it));
    let is_of_calls = |index: usize| {
        bodies_change && place(fixes[index]).is_some_and(|own| reads_at(around(script, own), &functions))
    };
    let changes_first = |index: &usize| !fixes[*index].keeps_values && !is_of_calls(*index);
    let mut changed: HashSet<&str> = HashSet::new();
    let mut calls_wait = false;
    for statement in statements.iter().filter(|it| !it.in_function) {
        if statement.fixes.iter().any(changes_first) || reads(statement, &changed) {
            let of_functions = calls(script, statement.span).filter(|(name, _)| functions.contains(name));
            calls_wait |= of_functions.map(|(_, call)| call).any(|call| {
                let is_inside = |own: Span| own != call && covers(call, own);
                let is_given = |index: &usize| changes_first(index) && place(fixes[*index]).is_some_and(is_inside);
                reads_at(call, &changed) || statement.fixes.iter().any(is_given)
            });
            changed.extend(&statement.names);
        }
    }
    changed.clear();
    for statement in statements.iter().filter(|it| !(it.in_function && calls_wait)) {
        let waits = reads(statement, &changed);
        let keeps = |index: &&usize| !is_cast(fixes[**index]) || !(waits || calls_wait && is_of_calls(**index));
        taken.extend(statement.fixes.iter().filter(keeps));
        if waits || changes(statement) {
            changed.extend(&statement.names);
        }
    }
    // A function that waits keeps what is not about dtypes.
    let others = statements.iter().filter(|it| it.in_function && calls_wait).flat_map(|it| &it.fixes);
    taken.extend(others.filter(|&&index| !is_cast(fixes[index])));
    taken.sort_unstable();
    taken.into_iter().map(|index| fixes[index]).collect()
}

/// The statements of a script, those inside of others before them, each with its fixes; and the fixes that stand in
/// none, but in comments.
fn statements<'s>(script: &'s Script, fixes: &[&Fix]) -> (Vec<FixedStatement<'s>>, Vec<usize>) {
    let bodies = script.stmts.iter().filter_map(|stmt| {
        if let StmtKind::Fn(function) = &stmt.kind { Some((stmt.span, function.body.stmts.as_slice())) } else { None }
    });
    let bodies: Vec<(Span, &[Stmt])> = bodies.collect();
    let loops = script
        .exprs
        .iter()
        .filter_map(|expr| if let ExprKind::Loop(it) = &expr.kind { Some(it.body.stmts.as_slice()) } else { None });
    let inner = bodies.iter().map(|(_, stmts)| *stmts).chain(loops).flatten();
    let in_function = |span: Span| {
        let at = bodies.partition_point(|(body, _)| body.end < span.end);
        bodies.get(at).is_some_and(|(body, _)| body.start <= span.start)
    };
    let of_stmt = |stmt: &'s Stmt| FixedStatement {
        span: stmt.span,
        names: names(script, &stmt.kind),
        in_function: in_function(stmt.span),
        fixes: Vec::new(),
    };
    let mut statements: Vec<FixedStatement> = script.stmts.iter().chain(inner).map(of_stmt).collect();
    statements.sort_by_key(|it| (it.span.end, std::cmp::Reverse(it.span.start)));
    let mut outside = Vec::new();
    for (index, fix) in fixes.iter().enumerate() {
        let Some(at) = fix.edits.first().map(|edit| edit.span) else { continue };
        let first = statements.partition_point(|it| it.span.end < at.end);
        let around = statements[first..].iter_mut().find(|it| it.span.start <= at.start);
        match around {
            Some(statement) => statement.fixes.push(index),
            None => outside.push(index),
        }
    }
    (statements, outside)
}

fn function_name(kind: &StmtKind) -> Option<&str> {
    if let StmtKind::Fn(function) = kind { Some(&function.name.text) } else { None }
}

/// The names that a statement gives a value; of an assignment all in its target.
fn names<'s>(script: &'s Script, kind: &'s StmtKind) -> Vec<&'s str> {
    if let StmtKind::Assign { target, .. } = kind {
        return within(script, script.expr(*target).span).filter_map(Expr::last_name).map(|(name, _)| name).collect();
    }
    kind.names().iter().map(|name| name.text.as_str()).collect()
}

/// The expressions inside of a place. The arena is in the order of their ends.
fn within(script: &Script, place: Span) -> impl Iterator<Item = &Expr> {
    let from = script.exprs.partition_point(|expr| expr.span.end < place.start);
    let ending = script.exprs[from..].iter().take_while(move |expr| expr.span.end <= place.end);
    ending.filter(move |expr| expr.span.start >= place.start)
}

/// The calls inside of a place, by the names that are called.
fn calls(script: &Script, place: Span) -> impl Iterator<Item = (&str, Span)> {
    within(script, place).filter_map(move |expr| {
        let ExprKind::Call(callee, _) = &expr.kind else { return None };
        script.expr(*callee).last_name().map(|(name, _)| (name, expr.span))
    })
}

/// From the first edit of a fix to its last.
fn place(fix: &Fix) -> Option<Span> {
    let (first, rest) = fix.edits.split_first()?;
    Some(rest.iter().fold(first.span, |all, edit| all.to(edit.span)))
}

/// The expression that a place is an operand of.
fn around(script: &Script, place: Span) -> Span {
    let from = script.exprs.partition_point(|expr| expr.span.end < place.end);
    let is_operation =
        |expr: &&Expr| expr.span != place && covers(expr.span, place) && !matches!(expr.kind, ExprKind::Paren(_));
    script.exprs[from..].iter().find(is_operation).map_or(place, |expr| expr.span)
}

fn covers(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Whether a fix writes a cast, which was made for a dtype. The widest integer holds what any other does.
fn is_cast(fix: &Fix) -> bool {
    fix.edits.iter().any(|edit| edit.text.ends_with('(') && !edit.text.ends_with("i64("))
}
