//! Exponentials, with the hyperbolic tangent.
//!
//! `x = n ln 2 + r` with `|r| <= ln 2 / 2`, so `exp x = 2^n exp r`, and `exp r = 1 + r + r^2 phi(r)` with a polynomial
//! `phi`. The leading `1 + r` is kept as a sum of two floats, so that little more than the last rounding is lost.
//!
//! In `f64`, `exp`, `exp2` and `tanh` take `n` in sixteenths, in `f32` in
//! eighths, with the powers of `2^(1/16)` from a table, so that `r` is small and `phi` short. The polynomials of `f64`
//! interpolate at Chebyshev nodes, computed with 60 digits.
//!
//! ```
//! use arrlang::scalar::math::{exp::Exp, lanes::apply};
//! assert_eq!(apply::<Exp, f64, f64>(1.0), std::f64::consts::E);
//! ```

use super::lanes::{Function, Lanes, Shift, ShiftedNumber, even_odd_polynomial, polynomial};
use super::pieces;
use std::f64::consts::LOG2_E;

/// ln 2 as a sum. The first part has 42 bits, so that its product with an exponent is exact.
pub(super) const LN2: [f64; 2] = [0.6931471805598903, 5.497923018708371e-14];
/// ln 2 in full precision, and the rest.
const LN2_FULL: [f64; 2] = [std::f64::consts::LN_2, 2.3190468138462996e-17];
/// `(exp r - 1 - r) / r^2` on `|r| <= ln 2 / 2`, to 2^-28.4, for `f32`.
const PHI_SINGLE: [f64; 6] = [
    0.5000000013498178,
    0.16666666681659179,
    0.04166646460202654,
    0.008333310889582076,
    0.0013933685862617174,
    0.00019891030654370327,
];

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

/// `(exp r - 1 - r) / r^2` on `|r| <= ln 2 / 32`, to 2^-64.
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
fn sixteenths<L: Lanes<Number = f64>>(x: L, with: f64) -> (ShiftedNumber<L>, L) {
    let by = ShiftedNumber::of(x.fma(L::splat(LOG2_E), L::splat(with)), with, f64::PLACES);
    (by, by.n.fnma(L::splat(LN2_SHORT[1]), by.n.fnma(L::splat(LN2_SHORT[0]), x)))
}

/// `exp r` times the power of `2^(1/16)`, without whole powers of two, as a sum: the second part is small.
#[inline(always)]
fn fraction<L: Lanes<Number = f64>>(by: ShiftedNumber<L>, r: L) -> (L, L) {
    let square = r.mul(r);
    let p = square.fma(even_odd_polynomial(r, square, &PHI_TINY), r);
    let root = by.bits.lookup(0, &ROOTS);
    (root, root.fma(p, by.bits.lookup(0, &ROOTS_LOW)))
}

/// `exp(x + rest)` for a small `rest`.
#[inline(always)]
pub(super) fn exp_of_sum<L: Lanes<Number = f64>>(x: L, rest: L) -> L {
    let zero = L::splat(0.0);
    let rest = L::choose(x.abs().less(L::splat(800.0)), rest, zero);
    let (by, r) = sixteenths(x.at_least(L::splat(-760.0)).at_most(L::splat(720.0)), f64::POWERS);
    let (root, more) = fraction(by, r.add(rest));
    root.add(more).scale(by)
}

/// `x` as a multiple of ln 2 / 16, its power of two without whole ones, the rest `r` and what the exponential of that
/// has beyond `1 + r`, with what the power lacks as a float.
#[inline(always)]
pub(super) fn parts_of<L: Lanes<Number = f64>>(x: L) -> (ShiftedNumber<L>, L, L, L) {
    let (by, r) = sixteenths(x, f64::POWERS);
    let square = r.mul(r);
    let p = square.fma(even_odd_polynomial(r, square, &PHI_FINE), by.bits.lookup(0, &ROOTS_REST));
    (by, by.bits.lookup(0, &ROOTS), r, p)
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
pub(super) fn exp_parts<L: Lanes<Number = f64>>(x: L, rest: L) -> (L, L, ShiftedNumber<L>) {
    let (by, r) = sixteenths(x, f64::POWERS);
    let (root, more) = fraction(by, r.add(rest));
    let high = root.add(more);
    (high, root.sub(high).add(more), by)
}

/// The exponential.
#[derive(Clone, Copy, Debug)]
pub struct Exp;

impl Function<f64> for Exp {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let (by, r) = sixteenths(x.within(-760.0, 720.0), f64::POWERS);
        let (root, more) = fraction(by, r.remainder(1.0));
        root.add(more).scale(by)
    }
}

/// The power of 2.
#[derive(Clone, Copy, Debug)]
pub struct Exp2;

impl Function<f64> for Exp2 {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let x = x.within(-1080.0, 1030.0);
        let by = ShiftedNumber::of(x.add(L::splat(f64::POWERS)), f64::POWERS, f64::PLACES);
        let (root, more) = fraction(by, x.sub(by.n).mul(L::splat(LN2_FULL[0])).remainder(1.0));
        root.add(more).scale(by)
    }
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
    let p = square.fma(even_odd_polynomial(r, square, &PHI_FINE), by.bits.lookup(0, &ROOTS_REST));
    let base = scale.sub(L::splat(1.0));
    let high = scale.fma(r, base);
    // The base is zero or larger than the term, so that what the sum lost is exact.
    let low = scale.fma(p, scale.fma(r, base.sub(high)));
    let sum = high.add(low);
    (sum, high.sub(sum).add(low))
}

/// The hyperbolic tangent: `e / (e + 2)` for `e = exp 2|x| - 1`.
#[derive(Clone, Copy, Debug)]
pub struct Tanh;

impl Function<f64> for Tanh {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
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
fn eighths<L: Lanes<Number = f32>>(x: L) -> (ShiftedNumber<L>, L) {
    let shifted = x.fma(L::splat(std::f32::consts::LOG2_E), L::splat(f32::POWERS));
    let by = ShiftedNumber::of(shifted, f32::POWERS, f32::PLACES);
    (by, by.n.fnma(L::splat(LN2_SINGLE[1]), by.n.fnma(L::splat(LN2_SINGLE[0]), x)))
}

/// `exp r` times the power of `2^(1/8)`, as [`fraction`] gives it.
#[inline(always)]
fn fraction_single<L: Lanes<Number = f32>>(by: ShiftedNumber<L>, r: L) -> (L, L) {
    let p = r.mul(r).fma(polynomial(r, &PHI_EIGHTH), r);
    let root = by.bits.lookup(0, &ROOTS_SINGLE);
    (root, root.fma(p, by.bits.lookup(0, &ROOTS_SINGLE_LOW)))
}

/// `exp x` as a sum in units of a power of two, in `f32`.
#[inline(always)]
pub(super) fn exp_parts_single<L: Lanes<Number = f32>>(x: L) -> (L, L, ShiftedNumber<L>) {
    let (by, r) = eighths(x);
    let (root, more) = fraction_single(by, r);
    let high = root.add(more);
    (high, root.sub(high).add(more), by)
}

impl Function<f32> for Exp {
    #[inline(always)]
    fn fast<L: Lanes<Number = f32>>(x: L) -> L {
        let (by, r) = eighths(x.within(-110.0, 90.0));
        let (root, more) = fraction_single(by, r.remainder(1.0));
        root.add(more).scale(by)
    }
}

impl Function<f32> for Exp2 {
    #[inline(always)]
    fn fast<L: Lanes<Number = f32>>(x: L) -> L {
        let x = x.within(-160.0, 130.0);
        let by = ShiftedNumber::of(x.add(L::splat(f32::POWERS)), f32::POWERS, f32::PLACES);
        let (root, more) = fraction_single(by, x.sub(by.n).mul(L::splat(LN2_SINGLE[0])).remainder(1.0));
        root.add(more).scale(by)
    }
}

impl Function<f32> for Tanh {
    #[inline(always)]
    fn fast<L: Lanes<Number = f32>>(x: L) -> L {
        // Where it is 1 to the last bit; further on the last piece falls again.
        let size = x.abs().at_most(L::splat(8.97));
        pieces::tanh(size).copysign(x)
    }
}

/// The power of two of a number between the exponents of `f32`, and to about 2^-30 what the exponential has more, as a
/// part of it.
#[inline(always)]
pub(super) fn narrow_power<L: Lanes<Number = f64>>(x: L) -> (L, L) {
    let by = ShiftedNumber::of(x.fma(L::splat(LOG2_E), L::splat(f64::WHOLE)), f64::WHOLE, 0);
    let r = by.n.fnma(L::splat(LN2_FULL[0]), x);
    (L::splat(1.0).raise(by), r.mul(r).fma(polynomial(r, &PHI_SINGLE), r))
}

/// The exponential to about 2^-30, within the exponents of `f32`.
#[inline(always)]
pub(super) fn exp_single<L: Lanes<Number = f64>>(x: L) -> L {
    let (scale, p) = narrow_power(x.at_least(L::splat(-110.0)).at_most(L::splat(90.0)));
    scale.fma(p, scale)
}
