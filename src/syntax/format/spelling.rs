//! Words that are written in another way: long names of dtypes, `np.`, and calls as methods.

use super::super::ast::{ExprId, ExprKind, Pattern, Script, StmtKind};
use super::super::lexer;
use super::super::token::Tok;
use super::{Words, all_statements};
use crate::diagnostic::Diagnostics;
use crate::source::SourceId;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

/// An edit, and the expression that it is made for.
struct Edit {
    range: Range<usize>,
    text: String,
    of: u32,
}

/// The text with its words as they should be.
pub(super) fn apply(text: &str, script: &Script, words: &Words) -> String {
    let spelling = Spelling { text, script, words, bound: bound(script) };
    let mut edits = spelling.names();
    for (id, expr) in (0..).zip(&script.exprs) {
        match &expr.kind {
            ExprKind::Attribute(base, name) if spelling.is_module(*base) => {
                let prefix = script.expr(*base).span.range().start..name.span.range().start;
                edits.push(Edit { range: prefix, text: String::new(), of: id });
            }
            ExprKind::Call(callee, args) => {
                let positional = args.iter().any(|arg| arg.name.is_none());
                edits.extend(spelling.method(*callee, !args.is_empty(), positional, id).into_iter().flatten());
            }
            _ => {}
        }
    }
    // Where several begin, what belongs to the larger expression comes first.
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end, Reverse(edit.of)));
    let (mut out, mut done) = (String::with_capacity(text.len()), 0);
    for Edit { range, text: new, .. } in edits {
        debug_assert!(range.start >= done);
        out.push_str(&text[done..range.start]);
        out.push_str(&new);
        done = range.end;
    }
    out.push_str(&text[done..]);
    out
}

/// The names that a script gives to something, with whether all of them are functions.
fn bound(script: &Script) -> HashMap<&str, bool> {
    let mut bound = HashMap::new();
    let mut names: Vec<(&str, bool)> = Vec::new();
    for stmt in all_statements(script) {
        match &stmt.kind {
            StmtKind::Let { pattern: Pattern::Name(name), .. } => names.push((&name.text, false)),
            StmtKind::Let { pattern: Pattern::Tuple(several, _), .. } => {
                names.extend(several.iter().map(|name| (name.text.as_str(), false)));
            }
            StmtKind::Var { name, .. } | StmtKind::Input { name, .. } | StmtKind::Output { name, .. } => {
                names.push((&name.text, false));
            }
            StmtKind::Fn(function) => {
                names.push((&function.name.text, true));
                names.extend(function.params.iter().map(|param| (param.name.text.as_str(), false)));
            }
            _ => {}
        }
    }
    for expr in &script.exprs {
        if let ExprKind::Repeat(repeat) = &expr.kind {
            names.extend(repeat.state.iter().map(|(name, _)| (name.text.as_str(), false)));
        }
    }
    for (name, function) in names {
        *bound.entry(name).or_insert(true) &= function;
    }
    bound
}

struct Spelling<'s> {
    text: &'s str,
    script: &'s Script,
    words: &'s Words<'s>,
    bound: HashMap<&'s str, bool>,
}

impl Spelling<'_> {
    /// Whether it is `np` or `jnp`, and the script has nothing of that name.
    fn is_module(&self, base: ExprId) -> bool {
        matches!(&self.script.expr(base).kind, ExprKind::Name(name)
            if matches!(name.as_str(), "np" | "jnp") && !self.bound.contains_key(name.as_str()))
    }

    /// Names of dtypes become short. They cannot be bound, so every one that is no attribute is one.
    fn names(&self) -> Vec<Edit> {
        let lexed = lexer::lex(self.text, SourceId(0), &mut Diagnostics::new());
        let mut modules: Vec<usize> = (self.script.exprs.iter())
            .filter_map(|expr| match &expr.kind {
                ExprKind::Attribute(base, name) if self.is_module(*base) => Some(name.span.range().start),
                _ => None,
            })
            .collect();
        modules.sort_unstable();
        let mut edits = Vec::new();
        let mut before = Tok::Nl;
        for token in lexed.tokens {
            let (start, name) = (token.start as usize, token.text(self.text));
            let attribute = before == Tok::Dot && modules.binary_search(&start).is_err();
            if token.tok == Tok::Name
                && !attribute
                && let Some(short) = (self.words.short)(name)
            {
                edits.push(Edit { range: start..token.end as usize, text: short.to_owned(), of: 0 });
            }
            before = token.tok;
        }
        edits
    }

    /// `x.f(y)` becomes `f(x, y)` where that calls the same function.
    fn method(&self, callee: ExprId, arguments: bool, positional: bool, id: u32) -> Option<[Edit; 2]> {
        let ExprKind::Attribute(base, name) = &self.script.expr(callee).kind else { return None };
        let function = match self.bound.get(name.text.as_str()) {
            Some(function) => *function,
            // `max(x, 1)` would be of two numbers.
            None => {
                (self.words.is_function)(&name.text) && !(positional && matches!(name.text.as_str(), "min" | "max"))
            }
        };
        if !function || self.is_module(*base) {
            return None;
        }
        let operand = self.script.expr(*base);
        let (Range { start, end }, dot) = (operand.span.range(), name.span.range());
        let open = dot.end + self.text[dot.end..].find('(')?;
        if self.text[end..open].contains(['\n', '#']) {
            return None;
        }
        // Brackets around all of the operand are no longer needed.
        let brackets = usize::from(matches!(operand.kind, ExprKind::Paren(_)));
        let call = Edit { range: start..start + brackets, text: format!("{}(", name.text), of: id };
        let rest = if arguments { ", " } else { "" };
        Some([call, Edit { range: end - brackets..open + 1, text: rest.to_owned(), of: id }])
    }
}
