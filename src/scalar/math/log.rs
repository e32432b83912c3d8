//! Logarithms.
//!
//! `x = 2^k (1 + f)` with `1 + f` between `sqrt 1/2` and `sqrt 2`. With `s = f / (2 + f)`,
//! `log(1 + f) = f - f^2 / 2 + s (f^2 / 2 + R(s^2))` where `2 s + s R(s^2) = log((1 + s) / (1 - s))`; the first two
//! terms are kept as a sum of two floats.
//!
//! The natural logarithm divides nothing. `1 + f` from 3/4 up to 3/2 times an inverse for its sixteenth, from a table, is
//! `1 + r` with `r` from -1/32 to 1/16, and a polynomial in `r` does the rest.
//!
//! ```
//! use arrlang::scalar::math::log::{log2, log10};
//! assert_eq!((log2(5e-324), log10(1000.0)), (-1074.0, 3.0));
//! ```

use super::exp::LN2;
use super::horner;
use super::lanes::{Function, Lanes, apply, paired};

/// log2 e as a sum.
const LOG2_E: [f64; 2] = [std::f64::consts::LOG2_E, 2.0355273740931033e-17];
/// log10 e as a sum.
const LOG10_E: [f64; 2] = [std::f64::consts::LOG10_E, 1.098319650216765e-17];
/// log10 2 as a sum; the first part has 42 bits.
const LOG10_2: [f64; 2] = [0.30102999566395283, 2.8363394551044964e-14];
/// `(log((1 + s) / (1 - s)) - 2 s) / s^3` in `z = s^2`, to 2^-56.7 of the logarithm. Chebyshev nodes.
const R: [f64; 7] = [
    0.666666666666667,
    0.3999999999989889,
    0.2857142862625391,
    0.22222211089368124,
    0.18182892433364564,
    0.15331611694570085,
    0.14617807492803847,
];
/// The same to 2^-34.9.
const R_SINGLE: [f64; 4] = [0.666666665540419, 0.4000012221190375, 0.2855077862264064, 0.23331614758667432];
/// The same to 2^-42.2.
const R_MEDIUM: [f64; 5] =
    [0.6666666666737868, 0.3999999879244046, 0.28571755535282983, 0.22191337412206635, 0.19363885294464359];

/// The exponent `k` and `f`, for positive finite `x`.
#[inline(always)]
pub(super) fn split(x: f64) -> (f64, f64) {
    let subnormal = x < f64::MIN_POSITIVE;
    let x = if subnormal { x * 2f64.powi(54) } else { x };
    let offset = if subnormal { 4_503_599_627_370_496.0 + 1023.0 + 54.0 } else { 4_503_599_627_370_496.0 + 1023.0 };
    split_normal(x, offset)
}

/// The bits of `sqrt 1/2`.
const ROOT: u64 = 0x3fe6_a09e_667f_3bcd;

/// Splits a normal number; the exponent is read as an integer above 2^52, less `offset`.
#[inline(always)]
fn split_normal(x: f64, offset: f64) -> (f64, f64) {
    let moved = x.to_bits().wrapping_add(0x3ff0_0000_0000_0000 - ROOT);
    let k = f64::from_bits(moved >> 52 | 0x4330_0000_0000_0000) - offset;
    let m = f64::from_bits((moved & 0x000f_ffff_ffff_ffff) + ROOT);
    (k, m - 1.0)
}

/// `log(1 + f)` as a sum.
#[inline(always)]
fn kernel(f: f64) -> (f64, f64) {
    let square = f * f;
    let square_low = f.mul_add(f, -square);
    let s = f / (2.0 + f);
    let z = s * s;
    let high = (-0.5f64).mul_add(square, f);
    let low = (f - high) - 0.5 * square;
    let tail = s * z.mul_add(horner(z, &R), 0.5 * square);
    (high, (-0.5f64).mul_add(square_low, low + tail))
}

/// The result for the arguments that have no logarithm, or an infinite one.
#[inline(always)]
fn special(x: f64, zero: f64, value: f64) -> f64 {
    let edge = if x == zero { f64::NEG_INFINITY } else { f64::NAN };
    let edge = if x == f64::INFINITY { x } else { edge };
    if x > zero && x < f64::INFINITY { value } else { edge }
}

/// For each sixteenth from 1 up to 2, from 1.5 on halved, a float whose logarithm is to 2^-64 a multiple of 2^-42, so
/// that it needs no second part: the inverse of its middle, or 1 next to 1. And that logarithm, negated.
const INVERSE: [f64; 16] = [
    1.0,
    0.9142972917943105,
    0.8648685097811438,
    0.8205080358213563,
    0.7804845373580814,
    0.7441795273504905,
    0.71112182281303,
    0.6808576313075551,
    1.3061368307548176,
    1.2548993753698972,
    1.2075385252160364,
    1.163651496401448,
    1.122795773981388,
    1.0847346690666941,
    1.049185647667164,
    1.0,
];
const LOG: [f64; 16] = [
    0.0,
    0.08959949586983385,
    0.14517779541893105,
    0.19783157468964419,
    0.24784035042330288,
    0.2954729730549843,
    0.34091152375322054,
    0.38440205297388275,
    -0.2670737962350813,
    -0.22705539038111056,
    -0.18858401097645583,
    -0.15156290276263462,
    -0.11582180167715705,
    -0.08133541244751541,
    -0.04801428960627163,
    0.0,
];
/// `(log(1 + r) - r) / r^2` for `r` from -1/32 to 1/16, to 2^-56.6 of the logarithm. The least greatest error.
const TINY: [f64; 9] = [
    -0.5,
    0.3333333333334755,
    -0.24999999999860903,
    0.19999999927799628,
    -0.16666666160211432,
    0.14285819844371775,
    -0.12501869607354507,
    0.1107142944859019,
    -0.08745024037717335,
];
/// The same for `f32`, where logarithms are to 2^-29 multiples of 2^-16, and the polynomial is to 2^-28.4.
const INVERSE_SINGLE: [f32; 16] = [
    1.0, 0.9144088, 0.8642138, 0.8207471, 0.78008527, 0.7440446, 0.71100223, 0.68189913, 1.3049625, 1.2542236,
    1.2070956, 1.1621286, 1.1222049, 1.0869483, 1.0471438, 1.0,
];
const LOG_SINGLE: [f32; 16] = [
    0.0,
    0.0894775390625,
    0.14593505859375,
    0.197540283203125,
    0.24835205078125,
    0.295654296875,
    0.3410797119140625,
    0.38287353515625,
    -0.26617431640625,
    -0.2265167236328125,
    -0.1882171630859375,
    -0.1502532958984375,
    -0.11529541015625,
    -0.0833740234375,
    -0.0460662841796875,
    0.0,
];
const TINY_SINGLE: [f32; 4] = [-0.5, 0.33334447, -0.2500667, 0.18855226];
/// ln 2 as a sum. The first part has 16 bits.
const LN2_SINGLE: [f32; 2] = [0.693145751953125, 1.4286068e-06];

/// The natural logarithm: `k ln 2 + log c + log(1 + r)` for `x = 2^k c (1 + r)` with `c` from a table.
#[derive(Clone, Copy)]
pub struct Log;

/// `log(1 + x)`: that of the sum, whose `r` is moved by what the sum lost.
#[derive(Clone, Copy)]
pub struct Log1p;

macro_rules! log {
    ($T:ident, $first:literal, $sum:ident, $inverse:ident, $log:ident, $tiny:ident, $ln2:ident) => {
        /// `k ln 2 + log c + log(1 + r)`, where `c` is that of `m`.
        #[inline(always)]
        fn $sum<L: Lanes<Number = $T>>(k: L, m: L, r: L) -> L {
            // Exact: both are multiples of the last place.
            let base = k.fma(L::splat($ln2[0]), m.lookup($first, &$log));
            let square = r.mul(r);
            // Next to 1 the base is 0; elsewhere it is so large that what the sum loses is little beside it.
            base.add(square.fma(paired(r, square, &$tiny), k.fma(L::splat($ln2[1]), r)))
        }

        impl Function<$T> for Log {
            #[inline(always)]
            fn easy<L: Lanes<Number = $T>>(x: L) -> L {
                let (k, m) = (x.exponent(false), x.mantissa(false));
                let r = m.fma(m.lookup($first, &$inverse), L::splat(-1.0));
                $sum(k, m, r).logarithm(x)
            }
        }

        impl Function<$T> for Log1p {
            #[inline(always)]
            fn easy<L: Lanes<Number = $T>>(x: L) -> L {
                let one = L::splat(1.0);
                let u = one.add(x);
                // Exact, or so little beside the sum that it does not matter.
                let lost = x.sub(u.sub(one));
                let (k, m) = (u.exponent(true), u.mantissa(true));
                let inverse = m.lookup($first, &$inverse);
                let r = lost.lowered(k).fma(inverse, m.fma(inverse, L::splat(-1.0)));
                $sum(k, m, r).copysign(x).logarithm(u)
            }
        }
    };
}

log!(f64, 48, sum, INVERSE, LOG, TINY, LN2);
log!(f32, 19, sum_single, INVERSE_SINGLE, LOG_SINGLE, TINY_SINGLE, LN2_SINGLE);

/// The natural logarithm.
#[inline(always)]
pub fn log(x: f64) -> f64 {
    apply::<Log, _, _>(x)
}

/// The logarithm to base 2.
#[inline(always)]
pub fn log2(x: f64) -> f64 {
    let (k, f) = split(x);
    let (high, low) = kernel(f);
    let (product, rest) = times(high, low, LOG2_E);
    let sum = k + product;
    special(x, 0.0, sum + ((k - sum) + product + rest))
}

/// The logarithm to base 10.
#[inline(always)]
pub fn log10(x: f64) -> f64 {
    let (k, f) = split(x);
    let (high, low) = kernel(f);
    let (product, rest) = times(high, low, LOG10_E);
    let base = k * LOG10_2[0];
    let sum = base + product;
    special(x, 0.0, sum + k.mul_add(LOG10_2[1], (base - sum) + product + rest))
}

/// The product of a sum and a constant.
#[inline(always)]
fn times(high: f64, low: f64, factor: [f64; 2]) -> (f64, f64) {
    let product = high * factor[0];
    let rest = high.mul_add(factor[0], -product);
    (product, high.mul_add(factor[1], low.mul_add(factor[0], rest)))
}

/// `log(1 + x)`.
#[inline(always)]
pub fn log1p(x: f64) -> f64 {
    apply::<Log1p, _, _>(x)
}

/// `log(1 + f)` for `f32`.
#[inline(always)]
fn kernel_single(f: f64) -> f64 {
    let s = f / (2.0 + f);
    let z = s * s;
    s.mul_add(z * horner(z, &R_SINGLE), s + s)
}

/// The natural logarithm, without its special values, to about 2^-42: enough for powers of `f32`.
#[inline(always)]
pub(super) fn log_medium(x: f64) -> f64 {
    let (k, f) = split_normal(x, 4_503_599_627_370_496.0 + 1023.0);
    let s = f / (2.0 + f);
    let z = s * s;
    k.mul_add(std::f64::consts::LN_2, s.mul_add(z * horner(z, &R_MEDIUM), s + s))
}

/// The natural logarithm.
#[inline(always)]
pub fn logf(x: f32) -> f32 {
    apply::<Log, _, _>(x)
}

/// The logarithm to base 2.
#[inline(always)]
pub fn log2f(x: f32) -> f32 {
    let x = f64::from(x);
    let (k, f) = split_normal(x, 4_503_599_627_370_496.0 + 1023.0);
    special(x, 0.0, kernel_single(f).mul_add(LOG2_E[0], k)) as f32
}

/// The logarithm to base 10.
#[inline(always)]
pub fn log10f(x: f32) -> f32 {
    let x = f64::from(x);
    let (k, f) = split_normal(x, 4_503_599_627_370_496.0 + 1023.0);
    let value = k.mul_add(std::f64::consts::LOG10_2, kernel_single(f) * LOG10_E[0]);
    special(x, 0.0, value) as f32
}

/// `log(1 + x)`.
#[inline(always)]
pub fn log1pf(x: f32) -> f32 {
    apply::<Log1p, _, _>(x)
}
