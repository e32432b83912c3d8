//! Messages about operations over whole lines.

use super::with_operand;
use crate::check::infer::operand::Operand;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::codes::{names, shapes};
use crate::ops::Op;
use crate::source::Span;
use crate::types::Dim;

pub(in crate::check) fn not_a_word(param: &str, found: &str, words: &[&str], at: Span) -> Diagnostic {
    let known: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    Diagnostic::error(&names::WRONG_VALUE, at, format!("`{param}` is one of {}, not {found}", known.join(", ")))
        .label(at, "is none of them")
}

pub(in crate::check) fn not_fractions(q: &Operand) -> Diagnostic {
    let message = format!("`q` is a real number or a vector of them, not {}", q.describe());
    with_operand(Diagnostic::error(&names::WRONG_VALUE, q.span, message), q)
}

pub(in crate::check) fn not_a_vector(op: &Op, param: &str, operand: &Operand) -> Diagnostic {
    let message = format!("`{param}` of `{}` is a vector, not {}", op.name, operand.describe());
    let found = with_operand(Diagnostic::error(&shapes::BAD_AXIS, operand.span, message), operand);
    match operand.shape.len() {
        0 => found.help("a vector of one element is written `[x]`"),
        _ => found.help("`ravel(x)` has all elements along one axis"),
    }
}

pub(in crate::check) fn too_many_wanted(op: &Op, wanted: &Dim, len: &Dim, at: Span) -> Diagnostic {
    let message = format!("`{}` of {wanted} elements, where there are {len}", op.name);
    Diagnostic::error(&names::WRONG_VALUE, at, message).label(at, "as many as the axis is long, at most")
}
