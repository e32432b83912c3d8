//! Comparisons that have one answer: those that ranges decide, and those with NaN or with a fraction.

use super::{Lint, Pass};
use crate::check::infer::facts::{Applied, Expansion};
use crate::check::infer::operand::{Operand, OperandForm};
use crate::check::report;
use crate::constant::Const;
use crate::diagnostic::Level;
use crate::diagnostic::codes::dtypes;
use crate::ir::NodeKind;
use crate::ops::{Form, Op};
use crate::promotion::Class;
use crate::range::Interval;
use crate::source::Span;
use crate::types::DType;

/// The passes over operations.
pub(super) const APPLIED: &[Pass<Applied>] =
    &[|lint, it| lint.compared_with_nan(it), |lint, it| lint.compared_with_fraction(it), |lint, it| lint.decided(it)];

impl Lint<'_, '_> {
    /// Reports an integer that is compared with a dtype that cannot hold it.
    pub(super) fn outside(&mut self, op: &'static Op, operand: &Operand, other: &Operand, dtype: DType, span: Span) {
        let level = self.level(&dtypes::CONSTANT_COMPARISON, span);
        self.report(report::constant_comparison(level, op, operand, other, dtype, span));
    }

    /// Reports a comparison of integers that ranges decide.
    fn decided(&mut self, applied: &Applied) {
        let Applied { op, operands, node, span, how: Expansion::Compared, .. } = applied else { return };
        let (node, span) = (*node, *span);
        let allowed = self.set(&dtypes::CONSTANT_COMPARISON) == Level::Allow;
        let known = operands.iter().all(|operand| match operand.form {
            OperandForm::Node(node, _) => self.graph.builder.as_constant(node).is_some(),
            OperandForm::Const(_) | OperandForm::Literal(_) => true,
        });
        if known || allowed || !matches!(self.graph.builder.program().node(node).kind, NodeKind::Map(..)) {
            return;
        }
        let range = self.graph.ranges.of(self.graph.builder.program(), node);
        let Some(truth) = range.interval.single().filter(|_| !range.of_data) else { return };
        let ranges = self.intervals(operands);
        let level = self.level(&dtypes::CONSTANT_COMPARISON, span);
        self.report(report::decided_comparison(level, op, truth != 0, operands, &ranges, span));
    }

    /// Reports a comparison with NaN, which differs from everything and is neither above nor below anything.
    fn compared_with_nan(&mut self, applied: &Applied) {
        let Applied { op, operands, span, .. } = applied;
        if !matches!(op.form, Form::Compare(_)) {
            return;
        }
        let span = *span;
        let is_nan = |lint: &Self, operand: &Operand| match &operand.form {
            OperandForm::Const(value) => value.parts().0.is_nan(),
            OperandForm::Node(node, _) => lint.graph.builder.as_constant(*node).is_some_and(is_nan),
            OperandForm::Literal(_) => false,
        };
        let [x, y] = operands.as_slice() else { return };
        let (value, nan) = match (is_nan(self, x), is_nan(self, y)) {
            (false, true) => (x, y),
            (true, false) => (y, x),
            _ => return,
        };
        let level = self.level(&dtypes::CONSTANT_COMPARISON, span);
        let text = self.text(value.span).to_owned();
        self.report(report::compared_with_nan(level, op, value, nan, &text, span));
    }

    /// Reports integers that are compared with a fraction, which none of them is.
    fn compared_with_fraction(&mut self, applied: &Applied) {
        let Applied { op, operands, span, .. } = applied;
        let [x, y] = operands.as_slice() else { return };
        if op.class != Class::Equality {
            return;
        }
        let is_whole =
            |operand: &Operand| operand.elem.strong().is_some_and(|dtype| dtype.is_integer() || dtype == DType::Bool);
        // A larger number may be rounded to a whole one, so it does not count.
        let is_fraction = |operand: &Operand| {
            let OperandForm::Const(value @ Const::Float(_)) = &operand.form else { return false };
            let value = value.parts().0;
            value.fract() != 0.0 && value.abs() < WHOLE
        };
        let (value, fraction) = match (is_whole(x) && is_fraction(y), is_whole(y) && is_fraction(x)) {
            (true, _) => (x, y),
            (_, true) => (y, x),
            (false, false) => return,
        };
        let level = self.level(&dtypes::CONSTANT_COMPARISON, *span);
        self.report(report::compared_with_fraction(level, op, value, fraction));
    }
}

/// From here on floats of 32 bits are whole.
const WHOLE: f64 = 8_388_608.0;

fn is_nan(scalar: crate::scalar::Scalar) -> bool {
    scalar.dtype.is_float() && matches!(Interval::of_scalar(scalar), Interval::Float { nan: true, .. })
}
