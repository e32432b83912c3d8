//! Arrays of NumPy in, arrays of NumPy out, without a copy.

use crate::dtype;
use arrlang::array::{Array, Buffer};
use arrlang::exec::Lent;
use numpy::npyffi::{self, PY_ARRAY_API};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::ffi::c_int;
use std::ptr::NonNull;
use std::sync::Arc;

/// An array over the memory of NumPy's; `None` when its bytes are in the order of another machine.
pub(crate) fn import(array: &Bound<'_, PyUntypedArray>) -> PyResult<Option<Array>> {
    let Some(dtype) = dtype::of(&array.dtype())? else { return Ok(None) };
    // SAFETY: the pointer of an array that is alive.
    let first = unsafe { (*array.as_array_ptr()).fields.data }.cast::<u8>();
    let owner = Box::new(array.clone().unbind());
    // SAFETY: the owner keeps the array, whose elements these are by its own shape and strides.
    let found = unsafe { Array::foreign(dtype, array.shape(), array.strides(), first, owner) };
    found.map(Some).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// An array of NumPy that results may be written to.
pub(crate) fn lend<'a>(array: &'a Bound<'_, PyUntypedArray>) -> PyResult<Option<Lent<'a>>> {
    // SAFETY: the pointer of an array that is alive.
    let (first, flags) = unsafe {
        let fields = &(*array.as_array_ptr()).fields;
        (fields.data.cast::<u8>(), fields.flags)
    };
    if flags & npyffi::NPY_ARRAY_WRITEABLE == 0 {
        return Err(PyValueError::new_err("`out` is read-only"));
    }
    let Some(dtype) = dtype::of(&array.dtype())? else { return Ok(None) };
    let Some(first) = NonNull::new(first).filter(|_| is_apart(array)) else { return Ok(None) };
    // SAFETY: elements of a writeable array, none in the place of another; as for functions of NumPy, who writes to it
    // meanwhile on another thread gets what he asked for.
    Ok(Some(unsafe { Lent::new(first, dtype, array.shape(), array.strides()) }))
}

/// Whether no two elements share a byte, as far as strides in order show it.
fn is_apart(array: &Bound<'_, PyUntypedArray>) -> bool {
    let mut axes: Vec<(usize, usize)> =
        array.strides().iter().map(|step| step.unsigned_abs()).zip(array.shape().iter().copied()).collect();
    axes.retain(|(_, len)| *len > 1);
    axes.sort_unstable();
    let mut reach = array.dtype().itemsize_of();
    axes.iter().all(|(step, len)| {
        let apart = *step >= reach;
        reach += step * (len - 1);
        apart
    })
}

/// The size of an element.
trait ItemSize {
    fn itemsize_of(&self) -> usize;
}

impl ItemSize for Bound<'_, numpy::PyArrayDescr> {
    fn itemsize_of(&self) -> usize {
        use numpy::PyArrayDescrMethods;
        self.itemsize()
    }
}

/// Keeps a result's memory for NumPy.
#[pyclass(frozen)]
struct Owner(#[allow(dead_code, reason = "it is kept, not looked at")] Array);

/// An array of NumPy over the memory of a result.
pub(crate) fn export(py: Python<'_>, array: Array) -> PyResult<Bound<'_, PyAny>> {
    let descr = dtype::descr(py, array.dtype())?;
    let (mut shape, mut strides) = ([0; arrlang::array::MAX_RANK], [0; arrlang::array::MAX_RANK]);
    let rank = array.shape().len();
    for (axis, (&len, &step)) in array.shape().iter().zip(array.strides()).enumerate() {
        (shape[axis], strides[axis]) = (len as npyffi::npy_intp, step as npyffi::npy_intp);
    }
    let own = matches!(**array.buffer(), Buffer::Owned(_)) && Arc::strong_count(array.buffer()) == 1;
    let flags = if own { npyffi::NPY_ARRAY_WRITEABLE } else { 0 };
    let pointer = array.pointer();
    let owner = Bound::new(py, Owner(array))?;
    // SAFETY: the shape and strides are those of the memory, which the owner keeps; `SetBaseObject` takes it over.
    unsafe {
        let made = PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            npyffi::get_type_object(py, npyffi::NpyTypes::PyArray_Type),
            descr.into_ptr().cast(),
            rank as c_int,
            shape.as_mut_ptr(),
            strides.as_mut_ptr(),
            pointer.cast_mut().cast(),
            flags,
            std::ptr::null_mut(),
        );
        let made = Bound::from_owned_ptr_or_err(py, made)?;
        if PY_ARRAY_API.PyArray_SetBaseObject(py, made.as_ptr().cast(), owner.into_ptr()) != 0 {
            return Err(PyErr::fetch(py));
        }
        Ok(made)
    }
}

/// A value as an array of NumPy: itself, or what the package makes of it.
pub(crate) fn array<'py>(
    value: &Bound<'py, PyAny>,
    copy: Option<bool>,
) -> PyResult<(Bound<'py, PyUntypedArray>, Array)> {
    let py = value.py();
    if let Ok(exact) = value.cast::<PyUntypedArray>()
        && is_exact(value)
        && let Some(array) = import(exact)?
    {
        return Ok((exact.clone(), array));
    }
    let converted = py.import("arrlang._arrays")?.getattr("native")?.call1((value, copy))?;
    let converted = converted.cast_into::<PyUntypedArray>().map_err(|_| PyTypeError::new_err("not an array"))?;
    match import(&converted)? {
        Some(array) => Ok((converted, array)),
        None => Err(PyTypeError::new_err("bytes in the order of another machine")),
    }
}

/// Whether it is an array and nothing derived from one: a masked array is something else.
fn is_exact(value: &Bound<'_, PyAny>) -> bool {
    // SAFETY: compares the address of a type.
    unsafe { value.get_type_ptr() == npyffi::get_type_object(value.py(), npyffi::NpyTypes::PyArray_Type) }
}
