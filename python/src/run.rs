//! A call of a text: arrays in, the interpreter let go of, arrays out.

use crate::order::{self, Order};
use crate::{arrays, fork, found};
use arrlang::array::Array;
use arrlang::exec::{Ask, LentMemory, Options};
use arrlang::session::{CallError, Callable};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
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

/// A number of threads that a caller says.
pub(crate) fn count(value: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    let count: Option<i64> = value.extract()?;
    let wrong = |_| PyValueError::new_err(format!("threads are 1 or more, or 0 for as many as there are, not {value}"));
    count.map(usize::try_from).transpose().map_err(wrong)
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
    let Some(out) = out else {
        let made = made(py, callable, given, &[], threads, |error| found::failed(py, error))?;
        let mut results = made.into_iter().flatten().map(|array| result(py, array));
        return match (callable.results().len(), names) {
            (1, _) => results.next().expect("one result"),
            (0, _) => Ok(py.None().into_bound(py)),
            (_, Some(names)) => names.bind(py).call1(PyTuple::new(py, results.collect::<PyResult<Vec<_>>>()?)?),
            (_, None) => Ok(PyTuple::new(py, results.collect::<PyResult<Vec<_>>>()?)?.into_any()),
        };
    };
    let outs = targets(py, callable, out)?;
    for (one, made) in outs.iter().flatten().zip(into(py, callable, given, &outs, threads)?) {
        // Elements that share bytes, or in the order of another machine, are copied as NumPy does it.
        if let Some(array) = made {
            py.import("arrlang._arrays")?.getattr("put")?.call1((one, arrays::export(py, array)?))?;
        }
    }
    Ok(out.clone())
}

/// Calls a text with results that lie in an order, where no `out` says that.
pub(crate) fn laid<'py>(
    py: Python<'py>,
    callable: &Callable,
    given: &[Array],
    out: Option<&Bound<'py, PyAny>>,
    threads: Option<NonZeroUsize>,
    order: Order,
) -> PyResult<Bound<'py, PyAny>> {
    if out.is_some() || order == Order::C {
        return call(py, callable, given, out, threads, None);
    }
    if let [one] = callable.results() {
        let lain = order::array(py, order, given, one)?;
        return call(py, callable, given, lain.as_ref().map(|lain| lain.as_any()), threads, None);
    }
    let lain = callable.results().iter().map(|one| order::array(py, order, given, one));
    let lain: Vec<_> = lain.collect::<PyResult<_>>()?;
    let made = into(py, callable, given, &lain, threads)?;
    let results = lain.into_iter().zip(made).map(|(lain, made)| match (lain, made) {
        (_, Some(array)) => result(py, array),
        (lain, None) => Ok(lain.map_or_else(|| py.None().into_bound(py), Bound::into_any)),
    });
    Ok(PyTuple::new(py, results.collect::<PyResult<Vec<_>>>()?)?.into_any())
}

/// Runs something that signals may end, which become exceptions on the main thread.
fn asking<T>(run: impl FnOnce(Option<&Ask>) -> PyResult<T>) -> PyResult<T> {
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
    run(ask.as_ref()).map_err(|error| interrupted(&raised).unwrap_or(error))
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
fn target<'py>(py: Python<'py>, given: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyUntypedArray>> {
    if arrays::is_exact(&given) {
        return Ok(given.cast_into::<PyUntypedArray>()?);
    }
    let array = py.import("arrlang._arrays")?.getattr("target")?.call1((given,))?;
    Ok(array.cast_into::<PyUntypedArray>()?)
}

/// The arrays of the caller that results go to, one for each.
fn targets<'py>(
    py: Python<'py>,
    callable: &Callable,
    out: &Bound<'py, PyAny>,
) -> PyResult<Vec<Option<Bound<'py, PyUntypedArray>>>> {
    let outs: Vec<Bound<PyAny>> = match out.cast::<PyTuple>() {
        Ok(several) => several.iter().collect(),
        Err(_) => vec![out.clone()],
    };
    if outs.len() != callable.results().len() {
        let message = format!("there are {} results and {} in `out`", callable.results().len(), outs.len());
        return Err(PyValueError::new_err(message));
    }
    outs.into_iter().map(|one| target(py, one).map(Some)).collect()
}

/// Calls a text with results in arrays of the caller, where there are any. What is not written there is answered.
fn into(
    py: Python<'_>,
    callable: &Callable,
    given: &[Array],
    outs: &[Option<Bound<'_, PyUntypedArray>>],
    threads: Option<NonZeroUsize>,
) -> PyResult<Vec<Option<Array>>> {
    let mut lent = Vec::with_capacity(outs.len());
    for (one, typed) in outs.iter().zip(callable.results()) {
        let Some(one) = one else {
            lent.push(None);
            continue;
        };
        let memory = arrays::lend(one)?;
        let right = crate::dtype::of(&one.dtype())? == Some(typed.dtype);
        if !right && memory.is_some() {
            let message = format!(
                "`out` has the dtype {}, and the result {}",
                one.dtype(),
                crate::dtype::descr(py, typed.dtype)?
            );
            return Err(PyTypeError::new_err(message));
        }
        lent.push(memory);
    }
    made(py, callable, given, &lent, threads, |error| match error {
        CallError::Misfit { result } => {
            let own = outs[result].as_ref().map(|one| one.shape().iter().map(usize::to_string).collect());
            let wanted = callable.results()[result].dims.iter().map(ToString::to_string).collect();
            PyValueError::new_err(found::misfit(result, own.map(|own| (shown(own), shown(wanted)))))
        }
        error => found::failed(py, error),
    })
}

/// The results that no memory is lent for, with `None` for the others. The interpreter is let go of meanwhile, unless
/// that takes as long as the run.
fn made(
    py: Python<'_>,
    callable: &Callable,
    given: &[Array],
    lent: &[Option<LentMemory>],
    threads: Option<NonZeroUsize>,
    failed: impl Fn(CallError) -> PyErr,
) -> PyResult<Vec<Option<Array>>> {
    if let Some(made) = callable.call_if_brief(given, lent, &Options { threads, ..Options::default() }) {
        return made.map_err(failed);
    }
    asking(|ask| {
        let run = || callable.call_into(given, lent, &Options { threads, ask, ..Options::default() });
        fork::detached(py, run).map_err(failed)
    })
}

/// A shape as Python writes it.
fn shown(sizes: Vec<String>) -> String {
    if let [one] = sizes.as_slice() { format!("({one},)") } else { format!("({})", sizes.join(", ")) }
}
