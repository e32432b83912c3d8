//! Numbers of Python's own as the language writes them: weak, as in NumPy.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt};

/// What has no literal; a name, such as `inf`, may be an array of the caller.
const INFINITE: &str = "(1e308*10)";
const IMAGINARY_INFINITE: &str = "(1e308j*10)";

/// A number of Python's own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Number {
    Bool(bool),
    Int(i64),
    /// An integer of more than 64 bits, by its digits.
    Long(String),
    /// By its bits, so that `-0.0` is not `0.0` and not-a-number is itself.
    Float(u64),
    Complex(u64, u64),
}

impl Number {
    /// A number whose type is Python's own, and nothing derived from it.
    pub(crate) fn exact(value: &Bound<'_, PyAny>) -> PyResult<Option<Number>> {
        Ok(Some(match () {
            () if value.is_exact_instance_of::<PyFloat>() => Number::Float(value.extract::<f64>()?.to_bits()),
            () if value.is_exact_instance_of::<PyInt>() => int(value)?,
            () if value.is_exact_instance_of::<PyBool>() => Number::Bool(value.extract()?),
            () if value.is_exact_instance_of::<PyComplex>() => complex(value)?,
            () => return Ok(None),
        }))
    }

    /// Also of a type derived from one of Python's, such as an `IntEnum`; scalars of NumPy are none.
    pub(crate) fn of(value: &Bound<'_, PyAny>) -> PyResult<Option<Number>> {
        if let Some(number) = Number::exact(value)? {
            return Ok(Some(number));
        }
        if crate::arrays::is_scalar(value) {
            return Ok(None);
        }
        Ok(match () {
            () if value.is_instance_of::<PyInt>() => Some(int(value)?),
            () if value.is_instance_of::<PyFloat>() => Some(Number::Float(value.extract::<f64>()?.to_bits())),
            () if value.is_instance_of::<PyComplex>() => Some(complex(value)?),
            () => None,
        })
    }

    /// The text of an expression that is the number.
    pub(crate) fn text(&self) -> String {
        match self {
            Number::Bool(value) => value.to_string(),
            Number::Int(value) => value.to_string(),
            Number::Long(digits) => digits.clone(),
            Number::Float(bits) => float(f64::from_bits(*bits)),
            Number::Complex(re, im) => pair(f64::from_bits(*re), f64::from_bits(*im)),
        }
    }
}

fn int(value: &Bound<'_, PyAny>) -> PyResult<Number> {
    match value.extract::<i64>() {
        Ok(small) => Ok(Number::Int(small)),
        // `str` of an enumeration is its name.
        Err(_) => Ok(Number::Long(value.call_method1("__format__", ("d",))?.extract()?)),
    }
}

fn complex(value: &Bound<'_, PyAny>) -> PyResult<Number> {
    let part = |name| Ok::<u64, PyErr>(value.getattr(name)?.extract::<f64>()?.to_bits());
    Ok(Number::Complex(part("real")?, part("imag")?))
}

fn float(value: f64) -> String {
    match value {
        _ if value.is_nan() => format!("({INFINITE} - {INFINITE})"),
        _ if value.is_infinite() && value > 0.0 => INFINITE.to_owned(),
        _ if value.is_infinite() => format!("-{INFINITE}"),
        _ => format!("{value:?}"),
    }
}

/// A complex number of its parts, bit by bit. `re + im*1j` would multiply an infinite part by 0, and adding 0 turns
/// `-0.0` into `0.0`: so only parts that are not 0 are added to 0, and signs are turned by negation.
fn pair(re: f64, im: f64) -> String {
    let negative = |value: f64| value.is_sign_negative() && !value.is_nan();
    match (re == 0.0, im == 0.0) {
        (true, true) => match (negative(re), negative(im)) {
            (false, false) => "0j".to_owned(),
            (true, true) => "(-0j)".to_owned(),
            (false, true) => "(1j * -0j)".to_owned(),
            (true, false) => "(-(1j * -0j))".to_owned(),
        },
        (true, false) if negative(re) => format!("(-{})", pair(0.0, -im)),
        (true, false) if negative(im) => format!("(0.0 - {})", imaginary(-im)),
        (true, false) => imaginary(im),
        (false, _) if negative(im) => format!("(-{})", pair(-re, -im)),
        (false, _) => format!("({} + {})", float(re), imaginary(im)),
    }
}

/// An imaginary number without a sign.
fn imaginary(value: f64) -> String {
    match value {
        _ if value.is_nan() => format!("({IMAGINARY_INFINITE} - {IMAGINARY_INFINITE})"),
        _ if value.is_infinite() => IMAGINARY_INFINITE.to_owned(),
        _ => format!("{value:?}j"),
    }
}

/// The text of a number of Python's own; `None` for whatever is something else.
#[pyfunction]
pub(crate) fn number_text(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    Ok(Number::of(value)?.map(|number| number.text()))
}
