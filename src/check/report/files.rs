//! Files that a script loads.

use crate::check::infer::values::annotation::Annotation;
use crate::check::infer::values::value::Value;
use crate::diagnostic::codes::{dtypes, inputs, lints, names};
use crate::diagnostic::{Diagnostic, Level};
use crate::ops::Op;
use crate::source::Span;
use crate::types::DType;

pub(in crate::check) fn not_a_path(value: &Value, at: Span) -> Diagnostic {
    let what = if matches!(value, Value::Str(_)) { "not the string itself" } else { value.describe() };
    Diagnostic::error(&names::WRONG_VALUE, at, "`load` takes the name of a file, written out between quotes")
        .label(at, what)
        .help(
            "write `load(\"data.npy\")`; a file that changes from run to run is an `input`, given on the command line",
        )
}

pub(in crate::check) fn not_read(path: &str, at: Span) -> Diagnostic {
    let message = format!("`load` cannot reach {} from here: nothing read it", path.escape_debug());
    Diagnostic::error(&names::WRONG_VALUE, at, message)
}

pub(in crate::check) fn absent_file(why: &Diagnostic, at: Span) -> Diagnostic {
    why.clone()
        .label(at, "no file, and no type either")
        .help("a type on the left, as in `let x: f32[n] = load(…)`, lets `arr check` go on without the file")
}

pub(in crate::check) fn open_file(path: &str, ty: &str, annotation: &Annotation) -> Diagnostic {
    let message = format!("without the file `{}` the type `{ty}` is not complete", path.escape_debug());
    Diagnostic::error(&inputs::OPEN_TYPE, annotation.span, message)
        .label(annotation.span, "nothing says the rest")
        .help("write the whole type, as in `f32[n]`, or put the file there: its header completes the type")
}

pub(in crate::check) fn no_wide_files(path: &str, system: &str, wide: DType, narrow: DType, at: Span) -> Diagnostic {
    let message = format!("`{}` is {wide}, and `{system}` has no 64-bit types", path.escape_debug());
    Diagnostic::error(&inputs::INPUT_DTYPE, at, message)
        .label(at, format!("{wide} here"))
        .help(format!("convert the file to {narrow}, or choose a system with 64-bit types"))
}

pub(in crate::check) fn words_have_no_order(notation: &str, words: Span, text: Span) -> Diagnostic {
    let message = format!("`{notation}` cannot compare words: their codes are in order of appearance");
    Diagnostic::error(&dtypes::NOT_AN_ARRAY, text, message)
        .label(words, "codes of words")
        .help("words are compared by `==` and `!=`")
}

pub(in crate::check) fn text_means_nothing(text: &str, what: &str, span: Span) -> Diagnostic {
    let example = if what == "date" { "2026-11-22" } else { "2026-11-22T10:00:00" };
    Diagnostic::error(&names::WRONG_VALUE, span, format!("\"{}\" is no {what}", text.escape_debug()))
        .label(span, format!("a {what} is meant here"))
        .help(format!("write it like `\"{example}\"`"))
}

pub(in crate::check) fn no_such_word(level: Level, text: &str, near: Option<&str>, span: Span) -> Diagnostic {
    let message = format!("no element is \"{}\": this comparison is always the same", text.escape_debug());
    let found = Diagnostic::new(&dtypes::CONSTANT_COMPARISON, level, message).label(span, "not among the words");
    match near {
        Some(near) => found.help(format!("did you mean \"{}\"?", near.escape_debug())),
        None => found,
    }
}

pub(in crate::check) fn words_as_numbers(
    level: Level,
    op: &Op,
    orders: bool,
    text: &str,
    words: Span,
    at: Span,
) -> Diagnostic {
    let shown = op.shown();
    let message = match orders {
        true => format!("`{shown}` orders words by their codes, which are in order of appearance"),
        false => {
            format!("`{shown}` takes the codes of words for numbers, and they only count words in order of appearance")
        }
    };
    Diagnostic::new(&lints::WORDS_AS_NUMBERS, level, message)
        .label(at, "")
        .label(words, "words")
        .help(format!("`unique({text})` lists the words; where codes are meant, `i64({text})` says so"))
}
