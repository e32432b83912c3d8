//! The error function.
//!
//! Up to 1, `x + x P(x^2)`; beyond, `1 - exp(-x^2) Q(t)` with `t = (x - 3) / (x + 3)`, which maps what is left
//! of the axis to a short interval. Both are computed, and one is chosen. In `f32` it is in pieces.
//!
//! ```
//! use arrlang::scalar::math::{erf::Erf, lanes::apply};
//! assert_eq!(apply::<Erf, f64, f64>(0.5), 0.5204998778130465);
//! ```

use super::exp::exp_of_lanes;
use super::lanes::{Function, Lanes, even_odd_polynomial};
use super::pieces;

/// Where the two expressions meet.
const SPLIT: f64 = 1.0;
/// `erf x / x - 1` in `x^2`, to 2^-56. Chebyshev nodes.
pub(super) const P: [f64; 13] = [
    0.1283791670955126,
    -0.3761263890318375,
    0.11283791670954879,
    -0.026866170645076792,
    0.0052239776248180145,
    -0.000854832698083379,
    0.0001205533111164271,
    -1.4925595266831182e-05,
    1.6461000484121368e-06,
    -1.6350312701054695e-07,
    1.4659775274047436e-08,
    -1.1372848856791674e-09,
    5.957176147748911e-11,
];
/// `exp(x^2) erfc x` in `t` up to 6, to 2^-57.4 of the error function.
const Q: [f64; 16] = [
    0.17900115118138996,
    -0.3262335600430372,
    0.24560380171233487,
    -0.15011593650077898,
    0.07166583719747308,
    -0.024392499318915004,
    0.004269136356961225,
    0.0007077464666941425,
    -0.0005970624964924544,
    4.525434558991009e-05,
    6.406279226046039e-05,
    -1.2845780030775907e-05,
    -8.00978093907608e-06,
    2.0135111426447427e-06,
    1.2755818949624478e-06,
    3.381355142042904e-09,
];

/// The error function.
#[derive(Clone, Copy, Debug)]
pub struct Erf;

impl Function<f64> for Erf {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let (one, three) = (L::splat(1.0), L::splat(3.0));
        let size = x.abs().at_most(L::splat(6.0));
        let z = size.mul(size);
        let near = size.fma(even_odd_polynomial(z, z.mul(z), &P), size);
        // What the square lost goes into the exponential.
        let factor = exp_of_lanes(L::splat(0.0).sub(z), size.fnma(size, z));
        let t = size.sub(three).div(size.add(three));
        let far = factor.fnma(even_odd_polynomial(t, t.mul(t), &Q), one);
        L::choose(size.less(L::splat(SPLIT)), near, far).copysign(x)
    }
}

impl Function<f32> for Erf {
    #[inline(always)]
    fn fast<L: Lanes<Number = f32>>(x: L) -> L {
        // Where it is 1.
        pieces::erf(x.abs().at_most(L::splat(3.94))).copysign(x)
    }
}
