//! The functions in `f64`.

/// `exp`
#[inline]
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// `exp2`
#[inline]
pub fn exp2(x: f64) -> f64 {
    libm::exp2(x)
}

/// `expm1`
#[inline]
pub fn expm1(x: f64) -> f64 {
    libm::expm1(x)
}

/// `log`
#[inline]
pub fn log(x: f64) -> f64 {
    libm::log(x)
}

/// `log2`
#[inline]
pub fn log2(x: f64) -> f64 {
    libm::log2(x)
}

/// `log10`
#[inline]
pub fn log10(x: f64) -> f64 {
    libm::log10(x)
}

/// `log1p`
#[inline]
pub fn log1p(x: f64) -> f64 {
    libm::log1p(x)
}

/// `sin`
#[inline]
pub fn sin(x: f64) -> f64 {
    libm::sin(x)
}

/// `cos`
#[inline]
pub fn cos(x: f64) -> f64 {
    libm::cos(x)
}

/// `tan`
#[inline]
pub fn tan(x: f64) -> f64 {
    libm::tan(x)
}

/// `asin`
#[inline]
pub fn asin(x: f64) -> f64 {
    libm::asin(x)
}

/// `acos`
#[inline]
pub fn acos(x: f64) -> f64 {
    libm::acos(x)
}

/// `atan`
#[inline]
pub fn atan(x: f64) -> f64 {
    libm::atan(x)
}

/// `sinh`
#[inline]
pub fn sinh(x: f64) -> f64 {
    libm::sinh(x)
}

/// `cosh`
#[inline]
pub fn cosh(x: f64) -> f64 {
    libm::cosh(x)
}

/// `tanh`
#[inline]
pub fn tanh(x: f64) -> f64 {
    libm::tanh(x)
}

/// `asinh`
#[inline]
pub fn asinh(x: f64) -> f64 {
    libm::asinh(x)
}

/// `acosh`
#[inline]
pub fn acosh(x: f64) -> f64 {
    libm::acosh(x)
}

/// `atanh`
#[inline]
pub fn atanh(x: f64) -> f64 {
    libm::atanh(x)
}

/// `cbrt`
#[inline]
pub fn cbrt(x: f64) -> f64 {
    libm::cbrt(x)
}

/// `erf`
#[inline]
pub fn erf(x: f64) -> f64 {
    libm::erf(x)
}

/// `erfc`
#[inline]
pub fn erfc(x: f64) -> f64 {
    libm::erfc(x)
}

/// `gamma`
#[inline]
pub fn gamma(x: f64) -> f64 {
    libm::tgamma(x)
}

/// `lgamma`
#[inline]
pub fn lgamma(x: f64) -> f64 {
    libm::lgamma(x)
}

/// `pow`
#[inline]
pub fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// `atan2`
#[inline]
pub fn atan2(x: f64, y: f64) -> f64 {
    libm::atan2(x, y)
}

/// `hypot`
#[inline]
pub fn hypot(x: f64, y: f64) -> f64 {
    libm::hypot(x, y)
}
