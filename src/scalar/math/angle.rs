//! Angles: the inverse sine, cosine and tangent, and the angle of a point.
//!
//! All are that of a point `(x, y)`: of the lesser coordinate over the greater the inverse tangent is a polynomial, and
//! the other quadrants and the other side of the diagonal are sums with multiples of pi/2. What the quotient, the root
//! of `1 - x^2` and the sum lose is kept. In `f32` they are computed in `f64`, which need not keep it.
//!
//! ```
//! use arrlang::scalar::math::{angle::{Acos, Atan2}, lanes::{apply, apply2}};
//! assert_eq!(apply::<Acos, f64, f64>(-1.0), std::f64::consts::PI);
//! assert_eq!(apply2::<Atan2, f64>(1.0, 1.0), std::f64::consts::FRAC_PI_4);
//! ```

use super::inverse::root;
use super::lanes::{Function, Function2, Lanes, Single, even_odd_polynomial};
use std::f64::consts::{FRAC_PI_2, PI};

/// What pi/2 lacks as a float.
const FRAC_PI_2_LOW: f64 = 6.123233995736766e-17;
/// `(atan t / t - 1) / t^2` in `t^2` up to 1, to 2^-55.3. Chebyshev nodes.
const ATAN: [f64; 22] = [
    -0.3333333333333333,
    0.1999999999999992,
    -0.14285714285701234,
    0.11111111110268297,
    -0.0909090906193528,
    0.07692307078827029,
    -0.06666657934573768,
    0.05882264416776449,
    -0.052624922290256754,
    0.04758080083637821,
    -0.043306538430670664,
    0.03938687540798632,
    -0.035271331066871296,
    0.030330719265790507,
    -0.024191345810140718,
    0.01718398172211335,
    -0.010412153260359241,
    0.005140912856746939,
    -0.0019612554271685326,
    0.0005376839297396244,
    -9.371186345052626e-05,
    7.767624330289919e-06,
];
/// `(atan t / t - 1) / t^2` in `t^2` up to 1, to 2^-31.8, for `f32`.
const ATAN_SINGLE: [f64; 11] = [
    -0.33333333293301176,
    0.19999990275947271,
    -0.14285317963907304,
    0.1110470678864422,
    -0.09036742342070782,
    0.0741749696430051,
    -0.05760716083128117,
    0.038327445983064846,
    -0.019261081322765883,
    0.00620725453378005,
    -0.0009362994719496015,
];

/// The inverse sine.
#[derive(Clone, Copy, Debug)]
pub struct Asin;

/// The inverse cosine.
#[derive(Clone, Copy, Debug)]
pub struct Acos;

/// The inverse tangent.
#[derive(Clone, Copy, Debug)]
pub struct Atan;

/// The angle of a point, whose second coordinate comes first.
#[derive(Clone, Copy, Debug)]
pub struct Atan2;

/// The sizes of the coordinates, each a sum, and where the first is negative.
struct Point<L: Lanes> {
    x: (L, L),
    y: (L, L),
    left: Option<L::Mask>,
}

impl<L: Lanes<Number = f64>> Point<L> {
    /// The lesser coordinate and the greater, where neither is 0 or infinite besides the other, and where they are
    /// turned.
    #[inline(always)]
    fn sides(&self) -> ((L, L), (L, L), L::Mask) {
        let (zero, one, infinity) = (L::splat(0.0), L::splat(1.0), L::splat(f64::INFINITY));
        let turned = self.x.0.less(self.y.0);
        let either = |yes: (L, L), no: (L, L)| (L::choose(turned, yes.0, no.0), L::choose(turned, yes.1, no.1));
        let ((less, less_low), (more, more_low)) = (either(self.x, self.y), either(self.y, self.x));
        // Of two that are infinite the quotient is 1, of two that are zero it is 0.
        let beyond = more.same(infinity);
        let less = L::choose(beyond, L::choose(less.same(infinity), one, less.mul(zero)), less);
        let more = L::choose(L::either(beyond, more.same(zero)), one, more);
        ((less, less_low), (more, more_low), turned)
    }

    /// The angle of a quotient and what it has more, from 0 to pi, by where they are turned.
    #[inline(always)]
    fn placed(&self, angle: L, more: L, turned: L::Mask) -> L {
        let (zero, up) = (L::splat(0.0), L::choose(turned, L::splat(FRAC_PI_2), L::splat(0.0)));
        let up_low = L::choose(turned, L::splat(FRAC_PI_2_LOW), zero);
        // Beyond the diagonal the angle is what is missing to pi/2, on the left what it is beyond pi/2 or is missing to
        // pi.
        let sign = L::choose(turned, L::splat(-1.0), L::splat(1.0));
        let (base, base_low, sign) = match self.left {
            None => (up, up_low, sign),
            Some(left) => (
                L::choose(left, L::choose(turned, up, L::splat(PI)), up),
                L::choose(left, L::choose(turned, up_low, L::splat(2.0 * FRAC_PI_2_LOW)), up_low),
                L::choose(left, zero.sub(sign), sign),
            ),
        };
        let (angle, more) = (angle.mul(sign), more.mul(sign));
        let sum = base.add(angle);
        sum.add(base.sub(sum).add(angle).add(base_low.add(more)))
    }

    /// The angle, from 0 to pi.
    #[inline(always)]
    fn angle(&self) -> L {
        let ((less, less_low), (more, more_low), turned) = self.sides();
        let t = less.div(more);
        let square = t.mul(t);
        // What the quotient lost, times the slope of the inverse tangent.
        let rest = t.fnma(more, less).add(t.fnma(more_low, less_low)).div(more.fma(square, more));
        // Of numbers without a rest that is a float there is none.
        let rest = L::choose(less.less(L::splat(1e-290)), L::splat(0.0), rest);
        let tail = t.mul(square).fma(by_twos(square, &ATAN), rest);
        self.placed(t, tail, turned)
    }

    /// The angle, from 0 to pi, for `f32`.
    #[inline(always)]
    fn angle_single(&self) -> L {
        let ((less, _), (more, _), turned) = self.sides();
        let t = less.div(more);
        let square = t.mul(t);
        let tail = t.mul(square).mul(even_odd_polynomial(square, square.mul(square), &ATAN_SINGLE));
        self.placed(t, tail, turned)
    }
}

/// A polynomial whose coefficients have signs in turns, in the square of `x`: what two next to each other make is
/// small, and so is what they lose.
#[inline(always)]
fn by_twos<L: Lanes<Number = f64>>(x: L, coefficients: &[f64; 22]) -> L {
    let square = x.mul(x);
    let two = |at: usize| L::splat(coefficients[at + 1]).fma(x, L::splat(coefficients[at]));
    (0..10).rev().fold(two(20), |value, at| value.fma(square, two(2 * at)))
}

/// Where the sign bit is set.
#[inline(always)]
fn negative<L: Lanes<Number = f64>>(x: L) -> L::Mask {
    L::splat(1.0).copysign(x).less(L::splat(0.0))
}

/// The root of `(1 - x) (1 + x)`, as a sum.
#[inline(always)]
fn other_side<L: Lanes<Number = f64>>(x: L) -> (L, L) {
    let (size, zero, one) = (x.abs(), L::splat(0.0), L::splat(1.0));
    let (below, above) = (one.sub(size), one.add(size));
    let (below_low, above_low) = (one.sub(below).sub(size), one.sub(above).add(size));
    let product = below.mul(above);
    let lost = below.fma(above, zero.sub(product));
    root(product, below.fma(above_low, below_low.fma(above, lost)))
}

impl Function<f64> for Asin {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        Point { x: other_side(x), y: (x.abs(), L::splat(0.0)), left: None }.angle().copysign(x)
    }
}

impl Function<f64> for Acos {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        Point { x: (x.abs(), L::splat(0.0)), y: other_side(x), left: Some(negative(x)) }.angle()
    }
}

impl Function<f64> for Atan {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let zero = L::splat(0.0);
        Point { x: (L::splat(1.0), zero), y: (x.abs(), zero), left: None }.angle().copysign(x)
    }
}

impl Function2<f64> for Atan2 {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(y: L, x: L) -> L {
        let zero = L::splat(0.0);
        Point { x: (x.abs(), zero), y: (y.abs(), zero), left: Some(negative(x)) }.angle().copysign(y)
    }
}

impl Function<f64> for Single<Asin> {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let (zero, side) = (L::splat(0.0), x.fnma(x, L::splat(1.0)).sqrt());
        Point { x: (side, zero), y: (x.abs(), zero), left: None }.angle_single().copysign(x)
    }
}

impl Function<f64> for Single<Acos> {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let (zero, side) = (L::splat(0.0), x.fnma(x, L::splat(1.0)).sqrt());
        Point { x: (x.abs(), zero), y: (side, zero), left: Some(negative(x)) }.angle_single()
    }
}

impl Function<f64> for Single<Atan> {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let zero = L::splat(0.0);
        Point { x: (L::splat(1.0), zero), y: (x.abs(), zero), left: None }.angle_single().copysign(x)
    }
}

impl Function2<f64> for Single<Atan2> {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(y: L, x: L) -> L {
        let zero = L::splat(0.0);
        Point { x: (x.abs(), zero), y: (y.abs(), zero), left: Some(negative(x)) }.angle_single().copysign(y)
    }
}
