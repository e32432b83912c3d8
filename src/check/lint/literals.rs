//! Literals that are not themselves where they are used.

use super::Lint;
use crate::check::infer::operand::Operand;
use crate::check::report;
use crate::constant::Const;
use crate::diagnostic::codes::dtypes;
use crate::ops::Op;
use crate::scalar::Scalar;
use crate::source::Span;
use crate::types::DType;

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
}
