//! Casts that are called in another way than `f32(x)`.

use super::quoted;
use crate::diagnostic::codes::{dtypes, names};
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::ops::elsewhere::is_atom;
use crate::source::Span;
use crate::types::DType;

/// A cast of no value, or of several: `texts` are the positional arguments as they are written.
pub(in crate::check) fn cast_arguments(dtype: DType, texts: &[&str], span: Span) -> Diagnostic {
    let message = format!("`{dtype}` converts exactly one value");
    let diagnostic = Diagnostic::error(&names::WRONG_ARGUMENTS, span, message);
    match sum_of_parts(texts).filter(|_| dtype.is_complex()) {
        Some(sum) => diagnostic.help(format!("of a real and an imaginary part write `{dtype}({sum})`")),
        None => diagnostic.help(format!("write `{dtype}(x)`")),
    }
}

/// `complex(re, im)`
pub(in crate::check) fn complex_of_parts(texts: &[&str], at: Span) -> Diagnostic {
    let sum = sum_of_parts(texts).unwrap_or_else(|| "x + y*1j".to_owned());
    Diagnostic::error(&dtypes::UNKNOWN_DTYPE, at, "`complex` is not a dtype here")
        .label(at, "makes a number of two parts elsewhere")
        .help(format!("write `{sum}`, or `c128({sum})` to say how many bits"))
}

/// A complex number of its two parts, `1 + 2*1j`.
fn sum_of_parts(texts: &[&str]) -> Option<String> {
    let [real, imaginary] = texts else { return None };
    let factor = |text: &str| if is_atom(text) { text.to_owned() } else { format!("({text})") };
    let sum = format!("{} + {}*1j", factor(real), factor(imaginary));
    Some(if sum.chars().count() <= 60 && !sum.contains('\n') { sum } else { "x + y*1j".to_owned() })
}

/// `x.f32()`: a dtype where the name of a function stands. `text` is what stands before the dot.
pub(in crate::check) fn cast_as_method(dtype: DType, text: &str, span: Span, at: Span) -> Diagnostic {
    let cast = format!("{dtype}({text})");
    Diagnostic::error(&names::UNKNOWN_NAME, at, format!("`{dtype}` is a dtype, and no method"))
        .label(at, "a dtype stands before what it converts")
        .fix(format!("write {}", quoted(&cast)), Fix { edits: vec![Edit { span, text: cast }], keeps_values: false })
}
