//! Texts that are evaluated with whatever arrays come: kept by text, rules and types.

use crate::kernel::{Given, arguments};
use crate::order::Order;
use crate::rules::Rules;
use crate::{arrays, fork, found, run};
use arrlang::array::{Array, Sizes};
use arrlang::diagnostic::Diagnostics;
use arrlang::session::{Callable, Input};
use arrlang::source::Sources;
use arrlang::syntax::{self, ast::ExprKind, ast::StmtKind};
use arrlang::types::DType;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyDict, PyFloat, PyInt, PyString};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// The most texts, and the most types of one, that are kept.
const TEXTS: usize = 256;
const TYPES: usize = 32;

/// A text with what is known of it for some types.
struct Text {
    text: String,
    rules: Rules,
    /// The names that it uses and does not define.
    names: Vec<String>,
    known: Mutex<Vec<Arc<Known>>>,
}

struct Known {
    sorts: Vec<Sort>,
    callable: Callable,
    warnings: found::Warnings,
}

/// What a text sees of a value: all but the elements of an array.
#[derive(Clone, PartialEq, Debug)]
enum Sort {
    Array(DType, Sizes),
    /// A number of Python's own is weak, as in NumPy.
    Literal(String),
}

static KEPT: Mutex<VecDeque<Arc<Text>>> = Mutex::new(VecDeque::new());

/// The text as it was kept, or now; the last used stands first.
fn text(source: &str, rules: Rules) -> Arc<Text> {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(at) = kept.iter().position(|known| known.text == source && known.rules == rules) {
        if at > 0 {
            let known = kept.remove(at).expect("it was found there");
            kept.push_front(known);
        }
        return kept[0].clone();
    }
    kept.truncate(TEXTS - 1);
    let fresh = Arc::new(Text { text: source.to_owned(), rules, names: names(source), known: Mutex::default() });
    kept.push_front(fresh.clone());
    fresh
}

/// The names that a text uses, in order, each once.
fn names(source: &str) -> Vec<String> {
    let mut sources = Sources::new();
    let id = sources.add("<arr>", source);
    let script = syntax::parse(&sources, id, &mut Diagnostics::new());
    let mut names: Vec<String> = Vec::new();
    for expr in &script.exprs {
        if let ExprKind::Name(name) = &expr.kind
            && !names.contains(name)
        {
            names.push(name.clone());
        }
    }
    for stmt in &script.stmts {
        if let StmtKind::Input { name, .. } = &stmt.kind
            && !names.contains(&name.text)
        {
            names.push(name.text.clone());
        }
    }
    names
}

/// The names that a text uses and that may be values of a caller.
#[pyfunction]
pub(crate) fn names_of(source: &str) -> Vec<String> {
    names(source)
}

/// Evaluates a text with the values that its names have in the dictionaries, the first that has one.
#[pyfunction]
#[pyo3(signature = (source, spaces, options, out=None, threads=None, copy=None, order=Order::Keep))]
#[allow(clippy::too_many_arguments, reason = "each is one of the function that Python's users call")]
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    source: &str,
    spaces: Vec<Bound<'py, PyAny>>,
    options: Rules,
    out: Option<&Bound<'py, PyAny>>,
    threads: Option<usize>,
    copy: Option<bool>,
    order: Order,
) -> PyResult<Bound<'py, PyAny>> {
    let text = text(source, options);
    let (mut given, mut sorts, mut arrays) = (Vec::new(), Vec::new(), Vec::new());
    for name in &text.names {
        let mut found = None;
        for space in &spaces {
            if let Ok(value) = space.get_item(PyString::new(py, name)) {
                found = Some(value);
                break;
            }
        }
        let Some(value) = found else { continue };
        match sort(&value, copy)? {
            None => continue,
            Some((sort, array)) => {
                sorts.push(sort);
                arrays.extend(array);
                given.push(name);
            }
        }
    }
    let known = known(py, &text, &given, sorts)?;
    known.warnings.warn(py, &known.callable)?;
    let mut ordered = Vec::with_capacity(arrays.len());
    for typed in known.callable.parameters() {
        let at = arrays_of(&known.sorts, &given).position(|name| Some(name) == typed.name.as_ref());
        let name = typed.name.as_deref().unwrap_or_default();
        let array = at.and_then(|at| arrays.get(at)).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        ordered.push(array.clone());
    }
    run::laid(py, &known.callable, &ordered, out, run::threads(threads), order)
}

/// The names that are arrays, in order.
fn arrays_of<'a>(sorts: &'a [Sort], given: &'a [&String]) -> impl Iterator<Item = &'a String> {
    sorts.iter().zip(given).filter(|(sort, _)| matches!(sort, Sort::Array(..))).map(|(_, name)| *name)
}

/// The text for values of these types.
fn known(py: Python<'_>, text: &Text, given: &[&String], sorts: Vec<Sort>) -> PyResult<Arc<Known>> {
    let lock = || text.known.lock().unwrap_or_else(PoisonError::into_inner);
    {
        let mut known = lock();
        if let Some(at) = known.iter().position(|known| known.sorts == sorts) {
            known[..=at].rotate_right(1);
            return Ok(known[0].clone());
        }
    }
    let stated: Vec<Given> = given.iter().zip(&sorts).map(|(name, sort)| sort.stated(name)).collect();
    let (arguments, session) = (arguments(&stated), text.rules.session()?);
    let made = fork::detached(py, || {
        let input = Input { arguments: &arguments, free_names: true, ..Input::new("<arr>", &text.text) };
        Callable::new(&session, &input)
    });
    let callable = made.map_err(|refused| found::raised(py, &refused, false))?;
    let fresh = Arc::new(Known { sorts, callable, warnings: found::Warnings::new() });
    let mut known = lock();
    known.truncate(TYPES - 1);
    known.insert(0, fresh.clone());
    Ok(fresh)
}

impl Sort {
    fn stated(&self, name: &str) -> Given {
        match self {
            Sort::Literal(text) => (name.to_owned(), None, Some(text.clone())),
            Sort::Array(dtype, sizes) if sizes.is_empty() => (name.to_owned(), Some(dtype.to_string()), None),
            Sort::Array(dtype, sizes) => {
                let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
                (name.to_owned(), Some(format!("{dtype}[{}]", sizes.join(", "))), None)
            }
        }
    }
}

/// A value as a text sees it; `None` for what is no array and no number, such as a function of the same name.
fn sort(value: &Bound<'_, PyAny>, copy: Option<bool>) -> PyResult<Option<(Sort, Option<Array>)>> {
    let literal = |text: String| Ok(Some((Sort::Literal(text), None)));
    if value.is_exact_instance_of::<PyBool>() {
        return literal(if value.extract::<bool>()? { "true" } else { "false" }.to_owned());
    }
    if value.is_exact_instance_of::<PyInt>() {
        return literal(value.str()?.extract()?);
    }
    if value.is_exact_instance_of::<PyFloat>() {
        return literal(float(value.extract()?));
    }
    if value.is_exact_instance_of::<PyComplex>() {
        let (re, im): (f64, f64) = (value.getattr("real")?.extract()?, value.getattr("imag")?.extract()?);
        return literal(format!("{} + {}*1j", float(re), float(im)));
    }
    if value.is_callable()
        || value.is_instance_of::<pyo3::types::PyModule>()
        || value.is_none()
        || value.is_instance_of::<PyDict>()
    {
        return Ok(None);
    }
    let array = arrays::array(value, copy)?;
    Ok(Some((Sort::Array(array.dtype(), Sizes::from_slice(array.shape())), Some(array))))
}

/// A number as the language writes it.
fn float(value: f64) -> String {
    match value {
        _ if value.is_nan() => "nan".to_owned(),
        _ if value.is_infinite() && value > 0.0 => "inf".to_owned(),
        _ if value.is_infinite() => "-inf".to_owned(),
        _ => format!("{value:?}"),
    }
}
