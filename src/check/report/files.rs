//! Files that a script loads.

use crate::check::infer::annotation::Annotation;
use crate::check::infer::value::Value;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::codes::{inputs, names};
use crate::source::Span;
use crate::types::DType;

pub(in crate::check) fn not_a_path(value: &Value, at: Span) -> Diagnostic {
    let what = match value {
        Value::Str(_) => "not the string itself",
        other => other.describe(),
    };
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
