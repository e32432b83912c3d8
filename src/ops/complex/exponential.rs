//! Exponentials, logarithms, roots or powers of complex numbers.

use super::super::formula::{ComplexNodes, Real};
use std::f64::consts::{LN_2, LOG2_E, LOG10_2, LOG10_E};

/// `e^400`: the square root of what is left out of an exponential that would overflow before it meets a small cosine.
pub(super) const E400: f64 = 5.221469689764144e173;

/// A value by the size of a number: beyond `2^1020`, where sums and squares overflow; ordinary; below `2^-960`,
/// where digits get lost.
fn by_size(size: Real, large: f64, ordinary: f64, small: f64) -> Real {
    let or_small = size.lt(2f64.powi(-960)).pick(size.like(small), size.like(ordinary));
    size.gt(2f64.powi(1020)).pick(size.like(large), or_small)
}

/// The larger part's magnitude.
fn size(z: ComplexNodes<'_>) -> Real<'_> {
    z.re.abs().max(z.im.abs())
}

/// `exp z = e^x (cos y + i sin y)`
pub(in crate::ops) fn exp(z: ComplexNodes) -> ComplexNodes {
    exponential(z.re, z.im, Real::exp, LargePower { limit: 709.0, shift: 800.0, root: E400 })
}

/// `exp2 z = 2^x (cos (y ln 2) + i sin (y ln 2))`
pub(in crate::ops) fn exp2(z: ComplexNodes) -> ComplexNodes {
    exponential(z.re, z.im * LN_2, Real::exp2, LargePower { limit: 1023.0, shift: 1024.0, root: 2f64.powi(512) })
}

/// Above `limit` a power of a base is `base^(x - shift)` times `root` twice.
struct LargePower {
    limit: f64,
    shift: f64,
    root: f64,
}

/// `base^x (cos y + i sin y)`
fn exponential<'s>(
    x: Real<'s>,
    y: Real<'s>,
    power: fn(Real<'s>) -> Real<'s>,
    LargePower { limit, shift, root }: LargePower,
) -> ComplexNodes<'s> {
    let large = x.gt(limit);
    let power = power(large.pick(x - shift, x));
    let root = large.pick(x.like(root), x.like(1.0));
    // Of an angle that is no number the sine and cosine are none, but 0 times that is 0 here, and infinity stays.
    let lost = !y.is_finite();
    let cos = (lost & x.is_infinite()).pick(x.like(1.0), y.cos());
    let sin = (lost & x.eq(f64::NEG_INFINITY)).pick(x.like(0.0), y.sin());
    ComplexNodes { re: cos * root * power * root, im: y.is_zero().pick(y, sin * root * power * root) }
}

/// `expm1 z = (expm1 x cos y - 2 sin² (y/2)) + i e^x sin y`
pub(in crate::ops) fn expm1(z: ComplexNodes) -> ComplexNodes {
    let power = exp(z);
    let half = (z.im * 0.5).sin();
    let near = z.re.expm1() * z.im.cos() - half * half * 2.0;
    let ordinary = z.re.abs().lt(700.0) & z.im.is_finite();
    ComplexNodes { re: ordinary.pick(near, power.re - 1.0), im: power.im }
}

/// `log z = log |z| + i arg z`
pub(in crate::ops) fn log(z: ComplexNodes) -> ComplexNodes {
    logarithm(z, Real::log, 1.0, LN_2)
}

/// `log2 z = log z / ln 2`
pub(in crate::ops) fn log2(z: ComplexNodes) -> ComplexNodes {
    logarithm(z, Real::log2, LOG2_E, 1.0)
}

/// `log10 z = log z / ln 10`
pub(in crate::ops) fn log10(z: ComplexNodes) -> ComplexNodes {
    logarithm(z, Real::log10, LOG10_E, LOG10_2)
}

/// A logarithm, with those of `e` and of 2 in its base.
///
/// Near the unit circle it is `log1p(|z|² - 1) / 2`, where the difference is summed with what rounding took from its
/// terms: `|z|` itself would have lost it.
fn logarithm<'s>(z: ComplexNodes<'s>, log: fn(Real<'s>) -> Real<'s>, of_e: f64, of_2: f64) -> ComplexNodes<'s> {
    let excess = sum_of_squares_and(z, z.re.like(-1.0));
    let size = size(z);
    let scale = by_size(size, 2f64.powi(-4), 1.0, 2f64.powi(120));
    let unscale = by_size(size, 4.0 * of_2, 0.0, -120.0 * of_2);
    let far = log((z.re * scale).hypot(z.im * scale)) + unscale;
    let near = excess.log1p() * (0.5 * of_e);
    ComplexNodes { re: excess.abs().lt(0.5).pick(near, far), im: z.im.atan2(z.re) * of_e }
}

/// `x² + y² + term` with about twice the digits.
fn sum_of_squares_and<'s>(z: ComplexNodes<'s>, term: Real<'s>) -> Real<'s> {
    let (xx, xx_rest) = z.re.exact_square();
    let (yy, yy_rest) = z.im.exact_square();
    let (first, first_rest) = term.exact_sum(xx);
    let (sum, sum_rest) = first.exact_sum(yy);
    sum + (first_rest + sum_rest + (xx_rest + yy_rest))
}

/// `log1p z = log (1 + z)`; for small `z` `log1p(x² + y² + 2x) / 2 + i arg (1 + z)`
pub(in crate::ops) fn log1p(z: ComplexNodes) -> ComplexNodes {
    let shifted = ComplexNodes { re: z.re + 1.0, im: z.im };
    let excess = sum_of_squares_and(z, z.re * 2.0);
    let far = log(shifted);
    ComplexNodes { re: excess.abs().lt(0.5).pick(excess.log1p() * 0.5, far.re), im: far.im }
}

/// The root with a real part that is not negative.
///
/// `t = sqrt((|x| + |z|) / 2)` is one part of it and `|y| / 2t` the other.
pub(in crate::ops) fn sqrt(z: ComplexNodes) -> ComplexNodes {
    let (x, y) = (z.re, z.im);
    let size = size(z);
    let scale = by_size(size, 2f64.powi(-4), 1.0, 2f64.powi(120));
    let unscale = by_size(size, 2f64.powi(2), 1.0, 2f64.powi(-60));
    let (scaled_x, scaled_y) = (x.abs() * scale, y.abs() * scale);
    let larger = ((scaled_x + scaled_x.hypot(scaled_y)) * 0.5).sqrt() * unscale;
    let smaller = larger.is_zero().pick(larger, y.abs() / (larger * 2.0));
    let left = x.lt(0.0) | x.is_nan();
    let (re, im) = (left.pick(smaller, larger), left.pick(larger, smaller));
    let unbounded = y.is_infinite();
    ComplexNodes { re: unbounded.pick(y.abs(), re), im: unbounded.pick(y, im.copysign(y)) }
}

/// `z / |z|`; 0 stays
pub(in crate::ops) fn sign(z: ComplexNodes) -> ComplexNodes {
    let scale = by_size(size(z), 2f64.powi(-4), 1.0, 2f64.powi(120));
    let (x, y) = (z.re * scale, z.im * scale);
    let length = x.hypot(y);
    ComplexNodes { re: direction(z.re, z.im, x, length), im: direction(z.im, z.re, y, length) }
}

/// One part of `z / |z|`: an infinite part outweighs a finite one; two of them have no direction.
fn direction<'s>(own: Real<'s>, other: Real<'s>, scaled: Real<'s>, length: Real<'s>) -> Real<'s> {
    let ratio = length.is_zero().pick(own, scaled / length);
    let outweighed = other.is_infinite().pick(own.like(0.0), ratio);
    let infinite = other.is_infinite().pick(own.like(f64::NAN), own.like(1.0).copysign(own));
    own.is_infinite().pick(infinite, outweighed)
}

/// `z ** w = exp (w log z)`; anything to the power 0 is 1, 0 to a power with a positive real part is 0.
pub(in crate::ops) fn power([z, w]: [ComplexNodes<'_>; 2]) -> ComplexNodes<'_> {
    let log = log(z);
    // A real exponent multiplies part by part: infinity times its missing part would be no number.
    let real = w.im.is_zero();
    let zero = w.re.like(0.0);
    let crossed = (real.pick(zero, log.im * w.im), real.pick(zero, log.re * w.im));
    let value = exp(ComplexNodes { re: log.re * w.re - crossed.0, im: log.im * w.re + crossed.1 });
    let of_zero = w.re.gt(0.0).pick(zero, w.re.like(f64::NAN));
    let base_zero = z.re.is_zero() & z.im.is_zero();
    let (re, im) = (base_zero.pick(of_zero, value.re), base_zero.pick(of_zero, value.im));
    let no_exponent = w.re.is_zero() & real;
    ComplexNodes { re: no_exponent.pick(w.re.like(1.0), re), im: no_exponent.pick(zero, im) }
}
