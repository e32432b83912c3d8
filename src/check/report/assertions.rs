//! Messages about assertions.

use crate::check::infer::values::operand::Operand;
use crate::diagnostic::codes::dtypes;
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::source::Span;
use crate::syntax::ast::Operator;

/// A condition that is known to be false; both sides of a comparison are shown.
pub(in crate::check) fn assertion_false(span: Span, sides: &[(String, Span)]) -> Diagnostic {
    let diagnostic = Diagnostic::error(&dtypes::ASSERTION_FAILED, span, "this assertion does not hold");
    match sides {
        [] => diagnostic.label(span, "is false"),
        sides => sides.iter().fold(diagnostic, |diagnostic, (text, span)| diagnostic.label(*span, text.clone())),
    }
}

pub(in crate::check) fn assertion_not_bool(operand: &Operand, text: &str) -> Diagnostic {
    let fix = Fix {
        edits: vec![
            Edit { span: Span { end: operand.span.start, ..operand.span }, text: "(".to_owned() },
            Edit { span: operand.span.after(), text: " != 0)".to_owned() },
        ],
        keeps_values: true,
    };
    Diagnostic::error(&dtypes::NOT_BOOL, operand.span, format!("`assert` takes bool, not {}", operand.elem))
        .label(operand.span, operand.describe())
        .fix(format!("write `({text} != 0)`"), fix)
}

/// Two things of compile time that have no order or no equality.
pub(in crate::check) fn not_comparable(op: &Operator, a: &str, a_span: Span, b: &str, b_span: Span) -> Diagnostic {
    Diagnostic::error(&dtypes::NOT_AN_ARRAY, op.span, format!("`{}` cannot compare {a} and {b}", op.notation))
        .label(a_span, a)
        .label(b_span, b)
}
