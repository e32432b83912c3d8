//! Comparisons that have one answer. Ranges decide some; others compare with NaN or with a fraction.

use super::{Lint, Pass};
use crate::check::infer::found::facts::{AppliedOp, Expansion};
use crate::check::infer::found::walk_cause::WalkId;
use crate::check::infer::values::operand::{Operand, OperandForm};
use crate::check::report;
use crate::constant::Const;
use crate::diagnostic::Level;
use crate::diagnostic::codes::dtypes;
use crate::ir::NodeKind;
use crate::ops::{Form, Op};
use crate::promotion::Class;
use crate::range::{self, Interval};
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::DType;

/// The passes over operations.
pub(super) const APPLIED: &[Pass<AppliedOp>] = &[
    |lint, it| lint.compared_with_nan(it),
    |lint, it| lint.compared_with_fraction(it),
    |lint, it| lint.decided(it),
    |lint, it| lint.decided_by_float(it),
];

impl Lint<'_, '_> {
    /// Reports an integer that is compared with a dtype that cannot hold it.
    pub(super) fn outside(&mut self, op: &'static Op, operand: &Operand, other: &Operand, dtype: DType, span: Span) {
        let level = self.level(&dtypes::CONSTANT_COMPARISON, span);
        self.report(report::constant_comparison(level, op, operand, other, dtype, span));
    }

    /// Reports a comparison of integers that ranges decide.
    fn decided(&mut self, applied: &AppliedOp) {
        let AppliedOp { op, operands, node, span, how: Expansion::Compared, .. } = applied else { return };
        let (node, span) = (*node, *span);
        let allowed = self.set(&dtypes::CONSTANT_COMPARISON) == Level::Allow;
        if allowed
            || self.are_known(operands)
            || !matches!(self.graph.builder.program().node(node).kind, NodeKind::Map(..))
        {
            return;
        }
        let range = self.graph.ranges.of(self.graph.builder.program(), node);
        let Some(truth) = range.interval.single().filter(|_| !range.of_data) else { return };
        let ranges = self.intervals(operands);
        let level = self.level(&dtypes::CONSTANT_COMPARISON, span);
        self.report(report::decided_comparison(level, op, truth != 0, operands, &ranges, span));
    }

    /// Whether all operands are constants.
    fn are_known(&self, operands: &[Operand]) -> bool {
        operands.iter().all(|operand| match operand.form {
            OperandForm::Node(node, _) => self.graph.builder.as_constant(node).is_some(),
            OperandForm::Const(_) | OperandForm::Literal(_) => true,
        })
    }

    /// Reports comparisons of integers with a float that have the same answer for all of the integers, in the dtype in
    /// which they meet.
    /// A function may be written for floats and called with integers too, so its body is left alone.
    fn decided_by_float(&mut self, applied: &AppliedOp) {
        let AppliedOp { op, operands, node, span, how: Expansion::Row(..), .. } = applied else { return };
        let (node, span) = (*node, *span);
        let [x, y] = operands.as_slice() else { return };
        if !matches!(op.form, Form::Compare(_)) {
            return;
        }
        let (value, float) = match (is_whole(x) && is_float(y), is_whole(y) && is_float(x)) {
            (true, _) => (x, y),
            (_, true) => (y, x),
            (false, false) => return,
        };
        // No integer equals a fraction, which is reported in words of its own.
        let is_told = op.class == Class::Equality && is_fraction(float);
        let allowed = self.set(&dtypes::CONSTANT_COMPARISON) == Level::Allow;
        if is_told || allowed || self.walk != WalkId(0) || self.are_known(std::slice::from_ref(value)) {
            return;
        }
        let program = self.graph.builder.program();
        // `!=` is `==` turned around.
        let equal =
            if let NodeKind::Map(Prim::Not, [Some(equal), ..]) = program.node(node).kind { equal } else { node };
        let NodeKind::Map(prim, [Some(a), Some(b), _]) = program.node(equal).kind else { return };
        let a = self.graph.ranges.of(program, a);
        let b = self.graph.ranges.of(program, b);
        let Some(truth) = decided_by_ends(prim, a.interval, b.interval) else { return };
        if a.of_data || b.of_data {
            return;
        }
        let truth = truth == (equal == node);
        let ranges = self.intervals(operands);
        let level = self.level(&dtypes::CONSTANT_COMPARISON, span);
        self.report(report::decided_comparison(level, op, truth, operands, &ranges, span));
    }

    /// Reports a comparison with NaN, which differs from everything and is neither above nor below anything.
    fn compared_with_nan(&mut self, applied: &AppliedOp) {
        let AppliedOp { op, operands, span, .. } = applied;
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
    fn compared_with_fraction(&mut self, applied: &AppliedOp) {
        let AppliedOp { op, operands, span, .. } = applied;
        let [x, y] = operands.as_slice() else { return };
        if op.class != Class::Equality {
            return;
        }
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

/// Whether an operand holds integers or truth values.
fn is_whole(operand: &Operand) -> bool {
    operand.elem.strong().is_some_and(|dtype| dtype.is_integer() || dtype == DType::Bool)
}

/// Whether an operand is a float literal, or made of literals.
fn is_float(operand: &Operand) -> bool {
    matches!(operand.form, OperandForm::Const(Const::Float(_)))
}

/// Whether an operand is a float literal with a fraction. A larger number may be rounded to a whole one, so it does not
/// count.
fn is_fraction(operand: &Operand) -> bool {
    let OperandForm::Const(value @ Const::Float(_)) = &operand.form else { return false };
    let value = value.parts().0;
    value.fract() != 0.0 && value.abs() < WHOLE
}

/// The answer of a comparison of floats, if their ranges leave only one.
fn decided_by_ends(prim: Prim, a: Interval, b: Interval) -> Option<bool> {
    let Interval::Float { low: a_low, high: a_high, nan: false, .. } = a else { return None };
    let Interval::Float { low: b_low, high: b_high, nan: false, .. } = b else { return None };
    range::decide(prim, (a_low, a_high), (b_low, b_high))
}

fn is_nan(scalar: crate::scalar::Scalar) -> bool {
    scalar.dtype.is_float() && matches!(Interval::of_scalar(scalar), Interval::Float { nan: true, .. })
}
