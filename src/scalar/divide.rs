//! Division that rounds down, and remainders.
//!
//! Narrow integers divide as floats, which is exact and vectorises (no processor divides vectors of integers). Floats
//! follow NumPy's `npy_divmod`: the remainder is exact and has the sign of the divisor, a zero remainder too.
//!
//! ```
//! use arrlang::scalar::divide::f64::divmod;
//! assert_eq!(divmod(-7.0, 2.0), (-4.0, 1.0));
//! assert_eq!(divmod(-1.0, f64::INFINITY), (-1.0, f64::INFINITY));
//! ```

use super::math::lanes::{Function2, Lanes, apply2};

/// Floor of a quotient of integers of at most 16 bits.
///
/// The quotient `a / b`, if no integer, is at least `1 / |b|` away from one, which is more than the rounding error of
/// `|a / b| * 2^-24` as `|a| < 2^17`; so the floor of the rounded quotient is the floor. Adding `1.5 * 2^23` leaves
/// the integer in the low bits, from where it wraps.
macro_rules! by_f32 {
    ($a:expr, $b:expr, $T:ty) => {
        (($a as f32 / $b as f32).floor() + 12_582_912.0).to_bits() as $T
    };
}

/// Floor of a quotient of integers of 32 bits, in `f64`.
macro_rules! by_f64 {
    ($a:expr, $b:expr, $T:ty) => {
        (($a as f64 / $b as f64).floor() + 6_755_399_441_055_744.0).to_bits() as $T
    };
}

/// Floor of a quotient of integers of 64 bits, one at a time.
macro_rules! by_integer {
    ($a:expr, $b:expr, $T:ty) => {{
        let (a, b): ($T, $T) = ($a, $b);
        let quotient = a.wrapping_div(b);
        let rest = a.wrapping_sub(quotient.wrapping_mul(b));
        let down = rest != 0 && (rest ^ b) >> (<$T>::BITS - 1) != 0 && <$T>::MIN != 0;
        quotient.wrapping_sub(<$T>::from(down))
    }};
}

pub(super) use {by_f32, by_f64, by_integer};

/// The quotient rounded down.
#[derive(Clone, Copy)]
pub struct FloorDiv;

/// The remainder with the divisor's sign.
#[derive(Clone, Copy)]
pub struct Rem;

/// The remainder with the dividend's sign.
#[derive(Clone, Copy)]
pub struct Fmod;

macro_rules! divmod {
    ($T:ident, $U:ident, $digits:expr, $slack:expr) => {
        /// Division of
        #[doc = stringify!($T)]
        /// .
        pub mod $T {
            use super::{FloorDiv, Fmod, Function2, Lanes, Rem, apply2};

            const SIGN: $U = 1 << ($U::BITS - 1);

            /// The remainder of `a / b` towards zero: long division in binary.
            #[inline(never)]
            pub fn fmod_slow(a: $T, b: $T) -> $T {
                if a.is_nan() || b.is_nan() || a.is_infinite() || b == 0.0 {
                    return $T::NAN;
                }
                if b.is_infinite() {
                    return a;
                }
                let parts = |x: $T| {
                    let bits = x.to_bits() & !SIGN;
                    let (exponent, fraction) = (bits >> ($digits - 1), bits & ((1 << ($digits - 1)) - 1));
                    if exponent == 0 { (1, fraction) } else { (exponent as i32, fraction | 1 << ($digits - 1)) }
                };
                let ((a_exponent, a_digits), (b_exponent, b_digits)) = (parts(a), parts(b));
                if a_exponent < b_exponent {
                    return a;
                }
                let mut rest = u64::from(a_digits) % u64::from(b_digits);
                let mut steps = a_exponent - b_exponent;
                while steps > 0 && rest != 0 {
                    let now = steps.min($slack);
                    rest = (rest << now) % u64::from(b_digits);
                    steps -= now;
                }
                // `rest * 2^(b_exponent - 1)` in units of the least subnormal; it has few enough digits to be exact.
                let mut exponent = b_exponent;
                if rest == 0 {
                    return $T::from_bits(a.to_bits() & SIGN);
                }
                while rest >> ($digits - 1) == 0 && exponent > 1 {
                    rest <<= 1;
                    exponent -= 1;
                }
                let normal = rest >> ($digits - 1) != 0;
                let field = if normal { (exponent as $U) << ($digits - 1) } else { 0 };
                let fraction = rest as $U & ((1 << ($digits - 1)) - 1);
                $T::from_bits(a.to_bits() & SIGN | field | fraction)
            }

            /// Where the remainder needs [`fmod_slow`]: the quotient has more digits than a float.
            #[inline(always)]
            fn long<L: Lanes<Number = $T>>(a: L, b: L) -> L::Mask {
                L::splat(((1u64 << $digits) - 1) as $T).less(a.div(b).abs())
            }

            /// The remainder of `a / b` towards zero where the quotient is short.
            ///
            /// The rounded quotient, truncated, is right or one too far from zero; both products differ from `a` by
            /// less than `|b|`, in steps of the operands' last digits, so the difference is exact.
            #[inline(always)]
            fn fmod_fast<L: Lanes<Number = $T>>(a: L, b: L) -> L {
                let (zero, one) = (L::splat(0.0), L::splat(1.0));
                let quotient = a.div(b).trunc();
                // An infinite divisor must not meet a quotient of zero.
                let rest = L::choose(quotient.same(zero), a, quotient.fnma(b, a));
                let opposite = rest.mul(one.copysign(a)).less(zero);
                L::choose(opposite, rest.add(b.abs().copysign(a)), rest).copysign(a)
            }

            /// Floor of the quotient, and the remainder that goes with it, from the remainder towards zero.
            #[inline(always)]
            pub(crate) fn from_rest<L: Lanes<Number = $T>>(a: L, b: L, rest: L) -> (L, L) {
                let (zero, one) = (L::splat(0.0), L::splat(1.0));
                let opposite = rest.mul(one.copysign(b)).less(zero);
                let quotient = a.sub(rest).div(b);
                let quotient = L::choose(opposite, quotient.sub(one), quotient);
                let moved = L::choose(opposite, rest.add(b), rest);
                let modulus = L::choose(rest.same(zero), zero.copysign(b), moved);
                // The quotient is an integer up to rounding: to the nearest, ties down.
                let floor = quotient.floor();
                let nearest = L::choose(L::splat(0.5).less(quotient.sub(floor)), floor.add(one), floor);
                let plain = a.div(b);
                let nearest = L::choose(quotient.same(zero), zero.copysign(plain), nearest);
                let nothing = b.same(zero);
                (L::choose(nothing, plain, nearest), L::choose(nothing, L::splat($T::NAN), modulus))
            }

            /// The remainder of `a / b` towards zero, exact.
            #[inline(always)]
            pub fn fmod(a: $T, b: $T) -> $T {
                apply2::<Fmod, $T>(a, b)
            }

            /// Floor of the quotient, and the remainder that goes with it.
            #[inline(always)]
            pub fn divmod(a: $T, b: $T) -> ($T, $T) {
                from_rest(a, b, fmod(a, b))
            }

            /// Floor of the quotient.
            #[inline(always)]
            pub fn floordiv(a: $T, b: $T) -> $T {
                apply2::<FloorDiv, $T>(a, b)
            }

            /// The remainder with the divisor's sign.
            #[inline(always)]
            pub fn rem(a: $T, b: $T) -> $T {
                apply2::<Rem, $T>(a, b)
            }

            impl Function2<$T> for Fmod {
                #[inline(always)]
                fn easy<L: Lanes<Number = $T>>(a: L, b: L) -> L {
                    fmod_fast(a, b)
                }
                #[inline(always)]
                fn hard<L: Lanes<Number = $T>>(a: L, b: L) -> Option<L::Mask> {
                    Some(long(a, b))
                }
                #[inline(always)]
                fn slow(a: $T, b: $T) -> $T {
                    fmod_slow(a, b)
                }
            }

            impl Function2<$T> for FloorDiv {
                #[inline(always)]
                fn easy<L: Lanes<Number = $T>>(a: L, b: L) -> L {
                    from_rest(a, b, fmod_fast(a, b)).0
                }
                #[inline(always)]
                fn hard<L: Lanes<Number = $T>>(a: L, b: L) -> Option<L::Mask> {
                    Some(long(a, b))
                }
                #[inline(always)]
                fn slow(a: $T, b: $T) -> $T {
                    from_rest(a, b, fmod_slow(a, b)).0
                }
            }

            impl Function2<$T> for Rem {
                #[inline(always)]
                fn easy<L: Lanes<Number = $T>>(a: L, b: L) -> L {
                    from_rest(a, b, fmod_fast(a, b)).1
                }
                #[inline(always)]
                fn hard<L: Lanes<Number = $T>>(a: L, b: L) -> Option<L::Mask> {
                    Some(long(a, b))
                }
                #[inline(always)]
                fn slow(a: $T, b: $T) -> $T {
                    from_rest(a, b, fmod_slow(a, b)).1
                }
            }
        }
    };
}

divmod!(f32, u32, 24, 40);
divmod!(f64, u64, 53, 11);
