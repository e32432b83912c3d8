//! Logarithms.
//!
//! `x = 2^k (1 + f)` with `1 + f` between `sqrt 1/2` and `sqrt 2`. With `s = f / (2 + f)`,
//! `log(1 + f) = f - f^2 / 2 + s (f^2 / 2 + R(s^2))` where `2 s + s R(s^2) = log((1 + s) / (1 - s))`; the first two
//! terms are kept as a sum of two floats.
//!
//! The natural logarithm divides nothing: `1 + f` times the inverse of its nearest sixteenth, from a table, is `1 + r`
//! with `|r| <= 1/32`, and a polynomial in `r` does the rest.
//!
//! ```
//! use arrlang::scalar::math::log::{log2, log10};
//! assert_eq!((log2(5e-324), log10(1000.0)), (-1074.0, 3.0));
//! ```

use super::exp::LN2;
use super::horner;
use super::lanes::{Function, Lanes, apply, polynomial};

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

/// For each sixteenth between 1 and 2, from 1.5 on halved, the float next to its inverse whose logarithm is to 2^-63 a
/// multiple of 2^-42, so that it needs no second part; and that logarithm, negated.
const INVERSE: [f64; 16] = [
    1.0,
    0.9411760996374703,
    0.8888893464355387,
    0.8421054477632473,
    0.8000004716806108,
    0.7619043623782884,
    0.7272729032751739,
    0.6956525797722466,
    1.3333336308494794,
    1.2799999618642013,
    1.2307696882966956,
    1.1851854565978572,
    1.1428572989079582,
    1.103447915519286,
    1.066666323940037,
    1.0322578542274718,
];
const LOG: [f64; 16] = [
    0.0,
    0.060625015951700334,
    0.11778252091653485,
    0.17185003770782714,
    0.22314296171362002,
    0.2719342398622757,
    0.3184534891151998,
    0.36290491026693417,
    -0.2876822955888656,
    -0.2468600481379326,
    -0.20763973651924061,
    -0.1698992657998133,
    -0.1335315291689767,
    -0.09843974625255214,
    -0.06453819983130415,
    -0.031748494597422905,
];
/// `(log(1 + r) - r) / r^2` on `|r| <= 1/32`, to 2^-61 of the logarithm. Chebyshev nodes.
const TINY: [f64; 9] = [
    -0.5,
    0.3333333333333304,
    -0.24999999999999728,
    0.20000000004023824,
    -0.1666666667035526,
    0.14285699513930714,
    -0.12499986458910527,
    0.11131191217974261,
    -0.10018407062297024,
];
/// The same for `f32`, where logarithms are to 2^-30 multiples of 2^-15.
const INVERSE_SINGLE: [f32; 16] = [
    1.0, 0.94219804, 0.8878455, 0.8415706, 0.8002678, 0.76085275, 0.72658706, 0.69503015, 1.332814, 1.2806208,
    1.2318617, 1.1838747, 1.1450021, 1.1025164, 1.0684651, 1.0317434,
];
const LOG_SINGLE: [f32; 16] = [
    0.0,
    0.059539794921875,
    0.11895751953125,
    0.1724853515625,
    0.222808837890625,
    0.2733154296875,
    0.31939697265625,
    0.363800048828125,
    -0.28729248046875,
    -0.247344970703125,
    -0.208526611328125,
    -0.168792724609375,
    -0.135406494140625,
    -0.09759521484375,
    -0.06622314453125,
    -0.03125,
];
const TINY_SINGLE: [f32; 4] = [-0.49999997, 0.3333333, -0.25016353, 0.20014016];
/// ln 2 as a sum. The first part has 16 bits.
const LN2_SINGLE: [f32; 2] = [0.693145751953125, 1.4286068e-06];

/// The natural logarithm: `k ln 2 + log c + log(1 + r)` for `x = 2^k c (1 + r)` with `c` from a table.
#[derive(Clone, Copy)]
pub struct Log;

/// `log(1 + x)`: that of the sum, moved by what the sum lost over the sum.
#[derive(Clone, Copy)]
pub struct Log1p;

/// The exponent and the rest, which is between 1.46875 / 2 and 1.46875.
#[inline(always)]
fn parts<L: Lanes>(x: L, [half, one, bound]: [L::Number; 3]) -> (L, L) {
    let (k, m) = (x.exponent(), x.mantissa());
    let small = m.less(L::splat(bound));
    (L::choose(small, k, k.add(L::splat(one))), L::choose(small, m, m.mul(L::splat(half))))
}

/// The results for what has no logarithm, or an infinite one.
#[inline(always)]
fn edges<L: Lanes>(x: L, easy: L, [infinity, minus_infinity, nan, greatest]: [L::Number; 4]) -> L {
    let edge = L::choose(x.zero(), L::splat(minus_infinity), L::splat(nan));
    let edge = L::choose(L::splat(greatest).less(x), L::splat(infinity), edge);
    L::choose(x.improper(), edge, easy)
}

macro_rules! log {
    ($T:ident, $inverse:ident, $log:ident, $tiny:ident, $ln2:ident) => {
        impl Function<$T> for Log {
            #[inline(always)]
            fn easy<L: Lanes<Number = $T>>(x: L) -> L {
                let (k, m) = parts(x, [0.5, 1.0, 1.46875]);
                let r = m.fma(m.lookup_fraction(&$inverse), L::splat(-1.0));
                // Exact: both are multiples of the last place.
                let base = k.fma(L::splat($ln2[0]), m.lookup_fraction(&$log));
                let sum = base.add(r);
                let rest = base.sub(sum).add(r);
                let low = r.mul(r).fma(polynomial(r, &$tiny), k.mul(L::splat($ln2[1])));
                sum.add(rest.add(low))
            }
            #[inline(always)]
            fn hard<L: Lanes<Number = $T>>(x: L) -> Option<L::Mask> {
                Some(x.improper())
            }
            #[inline(always)]
            fn mend<L: Lanes<Number = $T>>(x: L, easy: L) -> L {
                edges(x, easy, [$T::INFINITY, $T::NEG_INFINITY, $T::NAN, $T::MAX])
            }
        }

        impl Function<$T> for Log1p {
            #[inline(always)]
            fn easy<L: Lanes<Number = $T>>(x: L) -> L {
                let one = L::splat(1.0);
                let u = one.add(x);
                // Exact, as the larger of the two comes first.
                let lost = x.at_most(one).sub(u.sub(x.at_least(one)));
                let (k, m) = parts(u, [0.5, 1.0, 1.46875]);
                let inverse = m.lookup_fraction(&$inverse);
                let r = m.fma(inverse, L::splat(-1.0));
                // Over the sum: `1 / (1 + r)` to second order.
                let moved = lost.scale(L::splat(0.0).sub(k)).mul(inverse);
                let moved = moved.fnma(r, moved);
                let base = k.fma(L::splat($ln2[0]), m.lookup_fraction(&$log));
                let sum = base.add(r);
                let rest = base.sub(sum).add(r);
                let low = r.mul(r).fma(polynomial(r, &$tiny), k.fma(L::splat($ln2[1]), moved));
                sum.add(rest.add(low)).copysign(x)
            }
            #[inline(always)]
            fn hard<L: Lanes<Number = $T>>(x: L) -> Option<L::Mask> {
                Some(L::splat(1.0).add(x).improper())
            }
            #[inline(always)]
            fn mend<L: Lanes<Number = $T>>(x: L, easy: L) -> L {
                edges(L::splat(1.0).add(x), easy, [$T::INFINITY, $T::NEG_INFINITY, $T::NAN, $T::MAX])
            }
        }
    };
}

log!(f64, INVERSE, LOG, TINY, LN2);
log!(f32, INVERSE_SINGLE, LOG_SINGLE, TINY_SINGLE, LN2_SINGLE);

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
