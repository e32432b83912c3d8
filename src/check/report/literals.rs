//! Literals that no float holds.

use super::dtypes::{LARGEST_F64_TEXT, range};
use super::quoted;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::codes::dtypes;
use crate::source::Span;
use crate::types::DType;

/// How small a float above 0 can be, in words.
const SMALLEST_F64_TEXT: &str = "the smallest f64 above 0 is about 4.9407e-324";

pub(in crate::check) fn infinite_literal(text: &str, suffix: Option<DType>, span: Span) -> Diagnostic {
    let largest = suffix.map_or(LARGEST_F64_TEXT.to_owned(), range);
    Diagnostic::error(&dtypes::INFINITE_LITERAL, span, format!("{} is too large for every float", quoted(text)))
        .label(span, largest)
        .help("for an infinity write `inf`")
}

pub(in crate::check) fn vanishing_literal(text: &str, span: Span) -> Diagnostic {
    let message = format!("{} is too small for f64: it becomes 0", quoted(text));
    Diagnostic::error(&dtypes::LITERAL_OUT_OF_RANGE, span, message).label(span, SMALLEST_F64_TEXT)
}
