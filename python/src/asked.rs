//! Questions that run nothing: what is wrong with a text, what dtypes meet as, what every part of a text is.

use crate::found;
use crate::kernel::{Given, arguments};
use crate::rules::Rules;
use arrlang::diagnostic::{codes, page as pages, suggest};
use arrlang::ops::{self, elsewhere::modules::MODULES};
use arrlang::promotion::explain;
use arrlang::promotion::systems::{self, System};
use arrlang::session::{Input, Session};
use arrlang::syntax::{TokenKind, tokens};
use arrlang::types::{Elem, shape};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;

/// What was found in a text, and the types of its results.
type Checked = (Vec<found::Parts>, Vec<(Option<String>, String)>);

/// Checks a text for the types that are stated.
#[pyfunction]
#[pyo3(signature = (text, given, options, whole=false, name="<arr>"))]
pub(crate) fn check(text: &str, given: Vec<Given>, options: Rules, whole: bool, name: &str) -> PyResult<Checked> {
    let (mut session, arguments) = (options.session()?, arguments(&given));
    let input = Input { arguments: &arguments, free_names: true, whole, ..Input::new(name, text) };
    let prepared = session.check(&input);
    let mut results = Vec::new();
    if let Some(program) = &prepared.checked.program {
        for (output, elem) in program.outputs.iter().zip(&prepared.checked.outputs) {
            let dims = &program.node(output.node).shape;
            let dims = if dims.is_empty() { String::new() } else { shape::show(dims) };
            results.push((output.name.clone(), format!("{elem}{dims}")));
        }
    }
    Ok((found::parts(&prepared.diagnostics, &session.sources), results))
}

/// A part of a text: where it stands, its text, its type, and how its operands met.
type Part = (u32, u32, String, String, Option<String>);

/// The type of every part of a text under a system, wholes before their parts; and what was found.
#[pyfunction]
pub(crate) fn types(text: &str, given: Vec<Given>, options: Rules) -> PyResult<(Vec<Part>, Vec<found::Parts>)> {
    let (mut session, arguments) = (options.session()?, arguments(&given));
    let input = Input { arguments: &arguments, free_names: true, ..Input::new("<arr>", text) };
    let prepared = session.check(&input);
    let settings = &prepared.checked.settings;
    let mut parts: Vec<Part> = Vec::new();
    let record = &prepared.checked.record;
    let types: Vec<_> = record.types().collect();
    let steps: Vec<_> = record.steps(&session.sources).collect();
    for typed in &types {
        let Some(expr) = prepared.script.exprs.get(typed.id.0 as usize) else { continue };
        let span = expr.span;
        if span.source != prepared.script.source || parts.iter().any(|part| (part.0, part.1) == (span.start, span.end))
        {
            continue;
        }
        let dims = if typed.shape.is_empty() { String::new() } else { shape::show(&typed.shape) };
        let inside =
            |at: arrlang::source::Span| at.source == span.source && span.start <= at.start && at.end <= span.end;
        // The step of an expression is the one within it that is in none of its parts.
        let step = steps.iter().rev().find(|step| {
            inside(step.at)
                && !types.iter().any(|other| {
                    let part = prepared.script.exprs[other.id.0 as usize].span;
                    part != span && inside(part) && part.start <= step.at.start && step.at.end <= part.end
                })
        });
        let how = step.map(|step| {
            let operands: Vec<_> = step.operands.iter().map(|part| part.operand()).collect();
            explain::promote_by(settings.system, step.operation, &operands, &|elem| settings.harden(elem))
                .text(step.shown)
        });
        parts.push((span.start, span.end, session.sources.text(span).to_owned(), format!("{}{dims}", typed.elem), how));
    }
    parts.sort_by_key(|part| (part.0, std::cmp::Reverse(part.1)));
    Ok((parts, found::parts(&prepared.diagnostics, &session.sources)))
}

fn system(name: &str) -> PyResult<&'static System> {
    systems::find(name).ok_or_else(|| {
        PyValueError::new_err(format!("there is no promotion system {name:?}; arrlang.systems() lists them"))
    })
}

/// What dtypes meet as: `(dtype or None, whether it is weak, the whole answer as text)`.
#[pyfunction]
#[pyo3(signature = (types, system_name="numpy", op="+"))]
pub(crate) fn promote(types: Vec<String>, system_name: &str, op: &str) -> PyResult<(Option<String>, bool, String)> {
    let system = system(system_name)?;
    let found = ops::find(op).or_else(|| ops::find_notation_by_text(op));
    let op = found.ok_or_else(|| PyValueError::new_err(format!("there is no operation {op:?}")))?;
    let elem =
        |text: &String| text.parse::<Elem>().map_err(|_| PyValueError::new_err(format!("there is no dtype {text:?}")));
    let elems: Vec<Elem> = types.iter().map(elem).collect::<PyResult<_>>()?;
    let answer = explain::promote(system, op, &elems);
    let weak = answer.decision.is_ok_and(|decision| decision.weak);
    Ok((answer.dtype.map(|dtype| dtype.to_string()), weak, answer.text(op.shown())))
}

/// The names of the promotion systems, with whether each is of a current version.
#[pyfunction]
#[pyo3(name = "systems")]
pub(crate) fn system_names() -> Vec<(&'static str, bool)> {
    systems::ALL.iter().map(|system| (system.name, system.about.current)).collect()
}

/// `(code, name, summary)` of everything that may be found, errors and warnings.
#[pyfunction]
#[pyo3(name = "codes")]
pub(crate) fn code_rows() -> Vec<(&'static str, &'static str, &'static str)> {
    codes::all().map(|row| (row.id, row.name, row.summary)).collect()
}

/// The row of a code or finding, as [`code_rows`] has it.
#[pyfunction]
#[pyo3(name = "code")]
pub(crate) fn code_row(name: &str) -> Option<(&'static str, &'static str, &'static str)> {
    codes::find(name).map(|row| (row.id, row.name, row.summary))
}

/// The page of a code or finding.
#[pyfunction]
pub(crate) fn page(name: &str) -> PyResult<String> {
    match codes::find(name) {
        Some(row) => Ok(pages::page(row)),
        None => {
            let near = suggest::closest(name, codes::all().flat_map(|row| [row.id, row.name]));
            let near = near.map(|near| format!("; there is {near:?}")).unwrap_or_default();
            Err(PyKeyError::new_err(format!("there is no code or finding {name:?}{near}")))
        }
    }
}

/// Words that begin a statement or go on with one where another name could stand.
const STATEMENTS: [&str; 13] = [
    "promotion",
    "input",
    "output",
    "repeat",
    "scan",
    "assert",
    "use",
    "as",
    "while",
    "along",
    "reverse",
    "with",
    "in",
];

/// Whether a name means something in the language already, or is no name there: a function, a constant, a dtype, a
/// module, a keyword.
#[pyfunction]
pub(crate) fn is_word(name: &str) -> bool {
    let is_name = matches!(tokens(name).as_slice(), [(TokenKind::Name, range)] if range.len() == name.len());
    let module = || MODULES.iter().flat_map(|module| module.paths).any(|path| path.split('.').any(|part| part == name));
    if !is_name || STATEMENTS.contains(&name) || name.parse::<Elem>().is_ok() || ops::find(name).is_some() || module() {
        return true;
    }
    // Whatever else there is: the text says so itself.
    [name.to_owned(), format!("{name}(1)")].iter().any(|text| {
        let prepared = Session::default().check(&Input::new("<arr>", text));
        !prepared.diagnostics.iter().any(|one| one.code.id == codes::names::UNKNOWN_NAME.id)
    })
}
