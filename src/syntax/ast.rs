//! The tree of what was written: statements over an arena of expressions.
//!
//! There is no list of operators here: `a + b` is notation for a call of the operation whose notation is `+`,
//! so the tree keeps the notation and the registry of operations gives it meaning. Parentheses and the spelling
//! of literals are kept (a literal is its span), so that fixes and the formatter can be exact.
//!
//! Expressions refer to each other by index and the arena drops flat. The left spine of a chain of binary
//! operators may be any length (`a + a + … + a`), so a walk must loop over it; every other kind of nesting is
//! bounded by [`MAX_DEPTH`]. What is below an expression is said once, by [`ExprKind::each_child`].

use super::lookalike::Lookalike;
use crate::source::{SourceId, Sources, Span};
use std::collections::HashSet;

/// How deeply brackets, blocks and expressions may nest.
pub const MAX_DEPTH: u16 = 256;

/// How many bytes a name may have.
pub const MAX_NAME: usize = 1024;

/// An expression of a [`Script`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ExprId(pub u32);

/// A whole source text, parsed.
#[derive(Debug, Default)]
pub struct Script {
    /// Where it came from.
    pub source: SourceId,
    /// The statements in order; broken ones are [`StmtKind::Error`].
    pub stmts: Vec<Stmt>,
    /// The arena of expressions, children before parents.
    pub exprs: Vec<Expr>,
    /// Comments in source order.
    pub comments: Vec<Comment>,
    /// Names that may be taken for others.
    pub lookalikes: Vec<Lookalike>,
    /// Names that broken statements define: nothing is known of them, and nothing more is said.
    pub broken: Vec<Name>,
    /// Words of other languages that were reported, and what a `for` between brackets counts with: nothing more is said
    /// of them.
    pub told: HashSet<String>,
}

impl Script {
    /// The expression with this id.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }
}

/// A comment: it has no meaning to the program, but `fmt`, fixes and suppressions read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comment {
    /// From the `#` to the end of the line.
    pub span: Span,
    /// Whether it begins with `##`.
    pub doc: bool,
}

/// A name where it was written, normalised to NFC.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A statement.
#[derive(Debug)]
pub struct Stmt {
    /// What it says.
    pub kind: StmtKind,
    /// From its first to its last token, without the separator.
    pub span: Span,
    /// The `##` lines directly above.
    pub doc: Vec<Comment>,
}

impl Stmt {
    /// The `##` lines above it, without their marks.
    pub fn doc_text(&self, sources: &Sources) -> String {
        let lines = self.doc.iter().map(|comment| {
            let line = sources.text(comment.span).trim_start_matches('#');
            line.strip_prefix(' ').unwrap_or(line).trim_end()
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// The kinds of statements.
#[derive(Debug)]
pub enum StmtKind {
    /// Reported already; checking goes on after it.
    Error,
    /// `promotion jax safe, width=32, checked`
    Promotion(Vec<SettingWord>),
    /// `input counts: u16[c, t] in [0, 4095] = 0`
    Input {
        /// The parameter.
        name: Name,
        /// Its type.
        ty: TypeExpr,
        /// The inclusive range after `in`.
        range: Option<(ExprId, ExprId)>,
        /// The default after `=`.
        default: Option<ExprId>,
    },
    /// `let x: f32 = …`, `let (lo, hi) = …`
    Let {
        /// What is bound.
        pattern: Pattern,
        /// The annotation, a check and never a cast.
        ty: Option<TypeExpr>,
        /// The value.
        value: ExprId,
    },
    /// `var acc = …`
    Var {
        /// The variable.
        name: Name,
        /// The annotation.
        ty: Option<TypeExpr>,
        /// Its first value.
        value: ExprId,
    },
    /// `acc += x`, `acc[:, 0] = 0`
    Assign {
        /// A name or an indexed name.
        target: ExprId,
        /// The binary operator before the `=`, with its own span; `None` for plain `=`.
        op: Option<Operator>,
        /// The value.
        value: ExprId,
    },
    /// `fn z(x, m, s=1) -> f32[n] = (x - m) / s`
    Fn(Box<FunctionDefinition>),
    /// `output score = …`, or `output score` for a bound name.
    Output {
        /// The output's name.
        name: Name,
        /// The annotation.
        ty: Option<TypeExpr>,
        /// The value; `None` when the name itself is meant.
        value: Option<ExprId>,
    },
    /// A bare expression: its value is printed.
    Expr {
        /// The expression.
        value: ExprId,
        /// Whether a `;` follows on the same line, which silences it in the REPL.
        silent: bool,
    },
    /// `assert a.shape == b.shape`
    Assert(ExprId),
    /// `use "lib.arr"`
    Use {
        /// The text between the quotes, escapes resolved.
        path: String,
        /// Where the string stands.
        path_span: Span,
    },
}

/// One word of a `promotion` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingWord {
    /// `jax`, `jax-strict`, `safe`, `width`, `checked`. Hyphenated names are one word. A quoted path is the text
    /// between its quotes; its span includes them.
    pub word: Name,
    /// `32` in `width=32`, as it was written.
    pub value: Option<Name>,
}

/// What a `let` binds.
#[derive(Debug)]
pub enum Pattern {
    /// `let x`
    Name(Name),
    /// `let (lo, hi)`
    Tuple(Vec<Name>, Span),
}

/// A function definition.
#[derive(Debug)]
pub struct FunctionDefinition {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<FunctionParam>,
    /// The annotation after `->`.
    pub result: Option<TypeExpr>,
    /// Lets, then one expression.
    pub body: Block,
}

/// A parameter of a function.
#[derive(Debug)]
pub struct FunctionParam {
    /// Its name.
    pub name: Name,
    /// Its annotation.
    pub ty: Option<TypeExpr>,
    /// Its default.
    pub default: Option<ExprId>,
}

/// The body of a function or a loop.
#[derive(Debug)]
pub struct Block {
    /// Everything before the result.
    pub stmts: Vec<Stmt>,
    /// The last expression; missing only in broken code, which was reported.
    pub result: Option<ExprId>,
    /// With its braces, or the expression after `=`.
    pub span: Span,
}

/// A type as written: `f32[3, n]`, `_[n]`, `u8[..]`.
#[derive(Debug, Clone)]
pub struct TypeExpr {
    /// The dtype's name, or `_` for any.
    pub dtype: Name,
    /// The dimensions.
    pub dims: DimsExpr,
    /// The whole type.
    pub span: Span,
}

/// The dimensions of a type as written.
#[derive(Debug, Clone)]
pub enum DimsExpr {
    /// No brackets: a scalar.
    Scalar,
    /// `[..]`: any rank.
    Any,
    /// `[3, n, 2*n-1]`: numbers, names, `+ - *`; anything else is an error of the checker.
    List(Vec<ExprId>),
}

/// An operator as notation: which operation it is, the registry knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operator {
    /// `+`, `//`, `and`, `<=`, … as written.
    pub notation: &'static str,
    /// Where it stands.
    pub span: Span,
}

/// An expression with its place.
#[derive(Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// From its first to its last token.
    pub span: Span,
    /// How deep the tree below is; the left spine of a binary chain does not count.
    pub depth: u16,
}

/// The kinds of expressions.
#[derive(Debug)]
pub enum ExprKind {
    /// Reported already.
    Error,
    /// A variable, a function, a dtype, `pi`, `inf`.
    Name(String),
    /// `7`, `0xff`, `255u8`: the span holds the spelling.
    Int,
    /// `1.5`, `1e-3`, `0x1.8p3`, `1.5f16`.
    Float,
    /// `2j`, `1.5j`.
    Imaginary,
    /// `true`, `False`, …
    Bool(bool),
    /// `None`
    None,
    /// `"text"`, escapes resolved.
    Str(String),
    /// `[1, 2, 3]`
    Array(Vec<ExprId>),
    /// `(3, n)`, `(a,)`, `()`
    Tuple(Vec<ExprId>),
    /// `(a)`
    Paren(ExprId),
    /// `-x`, `+x`, `~x`, `not x`. A minus on a numeric literal stays a prefix here.
    Prefix(Operator, ExprId),
    /// `a + b`, `a and b`, `a ** b`.
    Infix(Operator, ExprId, ExprId),
    /// `0 <= x < 1`: one node, each operand evaluated once.
    Compare(ExprId, Vec<(Operator, ExprId)>),
    /// `f(a, axis=0)`
    Call(ExprId, Vec<Arg>),
    /// `a[0, 1:, ..., None]`
    Index(ExprId, Vec<Index>),
    /// `a.T`, `x.shape`
    Attribute(ExprId, Name),
    /// `repeat 100 with p = p0, v = v0 { … }`, `scan x with s = x[0] { … }`
    Loop(Box<LoopExpr>),
}

impl ExprKind {
    /// Calls `each` with every expression directly below, from left to right. In a loop those of the head come first,
    /// then its condition, then those of its body.
    pub fn each_child(&self, each: &mut impl FnMut(ExprId)) {
        match self {
            ExprKind::Error
            | ExprKind::Name(_)
            | ExprKind::Int
            | ExprKind::Float
            | ExprKind::Imaginary
            | ExprKind::Bool(_)
            | ExprKind::None
            | ExprKind::Str(_) => {}
            ExprKind::Array(items) | ExprKind::Tuple(items) => items.iter().copied().for_each(each),
            ExprKind::Paren(inner) | ExprKind::Prefix(_, inner) | ExprKind::Attribute(inner, _) => each(*inner),
            ExprKind::Infix(_, left, right) => [*left, *right].into_iter().for_each(each),
            ExprKind::Compare(first, rest) => {
                each(*first);
                rest.iter().for_each(|&(_, operand)| each(operand));
            }
            ExprKind::Call(callee, args) => {
                each(*callee);
                args.iter().for_each(|arg| each(arg.value));
            }
            ExprKind::Index(base, indices) => {
                each(*base);
                indices.iter().for_each(|index| index.each_child(each));
            }
            ExprKind::Loop(it) => {
                it.head().chain(it.condition()).for_each(&mut *each);
                it.body.stmts.iter().for_each(|stmt| stmt.kind.each_child(each));
                it.body.result.into_iter().for_each(each);
            }
        }
    }
}

/// An argument of a call. Positional ones come first; a test of the parser says so.
#[derive(Clone, Debug)]
pub struct Arg {
    /// The keyword, if it has one.
    pub name: Option<Name>,
    /// The value.
    pub value: ExprId,
}

/// One position of an index.
#[derive(Clone, Debug)]
pub enum Index {
    /// `a[i]`
    At(ExprId),
    /// `a[lo:hi:step]`
    Slice(Option<ExprId>, Option<ExprId>, Option<ExprId>, Span),
    /// `a[...]`
    Ellipsis(Span),
    /// `a[None]`
    NewAxis(Span),
}

impl Index {
    /// Calls `each` with every expression in it, from left to right.
    fn each_child(&self, each: &mut impl FnMut(ExprId)) {
        match *self {
            Index::At(id) => each(id),
            Index::Slice(from, to, step, _) => [from, to, step].into_iter().flatten().for_each(each),
            Index::Ellipsis(_) | Index::NewAxis(_) => {}
        }
    }
}

/// A bounded loop.
#[derive(Debug)]
pub struct LoopExpr {
    /// What it goes through.
    pub over: LoopDomain,
    /// The carried values with their first values.
    pub state: Vec<(Name, ExprId)>,
    /// The last expression is the next state; in a scan a row of the result, or several, follow it.
    pub body: Block,
}

/// What a loop goes through.
#[derive(Debug)]
pub enum LoopDomain {
    /// `repeat 100 as t while abs(z) < 2`
    Steps {
        /// How often at most.
        count: ExprId,
        /// The name of the number of the step.
        counter: Option<Name>,
        /// What must hold before each step.
        condition: Option<ExprId>,
    },
    /// `scan x, y = a*b along 0 reverse`
    Rows {
        /// The arrays, each with the name of its row in the body.
        arrays: Vec<(Name, ExprId)>,
        /// The axis.
        axis: Option<ExprId>,
        /// Whether it runs from the end; the place of the word.
        reverse: Option<Span>,
    },
}

impl LoopExpr {
    /// The expressions before the body that are not of a step: counts, arrays, axes, first values.
    pub fn head(&self) -> impl Iterator<Item = ExprId> {
        let (first, arrays) = match &self.over {
            LoopDomain::Steps { count, .. } => (Some(*count), &[][..]),
            LoopDomain::Rows { arrays, axis, .. } => (*axis, arrays.as_slice()),
        };
        let starts = arrays.iter().chain(&self.state).map(|&(_, id)| id);
        first.into_iter().chain(starts)
    }

    /// What must hold before each step.
    pub fn condition(&self) -> Option<ExprId> {
        match self.over {
            LoopDomain::Steps { condition, .. } => condition,
            LoopDomain::Rows { .. } => None,
        }
    }

    /// The names that it binds in its body.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        let (counter, arrays) = match &self.over {
            LoopDomain::Steps { counter, .. } => (counter.as_ref(), &[][..]),
            LoopDomain::Rows { arrays, .. } => (None, arrays.as_slice()),
        };
        counter.into_iter().chain(arrays.iter().chain(&self.state).map(|(name, _)| name))
    }
}
