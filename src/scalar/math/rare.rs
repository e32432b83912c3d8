//! The functions that are computed one element at a time, by a crate in pure Rust.
//!
//! In `f32` they are computed in `f64` and rounded once. In `f64` the angles are within one representable value, the
//! inverse hyperbolic functions within two, `erfc` within four; `gamma` is good to about four bits less than the
//! format has, and `lgamma` is that good except next to its zeros between the poles.
//!
//! ```
//! use arrlang::scalar::math::rare::gamma;
//! assert_eq!(gamma(5.0), 24.0);
//! ```

/// The inverse sine.
#[inline]
pub fn asin(x: f64) -> f64 {
    libm::asin(x)
}

/// The inverse sine.
#[inline]
pub fn asinf(x: f32) -> f32 {
    asin(f64::from(x)) as f32
}

/// The inverse cosine.
#[inline]
pub fn acos(x: f64) -> f64 {
    libm::acos(x)
}

/// The inverse cosine.
#[inline]
pub fn acosf(x: f32) -> f32 {
    acos(f64::from(x)) as f32
}

/// The inverse tangent.
#[inline]
pub fn atan(x: f64) -> f64 {
    libm::atan(x)
}

/// The inverse tangent.
#[inline]
pub fn atanf(x: f32) -> f32 {
    atan(f64::from(x)) as f32
}

/// The inverse hyperbolic sine.
#[inline]
pub fn asinh(x: f64) -> f64 {
    libm::asinh(x)
}

/// The inverse hyperbolic sine.
#[inline]
pub fn asinhf(x: f32) -> f32 {
    asinh(f64::from(x)) as f32
}

/// The inverse hyperbolic cosine.
#[inline]
pub fn acosh(x: f64) -> f64 {
    // `libm` forgets that large negative numbers are outside.
    if x < 1.0 { f64::NAN } else { libm::acosh(x) }
}

/// The inverse hyperbolic cosine.
#[inline]
pub fn acoshf(x: f32) -> f32 {
    acosh(f64::from(x)) as f32
}

/// The inverse hyperbolic tangent.
#[inline]
pub fn atanh(x: f64) -> f64 {
    libm::atanh(x)
}

/// The inverse hyperbolic tangent.
#[inline]
pub fn atanhf(x: f32) -> f32 {
    atanh(f64::from(x)) as f32
}

/// The complement of the error function.
#[inline]
pub fn erfc(x: f64) -> f64 {
    libm::erfc(x)
}

/// The complement of the error function.
#[inline]
pub fn erfcf(x: f32) -> f32 {
    erfc(f64::from(x)) as f32
}

/// The gamma function.
#[inline]
pub fn gamma(x: f64) -> f64 {
    libm::tgamma(x)
}

/// The gamma function.
#[inline]
pub fn gammaf(x: f32) -> f32 {
    gamma(f64::from(x)) as f32
}

/// The logarithm of the absolute value of the gamma function.
#[inline]
pub fn lgamma(x: f64) -> f64 {
    libm::lgamma(x)
}

/// The logarithm of the absolute value of the gamma function.
#[inline]
pub fn lgammaf(x: f32) -> f32 {
    lgamma(f64::from(x)) as f32
}

/// The angle of the point `(x, y)`.
#[inline]
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// The angle of the point `(x, y)`.
#[inline]
pub fn atan2f(y: f32, x: f32) -> f32 {
    atan2(f64::from(y), f64::from(x)) as f32
}
