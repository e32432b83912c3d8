//! The functions that are computed one element at a time, by a crate in pure Rust.
//!
//! In `f32` they are computed in `f64` and rounded once. In `f64` the angles are within one representable value, the
//! inverse hyperbolic functions within two.
//!
//! ```
//! use arrlang::scalar::math::rare::atan2;
//! assert_eq!(atan2(1.0, 1.0), std::f64::consts::FRAC_PI_4);
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
