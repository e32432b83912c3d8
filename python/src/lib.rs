//! `arrlang` for Python: the checker and the kernels, on arrays of NumPy.
//!
//! What Python's users see is in `package/arrlang`; this crate is what that stands on. [`kernel`] is a text that was
//! checked for types, and [`texts`] evaluates one with whatever comes. [`arrays`] and [`dtype`] pass memory without a
//! copy. [`order`] lays results out. [`number`] writes Python's numbers, and [`weak`] makes inputs of them where
//! [`same`] allows it. [`fork`] lets go of the interpreter, [`found`] passes what was found, [`asked`] answers
//! questions about promotion.

mod arrays;
mod asked;
mod dtype;
mod fork;
mod found;
mod kernel;
mod number;
mod order;
mod rules;
mod run;
mod same;
mod texts;
mod weak;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::atomic::Ordering;

/// Sets how many threads a call may use where nothing else is said; 0 for as many as there are. Answers what was set.
#[pyfunction]
fn set_threads(count: &Bound<'_, PyAny>) -> PyResult<usize> {
    let count = run::count(count)?.ok_or_else(|| PyTypeError::new_err("threads are a number, not None"))?;
    Ok(run::DEFAULT.swap(count, Ordering::Relaxed))
}

/// Gives memory that is kept for the next result back to the system, until at most so many bytes of it are left.
#[pyfunction]
#[pyo3(signature = (most=0))]
fn release_memory(most: usize) {
    arrlang::array::bytes::trim_idle(most);
}

/// Says that this thread is the one on which signals become exceptions.
#[pyfunction]
fn here_is_main() {
    run::IS_MAIN.set(true);
}

#[pymodule]
fn _arrlang(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // NumPy's functions are looked up now, and not by the first call.
    module.py().get_type::<numpy::PyUntypedArray>();
    module.add_class::<kernel::Kernel>()?;
    module.add_function(wrap_pyfunction!(texts::evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(texts::names_of, module)?)?;
    module.add_function(wrap_pyfunction!(texts::mentions, module)?)?;
    module.add_function(wrap_pyfunction!(number::number_text, module)?)?;
    module.add_function(wrap_pyfunction!(asked::check, module)?)?;
    module.add_function(wrap_pyfunction!(asked::is_word, module)?)?;
    module.add_function(wrap_pyfunction!(asked::promote, module)?)?;
    module.add_function(wrap_pyfunction!(asked::system_names, module)?)?;
    module.add_function(wrap_pyfunction!(asked::code_rows, module)?)?;
    module.add_function(wrap_pyfunction!(asked::page, module)?)?;
    module.add_function(wrap_pyfunction!(asked::code_row, module)?)?;
    module.add_function(wrap_pyfunction!(asked::types, module)?)?;
    module.add_function(wrap_pyfunction!(set_threads, module)?)?;
    module.add_function(wrap_pyfunction!(release_memory, module)?)?;
    module.add_function(wrap_pyfunction!(fork::before_fork, module)?)?;
    module.add_function(wrap_pyfunction!(fork::after_fork_in_parent, module)?)?;
    module.add_function(wrap_pyfunction!(fork::after_fork_in_child, module)?)?;
    module.add_function(wrap_pyfunction!(here_is_main, module)?)
}
