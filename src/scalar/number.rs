//! Arithmetic with one meaning for all dtypes of a kind.
//!
//! The prims of `Domain::Numbers`, `Integers`, `Bits` and `Real` are methods of the traits here: one implementation
//! for integers, one for floats. They are branch-free where that is possible, so that a loop over them vectorises.
//!
//! ```
//! use arrlang::scalar::number::Number;
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
    fn floordiv(self, other: Self) -> Self;
    fn rem(self, other: Self) -> Self;
    fn neg(self) -> Self;
    fn abs(self) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn pow(self, other: Self) -> Self;
}

/// Integers.
#[expect(missing_docs, reason = "the table of prims says what each is")]
pub trait Integer: Number {
    fn shl(self, count: Self) -> Self;
    fn shr(self, count: Self) -> Self;
    fn popcount(self) -> Self;
    fn clz(self) -> Self;
    fn gcd(self, other: Self) -> Self;
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
pub trait Ordered: Element {
    fn eq(self, other: Self) -> Flag;
    fn ne(self, other: Self) -> Flag;
    fn lt(self, other: Self) -> Flag;
    fn le(self, other: Self) -> Flag;
}

macro_rules! integers {
    ($($T:ident $U:ident $divide:ident;)*) => {$(
        impl Number for $T {
            #[inline(always)]
            fn add(self, other: Self) -> Self { self.wrapping_add(other) }
            #[inline(always)]
            fn sub(self, other: Self) -> Self { self.wrapping_sub(other) }
            #[inline(always)]
            fn mul(self, other: Self) -> Self { self.wrapping_mul(other) }
            #[inline(always)]
            fn floordiv(self, other: Self) -> Self {
                // A quotient by zero is computed as one by 1, then dropped.
                let divisor = if other == 0 { 1 } else { other };
                let quotient = divide::$divide!(self, divisor, $T);
                if other == 0 { 0 } else { quotient }
            }
            #[inline(always)]
            fn rem(self, other: Self) -> Self {
                let divisor = if other == 0 { 1 } else { other };
                let quotient = divide::$divide!(self, divisor, $T);
                let rest = self.wrapping_sub(quotient.wrapping_mul(divisor));
                if other == 0 { 0 } else { rest }
            }
            #[inline(always)]
            fn neg(self) -> Self { self.wrapping_neg() }
            #[inline(always)]
            #[allow(unused_comparisons, reason = "the same text for unsigned types")]
            fn abs(self) -> Self { if self < 0 { self.wrapping_neg() } else { self } }
            #[inline(always)]
            fn min(self, other: Self) -> Self { Ord::min(self, other) }
            #[inline(always)]
            fn max(self, other: Self) -> Self { Ord::max(self, other) }
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
        }

        impl Integer for $T {
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
    )*};
}

integers! {
    u8 u8 by_f32; u16 u16 by_f32; u32 u32 by_f64; u64 u64 by_integer;
    i8 u8 by_f32; i16 u16 by_f32; i32 u32 by_f64; i64 u64 by_integer;
}

macro_rules! floats {
    ($($T:ident $pow:path;)*) => {$(
        impl Number for $T {
            #[inline(always)]
            fn add(self, other: Self) -> Self { self + other }
            #[inline(always)]
            fn sub(self, other: Self) -> Self { self - other }
            #[inline(always)]
            fn mul(self, other: Self) -> Self { self * other }
            #[inline(always)]
            fn floordiv(self, other: Self) -> Self { divide::$T::floordiv(self, other) }
            #[inline(always)]
            fn rem(self, other: Self) -> Self { divide::$T::rem(self, other) }
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
            #[inline(always)]
            fn pow(self, exponent: Self) -> Self { $pow(self, exponent) }
        }
    )*};
}

floats! { f32 super::math::power::powf; f64 super::math::power::pow; }

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

macro_rules! ordered {
    ($($T:ty, |$x:ident| $key:expr;)*) => {$(
        impl Ordered for $T {
            #[inline(always)]
            fn eq(self, other: Self) -> Flag { let key = |$x: Self| $key; Flag(u8::from(key(self) == key(other))) }
            #[inline(always)]
            fn ne(self, other: Self) -> Flag { let key = |$x: Self| $key; Flag(u8::from(key(self) != key(other))) }
            #[inline(always)]
            fn lt(self, other: Self) -> Flag { let key = |$x: Self| $key; Flag(u8::from(key(self) < key(other))) }
            #[inline(always)]
            fn le(self, other: Self) -> Flag { let key = |$x: Self| $key; Flag(u8::from(key(self) <= key(other))) }
        }
    )*};
}

ordered! {
    Flag, |x| x.0;
    u8, |x| x; u16, |x| x; u32, |x| x; u64, |x| x;
    i8, |x| x; i16, |x| x; i32, |x| x; i64, |x| x;
    f32, |x| x; f64, |x| x;
}

/// Small floats are compared as their values.
impl<T: SmallFloat> Ordered for T {
    #[inline(always)]
    fn eq(self, other: Self) -> Flag {
        Ordered::eq(self.widen(), other.widen())
    }
    #[inline(always)]
    fn ne(self, other: Self) -> Flag {
        Ordered::ne(self.widen(), other.widen())
    }
    #[inline(always)]
    fn lt(self, other: Self) -> Flag {
        Ordered::lt(self.widen(), other.widen())
    }
    #[inline(always)]
    fn le(self, other: Self) -> Flag {
        Ordered::le(self.widen(), other.widen())
    }
}
