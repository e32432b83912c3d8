//! Arithmetic with one meaning for all dtypes of a kind.
//!
//! The prims of `Domain::Numbers`, `Integers`, `Bits` and `Real` are methods of the traits here, and those of `Floats`
//! that are no functions: one implementation for integers, one for floats. They are branch-free where that is
//! possible, so that a loop over them vectorises.
//!
//! ```
//! use arrlang::scalar::number::{Integer, Number};
//! assert_eq!(i8::floordiv(-7, 2), -4);
//! assert_eq!(i8::floordiv(i8::MIN, -1), i8::MIN);
//! assert!(Number::min(0f32, -0.0).is_sign_negative());
//! ```

use super::convert::SmallFloat;
use super::divide;
use crate::types::dtype::{Element, Flag};

/// Integers and full floats: the dtypes that arithmetic is done in.
#[expect(missing_docs, reason = "the table of prims says what each is")]
pub trait Number: Element {
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn neg(self) -> Self;
    fn abs(self) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
}

/// Integers.
#[expect(missing_docs, reason = "the table of prims says what each is")]
pub trait Integer: Number {
    fn floordiv(self, other: Self) -> Self;
    fn rem(self, other: Self) -> Self;
    fn pow(self, other: Self) -> Self;
    fn shl(self, count: Self) -> Self;
    fn shr(self, count: Self) -> Self;
    fn popcount(self) -> Self;
    fn clz(self) -> Self;
    fn gcd(self, other: Self) -> Self;
}

/// Full floats.
#[expect(missing_docs, reason = "the table of prims says what each is")]
pub trait Float: Number {
    fn div(self, other: Self) -> Self;
    fn sqrt(self) -> Self;
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
    fn trunc(self) -> Self;
    fn round(self) -> Self;
    fn copysign(self, sign: Self) -> Self;
    fn fma(self, factor: Self, term: Self) -> Self;
    fn nextafter(self, towards: Self) -> Self;
}

/// Integers and truth values, bit by bit.
#[expect(missing_docs, reason = "the table of prims says what each is")]
pub trait Bits: Element {
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn not(self) -> Self;
}

/// Everything that has an order.
#[expect(missing_docs, reason = "the table of prims says what each is")]
pub trait OrderedElement: Element {
    type Key: PartialOrd;
    /// What is compared.
    fn key(self) -> Self::Key;
    #[inline(always)]
    fn eq(self, other: Self) -> Flag {
        Flag(u8::from(self.key() == other.key()))
    }
    #[inline(always)]
    fn ne(self, other: Self) -> Flag {
        Flag(u8::from(self.key() != other.key()))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> Flag {
        Flag(u8::from(self.key() < other.key()))
    }
    #[inline(always)]
    fn le(self, other: Self) -> Flag {
        Flag(u8::from(self.key() <= other.key()))
    }
}

macro_rules! integers {
    ($($T:ident $U:ident, |$a:ident, $b:ident| $quotient:expr;)*) => {$(
        impl Number for $T {
            #[inline(always)]
            fn add(self, other: Self) -> Self { self.wrapping_add(other) }
            #[inline(always)]
            fn sub(self, other: Self) -> Self { self.wrapping_sub(other) }
            #[inline(always)]
            fn mul(self, other: Self) -> Self { self.wrapping_mul(other) }
            #[inline(always)]
            fn neg(self) -> Self { self.wrapping_neg() }
            #[inline(always)]
            #[allow(unused_comparisons, reason = "the same text for unsigned types")]
            fn abs(self) -> Self { if self < 0 { self.wrapping_neg() } else { self } }
            #[inline(always)]
            fn min(self, other: Self) -> Self { Ord::min(self, other) }
            #[inline(always)]
            fn max(self, other: Self) -> Self { Ord::max(self, other) }
        }

        impl Integer for $T {
            #[inline(always)]
            fn floordiv(self, other: Self) -> Self {
                // A quotient by zero is computed as one by 1, then dropped.
                let divisor = if other == 0 { 1 } else { other };
                let quotient = { let ($a, $b) = (self, divisor); $quotient };
                if other == 0 { 0 } else { quotient }
            }
            #[inline(always)]
            fn rem(self, other: Self) -> Self {
                let divisor = if other == 0 { 1 } else { other };
                let quotient = { let ($a, $b) = (self, divisor); $quotient };
                let rest = self.wrapping_sub(quotient.wrapping_mul(divisor));
                if other == 0 { 0 } else { rest }
            }
            #[inline(always)]
            #[allow(unused_comparisons, reason = "the same text for unsigned types")]
            fn pow(self, exponent: Self) -> Self {
                // Squaring for every bit of the exponent, used or not: the same steps for every element.
                let (mut result, mut square) = (1 as $T, self);
                for bit in 0..$T::BITS {
                    let factor = if exponent >> bit & 1 != 0 { square } else { 1 };
                    result = result.wrapping_mul(factor);
                    square = square.wrapping_mul(square);
                }
                // 1 and -1 have inverses; the inverse of anything else truncates to 0, and so does that of 0.
                let minus_one = (0 as $T).wrapping_sub(1);
                let odd = exponent & 1 != 0;
                let of_minus_one = if odd { minus_one } else { 1 };
                let inverse = if self == 1 { 1 } else if self == minus_one { of_minus_one } else { 0 };
                if exponent < 0 { inverse } else { result }
            }
            #[inline(always)]
            fn shl(self, count: Self) -> Self {
                let inside = (count as $U) < $T::BITS as $U;
                if inside { self.wrapping_shl(count as u32) } else { 0 }
            }
            #[inline(always)]
            fn shr(self, count: Self) -> Self {
                // Shifting by one less than the width leaves the sign, or the top bit, which an unsigned type drops.
                let inside = (count as $U) < $T::BITS as $U;
                let count = if inside { count as u32 } else { $T::BITS - 1 };
                let shifted = self.wrapping_shr(count);
                if inside || $T::MIN != 0 { shifted } else { 0 }
            }
            #[inline(always)]
            fn popcount(self) -> Self { self.count_ones() as $T }
            #[inline(always)]
            fn clz(self) -> Self { self.leading_zeros() as $T }
            #[inline]
            fn gcd(self, other: Self) -> Self {
                // Euclid on absolute values; that of the least integer wraps back to it.
                let (mut a, mut b) = (Number::abs(self) as $U, Number::abs(other) as $U);
                while b != 0 {
                    (a, b) = (b, a % b);
                }
                a as $T
            }
        }

        impl Bits for $T {
            #[inline(always)]
            fn and(self, other: Self) -> Self { self & other }
            #[inline(always)]
            fn or(self, other: Self) -> Self { self | other }
            #[inline(always)]
            fn xor(self, other: Self) -> Self { self ^ other }
            #[inline(always)]
            fn not(self) -> Self { !self }
        }

        impl OrderedElement for $T {
            type Key = $T;
            #[inline(always)]
            fn key(self) -> $T { self }
        }
    )*};
}

integers! {
    u8 u8, |a, b| divide::by_f32(f32::from(a), f32::from(b)) as u8;
    u16 u16, |a, b| divide::by_f32(f32::from(a), f32::from(b)) as u16;
    u32 u32, |a, b| divide::by_f64(f64::from(a), f64::from(b)) as u32;
    u64 u64, |a, b| a / b;
    i8 u8, |a, b| divide::by_f32(f32::from(a), f32::from(b)) as i8;
    i16 u16, |a, b| divide::by_f32(f32::from(a), f32::from(b)) as i16;
    i32 u32, |a, b| divide::by_f64(f64::from(a), f64::from(b)) as i32;
    i64 u64, |a, b| divide::by_integer(a, b);
}

macro_rules! floats {
    ($($T:ident $U:ident;)*) => {$(
        impl Number for $T {
            #[inline(always)]
            fn add(self, other: Self) -> Self { self + other }
            #[inline(always)]
            fn sub(self, other: Self) -> Self { self - other }
            #[inline(always)]
            fn mul(self, other: Self) -> Self { self * other }
            #[inline(always)]
            fn neg(self) -> Self { -self }
            #[inline(always)]
            fn abs(self) -> Self { $T::from_bits($T::to_bits(self) & $T::to_bits(-0.0) - 1) }
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                // Equal values differ in nothing but the sign of zero: the union of their bits is the lesser.
                let equal = $T::from_bits($T::to_bits(self) | $T::to_bits(other));
                let least = if self < other { self } else if self > other { other } else { equal };
                if self.is_nan() || other.is_nan() { self + other } else { least }
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                let equal = $T::from_bits($T::to_bits(self) & $T::to_bits(other));
                let most = if self > other { self } else if self < other { other } else { equal };
                if self.is_nan() || other.is_nan() { self + other } else { most }
            }
        }

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
        }

        impl OrderedElement for $T {
            type Key = $T;
            #[inline(always)]
            fn key(self) -> $T { self }
        }
    )*};
}

floats! { f32 u32; f64 u64; }

impl Bits for Flag {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Flag(self.0 & other.0)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Flag(self.0 | other.0)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Flag(self.0 ^ other.0)
    }
    #[inline(always)]
    fn not(self) -> Self {
        Flag(self.0 ^ 1)
    }
}

impl OrderedElement for Flag {
    type Key = u8;
    #[inline(always)]
    fn key(self) -> u8 {
        self.0
    }
}

/// Small floats are compared as their values.
impl<T: SmallFloat> OrderedElement for T {
    type Key = f32;
    #[inline(always)]
    fn key(self) -> f32 {
        self.widen()
    }
}
