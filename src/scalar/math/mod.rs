//! The transcendental functions, each written once.

pub mod f32;
pub mod f64;

use crate::types::dtype::Element;

/// The floats that functions are computed in.
#[allow(missing_docs, reason = "the table of prims says what each is")]
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
}

macro_rules! floats {
    ($($T:ident $U:ident: $($unary:ident)*; $($binary:ident)*;)*) => {$(
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
            fn $unary(self) -> Self { self::$T::$unary(self) })*
            $(#[inline(always)]
            fn $binary(self, other: Self) -> Self { self::$T::$binary(self, other) })*
        }
    )*};
}

floats! {
    f32 u32: exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh cbrt
        erf erfc gamma lgamma; atan2 hypot;
    f64 u64: exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh cbrt
        erf erfc gamma lgamma; atan2 hypot;
}
