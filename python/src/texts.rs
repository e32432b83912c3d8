//! Texts that are evaluated with whatever arrays come: kept by text, rules and types.

use crate::kernel::{Given, arguments, missing};
use crate::number::Number;
use crate::order::Order;
use crate::rules::Rules;
use crate::weak::{self, Opened};
use crate::{arrays, fork, found, run};
use arrlang::array::{Array, Sizes};
use arrlang::check::free_names;
use arrlang::diagnostic::Diagnostics;
use arrlang::session::{Callable, Input};
use arrlang::source::Sources;
use arrlang::syntax;
use arrlang::types::DType;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyType};
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
    /// The names that it defines.
    defined: Vec<String>,
    /// Truth values that are written in it: a variable of that name is not seen.
    words: Vec<String>,
    known: Mutex<Vec<Arc<Known>>>,
    /// The text with some numbers as inputs; `None` where their values matter.
    opened: Mutex<Vec<Tried>>,
}

/// What was tried for numbers that follow a pattern.
type Tried = (Vec<weak::Pattern>, Option<Arc<Opened>>);

struct Known {
    sorts: Vec<Sort>,
    callable: Callable,
    warnings: found::Warnings,
}

/// What a text sees of a value: all but the elements of an array.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Sort {
    Array(DType, Sizes),
    /// A number of Python's own is weak, as in NumPy.
    Number(Number),
    /// The caller has no such name, or something else.
    Absent,
}

/// What a call gives to a text.
struct Values {
    /// One for each name of the text.
    sorts: Vec<Sort>,
    /// Those that are arrays.
    arrays: Vec<Array>,
    /// Names of the caller that are neither arrays nor numbers, with what they are.
    others: Vec<(String, String)>,
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
    let ((names, defined), words) = (names(source), words(source));
    let (known, opened) = (Mutex::default(), Mutex::default());
    let fresh = Arc::new(Text { text: source.to_owned(), rules, names, defined, words, known, opened });
    kept.push_front(fresh.clone());
    fresh
}

/// The names that a text takes from outside, in order, each once, and those that its statements define. What it binds
/// itself is its own, whatever the caller has.
fn names(source: &str) -> (Vec<String>, Vec<String>) {
    let mut sources = Sources::new();
    let id = sources.add("<arr>", source);
    let script = syntax::parse(&sources, id, &mut Diagnostics::new());
    let defined = script.stmts.iter().flat_map(|stmt| stmt.kind.names()).map(|name| name.text.clone()).collect();
    (free_names(&script), defined)
}

/// The truth values that a text writes.
fn words(source: &str) -> Vec<String> {
    let found = syntax::tokens(source).into_iter().map(|(_, range)| &source[range]);
    let mut words: Vec<String> = found.filter(|word| ["true", "false"].contains(word)).map(str::to_owned).collect();
    words.sort();
    words.dedup();
    words
}

/// The names of a text that are values of a caller.
#[pyfunction]
pub(crate) fn names_of(source: &str) -> Vec<String> {
    names(source).0
}

/// Whether a text has this word in it, as a name or otherwise.
#[pyfunction]
pub(crate) fn mentions(source: &str, word: &str) -> bool {
    syntax::tokens(source).into_iter().any(|(_, range)| &source[range] == word)
}

/// Evaluates a text with the values that its names have in the dictionaries, the first that has one. With `named` the
/// first of them are keywords of a call, each of which the text must have.
#[pyfunction]
#[pyo3(signature = (source, spaces, options, out=None, threads=None, copy=None, order=Order::Keep, named=false))]
#[expect(clippy::too_many_arguments, reason = "each is one of the function that Python's users call")]
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    source: &str,
    spaces: Vec<Bound<'py, PyAny>>,
    options: Rules,
    out: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = run::count)] threads: Option<usize>,
    copy: Option<bool>,
    order: Order,
    named: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let text = text(source, options);
    if named {
        refuse_unknown(py, &text, &spaces[0])?;
    }
    let values = values(&text, &spaces, copy)?;
    let threads = run::threads(threads);
    let known = match at_once(&text, &values.sorts) {
        Some(known) => known,
        None => match opened(py, &text, &values)? {
            Some((opened, arrays)) => {
                opened.warnings.warn(py, &opened.told)?;
                let given = ordered(&opened.callable, &arrays, text.names.iter(), &values.others)?;
                return run::laid(py, &opened.callable, &given, out, threads, order);
            }
            None => known(py, &text, &values)?,
        },
    };
    known.warnings.warn(py, &known.callable)?;
    let names = arrays_of(&known.sorts, &text.names);
    let given = ordered(&known.callable, &values.arrays, names, &values.others)?;
    run::laid(py, &known.callable, &given, out, threads, order)
}

/// The values of a text's names.
fn values(text: &Text, spaces: &[Bound<'_, PyAny>], copy: Option<bool>) -> PyResult<Values> {
    let mut values = Values { sorts: Vec::with_capacity(text.names.len()), arrays: Vec::new(), others: Vec::new() };
    for name in &text.names {
        let value = looked_up(name, spaces);
        let sort = value.as_ref().map(|value| sort(value, copy).map_err(|error| found::about(value.py(), name, error)));
        match (value, sort.transpose()?.flatten()) {
            (_, Some((sort, array))) => {
                values.sorts.push(sort);
                values.arrays.extend(array);
            }
            (value, None) => {
                values.sorts.push(Sort::Absent);
                if let Some(value) = value {
                    values.others.push((name.clone(), what(&value)?));
                }
            }
        }
    }
    for word in &text.words {
        let Some(value) = looked_up(word, spaces) else { continue };
        if sort(&value, copy).is_ok_and(|sort| sort.is_some()) {
            let message =
                format!("`{word}` is a truth value in a text, and {} there: give it another name", what(&value)?);
            return Err(PyTypeError::new_err(message));
        }
    }
    Ok(values)
}

/// The value of a name in the first dictionary that has it.
fn looked_up<'py>(name: &str, spaces: &[Bound<'py, PyAny>]) -> Option<Bound<'py, PyAny>> {
    let found = spaces.iter().find_map(|space| space.get_item(PyString::new(space.py(), name)).ok());
    found.or_else(|| {
        let own = spelled(spaces.first()?.py(), name)?;
        spaces.iter().find_map(|space| space.get_item(PyString::new(space.py(), &own)).ok())
    })
}

/// A name as Python spells it, where that is not as it is written: of the micro sign it makes the Greek letter.
pub(crate) fn spelled(py: Python<'_>, name: &str) -> Option<String> {
    if name.is_ascii() {
        return None;
    }
    let own: String = py.import("unicodedata").ok()?.call_method1("normalize", ("NFKC", name)).ok()?.extract().ok()?;
    (own != name).then_some(own)
}

/// What a value is that is no array, for a message.
fn what(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if value.is_none() {
        return Ok("None".to_owned());
    }
    if let Ok(kind) = value.cast::<PyType>() {
        return Ok(format!("the type {}", kind.qualname()?));
    }
    Ok(format!("a value of type {}", value.get_type().qualname()?))
}

/// A keyword of a call that the text has not is a mistake, most likely an option; and so is one for what the text
/// defines itself.
fn refuse_unknown(py: Python<'_>, text: &Text, named: &Bound<'_, PyAny>) -> PyResult<()> {
    for name in named.cast::<PyDict>()?.keys() {
        let name: String = name.extract()?;
        let own = || text.names.iter().any(|own| spelled(py, own).is_some_and(|own| own == name));
        if text.names.contains(&name) || own() {
            continue;
        }
        if text.defined.contains(&name) {
            let message =
                format!("the text defines `{name}` itself, and a value is given for it: leave one of them out");
            return Err(PyTypeError::new_err(message));
        }
        if !mentions(&text.text, &name) {
            py.import("arrlang._keywords")?.getattr("unknown")?.call1(("evaluate", name, &text.text))?;
        }
    }
    Ok(())
}

/// One array for each parameter, out of `arrays`, whose names are `names`. `others` are the caller's names for values
/// that are no arrays.
fn ordered<'a>(
    callable: &Callable,
    arrays: &[Array],
    names: impl Iterator<Item = &'a String> + Clone,
    others: &[(String, String)],
) -> PyResult<Vec<Array>> {
    let mut ordered = Vec::with_capacity(arrays.len());
    for typed in callable.parameters() {
        let at = names.clone().position(|name| Some(name) == typed.name.as_ref());
        let name = typed.name.as_deref().unwrap_or_default();
        let Some(array) = at.and_then(|at| arrays.get(at)) else {
            return Err(match others.iter().find(|(other, _)| other == name) {
                Some((_, what)) => {
                    PyTypeError::new_err(format!("`{name}` is {what}, and neither an array nor a number"))
                }
                None => missing(name, typed),
            });
        };
        ordered.push(array.clone());
    }
    Ok(ordered)
}

/// The names that are arrays, in order.
fn arrays_of<'a>(sorts: &'a [Sort], names: &'a [String]) -> impl Iterator<Item = &'a String> + Clone {
    sorts.iter().zip(names).filter(|(sort, _)| matches!(sort, Sort::Array(..))).map(|(_, name)| name)
}

/// The text for values of these types and numbers, if it was asked for lately.
fn at_once(text: &Text, sorts: &[Sort]) -> Option<Arc<Known>> {
    let mut known = text.known.lock().unwrap_or_else(PoisonError::into_inner);
    let at = known.iter().position(|known| known.sorts == sorts)?;
    known[..=at].rotate_right(1);
    Some(known[0].clone())
}

/// The text with inputs for numbers, if it was compiled for other numbers already and means the same for all of them;
/// with an array for each of its names.
fn opened(py: Python<'_>, text: &Text, values: &Values) -> PyResult<Option<(Arc<Opened>, Vec<Array>)>> {
    if !values.sorts.iter().any(|sort| matches!(sort, Sort::Number(_))) {
        return Ok(None);
    }
    let lock = || text.opened.lock().unwrap_or_else(PoisonError::into_inner);
    let ready = |opened: &Option<Arc<Opened>>| {
        let opened = opened.as_ref()?;
        Some((opened.clone(), opened.arrays(&values.sorts, &values.arrays)?))
    };
    if let Some((_, opened)) = lock().iter().find(|(pattern, _)| weak::fits(pattern, &values.sorts)) {
        return Ok(ready(opened));
    }
    let pattern = {
        let known = text.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().find_map(|known| weak::pattern(&known.sorts, &values.sorts))
    };
    let Some(pattern) = pattern else { return Ok(None) };
    let session = text.rules.session()?;
    let made = fork::detached(py, || weak::open(&session, &text.text, &text.names, &pattern)).map(Arc::new);
    let answer = ready(&made);
    let mut opened = lock();
    opened.truncate(TYPES - 1);
    opened.insert(0, (pattern, made));
    Ok(answer)
}

/// The text for values of these types and numbers, now.
fn known(py: Python<'_>, text: &Text, values: &Values) -> PyResult<Arc<Known>> {
    if text.text.trim().is_empty() {
        return Err(PyValueError::new_err("there is no expression: give one, as in evaluate(\"2**10\")"));
    }
    let stated: Vec<Given> =
        text.names.iter().zip(&values.sorts).filter_map(|(name, sort)| sort.stated(name)).collect();
    let (arguments, session) = (arguments(&stated), text.rules.session()?);
    let made = fork::detached(py, || {
        let input = Input { arguments: &arguments, free_names: true, ..Input::new("<arr>", &text.text) };
        Callable::new(&session, &input)
    });
    let callable = made.map_err(|refused| found::refused(py, *refused, &values.others))?;
    let fresh = Arc::new(Known { sorts: values.sorts.clone(), callable, warnings: found::Warnings::new() });
    let mut known = text.known.lock().unwrap_or_else(PoisonError::into_inner);
    known.truncate(TYPES - 1);
    known.insert(0, fresh.clone());
    Ok(fresh)
}

impl Sort {
    /// A name with this type or number.
    pub(crate) fn stated(&self, name: &str) -> Option<Given> {
        Some(match self {
            Sort::Absent => return None,
            Sort::Number(number) => (name.to_owned(), None, Some(number.text())),
            Sort::Array(dtype, sizes) if sizes.is_empty() => (name.to_owned(), Some(dtype.to_string()), None),
            Sort::Array(dtype, sizes) => {
                let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
                (name.to_owned(), Some(format!("{dtype}[{}]", sizes.join(", "))), None)
            }
        })
    }
}

/// A value as a text sees it; `None` for what is no array and no number, such as a function of the same name.
fn sort(value: &Bound<'_, PyAny>, copy: Option<bool>) -> PyResult<Option<(Sort, Option<Array>)>> {
    if let Some(number) = Number::exact(value)? {
        return Ok(Some((Sort::Number(number), None)));
    }
    if value.is_callable() || value.is_instance_of::<PyModule>() || value.is_none() || value.is_instance_of::<PyDict>()
    {
        return Ok(None);
    }
    if let Some(number) = Number::of(value)? {
        return Ok(Some((Sort::Number(number), None)));
    }
    let array = arrays::array(value, copy)?;
    Ok(Some((Sort::Array(array.dtype(), Sizes::from_slice(array.shape())), Some(array))))
}
