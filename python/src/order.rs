//! In which order the elements of a result lie: as NumPy's `order="K"`, `"A"` and `"F"` have it.

use crate::dtype;
use arrlang::array::Array;
use arrlang::session::TypedName;
use arrlang::types::Dim;
use numpy::PyUntypedArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// What a caller asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    C,
    Fortran,
    /// Fortran's if all inputs are in it.
    Any,
    /// That of the inputs, as near as can be.
    Keep,
}

impl FromPyObject<'_, '_> for Order {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        match value.extract::<&str>() {
            Ok("C") => Ok(Order::C),
            Ok("F") => Ok(Order::Fortran),
            Ok("A") => Ok(Order::Any),
            Ok("K") => Ok(Order::Keep),
            _ => Err(PyValueError::new_err(format!("order is \"K\", \"C\", \"F\" or \"A\", not {}", value.repr()?))),
        }
    }
}

/// An array for a result, where it lies otherwise than a result does by itself.
pub(crate) fn array<'py>(
    py: Python<'py>,
    order: Order,
    inputs: &[Array],
    result: &TypedName,
) -> PyResult<Option<Bound<'py, PyUntypedArray>>> {
    if result.dims.len() < 2 || order == Order::C {
        return Ok(None);
    }
    // A length that only values decide is not known yet, and the result has C's order.
    let sizes =
        result.dims.iter().map(|dim| if let Dim::Const(size) = dim { usize::try_from(*size).ok() } else { None });
    let Some(sizes) = sizes.collect::<Option<Vec<usize>>>() else { return Ok(None) };
    let axes = axes(order, inputs, &sizes);
    if axes.is_sorted() {
        return Ok(None);
    }
    let lain = PyTuple::new(py, axes.iter().map(|&axis| sizes[axis]))?;
    let made = py.import("numpy")?.getattr("empty")?.call1((lain, dtype::descr(py, result.dtype)?))?;
    let mut back = vec![0; axes.len()];
    axes.iter().enumerate().for_each(|(place, &axis)| back[axis] = place);
    Ok(Some(made.call_method1("transpose", (PyTuple::new(py, back)?,))?.cast_into()?))
}

/// The axes of a result, the one of the farthest elements first.
fn axes(order: Order, inputs: &[Array], sizes: &[usize]) -> Vec<usize> {
    let c: Vec<usize> = (0..sizes.len()).collect();
    let fortran = match order {
        Order::C => false,
        Order::Fortran => true,
        Order::Any => !inputs.is_empty() && inputs.iter().all(is_fortran),
        Order::Keep if inputs.iter().all(Array::is_contiguous) => false,
        Order::Keep => return kept(c, inputs, sizes),
    };
    if fortran { c.into_iter().rev().collect() } else { c }
}

/// Whether the elements lie side by side, the first axis first.
pub(crate) fn is_fortran(array: &Array) -> bool {
    let mut step = array.dtype().size() as isize;
    array.shape().iter().zip(array.strides()).all(|(&len, &stride)| {
        let next = len == 1 || stride == step;
        step *= len as isize;
        next
    })
}

/// Axes sorted as NumPy's iterator does: by the steps of all inputs that have them, C's order where these do not agree.
fn kept(mut axes: Vec<usize>, inputs: &[Array], sizes: &[usize]) -> Vec<usize> {
    let steps: Vec<Vec<usize>> = inputs.iter().filter_map(|array| steps(array, sizes)).collect();
    for begun in (0..axes.len().saturating_sub(1)).rev() {
        let (axis, mut place) = (axes[begun], begun);
        for other in begun + 1..axes.len() {
            let pairs = steps.iter().map(|steps| (steps[axis], steps[axes[other]]));
            let mut pairs = pairs.filter(|(outer, inner)| *outer != 0 && *inner != 0).peekable();
            if pairs.peek().is_none() {
                continue;
            }
            if pairs.any(|(outer, inner)| inner <= outer) {
                break;
            }
            place = other;
        }
        axes[begun..=place].rotate_left(1);
    }
    axes
}

/// How far an input goes for each axis of the result: 0 where it has one element. `None` when it has another shape.
fn steps(array: &Array, sizes: &[usize]) -> Option<Vec<usize>> {
    let missing = sizes.len().checked_sub(array.shape().len())?;
    let own = array
        .shape()
        .iter()
        .zip(array.strides())
        .zip(&sizes[missing..])
        .map(|((&len, step), &size)| if len == 1 { Some(0) } else { (len == size).then(|| step.unsigned_abs()) });
    std::iter::repeat_n(Some(0), missing).chain(own).collect()
}
