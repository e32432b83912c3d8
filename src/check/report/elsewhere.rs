//! Messages about names of other libraries.

use crate::diagnostic::codes::{inputs, names};
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::ops::elsewhere::{CallForm, Counterpart, ElsewhereRow, is_atom, modules};
use crate::source::Span;
use std::collections::BTreeSet;

/// A name from elsewhere as it is used.
pub(in crate::check) struct ForeignName<'f> {
    pub(in crate::check) row: &'f ElsewhereRow,
    pub(in crate::check) name: &'f str,
    /// The code to write, with the arguments that stand here.
    pub(in crate::check) written: Option<String>,
    /// Whether this text needs no parentheses where it will stand.
    pub(in crate::check) alone: bool,
    /// The call, or the attribute with what it is of.
    pub(in crate::check) span: Span,
    /// The name.
    pub(in crate::check) at: Span,
}

/// What to write for an unknown name by which a constant is known elsewhere.
pub(in crate::check) fn with_constant(diagnostic: Diagnostic, name: &str) -> Diagnostic {
    let advice = match name {
        "e" | "E" => "the base of the natural logarithm is `math.e`, and a power of it `exp(x)`",
        "PI" | "Pi" => "the constant is `pi`",
        "INF" | "INFINITY" => "the constant is `inf`",
        "end" => "the last element is `x[-1]`, and a block ends with `}`",
        "TRUE" | "FALSE" => "truth values are `true` and `false`",
        "euler_gamma" => "the constant is `np.euler_gamma`",
        _ => return diagnostic,
    };
    diagnostic.help(advice)
}

/// The name of a function that is called.
pub(in crate::check) fn foreign_call(foreign: ForeignName) -> Diagnostic {
    let ForeignName { row, name, written, alone, span, at } = foreign;
    let (Counterpart::Code { exact, note, .. }, Some(code)) = (row.becomes, written) else {
        let mut diagnostic = foreign_name(row, name, at);
        if let Counterpart::Code { exact: true, .. } = row.becomes {
            diagnostic.code = &names::WRONG_ARGUMENTS;
            diagnostic.message = format!("`{name}` needs more arguments");
        }
        return diagnostic;
    };
    let diagnostic = undefined(row, name, at);
    let message = format!("write `{code}`{}", remark(note));
    let text = if alone || is_atom(&code) { code } else { format!("({code})") };
    match exact {
        true => diagnostic.fix(message, Fix { edits: vec![Edit { span, text }], keeps_values: true }),
        false => diagnostic.help(message),
    }
}

/// An argument for which no form has a place: its keyword, and how many there are.
pub(in crate::check) fn stray_argument(
    forms: &[CallForm],
    name: &str,
    (keyword, count): (Option<&str>, usize),
    advice: Option<String>,
    at: Span,
) -> Diagnostic {
    let most = forms.iter().map(|form| form.params().count()).max().unwrap_or_default();
    let param = keyword.and_then(|keyword| forms.iter().find_map(|form| form.takes(keyword)));
    let words: Vec<&str> = param.iter().flat_map(|param| forms.iter().filter_map(|form| form.word(param))).collect();
    let message = match (keyword, param) {
        (None, _) if count > most => format!("`{name}` takes at most {most} arguments here, not {count}"),
        (None, _) => format!("`{name}` does not take these arguments together here"),
        (Some(keyword), None) => format!("`{name}` has no parameter `{keyword}` here"),
        (Some(keyword), Some(_)) if words.is_empty() => {
            format!("`{name}` does not take `{keyword}` beside the others here")
        }
        (Some(keyword), Some(_)) => {
            let words: BTreeSet<String> = words.iter().map(|word| format!("`{word}`")).collect();
            let words: Vec<String> = words.into_iter().collect();
            format!("`{keyword}` of `{name}` is {} here, and known before anything runs", words.join(" or "))
        }
    };
    let last = name.rsplit('.').next().unwrap_or(name);
    let ways: Vec<String> = forms.iter().map(|form| format!("`{}`", called(last, form))).take(WAYS).collect();
    let help = advice.unwrap_or_else(|| format!("what is called so here is {}", ways.join(", ")));
    Diagnostic::error(&names::WRONG_ARGUMENTS, at, message).label(at, "not taken here").help(help)
}

/// How many ways to call something are listed.
const WAYS: usize = 4;

/// `polyder(p, m=2)`
fn called(name: &str, form: &CallForm) -> String {
    let params = form.params().map(|(param, optional)| match (form.word(param), optional) {
        (Some(word), _) if matches!(word, "true" | "false") || word.parse::<f64>().is_ok() => format!("{param}={word}"),
        (Some(word), _) => format!("{param}=\"{word}\""),
        (None, true) => format!("{param}=…"),
        (None, false) => param.to_owned(),
    });
    format!("{name}({})", params.collect::<Vec<_>>().join(", "))
}

/// An attribute that arrays have elsewhere.
pub(in crate::check) fn foreign_attribute(foreign: ForeignName) -> Diagnostic {
    let message = format!("arrays have no attribute `{}`", foreign.name);
    let mut diagnostic = foreign_call(foreign);
    diagnostic.code = &names::UNKNOWN_ATTRIBUTE;
    diagnostic.message = message;
    diagnostic
}

/// A method that means something else of PyTorch's tensors.
pub(in crate::check) fn method_of_tensors(name: &str, code: &str, note: &str, at: Span) -> Diagnostic {
    let message = format!("`{name}` of a tensor of PyTorch is not `{name}` of an array");
    Diagnostic::error(&names::UNKNOWN_NAME, at, message)
        .label(at, "it may mean either")
        .help(format!("write `{code}`{}", remark(note)))
}

/// The name alone, or with arguments that the code has no places for.
pub(in crate::check) fn foreign_name(row: &ElsewhereRow, name: &str, at: Span) -> Diagnostic {
    match row.becomes {
        Counterpart::Same(ours) => undefined(row, name, at).help(format!("it is `{ours}`")),
        Counterpart::Code { forms, note, .. } => {
            let own = row.names.iter().find(|own| name.ends_with(*own)).unwrap_or(&name);
            undefined(row, name, at).help(format!("{}{}", shown(own, &forms[0]), remark(note)))
        }
        Counterpart::Missing(sentence) => {
            Diagnostic::error(&inputs::NOT_SUPPORTED, at, format!("`{name}` is not there yet"))
                .label(at, origin(row, name))
                .help(sentence)
        }
        Counterpart::Advice(sentence) => undefined(row, name, at).help(sentence),
    }
}

/// A name with brackets behind it, and the code for both.
pub(in crate::check) fn foreign_brackets(row: &ElsewhereRow, name: &str, code: &str, at: Span) -> Diagnostic {
    undefined(row, name, at).help(format!("write `{code}`"))
}

/// ``write `a[:, None] * b` for `outer(a, b)` ``
fn shown(name: &str, form: &CallForm) -> String {
    match form.params {
        "" => format!("write `{}`", form.plain()),
        _ if form.code.contains('\n') => format!("call it with its arguments, `{name}({})`", form.required_params()),
        _ => format!("write `{}` for `{name}({})`", form.plain(), form.required_params()),
    }
}

fn undefined(row: &ElsewhereRow, name: &str, at: Span) -> Diagnostic {
    Diagnostic::error(&names::UNKNOWN_NAME, at, format!("`{name}` is not defined")).label(at, origin(row, name))
}

/// Whose name it is: that of the module before it, if the row is of this library.
fn origin(row: &ElsewhereRow, name: &str) -> String {
    let module = name.rsplit_once('.').and_then(|(path, _)| modules::find(path));
    let home = module.map(|module| module.home).filter(|home| row.homes.contains(home));
    format!("a name of {}", home.unwrap_or(row.homes[0]).name())
}

/// What to know about the code, behind it.
fn remark(note: &str) -> String {
    if note.is_empty() { String::new() } else { format!(" ({note})") }
}
