//! Constants with another value where they are used, or shifts by too many bits.

use super::possible::{PossibleFinding, Refutation};
use super::{Lint, Pass};
use crate::check::infer::found::facts::{AppliedOp, Expansion};
use crate::check::infer::values::operand::Operand;
use crate::check::report;
use crate::constant::Const;
use crate::diagnostic::Level;
use crate::diagnostic::codes::dtypes;
use crate::ir::{NodeId, NodeKind, Program, View};
use crate::ops::Op;
use crate::promotion::Class;
use crate::range::Interval;
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::DType;

/// The passes over operations.
pub(super) const APPLIED: &[Pass<AppliedOp>] = &[|lint, it| lint.shifted_by_a_range(it)];

impl Lint<'_, '_> {
    /// Reports a literal that is rounded by the float dtype that it meets, is infinite or has few digits there.
    pub(super) fn rounded_literal(&mut self, value: &Const, becomes: Scalar, span: Span) {
        let level = self.level(&dtypes::LOSSY_LITERAL, span);
        self.report(report::lossy_literal(level, value, becomes, span));
    }

    /// Reports a cast of floats to integers that stops at the ends of the dtype, where the floats are constants, or
    /// such numbers in equal steps as `linspace` gives.
    pub(super) fn cast_of_constants(&mut self, (from, to): (NodeId, NodeId), operand: &Operand, span: Span) {
        let program = self.graph.builder.program();
        let (own, dtype) = (program.node(from).dtype, program.node(to).dtype);
        let is_cast = !matches!(program.node(to).kind, NodeKind::Map(Prim::Bitcast, _)) && !operand.is_exact();
        if !is_cast || !own.is_float() || !dtype.is_integer() || !is_in_steps(program, from) {
            return;
        }
        let Interval::Float { low, high, nan: false, .. } = self.interval(from) else { return };
        // A cast cuts the fraction off.
        let exact = Interval::Integer { low: low.trunc() as i128, high: high.trunc() as i128 };
        if !low.is_finite() || !high.is_finite() || exact.exists_in(dtype) {
            return;
        }
        let level = self.set(&dtypes::INTEGER_OVERFLOW);
        if level != Level::Allow {
            let text = self.text(span).to_owned();
            let found = report::cast_stops(level, &text, (low, high), dtype, operand, span);
            let walk = self.walk;
            self.perhaps(PossibleFinding::new(Refutation::Taken(to), span, found, walk));
        }
    }

    /// Reports a shift by a number of bits that the dtype does not have.
    pub(super) fn shift_count(&mut self, op: &'static Op, operands: &[Operand], dtype: DType) {
        let [x, count] = operands else { return };
        let level = self.level(&dtypes::SHIFT_OUT_OF_RANGE, count.span);
        self.report(report::shift_out_of_range(level, op, x, count, dtype));
    }

    /// Reports a shift of a constant by a negative number. A shift by any other number has an exact value.
    pub(super) fn shifted_constant(&mut self, op: &'static Op, operands: &[Operand]) {
        let [x, count] = operands else { return };
        if op.class == Class::Shift && count.constant().is_some_and(|by| by.parts().0 < 0.0) {
            let level = self.level(&dtypes::SHIFT_OUT_OF_RANGE, count.span);
            self.report(report::negative_shift(level, op, x, count));
        }
    }

    /// Reports a shift whose count is always outside the width. A shift to the left is also reported if a stated range
    /// says that its count can be outside, and where a count of 8 or 16 bits alone decides the width, as in `1 << b`. A
    /// shift to the right gives the result of the division that it stands for,
    /// even then.
    fn shifted_by_a_range(&mut self, made: &AppliedOp) {
        let (program, [x, by]) = (self.graph.builder.program(), made.operands.as_slice()) else { return };
        let node = program.node(made.node);
        let (
            NodeKind::Map(prim @ (Prim::Shl | Prim::Shr), [Some(value), Some(count), _]),
            Expansion::Row(..),
            Class::Shift,
        ) = (&node.kind, &made.how, made.op.class)
        else {
            return;
        };
        let (prim, value, count, dtype) = (*prim, *value, *count, node.dtype);
        // Of 0 no bit is lost.
        if matches!(self.graph.ranges.of(program, value).interval, Interval::Integer { low: 0, high: 0 }) {
            return;
        }
        let range = self.graph.ranges.of(program, count);
        let Interval::Integer { low, high } = range.interval else { return };
        let bits = i128::from(dtype.bits());
        let always = low >= bits || high < 0;
        let by_count = x.elem.is_weak() && bits <= 16;
        let may = prim == Prim::Shl && (range.is_stated() || by_count) && (low < 0 || high >= bits);
        let level = self.set(&dtypes::SHIFT_OUT_OF_RANGE);
        if level == Level::Allow || !(always || may) {
            return;
        }
        let text = self.text(by.span).to_owned();
        let mut found = report::shift_by_a_range(level, made.op, by, range.interval, &text, dtype);
        if by_count && !range.is_stated() && !always {
            let one = self.text(x.span);
            found = found.help(format!("`{one}` takes the dtype of the count: `i64({one})` has 64 bits"));
        }
        let walk = self.walk;
        self.perhaps(PossibleFinding::new(Refutation::Below(made.node, count), made.span, found, walk));
    }
}

/// Whether a node is constant, or all of some numbers in equal steps: only constants are added to them, or multiply
/// them. Of some of them the ends are not known.
#[expect(clippy::wildcard_enum_match_arm, reason = "what other nodes give is not in equal steps")]
fn is_in_steps(program: &Program, mut node: NodeId) -> bool {
    let is_constant = |node: NodeId| matches!(program.node(program.below_views(node)).kind, NodeKind::Const(_));
    loop {
        node = match program.node(node).kind {
            NodeKind::Const(_) | NodeKind::Iota { .. } => return true,
            NodeKind::View { arg, view: View::Broadcast | View::Transpose(_) | View::Reshape } => arg,
            NodeKind::View { arg, view: View::Slice(_) }
                if is_constant(arg) || program.node(arg).shape == program.node(node).shape =>
            {
                arg
            }
            NodeKind::Map(Prim::Convert | Prim::Neg, [Some(arg), ..]) => arg,
            NodeKind::Map(Prim::Add | Prim::Sub | Prim::Mul | Prim::Div, [Some(a), Some(b), _])
            | NodeKind::Map(Prim::Select, [_, Some(a), Some(b)]) => match (is_constant(a), is_constant(b)) {
                (true, _) => b,
                (false, true) => a,
                (false, false) => return false,
            },
            _ => return false,
        };
    }
}
