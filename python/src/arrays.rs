//! Arrays of NumPy in, arrays of NumPy out, without a copy.
#![expect(unsafe_code, reason = "NumPy's arrays are structures of C, whose memory is passed without a copy")]

use crate::dtype;
use arrlang::array::{Array, Buffer};
use arrlang::exec::LentMemory;
use arrlang::scalar::Scalar;
use numpy::npyffi::{self, PY_ARRAY_API};
use numpy::{PyArrayDescr, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::any::Any;
use std::ffi::c_int;
use std::ptr::NonNull;
use std::sync::Arc;

/// An array over the memory of NumPy's, which it keeps; `None` when its bytes are in the order of another machine.
pub(crate) fn import(array: &Bound<'_, PyUntypedArray>) -> PyResult<Option<Array>> {
    // SAFETY: the owner keeps the array.
    unsafe { over(array, || Box::new(array.clone().unbind())) }
}

/// An array over the memory of NumPy's, which lives until `owner` is dropped.
///
/// # Safety
/// The array lives until the owner, and all that is cloned from what is made here, is dropped.
unsafe fn over(
    array: &Bound<'_, PyUntypedArray>,
    owner: impl FnOnce() -> Box<dyn Any + Send + Sync>,
) -> PyResult<Option<Array>> {
    let Some(dtype) = dtype::of(&array.dtype())? else { return Ok(None) };
    // SAFETY: the pointer of an array that is alive.
    let first = unsafe { (*array.as_array_ptr()).fields.data }.cast::<u8>();
    // SAFETY: the elements are there by the array's own shape and strides, as long as it lives.
    let found = unsafe { Array::foreign(dtype, array.shape(), array.strides(), first, owner()) };
    found.map(Some).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Arrays for one call: first those of its tuple of arguments, in order. The tuple keeps what they look at, so that
/// nothing is allocated or counted for an owner. What something still looks at when the call is over, which nothing
/// should, stays for ever.
pub(crate) struct Borrowing<'a, 'py> {
    args: &'a Bound<'py, PyTuple>,
    arrays: Vec<Array>,
}

impl<'a, 'py> Borrowing<'a, 'py> {
    /// None yet, of a call with these arguments.
    pub(crate) fn new(args: &'a Bound<'py, PyTuple>, parameters: usize) -> Borrowing<'a, 'py> {
        Borrowing { args, arrays: Vec::with_capacity(parameters) }
    }

    /// Takes the next argument of the tuple where it lies; `false` if it is no array of NumPy that can be.
    pub(crate) fn borrow(&mut self) -> PyResult<bool> {
        let value = self.args.get_borrowed_item(self.arrays.len())?;
        let Some(value) = exact(&value) else { return Ok(false) };
        // SAFETY: the tuple keeps its items and the caller the tuple; `drop` keeps an array at which something still
        // looks.
        let Some(array) = (unsafe { over(value, || Box::new(())) })? else { return Ok(false) };
        self.arrays.push(array);
        Ok(true)
    }

    /// The next array, which keeps what it looks at.
    pub(crate) fn push(&mut self, array: Array) {
        self.arrays.push(array);
    }
}

impl std::ops::Deref for Borrowing<'_, '_> {
    type Target = [Array];

    fn deref(&self) -> &[Array] {
        &self.arrays
    }
}

impl Drop for Borrowing<'_, '_> {
    fn drop(&mut self) {
        for (at, array) in self.arrays.iter().enumerate().take(self.args.len()) {
            if Arc::strong_count(array.buffer()) > 1 {
                debug_assert!(std::thread::panicking(), "an argument outlives its call");
                std::mem::forget(self.args.get_item(at));
            }
        }
    }
}

/// An array of NumPy that results may be written to.
pub(crate) fn lend<'a>(array: &'a Bound<'_, PyUntypedArray>) -> PyResult<Option<LentMemory<'a>>> {
    // SAFETY: the pointer of an array that is alive.
    let (first, flags) = unsafe {
        let fields = &(*array.as_array_ptr()).fields;
        (fields.data.cast::<u8>(), fields.flags)
    };
    if flags & npyffi::NPY_ARRAY_WRITEABLE == 0 {
        return Err(PyValueError::new_err("`out` is read-only"));
    }
    let Some(dtype) = dtype::of(&array.dtype())? else { return Ok(None) };
    let apart = is_apart(array.shape(), array.strides(), array.dtype().itemsize_of());
    let Some(first) = NonNull::new(first).filter(|_| apart) else { return Ok(None) };
    // SAFETY: elements of a writeable array, none in the place of another; as for functions of NumPy, who writes to it
    // meanwhile on another thread gets what he asked for.
    Ok(Some(unsafe { LentMemory::new(first, dtype, array.shape(), array.strides()) }))
}

/// Whether no two elements share a byte, as far as strides in order show it.
fn is_apart(shape: &[usize], strides: &[isize], size: usize) -> bool {
    if let (&[len], &[step]) = (shape, strides) {
        return len <= 1 || step.unsigned_abs() >= size;
    }
    let mut axes: Vec<(usize, usize)> =
        strides.iter().map(|step| step.unsigned_abs()).zip(shape.iter().copied()).collect();
    axes.retain(|(_, len)| *len > 1);
    axes.sort_unstable();
    let mut reach = size;
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

impl ItemSize for Bound<'_, PyArrayDescr> {
    fn itemsize_of(&self) -> usize {
        use numpy::PyArrayDescrMethods;
        self.itemsize()
    }
}

/// Keeps a result's memory for NumPy.
#[pyclass(frozen)]
struct Owner(Array);

/// An array of NumPy over the memory of a result.
pub(crate) fn export(py: Python<'_>, array: Array) -> PyResult<Bound<'_, PyAny>> {
    let descr = dtype::descr(py, array.dtype())?;
    let own = is_own(&array);
    let flags = if own { npyffi::NPY_ARRAY_WRITEABLE } else { 0 };
    let owner = Bound::new(py, Owner(array))?;
    let array = &owner.get().0;
    let (shape, strides, first) = (array.shape(), array.strides(), array.pointer());
    // SAFETY: the shape and strides are those of the memory, which the owner keeps; `SetBaseObject` takes it over. NumPy
    // copies lengths and distances, which are words of its type, and does not write to them.
    unsafe {
        let made = PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            npyffi::get_type_object(py, npyffi::NpyTypes::PyArray_Type),
            descr.into_ptr().cast(),
            shape.len() as c_int,
            shape.as_ptr().cast_mut().cast(),
            strides.as_ptr().cast_mut().cast(),
            first.cast_mut().cast(),
            flags,
            std::ptr::null_mut(),
        );
        let made = Bound::from_owned_ptr_or_err(py, made)?;
        if PY_ARRAY_API.PyArray_SetBaseObject(py, made.as_ptr().cast(), owner.into_ptr()) != 0 {
            return Err(PyErr::fetch(py));
        }
        if own {
            return Ok(made);
        }
        let copied = PY_ARRAY_API.PyArray_NewCopy(py, made.as_ptr().cast(), npyffi::NPY_ORDER::NPY_KEEPORDER);
        Bound::from_owned_ptr_or_err(py, copied)
    }
}

/// Whether a result has memory of its own, in which its elements lie side by side. What repeats elements, as a
/// broadcast does, what another result has too, and what is a part of something larger has not: whoever wrote one
/// element would write others.
fn is_own(array: &Array) -> bool {
    if !matches!(**array.buffer(), Buffer::Owned(_)) {
        return false;
    }
    let side_by_side = array.is_contiguous() || crate::order::is_fortran(array);
    let whole = array.buffer().len() <= 2 * array.len() * array.dtype().size() + 4096;
    Arc::strong_count(array.buffer()) == 1 && side_by_side && whole
}

/// An array over the memory of a value, or of what the package makes of it.
pub(crate) fn array(value: &Bound<'_, PyAny>, copy: Option<bool>) -> PyResult<Array> {
    let py = value.py();
    if let Some(exact) = exact(value)
        && let Some(array) = import(exact)?
    {
        return Ok(array);
    }
    if let Some(scalar) = scalar(value) {
        return Ok(Array::from_scalar(scalar));
    }
    let converted = py.import("arrlang._arrays")?.getattr("native")?.call1((value, copy))?;
    let converted = converted.cast_into::<PyUntypedArray>().map_err(|_| PyTypeError::new_err("not an array"))?;
    import(&converted)?.ok_or_else(|| PyTypeError::new_err("bytes in the order of another machine"))
}

/// Whether it is a scalar of NumPy's.
pub(crate) fn is_scalar(value: &Bound<'_, PyAny>) -> bool {
    // SAFETY: compares types, which NumPy has.
    unsafe {
        let generic = npyffi::get_type_object(value.py(), npyffi::NpyTypes::PyGenericArrType_Type);
        ffi::PyType_IsSubtype(value.get_type_ptr(), generic) != 0
    }
}

/// A scalar of NumPy's own types, such as a sum.
pub(crate) fn scalar(value: &Bound<'_, PyAny>) -> Option<Scalar> {
    let py = value.py();
    if !is_scalar(value) {
        return None;
    }
    // SAFETY: it is a scalar; a dtype that is answered is a new reference.
    let descr: Bound<'_, PyArrayDescr> = unsafe {
        let descr = PY_ARRAY_API.PyArray_DescrFromScalar(py, value.as_ptr());
        Bound::from_owned_ptr_or_opt(py, descr.cast())?.cast_into_unchecked()
    };
    // Structures and numbers of other packages are of kinds after NumPy's own.
    let dtype = dtype::of_number(&descr)?;
    let mut bytes = [0u8; size_of::<u128>()];
    // SAFETY: such a scalar has the size of its dtype, which is at most that of two floats of eight bytes.
    unsafe { PY_ARRAY_API.PyArray_ScalarAsCtype(py, value.as_ptr(), bytes.as_mut_ptr().cast()) };
    Some(Scalar { dtype, bits: u128::from_le_bytes(bytes) })
}

/// Whether it is an array and nothing derived from one: a masked array is something else.
pub(crate) fn is_exact(value: &Bound<'_, PyAny>) -> bool {
    // SAFETY: compares the address of a type.
    unsafe { value.get_type_ptr() == npyffi::get_type_object(value.py(), npyffi::NpyTypes::PyArray_Type) }
}

/// An array of NumPy that [is one and nothing else](is_exact).
fn exact<'a, 'py>(value: &'a Bound<'py, PyAny>) -> Option<&'a Bound<'py, PyUntypedArray>> {
    // SAFETY: its type is that of arrays.
    is_exact(value).then(|| unsafe { value.cast_unchecked() })
}
