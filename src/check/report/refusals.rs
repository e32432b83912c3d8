//! Operands that a system does not take, and what to write instead.

use super::with_operand;
use crate::check::infer::operand::Operand;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::codes::dtypes;
use crate::promotion::{Class, Refusal};
use crate::source::Span;
use crate::types::{DType, Elem, Kind};

pub(in crate::check) fn refused(
    refusal: Refusal,
    class: Class,
    shown: &str,
    operands: &[Operand],
    texts: &[String],
    system: &str,
    at: Span,
) -> Diagnostic {
    match refusal {
        Refusal::NoJoin(left, right) => {
            let message = format!("{left} and {right} have no common dtype in `{system}`");
            let diagnostic = Diagnostic::error(&dtypes::NO_COMMON_DTYPE, at, message).label(at, "no common dtype");
            operands.iter().fold(diagnostic, with_operand).help("cast one operand to the dtype of the other")
        }
        Refusal::Unsupported(elem) => {
            let message = format!("`{shown}` is not defined for {elem}");
            let diagnostic = Diagnostic::error(&dtypes::UNSUPPORTED_DTYPE, at, message);
            let diagnostic = operands.iter().fold(diagnostic, with_operand);
            let help = unsupported_help(class, shown, elem, operands, texts);
            match help.or_else(|| literal_refused(elem, operands, texts, system)) {
                Some(help) => diagnostic.help(help),
                None => diagnostic,
            }
        }
    }
}

/// What to write where an operation is not defined: the likely mistake first.
fn unsupported_help(class: Class, shown: &str, elem: Elem, operands: &[Operand], texts: &[String]) -> Option<String> {
    let first = texts.first().map_or("x", String::as_str);
    match (class, elem.kind()) {
        (Class::Bitwise, Kind::Float | Kind::Complex) => Some(match shown {
            "^" => "a power is written `**`".to_owned(),
            "&" => "to combine conditions write `and`; comparisons bind more loosely than `&`".to_owned(),
            "|" => "to combine conditions write `or`; comparisons bind more loosely than `|`".to_owned(),
            _ => "bits are those of integers; `u32(x)` converts".to_owned(),
        }),
        (Class::Shift, _) => Some("shifts move the bits of integers; times a power of two is `* 2**n`".to_owned()),
        (Class::Subtraction, Kind::Bool) => Some(bool_subtracted(operands, texts)),
        (Class::ArgIndex, Kind::Bool) => Some(format!("this system orders no bool: `{shown}(u8({first}))`")),
        (Class::Negation, Kind::Bool) => Some(format!("for bool write `not {first}`")),
        (Class::FloorDivision | Class::Rounding, Kind::Complex) => {
            Some("take the parts first: `real(z)`, `imag(z)`".to_owned())
        }
        (Class::Mean | Class::Variance | Class::Quantile, Kind::Bool | Kind::Unsigned | Kind::Signed) => {
            Some(format!("this system averages floats only: `{shown}(f32({first}))`"))
        }
        _ => None,
    }
}

/// What to write for a difference with a `bool`: the other side is a number where one side is a mask.
fn bool_subtracted(operands: &[Operand], texts: &[String]) -> String {
    let is_mask = |operand: &Operand| operand.elem.kind() == Kind::Bool;
    let mask = operands.iter().position(is_mask).and_then(|at| texts.get(at));
    let number = operands.iter().find(|&operand| !is_mask(operand));
    let (Some(mask), Some(number)) = (mask, number) else {
        return "for bool write `^` (exactly one) or `x and not y`".to_owned();
    };
    let default = if number.elem.kind() == Kind::Signed { DType::I64 } else { DType::F32 };
    let dtype = number.elem.strong().unwrap_or(default);
    format!("to invert a mask write `not {mask}`; to compute with it write `{dtype}({mask})`")
}

/// What to write where a system takes no number without a dtype.
fn literal_refused(elem: Elem, operands: &[Operand], texts: &[String], system: &str) -> Option<String> {
    let at = operands.iter().position(|operand| elem.is_weak() && operand.elem == elem)?;
    let holds = |dtype: &DType| dtype.kind() >= elem.kind() || elem.kind() == Kind::Signed && dtype.is_integer();
    let strong = operands.iter().find_map(|operand| operand.elem.strong().filter(holds));
    let (text, dtype) = (&texts[at], strong.unwrap_or(DType::F32));
    Some(format!("`{system}` takes no number without a dtype here: `{dtype}({text})` has one"))
}
