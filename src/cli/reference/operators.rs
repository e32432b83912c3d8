//! Operators by precedence, each with what it gives.

use crate::ops::{self, Form, Notation, Op, Role};
use crate::promotion::systems;
use crate::promotion::{self, Class, Operand};
use crate::types::DType;
use std::fmt::Write;

/// Operators, those that bind most loosely first, each with what is to be said.
const BY_PRECEDENCE: &[(Notation, &str)] = &[
    (Notation::Infix("or"), "takes `bool`, element by element"),
    (Notation::Infix("and"), "takes `bool`, element by element"),
    (Notation::Prefix("not"), "takes `bool`"),
    (Notation::Infix("=="), "comparisons chain: `0 <= x < 1`"),
    (Notation::Infix("!="), ""),
    (Notation::Infix("<"), ""),
    (Notation::Infix("<="), ""),
    (Notation::Infix(">"), ""),
    (Notation::Infix(">="), ""),
    (Notation::Infix("|"), ""),
    (Notation::Infix("^"), "exclusive or; a power is `**`"),
    (Notation::Infix("&"), ""),
    (Notation::Infix("<<"), ""),
    (Notation::Infix(">>"), ""),
    (Notation::Infix("+"), ""),
    (Notation::Infix("-"), ""),
    (Notation::Infix("*"), ""),
    (Notation::Infix("/"), ""),
    (Notation::Infix("//"), "rounds down"),
    (Notation::Infix("%"), "has the sign of the divisor"),
    (Notation::Infix("@"), "matrices and vectors; axes before the last two broadcast"),
    (Notation::Prefix("-"), ""),
    (Notation::Prefix("+"), ""),
    (Notation::Prefix("~"), ""),
    (Notation::Infix("**"), "`-x**2` is `-(x**2)`, and `2.0**-1` needs no parentheses"),
];

/// Dtypes whose results stand in the tables.
pub(super) const SAMPLES: [DType; 5] = [DType::Bool, DType::U8, DType::I32, DType::F32, DType::C64];

pub(super) fn chapter() -> String {
    let mut text = include_str!("operators.md").to_owned();
    text += "| operator | class | `bool` | `u8` | `i32` | `f32` | `c64` | |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n";
    for &(notation, remark) in BY_PRECEDENCE {
        let Some(op) = ops::find_notation(notation) else { continue };
        let mut results = results(op);
        if op.class == Class::Logical {
            // As operators they take bool alone; the builtins take anything.
            results[1..].fill("–".to_owned());
        }
        let usage = op.usage().replace('|', "\\|");
        let _ =
            writeln!(text, "| `{usage}` | {} | {} | {} |", class(op), results.join(" | "), remark.replace('|', "\\|"));
    }
    text.push('\n');
    text += include_str!("precedence.md");
    text
}

/// What a row gives for operands of one dtype, for each of the samples.
pub(super) fn results(op: &Op) -> Vec<String> {
    let operands =
        op.params.iter().filter(|param| matches!(param.role, Role::Operand | Role::Optional(_) | Role::Arrays)).count();
    let of = |dtype: DType| {
        if !op.domain.contains(&dtype.kind()) {
            return None;
        }
        let operands = vec![Operand::array(dtype.into()); operands.max(1)];
        promotion::result(systems::default(), op, &operands).ok().map(|decision| format!("`{}`", decision.result))
    };
    SAMPLES.into_iter().map(|dtype| of(dtype).unwrap_or_else(|| "–".to_owned())).collect()
}

/// The promotion class; none where a dtype is an argument.
pub(super) fn class(op: &Op) -> String {
    if matches!(op.form, Form::Cast(_) | Form::Load(_) | Form::Written(_) | Form::Question(_)) {
        "–".to_owned()
    } else {
        format!("{:?}", op.class)
    }
}
