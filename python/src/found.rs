//! What was found, for Python: drawn as text with and without colours, and in parts.

use arrlang::diagnostic::render::{Style, render_to_string};
use arrlang::diagnostic::{Diagnostic, Diagnostics, Outcome, codes, machine};
use arrlang::session::{CallError, Callable, CheckErrors};
use arrlang::source::{Sources, Span};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyList};
use serde_json::Value;

/// What the library calls the texts of types, and what they are here.
const TYPES: [&str; 2] = ["the command line", "the types"];

/// A diagnostic as its fields, a text, and the text with colours.
pub(crate) type Parts = (Fields, String, String);

/// The parts of each diagnostic.
pub(crate) fn parts(diagnostics: &Diagnostics, sources: &Sources) -> Vec<Parts> {
    let draw = |one: &Diagnostic, color: bool| own(&render_to_string([one], sources, &Style { color, width: 0 }));
    let fields =
        |one: &Diagnostic| Fields(in_characters(machine::json([one], sources)["diagnostics"][0].take(), one, sources));
    let named = diagnostics.iter().map(|one| in_python(one, sources));
    named.map(|one| (fields(&one), draw(&one, false), draw(&one, true))).collect()
}

/// Advice of the library that is about its command, and the advice that stands for it here. The last rows are words
/// within advice.
const ADVICE: [(&str, &str); 11] = [
    (
        "files are bound on the command line, `x=data.npy` or `x=table.csv:column`, or read by `load(\"data.npy\")`",
        "read the file in Python, as `np.load(\"data.npy\")` does, and give the array; or write `load(\"data.npy\")`",
    ),
    (
        "a script writes no files: name the result, `output y = …`, and say where on the command line: `-o y=y.npy`",
        "a text writes no files: save what the call gives, `np.save(\"y.npy\", y)`",
    ),
    ("a column of a file is bound on the command line, `x=table.csv:column`", "give the column as an array"),
    ("and bound on the command line", "and given to the call"),
    (", and `--format json` gives all elements", ""),
    (
        "`arr bench FILE` measures a script, `:time EXPR` an expression in the REPL",
        "the module `timeit` measures a call, `%timeit` one in a notebook",
    ),
    ("`:plot x` draws in the REPL", "nothing is drawn: return the array, and draw it in Python"),
    ("given on the command line", "given to the call"),
    ("on the command line", "in the call"),
    ("`arr check`", "`check`"),
    ("`arr explain`", "`explain`"),
];

fn own(text: &str) -> String {
    text.replace(TYPES[0], TYPES[1])
}

/// What a machine gets of a diagnostic, as dictionaries, lists, numbers and texts of Python.
pub(crate) struct Fields(Value);

impl<'py> IntoPyObject<'py> for Fields {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self.0 {
            Value::Null => py.None().into_bound(py),
            Value::Bool(value) => PyBool::new(py, value).to_owned().into_any(),
            Value::Number(value) => match value.as_i64() {
                Some(whole) => whole.into_pyobject(py)?.into_any(),
                None => value.as_f64().into_pyobject(py)?,
            },
            Value::String(text) => own(&text).into_pyobject(py)?.into_any(),
            Value::Array(list) => PyList::new(py, list.into_iter().map(Fields))?.into_any(),
            Value::Object(fields) => {
                let made = PyDict::new(py);
                for (name, value) in fields {
                    made.set_item(name, Fields(value))?;
                }
                made.into_any()
            }
        })
    }
}

/// The places of a diagnostic in characters, as Python counts, and not in bytes.
fn in_characters(mut data: Value, one: &Diagnostic, sources: &Sources) -> Value {
    let recount = |place: &mut Value, span: Span| {
        let text = if (span.source.0 as usize) < sources.len() { sources.get(span.source).text.as_ref() } else { "" };
        for end in ["start", "end"] {
            let Some(at) = place.get(end).and_then(Value::as_u64).filter(|_| !text.is_ascii()) else { continue };
            place[end] = text[..text.floor_char_boundary(at as usize)].chars().count().into();
        }
    };
    if let Some(span) = one.span() {
        recount(&mut data["span"], span);
    }
    for (help, place) in one.helps.iter().zip(data["help"].as_array_mut().into_iter().flatten()) {
        let edits = help.fix.iter().flat_map(|fix| &fix.edits);
        for (edit, place) in
            edits.zip(place.pointer_mut("/fix/edits").and_then(Value::as_array_mut).into_iter().flatten())
        {
            recount(place, edit.span);
        }
    }
    data
}

/// A diagnostic whose advice is about calls of Python, where the library's own is about the command.
fn in_python(found: &Diagnostic, sources: &Sources) -> Diagnostic {
    let mut found = found.clone();
    // Whether it is about a type that the text does not say itself.
    let is_given = found
        .span()
        .is_some_and(|span| (span.source.0 as usize) < sources.len() && sources.get(span.source).name == TYPES[0]);
    for help in &mut found.helps {
        let outside = ["give it a value on the command line: `", "give it a type on the command line: `"];
        if let Some(rest) = outside.iter().find_map(|words| help.text.strip_prefix(words)) {
            let name = rest.split(['=', ':']).next().unwrap_or(rest);
            help.text =
                format!("give it a value, `evaluate(…, {name}=1.5)`, or a type, `compile(…, {name}=\"f32[n]\")`");
        } else if let Some(rest) = help.text.strip_prefix("give the type on the command line, `") {
            let name = rest.split(':').next().unwrap_or(rest);
            help.text = format!("give a whole type, `compile(…, {name}=\"f32[n]\")`, or an array");
        } else if help.text.starts_with("`--allow-read ") {
            help.text = "read it in Python, and give the array".to_owned();
        } else if let Some(text) = declared_elsewhere(&help.text).filter(|_| is_given) {
            help.text = text;
        }
    }
    let labels = found.labels.iter_mut().map(|label| &mut label.message);
    let helps = found.helps.iter_mut().map(|help| &mut help.text);
    for text in labels.chain(helps).chain(&mut found.notes).chain([&mut found.message]) {
        *text = told(text);
    }
    found
}

/// Advice to declare an input otherwise, where its type is an argument or an annotation.
fn declared_elsewhere(text: &str) -> Option<String> {
    let (before, rest) = text.split_once("declare `")?;
    let (name, rest) = rest.split_once(": ")?;
    let (kind, after) = rest.split_once('`')?;
    Some(format!("{before}give the type `{kind}` for `{name}`{after}"))
}

/// A sentence in which functions of the package stand for commands.
fn told(text: &str) -> String {
    let text = ADVICE.iter().fold(text.to_owned(), |text, (command, here)| text.replace(command, here));
    match text.split_once("`arr explain ").and_then(|(before, rest)| Some((before, rest.split_once('`')?))) {
        Some((before, (name, after))) => format!("{before}`arr.explain(\"{name}\")`{after}"),
        None => text,
    }
}

/// The exception for what was refused; `running` tells data from the text.
pub(crate) fn raised(py: Python<'_>, refused: &CheckErrors, running: bool) -> PyErr {
    let parts = parts(&refused.diagnostics, &refused.sources);
    let exit = match refused.outcome {
        Outcome::Done => 0,
        Outcome::Refused => 1,
        Outcome::Misused => 2,
        Outcome::Unreachable => 3,
        Outcome::Broken => 101,
        Outcome::Interrupted => 130,
    };
    let made = py.import("arrlang._found").and_then(|module| module.getattr("raised")?.call1((parts, running, exit)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// The exception for a text that was refused, of a caller who has some of its names for what is no array:
/// `(name, what it is)`.
pub(crate) fn refused(py: Python<'_>, mut refused: CheckErrors, others: &[(String, String)]) -> PyErr {
    let mut told = Diagnostics::new();
    for one in refused.diagnostics.iter() {
        let mut one = one.clone();
        let text =
            one.span().filter(|_| one.code.id == codes::names::UNKNOWN_NAME.id).map(|span| refused.sources.text(span));
        if let Some((name, what)) = others.iter().find(|(name, _)| Some(name.as_str()) == text) {
            one.message = format!("`{name}` is {what}, and neither an array nor a number");
            one.helps.retain(|help| help.fix.is_some());
        }
        told.push(one);
    }
    refused.diagnostics = told;
    raised(py, &refused, false)
}

/// An error about a value, which says the name of it.
pub(crate) fn about(py: Python<'_>, name: &str, error: PyErr) -> PyErr {
    let kinds = [py.get_type::<PyTypeError>(), py.get_type::<PyValueError>(), py.get_type::<PyOverflowError>()];
    let kind = error.get_type(py);
    if name.is_empty() || !kinds.iter().any(|own| own.is(&kind)) {
        return error;
    }
    let text = error.value(py).str().map(|text| text.to_string()).unwrap_or_default();
    PyErr::from_type(kind, format!("{name}: {text}"))
}

/// The exception for a call that gave nothing. Memory for results is looked at before.
pub(crate) fn failed(py: Python<'_>, error: CallError) -> PyErr {
    match error {
        CallError::Refused(refused) => raised(py, &refused, true),
        CallError::Misfit { result } => PyValueError::new_err(misfit(result, None)),
    }
}

/// What is wrong with memory for a result, with its own shape and the one that is wanted.
pub(crate) fn misfit(result: usize, shapes: Option<(String, String)>) -> String {
    let which = if result == 0 { "the result".to_owned() } else { format!("result {result}") };
    match shapes {
        Some((own, wanted)) => format!("`out` has the shape {own}, and {which} {wanted}"),
        None => format!("`out` has another shape than {which}"),
    }
}

/// What is warned of in every call of a text, drawn once.
pub(crate) struct Warnings(PyOnceLock<Py<PyAny>>);

impl Warnings {
    /// Not drawn yet.
    pub(crate) const fn new() -> Warnings {
        Warnings(PyOnceLock::new())
    }

    /// The diagnostics that are no errors; `None` where nothing was found.
    pub(crate) fn list<'py>(&self, py: Python<'py>, of: &Callable) -> PyResult<Option<&Bound<'py, PyAny>>> {
        let (findings, sources) = of.findings();
        if findings.is_empty() {
            return Ok(None);
        }
        let made = self.0.get_or_try_init(py, || {
            let drawn = py.import("arrlang._found")?.getattr("drawn")?;
            Ok::<_, PyErr>(drawn.call1((parts(findings, sources),))?.unbind())
        })?;
        Ok(Some(made.bind(py)))
    }

    /// Warns of them.
    pub(crate) fn warn(&self, py: Python<'_>, of: &Callable) -> PyResult<()> {
        let Some(list) = self.list(py, of)? else { return Ok(()) };
        py.import("arrlang._found")?.getattr("warn")?.call1((list,)).map(drop)
    }
}
