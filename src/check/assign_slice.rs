//! `x[region] = v` and `x[region] += v`: a variable with other values at some places.

use super::Ctx;
use super::assign::Update;
use crate::source::Span;
use crate::syntax::ast::{ExprId, ExprKind, Index};

impl Ctx<'_, '_> {
    /// What the index selects is updated as a variable of its own would be, and put back where it was; nothing where
    /// that cannot be.
    pub(super) fn assign_at(
        &mut self,
        base: ExprId,
        index: &[Index],
        update: Update,
        value: ExprId,
        place: Span,
    ) -> Option<()> {
        let script = self.script;
        let given = self.infer_open(value);
        // The parser has refused everything but an indexed name.
        let ExprKind::Name(name) = &script.expr(base).kind else { return None };
        let variable = self.variable(name, script.expr(base).span, update)?;
        let given = self.operand(given, script.expr(value).span)?;
        let picks = self.picks(&variable, index, place)?;
        let whole = self.node(&variable)?;
        let part = self.selected(whole, &picks);
        let part = self.operand(Self::viewed(&variable, part), place)?;
        let shown = self.text(place).to_owned();
        let stored = self.updated(&shown, &part, given, update)?;
        let stored = self.operand(stored, place)?;
        let stored = self.node(&stored)?;
        let node = self.replaced(whole, &picks, stored);
        let stored = self.computed(node, self.builder.dtype(node).into(), variable.origin);
        self.update(name, stored, place);
        Some(())
    }
}
