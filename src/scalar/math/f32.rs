//! The functions in `f32`.

/// `exp`
#[inline]
pub fn exp(x: f32) -> f32 {
    libm::expf(x)
}

/// `exp2`
#[inline]
pub fn exp2(x: f32) -> f32 {
    libm::exp2f(x)
}

/// `expm1`
#[inline]
pub fn expm1(x: f32) -> f32 {
    libm::expm1f(x)
}

/// `log`
#[inline]
pub fn log(x: f32) -> f32 {
    libm::logf(x)
}

/// `log2`
#[inline]
pub fn log2(x: f32) -> f32 {
    libm::log2f(x)
}

/// `log10`
#[inline]
pub fn log10(x: f32) -> f32 {
    libm::log10f(x)
}

/// `log1p`
#[inline]
pub fn log1p(x: f32) -> f32 {
    libm::log1pf(x)
}

/// `sin`
#[inline]
pub fn sin(x: f32) -> f32 {
    libm::sinf(x)
}

/// `cos`
#[inline]
pub fn cos(x: f32) -> f32 {
    libm::cosf(x)
}

/// `tan`
#[inline]
pub fn tan(x: f32) -> f32 {
    libm::tanf(x)
}

/// `asin`
#[inline]
pub fn asin(x: f32) -> f32 {
    libm::asinf(x)
}

/// `acos`
#[inline]
pub fn acos(x: f32) -> f32 {
    libm::acosf(x)
}

/// `atan`
#[inline]
pub fn atan(x: f32) -> f32 {
    libm::atanf(x)
}

/// `sinh`
#[inline]
pub fn sinh(x: f32) -> f32 {
    libm::sinhf(x)
}

/// `cosh`
#[inline]
pub fn cosh(x: f32) -> f32 {
    libm::coshf(x)
}

/// `tanh`
#[inline]
pub fn tanh(x: f32) -> f32 {
    libm::tanhf(x)
}

/// `asinh`
#[inline]
pub fn asinh(x: f32) -> f32 {
    libm::asinhf(x)
}

/// `acosh`
#[inline]
pub fn acosh(x: f32) -> f32 {
    libm::acoshf(x)
}

/// `atanh`
#[inline]
pub fn atanh(x: f32) -> f32 {
    libm::atanhf(x)
}

/// `cbrt`
#[inline]
pub fn cbrt(x: f32) -> f32 {
    libm::cbrtf(x)
}

/// `erf`
#[inline]
pub fn erf(x: f32) -> f32 {
    libm::erff(x)
}

/// `erfc`
#[inline]
pub fn erfc(x: f32) -> f32 {
    libm::erfcf(x)
}

/// `gamma`
#[inline]
pub fn gamma(x: f32) -> f32 {
    libm::tgammaf(x)
}

/// `lgamma`
#[inline]
pub fn lgamma(x: f32) -> f32 {
    libm::lgammaf(x)
}

/// `pow`
#[inline]
pub fn pow(x: f32, y: f32) -> f32 {
    libm::powf(x, y)
}

/// `atan2`
#[inline]
pub fn atan2(x: f32, y: f32) -> f32 {
    libm::atan2f(x, y)
}

/// `hypot`
#[inline]
pub fn hypot(x: f32, y: f32) -> f32 {
    libm::hypotf(x, y)
}
