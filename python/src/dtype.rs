//! dtypes of NumPy and of `arr`, which are the same set but for what `arr` has not.

use arrlang::types::DType;
use numpy::npyffi::{self, NPY_TYPES, PY_ARRAY_API};
use numpy::{PyArrayDescr, PyArrayDescrMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::ffi::c_int;

/// What NumPy's numbers of types mean, with the kind that tells sizes apart: `long` has another on other systems.
const KINDS: [(NPY_TYPES, char); 16] = [
    (NPY_TYPES::NPY_BOOL, 'b'),
    (NPY_TYPES::NPY_BYTE, 'i'),
    (NPY_TYPES::NPY_SHORT, 'i'),
    (NPY_TYPES::NPY_INT, 'i'),
    (NPY_TYPES::NPY_LONG, 'i'),
    (NPY_TYPES::NPY_LONGLONG, 'i'),
    (NPY_TYPES::NPY_UBYTE, 'u'),
    (NPY_TYPES::NPY_USHORT, 'u'),
    (NPY_TYPES::NPY_UINT, 'u'),
    (NPY_TYPES::NPY_ULONG, 'u'),
    (NPY_TYPES::NPY_ULONGLONG, 'u'),
    (NPY_TYPES::NPY_HALF, 'f'),
    (NPY_TYPES::NPY_FLOAT, 'f'),
    (NPY_TYPES::NPY_DOUBLE, 'f'),
    (NPY_TYPES::NPY_CFLOAT, 'c'),
    (NPY_TYPES::NPY_CDOUBLE, 'c'),
];

/// The dtype of `arr`; `None` for bytes in the order of another machine, which must be copied first.
pub(crate) fn of(descr: &Bound<'_, PyArrayDescr>) -> PyResult<Option<DType>> {
    let number = descr.num();
    let kind = KINDS.iter().find(|(known, _)| *known as c_int == number).map(|(_, kind)| *kind);
    let dtype = match (kind, descr.itemsize()) {
        (Some('b'), _) => Some(DType::Bool),
        (Some('i'), 1) => Some(DType::I8),
        (Some('i'), 2) => Some(DType::I16),
        (Some('i'), 4) => Some(DType::I32),
        (Some('i'), 8) => Some(DType::I64),
        (Some('u'), 1) => Some(DType::U8),
        (Some('u'), 2) => Some(DType::U16),
        (Some('u'), 4) => Some(DType::U32),
        (Some('u'), 8) => Some(DType::U64),
        (Some('f'), 2) => Some(DType::F16),
        (Some('f'), 4) => Some(DType::F32),
        (Some('f'), 8) => Some(DType::F64),
        (Some('c'), 8) => Some(DType::C64),
        (Some('c'), 16) => Some(DType::C128),
        // The types of other packages have numbers that are given at import.
        _ => {
            let name: String = descr.getattr("name")?.extract()?;
            DType::ALL.into_iter().find(|dtype| dtype.row().long == name)
        }
    };
    match dtype {
        None => {
            let name: String = descr.str()?.extract()?;
            Err(PyTypeError::new_err(format!("arr has no dtype {name}")))
        }
        Some(_) if !descr.is_native_byteorder().unwrap_or(true) => Ok(None),
        found => Ok(found),
    }
}

/// The dtype of NumPy.
pub(crate) fn descr(py: Python<'_>, dtype: DType) -> PyResult<Bound<'_, PyArrayDescr>> {
    let number = match dtype {
        DType::Bool => NPY_TYPES::NPY_BOOL,
        DType::I8 => NPY_TYPES::NPY_BYTE,
        DType::I16 => NPY_TYPES::NPY_SHORT,
        DType::I32 => NPY_TYPES::NPY_INT,
        DType::I64 => NPY_TYPES::NPY_LONG,
        DType::U8 => NPY_TYPES::NPY_UBYTE,
        DType::U16 => NPY_TYPES::NPY_USHORT,
        DType::U32 => NPY_TYPES::NPY_UINT,
        DType::U64 => NPY_TYPES::NPY_ULONG,
        DType::F16 => NPY_TYPES::NPY_HALF,
        DType::F32 => NPY_TYPES::NPY_FLOAT,
        DType::F64 => NPY_TYPES::NPY_DOUBLE,
        DType::C64 => NPY_TYPES::NPY_CFLOAT,
        DType::C128 => NPY_TYPES::NPY_CDOUBLE,
        other => return of_package(py, other),
    };
    // SAFETY: NumPy knows its own numbers, and answers a new reference to a dtype.
    unsafe {
        let descr: *mut npyffi::PyArray_Descr = PY_ARRAY_API.PyArray_DescrFromType(py, number as c_int);
        Ok(Bound::from_owned_ptr(py, descr.cast()).cast_into_unchecked())
    }
}

/// A dtype that NumPy has from the package `ml_dtypes`.
fn of_package(py: Python<'_>, dtype: DType) -> PyResult<Bound<'_, PyArrayDescr>> {
    static KNOWN: [PyOnceLock<Py<PyArrayDescr>>; DType::ALL.len()] = [const { PyOnceLock::new() }; DType::ALL.len()];
    let known = KNOWN[dtype as usize].get_or_try_init(py, || {
        let module = py.import("ml_dtypes").map_err(|_| {
            let what = format!("a result is {dtype}, which NumPy has with the package ml_dtypes");
            PyTypeError::new_err(format!("{what}: pip install ml_dtypes"))
        })?;
        Ok::<_, PyErr>(PyArrayDescr::new(py, module.getattr(dtype.row().long)?)?.unbind())
    })?;
    Ok(known.bind(py).clone())
}
