//! The error function.
//!
//! Up to [`SPLIT`], `x + x P(x^2)`; beyond, `1 - exp(-x^2) Q(t)` with `t = (x - 3) / (x + 3)`, which maps what is left
//! of the axis to a short interval. Both are computed, and one is chosen.
//!
//! ```
//! use arrlang::scalar::math::erf::erf;
//! assert_eq!((erf(0.5), erf(-7.0)), (0.5204998778130465, -1.0));
//! ```

use super::exp::{exp_of_sum, exp_single};
use super::horner;

/// Where the two expressions meet.
const SPLIT: f64 = 0.9;
/// `erf x / x - 1` in `x^2`, to 2^-56. Chebyshev nodes.
const P: [f64; 12] = [
    0.1283791670955126,
    -0.3761263890318373,
    0.11283791670953794,
    -0.02686617064482373,
    0.0052239776217703725,
    -0.0008548326764466543,
    0.00012055321382481122,
    -1.492530753550859e-05,
    1.6455328747938096e-06,
    -1.6276526722586205e-07,
    1.4051482766989913e-08,
    -8.493998797080943e-10,
];
/// `exp(x^2) erfc x` in `t` up to 6, to 2^-56.6 of the error function.
const Q: [f64; 16] = [
    0.17900115118138996,
    -0.326233560043037,
    0.24560380171233673,
    -0.15011593650082877,
    0.07166583719725247,
    -0.024392499315740817,
    0.004269136367964183,
    0.0007077463818865801,
    -0.000597062777188377,
    4.5255397624556944e-05,
    6.406660005974809e-05,
    -1.285112893387019e-05,
    -8.035717810453595e-06,
    2.013768467750294e-06,
    1.3450753097108054e-06,
    6.187407454799705e-08,
];
/// The first to 2^-31.6.
const P_SINGLE: [f64; 7] = [
    0.12837916678922237,
    -0.37612635193967825,
    0.11283718049593898,
    -0.02686066479113085,
    0.005204226693752301,
    -0.0008179632180888265,
    8.529401322836862e-05,
];
/// The second up to 4, with 2 for 3 in `t`, to 2^-35.
const Q_SINGLE: [f64; 8] = [
    0.25539567627530474,
    -0.4271858472513096,
    0.2416582068099205,
    -0.07897854304424878,
    0.00373225140291641,
    0.006995130362451563,
    -0.0008372749810105469,
    -0.0009452850238064999,
];

/// The error function.
#[inline(always)]
pub fn erf(x: f64) -> f64 {
    let size = x.abs();
    let size = if size > 6.0 { 6.0 } else { size };
    let z = size * size;
    let near = size.mul_add(horner(z, &P), size);
    let tail = exp_of_sum(-z, -size.mul_add(size, -z)) * horner((size - 3.0) / (size + 3.0), &Q);
    (if size < SPLIT { near } else { 1.0 - tail }).copysign(x)
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
