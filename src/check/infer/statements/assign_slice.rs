//! Assignment to a region of a variable, `x[region] = v` or `x[region] += v`: a variable with other values at some
//! places.

use super::assign::Update;
use crate::check::infer::Ctx;
use crate::check::infer::indexing::select::IndexArrays;
use crate::check::infer::values::operand::Operand;
use crate::ir::NodeId;
use crate::ir::routine::Scatter;
use crate::source::Span;
use crate::syntax::ast::{ExprId, ExprKind, Index};

impl Ctx<'_> {
    /// What the index selects is updated as a variable of its own would be, and put back where it was. The answer is
    /// `None` where that cannot be.
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
        let given = self.mean_stored(name, given, update, value);
        let given = self.operand(given, value)?;
        let at = script.expr(base).span;
        let variable = self.variable(name, at, update)?;
        let (index, values) = self.index_values(index)?;
        let index = index.as_slice();
        let whole = self.node(&variable)?;
        if let Some(chosen) = self.arrays_in(&variable, index, &values, place)? {
            let node = self.chosen_updated(&variable, whole, chosen, given, update, place)?;
            let stored = self.computed_value(node, self.graph.builder.dtype(node).into(), variable.origin);
            self.update(name, stored, place);
            return Some(());
        }
        let picks = self.picks(&variable, index, values, place)?;
        let part = self.select_picked(whole, &picks);
        let part = self.operand(Self::view_of(&variable, part), place)?;
        let shown = self.text(place).to_owned();
        let stored = self.value_after_update(&shown, &part, given, update)?;
        let stored = self.operand(stored, place)?;
        let stored = self.node(&stored)?;
        let node = self.replace_picked(whole, &picks, stored);
        let stored = self.computed_value(node, self.graph.builder.dtype(node).into(), variable.origin);
        self.update(name, stored, place);
        Some(())
    }

    /// A variable with other values where a mask is true, or at positions.
    fn chosen_updated(
        &mut self,
        variable: &Operand,
        whole: NodeId,
        chosen: IndexArrays,
        given: Operand,
        update: Update,
        place: Span,
    ) -> Option<NodeId> {
        let shown = self.text(place).to_owned();
        let chosen = chosen.holding(&given.shape);
        let mask = chosen.only_mask();
        let (part, given) = match mask {
            Some(mask) => {
                let given = self.spread(given, whole, (&chosen, mask))?;
                (self.shown_by(whole, &chosen), given)
            }
            None => (self.chosen_elements(variable, &chosen, place)?, given),
        };
        let part = self.operand(Self::view_of(variable, part), place)?;
        let stored = self.value_after_update(&shown, &part, given, update)?;
        let stored = self.operand(stored, place)?;
        let stored = self.node(&stored)?;
        match mask {
            Some(mask) => self.replaced_under(whole, (&chosen, mask), stored),
            None => self.replaced_at((variable, whole), &chosen, stored, Scatter::Set, place),
        }
    }
}
