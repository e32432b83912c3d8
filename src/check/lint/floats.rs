//! Pedantic findings about floats: equality, means of integers.

use super::{Lint, Pass};
use crate::check::infer::found::facts::{AppliedOp, FoldedAxes};
use crate::check::infer::values::operand::{Operand, OperandForm};
use crate::check::report;
use crate::diagnostic::Level;
use crate::diagnostic::codes::lints;
use crate::promotion::Class;
use crate::range::Interval;
use crate::types::Elem;

/// The passes over operations.
pub(super) const APPLIED: &[Pass<AppliedOp>] = &[|lint, it| lint.float_equality(it)];

/// The passes over reductions.
pub(super) const FOLDED: &[Pass<FoldedAxes>] = &[|lint, it| lint.float_mean_of_int(it)];

impl Lint<'_, '_> {
    /// Reports floats compared for equality, but for exact questions: is it 0, infinite, itself, a whole number?
    fn float_equality(&mut self, applied: &AppliedOp) {
        let AppliedOp { op, operands, at, .. } = applied;
        let fractional = |operand: &Operand| operand.elem.kind().is_inexact();
        if op.class != Class::Equality
            || self.set(&lints::FLOAT_EQUALITY) == Level::Allow
            || !operands.iter().any(fractional)
        {
            return;
        }
        let node = |operand: &Operand| match operand.form {
            OperandForm::Node(node, _) => Some(node),
            OperandForm::Const(_) | OperandForm::Literal(_) => None,
        };
        let same = operands.len() == 2 && node(&operands[0]).is_some() && node(&operands[0]) == node(&operands[1]);
        if same || operands.iter().any(|operand| self.is_exact_question(operand)) {
            return;
        }
        let level = self.level(&lints::FLOAT_EQUALITY, *at);
        let texts = self.texts(operands);
        self.report(report::float_equality(level, op, operands, &texts, *at));
    }

    fn is_exact_question(&mut self, operand: &Operand) -> bool {
        match &operand.form {
            OperandForm::Const(value) => {
                let (re, im) = value.parts();
                im == 0.0 && (re == 0.0 || re.is_infinite())
            }
            OperandForm::Literal(_) => false,
            OperandForm::Node(node, _) => match self.interval(*node) {
                Interval::Integer { .. } => true,
                Interval::Float { low, high, whole, .. } => whole && low.is_finite() && high.is_finite(),
                Interval::Complex => false,
            },
        }
    }

    /// Reports a mean of integers.
    fn float_mean_of_int(&mut self, folded: &FoldedAxes) {
        let FoldedAxes { op, operand, decision, at, .. } = folded;
        let Elem::Strong(from) = operand.elem else { return };
        let averages = matches!(op.class, Class::Mean | Class::Variance | Class::Quantile);
        if !averages || !from.is_integer() || self.set(&lints::FLOAT_MEAN_OF_INT) == Level::Allow {
            return;
        }
        let level = self.level(&lints::FLOAT_MEAN_OF_INT, *at);
        let to = self.known.settings.harden(decision.result);
        if to.is_integer() {
            return;
        }
        let text = self.text(operand.span).to_owned();
        self.report(report::float_mean_of_int(level, op, operand, from, to, &text, *at));
    }
}
