//! An expression's parts as rows of a tree, for `arr explain` or `--compare`.

use crate::check::record::{TypedExpr, TypedValue};
use crate::source::{Sources, Span};
use crate::syntax::ast::{ExprId, ExprKind, Index, Script, StmtKind};
use crate::types::shape;

/// Below this depth a tree says `…`.
const MAX_DRAWN_DEPTH: usize = 40;
/// Longer expressions are cut in the middle of the tree; the whole is in the first line.
const MAX_LABEL_CHARS: usize = 44;

/// A part of an expression.
pub(super) struct TreeRow {
    /// The part.
    pub(super) id: ExprId,
    /// How deep it lies.
    pub(super) depth: usize,
    /// The lines that lead to it.
    pub(super) branch: String,
    /// Whether parts of it are left out.
    pub(super) cut: bool,
}

/// The values of a script's statements.
pub(super) fn roots(script: &Script) -> impl Iterator<Item = ExprId> {
    script.stmts.iter().filter_map(|stmt| {
        if let StmtKind::Expr { value, .. }
        | StmtKind::Let { value, .. }
        | StmtKind::Var { value, .. }
        | StmtKind::Assign { value, .. }
        | StmtKind::Output { value: Some(value), .. } = &stmt.kind
        {
            Some(*value)
        } else {
            None
        }
    })
}

/// An expression and its parts, the whole first. Parentheses are no parts, nor is what `keep` leaves out.
pub(super) fn rows(script: &Script, root: ExprId, keep: impl Fn(ExprId) -> bool) -> Vec<TreeRow> {
    let mut rows = Vec::new();
    let mut stack = vec![(root, 0, String::new(), String::new())];
    while let Some((id, depth, branch, below)) = stack.pop() {
        let id = inside(script, id);
        let mut parts = parts(script, id);
        parts.retain(|&part| keep(inside(script, part)));
        let cut = depth == MAX_DRAWN_DEPTH && !parts.is_empty();
        rows.push(TreeRow { id, depth, branch, cut });
        if cut {
            continue;
        }
        for (at, &part) in parts.iter().enumerate().rev() {
            let last = at + 1 == parts.len();
            let (own, next) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            stack.push((part, depth + 1, format!("{below}{own}"), format!("{below}{next}")));
        }
    }
    rows
}

/// What stands inside parentheses.
pub(super) fn inside(script: &Script, mut id: ExprId) -> ExprId {
    while let ExprKind::Paren(inner) = script.expr(id).kind {
        id = inner;
    }
    id
}

/// Whether an expression is an operation, which has a type unless something is wrong with it.
pub(super) fn operates(script: &Script, id: ExprId) -> bool {
    use ExprKind::{Array, Call, Compare, Infix, Prefix};
    matches!(script.expr(id).kind, Array(_) | Call(..) | Compare(..) | Infix(..) | Prefix(..))
}

/// The operands of an expression: functions, bounds of slices, and what a loop evaluates are none.
#[expect(clippy::wildcard_enum_match_arm, reason = "the operands of every other expression are all that is below it")]
pub(super) fn parts(script: &Script, id: ExprId) -> Vec<ExprId> {
    match &script.expr(id).kind {
        ExprKind::Call(callee, args) => {
            let method = if let ExprKind::Attribute(base, _) = &script.expr(*callee).kind { Some(*base) } else { None };
            method.into_iter().chain(args.iter().map(|arg| arg.value)).collect()
        }
        ExprKind::Index(base, indices) => {
            let places = indices.iter().filter_map(|index| match index {
                Index::At(id) => Some(*id),
                Index::Slice(..) | Index::Ellipsis(_) | Index::NewAxis(_) => None,
            });
            std::iter::once(*base).chain(places).collect()
        }
        ExprKind::Loop(_) => Vec::new(),
        other => {
            let mut parts = Vec::new();
            other.each_child(&mut |part| parts.push(part));
            parts
        }
    }
}

/// Where the operations of an expression are written: its operators, or the name of its function.
#[expect(clippy::wildcard_enum_match_arm, reason = "every other expression has neither an operator nor a function")]
pub(super) fn places(script: &Script, id: ExprId) -> Vec<Span> {
    let expr = script.expr(id);
    match &expr.kind {
        ExprKind::Prefix(op, _) | ExprKind::Infix(op, ..) => vec![op.span],
        ExprKind::Compare(_, rest) => rest.iter().map(|(op, _)| op.span).collect(),
        ExprKind::Call(callee, _) => {
            let callee = script.expr(*callee);
            if let ExprKind::Attribute(_, name) = &callee.kind {
                vec![name.span, callee.span]
            } else {
                vec![callee.span]
            }
        }
        ExprKind::Attribute(_, name) => vec![name.span],
        ExprKind::Array(_) => vec![expr.span],
        _ => Vec::new(),
    }
}

/// An expression on one line, cut when it is long.
pub(super) fn text(script: &Script, sources: &Sources, id: ExprId) -> String {
    let whole = sources.text(script.expr(id).span).split_whitespace().collect::<Vec<_>>().join(" ");
    match whole.char_indices().nth(MAX_LABEL_CHARS) {
        Some((at, _)) => format!("{}…", &whole[..at]),
        None => whole,
    }
}

/// `f32[n]`, `f64[n] weak`; a constant has its weak type.
pub(super) fn type_text(typed: &TypedExpr) -> String {
    let weak = typed.elem.is_weak() && !typed.exact;
    let name = if weak { typed.dtype.name() } else { typed.elem.name() };
    format!("{name}{}{}", shape::show(&typed.shape), if weak { " weak" } else { "" })
}

/// The dtype alone; a weak one has a star.
pub(super) fn dtype_text(typed: &TypedExpr) -> String {
    let weak = typed.elem.is_weak() && !typed.exact;
    if weak { format!("{}*", typed.dtype) } else { typed.elem.name().to_owned() }
}

/// The type of a value; a tuple has those of its parts in parentheses.
pub(super) fn value_text(value: &TypedValue, of_array: fn(&TypedExpr) -> String) -> String {
    match value {
        TypedValue::Array(typed) => of_array(typed),
        TypedValue::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(|part| value_text(part, of_array)).collect();
            format!("({})", parts.join(", "))
        }
    }
}

/// Pads to a width in characters.
pub(super) fn pad(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    format!("{text}{}", " ".repeat(missing))
}
