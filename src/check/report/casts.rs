//! Casts that are called in another way than `f32(x)`.

use super::quoted;
use crate::diagnostic::codes::{dtypes, names};
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::ops::elsewhere::is_atom;
use crate::source::Span;
use crate::types::DType;

/// A cast of no value, or of several: `texts` are the positional arguments as they are written, `named` is the value of
/// the first keyword argument.
pub(in crate::check) fn cast_arguments(dtype: DType, texts: &[&str], named: Option<&str>, span: Span) -> Diagnostic {
    let message = format!("`{dtype}` converts exactly one value");
    let diagnostic = Diagnostic::error(&names::WRONG_ARGUMENTS, span, message);
    diagnostic.help(match (sum_of_parts(texts).filter(|_| dtype.is_complex()), texts, named) {
        (Some(sum), ..) => format!("of a real and an imaginary part write `{dtype}({sum})`"),
        (None, [], None) => format!("write the value in the brackets, as in `{dtype}(1)`"),
        (None, [], Some(value)) => format!("write the value without a name: {}", quoted(&format!("{dtype}({value})"))),
        (None, [value], _) => {
            format!("a conversion takes no keywords: write {}", quoted(&format!("{dtype}({value})")))
        }
        (None, [..], _) => {
            format!("of several values make one array: {}", quoted(&format!("{dtype}([{}])", texts.join(", "))))
        }
    })
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

/// `x.f32()`: a dtype where the name of a function stands. `text` is what stands before the dot, and `alone` says that
/// the call has no arguments.
pub(in crate::check) fn cast_as_method(dtype: DType, text: &str, alone: bool, span: Span, at: Span) -> Diagnostic {
    let cast = format!("{dtype}({text})");
    let found = Diagnostic::error(&names::UNKNOWN_NAME, at, format!("`{dtype}` is a dtype, and no method"))
        .label(at, "a dtype stands before what it converts");
    if !alone {
        return found.help(format!("a conversion takes one value alone: {}", quoted(&cast)));
    }
    found.fix(format!("write {}", quoted(&cast)), Fix { edits: vec![Edit { span, text: cast }], keeps_values: false })
}
