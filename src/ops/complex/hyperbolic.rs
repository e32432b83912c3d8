//! Hyperbolic or trigonometric functions of complex numbers.

use super::super::formula::{ComplexNodes, Real};
use super::exponential::E400;

/// `sinh x` and `cosh x`, each to be multiplied by the third value twice, which is 1 unless they would overflow.
fn sinh_cosh(x: Real) -> [Real; 3] {
    let large = x.abs().gt(709.0);
    let half = (x.abs() - 800.0).exp() * 0.5;
    [large.pick(half.copysign(x), x.sinh()), large.pick(half, x.cosh()), large.pick(x.like(E400), x.like(1.0))]
}

/// `sinh z = sinh x cos y + i cosh x sin y`
pub(in crate::ops) fn sinh(z: ComplexNodes) -> ComplexNodes {
    let (x, y) = (z.re, z.im);
    let [sinh, cosh, root] = sinh_cosh(x);
    let (re, im) = (y.cos() * root * sinh * root, y.sin() * root * cosh * root);
    let stays = !y.is_finite() & (x.is_zero() | x.is_infinite());
    ComplexNodes { re: stays.pick(x, re), im: y.is_zero().pick(y, im) }
}

/// `cosh z = cosh x cos y + i sinh x sin y`
pub(in crate::ops) fn cosh(z: ComplexNodes) -> ComplexNodes {
    let (x, y) = (z.re, z.im);
    let [sinh, cosh, root] = sinh_cosh(x);
    let (re, im) = (y.cos() * root * cosh * root, y.sin() * root * sinh * root);
    let lost = !y.is_finite();
    let im = (lost & x.is_zero()).pick(x * y.like(1.0).copysign(y), im);
    let signed_zero = y * x.like(1.0).copysign(x);
    ComplexNodes { re: (lost & x.is_infinite()).pick(x.abs(), re), im: y.is_zero().pick(signed_zero, im) }
}

/// `tanh z`, by Kahan's formula: with `t = tan y`, `b = 1 + t²`, `s = sinh x`, the parts are
/// `b cosh x s / (1 + b s²)` and `t / (1 + b s²)`. From 22 on the real part is 1 and the imaginary part small.
pub(in crate::ops) fn tanh(z: ComplexNodes) -> ComplexNodes {
    let (x, y) = (z.re, z.im);
    let (tan, sinh, cosh) = (y.tan(), x.sinh(), x.cosh());
    let stretch = tan * tan + 1.0;
    let below = sinh * sinh * stretch + 1.0;
    let (re, im) = (stretch * cosh * sinh / below, tan / below);

    let one = x.like(1.0).copysign(x);
    let lost = !y.is_finite();
    let infinite = x.is_infinite();
    // A lost angle makes the real part no number, unless the real part is infinite.
    let far_re = infinite.pick(one, one + y * 0.0);
    let far_im = y.sin() * y.cos() * 4.0 * (x.abs() * -2.0).exp();
    let far_im = (infinite & lost).pick(x.like(0.0).copysign(y), far_im);
    let far = x.abs().gt(22.0);
    let (re, im) = (far.pick(far_re, re), far.pick(far_im, im));
    ComplexNodes { re: (lost & x.is_zero()).pick(x, re), im: y.is_zero().pick(y, im) }
}

/// `sin z = -i sinh iz`
pub(in crate::ops) fn sin(z: ComplexNodes) -> ComplexNodes {
    sinh(z.times_i()).over_i()
}

/// `cos z = cosh iz`
pub(in crate::ops) fn cos(z: ComplexNodes) -> ComplexNodes {
    cosh(z.times_i())
}

/// `tan z = -i tanh iz`
pub(in crate::ops) fn tan(z: ComplexNodes) -> ComplexNodes {
    tanh(z.times_i()).over_i()
}
