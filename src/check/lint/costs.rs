//! What promotions cost, in words.

use super::Lint;
use crate::check::infer::facts::PromotionCost;
use crate::check::infer::operand::Operand;
use crate::check::{Settings, report};
use crate::diagnostic::Level;
use crate::promotion;
use crate::types::{DType, Elem};

impl Settings {
    /// Whether an operation computes the same, and gives the same type, when these operands are cast first.
    fn keeps(&self, cost: &PromotionCost, casts: &[(usize, DType)]) -> bool {
        let PromotionCost { operation, operands, decision, .. } = cost;
        let cast = |index: usize| casts.iter().find(|(cast, _)| *cast == index).map(|&(_, dtype)| Elem::Strong(dtype));
        let asked: Vec<promotion::Operand> = operands
            .iter()
            .enumerate()
            .map(|(index, operand)| match cast(index) {
                Some(elem) => promotion::Operand { elem, constant: false, value: None, ..operand.asked() },
                None => operand.asked(),
            })
            .collect();
        promotion::result(self.system, *operation, &asked).is_ok_and(|new| {
            let joined = self.harden(new.joined) == self.harden(decision.joined);
            let compute = self.harden(new.compute) == self.harden(decision.compute);
            joined && compute && (new.result, new.weak) == (decision.result, decision.weak)
        })
    }
}

impl Lint<'_, '_> {
    /// Reports what a promotion does.
    pub(super) fn cost(&mut self, cost: &PromotionCost) {
        let written = self.written(&cost.operands, self.around(cost.at, &cost.operands));
        let settings = &self.known.settings;
        self.report(match cost.effect {
            Some(effect) => {
                let keeps = |casts: &[(usize, DType)]| settings.keeps(cost, casts);
                report::promotion_cost(cost, effect, &written, settings.mode, &keeps)
            }
            None => report::own_cost(cost, &written.texts),
        });
    }

    /// Reports a weak value that was computed more widely than it is stored.
    pub(super) fn weak_narrowing(
        &mut self,
        level: Level,
        operand: &Operand,
        from: DType,
        dtype: DType,
        meets: Option<&Operand>,
    ) {
        self.report(report::weak_narrowing(level, operand, from, dtype, meets, self.text(operand.span)));
    }
}
