//! The costs of promotions, in words.

use super::Lint;
use crate::check::infer::found::facts::PromotionCost;
use crate::check::infer::values::operand::{Operand, OperandForm};
use crate::check::report::KeptOperand;
use crate::check::{Settings, report};
use crate::diagnostic::Level;
use crate::ops::lines::ResultDType;
use crate::ops::{self, Form};
use crate::promotion::{self, Decision};
use crate::source::Span;
use crate::types::{DType, Elem};

impl Settings {
    /// The system's decision about an operation, if these operands are cast first.
    fn recast(&self, cost: &PromotionCost, casts: &[(usize, DType)]) -> Option<Decision> {
        let PromotionCost { operation, operands, .. } = cost;
        let cast = |index: usize| casts.iter().find(|(cast, _)| *cast == index).map(|&(_, dtype)| Elem::Strong(dtype));
        let asked: Vec<promotion::Operand> = operands
            .iter()
            .enumerate()
            .map(|(index, operand)| match cast(index) {
                Some(elem) => {
                    promotion::Operand { elem, constant: false, value: None, ..operand.as_promotion_operand() }
                }
                None => operand.as_promotion_operand(),
            })
            .collect();
        promotion::result(self.system, *operation, &asked).ok()
    }

    /// Whether an operation computes the same, and gives the same type, when these operands are cast first.
    fn keeps(&self, cost: &PromotionCost, casts: &[(usize, DType)]) -> bool {
        let decision = &cost.decision;
        self.recast(cost, casts).is_some_and(|new| {
            let joined = self.harden(new.joined) == self.harden(decision.joined);
            let compute = self.harden(new.compute) == self.harden(decision.compute);
            joined && compute && (new.result, new.weak) == (decision.result, decision.weak)
        })
    }
}

/// Whether the result has elements of the first operand, which are only compared with elements of the others.
fn first_stays(cost: &PromotionCost) -> bool {
    let op = ops::by_name(cost.operation.name).filter(|_| cost.operands.len() > 1);
    op.is_some_and(
        |op| matches!(&op.form, Form::Lines(lines) if lines.of_equals && lines.results == [ResultDType::Own]),
    )
}

impl Lint<'_, '_> {
    /// Reports what a promotion does.
    pub(super) fn cost(&mut self, cost: &PromotionCost) {
        self.known.unasked.costly = Some(cost.at);
        let written = self.written(&cost.operands, self.around(cost.at, &cost.operands));
        let is_update = self.is_update(cost);
        let stays = self.stays(cost, is_update, &written.texts);
        let settings = &self.known.settings;
        self.report(match cost.effect {
            Some(effect) => {
                let keeps = |casts: &[(usize, DType)]| settings.keeps(cost, casts);
                let gives = |casts: &[(usize, DType)]| {
                    let new = settings.recast(cost, casts)?;
                    Some((settings.harden(new.joined), settings.harden(new.result)))
                };
                let (first_stays, widest) = (first_stays(cost), settings.system.widest_bits());
                let casts = report::Casts { keeps: &keeps, gives: &gives, first_stays, widest, stays };
                report::promotion_cost(cost, effect, &written, settings.mode, &casts)
            }
            None => report::own_cost(cost, &written.texts, settings.system.widths.narrow, is_update),
        });
    }

    /// The operand that takes the result, and what to do so that it has another dtype.
    fn stays(&self, cost: &PromotionCost, is_update: bool, texts: &[String]) -> Option<KeptOperand> {
        if let [left, right] = cost.operands.as_slice()
            && left.span != right.span
            && report::covers(left.span, right.span)
        {
            // The span of an array covers the values that `add_at` adds to it.
            let words = "what is changed keeps its dtype: convert it first, to".to_owned();
            return Some(KeptOperand { operand: 0, words, is_part: true });
        }
        if is_update {
            let name = texts[0].split('[').next().unwrap_or_default();
            let words = format!("a variable keeps its dtype: declare `{name}` as");
            return Some(KeptOperand { operand: 0, words, is_part: false });
        }
        let is_state = |it: &Operand| match it.form {
            OperandForm::Node(node, _) => !it.elem.is_weak() && self.graph.builder.may_be_state(node),
            OperandForm::Const(_) | OperandForm::Literal(_) => false,
        };
        let operand = cost.operands.iter().position(is_state)?;
        let words = format!("a state keeps its dtype: begin `{}` as", texts[operand]);
        Some(KeptOperand { operand, words, is_part: false })
    }

    /// Whether `=` stands behind the operator, or in its place, so that a variable takes the result.
    fn is_update(&self, cost: &PromotionCost) -> bool {
        let [left, right] = cost.operands.as_slice() else { return false };
        let before = |end: Span| {
            let between = Span { start: end.end, end: right.span.start, ..end };
            let in_order = right.span.source == end.source && between.start <= between.end;
            if in_order { self.text(between).trim() } else { "" }
        };
        before(cost.at).starts_with('=') || before(left.span) == "="
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
        let found = report::weak_narrowing(level, operand, from, dtype, meets, self.text(operand.span));
        let known = self.intervals(std::slice::from_ref(operand)).pop().flatten();
        // What is as good as unknown is not worth a word.
        let known = known.filter(|known| dtype.is_integer() && from.is_integer() && known.exists_in(DType::I32));
        self.report(match known.filter(|known| !known.exists_in(dtype)) {
            Some(range) => report::lies_beyond(found, range, dtype),
            None => found,
        });
    }
}
