//! The meaning of a production of the grammar: one small function each, over the arena of a [`Script`].
//!
//! Statements wait in one list until their block ends, so that the parser's stack holds numbers instead of trees.
//! Depth is counted here: an expression deeper than [`MAX_DEPTH`] becomes [`ExprKind::Error`], reported once per
//! statement.

use super::ast::{
    Arg, Block, DimsExpr, Expr, ExprId, ExprKind, Index, LoopDomain, LoopExpr, MAX_DEPTH, Name, Operator, Stmt,
    TypeExpr,
};
use super::recover::{ExpectedTokens, Failure};
use super::token::Tok;
use super::{report, string};
use crate::diagnostic::codes::syntax::BLOCK_WITHOUT_VALUE;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::{SourceId, Span};
use lalrpop_util::ErrorRecovery;
use std::convert::Infallible;
use unicode_normalization::UnicodeNormalization;

/// Where a name or a string stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word(pub(crate) u32, pub(crate) u32);

/// What follows the second `:` of a slice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SliceStep(pub(crate) Option<ExprId>);

/// An error that the parser recovered from.
pub(crate) type Recovery = ErrorRecovery<u32, Tok, Infallible>;

/// Builds the tree of one text.
pub(crate) struct Builder<'a> {
    pub(super) text: &'a str,
    pub(super) source: SourceId,
    pub(super) exprs: Vec<Expr>,
    /// Statements whose block is still open.
    pub(super) pending: Vec<Stmt>,
    /// What is wrong although it parses.
    pub(super) findings: Diagnostics,
    /// Where the parser failed and went on.
    pub(super) failures: Vec<Failure>,
    /// Where expressions nest too deeply, one per statement.
    pub(super) too_deep: Vec<Span>,
    /// The names that broken statements define.
    pub(super) broken: Vec<Name>,
    deep_statement: bool,
}

impl<'a> Builder<'a> {
    /// An empty tree of `text`.
    pub(crate) fn new(text: &'a str, source: SourceId) -> Builder<'a> {
        Builder {
            text,
            source,
            exprs: Vec::new(),
            pending: Vec::new(),
            findings: Diagnostics::new(),
            failures: Vec::new(),
            too_deep: Vec::new(),
            broken: Vec::new(),
            deep_statement: false,
        }
    }

    // ---- Places and words

    pub(super) fn span(&self, start: u32, end: u32) -> Span {
        Span { source: self.source, start, end: end.max(start) }
    }

    pub(super) fn span_of(&self, id: ExprId) -> Span {
        self.exprs[id.0 as usize].span
    }

    pub(super) fn kind_of(&self, id: ExprId) -> &ExprKind {
        &self.exprs[id.0 as usize].kind
    }

    fn depth_of(&self, id: ExprId) -> u16 {
        self.exprs[id.0 as usize].depth
    }

    fn slice(&self, word: Word) -> &'a str {
        &self.text[word.0 as usize..word.1 as usize]
    }

    fn normalised(&self, word: Word) -> String {
        let text = self.slice(word);
        if text.is_ascii() { text.to_owned() } else { text.nfc().collect() }
    }

    /// The name that stands at `word`.
    pub(super) fn name_at(&self, word: Word) -> Name {
        Name { text: self.normalised(word), span: self.span(word.0, word.1) }
    }

    /// Whether a string has escapes that mean nothing.
    fn is_broken_string(&self, word: Word) -> bool {
        let text = self.slice(word);
        text.len() >= 2 && !string::unknown_escapes(text).is_empty()
    }

    /// What the string at `word` says.
    pub(super) fn string(&self, word: Word) -> String {
        let text = self.slice(word);
        if text.len() >= 2 { string::unescape(text) } else { String::new() }
    }

    pub(super) fn word_text(&self, word: Word) -> &'a str {
        self.slice(word)
    }

    /// The operator that stands at `start`.
    pub(crate) fn operator(&self, start: u32, tok: Tok) -> Operator {
        // A `!` was reported and is passed on as `~`: both are one byte.
        let notation = tok.notation();
        Operator { notation, span: self.span(start, start + notation.len() as u32) }
    }

    /// The operator before the `=` of an assignment.
    pub(crate) fn assign_operator(&self, start: u32, tok: Tok) -> Option<Operator> {
        tok.without_assignment().map(|tok| self.operator(start, tok))
    }

    // ---- Expressions

    pub(super) fn add(&mut self, kind: ExprKind, span: Span, depth: u16) -> ExprId {
        let deep = depth > MAX_DEPTH;
        if deep && !self.deep_statement {
            self.deep_statement = true;
            self.too_deep.push(span);
        }
        let (kind, depth) = if deep { (ExprKind::Error, 0) } else { (kind, depth) };
        self.exprs.push(Expr { kind, span, depth });
        ExprId(self.exprs.len() as u32 - 1)
    }

    /// An expression that is one level deeper than the deepest below it.
    fn add_above(&mut self, kind: ExprKind, span: Span) -> ExprId {
        let mut deepest = 0;
        kind.each_child(&mut |id| deepest = self.depth_of(id).max(deepest));
        self.add(kind, span, deepest + 1)
    }

    /// Forgets that a statement was too deep, for the next one.
    pub(super) fn statement_done(&mut self) {
        self.deep_statement = false;
    }

    /// A name in an expression.
    pub(crate) fn name(&mut self, word: Word) -> ExprId {
        let name = self.normalised(word);
        self.add(ExprKind::Name(name), self.span(word.0, word.1), 0)
    }

    /// A literal.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the grammar has no other literals than broken ones")]
    pub(crate) fn literal(&mut self, start: u32, tok: Tok, end: u32) -> ExprId {
        let kind = match tok {
            Tok::Int => ExprKind::Int,
            Tok::Float => ExprKind::Float,
            Tok::Imaginary => ExprKind::Imaginary,
            Tok::True => ExprKind::Bool(true),
            Tok::False => ExprKind::Bool(false),
            Tok::None => ExprKind::None,
            // What is wrong with it was reported.
            Tok::Str if self.is_broken_string(Word(start, end)) => ExprKind::Error,
            Tok::Str => ExprKind::Str(self.string(Word(start, end))),
            _ => ExprKind::Error,
        };
        self.add(kind, self.span(start, end), 0)
    }

    /// `a + b`
    pub(crate) fn infix(&mut self, left: ExprId, op: Operator, right: ExprId) -> ExprId {
        let depth = self.depth_of(left).max(self.depth_of(right) + 1);
        let span = self.span_of(left).to(self.span_of(right));
        self.add(ExprKind::Infix(op, left, right), span, depth)
    }

    /// `-x`
    pub(crate) fn prefix(&mut self, op: Operator, operand: ExprId) -> ExprId {
        let span = op.span.to(self.span_of(operand));
        self.add_above(ExprKind::Prefix(op, operand), span)
    }

    /// `a < b <= c`
    pub(crate) fn compare(&mut self, (first, rest): (ExprId, Vec<(Operator, ExprId)>)) -> ExprId {
        let last = rest.last().map_or(first, |&(_, id)| id);
        let span = self.span_of(first).to(self.span_of(last));
        self.add_above(ExprKind::Compare(first, rest), span)
    }

    /// `(a)`
    pub(crate) fn paren(&mut self, start: u32, inner: ExprId, end: u32) -> ExprId {
        self.add_above(ExprKind::Paren(inner), self.span(start, end))
    }

    /// `(a, b)`
    pub(crate) fn tuple(&mut self, start: u32, items: Vec<ExprId>, end: u32) -> ExprId {
        self.add_above(ExprKind::Tuple(items), self.span(start, end))
    }

    /// `(a, …)`, where the first item was read before the comma told that it is a tuple.
    pub(crate) fn tuple_from(&mut self, start: u32, first: ExprId, mut rest: Vec<ExprId>, end: u32) -> ExprId {
        rest.insert(0, first);
        self.tuple(start, rest, end)
    }

    /// `[a, b]`
    pub(crate) fn array(&mut self, start: u32, items: Vec<ExprId>, end: u32) -> ExprId {
        self.add_above(ExprKind::Array(items), self.span(start, end))
    }

    /// `f(a, axis=0)`
    pub(crate) fn call(&mut self, callee: ExprId, args: Vec<Arg>, end: u32) -> ExprId {
        let span = self.span(self.span_of(callee).start, end);
        self.add_above(ExprKind::Call(callee, args), span)
    }

    /// `axis=0` in a call.
    pub(crate) fn keyword(&self, name: Word, value: ExprId) -> Arg {
        Arg { name: Some(self.name_at(name)), value }
    }

    /// The arguments of a call: positional ones first, whatever the user wrote.
    pub(crate) fn args(&mut self, mut args: Vec<Arg>) -> Vec<Arg> {
        if let Some(keyword) = args.iter().position(|arg| arg.name.is_some()) {
            let name = args[keyword].name.clone();
            let late: Vec<Span> =
                args[keyword..].iter().filter(|arg| arg.name.is_none()).map(|arg| self.span_of(arg.value)).collect();
            if let (Some(&late), Some(name)) = (late.first(), name) {
                self.findings.push(report::positional_after_keyword(late, &name));
                // Such an argument may be meant for any parameter.
                for arg in args[keyword..].iter_mut().filter(|arg| arg.name.is_none()) {
                    arg.value = self.add(ExprKind::Error, self.span_of(arg.value), 0);
                }
                args.sort_by_key(|arg| arg.name.is_some());
            }
        }
        args
    }

    /// `a[0, 1:]`
    pub(crate) fn index(&mut self, base: ExprId, indices: Vec<Index>, end: u32) -> ExprId {
        let span = self.span(self.span_of(base).start, end);
        self.add_above(ExprKind::Index(base, indices), span)
    }

    /// One position of an index: `i`, or `None` for a new axis.
    pub(crate) fn at(&self, id: ExprId) -> Index {
        let is_none = matches!(self.exprs[id.0 as usize].kind, ExprKind::None);
        if is_none { Index::NewAxis(self.span_of(id)) } else { Index::At(id) }
    }

    /// `...`
    pub(crate) fn ellipsis(&self, start: u32, end: u32) -> Index {
        Index::Ellipsis(self.span(start, end))
    }

    /// `lo:hi:step`
    pub(crate) fn slice_index(
        &self,
        start: u32,
        lo: Option<ExprId>,
        hi: Option<ExprId>,
        step: Option<SliceStep>,
        end: u32,
    ) -> Index {
        Index::Slice(lo, hi, step.and_then(|SliceStep(step)| step), self.span(start, end))
    }

    /// `a.T`
    pub(crate) fn attribute(&mut self, base: ExprId, name: Word) -> ExprId {
        let name = self.name_at(name);
        let span = self.span_of(base).to(name.span);
        self.add_above(ExprKind::Attribute(base, name), span)
    }

    /// `repeat n as t while c with p = p0 { … }`
    pub(crate) fn repeat(
        &mut self,
        start: u32,
        (count, counter, condition): (ExprId, Option<Word>, Option<ExprId>),
        state: Vec<(Word, ExprId)>,
        body: Block,
        end: u32,
    ) -> ExprId {
        let counter = counter.map(|word| self.name_at(word));
        self.loop_(start, LoopDomain::Steps { count, counter, condition }, state, body, end)
    }

    /// `scan x along 0 reverse with s = x[0] { … }`
    pub(crate) fn scan(
        &mut self,
        start: u32,
        (arrays, axis, reverse): (Vec<Arg>, Option<ExprId>, Option<Word>),
        state: Vec<(Word, ExprId)>,
        body: Block,
        end: u32,
    ) -> ExprId {
        let mut named = Vec::with_capacity(arrays.len());
        for Arg { name, value } in arrays {
            let span = self.span_of(value);
            match (name, &self.exprs[value.0 as usize].kind) {
                (Some(name), _) => named.push((name, value)),
                (None, ExprKind::Name(text)) => named.push((Name { text: text.clone(), span }, value)),
                (None, ExprKind::Error) => {}
                (None, _) => self.findings.push(report::unnamed_row(&self.text[span.range()], span)),
            }
        }
        let reverse = reverse.map(|Word(from, to)| self.span(from, to));
        self.loop_(start, LoopDomain::Rows { arrays: named, axis, reverse }, state, body, end)
    }

    fn loop_(&mut self, start: u32, over: LoopDomain, state: Vec<(Word, ExprId)>, body: Block, end: u32) -> ExprId {
        let state = state.into_iter().map(|(word, id)| (self.name_at(word), id)).collect();
        let made = LoopExpr { over, state, body };
        self.add_above(ExprKind::Loop(Box::new(made)), self.span(start, end))
    }

    // ---- Types

    /// `f32`
    pub(crate) fn type_scalar(&self, dtype: Word) -> TypeExpr {
        self.type_(dtype, DimsExpr::Scalar, dtype.1)
    }

    /// `f32[..]`
    pub(crate) fn type_any(&self, dtype: Word, end: u32) -> TypeExpr {
        self.type_(dtype, DimsExpr::Any, end)
    }

    /// `f32[3, n]`
    pub(crate) fn type_dims(&self, dtype: Word, dims: Vec<ExprId>, end: u32) -> TypeExpr {
        self.type_(dtype, DimsExpr::List(dims), end)
    }

    fn type_(&self, dtype: Word, dims: DimsExpr, end: u32) -> TypeExpr {
        TypeExpr { dtype: self.name_at(dtype), dims, span: self.span(dtype.0, end) }
    }

    // ---- Recovery

    /// Keeps an error that the parser recovered from, to be worded when all of them are known.
    pub(crate) fn note_recovery(&mut self, recovery: Recovery) {
        self.failures.push(Failure::new(recovery.error, ExpectedTokens::from_names));
    }

    /// That a block at the end of what does not parse gives no value follows from that.
    pub(super) fn take_back_block(&mut self, start: u32, end: u32) {
        let inside = |span: Span| start <= span.start && span.end <= end;
        let follows = |it: &Diagnostic| it.code.id == BLOCK_WITHOUT_VALUE.id && it.span().is_some_and(inside);
        if self.findings.iter().next_back().is_some_and(follows) {
            self.findings.take_back();
        }
    }

    /// Stands in for an expression that does not parse.
    pub(crate) fn broken(&mut self, start: u32, recovery: Recovery, end: u32) -> ExprId {
        self.note_recovery(recovery);
        self.take_back_block(start, end);
        self.add(ExprKind::Error, self.span(start, end), 0)
    }

    /// Stands in for arguments that do not parse.
    pub(crate) fn broken_args(&mut self, start: u32, recovery: Recovery, end: u32) -> Vec<Arg> {
        vec![Arg { name: None, value: self.broken(start, recovery, end) }]
    }

    /// Stands in for an index that does not parse.
    pub(crate) fn broken_indices(&mut self, start: u32, recovery: Recovery, end: u32) -> Vec<Index> {
        vec![Index::At(self.broken(start, recovery, end))]
    }
}
