//! `^` between integers of which a power is more likely meant.

use super::{Lint, Pass};
use crate::check::infer::facts::Applied;
use crate::check::infer::operand::Operand;
use crate::check::report;
use crate::diagnostic::codes::lints;
use crate::source::Span;

/// The passes over operations.
pub(super) const APPLIED: &[Pass<Applied>] = &[|lint, it| lint.xor_as_power(&it.operands, it.at)];

impl Lint<'_, '_> {
    /// Reports `2 ^ n`, `10 ^ n`, `x ^ 2` and `x ^ 3` of integers. A number in binary, octal or hexadecimal digits says
    /// that bits are meant.
    pub(super) fn xor_as_power(&mut self, operands: &[Operand], at: Span) {
        let [x, y] = operands else { return };
        if self.text(at) != "^" || !is_integer(x) || !is_integer(y) {
            return;
        }
        let (left, right) = (self.text(x.span), self.text(y.span));
        let number = match () {
            () if matches!(left, "2" | "10") && !is_of_bits(right) => left,
            () if matches!(right, "2" | "3") && !is_of_bits(left) => right,
            () => return,
        };
        let level = self.level(&lints::XOR_AS_POWER, at);
        self.report(report::xor_as_power(level, number, at));
    }
}

fn is_integer(operand: &Operand) -> bool {
    operand.elem.kind().is_integer()
}

/// Whether a text is a number in binary, octal or hexadecimal digits.
fn is_of_bits(text: &str) -> bool {
    let prefix = text.get(..2).unwrap_or_default();
    matches!(prefix, "0b" | "0B" | "0o" | "0O" | "0x" | "0X")
}
