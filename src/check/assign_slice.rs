//! `x[region] = v` and `x[region] += v`: a variable with other values at some places.

use super::Ctx;
use super::operands::Operand;
use super::value::Value;
use crate::source::Span;
use crate::syntax::ast::Index;

impl Ctx<'_, '_> {
    /// What `base` is after an update of `base[index]`; `store` makes of the part that the index selects what will be
    /// there, with the part's dtype and shape.
    pub(super) fn updated_at(
        &mut self,
        base: &Operand,
        index: &[Index],
        span: Span,
        store: impl FnOnce(&mut Self, &Operand) -> Option<Value>,
    ) -> Option<Value> {
        let picks = self.picks(base, index, span)?;
        let whole = self.node(base)?;
        let part = self.selected(whole, &picks);
        let part = self.operand(Self::viewed(base, part), span)?;
        let stored = store(self, &part)?;
        let stored = self.operand(stored, span)?;
        let stored = self.node(&stored)?;
        let node = self.replaced(whole, &picks, stored);
        Some(self.computed(node, self.builder.dtype(node).into(), base.origin))
    }
}
