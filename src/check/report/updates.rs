//! Findings about variables. There are assignments to names that are none, values that a variable cannot hold, and
//! arrays that a store leaves as they were.

use super::shapes::{SAY_SHAPES, may_agree};
use super::{quoted, with_operand};
use crate::check::infer::values::operand::Operand;
use crate::diagnostic::codes::{Row, dtypes, lints, names, shapes};
use crate::diagnostic::{Diagnostic, Edit, Fix, Level};
use crate::source::Span;
use crate::types::shape::show;
use crate::types::{DType, Kind};

/// One replacement, which may not be what is meant.
fn edit(span: Span, text: &str) -> Fix {
    Fix { edits: vec![Edit { span, text: text.to_owned() }], keeps_values: false }
}

/// Assignment to a name that is no variable; `keyword` is the word `let` of its definition.
pub(in crate::check) fn not_a_variable(
    name: &str,
    span: Span,
    declared: Span,
    keyword: Option<Span>,
    plain: bool,
) -> Diagnostic {
    let message = format!("`{name}` is not a variable and keeps its value");
    let diagnostic = Diagnostic::error(&names::NOT_A_VARIABLE, span, message)
        .label(span, "assigned here")
        .label(declared, if keyword.is_some() { "bound by `let`" } else { "bound here" });
    let diagnostic = match keyword {
        Some(keyword) => {
            // Nothing else can be meant.
            let fix = Fix { keeps_values: true, ..edit(keyword, "var") };
            diagnostic.fix(format!("`var {name} = …` declares a variable"), fix)
        }
        None => diagnostic.help(format!("copy it into a variable first: `var {name} = {name}`")),
    };
    match plain {
        true => diagnostic.help(format!("`let {name} = …` gives the name a new meaning from there on")),
        false => diagnostic,
    }
}

/// Assignment in a step of a loop to a variable outside of it.
pub(in crate::check) fn assigned_in_loop(name: &str, span: Span, declared: Span) -> Diagnostic {
    Diagnostic::error(&names::NOT_A_VARIABLE, span, format!("a step of a loop gives `{name}` no other value"))
        .label(span, "assigned in the body")
        .label(declared, "declared outside of the loop")
        .help(format!("carry it: `with {name} = {name}`, and give its next value on the last line of the body"))
}

/// Assignment to a builtin, a dtype, a dimension.
pub(in crate::check) fn constant_name(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(&names::NOT_A_VARIABLE, span, format!("`{name}` is not a variable and keeps its meaning"))
        .label(span, "assigned here")
        .help("declare a variable of another name: `var total = …`")
}

/// Assignment to a name that nothing defines; `start` is where `let` belongs if a definition is meant.
pub(in crate::check) fn unknown_variable(
    name: &str,
    near: Option<&str>,
    start: Option<Span>,
    span: Span,
) -> Diagnostic {
    let diagnostic = Diagnostic::error(&names::UNKNOWN_NAME, span, format!("there is no variable `{name}`"))
        .label(span, "not found");
    let diagnostic = match near {
        Some(near) => diagnostic.fix(format!("there is `{near}`: is that what is meant?"), edit(span, near)),
        None => diagnostic,
    };
    match start {
        Some(start) => diagnostic.fix(
            format!("`let {name} = …` defines a name, `var {name} = …` one that can be assigned to"),
            edit(start, "let "),
        ),
        None => diagnostic.help(format!("declare it first: `var {name} = …`")),
    }
}

/// A result that a variable's dtype may not take.
pub(in crate::check) fn update_dtype(
    name: &str,
    dtype: DType,
    old: &Operand,
    given: &Operand,
    result: &Operand,
    shown: &str,
    system: &str,
) -> Diagnostic {
    let message = format!("`{name}` stays {dtype}, and `{shown}` gives {} here", result.elem);
    let diagnostic = Diagnostic::error(&dtypes::UPDATE_DTYPE, given.span, message);
    let diagnostic = with_operand(with_operand(diagnostic, given), old);
    let diagnostic = match shown {
        "/=" if dtype.is_integer() => {
            diagnostic.help(format!("`//=` divides integers; or declare `{name}` as a float"))
        }
        _ if dtype.is_integer() && result.elem.kind().is_inexact() => {
            let kind = if result.elem.kind() == Kind::Float { "a float" } else { "complex" };
            let cast = match shown.strip_suffix('=').filter(|op| !op.is_empty()) {
                Some(op) => format!("`{name} = {dtype}({name} {op} …)`"),
                None => format!("`{name} = {dtype}(…)`"),
            };
            // A function changes no variable: it gives another array.
            diagnostic.help(match name.strip_suffix("[…]").filter(|_| !shown.ends_with('=')) {
                Some(array) => format!(
                    "make {} {kind} first, or say what is lost: `{dtype}(…)` around what `{shown}` puts there",
                    quoted(array)
                ),
                None => {
                    let whole = name.split('[').next().unwrap_or_default();
                    format!("declare `{whole}` as {kind}, or say what is lost: {cast}")
                }
            })
        }
        _ if name.contains('[') => diagnostic.help(format!("convert the value with `{dtype}(…)`")),
        _ => diagnostic.help(format!("convert the value with `{dtype}(…)`, or define a new name: `let {name} = …`")),
    };
    diagnostic.note(format!("which results a variable takes is the rule for updates in place of `{system}`"))
}

/// What to write for `y[-k:]`, which is all of `y` where `k` is 0.
fn counted_from_end(part: &str) -> Option<String> {
    let (array, count) = part.strip_suffix(":]")?.split_once("[-")?;
    let is_name = count.starts_with(char::is_alphabetic) && count.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then(|| {
        format!("where `{count}` is 0, `{part}` is all of `{array}`: write `{array}[len({array}) - {count}:]`")
    })
}

/// A result that is larger than the variable.
pub(in crate::check) fn update_shape(name: &str, old: &Operand, result: &Operand, span: Span) -> Diagnostic {
    let words = |operand: &Operand| match operand.shape.as_slice() {
        [] => "a scalar".to_owned(),
        dims => show(dims),
    };
    let message = format!("`{name}` stays {}, and {} does not fit in", words(old), words(result));
    let agrees = may_agree(&old.shape, &result.shape);
    let told = Diagnostic::error(&shapes::UPDATE_SHAPE, span, message)
        .label(span, result.describe())
        .label(old.span, old.describe())
        .help(match name.ends_with(']') {
            true if agrees => SAY_SHAPES.to_owned(),
            true => "a value is repeated to the shape of the part, and never enlarges it".to_owned(),
            false => format!("a variable keeps its shape; a new name may have another: `let {name} = …`"),
        });
    match counted_from_end(name).filter(|_| agrees) {
        Some(help) => told.help(help),
        None => told,
    }
}

/// A result that is rounded or wraps when it is stored.
pub(in crate::check) fn update_loses(
    row: &'static Row,
    level: Level,
    name: &str,
    from: DType,
    to: DType,
    given: &Operand,
    shown: &str,
) -> Diagnostic {
    let message = format!("`{shown}` gives {from}, and `{name}` is {to}, which cannot hold every {from}");
    let diagnostic = Diagnostic::new(row, level, message).label(given.span, given.describe());
    let help = match from.is_complex() && !to.is_complex() {
        true => format!("only the real part is stored: `{to}(real(…))` around the value says that it is meant"),
        false => format!("`{to}(…)` around the value says that it is meant"),
    };
    diagnostic.help(help).note(format!("`arr explain {}`", row.name))
}

/// What does not fit is stored in a variable, which keeps its dtype.
pub(in crate::check) fn of_a_variable(mut found: Diagnostic) -> Diagnostic {
    found.helps.clear();
    found.help("a variable keeps its dtype: declare it in a wider one, or store what fits")
}

/// A variable that begins as another one, or as a part of it, and would be a view of it in NumPy.
pub(in crate::check) struct SharedElsewhere<'t> {
    pub(in crate::check) name: &'t str,
    pub(in crate::check) source: &'t str,
    /// `g[1:3]`, and where that stands.
    pub(in crate::check) written: &'t str,
    pub(in crate::check) part: Span,
    /// A statement that gives the other one the same elements: `g[1:3] = s`.
    pub(in crate::check) back: String,
}

/// A store in one of two variables that share their elements in NumPy. `is_mixed` says that other stores have changed
/// the other one since, which must not be undone. `is_reverse` says that the store is in the source.
pub(in crate::check) fn unchanged_source(
    level: Level,
    shared: &SharedElsewhere,
    (store, is_mixed): (Span, bool),
    is_reverse: bool,
) -> Diagnostic {
    let SharedElsewhere { name, source, written, part, back } = shared;
    let (stays, changed) = if is_reverse { (name, source) } else { (source, name) };
    let found = Diagnostic::new(&lints::UNCHANGED_ARRAY, level, format!("`{stays}` is as it was after this"))
        .label(store, format!("changes `{changed}` alone"))
        .label(*part, format!("a value of its own, no view of `{source}`"));
    let copy = format!("where `{name}` is a copy, say so: `var {name} = {written}.copy()`");
    // A script that changes the source later mostly wants to keep its old value.
    let found = if is_reverse { found.help(copy.as_str()) } else { found };
    let found = if is_mixed {
        found.help(format!("to change `{stays}` too store in `{stays}` itself: other stores have changed it"))
    } else {
        let edit = Edit { span: store.after(), text: format!("\n{back}") };
        let fix = Fix { edits: vec![edit], keeps_values: false };
        found.fix(format!("to change `{stays}` too write `{back}` behind it"), fix)
    };
    if is_reverse { found } else { found.help(copy) }
}
