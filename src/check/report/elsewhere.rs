//! Names from elsewhere.

use crate::diagnostic::codes::{inputs, names};
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::ops::elsewhere::{Becomes, CallForm, Elsewhere, is_atom};
use crate::source::Span;

/// A name from elsewhere as it is used.
pub(in crate::check) struct ForeignName<'f> {
    pub(in crate::check) row: &'f Elsewhere,
    pub(in crate::check) name: &'f str,
    /// The code to write, with the arguments that stand here.
    pub(in crate::check) written: Option<String>,
    /// Whether that needs no parentheses where it will stand.
    pub(in crate::check) alone: bool,
    /// The call, or the attribute with what it is of.
    pub(in crate::check) span: Span,
    /// The name.
    pub(in crate::check) at: Span,
}

/// The name of a function that is called.
pub(in crate::check) fn foreign_call(foreign: ForeignName) -> Diagnostic {
    let ForeignName { row, name, written, alone, span, at } = foreign;
    let (Becomes::Code { exact, note, .. }, Some(code)) = (row.becomes, written) else {
        return foreign_name(row, name, at);
    };
    let diagnostic = undefined(row, name, at);
    let message = format!("write `{code}`{}", remark(note));
    let text = if alone || is_atom(&code) { code } else { format!("({code})") };
    match exact {
        true => diagnostic.fix(message, Fix { edits: vec![Edit { span, text }], keeps_values: true }),
        false => diagnostic.help(message),
    }
}

/// An attribute that arrays have elsewhere.
pub(in crate::check) fn foreign_attribute(foreign: ForeignName) -> Diagnostic {
    let message = format!("arrays have no attribute `{}`", foreign.name);
    let mut diagnostic = foreign_call(foreign);
    diagnostic.code = &names::UNKNOWN_ATTRIBUTE;
    diagnostic.message = message;
    diagnostic
}

/// The name alone, or with arguments that the code has no places for.
pub(in crate::check) fn foreign_name(row: &Elsewhere, name: &str, at: Span) -> Diagnostic {
    match row.becomes {
        Becomes::Same(ours) => undefined(row, name, at).help(format!("it is `{ours}`")),
        Becomes::Code { forms, note, .. } => {
            let own = row.names.iter().find(|own| name.ends_with(*own)).unwrap_or(&name);
            undefined(row, name, at).help(format!("{}{}", shown(own, &forms[0]), remark(note)))
        }
        Becomes::Missing(sentence) => {
            Diagnostic::error(&inputs::NOT_SUPPORTED, at, format!("`{name}` is not there yet"))
                .label(at, origin(row))
                .help(sentence)
        }
        Becomes::Advice(sentence) => undefined(row, name, at).help(sentence),
    }
}

/// ``write `a[:, None] * b` for `outer(a, b)` ``
fn shown(name: &str, form: &CallForm) -> String {
    match form.params {
        "" => format!("write `{}`", form.plain()),
        _ => format!("write `{}` for `{name}({})`", form.plain(), form.required()),
    }
}

fn undefined(row: &Elsewhere, name: &str, at: Span) -> Diagnostic {
    Diagnostic::error(&names::UNKNOWN_NAME, at, format!("`{name}` is not defined")).label(at, origin(row))
}

fn origin(row: &Elsewhere) -> String {
    format!("a name of {}", row.homes[0].name())
}

/// What to know about the code, behind it.
fn remark(note: &str) -> String {
    if note.is_empty() { String::new() } else { format!(" ({note})") }
}
