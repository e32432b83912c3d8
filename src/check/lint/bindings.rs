//! Definitions that nothing uses.
//!
//! At each place, a name stands for its last definition above that place; functions are known everywhere. A name that a
//! function reads counts as read wherever it is defined.

use super::Lint;
use super::{loops, names_read};
use crate::check::report;
use crate::diagnostic::Level;
use crate::diagnostic::codes::lints;
use crate::source::Span;
use crate::syntax::ast::{Name, Script, Stmt, StmtKind};
use std::collections::{HashMap, HashSet};

/// For each name, the places where it is read, ascending.
pub(super) type Reads<'s> = HashMap<&'s str, Vec<u32>>;

impl Lint<'_, '_> {
    /// Reports the definitions of the script, and of the bodies of its functions and loops, that nothing uses, but for
    /// those at the `told` places.
    pub(super) fn unused_bindings(&mut self, reads: &Reads, told: &[Span]) {
        let script: &Script = self.request.script;
        let gives = |stmt: &Stmt| {
            matches!(stmt.kind, StmtKind::Output { .. } | StmtKind::Expr { .. } | StmtKind::Assert(_) | StmtKind::Error)
        };
        let mut unused: Vec<&Name> = Vec::new();
        if script.stmts.iter().any(gives) {
            unused.extend(unread(&script.stmts, u32::MAX, reads, &readers(script, reads)));
        }
        for stmt in &script.stmts {
            if let StmtKind::Fn(function) = &stmt.kind {
                unused.extend(unread(&function.body.stmts, function.body.span.end, reads, &Readers::new()));
            }
        }
        for it in loops(script) {
            unused.extend(unread(&it.body.stmts, it.body.span.end, reads, &Readers::new()));
        }
        for name in unused.into_iter().filter(|name| !told.contains(&name.span)) {
            let level = self.level(&lints::UNUSED_BINDING, name.span);
            if level != Level::Allow {
                self.report(report::unused_binding(level, &name.text, name.span));
            }
        }
    }
}

/// All places that read a name. The target of an assignment is not read.
#[expect(clippy::wildcard_enum_match_arm, reason = "no other statement reads or changes a name by itself")]
pub(super) fn reads(script: &Script) -> Reads<'_> {
    let mut targets: HashSet<Span> = HashSet::new();
    let mut blocks: Vec<&[Stmt]> = loops(script).map(|it| it.body.stmts.as_slice()).collect();
    blocks.push(&script.stmts);
    let mut found: Vec<(&str, u32)> = Vec::new();
    while let Some(stmts) = blocks.pop() {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Assign { target, .. } => {
                    targets.extend(script.indexed_name(*target).map(|(_, span)| span));
                }
                StmtKind::Output { name, value: None, .. } => found.push((&name.text, name.span.start)),
                StmtKind::Fn(function) => blocks.push(&function.body.stmts),
                _ => {}
            }
        }
    }
    found.extend(names_read(script).filter(|(_, span)| !targets.contains(span)).map(|(name, span)| (name, span.start)));
    let mut reads = Reads::new();
    for (name, at) in found {
        reads.entry(name).or_default().push(at);
    }
    reads.values_mut().for_each(|places| places.sort_unstable());
    reads
}

/// For each name, at most two functions that read it: one of them may be the function that has the name.
type Readers<'s> = HashMap<&'s str, Vec<Span>>;

fn readers<'s>(script: &Script, reads: &Reads<'s>) -> Readers<'s> {
    let functions = script.stmts.iter().filter(|stmt| matches!(stmt.kind, StmtKind::Fn(_)));
    let functions: Vec<Span> = functions.map(|stmt| stmt.span).collect();
    let mut readers = Readers::new();
    for (&name, places) in reads {
        for &at in places {
            let next = functions.partition_point(|span| span.end <= at);
            let Some(&span) = functions.get(next).filter(|span| span.start <= at) else { continue };
            let known: &mut Vec<Span> = readers.entry(name).or_default();
            if known.len() < 2 && !known.contains(&span) {
                known.push(span);
            }
        }
    }
    readers
}

/// The names that statements bind and nothing reads before the next definition, or before `end`. A name that
/// `functions` read may be defined anywhere.
fn unread<'s>(stmts: &'s [Stmt], end: u32, reads: &Reads, functions: &Readers) -> Vec<&'s Name> {
    let mut next: HashMap<&str, u32> = HashMap::new();
    let mut unread = Vec::new();
    let read_in = |name: &str, from: u32, to: u32| {
        let Some(places) = reads.get(name) else { return false };
        places.get(places.partition_point(|&at| at < from)).is_some_and(|&at| at < to)
    };
    let inside = |name: &str, own: Span| functions.get(name).is_some_and(|spans| spans.iter().any(|span| *span != own));
    for stmt in stmts.iter().rev() {
        let names = stmt.kind.names();
        let is_read = |name: &Name| {
            let until = next.get(name.text.as_str()).copied().unwrap_or(end);
            let everywhere = matches!(stmt.kind, StmtKind::Fn(_));
            name.text.starts_with('_')
                || read_in(&name.text, stmt.span.end, until)
                || inside(&name.text, stmt.span)
                || everywhere && read_in(&name.text, 0, stmt.span.start)
        };
        let counts = matches!(stmt.kind, StmtKind::Let { .. } | StmtKind::Var { .. } | StmtKind::Fn(_));
        if counts && !names.iter().any(is_read) {
            unread.extend(names);
        }
        for name in names {
            // The new value may still be made of the old one.
            next.insert(&name.text, stmt.span.end);
        }
    }
    unread.reverse();
    unread
}
