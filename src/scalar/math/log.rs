//! Logarithms.
//!
//! `x = 2^k (1 + f)` with `1 + f` between `sqrt 1/2` and `sqrt 2`. With `s = f / (2 + f)`,
//! `log(1 + f) = f - f^2 / 2 + s (f^2 / 2 + R(s^2))` where `2 s + s R(s^2) = log((1 + s) / (1 - s))`; the first two
//! terms are kept as a sum of two floats.
//!
//! ```
//! use arrlang::scalar::math::log::{log2, log10};
//! assert_eq!((log2(5e-324), log10(1000.0)), (-1074.0, 3.0));
//! ```

use super::exp::LN2;
use super::horner;

/// log2 e as a sum.
const LOG2_E: [f64; 2] = [std::f64::consts::LOG2_E, 2.0355273740931033e-17];
/// log10 e as a sum.
const LOG10_E: [f64; 2] = [std::f64::consts::LOG10_E, 1.098319650216765e-17];
/// log10 2 as a sum; the first part has 42 bits.
const LOG10_2: [f64; 2] = [0.30102999566395283, 2.8363394551044964e-14];
/// `(log((1 + s) / (1 - s)) - 2 s) / s^3` in `z = s^2`, to 2^-56.7 of the logarithm. Chebyshev nodes.
const R: [f64; 7] = [
    0.666666666666667,
    0.3999999999989889,
    0.2857142862625391,
    0.22222211089368124,
    0.18182892433364564,
    0.15331611694570085,
    0.14617807492803847,
];
/// The same to 2^-34.9.
const R_SINGLE: [f64; 4] = [0.666666665540419, 0.4000012221190375, 0.2855077862264064, 0.23331614758667432];
/// The same to 2^-42.2.
const R_MEDIUM: [f64; 5] =
    [0.6666666666737868, 0.3999999879244046, 0.28571755535282983, 0.22191337412206635, 0.19363885294464359];

/// The exponent `k` and `f`, for positive finite `x`.
#[inline(always)]
pub(super) fn split(x: f64) -> (f64, f64) {
    let subnormal = x < f64::MIN_POSITIVE;
    let x = if subnormal { x * 2f64.powi(54) } else { x };
    let offset = if subnormal { 4_503_599_627_370_496.0 + 1023.0 + 54.0 } else { 4_503_599_627_370_496.0 + 1023.0 };
    split_normal(x, offset)
}

/// The bits of `sqrt 1/2`.
const ROOT: u64 = 0x3fe6_a09e_667f_3bcd;

/// Splits a normal number; the exponent is read as an integer above 2^52, less `offset`.
#[inline(always)]
fn split_normal(x: f64, offset: f64) -> (f64, f64) {
    let moved = x.to_bits().wrapping_add(0x3ff0_0000_0000_0000 - ROOT);
    let k = f64::from_bits(moved >> 52 | 0x4330_0000_0000_0000) - offset;
    let m = f64::from_bits((moved & 0x000f_ffff_ffff_ffff) + ROOT);
    (k, m - 1.0)
}

/// `log(1 + f)` as a sum.
#[inline(always)]
fn kernel(f: f64) -> (f64, f64) {
    let square = f * f;
    let square_low = f.mul_add(f, -square);
    let s = f / (2.0 + f);
    let z = s * s;
    let high = (-0.5f64).mul_add(square, f);
    let low = (f - high) - 0.5 * square;
    let tail = s * z.mul_add(horner(z, &R), 0.5 * square);
    (high, (-0.5f64).mul_add(square_low, low + tail))
}

/// The result for the arguments that have no logarithm, or an infinite one.
#[inline(always)]
fn special(x: f64, zero: f64, value: f64) -> f64 {
    let edge = if x == zero { f64::NEG_INFINITY } else { f64::NAN };
    let edge = if x == f64::INFINITY { x } else { edge };
    if x > zero && x < f64::INFINITY { value } else { edge }
}

/// The natural logarithm.
#[inline(always)]
pub fn log(x: f64) -> f64 {
    let (k, f) = split(x);
    let (high, low) = kernel(f);
    let base = k * LN2[0];
    let sum = base + high;
    let rest = (base - sum) + high;
    special(x, 0.0, sum + k.mul_add(LN2[1], low + rest))
}

/// The logarithm to base 2.
#[inline(always)]
pub fn log2(x: f64) -> f64 {
    let (k, f) = split(x);
    let (high, low) = kernel(f);
    let (product, rest) = times(high, low, LOG2_E);
    let sum = k + product;
    special(x, 0.0, sum + ((k - sum) + product + rest))
}

/// The logarithm to base 10.
#[inline(always)]
pub fn log10(x: f64) -> f64 {
    let (k, f) = split(x);
    let (high, low) = kernel(f);
    let (product, rest) = times(high, low, LOG10_E);
    let base = k * LOG10_2[0];
    let sum = base + product;
    special(x, 0.0, sum + k.mul_add(LOG10_2[1], (base - sum) + product + rest))
}

/// The product of a sum and a constant.
#[inline(always)]
fn times(high: f64, low: f64, factor: [f64; 2]) -> (f64, f64) {
    let product = high * factor[0];
    let rest = high.mul_add(factor[0], -product);
    (product, high.mul_add(factor[1], low.mul_add(factor[0], rest)))
}

/// `log(1 + x)`.
#[inline(always)]
pub fn log1p(x: f64) -> f64 {
    let u = 1.0 + x;
    // What the sum lost, exactly; the logarithm moves by that over `u`.
    let back = u - 1.0;
    let lost = (x - back) + (1.0 - (u - back));
    let (k, f) = split_normal(u, 4_503_599_627_370_496.0 + 1023.0);
    let (high, low) = kernel(f);
    let base = k * LN2[0];
    let sum = base + high;
    let rest = (base - sum) + high;
    let value = sum + k.mul_add(LN2[1], low + rest + lost / u);
    special(x, -1.0, if x == 0.0 { x } else { value })
}

/// `log(1 + f)` for `f32`.
#[inline(always)]
fn kernel_single(f: f64) -> f64 {
    let s = f / (2.0 + f);
    let z = s * s;
    s.mul_add(z * horner(z, &R_SINGLE), s + s)
}

#[inline(always)]
pub(super) fn log_single(x: f64) -> f64 {
    // Every `f32` is a normal `f64`.
    let (k, f) = split_normal(x, 4_503_599_627_370_496.0 + 1023.0);
    k.mul_add(std::f64::consts::LN_2, kernel_single(f))
}

/// The natural logarithm, without its special values, to about 2^-42: enough for powers of `f32`.
#[inline(always)]
pub(super) fn log_medium(x: f64) -> f64 {
    let (k, f) = split_normal(x, 4_503_599_627_370_496.0 + 1023.0);
    let s = f / (2.0 + f);
    let z = s * s;
    k.mul_add(std::f64::consts::LN_2, s.mul_add(z * horner(z, &R_MEDIUM), s + s))
}

/// The natural logarithm.
#[inline(always)]
pub fn logf(x: f32) -> f32 {
    let x = f64::from(x);
    special(x, 0.0, log_single(x)) as f32
}

/// The logarithm to base 2.
#[inline(always)]
pub fn log2f(x: f32) -> f32 {
    let x = f64::from(x);
    let (k, f) = split_normal(x, 4_503_599_627_370_496.0 + 1023.0);
    special(x, 0.0, kernel_single(f).mul_add(LOG2_E[0], k)) as f32
}

/// The logarithm to base 10.
#[inline(always)]
pub fn log10f(x: f32) -> f32 {
    let x = f64::from(x);
    let (k, f) = split_normal(x, 4_503_599_627_370_496.0 + 1023.0);
    let value = k.mul_add(std::f64::consts::LOG10_2, kernel_single(f) * LOG10_E[0]);
    special(x, 0.0, value) as f32
}

/// `log(1 + x)`.
#[inline(always)]
pub fn log1pf(x: f32) -> f32 {
    let x = f64::from(x);
    let u = 1.0 + x;
    let value = log_single(u) + (x - (u - 1.0)) / u;
    special(x, -1.0, if x == 0.0 { x } else { value }) as f32
}
