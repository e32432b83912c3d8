//! The meaning of the productions for statements; the other half of [`Builder`].

use super::ast::{
    Block, ExprId, ExprKind, FunctionDefinition, FunctionParam, Index, Name, Operator, Pattern, SettingWord, Stmt,
    StmtKind, TypeExpr,
};
use super::builder::{Builder, Recovery, Word};
use super::report::{self, Brackets};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use std::collections::HashSet;

/// A parameter in few bytes, since the parser's stack is as wide as the widest thing on it.
pub(crate) struct ParameterParts(pub(crate) Word, pub(crate) Option<Box<TypeExpr>>, pub(crate) Option<ExprId>);

impl Builder<'_> {
    /// Where the statements of the block that begins here will start.
    pub(crate) fn mark(&self) -> u32 {
        self.pending.len() as u32
    }

    /// The whole text is read.
    pub(crate) fn finish(&mut self, _mark: u32) {}

    fn push(&mut self, kind: StmtKind, start: u32, end: u32) {
        // What began inside a statement that did not parse was dropped with it.
        while self.pending.last().is_some_and(|last| last.span.start >= start) {
            self.pending.pop();
        }
        let span = self.span(start, end);
        self.pending.push(Stmt { kind, span, doc: Vec::new() });
    }

    /// The separator after the last statement; a `;` silences an expression.
    pub(crate) fn end_statement(&mut self, semicolon: bool) {
        self.statement_done();
        if let Some(Stmt { kind: StmtKind::Expr { silent, .. }, .. }) = self.pending.last_mut() {
            *silent = semicolon;
        }
    }

    /// A statement that does not parse.
    pub(crate) fn broken_statement(&mut self, start: u32, recovery: Recovery, end: u32) {
        self.note_recovery(recovery);
        self.broken_names(start, end);
        self.push(StmtKind::Error, start, end);
        self.statement_done();
    }

    /// Notes the names that a broken statement was to define: `x` of `input x`.
    fn broken_names(&mut self, start: u32, end: u32) {
        for (from, to) in names_to_define(&self.text[start as usize..end as usize]) {
            let name = self.name_at(Word(start + from as u32, start + to as u32));
            self.broken.push(name);
        }
    }

    fn setting_word(&self, word: Word) -> Name {
        let mut name = self.name_at(word);
        if self.word_text(word).starts_with(['"', '\'']) {
            name.text = self.string(word);
        }
        name
    }

    /// `promotion jax safe`
    pub(crate) fn promotion(&mut self, start: u32, settings: Vec<(Word, Option<Word>)>, end: u32) {
        let named = |(word, value): (Word, Option<Word>)| SettingWord {
            word: self.setting_word(word),
            value: value.map(|value| self.setting_word(value)),
        };
        let settings = settings.into_iter().map(named).collect();
        self.push(StmtKind::Promotion(settings), start, end);
    }

    #[expect(clippy::boxed_local, reason = "types are boxed on the parser's stack, to keep it narrow")]
    /// `input x: f32[n] in [0, 1] = 0`
    pub(crate) fn input(
        &mut self,
        start: u32,
        name: Word,
        ty: Box<TypeExpr>,
        range: Option<(ExprId, ExprId)>,
        default: Option<ExprId>,
        end: u32,
    ) {
        let name = self.name_at(name);
        self.push(StmtKind::Input { name, ty: *ty, range, default }, start, end);
    }

    /// An input whose default does not parse.
    pub(crate) fn input_recovered(
        &mut self,
        start: u32,
        name: Word,
        ty: Box<TypeExpr>,
        range: Option<(ExprId, ExprId)>,
        recovery: Recovery,
        end: u32,
    ) {
        let default = self.broken(end, recovery, end);
        self.input(start, name, ty, range, Some(default), end);
    }

    /// `let x`
    pub(crate) fn pattern(&self, name: Word) -> Pattern {
        Pattern::Name(self.name_at(name))
    }

    /// `let (lo, hi)`
    pub(crate) fn pattern_tuple(&self, start: u32, names: Vec<Word>, end: u32) -> Pattern {
        Pattern::Tuple(names.into_iter().map(|name| self.name_at(name)).collect(), self.span(start, end))
    }

    /// `let x: f32 = …`
    pub(crate) fn let_(&mut self, start: u32, pattern: Pattern, ty: Option<Box<TypeExpr>>, value: ExprId, end: u32) {
        self.push(StmtKind::Let { pattern, ty: ty.map(|ty| *ty), value }, start, end);
    }

    /// `var x: f32 = …`
    pub(crate) fn var(&mut self, start: u32, name: Word, ty: Option<Box<TypeExpr>>, value: ExprId, end: u32) {
        let name = self.name_at(name);
        self.push(StmtKind::Var { name, ty: ty.map(|ty| *ty), value }, start, end);
    }

    /// `x += …`, `x[0] = …`
    pub(crate) fn assign(&mut self, start: u32, target: ExprId, op: Option<Operator>, value: ExprId, end: u32) {
        let is_name = |id: ExprId| matches!(self.exprs[id.0 as usize].kind, ExprKind::Name(_));
        let kind = &self.exprs[target.0 as usize].kind;
        let assignable = matches!(kind, ExprKind::Name(_) | ExprKind::Error)
            || matches!(kind, ExprKind::Index(base, _) if is_name(*base));
        if assignable {
            self.push(StmtKind::Assign { target, op, value }, start, end);
        } else {
            let place = self.span_of(target);
            let tuple = matches!(self.exprs[target.0 as usize].kind, ExprKind::Tuple(_));
            let found = match self.nested_target(target) {
                Some(found) => found,
                None => {
                    let text = &self.text[place.range()];
                    let written = &self.text[self.span_of(value).range()];
                    let advice = report::stored_views::advice(text, op.map(|op| op.notation), written);
                    report::invalid_target(place, text, tuple, advice)
                }
            };
            self.findings.push(found);
            // `f(x) = …` was to define a function, `(a, b) = …` several names.
            if let ExprKind::Call(callee, _) = self.exprs[target.0 as usize].kind
                && let ExprKind::Name(text) = &self.exprs[callee.0 as usize].kind
            {
                let name = Name { text: text.clone(), span: self.span_of(callee) };
                self.broken.push(name);
            }
            // Nothing is known any more of the array that was to be stored in.
            if matches!(self.exprs[target.0 as usize].kind, ExprKind::Index(..) | ExprKind::Attribute(..)) {
                let stored = self.stored_name(target);
                self.broken.extend(stored);
            }
            self.broken_names(start, end);
            self.push(StmtKind::Error, start, end);
        }
    }

    /// The name that a target is a part of, or a view, where a statement above binds it: `h` of `h.flat[3]`, of
    /// `h.ravel()[0]` and of `np.diag(h)[:]`.
    fn stored_name(&self, target: ExprId) -> Option<Name> {
        let kind = &self.exprs[target.0 as usize].kind;
        if let ExprKind::Name(text) = kind {
            let is_bound = self.pending.iter().any(|stmt| stmt.kind.names().iter().any(|name| name.text == *text));
            return is_bound.then(|| Name { text: text.clone(), span: self.span_of(target) });
        }
        if let ExprKind::Index(base, _) | ExprKind::Attribute(base, _) = kind {
            return self.stored_name(*base);
        }
        let ExprKind::Call(callee, args) = kind else { return None };
        let callee = &self.exprs[callee.0 as usize].kind;
        let method_of = if let ExprKind::Attribute(base, _) = callee { self.stored_name(*base) } else { None };
        method_of.or_else(|| self.stored_name(args.first()?.value))
    }

    /// What to say of `a[0][1] = …`, where the target is of this form.
    fn nested_target(&self, target: ExprId) -> Option<Diagnostic> {
        let place = self.span_of(target);
        let ExprKind::Index(inner, _) = self.exprs[target.0 as usize].kind else { return None };
        let last = &self.text[self.span_of(inner).end as usize..place.end as usize];
        let (mut base, mut before) = (inner, Brackets::Numbers);
        while let ExprKind::Index(inside, indices) = &self.exprs[base.0 as usize].kind {
            before = indices.iter().map(|index| self.brackets(index)).fold(before, Ord::max);
            base = *inside;
        }
        let ExprKind::Name(name) = &self.exprs[base.0 as usize].kind else { return None };
        let places = &self.text[self.span_of(base).end as usize..place.end as usize];
        Some(report::nested_target(place, (name.as_str(), places, last), before))
    }

    /// What one position of an index is.
    fn brackets(&self, index: &Index) -> Brackets {
        let Index::At(mut id) = *index else { return Brackets::Parts };
        while let ExprKind::Paren(inner) | ExprKind::Prefix(_, inner) = self.exprs[id.0 as usize].kind {
            id = inner;
        }
        let kind = &self.exprs[id.0 as usize].kind;
        if matches!(kind, ExprKind::Int) {
            return Brackets::Numbers;
        }
        let chosen = matches!(kind, ExprKind::Array(_) | ExprKind::Tuple(_) | ExprKind::Compare(..));
        if chosen { Brackets::Chosen } else { Brackets::Values }
    }

    /// `fn f(x) = …`
    pub(crate) fn function(
        &mut self,
        start: u32,
        name: Word,
        params: Vec<ParameterParts>,
        result: Option<Box<TypeExpr>>,
        value: ExprId,
        end: u32,
    ) {
        let body = Block { stmts: Vec::new(), result: Some(value), span: self.span_of(value) };
        self.function_block(start, name, params, result, body, end);
    }

    /// `fn f(x) { … }`
    pub(crate) fn function_block(
        &mut self,
        start: u32,
        name: Word,
        params: Vec<ParameterParts>,
        result: Option<Box<TypeExpr>>,
        body: Block,
        end: u32,
    ) {
        let params = params.into_iter().map(|ParameterParts(name, ty, default)| FunctionParam {
            name: self.name_at(name),
            ty: ty.map(|ty| *ty),
            default,
        });
        let params = params.collect();
        let function = FunctionDefinition { name: self.name_at(name), params, result: result.map(|ty| *ty), body };
        self.push(StmtKind::Fn(Box::new(function)), start, end);
    }

    /// A function whose head does not parse.
    pub(crate) fn broken_function(&mut self, start: u32, recovery: Recovery, _body: Block, end: u32) {
        self.note_recovery(recovery);
        self.take_back_block(start, end);
        self.broken_names(start, end);
        self.push(StmtKind::Error, start, end);
    }

    /// `output x = …`
    pub(crate) fn output(
        &mut self,
        start: u32,
        name: Word,
        ty: Option<Box<TypeExpr>>,
        value: Option<ExprId>,
        end: u32,
    ) {
        let name = self.name_at(name);
        self.push(StmtKind::Output { name, ty: ty.map(|ty| *ty), value }, start, end);
    }

    /// `assert …`
    pub(crate) fn assert(&mut self, start: u32, value: ExprId, end: u32) {
        self.push(StmtKind::Assert(value), start, end);
    }

    /// `use "lib.arr"`
    pub(crate) fn use_(&mut self, start: u32, path: Word, end: u32) {
        let kind = StmtKind::Use { path: self.string(path), path_span: self.span(path.0, path.1) };
        self.push(kind, start, end);
    }

    /// An expression as a statement.
    pub(crate) fn bare(&mut self, start: u32, value: ExprId, end: u32) {
        self.push(StmtKind::Expr { value, silent: false }, start, end);
    }

    /// `{ … }`: `let` lines, then one expression.
    pub(crate) fn block(&mut self, start: u32, mark: u32, end: u32) -> Block {
        let from = (mark as usize).min(self.pending.len());
        let mut stmts = self.pending.split_off(from);
        let span = self.span(start, end);
        let mut result = None;
        if let Some(Stmt { kind: StmtKind::Expr { value, .. }, .. }) = stmts.last() {
            result = Some(*value);
            stmts.pop();
        }
        let broken = stmts.iter().any(|stmt| matches!(stmt.kind, StmtKind::Error));
        let broken = broken || self.failures.last().is_some_and(|failure| failure.is_within(start, end));
        if result.is_none() && !broken {
            self.findings.push(report::block_without_value(self.span(end.saturating_sub(1).max(start), end)));
        }
        let text = self.text;
        let sign = |span: &Span| text[span.start as usize..].chars().next().filter(|c| matches!(c, '+' | '-'));
        let spans: Vec<Span> =
            stmts.iter().map(|stmt| stmt.span).chain(result.map(|value| self.span_of(value))).collect();
        let calls = self.calls_for_effect(&stmts);
        for (at, stmt) in stmts.iter_mut().enumerate() {
            if !stmt.kind.is_of_blocks() {
                let found = report::block_statement(stmt.span, &stmt.kind);
                let found = match &calls[at] {
                    Some(array) => report::call_for_effect(found, array),
                    None => found,
                };
                let own = spans.get(at).filter(|_| at > 0);
                let beside = spans.get(at + 1).and_then(sign).or_else(|| own.and_then(sign));
                let beside = beside.filter(|_| matches!(stmt.kind, StmtKind::Expr { .. }));
                self.findings.push(match beside {
                    Some(sign) => report::line_of_its_own(found, sign),
                    None => found,
                });
                stmt.kind = StmtKind::Error;
            }
        }
        Block { stmts, result, span }
    }

    /// For each statement that is a call of a method, or of a function behind a dot with a variable of the block: the
    /// name of the array that it may be meant to change.
    fn calls_for_effect(&self, stmts: &[Stmt]) -> Vec<Option<String>> {
        let names = stmts.iter().filter_map(|stmt| {
            if let StmtKind::Var { name, .. } = &stmt.kind { Some(name.text.as_str()) } else { None }
        });
        let variables: HashSet<&str> = names.collect();
        let array = |stmt: &Stmt| {
            let StmtKind::Expr { value, .. } = &stmt.kind else { return None };
            let ExprKind::Call(callee, args) = self.kind_of(*value) else { return None };
            let ExprKind::Attribute(base, _) = self.kind_of(*callee) else { return None };
            let (base, first) = (self.array_name(*base), args.first().and_then(|arg| self.array_name(arg.value)));
            let own = [base, first].into_iter().flatten().find(|name| variables.contains(name));
            own.or_else(|| base.map(|_| "x")).map(str::to_owned)
        };
        stmts.iter().map(array).collect()
    }

    /// `m` of `m` and of `m[0]`.
    fn array_name(&self, id: ExprId) -> Option<&str> {
        let id = if let ExprKind::Index(array, _) = self.kind_of(id) { *array } else { id };
        if let ExprKind::Name(name) = self.kind_of(id) { Some(name.as_str()) } else { None }
    }
}

/// Where the names stand that a statement was to define which does not parse: behind `let`, `const` or `def`, before
/// the sign of `x := 3`, `x: f32 = 3` and `a, b = 1, 2`, between `for` and `in`.
fn names_to_define(text: &str) -> Vec<(usize, usize)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut words: Vec<(usize, usize)> = Vec::new();
    let (mut is_list, mut at) = (false, 0usize);
    // What may stand before and between names; a parenthesis there opens a list of them.
    while let Some(c) = text[at..].chars().next() {
        let first = words.first().map(|&(from, to)| &text[from..to]);
        let opens = first.is_none() || words.len() == 1 && matches!(first, Some("let" | "var" | "for"));
        match c {
            ',' | ')' => is_list = true,
            ' ' | '\t' => {}
            '(' if opens && !is_list => is_list = true,
            _ if is_part(c) => {
                let len = text[at..].find(|c: char| !is_part(c)).unwrap_or(text.len() - at);
                words.push((at, at + len));
                at += len;
                continue;
            }
            _ => break,
        }
        at += c.len_utf8();
    }
    let rest = &text[at..];
    let first = words.first().map_or("", |&(from, to)| &text[from..to]);
    let is_keyword = matches!(first, "input" | "let" | "var" | "fn");
    let defines = match first {
        _ if is_keyword => words.len() > 1,
        "def" | "func" | "function" => rest.starts_with('('),
        "for" => true,
        "if" | "elif" | "while" | "with" | "return" | "assert" | "print" => false,
        _ => rest.starts_with('=') && !rest.starts_with("==") || rest.starts_with(':') && words.len() == 1,
    };
    let names = match (words.len(), is_list) {
        _ if first == "for" => 1..words.iter().position(|&(from, to)| &text[from..to] == "in").unwrap_or(1),
        (1, false) => 0..1,
        (2, false) => 1..2,
        (3.., false) if is_keyword => 1..2,
        (_, true) if is_keyword => 1..words.len(),
        (_, true) => 0..words.len(),
        _ => 0..0,
    };
    let is_name = |&(from, _): &(usize, usize)| !text[from..].starts_with(|c: char| c.is_ascii_digit());
    if defines { words[names].iter().copied().filter(is_name).collect() } else { Vec::new() }
}
