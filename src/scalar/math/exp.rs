//! Exponentials, and the hyperbolic tangent.
//!
//! `x = n ln 2 + r` with `|r| <= ln 2 / 2`, so `exp x = 2^n exp r`, and `exp r = 1 + r + r^2 phi(r)` with a polynomial
//! `phi`. The leading `1 + r` is kept as a sum of two floats, so that little more than the last rounding is lost.
//!
//! The polynomials interpolate at Chebyshev nodes, computed with 60 digits.
//!
//! ```
//! use arrlang::scalar::math::exp::{exp, expm1};
//! assert_eq!(exp(1.0), std::f64::consts::E);
//! assert_eq!(expm1(1e-300), 1e-300);
//! ```

use super::horner;
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
/// The same to 2^-51.9, enough where it meets a 1.
const PHI_SHORT: [f64; 10] = [
    0.5000000000000001,
    0.16666666666666669,
    0.04166666666662399,
    0.008333333333330051,
    0.0013888888917281794,
    0.00019841269863105968,
    2.480152119021773e-05,
    2.7557268378684192e-06,
    2.7620138719733994e-07,
    2.5100424157005067e-08,
];
/// The same to 2^-28.4.
const PHI_SINGLE: [f64; 6] = [
    0.5000000013498178,
    0.16666666681659179,
    0.04166646460202654,
    0.008333310889582076,
    0.0013933685862617174,
    0.00019891030654370327,
];
/// The same to 2^-22.9.
const PHI_SINGLE_SHORT: [f64; 5] =
    [0.5, 0.16666576845993977, 0.04166655443768594, 0.008363202971575855, 0.0013926213466332444];

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

/// The exponential.
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    let x = clamp(x, -760.0, 720.0);
    let (r, rest, _, biased) = reduce(x);
    let p = (r * r).mul_add(horner(r, &PHI_SHORT), rest);
    let high = 1.0 + r;
    power(high + ((1.0 - high) + r + p), biased)
}

/// The power of 2.
#[inline(always)]
pub fn exp2(x: f64) -> f64 {
    let x = clamp(x, -1080.0, 1030.0);
    let (n, biased) = nearest(x, 1.0);
    let fraction = x - n;
    let r = fraction * LN2_FULL[0];
    let rest = fraction.mul_add(LN2_FULL[0], -r) + fraction * LN2_FULL[1];
    let p = (r * r).mul_add(horner(r, &PHI_SHORT), rest);
    let high = 1.0 + r;
    power(high + ((1.0 - high) + r + p), biased)
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

/// The hyperbolic tangent: `e / (e + 2)` for `e = exp 2|x| - 1`.
#[inline(always)]
pub fn tanh(x: f64) -> f64 {
    let (high, low, _) = expm1_parts(2.0 * clamp(x.abs(), 0.0, 20.0));
    let sum = high + 2.0;
    let sum_low = if high > 2.0 { (high - sum) + 2.0 } else { (2.0 - sum) + high } + low;
    let inverse = 1.0 / sum;
    let quotient = high * inverse;
    let rest = (-quotient).mul_add(sum, high) + (low - quotient * sum_low);
    rest.mul_add(inverse, quotient).copysign(x)
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

/// The exponential.
#[inline(always)]
pub fn expf(x: f32) -> f32 {
    let (r, scale) = reduce_single(clamp(f64::from(x), -110.0, 90.0));
    let e = (r * r).mul_add(horner(r, &PHI_SINGLE_SHORT), r + 1.0);
    (e * f64::from_bits(scale)) as f32
}

/// The exponential of an `f64` to about 2^-30, within the exponents of `f32`.
#[inline(always)]
pub(super) fn exp_single(x: f64) -> f64 {
    let (r, scale) = reduce_single(clamp(x, -110.0, 90.0));
    (r * r).mul_add(horner(r, &PHI_SINGLE), r + 1.0) * f64::from_bits(scale)
}

/// The power of 2.
#[inline(always)]
pub fn exp2f(x: f32) -> f32 {
    let x = clamp(f64::from(x), -160.0, 130.0);
    let shifted = x + (ROUND + 1023.0);
    let r = (x - (shifted - (ROUND + 1023.0))) * LN2_FULL[0];
    let e = (r * r).mul_add(horner(r, &PHI_SINGLE_SHORT), r + 1.0);
    (e * f64::from_bits((shifted.to_bits() & 0x7ff) << 52)) as f32
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

/// The hyperbolic tangent.
#[inline(always)]
pub fn tanhf(x: f32) -> f32 {
    let e = expm1_single(2.0 * clamp(f64::from(x).abs(), 0.0, 15.0));
    ((e / (e + 2.0)) as f32).copysign(x)
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
