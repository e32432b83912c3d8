//! Shapes that would fit with one more axis: `x - mean(x, axis=1)`.

use crate::check::infer::Ctx;
use crate::check::infer::values::operand::Operand;
use crate::check::report::ShapeFix;
use crate::diagnostic::Edit;
use crate::ops::elsewhere::is_atom;
use crate::ops::{self, Role};
use crate::source::Span;
use crate::syntax::ast::{Arg, ExprKind};
use crate::types::Dim;
use crate::types::shape::broadcast;

impl Ctx<'_> {
    /// What to write so that two operands fit, the likeliest first.
    pub(in crate::check) fn ways_to_fit(&mut self, left: &Operand, right: &Operand, symbol: &str) -> Vec<ShapeFix> {
        let (large, small) = if left.shape.len() < right.shape.len() { (right, left) } else { (left, right) };
        if large.shape.len() == small.shape.len() + 1 {
            return self.missing_axis(large, small);
        }
        let turned: Vec<Dim> = right.shape.iter().rev().cloned().collect();
        if turned.len() > 1 && left.shape == turned {
            let text = self.operand_text(right);
            return vec![ShapeFix { text: format!("`{text}.T` has its axes the other way round"), edits: None }];
        }
        if let ([_], [_]) = (left.shape.as_slice(), right.shape.as_slice())
            && !symbol.starts_with(char::is_alphabetic)
            && left.shape[0].known().is_some() == right.shape[0].known().is_some()
            && left.shape[0].known().is_some()
        {
            let text = format!("{}[:, None] {symbol} {}", self.operand_text(left), self.operand_text(right));
            return vec![ShapeFix { text: format!("every element with every other is `{text}`"), edits: None }];
        }
        Vec::new()
    }

    /// The small operand has all axes of the large one but one, which is not the first.
    fn missing_axis(&mut self, large: &Operand, small: &Operand) -> Vec<ShapeFix> {
        let fits = |&place: &usize| {
            let mut shape = small.shape.clone();
            shape.insert(place, Dim::Const(1));
            broadcast(&large.shape, &shape).as_ref() == Ok(&large.shape)
        };
        let places: Vec<usize> = (1..=small.shape.len()).filter(fits).collect();
        let [place] = places[..] else { return Vec::new() };
        let index = format!("[{}None]", ":, ".repeat(place));
        let text = self.operand_text(small);
        let view = ShapeFix { text: format!("give it an axis of length 1: `{text}{index}`"), edits: None };
        if let Some((end, empty)) = self.reduction_at(small.span) {
            let more = if empty { "keepdims=true" } else { ", keepdims=true" };
            let written = self.text(small.span);
            let kept = format!("keep the axis: `{}{more})`", written.strip_suffix(')').unwrap_or(written));
            return vec![ShapeFix { text: kept, edits: Some(vec![Edit { span: end, text: more.to_owned() }]) }, view];
        }
        match is_atom(self.text(small.span)) {
            true => vec![ShapeFix { edits: Some(vec![Edit { span: small.span.after(), text: index }]), ..view }],
            false => vec![view],
        }
    }

    fn operand_text(&self, operand: &Operand) -> String {
        let text = self.text(operand.span);
        if is_atom(text) { text.to_owned() } else { format!("({text})") }
    }

    /// How a call would say a length that it counts, where another is wanted: `bincount(…, length=12)`, or
    /// `bincount(…, length=len(x))` where the other is counted too.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other callee is a name")]
    pub(in crate::check) fn said_by_call(&mut self, [left, right]: [&Dim; 2]) -> Option<ShapeFix> {
        let counting = |dim: &Dim| self.graph.builder.length_of(dim).map(|it| it.span);
        let (places, wanted) = match (counting(left), counting(right)) {
            (Some(at), None) => (vec![at], Some(right)),
            (None, Some(at)) => (vec![at], Some(left)),
            (Some(left), Some(right)) => (vec![left, right], None),
            (None, None) => return None,
        };
        if wanted.is_some_and(|wanted| self.is_counted(wanted)) {
            return None;
        }
        let script = self.frame.script;
        let uses = self.uses();
        let name_at = |at: Span| {
            uses.calls.values().find_map(|&id| {
                let ExprKind::Call(callee, _) = &script.expr(id).kind else { return None };
                let callee = script.expr(*callee);
                match &callee.kind {
                    ExprKind::Name(name) => (callee.span == at).then_some(name),
                    ExprKind::Attribute(_, name) => (callee.span == at || name.span == at).then_some(&name.text),
                    _ => None,
                }
            })
        };
        let said = |param: &&ops::Param| param.role == Role::Size && param.default == Some("None");
        let (name, param) = places.into_iter().find_map(|at| {
            let name = name_at(at)?;
            Some((name, ops::find(name)?.params.iter().find(said)?.name))
        })?;
        let text = match wanted {
            Some(wanted) => format!("`{name}(…, {param}={wanted})` has that length"),
            None => format!("`{name}(…, {param}=len(x))` is as long as `x`"),
        };
        Some(ShapeFix { text, edits: None })
    }

    /// Where a reduction that was told its axes could be told to keep them, and whether it has no argument before.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other callee is a name")]
    fn reduction_at(&mut self, span: Span) -> Option<(Span, bool)> {
        let script = self.frame.script;
        let ExprKind::Call(callee, args) = &script.expr(*self.uses().calls.get(&span)?).kind else { return None };
        let name = match &script.expr(*callee).kind {
            ExprKind::Name(name) => name,
            ExprKind::Attribute(_, name) => &name.text,
            _ => return None,
        };
        let takes = ops::find(name).is_some_and(|op| op.params.iter().any(|param| param.role == Role::Keep));
        let given = |word: &str| {
            args.iter()
                .any(|Arg { name, .. }| name.as_ref().is_some_and(|name| ops::elsewhere::keyword(&name.text) == word))
        };
        let end = Span { start: span.end - 1, end: span.end - 1, ..span };
        (takes && !self.is_bound(name) && !given("keepdims")).then_some((end, args.is_empty()))
    }
}
