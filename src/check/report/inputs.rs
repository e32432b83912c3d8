//! Messages about inputs or the values given for them.

use crate::check::infer::values::annotation::{Annotation, annotation_text};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::codes::{inputs, names};
use crate::source::Span;
use crate::types::affine::Atom;
use crate::types::{DType, Dim, Kind, shape};

/// The longest array that is shown as what to give.
const MAX_SHOWN_LENGTH: u64 = 4;

/// An input without data. `at_prompt` says that it stands in a session, where no command line can give it a value.
pub(in crate::check) fn missing_input(name: &str, ty: &str, annotation: &Annotation, at_prompt: bool) -> Diagnostic {
    let number = match annotation.dtype.map(DType::kind) {
        Some(Kind::Bool) => "true",
        Some(Kind::Unsigned | Kind::Signed) => "3",
        Some(Kind::Float | Kind::Complex) | None => "1.5",
    };
    let ways = match annotation.dims.as_deref() {
        None | Some([]) => format!(" or `{name}={number}`, or a default here, `= {number}`"),
        Some([length]) if length.known().is_none_or(|length| length <= MAX_SHOWN_LENGTH) => {
            let numbers: Vec<&str> = (0..length.known().unwrap_or(1)).map(|_| number).collect();
            format!(" or `{name}=[{}]`", numbers.join(", "))
        }
        Some(_) => String::new(),
    };
    let help = match at_prompt {
        true => format!("a session gives inputs no values: declare it with `let {name} = …`"),
        false => format!("give it on the command line, `{name}=FILE.npy`{ways}"),
    };
    Diagnostic::error(&inputs::MISSING_INPUT, annotation.span, format!("input `{name}` is given no value"))
        .label(annotation.span, format!("{ty} is wanted"))
        .help(help)
}

/// A range that no value lies in: its ends are the wrong way round, or outside of what the dtype holds.
pub(in crate::check) fn empty_range(name: &str, dtype: DType, range: &str, at: Span) -> Diagnostic {
    let message = format!("no value of {dtype} lies in {range}, so `{name}` can have none");
    Diagnostic::error(&names::WRONG_VALUE, at, message)
        .label(at, "nothing lies in it")
        .help("the lower end comes first, and both ends belong to the range")
}

pub(in crate::check) fn declared_twice(word: &str, name: &str, first: Span, span: Span) -> Diagnostic {
    Diagnostic::error(&inputs::DECLARED_TWICE, span, format!("the {word} `{name}` is declared twice"))
        .label(span, "again here")
        .label(first, "declared here already")
        .help(format!("give one of them another name, or leave one out: others know an {word} by its name"))
}

pub(in crate::check) fn input_dtype(
    name: &str,
    declared: DType,
    found: DType,
    annotation: &Annotation,
    at: Span,
) -> Diagnostic {
    Diagnostic::error(
        &inputs::INPUT_DTYPE,
        annotation.span,
        format!("input `{name}` is declared {declared} and given {found}"),
    )
    .label(annotation.span, format!("{declared} is declared"))
    .label(at, format!("this is {found}"))
    .help(format!(
        "data is never converted silently: declare `{name}: {found}…` and write `{declared}({name})` where it is used"
    ))
}

pub(in crate::check) fn no_wide_inputs(name: &str, system: &str, wide: DType, narrow: DType, at: Span) -> Diagnostic {
    Diagnostic::error(&inputs::INPUT_DTYPE, at, format!("input `{name}` is {wide}, and `{system}` has no 64-bit types"))
        .label(at, format!("{wide} here"))
        .help(format!("declare `{name}: {narrow}…` and convert the data before, or choose a system with 64-bit types"))
}

/// Data whose shape is not the one that is declared, by a type that is written as `text`.
pub(in crate::check) fn input_shape(
    name: &str,
    text: &str,
    dims: &[Dim],
    sizes: &[usize],
    annotation: &Annotation,
    at: Span,
) -> Diagnostic {
    let found: Vec<Dim> = sizes.iter().map(|&size| Dim::Const(size as u64)).collect();
    let open = dims.iter().zip(sizes).find(|(dim, _)| dim.known().is_none());
    let (_, lengths) = text.split_once('[').unwrap_or_default();
    let is_named = lengths.contains(char::is_alphabetic) && open.is_none();
    let declared = match is_named {
        true => format!("{text} is declared, by its names {}", shape::show(dims)),
        false => format!("{} is declared", annotation_text(annotation)),
    };
    let diagnostic = another_shape(name, dims, &found, (declared, annotation.span), at);
    let Some((open, size)) = open.filter(|_| dims.len() == sizes.len()) else { return diagnostic };
    let form = open.form();
    diagnostic.help(match form.as_ref().map(|form| form.terms.as_slice()) {
        Some([(Atom::Name(only), _)]) => format!("no length `{only}` makes `{open}` {size}"),
        _ => format!(
            "`{open}` does not say how long its names are: declare above an input that has an axis of each name \
             alone, or write the length as a number"
        ),
    })
}

/// A shape is stated outside of the script that differs from the one in it.
pub(in crate::check) fn stated_shape(
    name: &str,
    dims: &[Dim],
    found: &[Dim],
    annotation: &Annotation,
    at: Span,
) -> Diagnostic {
    let declared = format!("{} is declared", annotation_text(annotation));
    another_shape(name, dims, found, (declared, annotation.span), at)
}

/// A shape that is not the declared one. `declared` is the text of the declaration, and its place.
fn another_shape(name: &str, dims: &[Dim], found: &[Dim], declared: (String, Span), at: Span) -> Diagnostic {
    let shown = |dims: &[Dim]| if dims.is_empty() { "a scalar".to_owned() } else { shape::show(dims) };
    let message = format!("input `{name}` is declared {} and given {}", shown(dims), shown(found));
    Diagnostic::error(&inputs::INPUT_SHAPE, declared.1, message)
        .label(declared.1, declared.0)
        .label(at, format!("this is {}", shown(found)))
}

/// An input whose type says too little. The type stands in the script, or is stated beside it.
pub(in crate::check) fn open_type(name: &str, ty: &str, annotation: &Annotation, is_stated: bool) -> Diagnostic {
    Diagnostic::error(
        &inputs::OPEN_TYPE,
        annotation.span,
        format!("without data the type `{ty}` of `{name}` is not complete"),
    )
    .help(match is_stated {
        true => format!("write the whole type, a dtype and each axis: `{name}:f32[n]`"),
        false => format!("give the type on the command line, `{name}:f32[n]`, to `arr build` by `--at`"),
    })
}

/// A scalar for a shape with a name that no data binds.
pub(in crate::check) fn unknown_size(name: &str, dims: &[Dim], annotation: &Annotation, at: Span) -> Diagnostic {
    let message = format!("one value cannot fill `{name}`: nothing says how large {} is", shape::show(dims));
    Diagnostic::error(&inputs::OPEN_TYPE, annotation.span, message)
        .label(annotation.span, "no data binds its names")
        .label(at, "one value")
        .help(format!("give `{name}` as an array, or write its sizes as numbers"))
}

/// A value for an input that is not there. `ty` is a type that takes it.
pub(in crate::check) fn no_such_input(name: &str, near: Option<&str>, ty: Option<&str>, at: Span) -> Diagnostic {
    let diagnostic = Diagnostic::error(&inputs::NO_SUCH_INPUT, at, format!("the script has no input `{name}`"));
    match near {
        Some(near) => diagnostic.help(format!("it has `{near}`")),
        None => diagnostic.help(format!("declare it in the script: `input {name}: {}`", ty.unwrap_or("f32"))),
    }
}
