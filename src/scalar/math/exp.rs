//! Exponentials, and the hyperbolic tangent.
//!
//! `x = n ln 2 + r` with `|r| <= ln 2 / 2`, so `exp x = 2^n exp r`, and `exp r = 1 + r + r^2 phi(r)` with a polynomial
//! `phi`. The leading `1 + r` is kept as a sum of two floats, so that little more than the last rounding is lost.
//!
//! In `f64`, `exp`, `exp2` and `tanh` take `n` in sixteenths, in `f32` in
//! eighths, with the powers of `2^(1/16)` from a table, so that `r` is small and `phi` short. The polynomials of `f64` interpolate at Chebyshev nodes, computed with 60 digits.
//!
//! ```
//! use arrlang::scalar::math::exp::{exp, expm1};
//! assert_eq!(exp(1.0), std::f64::consts::E);
//! assert_eq!(expm1(1e-300), 1e-300);
//! ```

use super::horner;
use super::lanes::{Function, Lanes, Shift, Shifted, apply, paired, polynomial};
use super::pieces;
use std::f64::consts::LOG2_E;

/// `1.5 * 2^52`: added to a small number it leaves the nearest integer in the last bits.
const ROUND: f64 = 6_755_399_441_055_744.0;
/// What [`power`] adds to its exponent.
const BIAS: f64 = 2046.0;
/// ln 2 as a sum. The first part has 42 bits, so that its product with an exponent is exact.
pub(super) const LN2: [f64; 2] = [0.6931471805598903, 5.497923018708371e-14];
/// ln 2 in full precision, and the rest.
const LN2_FULL: [f64; 2] = [std::f64::consts::LN_2, 2.3190468138462996e-17];
/// `(exp r - 1 - r) / r^2` on `|r| <= ln 2 / 2`, to 2^-57.6.
const PHI: [f64; 11] = [
    0.5,
    0.1666666666666667,
    0.04166666666666667,
    0.008333333333326112,
    0.001388888888888373,
    0.0001984126987490126,
    2.4801587325605324e-05,
    2.7557255297969643e-06,
    2.755727357010214e-07,
    2.5105259538448494e-08,
    2.0914717341716378e-09,
];
/// The same to 2^-28.4, for `f32`.
const PHI_SINGLE: [f64; 6] = [
    0.5000000013498178,
    0.16666666681659179,
    0.04166646460202654,
    0.008333310889582076,
    0.0013933685862617174,
    0.00019891030654370327,
];

/// `low` or `high` if `x` is beyond; not-a-number stays.
#[inline(always)]
fn clamp(x: f64, low: f64, high: f64) -> f64 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// The integer next to `x * factor`, and the same plus [`BIAS`] as an integer.
#[inline(always)]
fn nearest(x: f64, factor: f64) -> (f64, u64) {
    let shifted = x.mul_add(factor, ROUND + BIAS);
    (shifted - (ROUND + BIAS), shifted.to_bits() & 0xfff)
}

/// `x * 2^n` for a biased `n`, rounded once: by two factors, as a subnormal power would not do.
#[inline(always)]
fn power(x: f64, biased: u64) -> f64 {
    let half = biased >> 1;
    x * f64::from_bits(half << 52) * f64::from_bits((biased - half) << 52)
}

/// `x` without its multiple of ln 2, as a sum, and the multiple.
#[inline(always)]
fn reduce(x: f64) -> (f64, f64, f64, u64) {
    let (n, biased) = nearest(x, LOG2_E);
    let exact = (-n).mul_add(LN2[0], x);
    let r = (-n).mul_add(LN2[1], exact);
    let rest = (-n).mul_add(LN2[1], exact - r);
    (r, rest, n, biased)
}

/// `exp(x + rest)` for a small `rest`.
#[inline(always)]
pub(super) fn exp_of_sum(x: f64, rest: f64) -> f64 {
    let inside = x.abs() < 800.0;
    let x = clamp(x, -760.0, 720.0);
    let (first, lost, _, biased) = reduce(x);
    let lost = lost + if inside { rest } else { 0.0 };
    let r = first + lost;
    let p = (r * r).mul_add(horner(r, &PHI), (first - r) + lost);
    let high = 1.0 + r;
    power(high + ((1.0 - high) + r + p), biased)
}

/// `2^(i/16)`, and what these floats lack.
const ROOTS: [f64; 16] = [
    1.0,
    1.0442737824274138,
    1.0905077326652577,
    1.1387886347566916,
    1.189207115002721,
    1.241857812073484,
    1.2968395546510096,
    1.3542555469368927,
    1.4142135623730951,
    1.4768261459394993,
    1.5422108254079407,
    1.6104903319492543,
    1.681792830507429,
    1.7562521603732995,
    1.8340080864093424,
    1.9152065613971474,
];
const ROOTS_LOW: [f64; 16] = [
    0.0,
    8.551889705537965e-17,
    -3.046782079812471e-17,
    8.912812676025408e-17,
    3.982015231465646e-17,
    4.658027591836937e-17,
    2.5382502794888315e-17,
    7.70094837980299e-17,
    -9.667293313452913e-17,
    -3.483994556892796e-17,
    7.949834809697621e-17,
    2.4707192569797888e-17,
    8.199010020581497e-17,
    2.960140695448873e-17,
    3.283107224245627e-17,
    -1.0619946056195963e-16,
];
/// ln 2 as a sum. The first part has 38 bits, so that its product with sixteenths of an exponent is exact.
const LN2_SHORT: [f64; 2] = [0.6931471805582987, 1.6465949582897082e-12];
/// `(exp r - 1 - r) / r^2` on `|r| <= ln 2 / 32`, to 2^-55.
const PHI_TINY: [f64; 5] =
    [0.5, 0.16666666665301144, 0.041666666664959766, 0.008333449724528355, 0.0013889034377693012];

/// The same to 2^-64.
const PHI_FINE: [f64; 6] = [
    0.5000000000000001,
    0.16666666666666669,
    0.04166666666359425,
    0.008333333332991954,
    0.001388906347556763,
    0.00019841463826261545,
];

/// `x` as a multiple of ln 2 / 16 and the rest: the multiple in sixteenths.
#[inline(always)]
fn sixteenths<L: Lanes<Number = f64>>(x: L, with: f64) -> (Shifted<L>, L) {
    let by = Shifted::of(x.fma(L::splat(LOG2_E), L::splat(with)), with, f64::PLACES);
    (by, by.n.fnma(L::splat(LN2_SHORT[1]), by.n.fnma(L::splat(LN2_SHORT[0]), x)))
}

/// `exp r` times the power of `2^(1/16)`, without whole powers of two, as a sum: the second part is small.
#[inline(always)]
fn fraction<L: Lanes<Number = f64>>(by: Shifted<L>, r: L) -> (L, L) {
    let square = r.mul(r);
    let p = square.fma(paired(r, square, &PHI_TINY), r);
    let root = by.bits.lookup(0, &ROOTS);
    (root, root.fma(p, by.bits.lookup(0, &ROOTS_LOW)))
}

/// `exp(x + rest)` for a small `rest`, where it is normal.
#[inline(always)]
pub(super) fn exp_of_lanes<L: Lanes<Number = f64>>(x: L, rest: L) -> L {
    let (by, r) = sixteenths(x, f64::PARTS);
    let (root, more) = fraction(by, r.add(rest));
    root.add(more).raise(by)
}

/// `exp(x + rest)` for a small `rest`, as a sum in units of a power of two.
#[inline(always)]
pub(super) fn exp_parts<L: Lanes<Number = f64>>(x: L, rest: L) -> (L, L, Shifted<L>) {
    let (by, r) = sixteenths(x, f64::POWERS);
    let (root, more) = fraction(by, r.add(rest));
    let high = root.add(more);
    (high, root.sub(high).add(more), by)
}

/// The exponential.
#[derive(Clone, Copy)]
pub struct Exp;

impl Function<f64> for Exp {
    #[inline(always)]
    fn easy<L: Lanes<Number = f64>>(x: L) -> L {
        let (by, r) = sixteenths(x.within(-760.0, 720.0), f64::POWERS);
        let (root, more) = fraction(by, r.remainder(1.0));
        root.add(more).scale(by)
    }
}

/// The exponential.
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    apply::<Exp, _, _>(x)
}

/// The power of 2.
#[derive(Clone, Copy)]
pub struct Exp2;

impl Function<f64> for Exp2 {
    #[inline(always)]
    fn easy<L: Lanes<Number = f64>>(x: L) -> L {
        let x = x.within(-1080.0, 1030.0);
        let by = Shifted::of(x.add(L::splat(f64::POWERS)), f64::POWERS, f64::PLACES);
        let (root, more) = fraction(by, x.sub(by.n).mul(L::splat(LN2_FULL[0])).remainder(1.0));
        root.add(more).scale(by)
    }
}

/// The power of 2.
#[inline(always)]
pub fn exp2(x: f64) -> f64 {
    apply::<Exp2, _, _>(x)
}

/// What [`ROOTS`] lack, relative to them.
const ROOTS_REST: [f64; 16] = {
    let mut rest = ROOTS_LOW;
    let mut i = 0;
    while i < 16 {
        rest[i] /= ROOTS[i];
        i += 1;
    }
    rest
};

/// `exp(x) - 1` as a sum, for `x` from 0 up to 700.
#[inline(always)]
fn expm1_sum<L: Lanes<Number = f64>>(x: L) -> (L, L) {
    let (by, r) = sixteenths(x, f64::PARTS);
    let scale = by.bits.lookup(0, &ROOTS).raise(by);
    let square = r.mul(r);
    let p = square.fma(paired(r, square, &PHI_FINE), by.bits.lookup(0, &ROOTS_REST));
    let base = scale.sub(L::splat(1.0));
    let high = scale.fma(r, base);
    // The base is zero or larger than the term, so that what the sum lost is exact.
    let low = scale.fma(p, scale.fma(r, base.sub(high)));
    let sum = high.add(low);
    (sum, high.sub(sum).add(low))
}

/// The hyperbolic tangent: `e / (e + 2)` for `e = exp 2|x| - 1`.
#[derive(Clone, Copy)]
pub struct Tanh;

impl Function<f64> for Tanh {
    #[inline(always)]
    fn easy<L: Lanes<Number = f64>>(x: L) -> L {
        let size = x.abs().at_most(L::splat(20.0));
        let (high, low) = expm1_sum(size.add(size));
        let two = L::splat(2.0);
        let sum = high.add(two);
        // What the sum lost, exactly, as long as it matters.
        let sum_low = high.sub(sum.sub(two)).add(low);
        let inverse = L::splat(1.0).div(sum);
        let quotient = high.mul(inverse);
        let rest = quotient.fnma(sum, high).add(quotient.fnma(sum_low, low));
        rest.fma(inverse, quotient).copysign(x)
    }
}

/// The hyperbolic tangent.
#[inline(always)]
pub fn tanh(x: f64) -> f64 {
    apply::<Tanh, _, _>(x)
}

/// `exp(x) - 1` as a sum, in units of a power of two: 1, or 4 where `exp` would overflow in between.
#[inline(always)]
fn expm1_parts(x: f64) -> (f64, f64, f64) {
    // Just beyond where the hyperbolic functions overflow.
    let x = clamp(x, -50.0, 710.48);
    let (r, rest, n, biased) = reduce(x);
    let p = (r * r).mul_add(horner(r, &PHI), rest);
    let unit = if n > 1000.0 { 4.0 } else { 1.0 };
    let exponent = biased.wrapping_sub(if n > 1000.0 { 1025 } else { 1023 });
    let scale = f64::from_bits(exponent << 52);
    // Beyond 2^53 the 1 is less than the last bit of the power.
    let large = n > 53.0;
    let base = if large { scale } else { scale - 1.0 };
    let term = scale * r;
    let high = base + term;
    // The larger of the two comes first in the exact sum.
    let (first, second) = if base.abs() < term.abs() { (term, base) } else { (base, term) };
    let low = (first - high) + second + scale * p - if large { 1.0 / unit } else { 0.0 };
    let sum = high + low;
    (sum, (high - sum) + low, unit)
}

/// `exp(x) - 1`.
#[inline(always)]
pub fn expm1(x: f64) -> f64 {
    let (value, _, unit) = expm1_parts(x);
    (value * unit).copysign(x)
}

/// The hyperbolic sine: `(e + e / (e + 1)) / 2` for `e = exp|x| - 1`.
#[inline(always)]
pub fn sinh(x: f64) -> f64 {
    let (high, low, unit) = expm1_parts(x.abs());
    let sum = high + 1.0;
    let sum_low = if high > 1.0 { (high - sum) + 1.0 } else { (1.0 - sum) + high } + low;
    let inverse = 1.0 / sum;
    let quotient = high * inverse;
    let rest = (-quotient).mul_add(sum, high) + (low - quotient * sum_low);
    let total = high + quotient;
    let total_low = (high - total) + quotient + low + rest * inverse;
    // Of a large power only half is left, in a unit of its own.
    let small = 0.5 * (total + total_low);
    let large = (0.5 * unit) * (high + low);
    let value = if high > 1e18 { large } else { small };
    (if x.is_infinite() { f64::INFINITY } else { value }).copysign(x)
}

/// The hyperbolic cosine: `(e + 1 / e) / 2` for `e = exp|x|`.
#[inline(always)]
pub fn cosh(x: f64) -> f64 {
    let (high, low, unit) = expm1_parts(x.abs());
    let sum = high + 1.0;
    let sum_low = if high > 1.0 { (high - sum) + 1.0 } else { (1.0 - sum) + high } + low;
    let inverse = 1.0 / sum;
    let rest = (-inverse).mul_add(sum, 1.0) - inverse * sum_low;
    let total = sum + inverse;
    let total_low = (sum - total) + inverse + sum_low + rest * inverse;
    let small = 0.5 * (total + total_low);
    let large = (0.5 * unit) * (high + low);
    let value = if high > 1e18 { large } else { small };
    if x.is_infinite() { f64::INFINITY } else { value }
}

/// `x` without its multiple of ln 2, and the multiple; for `f32`, whose exponents need no care in `f64`.
#[inline(always)]
fn reduce_single(x: f64) -> (f64, u64) {
    let shifted = x.mul_add(LOG2_E, ROUND + 1023.0);
    let n = shifted - (ROUND + 1023.0);
    ((-n).mul_add(LN2_FULL[0], x), (shifted.to_bits() & 0x7ff) << 52)
}

/// `2^(i/8)`, and what these floats lack.
const ROOTS_SINGLE: [f32; 8] = [1.0, 1.0905077, 1.1892071, 1.2968396, 1.4142135, 1.5422108, 1.6817929, 1.8340081];
const ROOTS_SINGLE_LOW: [f32; 8] =
    [0.0, -1.307754e-8, 3.7976353e-8, -4.0189995e-8, 2.4203235e-8, 8.070905e-9, -2.4755327e-8, -1.1239278e-8];
/// ln 2 as a sum.
const LN2_SINGLE: [f32; 2] = [std::f32::consts::LN_2, -1.9046542e-09];
/// `(exp r - 1 - r) / r^2` on `|r| <= ln 2 / 16`, to 2^-25.2 of the exponential.
const PHI_EIGHTH: [f32; 2] = [0.5000648, 0.16668084];

/// `x` as a multiple of ln 2 / 8 and the rest.
#[inline(always)]
fn eighths<L: Lanes<Number = f32>>(x: L) -> (Shifted<L>, L) {
    let shifted = x.fma(L::splat(std::f32::consts::LOG2_E), L::splat(f32::POWERS));
    let by = Shifted::of(shifted, f32::POWERS, f32::PLACES);
    (by, by.n.fnma(L::splat(LN2_SINGLE[1]), by.n.fnma(L::splat(LN2_SINGLE[0]), x)))
}

/// `exp r` times the power of `2^(1/8)`, as [`fraction`] gives it.
#[inline(always)]
fn fraction_single<L: Lanes<Number = f32>>(by: Shifted<L>, r: L) -> (L, L) {
    let p = r.mul(r).fma(polynomial(r, &PHI_EIGHTH), r);
    let root = by.bits.lookup(0, &ROOTS_SINGLE);
    (root, root.fma(p, by.bits.lookup(0, &ROOTS_SINGLE_LOW)))
}

/// `exp x` as a sum in units of a power of two, in `f32`.
#[inline(always)]
pub(super) fn exp_parts_single<L: Lanes<Number = f32>>(x: L) -> (L, L, Shifted<L>) {
    let (by, r) = eighths(x);
    let (root, more) = fraction_single(by, r);
    let high = root.add(more);
    (high, root.sub(high).add(more), by)
}

impl Function<f32> for Exp {
    #[inline(always)]
    fn easy<L: Lanes<Number = f32>>(x: L) -> L {
        let (by, r) = eighths(x.within(-110.0, 90.0));
        let (root, more) = fraction_single(by, r.remainder(1.0));
        root.add(more).scale(by)
    }
}

impl Function<f32> for Exp2 {
    #[inline(always)]
    fn easy<L: Lanes<Number = f32>>(x: L) -> L {
        let x = x.within(-160.0, 130.0);
        let by = Shifted::of(x.add(L::splat(f32::POWERS)), f32::POWERS, f32::PLACES);
        let (root, more) = fraction_single(by, x.sub(by.n).mul(L::splat(LN2_SINGLE[0])).remainder(1.0));
        root.add(more).scale(by)
    }
}

impl Function<f32> for Tanh {
    #[inline(always)]
    fn easy<L: Lanes<Number = f32>>(x: L) -> L {
        // Where it is 1.
        let size = x.abs().at_most(L::splat(9.02));
        pieces::tanh(size).copysign(x)
    }
}

/// The exponential.
#[inline(always)]
pub fn expf(x: f32) -> f32 {
    apply::<Exp, _, _>(x)
}

/// The power of 2.
#[inline(always)]
pub fn exp2f(x: f32) -> f32 {
    apply::<Exp2, _, _>(x)
}

/// The hyperbolic tangent.
#[inline(always)]
pub fn tanhf(x: f32) -> f32 {
    apply::<Tanh, _, _>(x)
}

/// The exponential of an `f64` to about 2^-30, within the exponents of `f32`.
#[inline(always)]
pub(super) fn exp_single(x: f64) -> f64 {
    let (r, scale) = reduce_single(clamp(x, -110.0, 90.0));
    (r * r).mul_add(horner(r, &PHI_SINGLE), r + 1.0) * f64::from_bits(scale)
}

#[inline(always)]
fn expm1_single(x: f64) -> f64 {
    let (r, scale) = reduce_single(x);
    let scale = f64::from_bits(scale);
    scale.mul_add((r * r).mul_add(horner(r, &PHI_SINGLE), r), scale - 1.0)
}

/// `exp(x) - 1`.
#[inline(always)]
pub fn expm1f(x: f32) -> f32 {
    (expm1_single(clamp(f64::from(x), -40.0, 90.0)) as f32).copysign(x)
}

/// The hyperbolic sine.
#[inline(always)]
pub fn sinhf(x: f32) -> f32 {
    let e = expm1_single(clamp(f64::from(x).abs(), 0.0, 91.0));
    ((0.5 * (e + e / (e + 1.0))) as f32).copysign(x)
}

/// The hyperbolic cosine.
#[inline(always)]
pub fn coshf(x: f32) -> f32 {
    let e = expm1_single(clamp(f64::from(x).abs(), 0.0, 91.0)) + 1.0;
    (0.5 * (e + 1.0 / e)) as f32
}
