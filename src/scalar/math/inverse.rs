//! The inverse hyperbolic functions.
//!
//! Next to 0 they are `x + x^3 P(x^2)`; beyond, logarithms of a sum of two floats: what the root and the quotient lost
//! goes into the second. In `f32` they are computed in `f64`, by a shorter logarithm.
//!
//! ```
//! use arrlang::scalar::math::{inverse::{Asinh, Atanh}, lanes::apply};
//! assert_eq!(apply::<Asinh, f64, f64>(1e-300), 1e-300);
//! assert_eq!(apply::<Atanh, f64, f64>(1.0), f64::INFINITY);
//! ```

use super::lanes::{Function, Lanes, Single, even_odd_polynomial};
use super::log::{log_medium, log_of_sum};

/// Where the two expressions meet.
const SPLIT: f64 = 0.25;
/// From here on a square is all of itself and 1.
const ABSORBS_ONE_FROM: f64 = 268_435_456.0;
/// `(asinh x / x - 1) / x^2` in `x^2`, to 2^-60.6. Chebyshev nodes.
const ASINH: [f64; 9] = [
    -0.16666666666666666,
    0.07499999999999808,
    -0.04464285714203619,
    0.03038194430936567,
    -0.022372147934823672,
    0.017352245308736906,
    -0.013950583124966717,
    0.011321229451852472,
    -0.0077023187195828235,
];
/// `(atanh x / x - 1) / x^2` in `x^2`, to 2^-58.8.
const ATANH: [f64; 9] = [
    0.3333333333333333,
    0.19999999999998194,
    0.1428571428648192,
    0.1111111098564718,
    0.09090919341222535,
    0.07691838737017302,
    0.06679204392883492,
    0.0568896101091691,
    0.06831645411458169,
];

/// The inverse hyperbolic sine.
#[derive(Clone, Copy, Debug)]
pub struct Asinh;

/// The inverse hyperbolic cosine.
#[derive(Clone, Copy, Debug)]
pub struct Acosh;

/// The inverse hyperbolic tangent.
#[derive(Clone, Copy, Debug)]
pub struct Atanh;

/// `size + size^3 P(size^2)`.
#[inline(always)]
fn near<L: Lanes<Number = f64>>(size: L, p: &[f64; 9]) -> L {
    let square = size.mul(size);
    size.mul(square).fma(even_odd_polynomial(square, square.mul(square), p), size)
}

/// The root of a sum, as a sum; of 0 it is 0.
#[inline(always)]
pub(super) fn root<L: Lanes<Number = f64>>(high: L, low: L) -> (L, L) {
    let root = high.sqrt();
    let rest = root.fnma(root, high).add(low).mul(L::splat(0.5)).div(root);
    (root, L::choose(L::splat(0.0).less(root), rest, L::splat(0.0)))
}

/// The logarithm of `size + root`, both sums of two, of which the larger comes first; of twice the size where that is
/// large.
#[inline(always)]
fn log_of_both<L: Lanes<Number = f64>>(size: L, (larger, smaller): (L, L), low: L) -> L {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let sum = larger.add(smaller);
    let low = larger.sub(sum).add(smaller).add(low);
    let large = L::splat(ABSORBS_ONE_FROM).less(size);
    let value = log_of_sum(L::choose(large, size, sum), L::choose(large, zero, low), L::choose(large, one, zero));
    L::choose(size.less(L::splat(f64::INFINITY)), value, size)
}

impl Function<f64> for Asinh {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let (size, one) = (x.abs(), L::splat(1.0));
        let square = size.mul(size);
        let more = square.add(one);
        // What the square and the sum lost.
        let low = size.fma(size, L::splat(0.0).sub(square)).add(square.sub(more.sub(one)));
        let (root, root_low) = root(more, low);
        let far = log_of_both(size, (root, size), root_low);
        L::choose(size.less(L::splat(SPLIT)), near(size, &ASINH), far).copysign(x)
    }
}

impl Function<f64> for Acosh {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let one = L::splat(1.0);
        let square = x.mul(x);
        let less = square.sub(one);
        let low = x.fma(x, L::splat(0.0).sub(square)).add(square.sub(less).sub(one));
        let (root, root_low) = root(less, low);
        let value = log_of_both(x, (x, root), root_low);
        L::choose(x.less(one), L::splat(f64::NAN), value)
    }
}

impl Function<f64> for Atanh {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let (size, zero, one) = (x.abs(), L::splat(0.0), L::splat(1.0));
        let (above, below) = (one.add(size), one.sub(size));
        let (above_low, below_low) = (one.sub(above).add(size), one.sub(below).sub(size));
        let quotient = above.div(below);
        let rest = quotient.fnma(below, above).add(quotient.fnma(below_low, above_low)).div(below);
        let far = log_of_sum(quotient, rest, zero).mul(L::splat(0.5));
        let edge = L::choose(size.same(one), L::splat(f64::INFINITY), L::splat(f64::NAN));
        let far = L::choose(size.less(one), far, edge);
        L::choose(size.less(L::splat(SPLIT)), near(size, &ATANH), far).copysign(x)
    }
}

impl Function<f64> for Single<Asinh> {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let size = x.abs();
        let far = log_medium(size.add(size.fma(size, L::splat(1.0)).sqrt()));
        let far = L::choose(size.less(L::splat(f64::INFINITY)), far, size);
        L::choose(size.less(L::splat(SPLIT)), near(size, &ASINH), far).copysign(x)
    }
}

impl Function<f64> for Single<Acosh> {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let value = log_medium(x.add(x.fma(x, L::splat(-1.0)).sqrt()));
        let value = L::choose(x.less(L::splat(f64::INFINITY)), value, x);
        L::choose(x.less(L::splat(1.0)), L::splat(f64::NAN), value)
    }
}

impl Function<f64> for Single<Atanh> {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let (size, one) = (x.abs(), L::splat(1.0));
        let far = log_medium(one.add(size).div(one.sub(size))).mul(L::splat(0.5));
        let edge = L::choose(size.same(one), L::splat(f64::INFINITY), L::splat(f64::NAN));
        let far = L::choose(size.less(one), far, edge);
        L::choose(size.less(L::splat(SPLIT)), near(size, &ATANH), far).copysign(x)
    }
}
