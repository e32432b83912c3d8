//! The error function.
//!
//! Up to 1, `x + x P(x^2)`; beyond, `1 - exp(-x^2) Q(t)` with `t = (x - 3) / (x + 3)`, which maps what is left
//! of the axis to a short interval. Both are computed, and one is chosen.
//!
//! ```
//! use arrlang::scalar::math::erf::erf;
//! assert_eq!((erf(0.5), erf(-7.0)), (0.5204998778130465, -1.0));
//! ```

use super::exp::{exp_of_sum, exp_single};
use super::horner;

/// Where the two expressions meet.
const SPLIT: f64 = 1.0;
/// `erf x / x - 1` in `x^2`, to 2^-56. Chebyshev nodes.
const P: [f64; 13] = [
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
/// The first to 2^-34.8.
const P_SINGLE: [f64; 8] = [
    0.12837916706154343,
    -0.3761263846802871,
    0.11283782495236845,
    -0.026865430727670243,
    0.005221031807858023,
    -0.0008484080405535107,
    0.00011265959025606609,
    -9.667044571486996e-06,
];
/// The second up to 4, with 2 for 3 in `t`, to 2^-38.
const Q_SINGLE: [f64; 8] = [
    0.25539567625190335,
    -0.42718584761434303,
    0.24165821109072444,
    -0.07897852327253349,
    0.0037321413513030097,
    0.006994855413599958,
    -0.0008365899736486057,
    -0.0009441596340872735,
];

/// The error function.
#[inline(always)]
pub fn erf(x: f64) -> f64 {
    let size = x.abs();
    let size = if size > 6.0 { 6.0 } else { size };
    let z = size * size;
    let near = size.mul_add(horner(z, &P), size);
    let factor = exp_of_sum(-z, -size.mul_add(size, -z));
    let far = (-factor).mul_add(horner((size - 3.0) / (size + 3.0), &Q), 1.0);
    (if size < SPLIT { near } else { far }).copysign(x)
}

/// The error function.
#[inline(always)]
pub fn erff(x: f32) -> f32 {
    let size = f64::from(x.abs());
    let size = if size > 4.0 { 4.0 } else { size };
    let z = size * size;
    let near = size.mul_add(horner(z, &P_SINGLE), size);
    let tail = exp_single(-z) * horner((size - 2.0) / (size + 2.0), &Q_SINGLE);
    ((if size < SPLIT { near } else { 1.0 - tail }) as f32).copysign(x)
}
