//! A call of a text: arrays in, the interpreter let go of, arrays out.

use crate::{arrays, fork, found};
use arrlang::array::Array;
use arrlang::exec::{Ask, Options};
use arrlang::session::Callable;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::cell::Cell;
use std::num::NonZeroUsize;
use std::sync::Mutex;

thread_local! {
    /// Whether signals become exceptions on this thread.
    pub(crate) static IS_MAIN: Cell<bool> = const { Cell::new(false) };
}

/// How many threads a call may use: what it says, else what was set for all.
pub(crate) fn threads(own: Option<usize>) -> Option<NonZeroUsize> {
    NonZeroUsize::new(own.unwrap_or_else(|| DEFAULT.load(std::sync::atomic::Ordering::Relaxed)))
}

/// What was set for all calls; 0 for as many as there are.
pub(crate) static DEFAULT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);

/// Calls a text. A single result is written to `out`, if it is given; several are, if it is a tuple.
pub(crate) fn call<'py>(
    py: Python<'py>,
    callable: &Callable,
    given: &[Array],
    out: Option<&Bound<'py, PyAny>>,
    threads: Option<NonZeroUsize>,
    names: Option<&Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let raised = Mutex::new(None);
    let ask = IS_MAIN.get().then(|| {
        Ask::new(|| match Python::attach(|py| py.check_signals()) {
            Ok(()) => false,
            Err(error) => {
                *raised.lock().expect("nobody else holds it") = Some(error);
                true
            }
        })
    });
    let ask = ask.as_ref();
    let Some(out) = out else {
        let made = fork::detached(py, || callable.call(given, &Options { threads, ask, ..Options::default() }));
        let made = made.map_err(|error| interrupted(&raised).unwrap_or_else(|| found::failed(py, error)))?;
        let mut results = made.into_iter().map(|array| result(py, array));
        return match (callable.results().len(), names) {
            (1, _) => results.next().expect("one result"),
            (0, _) => Ok(py.None().into_bound(py)),
            (_, Some(names)) => names.bind(py).call1(PyTuple::new(py, results.collect::<PyResult<Vec<_>>>()?)?),
            (_, None) => Ok(PyTuple::new(py, results.collect::<PyResult<Vec<_>>>()?)?.into_any()),
        };
    };
    into(py, callable, given, out, (threads, ask)).map_err(|error| interrupted(&raised).unwrap_or(error))?;
    Ok(out.clone())
}

fn interrupted(raised: &Mutex<Option<PyErr>>) -> Option<PyErr> {
    raised.lock().expect("nobody else holds it").take()
}

/// A result: a scalar of NumPy's where there are no axes.
fn result(py: Python<'_>, array: Array) -> PyResult<Bound<'_, PyAny>> {
    let scalar = array.shape().is_empty();
    let array = arrays::export(py, array)?;
    if scalar { array.get_item(PyTuple::empty(py)) } else { Ok(array) }
}

/// An array of the caller as one of NumPy's over the same memory.
fn target<'py>(py: Python<'py>, given: Bound<'py, PyAny>) -> PyResult<Bound<'py, numpy::PyUntypedArray>> {
    let given = match given.cast_into::<numpy::PyUntypedArray>() {
        Ok(array) => return Ok(array),
        Err(other) => other.into_inner(),
    };
    let array = py.import("arrlang._arrays")?.getattr("target")?.call1((given,))?;
    Ok(array.cast_into::<numpy::PyUntypedArray>()?)
}

/// Calls a text with results in arrays of the caller.
fn into<'py>(
    py: Python<'py>,
    callable: &Callable,
    given: &[Array],
    out: &Bound<'py, PyAny>,
    (threads, ask): (Option<NonZeroUsize>, Option<&Ask>),
) -> PyResult<()> {
    let outs: Vec<Bound<PyAny>> = match (out.cast::<PyTuple>(), callable.results().len()) {
        (Ok(several), _) => several.iter().collect(),
        (Err(_), _) => vec![out.clone()],
    };
    if outs.len() != callable.results().len() {
        let message = format!("there are {} results and {} in `out`", callable.results().len(), outs.len());
        return Err(pyo3::exceptions::PyValueError::new_err(message));
    }
    let outs: Vec<Bound<numpy::PyUntypedArray>> =
        outs.into_iter().map(|one| target(py, one)).collect::<PyResult<_>>()?;
    let mut lent = Vec::with_capacity(outs.len());
    for (one, typed) in outs.iter().zip(callable.results()) {
        let memory = arrays::lend(one)?;
        let right = crate::dtype::of(&numpy::PyUntypedArrayMethods::dtype(one))? == Some(typed.dtype);
        if !right && memory.is_some() {
            let (own, wanted) = (numpy::PyUntypedArrayMethods::dtype(one), crate::dtype::descr(py, typed.dtype)?);
            let message = format!("`out` has the dtype {own}, and the result {wanted}");
            return Err(pyo3::exceptions::PyTypeError::new_err(message));
        }
        lent.push(memory);
    }
    let run = || callable.call_into(given, &lent, &Options { threads, ask, ..Options::default() });
    let made = fork::detached(py, run).map_err(|error| found::failed(py, error))?;
    drop(lent);
    // Elements that share bytes, or in the order of another machine, are copied as NumPy does it.
    for (one, made) in outs.iter().zip(made) {
        if let Some(array) = made {
            py.import("arrlang._arrays")?.getattr("put")?.call1((one, arrays::export(py, array)?))?;
        }
    }
    Ok(())
}
