//! dtypes of NumPy and of `arr`, which are the same set but for what `arr` has not.
#![expect(unsafe_code, reason = "NumPy's numbers of types are asked for in C")]

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

/// The kind of each of NumPy's own numbers, and a space for others.
const KIND_BY_NUMBER: [char; 32] = {
    let (mut kinds, mut at) = ([' '; 32], 0);
    while at < KINDS.len() {
        kinds[KINDS[at].0 as usize] = KINDS[at].1;
        at += 1;
    }
    kinds
};

/// The dtype of `arr` that one of NumPy's own numbers has, whatever its order of bytes.
pub(crate) fn of_number(descr: &Bound<'_, PyArrayDescr>) -> Option<DType> {
    let kind = KIND_BY_NUMBER.get(usize::try_from(descr.num()).ok()?)?;
    Some(match (kind, descr.itemsize()) {
        ('b', _) => DType::Bool,
        ('i', 1) => DType::I8,
        ('i', 2) => DType::I16,
        ('i', 4) => DType::I32,
        ('i', 8) => DType::I64,
        ('u', 1) => DType::U8,
        ('u', 2) => DType::U16,
        ('u', 4) => DType::U32,
        ('u', 8) => DType::U64,
        ('f', 2) => DType::F16,
        ('f', 4) => DType::F32,
        ('f', 8) => DType::F64,
        ('c', 8) => DType::C64,
        ('c', 16) => DType::C128,
        _ => return None,
    })
}

/// The dtype of `arr`; `None` for bytes in the order of another machine, which must be copied first.
pub(crate) fn of(descr: &Bound<'_, PyArrayDescr>) -> PyResult<Option<DType>> {
    let dtype = match of_number(descr) {
        Some(dtype) => Some(dtype),
        // The types of other packages have numbers that are given at import.
        None => {
            let name: String = descr.getattr("name")?.extract()?;
            DType::ALL.into_iter().find(|dtype| dtype.row().long == name)
        }
    };
    match dtype {
        None => {
            let name: String = descr.str()?.extract()?;
            let hint = if matches!(descr.kind(), b'M' | b'm') { ": x.view('i8') has its integers" } else { "" };
            Err(PyTypeError::new_err(format!("arr has no dtype {name}{hint}")))
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
