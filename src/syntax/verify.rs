//! The rules of every tree, in the order in which they are checked; a text with errors may break them:
//!
//! 1. A place lies in the text, and begins and ends between characters.
//! 2. An expression comes behind its parts, and is part of one thing at most. It is no deeper than [`MAX_DEPTH`].
//! 3. The parts of an expression lie in it, one after another. A loop names what it goes through in an order of its own.
//! 4. The operators and the names of an expression lie in it, beside its parts. The names of a loop may be parts.
//! 5. Statements stand one after another, and so do comments. The names, types and expressions of a statement lie in it,
//!    and the statements of a body in the body.
//!
//! ```
//! # let mut sources = arrlang::source::Sources::new();
//! let source = sources.add("sum.arr", "input x: f32[n]\nx + 1");
//! let script = arrlang::syntax::parse(&sources, source, &mut Default::default());
//! assert_eq!(script.verify(&sources), Ok(()));
//! ```

use super::ast::{Block, DimsExpr, ExprId, ExprKind, MAX_DEPTH, Script, Stmt, StmtKind, TypeExpr};
use crate::source::{Sources, Span};

impl Script {
    /// Checks the tree of a text that `sources` have.
    ///
    /// # Errors
    /// The first broken rule.
    pub fn verify(&self, sources: &Sources) -> Result<(), String> {
        let text = &sources.get(self.source).text;
        let mut rules = TreeRules { script: self, text, used: vec![false; self.exprs.len()] };
        for at in 0..self.exprs.len() {
            rules.expression(ExprId(at as u32)).map_err(|rule| format!("expression {at} of the tree: {rule}"))?;
        }
        let comments = self.comments.iter().map(|comment| comment.span);
        let whole = Span::new(self.source, 0, text.len());
        let rest = rules.all_within(whole, comments).and_then(|()| rules.statements(&self.stmts, whole));
        rest.map_err(|rule| format!("the tree: {rule}"))
    }
}

fn ensure(holds: bool, rule: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(rule.to_owned()) }
}

/// The places of operators and names of an expression that is no loop.
#[expect(clippy::wildcard_enum_match_arm, reason = "other expressions have parts alone, or are one word")]
fn words(kind: &ExprKind) -> Vec<Span> {
    match kind {
        ExprKind::Prefix(op, _) | ExprKind::Infix(op, ..) => vec![op.span],
        ExprKind::Compare(_, rest) => rest.iter().map(|(op, _)| op.span).collect(),
        ExprKind::Call(_, args) => args.iter().filter_map(|arg| Some(arg.name.as_ref()?.span)).collect(),
        ExprKind::Attribute(_, name) => vec![name.span],
        _ => Vec::new(),
    }
}

/// A tree, and which of its expressions are parts of something.
struct TreeRules<'s> {
    script: &'s Script,
    text: &'s str,
    used: Vec<bool>,
}

impl TreeRules<'_> {
    /// The first rule.
    fn place(&self, span: Span) -> Result<(), String> {
        let (start, end) = (span.start as usize, span.end as usize);
        let is_there = span.source == self.script.source && start <= end && end <= self.text.len();
        ensure(is_there, "a place lies in the text")?;
        let between = self.text.is_char_boundary(start) && self.text.is_char_boundary(end);
        ensure(between, "a place begins and ends between characters")
    }

    fn within(&self, whole: Span, part: Span) -> Result<(), String> {
        self.place(part)?;
        ensure(whole.start <= part.start && part.end <= whole.end, "a part lies in its whole")
    }

    /// Parts that stand one after another.
    fn all_within(&self, whole: Span, parts: impl Iterator<Item = Span>) -> Result<(), String> {
        let mut end = whole.start;
        for part in parts {
            self.within(whole, part)?;
            ensure(end <= part.start, "parts stand one after another")?;
            end = part.end;
        }
        Ok(())
    }

    fn is_part(&mut self, part: ExprId) -> Result<(), String> {
        let used = self.used.get_mut(part.0 as usize).ok_or("a part is one of the tree")?;
        ensure(!std::mem::replace(used, true), "an expression is part of one thing")
    }

    /// The second and the third rule.
    fn expression(&mut self, id: ExprId) -> Result<(), String> {
        let script = self.script;
        let expr = script.expr(id);
        self.place(expr.span)?;
        ensure(expr.depth <= MAX_DEPTH, "an expression is not too deep")?;
        let mut parts = Vec::new();
        expr.kind.each_child(&mut |part| parts.push(part));
        for &part in &parts {
            ensure(part < id, "an expression comes behind its parts")?;
            self.is_part(part)?;
        }
        let spans = parts.iter().map(|&part| script.expr(part).span);
        if let ExprKind::Loop(it) = &expr.kind {
            let names = it.names().map(|name| name.span);
            spans.chain(names).try_for_each(|span| self.within(expr.span, span))?;
            return self.block(&it.body, expr.span);
        }
        self.all_within(expr.span, spans.clone())?;
        let mut places: Vec<Span> = spans.chain(words(&expr.kind)).collect();
        places.sort_by_key(|span| (span.start, span.end));
        self.all_within(expr.span, places.into_iter())
    }

    /// The body of a function or a loop. The expressions of a loop's statements are parts of the loop.
    fn block(&self, block: &Block, whole: Span) -> Result<(), String> {
        self.within(whole, block.span)?;
        let result = block.result.map(|result| self.script.expr(result).span);
        self.all_within(block.span, block.stmts.iter().map(|stmt| stmt.span).chain(result))?;
        block.stmts.iter().try_for_each(|stmt| self.statement(stmt))
    }

    /// The statements of the text. What is below an expression is counted there, and everything else here.
    fn statements(&mut self, stmts: &[Stmt], whole: Span) -> Result<(), String> {
        self.all_within(whole, stmts.iter().map(|stmt| stmt.span))?;
        for stmt in stmts {
            self.statement(stmt)?;
            let mut parts = Vec::new();
            stmt.kind.each_child(&mut |part| parts.push(part));
            if let StmtKind::Fn(function) = &stmt.kind {
                function.params.iter().try_for_each(|param| self.within(stmt.span, param.name.span))?;
                self.block(&function.body, stmt.span)?;
                function.body.stmts.iter().for_each(|stmt| stmt.kind.each_child(&mut |part| parts.push(part)));
                parts.extend(function.body.result);
            }
            parts.into_iter().try_for_each(|part| self.is_part(part))?;
        }
        Ok(())
    }

    /// The names, types and expressions of a statement lie in it.
    fn statement(&self, stmt: &Stmt) -> Result<(), String> {
        self.place(stmt.span)?;
        stmt.kind.names().iter().try_for_each(|name| self.within(stmt.span, name.span))?;
        stmt.kind.types().try_for_each(|ty| self.type_within(ty, stmt.span))?;
        let mut parts = Vec::new();
        stmt.kind.each_child(&mut |part| parts.push(part));
        self.all_within(stmt.span, parts.into_iter().map(|part| self.script.expr(part).span))
    }

    fn type_within(&self, ty: &TypeExpr, whole: Span) -> Result<(), String> {
        self.within(whole, ty.span)?;
        self.within(ty.span, ty.dtype.span)?;
        let DimsExpr::List(dims) = &ty.dims else { return Ok(()) };
        self.all_within(ty.span, dims.iter().map(|&dim| self.script.expr(dim).span))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Diagnostics;
    use crate::syntax::ast::{Expr, Name, Operator};
    use crate::syntax::parse;
    use std::sync::Arc;

    const TEXT: &str = "input x: f32[n, 2] in [0, 1] # é\nfn f(y: f32[..], k=1) -> f32[n] { let z = y + k; z * 2 }\n\
        let (w, _) = repeat 3 as t with s = 1.0, r = x { let q = s; (q, r) }\nf(x, k=-2)[0, 1:] < w <= 4";

    fn parsed(text: &str) -> (Sources, Script) {
        let mut sources = Sources::new();
        let source = sources.add("test.arr", text);
        let mut sink = Diagnostics::new();
        let script = parse(&sources, source, &mut sink);
        assert!(sink.is_empty(), "{text} parses");
        (sources, Arc::into_inner(script).expect("nobody else has the tree"))
    }

    #[test]
    fn the_tree_of_a_text_is_fine() {
        let others = "var a = zeros((2, 3))\na[0, :] += 1\nassert a.shape[0] == 2\noutput a\nuse \"lib.arr\"";
        for text in [TEXT, others, "", "# nothing", "scan x, y = a along 0 reverse with s = 0 { s }"] {
            let mut sources = Sources::new();
            let source = sources.add("test.arr", text);
            let script = parse(&sources, source, &mut Diagnostics::new());
            assert_eq!(script.verify(&sources), Ok(()), "{text}");
        }
    }

    #[test]
    fn every_rule_is_asked_for() {
        type Change = fn(&mut Script);
        fn in_brackets(tree: &mut Script) {
            let span = tree.exprs[0].span;
            tree.exprs.push(Expr { kind: ExprKind::Paren(ExprId(0)), span, depth: 1 });
        }
        fn words_of<'t, T>(tree: &'t mut Script, word: fn(&'t mut ExprKind) -> Option<T>) -> T {
            tree.exprs.iter_mut().find_map(|expr| word(&mut expr.kind)).unwrap()
        }
        fn operator(kind: &mut ExprKind) -> Option<&mut Operator> {
            if let ExprKind::Infix(op, ..) | ExprKind::Prefix(op, _) = kind { Some(op) } else { None }
        }
        fn keyword(kind: &mut ExprKind) -> Option<&mut Name> {
            if let ExprKind::Call(_, args) = kind { args.iter_mut().find_map(|arg| arg.name.as_mut()) } else { None }
        }
        let cases: [(Change, &str); 13] = [
            (|it| it.exprs[0].span.end = 900, "a place lies in the text"),
            (|it| (it.exprs[0].span.start, it.exprs[0].span.end) = (32, 33), "between characters"),
            (|it| it.exprs[0].depth = MAX_DEPTH + 1, "not too deep"),
            (|it| it.exprs[0].kind = ExprKind::Paren(ExprId(0)), "comes behind its parts"),
            (|it| it.exprs.last_mut().unwrap().kind = ExprKind::Paren(ExprId(900)), "comes behind its parts"),
            (|it| (0..2).for_each(|_| in_brackets(it)), "part of one thing"),
            (|it| it.exprs[0].span.start = 0, "a part lies in its whole"),
            (|it| words_of(it, operator).span.start -= 2, "parts stand one after another"),
            (|it| words_of(it, operator).span = it.stmts[0].span, "a part lies in its whole"),
            (|it| words_of(it, keyword).span.end += 2, "parts stand one after another"),
            (|it| it.stmts.swap(0, 1), "parts stand one after another"),
            (|it| it.stmts[0].span.start = 8, "a part lies in its whole"),
            (|it| it.stmts[2].kind = StmtKind::Assert(ExprId(0)), "a part lies in its whole"),
        ];
        for (change, rule) in cases {
            let (sources, mut script) = parsed(TEXT);
            change(&mut script);
            let said = script.verify(&sources).unwrap_err();
            assert!(said.contains(rule), "{said} should be {rule}");
        }
    }
}
