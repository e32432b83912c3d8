//! What ranges prove.

use super::super::operands::Operand;
use super::{cast_fix, labelled, with_operand};
use crate::diagnostic::codes::dtypes;
use crate::diagnostic::{Diagnostic, Fix, Level};
use crate::ops::Op;
use crate::range::{Interval, integers};
use crate::source::Span;
use crate::types::{DType, Elem, Kind};

/// Integers that wrap: `a + b` can reach 8190, and i8 holds at most 127.
#[allow(clippy::too_many_arguments, reason = "everything that the sentence names")]
pub(in crate::check) fn integer_overflow(
    level: Level,
    text: &str,
    shown: &str,
    exact: Interval,
    dtype: DType,
    operands: &[Operand],
    ranges: &[Option<Interval>],
    at: Span,
) -> Diagnostic {
    let (least, most) = integers(dtype);
    let Interval::Integer { low, high } = exact else { unreachable!("integers overflow") };
    let always = low > most || high < least;
    let (reached, limit) = if high > most { (high, most) } else { (low, least) };
    let reached = match reached {
        i128::MAX | i128::MIN => "more than any integer dtype holds".to_owned(),
        value => value.to_string(),
    };
    let holds = if high > most { "at most" } else { "at least" };
    let expression = if text.len() <= 40 && !text.contains('\n') { text } else { shown };
    let message = match always {
        true if low == high => format!("`{expression}` is {reached}, and {dtype} holds {holds} {limit}: it wraps"),
        true => format!("`{expression}` always wraps: it lies in {exact}, and {dtype} holds {holds} {limit}"),
        false => format!("`{expression}` can reach {reached}, and {dtype} holds {holds} {limit}"),
    };
    let diagnostic = Diagnostic::new(&dtypes::INTEGER_OVERFLOW, level, message).label(at, format!("in {exact}"));
    let diagnostic = ranged(diagnostic, operands, ranges);
    let wide = DType::ALL.into_iter().find(|&wide| {
        wide.is_integer()
            && (wide.kind() == dtype.kind() || wide.kind() == Kind::Signed)
            && exact.exists_in(wide)
            && ranges.iter().flatten().all(|range| range.exists_in(wide))
    });
    let casts: Vec<_> =
        operands.iter().filter(|operand| matches!(operand.elem, Elem::Strong(own) if own == dtype)).collect();
    match wide {
        Some(wide) if !casts.is_empty() => {
            let edits = casts.iter().flat_map(|operand| cast_fix(operand, wide, false).edits).collect();
            let fix = Fix { edits, keeps_values: false };
            diagnostic.fix(format!("{wide} holds every result: convert first, `{wide}(…)`"), fix)
        }
        Some(wide) => diagnostic.help(format!("{wide} holds every value")),
        None => diagnostic,
    }
}

/// A comparison that has one answer in the ranges of its operands.
pub(in crate::check) fn decided_comparison(
    level: Level,
    op: &Op,
    truth: bool,
    operands: &[Operand],
    ranges: &[Option<Interval>],
    span: Span,
) -> Diagnostic {
    let message = format!("`{}` is always {truth} here", op.shown());
    ranged(Diagnostic::new(&dtypes::CONSTANT_COMPARISON, level, message).label(span, ""), operands, ranges)
}

/// Each operand with its range, or with its dtype.
fn ranged(diagnostic: Diagnostic, operands: &[Operand], ranges: &[Option<Interval>]) -> Diagnostic {
    operands.iter().zip(ranges).fold(diagnostic, |diagnostic, (operand, range)| match range {
        Some(range) => {
            let words = match range.single() {
                Some(value) => format!("{}, {value}", operand.describe()),
                None => format!("{} in {range}", operand.describe()),
            };
            labelled(diagnostic, operand, words)
        }
        None => with_operand(diagnostic, operand),
    })
}
