//! The tree as text, one node a line: `arr eval --emit ast`.
//!
//! A chain of binary operators is printed as one list of operands, since its tree may be as deep as it is long.
//!
//! ```text
//! let x @0..13
//!   chain @8..13
//!     int 1 @8..9
//!     + @10..11
//!     name y @12..13
//! ```

use super::ast::{
    Block, DimsExpr, ExprId, ExprKind, Index, LoopDomain, LoopExpr, Name, Pattern, Script, SettingWord, Stmt, StmtKind,
    TypeExpr,
};
use crate::source::{Sources, Span};
use std::fmt::Write;

/// Prints a script as an indented tree with places.
pub fn print(sources: &Sources, script: &Script) -> String {
    let mut cx = PrintCx { sources, script, out: String::new(), indent: 0 };
    cx.statements(&script.stmts);
    cx.out
}

struct PrintCx<'a> {
    sources: &'a Sources,
    script: &'a Script,
    out: String,
    indent: usize,
}

impl<'a> PrintCx<'a> {
    fn line(&mut self, what: &str, span: Span) {
        // Writing into a string cannot fail.
        let _ = writeln!(self.out, "{:indent$}{what} @{}..{}", "", span.start, span.end, indent = self.indent * 2);
    }

    /// Prints what `body` prints one level deeper, under a line of its own.
    fn under(&mut self, what: &str, span: Span, body: impl FnOnce(&mut Self)) {
        self.line(what, span);
        self.indent += 1;
        body(self);
        self.indent -= 1;
    }

    fn statements(&mut self, stmts: &'a [Stmt]) {
        for stmt in stmts {
            for doc in &stmt.doc {
                self.line(&format!("doc {:?}", self.sources.text(doc.span)), doc.span);
            }
            self.statement(stmt);
        }
    }

    fn statement(&mut self, stmt: &'a Stmt) {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Error => self.line("error", span),
            StmtKind::Promotion(settings) => self.under("promotion", span, |cx| {
                for SettingWord { word, value } in settings {
                    let value = value.as_ref().map(|value| format!(" = {}", value.text)).unwrap_or_default();
                    cx.line(&format!("setting {}{value}", word.text), word.span);
                }
            }),
            StmtKind::Input { name, ty, range, default } => {
                self.under(&format!("input {}", name.text), span, |cx| {
                    cx.ty(Some(ty));
                    if let Some((lo, hi)) = range {
                        cx.under("in", cx.place(*lo).to(cx.place(*hi)), |cx| cx.exprs([*lo, *hi]));
                    }
                    cx.exprs(*default);
                });
            }
            StmtKind::Let { pattern, ty, value } => {
                let names = match pattern {
                    Pattern::Name(name) => name.text.clone(),
                    Pattern::Tuple(names, _) => {
                        format!("({})", names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(", "))
                    }
                };
                self.under(&format!("let {names}"), span, |cx| {
                    cx.ty(ty.as_ref());
                    cx.expr(*value);
                });
            }
            StmtKind::Var { name, ty, value } => self.under(&format!("var {}", name.text), span, |cx| {
                cx.ty(ty.as_ref());
                cx.expr(*value);
            }),
            StmtKind::Assign { target, op, value } => {
                let op = op.map_or("", |op| op.notation);
                self.under(&format!("assign {op}="), span, |cx| cx.exprs([*target, *value]));
            }
            StmtKind::Fn(function) => self.under(&format!("fn {}", function.name.text), span, |cx| {
                for param in &function.params {
                    cx.under(&format!("param {}", param.name.text), param.name.span, |cx| {
                        cx.ty(param.ty.as_ref());
                        cx.exprs(param.default);
                    });
                }
                cx.ty(function.result.as_ref());
                cx.block(&function.body);
            }),
            StmtKind::Output { name, ty, value } => self.under(&format!("output {}", name.text), span, |cx| {
                cx.ty(ty.as_ref());
                cx.exprs(*value);
            }),
            StmtKind::Expr { value, silent } => {
                self.under(if *silent { "value (silent)" } else { "value" }, span, |cx| cx.expr(*value));
            }
            StmtKind::Assert(value) => self.under("assert", span, |cx| cx.expr(*value)),
            StmtKind::Use { path, .. } => self.line(&format!("use {path:?}"), span),
        }
    }

    fn block(&mut self, block: &'a Block) {
        self.under("block", block.span, |cx| {
            cx.statements(&block.stmts);
            cx.exprs(block.result);
        });
    }

    fn ty(&mut self, ty: Option<&'a TypeExpr>) {
        let Some(ty) = ty else { return };
        match &ty.dims {
            DimsExpr::Scalar => self.line(&format!("type {}", ty.dtype.text), ty.span),
            DimsExpr::Any => self.line(&format!("type {}[..]", ty.dtype.text), ty.span),
            DimsExpr::List(dims) => {
                self.under(&format!("type {}[]", ty.dtype.text), ty.span, |cx| cx.exprs(dims.iter().copied()));
            }
        }
    }

    fn place(&self, id: ExprId) -> Span {
        self.script.expr(id).span
    }

    fn exprs(&mut self, ids: impl IntoIterator<Item = ExprId>) {
        for id in ids {
            self.expr(id);
        }
    }

    fn expr(&mut self, id: ExprId) {
        let expr = self.script.expr(id);
        let span = expr.span;
        let spelling = self.sources.text(span);
        match &expr.kind {
            ExprKind::Error => self.line("error", span),
            ExprKind::Name(name) => self.line(&format!("name {name}"), span),
            ExprKind::Int => self.line(&format!("int {spelling}"), span),
            ExprKind::Float => self.line(&format!("float {spelling}"), span),
            ExprKind::Imaginary => self.line(&format!("imaginary {spelling}"), span),
            ExprKind::Bool(value) => self.line(&format!("bool {value}"), span),
            ExprKind::None => self.line("None", span),
            ExprKind::Str(text) => self.line(&format!("string {text:?}"), span),
            ExprKind::Array(items) => self.under("array", span, |cx| cx.exprs(items.iter().copied())),
            ExprKind::Tuple(items) => self.under("tuple", span, |cx| cx.exprs(items.iter().copied())),
            ExprKind::Paren(inner) => self.under("paren", span, |cx| cx.expr(*inner)),
            ExprKind::Prefix(op, operand) => {
                self.under(&format!("prefix {}", op.notation), span, |cx| cx.expr(*operand));
            }
            ExprKind::Infix(..) => self.under("chain", span, |cx| cx.chain(id)),
            ExprKind::Compare(first, rest) => self.under("compare", span, |cx| {
                cx.expr(*first);
                for (op, operand) in rest {
                    cx.line(op.notation, op.span);
                    cx.expr(*operand);
                }
            }),
            ExprKind::Call(callee, args) => self.under("call", span, |cx| {
                cx.expr(*callee);
                for arg in args {
                    match &arg.name {
                        Some(name) => cx.under(&format!("{}=", name.text), name.span, |cx| cx.expr(arg.value)),
                        None => cx.expr(arg.value),
                    }
                }
            }),
            ExprKind::Index(base, indices) => self.under("index", span, |cx| {
                cx.expr(*base);
                indices.iter().for_each(|index| cx.index(index));
            }),
            ExprKind::Attribute(base, name) => {
                self.under(&format!("attribute {}", name.text), span, |cx| cx.expr(*base));
            }
            ExprKind::Loop(it) => {
                let word = if matches!(it.over, LoopDomain::Steps { .. }) { "repeat" } else { "scan" };
                self.under(word, span, |cx| cx.loop_(it));
            }
        }
    }

    fn loop_(&mut self, it: &'a LoopExpr) {
        let named = |cx: &mut Self, word: &str, (name, value): &'a (Name, ExprId)| {
            cx.under(&format!("{word} {}", name.text), name.span, |cx| cx.expr(*value));
        };
        match &it.over {
            LoopDomain::Steps { count, counter, condition } => {
                self.expr(*count);
                if let Some(name) = counter {
                    self.line(&format!("as {}", name.text), name.span);
                }
                if let Some(condition) = condition {
                    self.under("while", self.place(*condition), |cx| cx.expr(*condition));
                }
            }
            LoopDomain::Rows { arrays, axis, reverse } => {
                arrays.iter().for_each(|array| named(self, "row", array));
                if let Some(axis) = axis {
                    self.under("along", self.place(*axis), |cx| cx.expr(*axis));
                }
                if let Some(span) = reverse {
                    self.line("reverse", *span);
                }
            }
        }
        it.state.iter().for_each(|state| named(self, "with", state));
        self.block(&it.body);
    }

    /// The left spine of binary operators, first operand first.
    fn chain(&mut self, id: ExprId) {
        let mut first = id;
        let mut rest = Vec::new();
        while let ExprKind::Infix(op, left, right) = self.script.expr(first).kind {
            rest.push((op, right));
            first = left;
        }
        self.expr(first);
        for (op, operand) in rest.into_iter().rev() {
            self.line(op.notation, op.span);
            self.expr(operand);
        }
    }

    fn index(&mut self, index: &Index) {
        match *index {
            Index::At(id) => self.expr(id),
            Index::Ellipsis(span) => self.line("...", span),
            Index::NewAxis(span) => self.line("new axis", span),
            Index::Slice(lo, hi, step, span) => self.under("slice", span, |cx| {
                for (name, part) in [("from", lo), ("to", hi), ("step", step)] {
                    if let Some(part) = part {
                        cx.under(name, cx.place(part), |cx| cx.expr(part));
                    }
                }
            }),
        }
    }
}
