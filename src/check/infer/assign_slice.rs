//! `x[region] = v` and `x[region] += v`: a variable with other values at some places.

use super::Ctx;
use super::assign::Update;
use super::chosen::Purpose;
use super::operand::Operand;
use super::value::Value;
use crate::source::Span;
use crate::syntax::ast::{ExprId, ExprKind, Index};

impl Ctx<'_> {
    /// What the index selects is updated as a variable of its own would be, and put back where it was; nothing where
    /// that cannot be.
    pub(in crate::check) fn assign_at(
        &mut self,
        base: ExprId,
        index: &[Index],
        update: Update,
        value: ExprId,
        place: Span,
    ) -> Option<()> {
        let script = self.frame.script;
        let given = self.infer_open(value);
        // The parser has refused everything but an indexed name.
        let ExprKind::Name(name) = &script.expr(base).kind else { return None };
        let value = script.expr(value).span;
        let given = self.operand(given, value)?;
        let purpose = Purpose::Assign(update, value, &given);
        let variable = self.variable_or_chosen(name, base, index, place, purpose)?;
        let picks = self.picks(&variable, index, place, purpose)?;
        let whole = self.node(&variable)?;
        let part = self.selected(whole, &picks);
        let part = self.operand(Self::viewed(&variable, part), place)?;
        let shown = self.text(place).to_owned();
        let stored = self.updated(&shown, &part, given, update)?;
        let stored = self.operand(stored, place)?;
        let stored = self.node(&stored)?;
        let node = self.replaced(whole, &picks, stored);
        let stored = self.computed(node, self.graph.builder.dtype(node).into(), variable.origin);
        self.update(name, stored, place);
        Some(())
    }

    /// The variable with this name. Of what is none, a mask is the first thing to be told of: with `where` nobody needs
    /// a variable.
    fn variable_or_chosen(
        &mut self,
        name: &str,
        base: ExprId,
        index: &[Index],
        place: Span,
        purpose: Purpose,
    ) -> Option<Operand> {
        let Purpose::Assign(update, ..) = purpose else { return None };
        let at = self.frame.script.expr(base).span;
        if let [Index::At(id)] = index
            && let Some(Value::Computed(_) | Value::Literal(_)) =
                self.frame.scope.find(name).filter(|it| !it.mutable).map(|it| &it.value)
        {
            let whole = self.infer(base);
            let whole = self.operand(whole, at)?;
            let value = self.infer(*id);
            if self.chosen(&whole, at, index, &[value], place, purpose) {
                return None;
            }
        }
        self.variable(name, at, update)
    }
}
