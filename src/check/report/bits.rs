//! Operators on the bits of integers where another was meant.

use super::with_operand;
use crate::check::infer::values::operand::Operand;
use crate::diagnostic::codes::{dtypes, lints};
use crate::diagnostic::{Diagnostic, Edit, Fix, Level};
use crate::ops::Op;
use crate::source::Span;

/// A shift of a constant by a negative number.
pub(in crate::check) fn negative_shift(level: Level, op: &Op, x: &Operand, count: &Operand) -> Diagnostic {
    let message = format!("`{}` by a negative number moves every bit out", op.shown());
    let diagnostic = Diagnostic::new(&dtypes::SHIFT_OUT_OF_RANGE, level, message).label(count.span, "below 0");
    with_operand(diagnostic, x)
}

/// `^` where a power is likely meant; `number` is the operand that shows it, as it is written.
pub(in crate::check) fn xor_as_power(level: Level, number: &str, at: Span) -> Diagnostic {
    let bits: u8 = number.parse().unwrap_or_default();
    let power = Fix { edits: vec![Edit { span: at, text: "**".to_owned() }], keeps_values: false };
    Diagnostic::new(&lints::XOR_AS_POWER, level, "`^` is the exclusive or of bits, and no power")
        .label(at, "compares bits")
        .fix("a power is written `**`", power)
        .help(format!("where bits are meant, write `{bits:#b}` for `{number}`"))
}
