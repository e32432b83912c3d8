//! What an operation costs: the findings about its promotion, but for those that ranges refute.

use super::Ctx;
use super::operands::{Operand, OperandForm};
use crate::check::{Settings, report};
use crate::diagnostic::Level;
use crate::diagnostic::codes::{Row, dtypes};
use crate::promotion::verdict::{self, Effect};
use crate::promotion::{self, Class, Decision, Operation};
use crate::scalar::prim::Prim;
use crate::scalar::{Scalar, eval};
use crate::source::Span;
use crate::types::constant::Const;
use crate::types::{DType, Elem, Kind};
use num_bigint::BigInt;
use num_traits::FromPrimitive;

impl Settings {
    /// Whether an operation computes the same, and gives the same type, when these operands are cast first.
    fn keeps(&self, operation: Operation, operands: &[Operand], casts: &[(usize, DType)], decision: Decision) -> bool {
        let cast = |index: usize| casts.iter().find(|(cast, _)| *cast == index).map(|&(_, dtype)| Elem::Strong(dtype));
        let asked: Vec<promotion::Operand> = operands
            .iter()
            .enumerate()
            .map(|(index, operand)| match cast(index) {
                Some(elem) => promotion::Operand { elem, constant: false, value: None, ..operand.asked() },
                None => operand.asked(),
            })
            .collect();
        promotion::result(self.system, operation, &asked).is_ok_and(|new| {
            let joined = self.harden(new.joined) == self.harden(decision.joined);
            let compute = self.harden(new.compute) == self.harden(decision.compute);
            joined && compute && (new.result, new.weak) == (decision.result, decision.weak)
        })
    }
}

impl Ctx<'_> {
    /// A computed weak value meets a narrower dtype.
    pub(in crate::check) fn weak_narrowing(
        &mut self,
        operand: &Operand,
        arms: Option<&[Const]>,
        from: DType,
        dtype: DType,
        meets: Option<&Operand>,
    ) -> Option<()> {
        if let Some(arms) = arms {
            let mut rounded = false;
            for arm in arms {
                match arm.fit(dtype) {
                    Ok(scalar) => rounded |= rounds(arm, scalar),
                    Err(misfit) => {
                        self.error(report::misfit(arm, misfit, dtype, operand, meets));
                        return None;
                    }
                }
            }
            if !rounded {
                return Some(());
            }
        }
        if let OperandForm::Node(node, _) = operand.form
            && self.interval(node).exists_in(dtype)
        {
            return Some(());
        }
        let level = self.level(&dtypes::WEAK_NARROWING, operand.span);
        let text = self.text(operand.span).to_owned();
        self.findings.push(report::weak_narrowing(level, operand, from, dtype, meets, &text));
        (level != Level::Deny).then_some(())
    }

    /// Reports the worst of what a promotion does; answers whether the program may go on.
    pub(in crate::check) fn costs(
        &mut self,
        operation: Operation,
        shown: &str,
        operands: &[Operand],
        decision: Decision,
        at: Span,
    ) -> bool {
        let class = operation.class;
        let settings = self.settings.clone();
        let elems: Vec<Elem> = operands.iter().map(|operand| operand.elem).collect();
        let integers = elems.iter().all(|elem| matches!(elem.kind(), Kind::Bool | Kind::Unsigned | Kind::Signed));
        if matches!(class, Class::Equality | Class::Ordering) && integers {
            return true;
        }
        let mut effects = settings.system.effects(class, &elems, decision.joined, |elem| settings.harden(elem));
        let target = settings.harden(decision.joined);
        effects.retain(|effect| !self.refuted(*effect, operands, target));
        let rank = |effect: &Effect| match effect {
            Effect::Implicit => (&dtypes::IMPLICIT_PROMOTION, 0),
            Effect::KindChange => (&dtypes::KIND_CHANGE, 1),
            Effect::RangeLoss { .. } => (&dtypes::RANGE_LOSS, 2),
            Effect::PrecisionLoss { .. } => (&dtypes::PRECISION_LOSS, 3),
            Effect::Widening => (&dtypes::WIDENING, 4),
        };
        let worst = effects
            .iter()
            .map(|effect| (*effect, rank(effect)))
            .map(|(effect, (row, order))| (self.level(row, at), effect, row, order))
            .filter(|(level, ..)| *level != Level::Allow)
            .max_by_key(|&(level, _, _, order)| (level, std::cmp::Reverse(order)));
        if let Some((level, effect, row, _)) = worst {
            let texts: Vec<String> = operands.iter().map(|operand| self.text(operand.span).to_owned()).collect();
            let keeps = |casts: &[(usize, DType)]| settings.keeps(operation, operands, casts, decision);
            let found =
                report::promotion_cost(row, level, effect, shown, operands, &texts, target, at, settings.mode, &keeps);
            self.findings.push(found);
            return level != Level::Deny;
        }
        self.own_costs(operation, shown, operands, decision, at)
    }

    /// What the operation does by itself: integers that are too wide for the float that is made of them, and a weak
    /// float that makes a default-width float of an integer array.
    fn own_costs(
        &mut self,
        operation: Operation,
        shown: &str,
        operands: &[Operand],
        decision: Decision,
        at: Span,
    ) -> bool {
        let class = operation.class;
        let (from, to) = (self.settings.harden(decision.joined), self.settings.harden(decision.compute));
        let integer = from.is_integer() && !decision.joined.is_weak();
        let mut report: Option<(Level, &'static Row)> = None;
        let elems: Vec<Elem> = operands.iter().map(|operand| operand.elem).collect();
        let inexact = verdict::inexact(&elems, decision.compute, |elem| self.settings.harden(elem));
        let exact = inexact && operands.iter().all(|operand| self.exists_in(operand, to));
        if integer && inexact && !exact && self.settings.system.reports_inexact {
            report = Some((self.level(&dtypes::INEXACT_CONVERSION, at), &dtypes::INEXACT_CONVERSION));
        }
        let weak_float = decision.joined == Elem::WeakFloat
            && elems.contains(&Elem::WeakFloat)
            && !matches!(class, Class::Equality | Class::Ordering)
            && operands
                .iter()
                .any(|operand| operand.elem.strong().is_some_and(DType::is_integer) && !operand.shape.is_empty());
        if report.is_none() && weak_float {
            report = Some((self.level(&dtypes::WEAK_DEFAULT, at), &dtypes::WEAK_DEFAULT));
        }
        let Some((level, row)) = report else { return true };
        let texts: Vec<String> = operands.iter().map(|operand| self.text(operand.span).to_owned()).collect();
        let found = report::own_cost(row, level, shown, operands, &texts, from, to, at);
        self.findings.push(found);
        level != Level::Deny
    }

    /// Whether the ranges of the operands prove that a promotion to `target` does not do this.
    fn refuted(&mut self, effect: Effect, operands: &[Operand], target: DType) -> bool {
        match effect {
            Effect::PrecisionLoss { operand } => self.exists_in(&operands[operand], target),
            Effect::RangeLoss { operand } => match operands[operand].form {
                OperandForm::Node(node, _) => self.interval(node).within(target),
                _ => false,
            },
            Effect::KindChange => operands.iter().all(|operand| self.exists_in(operand, target)),
            Effect::Implicit | Effect::Widening => false,
        }
    }

    /// Whether every value that an operand can have exists in a dtype; a constant was asked to fit already.
    fn exists_in(&mut self, operand: &Operand, dtype: DType) -> bool {
        match operand.form {
            OperandForm::Node(node, _) => {
                verdict::exact(self.graph.builder.dtype(node), dtype) || self.interval(node).exists_in(dtype)
            }
            _ => true,
        }
    }
}

/// Whether an integer is not itself in the float that it becomes.
pub(in crate::check) fn rounds(value: &Const, scalar: Scalar) -> bool {
    let Const::Int(exact) = value else { return false };
    if !scalar.dtype.is_float() {
        return false;
    }
    let wide = eval::eval(Prim::Convert, DType::F64, &[scalar]);
    let back: Option<BigInt> = FromPrimitive::from_f64(f64::from_bits(wide.bits as u64));
    back.as_ref() != Some(exact)
}
