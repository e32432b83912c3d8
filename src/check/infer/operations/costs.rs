//! The cost of an operation: the worst that its promotion does, but for what ranges refute. The mode accepts it or
//! refuses it. Passes say it.

use crate::check::infer::Ctx;
use crate::check::infer::found::facts::{PromotionCost, Subject};
use crate::check::infer::values::operand::{Operand, OperandForm, rounds};
use crate::check::report;
use crate::constant::Const;
use crate::diagnostic::Level;
use crate::diagnostic::codes::{Row, dtypes};
use crate::ir::{Fault, NodeId};
use crate::ops::cast;
use crate::promotion::verdict::{self, Effect};
use crate::promotion::{Class, Decision, Operation};
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Elem};

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
            && (self.interval(node).exists_in(dtype) || self.is_rounded_as_literals(node, dtype))
        {
            return Some(());
        }
        let level = self.level(&dtypes::WEAK_NARROWING, operand.span);
        let meets = meets.cloned();
        self.found(Subject::Narrowed { level, operand: operand.clone(), from, dtype, meets });
        (level != Level::Deny).then_some(())
    }

    /// A constant that was computed of values with a dtype meets one: where it does not exist there, it is converted as
    /// a computed weak value is.
    pub(super) fn stored_constant(
        &mut self,
        value: &Const,
        operand: &Operand,
        dtype: DType,
        meets: Option<&Operand>,
    ) -> Option<()> {
        let (exact, _) = value.parts();
        let exists = |part: DType| value.fit(part).is_ok_and(|scalar| scalar.to_f64() == exact);
        if !value.is_stored() || !dtype.kind().is_inexact() || exact.is_nan() || exists(dtype.part()) {
            return Some(());
        }
        let level = self.level(&dtypes::WEAK_NARROWING, operand.span);
        let (operand, meets) = (operand.clone(), meets.cloned());
        self.found(Subject::Narrowed { level, from: self.settings.harden(operand.elem), operand, dtype, meets });
        (level != Level::Deny).then_some(())
    }

    /// A size, or what is made of sizes, fits a dtype as a literal has to: checked where it is known.
    pub(super) fn check_size(&mut self, size: NodeId, dtype: DType, span: Span) {
        let mut e = self.graph.expand();
        let from = e.dtype(size);
        let made = e.convert(size, dtype);
        let changes = if dtype.is_integer() && from.is_integer() {
            cast::changes(&mut e, size, made)
        } else if dtype.is_small_float() {
            let (made, size) = (e.convert(made, DType::F64), e.convert(size, DType::F64));
            let [made, size] = [made, size].map(|it| {
                let difference = e.sub(it, it);
                e.is_nan(difference)
            });
            let finite = e.not(size);
            e.prim(Prim::And, &[made, finite])
        } else {
            return;
        };
        self.graph.refuse(changes, Fault::LossyCast { value: size, dtype }, span);
    }

    /// Finds the worst of what a promotion does, and answers whether the program may go on.
    pub(in crate::check) fn costs(
        &mut self,
        operation: Operation,
        shown: &'static str,
        operands: &[Operand],
        decision: Decision,
        at: Span,
    ) -> bool {
        let class = operation.class;
        let elems: Vec<Elem> = operands.iter().map(|operand| operand.elem).collect();
        let integers = elems.iter().all(|elem| !elem.kind().is_inexact());
        if matches!(class, Class::Equality | Class::Ordering) && integers {
            return true;
        }
        let settings = &self.settings;
        let target = settings.harden(decision.joined);
        let mut effects = settings.system.effects(class, &elems, decision.joined, |elem| settings.harden(elem));
        effects.retain(|effect| !self.refuted(*effect, operands, target));
        let rank = |effect: &Effect| match effect {
            Effect::Implicit => (&dtypes::IMPLICIT_PROMOTION, 0),
            Effect::KindChange => (&dtypes::KIND_CHANGE, 1),
            Effect::RangeLoss { .. } => (&dtypes::RANGE_LOSS, 2),
            Effect::PrecisionLoss { .. } => (&dtypes::PRECISION_LOSS, 3),
            Effect::Widening => (&dtypes::WIDENING, 4),
        };
        let ranked = effects.iter().map(|effect| (*effect, rank(effect)));
        let found: Vec<_> = ranked.map(|(effect, (row, order))| (self.level(row, at), effect, row, order)).collect();
        // A comment that silences what a promotion costs is about that promotion, in every mode.
        let silenced = found.iter().any(|&(level, effect, row, _)| {
            effect != Effect::Implicit && level == Level::Allow && self.settings.level(row) != Level::Allow
        });
        let worst = found
            .into_iter()
            .filter(|&(level, effect, ..)| level != Level::Allow && !(silenced && effect == Effect::Implicit))
            .max_by_key(|&(level, _, _, order)| (level, std::cmp::Reverse(order)));
        if let Some((level, effect, row, _)) = worst {
            let (effect, operands) = (Some(effect), operands.to_vec());
            let cost = PromotionCost {
                row,
                level,
                effect,
                operation,
                shown,
                operands,
                decision,
                from: target,
                to: target,
                at,
            };
            self.found(Subject::Cost(Box::new(cost)));
            return level != Level::Deny;
        }
        self.own_costs(operation, shown, (operands, &elems), decision, at)
    }

    /// What the operation does by itself: integers that are too wide for the float that is made of them, and a weak
    /// float that makes a default-width float of an integer array.
    fn own_costs(
        &mut self,
        operation: Operation,
        shown: &'static str,
        (operands, elems): (&[Operand], &[Elem]),
        decision: Decision,
        at: Span,
    ) -> bool {
        let class = operation.class;
        let (from, to) = (self.settings.harden(decision.joined), self.settings.harden(decision.compute));
        let integer = from.is_integer() && !decision.joined.is_weak();
        let mut report: Option<(Level, &'static Row)> = None;
        let inexact = verdict::inexact(elems, decision.compute, |elem| self.settings.harden(elem));
        let exact = inexact && operands.iter().all(|operand| self.exists_in(operand, to));
        if integer && inexact && !exact && self.settings.system.checks.inexact {
            report = Some((self.level(&dtypes::INEXACT_CONVERSION, at), &dtypes::INEXACT_CONVERSION));
        }
        // Where the operation makes another float of the integers by itself, the literal decides nothing.
        let weak_float = decision.joined == Elem::WeakFloat
            && to == self.settings.harden(Elem::WeakFloat)
            && elems.contains(&Elem::WeakFloat)
            && !matches!(class, Class::Equality | Class::Ordering)
            && operands.iter().any(|operand| {
                // Integers of as many bits need as much memory: places and counts are f64 at no cost.
                let is_wider = |dtype: DType| dtype.is_integer() && dtype.bits() < to.bits();
                operand.elem.strong().is_some_and(is_wider) && !operand.shape.is_empty()
            });
        if report.is_none() && weak_float {
            report = Some((self.level(&dtypes::WEAK_DEFAULT, at), &dtypes::WEAK_DEFAULT));
        }
        let Some((level, row)) = report.filter(|(level, _)| *level != Level::Allow) else { return true };
        let operands = operands.to_vec();
        let cost = PromotionCost { row, level, effect: None, operation, shown, operands, decision, from, to, at };
        self.found(Subject::Cost(Box::new(cost)));
        level != Level::Deny
    }

    /// Whether the ranges of the operands prove that a promotion to `target` does not do this.
    fn refuted(&mut self, effect: Effect, operands: &[Operand], target: DType) -> bool {
        match effect {
            Effect::PrecisionLoss { operand } => self.exists_in(&operands[operand], target),
            Effect::RangeLoss { operand } => match operands[operand].form {
                OperandForm::Node(node, _) => self.interval(node).within(target),
                OperandForm::Const(_) | OperandForm::Literal(_) => false,
            },
            // A literal of another kind changes the kind of every value.
            Effect::KindChange => {
                operands.iter().all(|operand| !operand.elem.kind().is_inexact() && self.exists_in(operand, target))
            }
            Effect::Implicit | Effect::Widening => false,
        }
    }

    /// Whether every value that an operand can have exists in a dtype. A constant was asked to fit already.
    fn exists_in(&mut self, operand: &Operand, dtype: DType) -> bool {
        match operand.form {
            OperandForm::Node(node, _) => {
                verdict::exact(self.graph.builder.dtype(node), dtype) || self.interval(node).exists_in(dtype)
            }
            OperandForm::Const(_) | OperandForm::Literal(_) => true,
        }
    }
}
