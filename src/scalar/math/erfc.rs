//! The complement of the error function, with what is made of it: `gelu`.
//!
//! From 1/2 on, `erfc a = exp(-a^2) g(t) / (1 + 2a)` with `t = (a - 4) / (a + 4)`: `g` is nearly constant, so that its
//! polynomial costs no digits. Each factor is a sum of two floats, and so is what the square and the quotient lose: the
//! result is rounded once. Nearer to 0 it is `1 - x - x P(x^2)`.
//!
//! ```
//! use arrlang::scalar::math::{erfc::{Erfc, Gelu}, lanes::apply};
//! assert_eq!(apply::<Erfc, f64, f64>(5.0), 1.537459794428035e-12);
//! assert_eq!(apply::<Gelu, f64, f64>(-37.5), -1.727007378593233e-306);
//! ```

use super::erf::P;
use super::exp::{exp_parts, exp_single};
use super::lanes::{Function, Lanes, ShiftedNumber, Single, even_odd_polynomial};
use std::f64::consts::FRAC_1_SQRT_2;

/// Where the two expressions meet.
const SPLIT: f64 = 0.5;
/// Beyond it nothing is left.
const LAST: f64 = 28.0;
/// What `1/sqrt 2` lacks as a float.
const FRAC_1_SQRT_2_LOW: f64 = -4.833646656726457e-17;
/// The constant of `g`, as a sum.
const G0: [f64; 2] = [1.2329951186255526, -4.6163708039332453e-17];
/// `(g(t) - g(0)) / t` from 0.48 to 30, to 2^-62.9 of `g`. Chebyshev nodes.
const G: [f64; 23] = [
    -0.1396211168405625,
    0.01537965210262,
    0.06809705425469167,
    -0.10103906603632185,
    0.09373283499839126,
    -0.06633036581174778,
    0.03716751553672352,
    -0.016197734064329908,
    0.005031969985204118,
    -0.0007577732353116027,
    -0.00019925673304972647,
    0.00015062140520944554,
    -2.4399099332092757e-05,
    -1.1221153675929153e-05,
    5.709560196119079e-06,
    2.9200409959616594e-07,
    -8.253963333391911e-07,
    7.693261603619643e-08,
    1.1036688860955322e-07,
    -1.9573357121391584e-08,
    -1.455297667484345e-08,
    2.3555411766225647e-09,
    1.4705567125774916e-09,
];

/// `g(t)` from 0.49 to 12, to 2^-31, for `f32`.
const G_SINGLE: [f64; 12] = [
    1.2329951189278332,
    -0.13962111379095773,
    0.015379597062698605,
    0.06809684649781238,
    -0.101037514909638,
    0.09373724959388116,
    -0.06634498810012016,
    0.03712677564986546,
    -0.016148664017001723,
    0.00520168183546119,
    -0.0007689116603820487,
    -0.00046462300873995364,
];

/// `erfc(a + rest)` as a sum in units of a power of two; for `a` from [`SPLIT`] to [`LAST`] and a small `rest`.
#[inline(always)]
fn tail<L: Lanes<Number = f64>>(a: L, rest: L) -> (L, L, ShiftedNumber<L>) {
    let (zero, one, four) = (L::splat(0.0), L::splat(1.0), L::splat(4.0));
    let (square, twice) = (a.mul(a), a.add(a));
    let (high, low, n) = exp_parts(zero.sub(square), twice.fnma(rest, a.fnma(a, square)));
    let divisor = twice.add(one);
    let divisor_low = one.sub(divisor.sub(twice)).add(rest.add(rest));
    // One division for both quotients.
    let other = a.add(four);
    let inverse = one.div(divisor.mul(other));
    let t = a.sub(four).mul(divisor.mul(inverse));
    let inverse = other.mul(inverse);
    let vary = t.mul(even_odd_polynomial(t, t.mul(t), &G));
    let g = L::splat(G0[0]).add(vary);
    let g_low = L::splat(G0[0]).sub(g).add(vary).add(L::splat(G0[1]));
    let product = high.mul(g);
    let product_low = high.fma(g, zero.sub(product)).add(low.fma(g, high.mul(g_low)));
    let quotient = product.mul(inverse);
    let left = quotient.fnma(divisor, product).add(quotient.fnma(divisor_low, product_low));
    (quotient, left.mul(inverse), n)
}

/// `1 - part` for a sum, as a sum; `part` is at most 1.
#[inline(always)]
fn rest_of_one<L: Lanes<Number = f64>>(part: L, part_low: L) -> (L, L) {
    let one = L::splat(1.0);
    let rest = one.sub(part);
    (rest, one.sub(rest).sub(part).sub(part_low))
}

/// The complement of the error function.
#[derive(Clone, Copy, Debug)]
pub struct Erfc;

impl Function<f64> for Erfc {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let size = x.abs().at_most(L::splat(LAST));
        let (high, low, n) = tail(size.at_least(L::splat(SPLIT)), L::splat(0.0));
        let right = high.add(low).scale(n);
        let half = L::splat(0.5);
        let (rest, rest_low) = rest_of_one(high.scale(n).mul(half), low.scale(n).mul(half));
        let left = rest.add(rest_low).mul(L::splat(2.0));
        let square = x.mul(x);
        let (near, near_low) = rest_of_one(x, x.mul(even_odd_polynomial(square, square.mul(square), &P)));
        let far = L::choose(x.less(L::splat(0.0)), left, right);
        L::choose(size.less(L::splat(SPLIT)), near.add(near_low), far)
    }
}

/// `x` times the normal distribution's share below it, which is half of `erfc(-x / sqrt 2)`.
#[derive(Clone, Copy, Debug)]
pub struct Gelu;

impl Function<f64> for Gelu {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let (zero, half) = (L::splat(0.0), L::splat(0.5));
        let negative = x.less(zero);
        // Beyond 45 on the left nothing is left, on the right everything.
        let size = x.abs().at_most(L::splat(45.0));
        let a = size.mul(L::splat(FRAC_1_SQRT_2));
        let a_low = size.mul(L::splat(FRAC_1_SQRT_2_LOW)).add(size.fma(L::splat(FRAC_1_SQRT_2), zero.sub(a)));
        let (high, low, n) = tail(a.at_least(L::splat(SPLIT)).at_most(L::splat(LAST)), a_low);
        // On the left the share is that tail.
        let halved = size.mul(half);
        let product = halved.mul(high);
        let product_low = halved.fma(high, zero.sub(product)).add(halved.mul(low));
        let left = product.add(product_low).scale(n);
        // On the right it is what the tail leaves, and next to 0 one half and half of the error function.
        let (right, right_low) = rest_of_one(high.scale(n).mul(half), low.scale(n).mul(half));
        let square = a.mul(a);
        let beyond = a.fma(even_odd_polynomial(square, square.mul(square), &P), a_low).mul(half);
        let part = a.mul(half);
        let [part, beyond] = [part, beyond].map(|it| L::choose(negative, zero.sub(it), it));
        let sum = half.add(part);
        let sum_low = half.sub(sum).add(part).add(beyond);
        let near = a.less(L::splat(SPLIT));
        let (share, share_low) = (L::choose(near, sum, right), L::choose(near, sum_low, right_low));
        let product = size.mul(share);
        let product = product.add(size.fma(share, zero.sub(product)).add(size.mul(share_low)));
        let value = L::choose(near, product, L::choose(negative, left, product));
        L::choose(x.less(L::splat(10.0)), value, x).copysign(x)
    }
}

/// `erfc` of an `f64` to about 2^-30, as far as `f32` goes.
#[inline(always)]
fn erfc_single<L: Lanes<Number = f64>>(x: L) -> L {
    let (one, two, four) = (L::splat(1.0), L::splat(2.0), L::splat(4.0));
    let (size, square) = (x.abs(), x.mul(x));
    let near = x.fnma(one.add(even_odd_polynomial(square, square.mul(square), &P)), one);
    let a = size.at_least(L::splat(SPLIT)).at_most(L::splat(12.0));
    let t = a.sub(four).div(a.add(four));
    let g = exp_single(L::splat(0.0).sub(a.mul(a))).mul(even_odd_polynomial(t, t.mul(t), &G_SINGLE));
    let tail = g.div(a.fma(two, one));
    let far = L::choose(x.less(L::splat(0.0)), two.sub(tail), tail);
    L::choose(size.less(L::splat(SPLIT)), near, far)
}

impl Function<f64> for Single<Erfc> {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        erfc_single(x)
    }
}

impl Function<f64> for Single<Gelu> {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        // Beyond it there is nothing, and nothing times infinity is no number.
        let far = x.at_least(L::splat(-20.0));
        far.mul(L::splat(0.5).mul(erfc_single(far.mul(L::splat(-FRAC_1_SQRT_2)))))
    }
}
