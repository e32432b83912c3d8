//! Messages about operands that a system does not take, with what to write instead.

use super::with_operand;
use crate::check::infer::values::operand::Operand;
use crate::constant::Const;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::codes::dtypes;
use crate::ops::elsewhere::is_atom;
use crate::promotion::{Class, Refusal};
use crate::source::Span;
use crate::types::{DType, Elem, Kind};

pub(in crate::check) fn refusal(
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
            let help = help.or_else(|| kind_refused(class, elem, operands, texts));
            match help.or_else(|| literal_refused(elem, operands, texts, system)) {
                Some(help) => diagnostic.help(help),
                None => diagnostic,
            }
        }
    }
}

/// A dtype that a system does not let an average be computed in.
pub(in crate::check) fn asked_dtype_refused(
    shown: &str,
    dtype: DType,
    operand: &Operand,
    system: &str,
    at: Span,
) -> Diagnostic {
    let message = format!("`{shown}` is not defined for `dtype={dtype}` in `{system}`");
    let diagnostic = Diagnostic::error(&dtypes::UNSUPPORTED_DTYPE, at, message);
    with_operand(diagnostic, operand).help("leave `dtype=` out, or give a float")
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
        (Class::Negation, Kind::Bool) => Some(format!("for bool write `{}`", inverted(first))),
        (Class::FloorDivision | Class::Rounding, Kind::Complex) => {
            Some("take the parts first: `real(z)`, `imag(z)`".to_owned())
        }
        (Class::Mean | Class::Variance | Class::Quantile, Kind::Bool | Kind::Unsigned | Kind::Signed) => {
            Some(format!("this system averages floats only: `{shown}(f32({first}))`"))
        }
        _ => None,
    }
}

/// What to write for a difference with a `bool`: the other side is a number where one side is a mask, and `1 - mask`
/// inverts it.
fn bool_subtracted(operands: &[Operand], texts: &[String]) -> String {
    let is_mask = |operand: &Operand| operand.elem.kind() == Kind::Bool;
    let mask = operands.iter().position(is_mask).and_then(|at| texts.get(at));
    let number = operands.iter().find(|&operand| !is_mask(operand));
    let (Some(mask), Some(number)) = (mask, number) else {
        return "for bool write `^` (exactly one) or `x and not y`".to_owned();
    };
    let default = if number.elem.kind() == Kind::Signed { DType::I64 } else { DType::F32 };
    let dtype = number.elem.strong().unwrap_or(default);
    let one = Const::Int(1.into());
    match operands.first().and_then(Operand::constant) {
        Some(first) if *first == one => {
            format!("to invert a mask write `{}`; to compute with it write `{dtype}({mask})`", inverted(mask))
        }
        _ => format!("to compute with a mask write `{dtype}({mask})`"),
    }
}

/// The inverse of a mask: `not` takes one operand without parentheses, and no `or`.
fn inverted(mask: &str) -> String {
    if is_atom(mask) { format!("not {mask}") } else { format!("not ({mask})") }
}

/// What to write where an operation takes real numbers only, or no `bool`. A number without a dtype and without
/// dimensions may be refused for another reason.
fn kind_refused(class: Class, elem: Elem, operands: &[Operand], texts: &[String]) -> Option<String> {
    let is_it = |operand: &Operand| operand.elem == elem && (!elem.is_weak() || !operand.shape.is_empty());
    let text = texts.get(operands.iter().position(is_it)?)?;
    let is_of_integers = matches!(class, Class::Integral | Class::Bitwise);
    match elem.kind() {
        Kind::Complex if is_of_integers => None,
        Kind::Complex => Some(format!("say which real number is meant: `real({text})` or `abs({text})`")),
        Kind::Bool => {
            let dtype = if is_of_integers { DType::U8 } else { DType::F32 };
            Some(format!("to compute with truths write `{dtype}({text})`"))
        }
        Kind::Unsigned | Kind::Signed | Kind::Float => None,
    }
}

/// What to write where a system takes no number without a dtype.
fn literal_refused(elem: Elem, operands: &[Operand], texts: &[String], system: &str) -> Option<String> {
    let at = operands.iter().position(|operand| elem.is_weak() && operand.elem == elem)?;
    let holds = |dtype: &DType| dtype.kind() >= elem.kind() || elem.kind() == Kind::Signed && dtype.is_integer();
    let strong = operands.iter().find_map(|operand| operand.elem.strong().filter(holds));
    let default = (elem.kind() != Kind::Complex).then_some(DType::F32);
    let (text, dtype) = (&texts[at], strong.or(default)?);
    Some(format!("`{system}` takes no number without a dtype here: `{dtype}({text})` has one"))
}
