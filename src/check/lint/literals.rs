//! Literals that have another value where they are used, and shifts by too many bits.

use super::possible::{Possible, Unless};
use super::{Lint, Pass};
use crate::check::infer::facts::{Applied, Expansion};
use crate::check::infer::operand::Operand;
use crate::check::report;
use crate::constant::Const;
use crate::diagnostic::Level;
use crate::diagnostic::codes::dtypes;
use crate::ir::NodeKind;
use crate::ops::Op;
use crate::promotion::Class;
use crate::range::Interval;
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::DType;

/// The passes over operations.
pub(super) const APPLIED: &[Pass<Applied>] = &[|lint, it| lint.shifted_by_a_range(it)];

impl Lint<'_, '_> {
    /// Reports a literal that is rounded by the float dtype that it meets, is infinite or has few digits there.
    pub(super) fn rounded(&mut self, value: &Const, becomes: Scalar, span: Span) {
        let level = self.level(&dtypes::LOSSY_LITERAL, span);
        self.report(report::lossy_literal(level, value, becomes, span));
    }

    /// Reports a shift by a number of bits that the dtype does not have.
    pub(super) fn shifted(&mut self, op: &'static Op, operands: &[Operand], dtype: DType) {
        let [x, count] = operands else { return };
        let level = self.level(&dtypes::SHIFT_OUT_OF_RANGE, count.span);
        self.report(report::shift_out_of_range(level, op, x, count, dtype));
    }

    /// Reports a shift whose count is always outside the width. A shift to the left is also reported if a stated range
    /// says that its count can be outside. A shift to the right gives the result of the division that it stands for,
    /// even then.
    fn shifted_by_a_range(&mut self, made: &Applied) {
        let (program, [_, by]) = (self.graph.builder.program(), made.operands.as_slice()) else { return };
        let node = program.node(made.node);
        let (NodeKind::Map(prim @ (Prim::Shl | Prim::Shr), [_, Some(count), _]), Expansion::Row(..), Class::Shift) =
            (&node.kind, &made.how, made.op.class)
        else {
            return;
        };
        let (prim, count, dtype) = (*prim, *count, node.dtype);
        let range = self.graph.ranges.of(program, count);
        let Interval::Integer { low, high } = range.interval else { return };
        let bits = i128::from(dtype.bits());
        let always = low >= bits || high < 0;
        let may = prim == Prim::Shl && range.is_stated() && (low < 0 || high >= bits);
        let level = self.set(&dtypes::SHIFT_OUT_OF_RANGE);
        if level == Level::Allow || !(always || may) {
            return;
        }
        let text = self.text(by.span).to_owned();
        let found = report::shift_by_a_range(level, made.op, by, range.interval, &text, dtype);
        let walk = self.walk;
        self.perhaps(Possible::new(Unless::Below(made.node, count), made.span, found, walk));
    }
}
