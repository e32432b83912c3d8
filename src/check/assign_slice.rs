//! `x[region] = v` and `x[region] += v`: a variable with other values at some places.

use super::Ctx;
use super::assign::Update;
use crate::source::Span;
use crate::syntax::ast::{ExprId, ExprKind, Index};

impl Ctx<'_, '_> {
    /// What the index selects is updated as a variable of its own would be, and put back where it was.
    pub(super) fn assign_at(&mut self, base: ExprId, index: &[Index], update: Update, value: ExprId, place: Span) {
        let script = self.script;
        let given = self.infer_open(value);
        // The parser has refused everything but an indexed name.
        let ExprKind::Name(name) = &script.expr(base).kind else { return };
        let Some(variable) = self.variable(name, script.expr(base).span, update) else { return };
        let Some(given) = self.operand(given, script.expr(value).span) else { return };
        let Some(picks) = self.picks(&variable, index, place) else { return };
        let Some(whole) = self.node(&variable) else { return };
        let part = self.selected(whole, &picks);
        let Some(part) = self.operand(Self::viewed(&variable, part), place) else { return };
        let shown = self.text(place).to_owned();
        let Some(stored) = self.updated(&shown, &part, given, update) else { return };
        let Some(stored) = self.operand(stored, place) else { return };
        let Some(stored) = self.node(&stored) else { return };
        let node = self.replaced(whole, &picks, stored);
        let stored = self.computed(node, self.builder.dtype(node).into(), variable.origin);
        let span = self.scope.find(name).map_or(place, |binding| binding.span);
        self.scope.define_variable(name, stored, span);
    }
}
