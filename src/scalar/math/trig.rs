//! The trigonometric functions.
//!
//! `x = n pi/2 + r` with `|r| <= pi/4`, then a polynomial in `r^2` for the sine and one for the cosine. Up to
//! `LIMIT` the multiple of pi/2 is subtracted in three parts; beyond, the product with 2/pi is computed from as
//! many of its digits as matter (`huge`). Both give `r` as a sum of two floats. Sine and cosine of `f32` do the same in
//! `f32`, up to a smaller limit.
//!
//! The polynomials interpolate at Chebyshev nodes, computed with 60 digits.
//!
//! ```
//! use arrlang::scalar::math::{lanes::apply, trig::{Cos, Sin}};
//! assert_eq!(apply::<Sin, f64, f64>(1e22), -0.8522008497671888);
//! assert_eq!(apply::<Cos, f64, f64>(0.0), 1.0);
//! ```

use super::lanes::{Function, Lanes, Single, constant, polynomial};
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// The greatest argument of the fast reduction: its multiples of pi/2 have 20 bits.
pub(crate) const LIMIT: f64 = 1_600_000.0;
/// `1.5 * 2^52`.
pub(crate) const ROUND: f64 = 6_755_399_441_055_744.0;
/// pi/2 as a sum. The first part has 33 bits, so that its product with 20 bits is exact.
pub(crate) const PI_2: [f64; 3] = [1.5707963267341256, 6.077100506506192e-11, 3.5215598651832e-27];
/// pi/2 in full precision, and the rest.
pub(crate) const PI_2_LOW: f64 = 6.123233995736766e-17;
/// `(sin r - r) / r^3` in `r^2`, to 2^-55.6 of the sine.
const SIN: [f64; 6] = [
    -0.16666666666666666,
    0.008333333333330936,
    -0.00019841269836740527,
    2.7557316093196066e-06,
    -2.5051129895962807e-08,
    1.5917988944318716e-10,
];
/// `(cos r - 1 + r^2 / 2) / r^4` in `r^2`, to 2^-60.2.
const COS: [f64; 6] = [
    0.041666666666666664,
    -0.0013888888888887389,
    2.48015872987544e-05,
    -2.7557317265876615e-07,
    2.087614504910828e-09,
    -1.1382544623404291e-11,
];
/// `(sin r - r) / r^3` in `r^2`, to 2^-35.9 of the sine.
const SIN_SINGLE: [f64; 4] = [-0.16666666663844046, 0.008333331870340256, -0.00019840084375832671, 2.7249620003645e-06];
/// `(cos r - 1 + r^2 / 2) / r^4` in `r^2`, to 2^-30.4.
const COS_SINGLE: [f64; 3] = [0.04166666465348729, -0.0013888301867270142, 2.4547689709382208e-05];

/// 2/pi in binary, after a word of zeros: the first bit of the second word stands for 1/2.
pub(crate) const DIGITS: [u64; 21] = [
    0,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
    0xf0cfbc209af4361d,
];

/// The reduction of a large finite number, after Payne and Hanek.
///
/// With `x = m 2^e`, digits of 2/pi that stand for more than `2^(2-e)` contribute whole turns and are skipped; of the
/// next 192 the product with `m` is computed modulo a whole turn. No float is closer to a multiple of pi/2 than about
/// 2^-62, so at least 64 bits of the fraction are good.
#[cold]
#[inline(never)]
fn huge(x: f64) -> (u64, f64, f64) {
    if !x.is_finite() {
        return (0, f64::NAN, f64::NAN);
    }
    let bits = x.to_bits();
    let m = (bits & 0x000f_ffff_ffff_ffff) | 0x0010_0000_0000_0000;
    let e = ((bits >> 52) & 0x7ff) as i64 - 1075;
    let start = (e - 2 + 64) as usize;
    let word = |i: usize| {
        let (index, shift) = (start / 64 + i, start % 64);
        let next = DIGITS.get(index + 1).copied().unwrap_or(0);
        let high = DIGITS[index] << shift;
        if shift == 0 { high } else { high | next >> (64 - shift) }
    };
    let product = |i| u128::from(m) * u128::from(word(i));
    let low = product(2);
    let middle = product(1) + (low >> 64);
    let high = m.wrapping_mul(word(0)).wrapping_add((middle >> 64) as u64);
    let low = low as u64;
    let middle = middle as u64;
    // Two bits of quarter turns, then the fraction of one, as a signed number.
    let quarters = high >> 62;
    let fraction = u128::from(high << 2 | middle >> 62) << 64 | u128::from(middle << 2 | low >> 62);
    let fraction = fraction as i128;
    let quarters = quarters.wrapping_add(u64::from(fraction < 0));
    let first = fraction as f64;
    let second = (fraction - first as i128) as f64;
    let scale = 2f64.powi(-128);
    let (first, second) = (first * scale, second * scale);
    let r = first * FRAC_PI_2;
    let rest = first.mul_add(FRAC_PI_2, -r) + first.mul_add(PI_2_LOW, second * FRAC_PI_2);
    if x < 0.0 { (quarters.wrapping_neg(), -r, -rest) } else { (quarters, r, rest) }
}

/// The sine of `r + rest`, as a sum.
#[inline(always)]
pub(super) fn sin_kernel<L: Lanes<Number = f64>>(r: L, rest: L) -> (L, L) {
    let z = r.mul(r);
    let less = z.fma(L::splat(-0.5), L::splat(1.0));
    (r, z.mul(r).fma(polynomial(z, &SIN), rest.mul(less)))
}

/// The cosine of `r + rest`, as a sum.
#[inline(always)]
pub(super) fn cos_kernel<L: Lanes<Number = f64>>(r: L, rest: L) -> (L, L) {
    let (z, one, half) = (r.mul(r), L::splat(1.0), L::splat(0.5));
    let high = z.fnma(half, one);
    let square_low = r.fma(r, L::splat(0.0).sub(z));
    let low = square_low.fnma(half, z.fnma(half, one.sub(high)));
    (high, z.mul(z).fma(polynomial(z, &COS), r.fnma(rest, low)))
}

/// The sine of `r + rest` after as many quarter turns as the last bits of `turns` say.
#[inline(always)]
pub(crate) fn sine_after_turns<L: Lanes<Number = f64>>(turns: L, r: L, rest: L) -> L {
    let ((sin, sin_low), (cos, cos_low)) = (sin_kernel(r, rest), cos_kernel(r, rest));
    L::choose(turns.odd(), cos.add(cos_low), sin.add(sin_low)).turned(turns)
}

/// The sum of two parts as two other parts: the first part holds all but the last bits.
#[inline(always)]
fn sum<L: Lanes>((high, low): (L, L)) -> (L, L) {
    let sum = high.add(low);
    (sum, high.sub(sum).add(low))
}

/// The tangent of `r + rest`, or where it is odd that of a quarter turn more.
#[inline(always)]
pub(crate) fn tan_turned<L: Lanes<Number = f64>>(odd: L::Mask, r: L, rest: L) -> L {
    let (sin, cos) = (sum(sin_kernel(r, rest)), sum(cos_kernel(r, rest)));
    let either = |yes: (L, L), no: (L, L)| (L::choose(odd, yes.0, no.0), L::choose(odd, yes.1, no.1));
    let ((above, above_low), (below, below_low)) = (either(cos, sin), either(sin, cos));
    let inverse = L::splat(1.0).div(below);
    let quotient = above.mul(inverse);
    let lost = quotient.fnma(below, above).add(quotient.fnma(below_low, above_low));
    let value = lost.fma(inverse, quotient);
    L::choose(odd, L::splat(0.0).sub(value), value)
}

/// The tangent.
#[derive(Clone, Copy, Debug)]
pub struct Tan;

impl Function<f64> for Tan {
    const GUARDED: bool = true;
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let (turns, r, rest) = reduced(x, &DOUBLE);
        let value = tan_turned(turns.odd(), r, rest);
        // The square of what is this small has no bits left, and must not vanish from the quotient's correction.
        L::choose(x.abs().less(L::splat(1e-9)), x, value)
    }
    #[inline(always)]
    fn is_slow<L: Lanes<Number = f64>>(x: L) -> Option<L::Mask> {
        Some(x.abs().outside(L::splat(LIMIT)))
    }
    #[inline(always)]
    fn patch<L: Lanes<Number = f64>>(x: L, _: L) -> L {
        x.each(|x| if x.abs() < LIMIT { Tan::fast(x) } else { huge_tan(x) })
    }
}

/// The tangent of a large number.
#[inline(never)]
fn huge_tan(x: f64) -> f64 {
    let (quarters, r, rest) = huge(x);
    tan_turned(quarters & 1 != 0, r, rest)
}

impl Function<f64> for Single<Tan> {
    const GUARDED: bool = true;
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let shifted = x.fma(L::splat(FRAC_2_PI), L::splat(ROUND));
        let n = shifted.sub(L::splat(ROUND));
        let r = n.fnma(L::splat(PI_2[1]), n.fnma(L::splat(PI_2[0]), x));
        let z = r.mul(r);
        let sin = z.mul(r).fma(polynomial(z, &SIN_SINGLE), r);
        let cos = z.mul(z).fma(polynomial(z, &COS_SINGLE), z.fma(L::splat(-0.5), L::splat(1.0)));
        let odd = shifted.odd();
        let value = L::choose(odd, L::splat(0.0).sub(cos), sin).div(L::choose(odd, sin, cos));
        // Of -0 as well.
        L::choose(x.abs().less(L::splat(1e-40)), x, value)
    }
    #[inline(always)]
    fn is_slow<L: Lanes<Number = f64>>(x: L) -> Option<L::Mask> {
        Tan::is_slow(x)
    }
    #[inline(always)]
    fn patch<L: Lanes<Number = f64>>(x: L, _: L) -> L {
        x.each(|x| if x.abs() < LIMIT { Self::fast(x) } else { huge_tan(x) })
    }
}

#[inline(always)]
fn reduce_single(x: f64) -> (u64, f64) {
    let shifted = x.mul_add(FRAC_2_PI, ROUND);
    let n = shifted - ROUND;
    (shifted.to_bits(), (-n).mul_add(PI_2[1], (-n).mul_add(PI_2[0], x)))
}

/// The sine of `r` after as many quarter turns as the last bits of `turns` say, with as many digits as an `f32` needs.
#[inline(always)]
pub(crate) fn turned_single<L: Lanes<Number = f64>>(turns: L, r: L) -> L {
    let z = r.mul(r);
    let sin = z.mul(r).fma(polynomial(z, &SIN_SINGLE), r);
    let cos = z.mul(z).fma(polynomial(z, &COS_SINGLE), L::splat(-0.5).fma(z, L::splat(1.0)));
    L::choose(turns.odd(), cos, sin).turned(turns)
}

/// The greatest argument for which the reduction in `f32` holds.
const LIMIT_SINGLE: f32 = 100_000.0;
/// pi/2 as a sum of floats, the third negated.
const TURN: [f64; 3] = [FRAC_PI_2, 6.123233995736766e-17, 1.4973849048591833e-33];
const TURN_SINGLE: [f32; 3] = [std::f32::consts::FRAC_PI_2, -4.371139e-08, 1.7151245e-15];
/// `(sin r - r) / r^3` in `r^2`, to 2^-26.3, and `(cos r - 1 + r^2 / 2) / r^4`, to 2^-30.4.
const SIN_SHORT: [f32; 3] = [-0.16666664, 0.008332725, -0.0001958283];
const COS_SHORT: [f32; 3] = [0.041666664, -0.0013888279, 2.454287e-05];
/// `1.5 * 2^23`.
const ROUND_SINGLE: f32 = 12_582_912.0;

/// The sine.
#[derive(Clone, Copy, Debug)]
pub struct Sin;

/// The cosine.
#[derive(Clone, Copy, Debug)]
pub struct Cos;

/// What sines know of `f32` or `f64`.
struct SineTables<T, const N: usize> {
    /// 2/pi.
    inverse: T,
    /// What leaves an integer in the last bits.
    round: T,
    turn: [T; 3],
    sin: [T; N],
    cos: [T; N],
}

const DOUBLE: SineTables<f64, 6> = SineTables { inverse: FRAC_2_PI, round: ROUND, turn: TURN, sin: SIN, cos: COS };
const SINGLE: SineTables<f32, 3> = SineTables {
    inverse: std::f32::consts::FRAC_2_PI,
    round: ROUND_SINGLE,
    turn: TURN_SINGLE,
    sin: SIN_SHORT,
    cos: COS_SHORT,
};

/// The quarter turns in the last bits, and what is left of `x`, as a sum.
#[inline(always)]
fn reduced<L: Lanes<Number: From<f32>>, const N: usize>(x: L, by: &SineTables<L::Number, N>) -> (L, L, L) {
    let shifted = x.fma(L::splat(by.inverse), L::splat(by.round));
    let n = shifted.sub(L::splat(by.round));
    let [first, second, third] = by.turn.map(L::splat);
    // Exact.
    let x = n.fnma(first, x);
    let r = n.fnma(second, x);
    let small = n.mul(third);
    // What the difference lost: exact where the second part is small beside it.
    let lost = n.fnma(second, x.sub(r)).add(small);
    (shifted, r, L::choose(r.abs().less(constant(0.015625)), small, lost))
}

/// Which wave is wanted: a cosine is the sine of a quarter turn more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wave {
    /// The sine.
    Sine,
    /// The cosine.
    Cosine,
}

/// The sine or the cosine of `x`.
#[inline(always)]
fn reduced_wave<L: Lanes<Number: From<f32>>, const N: usize>(x: L, wave: Wave, by: &SineTables<L::Number, N>) -> L {
    let (shifted, r, rest) = reduced(x, by);
    let z = r.mul(r);
    let sin = r.add(z.mul(r).fma(polynomial(z, &by.sin), rest));
    let cos = z.fma(z.fma(polynomial(z, &by.cos), constant(-0.5)), constant(1.0));
    let turns = match wave {
        Wave::Sine => shifted,
        Wave::Cosine => shifted.add(constant(1.0)),
    };
    L::choose(turns.odd(), cos, sin).turned(turns)
}

/// A float whose sines are computed in its own precision.
pub trait Angle: Lanes<Number = Self, Mask = bool> {
    /// From here on [`Angle::huge`] reduces.
    const LIMIT: Self;
    /// The least normal number.
    const MIN_NORMAL: Self;
    /// The sine or the cosine of `x`, up to the limit.
    fn wave<L: Lanes<Number = Self>>(x: L, wave: Wave) -> L;
    /// The sine of a large number plus `more` quarter turns.
    fn huge(x: Self, more: u64) -> Self;
}

impl Angle for f64 {
    const LIMIT: f64 = LIMIT;
    const MIN_NORMAL: f64 = f64::MIN_POSITIVE;
    #[inline(always)]
    fn wave<L: Lanes<Number = f64>>(x: L, wave: Wave) -> L {
        reduced_wave(x, wave, &DOUBLE)
    }
    #[inline(always)]
    fn huge(x: f64, more: u64) -> f64 {
        huge_double(x, more)
    }
}

impl Angle for f32 {
    const LIMIT: f32 = LIMIT_SINGLE;
    const MIN_NORMAL: f32 = f32::MIN_POSITIVE;
    #[inline(always)]
    fn wave<L: Lanes<Number = f32>>(x: L, wave: Wave) -> L {
        reduced_wave(x, wave, &SINGLE)
    }
    #[inline(always)]
    fn huge(x: f32, more: u64) -> f32 {
        huge_single(x, more)
    }
}

impl<T: Angle> Function<T> for Sin {
    const GUARDED: bool = true;
    #[inline(always)]
    fn fast<L: Lanes<Number = T>>(x: L) -> L {
        // Of -0 as well; so next to 0, where they are the same.
        L::choose(x.abs().less(L::splat(T::MIN_NORMAL)), x, T::wave(x, Wave::Sine))
    }
    #[inline(always)]
    fn is_slow<L: Lanes<Number = T>>(x: L) -> Option<L::Mask> {
        Some(x.abs().outside(L::splat(T::LIMIT)))
    }
    #[inline(always)]
    fn patch<L: Lanes<Number = T>>(x: L, _: L) -> L {
        x.each(|x| if x.abs().less(T::LIMIT) { <Sin as Function<T>>::fast(x) } else { T::huge(x, 0) })
    }
}

impl<T: Angle> Function<T> for Cos {
    const GUARDED: bool = true;
    #[inline(always)]
    fn fast<L: Lanes<Number = T>>(x: L) -> L {
        T::wave(x, Wave::Cosine)
    }
    #[inline(always)]
    fn is_slow<L: Lanes<Number = T>>(x: L) -> Option<L::Mask> {
        Some(x.abs().outside(L::splat(T::LIMIT)))
    }
    #[inline(always)]
    fn patch<L: Lanes<Number = T>>(x: L, _: L) -> L {
        x.each(|x| if x.abs().less(T::LIMIT) { <Cos as Function<T>>::fast(x) } else { T::huge(x, 1) })
    }
}

/// The sine of a large number plus `more` quarter turns.
#[inline(never)]
fn huge_double(x: f64, more: u64) -> f64 {
    let (quarters, r, rest) = huge(x);
    sine_after_turns(f64::from_bits(quarters.wrapping_add(more)), r, rest)
}

/// The sine of a large number plus `more` quarter turns.
#[inline(never)]
fn huge_single(x: f32, more: u64) -> f32 {
    let x = f64::from(x);
    let (quarters, r) = if x.abs() >= LIMIT || x.is_nan() {
        let (quarters, r, _) = huge(x);
        (quarters, r)
    } else {
        reduce_single(x)
    };
    turned_single(f64::from_bits(quarters.wrapping_add(more)), r) as f32
}
