//! Bitwise operators among comparisons, which bind more loosely: `a > 0 & b > 0`.

use super::Lint;
use crate::check::infer::found::facts::Chain;
use crate::check::report;
use crate::diagnostic::Level;
use crate::diagnostic::codes::lints;
use crate::source::Span;
use crate::syntax::ast::{ExprId, ExprKind, Operator, Script};
use crate::types::{DType, Elem};

/// The text between two bitwise operators, with the number of comparisons in it.
struct ComparisonPiece {
    start: u32,
    end: u32,
    comparisons: usize,
}

impl Lint<'_, '_> {
    /// Reports a chain of comparisons around a bitwise operator, and a comparison with the result of a bitwise operator
    /// on truth values. Returns whether it did.
    pub(super) fn bitwise_precedence(&mut self, chain: &Chain) -> bool {
        let span = chain.span;
        let Some(script) = self.script(span) else { return false };
        let ExprKind::Compare(first, rest) = &script.expr(chain.id).kind else { return false };
        let ids: Vec<ExprId> = std::iter::once(*first).chain(rest.iter().map(|&(_, id)| id)).collect();
        let Some(at) = ids.iter().position(|&id| bitwise(&script.expr(id).kind).is_some()) else { return false };
        let truth = |at: usize| chain.elems.get(at).copied().flatten() == Some(Elem::Strong(DType::Bool));
        if chain.elems.is_empty() || rest.len() < 2 && !truth(at) {
            return false;
        }
        let Some(op) = bitwise(&script.expr(ids[at]).kind).map(|(op, ..)| op) else { return false };
        let level = self.level(&lints::BITWISE_PRECEDENCE, op.span);
        if level == Level::Allow {
            return false;
        }
        let pieces: Vec<Span> = pieces(script, &ids)
            .into_iter()
            .filter(|piece| piece.comparisons > 0)
            .map(|piece| Span { start: piece.start, end: piece.end, ..span })
            .collect();
        let bound = script.expr(ids[at]).span;
        let text = self.text(bound).to_owned();
        self.report(report::bitwise_precedence(level, op, bound, &text, span, &pieces));
        true
    }
}

/// Cuts comparisons at the bitwise operators.
fn pieces(script: &Script, ids: &[ExprId]) -> Vec<ComparisonPiece> {
    let mut pieces: Vec<ComparisonPiece> = Vec::new();
    for (index, &id) in ids.iter().enumerate() {
        // The operands of the bitwise operators of one side of a comparison, from left to right.
        let mut parts = Vec::new();
        let mut left = vec![id];
        while let Some(id) = left.pop() {
            match bitwise(&script.expr(id).kind) {
                Some((_, a, b)) => left.extend([b, a]),
                None => parts.push(script.expr(id).span),
            }
        }
        for (part, span) in parts.into_iter().enumerate() {
            match pieces.last_mut() {
                Some(piece) if part == 0 && index > 0 => {
                    piece.end = span.end;
                    piece.comparisons += 1;
                }
                _ => pieces.push(ComparisonPiece { start: span.start, end: span.end, comparisons: 0 }),
            }
        }
    }
    pieces
}

/// A bitwise operator that no parentheses set apart.
fn bitwise(kind: &ExprKind) -> Option<(Operator, ExprId, ExprId)> {
    let ExprKind::Infix(op, left, right) = kind else { return None };
    matches!(op.notation, "&" | "|" | "^").then_some((*op, *left, *right))
}
