//! Division that rounds down, with its remainders.
//!
//! Narrow integers divide as floats, which is exact and vectorises (no processor divides vectors of integers). Floats
//! follow NumPy's `npy_divmod`: the remainder is exact and has the sign of the divisor, a zero remainder too.
//!
//! ```
//! use arrlang::scalar::{divide::{FloorDiv, Rem}, math::lanes::apply2};
//! assert_eq!((apply2::<FloorDiv, f64>(-7.0, 2.0), apply2::<Rem, f64>(-7.0, 2.0)), (-4.0, 1.0));
//! assert_eq!(apply2::<Rem, f64>(-1.0, f64::INFINITY), f64::INFINITY);
//! ```

use super::math::lanes::{Function2, Lanes, constant};

/// The bits of the floor of a quotient of integers of at most 16 bits, from the lowest on.
///
/// The quotient `a / b`, if no integer, is at least `1 / |b|` away from one, which is more than the rounding error of
/// `|a / b| * 2^-24` as `|a| < 2^17`; so the floor of the rounded quotient is the floor. Adding `1.5 * 2^23` leaves
/// the integer in the low bits, from where it wraps.
#[inline(always)]
pub(super) fn by_f32(a: f32, b: f32) -> u32 {
    ((a / b).floor() + 12_582_912.0).to_bits()
}

/// The same of integers of 32 bits, in `f64`.
#[inline(always)]
pub(super) fn by_f64(a: f64, b: f64) -> u64 {
    ((a / b).floor() + 6_755_399_441_055_744.0).to_bits()
}

/// Floor of a quotient of integers of 64 bits, one at a time.
#[inline(always)]
pub(super) fn by_integer(a: i64, b: i64) -> i64 {
    let quotient = a.wrapping_div(b);
    let rest = a.wrapping_sub(quotient.wrapping_mul(b));
    let down = rest != 0 && (rest ^ b) < 0;
    quotient.wrapping_sub(i64::from(down))
}

/// The quotient rounded down.
#[derive(Clone, Copy, Debug)]
pub struct FloorDiv;

/// The remainder with the divisor's sign.
#[derive(Clone, Copy, Debug)]
pub struct Rem;

/// The remainder with the dividend's sign.
#[derive(Clone, Copy, Debug)]
pub struct Fmod;

/// A float as division sees it: a sign, an exponent and binary digits.
pub trait BinaryDigits: Lanes<Number = Self, Mask = bool> + From<f32> {
    /// How many binary digits there are.
    const DIGITS: u32;
    /// The largest number that has [`BinaryDigits::DIGITS`] digits.
    const MAX_WHOLE: Self;
    /// Infinity.
    const INFINITY: Self;
    /// Not-a-number.
    const NAN: Self;
    /// Its bits, the lowest of the word.
    fn bits(self) -> u64;
    /// The float of these bits.
    fn of_bits(bits: u64) -> Self;
}

impl BinaryDigits for f32 {
    const DIGITS: u32 = f32::MANTISSA_DIGITS;
    const MAX_WHOLE: f32 = 16_777_215.0;
    const INFINITY: f32 = f32::INFINITY;
    const NAN: f32 = f32::NAN;
    #[inline(always)]
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
    #[inline(always)]
    fn of_bits(bits: u64) -> f32 {
        f32::from_bits(bits as u32)
    }
}

impl BinaryDigits for f64 {
    const DIGITS: u32 = f64::MANTISSA_DIGITS;
    const MAX_WHOLE: f64 = 9_007_199_254_740_991.0;
    const INFINITY: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;
    #[inline(always)]
    fn bits(self) -> u64 {
        self.to_bits()
    }
    #[inline(always)]
    fn of_bits(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
}

/// The remainder of `a / b` towards zero: long division in binary.
#[inline(never)]
fn fmod_slow<T: BinaryDigits>(a: T, b: T) -> T {
    let places = T::DIGITS - 1;
    let magnitude = |x: T| x.bits() & (u64::MAX >> (64 - 8 * size_of::<T>() + 1));
    let (a_size, b_size, infinity) = (magnitude(a), magnitude(b), T::INFINITY.bits());
    let sign = a.bits() ^ a_size;
    if a_size >= infinity || b_size > infinity || b_size == 0 {
        return T::NAN;
    }
    if b_size == infinity {
        return a;
    }
    let parts = |bits: u64| {
        let (exponent, fraction) = (bits >> places, bits & ((1 << places) - 1));
        if exponent == 0 { (1, fraction) } else { (exponent as i32, fraction | 1 << places) }
    };
    let ((a_exponent, a_digits), (b_exponent, b_digits)) = (parts(a_size), parts(b_size));
    if a_exponent < b_exponent {
        return a;
    }
    let mut rest = a_digits % b_digits;
    let mut steps = a_exponent - b_exponent;
    while steps > 0 && rest != 0 {
        let now = steps.min(64 - T::DIGITS as i32);
        rest = (rest << now) % b_digits;
        steps -= now;
    }
    // `rest * 2^(b_exponent - 1)` in units of the least subnormal; it has few enough digits to be exact.
    let mut exponent = b_exponent;
    if rest == 0 {
        return T::of_bits(sign);
    }
    while rest >> places == 0 && exponent > 1 {
        rest <<= 1;
        exponent -= 1;
    }
    let normal = rest >> places != 0;
    let field = if normal { (exponent as u64) << places } else { 0 };
    T::of_bits(sign | field | rest & ((1 << places) - 1))
}

/// Where the remainder needs [`fmod_slow`]: the quotient has more digits than a float.
#[inline(always)]
fn long<L: Lanes<Number: BinaryDigits>>(a: L, b: L) -> L::Mask {
    L::splat(<L::Number as BinaryDigits>::MAX_WHOLE).less(a.div(b).abs())
}

/// The remainder of `a / b` towards zero where the quotient is short.
///
/// The rounded quotient, truncated, is right or one too far from zero; both products differ from `a` by less than
/// `|b|`, in steps of the operands' last digits, so the difference is exact.
#[inline(always)]
fn fmod_fast<L: Lanes<Number: BinaryDigits>>(a: L, b: L) -> L {
    let (zero, one): (L, L) = (constant(0.0), constant(1.0));
    let quotient = a.div(b).trunc();
    // An infinite divisor must not meet a quotient of zero.
    let rest = L::choose(quotient.same(zero), a, quotient.fnma(b, a));
    let opposite = rest.mul(one.copysign(a)).less(zero);
    L::choose(opposite, rest.add(b.abs().copysign(a)), rest).copysign(a)
}

/// Floor of the quotient, and the remainder that goes with it, from the remainder towards zero.
#[inline(always)]
pub(crate) fn from_rest<L: Lanes<Number: BinaryDigits>>(a: L, b: L, rest: L) -> (L, L) {
    let (zero, one): (L, L) = (constant(0.0), constant(1.0));
    let opposite = rest.mul(one.copysign(b)).less(zero);
    let quotient = a.sub(rest).div(b);
    let quotient = L::choose(opposite, quotient.sub(one), quotient);
    let moved = L::choose(opposite, rest.add(b), rest);
    let modulus = L::choose(rest.same(zero), zero.copysign(b), moved);
    // The quotient is an integer up to rounding: to the nearest, ties down.
    let floor = quotient.floor();
    let nearest = L::choose(constant::<L>(0.5).less(quotient.sub(floor)), floor.add(one), floor);
    let plain = a.div(b);
    let nearest = L::choose(quotient.same(zero), zero.copysign(plain), nearest);
    let nothing = b.same(zero);
    (L::choose(nothing, plain, nearest), L::choose(nothing, L::splat(<L::Number as BinaryDigits>::NAN), modulus))
}

impl<T: BinaryDigits> Function2<T> for Fmod {
    #[inline(always)]
    fn fast<L: Lanes<Number = T>>(a: L, b: L) -> L {
        fmod_fast(a, b)
    }
    #[inline(always)]
    fn is_slow<L: Lanes<Number = T>>(a: L, b: L) -> Option<L::Mask> {
        Some(long(a, b))
    }
    #[inline(always)]
    fn slow(a: T, b: T) -> T {
        fmod_slow(a, b)
    }
}

impl<T: BinaryDigits> Function2<T> for FloorDiv {
    #[inline(always)]
    fn fast<L: Lanes<Number = T>>(a: L, b: L) -> L {
        from_rest(a, b, fmod_fast(a, b)).0
    }
    #[inline(always)]
    fn is_slow<L: Lanes<Number = T>>(a: L, b: L) -> Option<L::Mask> {
        Some(long(a, b))
    }
    #[inline(always)]
    fn slow(a: T, b: T) -> T {
        from_rest(a, b, fmod_slow(a, b)).0
    }
}

impl<T: BinaryDigits> Function2<T> for Rem {
    #[inline(always)]
    fn fast<L: Lanes<Number = T>>(a: L, b: L) -> L {
        from_rest(a, b, fmod_fast(a, b)).1
    }
    #[inline(always)]
    fn is_slow<L: Lanes<Number = T>>(a: L, b: L) -> Option<L::Mask> {
        Some(long(a, b))
    }
    #[inline(always)]
    fn slow(a: T, b: T) -> T {
        from_rest(a, b, fmod_slow(a, b)).1
    }
}
