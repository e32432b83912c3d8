//! The transcendental functions, each written once.
//!
//! They are straight-line code: the same operations for every element, choices between values rather than branches,
//! so that a loop over them vectorises. Only IEEE operations and explicit fused multiplications are used, so the bits
//! are the same in every build. All but [`gamma`] are written over [`lanes`], numbers or vectors; of others that of
//! `f32` is computed in `f64` and rounded once. Results are within one representable value of the correctly rounded one
//! ([`gamma`] says which are not); special values are those of C's Annex F.
//!
//! ```
//! use arrlang::scalar::math::Float;
//! assert_eq!(Float::exp(1f32), std::f32::consts::E);
//! ```
#![allow(
    clippy::approx_constant,
    clippy::excessive_precision,
    reason = "tables and coefficients have the digits that they were computed with"
)]

pub mod angle;
pub mod erf;
pub mod erfc;
pub mod exp;
pub mod gamma;
pub mod hyperbolic;
pub mod inverse;
pub mod lanes;
pub mod log;
mod pieces;
pub mod power;
pub mod sigmoid;
pub mod trig;

use crate::types::dtype::Element;

/// The floats that functions are computed in.
#[expect(missing_docs, reason = "the table of prims says what each is")]
pub trait Float: Element {
    fn div(self, other: Self) -> Self;
    fn sqrt(self) -> Self;
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
    fn trunc(self) -> Self;
    fn round(self) -> Self;
    fn copysign(self, sign: Self) -> Self;
    fn fma(self, factor: Self, term: Self) -> Self;
    fn nextafter(self, towards: Self) -> Self;
    fn exp(self) -> Self;
    fn exp2(self) -> Self;
    fn expm1(self) -> Self;
    fn log(self) -> Self;
    fn log2(self) -> Self;
    fn log10(self) -> Self;
    fn log1p(self) -> Self;
    fn sin(self) -> Self;
    fn cos(self) -> Self;
    fn tan(self) -> Self;
    fn asin(self) -> Self;
    fn acos(self) -> Self;
    fn atan(self) -> Self;
    fn atan2(self, other: Self) -> Self;
    fn sinh(self) -> Self;
    fn cosh(self) -> Self;
    fn tanh(self) -> Self;
    fn asinh(self) -> Self;
    fn acosh(self) -> Self;
    fn atanh(self) -> Self;
    fn cbrt(self) -> Self;
    fn hypot(self, other: Self) -> Self;
    fn erf(self) -> Self;
    fn erfc(self) -> Self;
    fn gamma(self) -> Self;
    fn lgamma(self) -> Self;
    fn sigmoid(self) -> Self;
    fn gelu(self) -> Self;
}

macro_rules! floats {
    ($($T:ident $U:ident: $($unary:ident $unary_path:path,)*; $($binary:ident $binary_path:path,)*;)*) => {$(
        impl Float for $T {
            #[inline(always)]
            fn div(self, other: Self) -> Self { self / other }
            #[inline(always)]
            fn sqrt(self) -> Self { $T::sqrt(self) }
            #[inline(always)]
            fn floor(self) -> Self { $T::floor(self) }
            #[inline(always)]
            fn ceil(self) -> Self { $T::ceil(self) }
            #[inline(always)]
            fn trunc(self) -> Self { $T::trunc(self) }
            #[inline(always)]
            fn round(self) -> Self { $T::round_ties_even(self) }
            #[inline(always)]
            fn copysign(self, sign: Self) -> Self { $T::copysign(self, sign) }
            #[inline(always)]
            fn fma(self, factor: Self, term: Self) -> Self { $T::mul_add(self, factor, term) }
            #[inline(always)]
            fn nextafter(self, towards: Self) -> Self {
                let (from, to) = ($T::to_bits(self), $T::to_bits(towards));
                let sign = 1 << ($U::BITS - 1);
                let outwards = (self < towards) == (from & sign == 0);
                let step = if outwards { from.wrapping_add(1) } else { from.wrapping_sub(1) };
                let least = (to & sign) | 1;
                let bits = if self == 0.0 { least } else { step };
                let moved = if self == towards { towards } else { $T::from_bits(bits) };
                if self.is_nan() || towards.is_nan() { self + towards } else { moved }
            }
            $(#[inline(always)]
            fn $unary(self) -> Self { $unary_path(self) })*
            $(#[inline(always)]
            fn $binary(self, other: Self) -> Self { $binary_path(self, other) })*
        }
    )*};
}

floats! {
    f32 u32:
        exp exp::expf, exp2 exp::exp2f, expm1 hyperbolic::expm1f, tanh exp::tanhf, sinh hyperbolic::sinhf, cosh hyperbolic::coshf,
        log log::logf, log2 log::log2f, log10 log::log10f, log1p log::log1pf,
        sin trig::sinf, cos trig::cosf, tan trig::tanf,
        cbrt power::cbrtf,
        erf erf::erff, erfc erfc::erfcf, sigmoid sigmoid::sigmoidf, gelu erfc::geluf,
        asin angle::asinf, acos angle::acosf, atan angle::atanf, asinh inverse::asinhf, acosh inverse::acoshf, atanh inverse::atanhf, gamma gamma::gammaf, lgamma gamma::lgammaf,
        ;
        hypot power::hypotf, atan2 angle::atan2f,;
    f64 u64:
        exp exp::exp, exp2 exp::exp2, expm1 hyperbolic::expm1, tanh exp::tanh, sinh hyperbolic::sinh, cosh hyperbolic::cosh,
        log log::log, log2 log::log2, log10 log::log10, log1p log::log1p,
        sin trig::sin, cos trig::cos, tan trig::tan,
        cbrt power::cbrt,
        erf erf::erf, erfc erfc::erfc, sigmoid sigmoid::sigmoid, gelu erfc::gelu,
        asin angle::asin, acos angle::acos, atan angle::atan, asinh inverse::asinh, acosh inverse::acosh, atanh inverse::atanh, gamma gamma::gamma, lgamma gamma::lgamma,
        ;
        hypot power::hypot, atan2 angle::atan2,;
}

/// The polynomial with these coefficients, the constant first.
#[inline(always)]
fn horner<const N: usize>(x: f64, coefficients: &[f64; N]) -> f64 {
    let mut value = coefficients[N - 1];
    for i in (0..N - 1).rev() {
        value = value.mul_add(x, coefficients[i]);
    }
    value
}

#[cfg(test)]
mod tests;
