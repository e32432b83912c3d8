//! Inverse hyperbolic or trigonometric functions of complex numbers.
//!
//! Kahan's formulas ("Branch cuts for complex elementary functions", 1987) over the two roots of `1 ± z`, whose
//! signed zeros carry the side of the branch cut. Beyond `2^1022` the functions are logarithms of `2 |z|`.

use super::super::formula::{ComplexNodes, Real};
use super::exponential::sqrt;
use std::f64::consts::{FRAC_PI_2, LN_2};

/// Whether a part is too large for sums and products of roots.
fn is_far(z: ComplexNodes<'_>) -> super::super::formula::Truth<'_> {
    let limit = f64::MAX / 4.0;
    z.re.abs().gt(limit) | z.im.abs().gt(limit)
}

/// `log (2 |z|)`
fn log_of_double(z: ComplexNodes<'_>) -> Real<'_> {
    (z.re * 0.5).hypot(z.im * 0.5).log() + 2.0 * LN_2
}

/// `asinh z`
pub(in crate::ops) fn asinh(z: ComplexNodes) -> ComplexNodes {
    let (x, y) = (z.re, z.im);
    let far = is_far(z);
    let first = sqrt(ComplexNodes { re: 1.0 + y, im: -x });
    let second = sqrt(ComplexNodes { re: 1.0 - y, im: x });
    let re = (first.re * second.im - second.re * first.im).asinh();
    let im = y.atan2(first.re * second.re - first.im * second.im);
    let im = far.pick(y.atan2(x.abs()), im);
    ComplexNodes { re: far.pick(log_of_double(z).copysign(x), re), im: y.is_zero().pick(y, im) }
}

/// `acosh z`
pub(in crate::ops) fn acosh(z: ComplexNodes) -> ComplexNodes {
    let (x, y) = (z.re, z.im);
    let far = is_far(z);
    let first = sqrt(ComplexNodes { re: x - 1.0, im: y });
    let second = sqrt(ComplexNodes { re: x + 1.0, im: y });
    let re = (first.re * second.re + first.im * second.im).asinh();
    let im = first.im.atan2(second.re) * 2.0;
    let im = (x.is_zero() & y.is_nan()).pick(x.like(FRAC_PI_2), im);
    ComplexNodes { re: far.pick(log_of_double(z), re), im: far.pick(y.atan2(x), im) }
}

/// `acos z`
pub(in crate::ops) fn acos(z: ComplexNodes) -> ComplexNodes {
    let (x, y) = (z.re, z.im);
    let far = is_far(z);
    let first = sqrt(ComplexNodes { re: 1.0 - x, im: -y });
    let second = sqrt(ComplexNodes { re: 1.0 + x, im: y });
    let re = first.re.atan2(second.re) * 2.0;
    let re = (x.is_zero() & y.is_nan()).pick(x.like(FRAC_PI_2), re);
    let im = (second.re * first.im - second.im * first.re).asinh();
    ComplexNodes { re: far.pick(y.abs().atan2(x), re), im: far.pick(-log_of_double(z).copysign(y), im) }
}

/// `atanh z`, with `r = |x|`: the parts are `log1p(4 r / ((1 - r)² + y²)) / 4` with the sign of `x`, and
/// `arg((1 - r)(1 + r) - y² + 2 y i) / 2`.
pub(in crate::ops) fn atanh(z: ComplexNodes) -> ComplexNodes {
    let (x, y) = (z.re.abs(), z.im);
    let below = 1.0 - x;
    let re = (x * 4.0 / (below * below + y * y)).log1p() * 0.25;
    let im = (y * 2.0).atan2(below * (1.0 + x) - y * y) * 0.5;

    // At a distance the squares overflow: the function is 1/z, turned by a right angle.
    let limit = 2f64.powi(510);
    let far = x.gt(limit) | y.abs().gt(limit);
    let length = (x * 0.5).hypot(y * 0.5);
    let far_re = (x.is_infinite() | y.is_infinite()).pick(x.like(0.0), x / length / length * 0.25);
    let unknown = y.is_nan() | (x.is_nan() & y.is_finite());
    let far_im = unknown.pick(x + y, y.like(FRAC_PI_2).copysign(y));
    // Beside the pole at 1 the square of y underflows.
    let beside = x.eq(1.0) & y.abs().lt(2f64.powi(-511));
    let pole = -(y.abs().sqrt() / y.abs().hypot(y.like(2.0)).sqrt()).log();

    let re = beside.pick(pole, far.pick(far_re, re));
    ComplexNodes { re: x.is_zero().pick(x, re).copysign(z.re), im: far.pick(far_im, im) }
}

/// `asin z = -i asinh iz`
pub(in crate::ops) fn asin(z: ComplexNodes) -> ComplexNodes {
    asinh(z.times_i()).over_i()
}

/// `atan z = -i atanh iz`
pub(in crate::ops) fn atan(z: ComplexNodes) -> ComplexNodes {
    atanh(z.times_i()).over_i()
}
