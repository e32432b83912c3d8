//! Logarithms.
//!
//! `x = 2^k (1 + f)` with `1 + f` from 3/4 up to 3/2. That times an inverse for its sixteenth, from a table, is `1 + r`
//! with `r` from -1/32 to 1/16, and a polynomial in `r` does the rest: nothing is divided. To another base it is
//! multiplied as a sum of two floats. Of `f32` the latter are computed in `f64`, with `s = f / (2 + f)` and
//! `log(1 + f) = 2 s + s R(s^2)`.
//!
//! ```
//! use arrlang::scalar::math::{lanes::apply, log::{Log2, Log10}};
//! assert_eq!(apply::<Log2, f64, f64>(5e-324), -1074.0);
//! assert_eq!(apply::<Log10, f64, f64>(1000.0), 3.0);
//! ```

use super::exp::LN2;
use super::lanes::{Function, Lanes, Single, constant, even_odd_polynomial, polynomial};

/// log2 e as a sum.
const LOG2_E: [f64; 2] = [std::f64::consts::LOG2_E, 2.0355273740931033e-17];
/// log10 e as a sum.
const LOG10_E: [f64; 2] = [std::f64::consts::LOG10_E, 1.098319650216765e-17];
/// log10 2 as a sum; the first part has 42 bits.
const LOG10_2: [f64; 2] = [0.30102999566395283, 2.8363394551044964e-14];
/// `(log((1 + s) / (1 - s)) - 2 s) / s^3` in `z = s^2` up to 1/25, to 2^-33.6 of the logarithm. Chebyshev nodes.
const R_SINGLE: [f64; 4] = [0.6666666627321278, 0.4000031364468307, 0.28532545003481563, 0.23751341765880343];
/// `(log((1 + s) / (1 - s)) - 2 s) / s^3` in `z = s^2`, to 2^-40.5 of the logarithm.
const R_MEDIUM: [f64; 5] =
    [0.6666666667006929, 0.39999995760286317, 0.2857227130860574, 0.221638522391488, 0.19815563553220644];

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
/// [`INVERSE`] for `f32`. Logarithms are to 2^-29 multiples of 2^-16, and the polynomial is to 2^-28.4.
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
#[derive(Clone, Copy, Debug)]
pub struct Log;

/// `log(1 + x)`: that of the sum, whose `r` is moved by what the sum lost.
#[derive(Clone, Copy, Debug)]
pub struct Log1p;

/// What the natural logarithm knows of `f32` or `f64`.
struct LogTables<T, const N: usize> {
    /// The first of the bits that tell the sixteenth.
    first: u32,
    inverse: [T; 16],
    log: [T; 16],
    tiny: [T; N],
    ln2: [T; 2],
}

const DOUBLE: LogTables<f64, 9> = LogTables { first: 48, inverse: INVERSE, log: LOG, tiny: TINY, ln2: LN2 };
const SINGLE: LogTables<f32, 4> =
    LogTables { first: 19, inverse: INVERSE_SINGLE, log: LOG_SINGLE, tiny: TINY_SINGLE, ln2: LN2_SINGLE };

/// `k ln 2 + log c + log(1 + r)`, where `c` is that of `m`.
#[inline(always)]
fn sum<L: Lanes, const N: usize>(k: L, m: L, r: L, by: &LogTables<L::Number, N>) -> L {
    // Exact: both are multiples of the last place.
    let base = k.fma(L::splat(by.ln2[0]), m.lookup(by.first, &by.log));
    let square = r.mul(r);
    // Next to 1 the base is 0; elsewhere it is so large that what the sum loses is little beside it.
    base.add(square.fma(even_odd_polynomial(r, square, &by.tiny), k.fma(L::splat(by.ln2[1]), r)))
}

/// The natural logarithm.
#[inline(always)]
fn natural<L: Lanes<Number: From<f32>>, const N: usize>(x: L, by: &LogTables<L::Number, N>) -> L {
    let (k, m) = (x.exponent(false), x.mantissa(false));
    let r = m.fma(m.lookup(by.first, &by.inverse), constant(-1.0));
    sum(k, m, r, by).logarithm(x)
}

/// `log(1 + x)`.
#[inline(always)]
fn natural_of_more<L: Lanes<Number: From<f32>>, const N: usize>(x: L, by: &LogTables<L::Number, N>) -> L {
    let one: L = constant(1.0);
    let u = one.add(x);
    // Exact, or so little beside the sum that it does not matter.
    let lost = x.sub(u.sub(one));
    let (k, m) = (u.exponent(true), u.mantissa(true));
    let inverse = m.lookup(by.first, &by.inverse);
    let r = lost.lowered(k).fma(inverse, m.fma(inverse, constant(-1.0)));
    sum(k, m, r, by).copysign(x).logarithm(u)
}

impl Function<f64> for Log {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        natural(x, &DOUBLE)
    }
}

impl Function<f32> for Log {
    #[inline(always)]
    fn fast<L: Lanes<Number = f32>>(x: L) -> L {
        natural(x, &SINGLE)
    }
}

impl Function<f64> for Log1p {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        natural_of_more(x, &DOUBLE)
    }
}

impl Function<f32> for Log1p {
    #[inline(always)]
    fn fast<L: Lanes<Number = f32>>(x: L) -> L {
        natural_of_more(x, &SINGLE)
    }
}

/// The logarithm of `(x + low) * 2^more` for a small `low`.
#[inline(always)]
pub(super) fn log_of_sum<L: Lanes<Number = f64>>(x: L, low: L, more: L) -> L {
    let (k, m) = (x.exponent(true), x.mantissa(true));
    let inverse = m.lookup(48, &INVERSE);
    let r = low.lowered(k).fma(inverse, m.fma(inverse, L::splat(-1.0)));
    sum(k.add(more), m, r, &DOUBLE)
}

/// The logarithm to base 2.
#[derive(Clone, Copy, Debug)]
pub struct Log2;

/// The logarithm to base 10.
#[derive(Clone, Copy, Debug)]
pub struct Log10;

/// `k log 2 + factor log m`, the first two each as a sum, and rounded once but for the last bits.
#[inline(always)]
fn to_base<L: Lanes<Number = f64>>(x: L, of_two: [f64; 2], factor: [f64; 2]) -> L {
    let (k, m) = (x.exponent(false), x.mantissa(false));
    let r = m.fma(m.lookup(48, &INVERSE), L::splat(-1.0));
    let (base, square) = (m.lookup(48, &LOG), r.mul(r));
    // The base is 0, or larger than the rest.
    let high = base.add(r);
    let low = square.fma(even_odd_polynomial(r, square, &TINY), base.sub(high).add(r));
    let [factor, factor_low] = factor.map(L::splat);
    let product = high.mul(factor);
    let lost = high.fma(factor, L::splat(0.0).sub(product));
    let rest = high.fma(factor_low, low.fma(factor, lost));
    // Exact.
    let whole = k.mul(L::splat(of_two[0]));
    let total = whole.add(product);
    let left = k.fma(L::splat(of_two[1]), whole.sub(total).add(product).add(rest));
    total.add(left).logarithm(x)
}

impl Function<f64> for Log2 {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        to_base(x, [1.0, 0.0], LOG2_E)
    }
}

impl Function<f64> for Log10 {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        to_base(x, LOG10_2, LOG10_E)
    }
}

/// The exponent of a normal number, and the logarithm of the rest from 3/4 up to 3/2.
#[inline(always)]
fn short<L: Lanes<Number = f64>, const N: usize>(x: L, coefficients: &[f64; N]) -> (L, L) {
    let f = x.mantissa(true).sub(L::splat(1.0));
    let s = f.div(f.add(L::splat(2.0)));
    let z = s.mul(s);
    (x.exponent(true), s.fma(z.mul(polynomial(z, coefficients)), s.add(s)))
}

impl Function<f64> for Single<Log2> {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let (k, log) = short(x, &R_SINGLE);
        log.fma(L::splat(LOG2_E[0]), k).logarithm(x)
    }
}

impl Function<f64> for Single<Log10> {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let (k, log) = short(x, &R_SINGLE);
        k.fma(L::splat(std::f64::consts::LOG10_2), log.mul(L::splat(LOG10_E[0]))).logarithm(x)
    }
}

/// The natural logarithm of a normal number, without its special values, to about 2^-40: enough for `f32`.
#[inline(always)]
pub(super) fn log_medium<L: Lanes<Number = f64>>(x: L) -> L {
    let (k, log) = short(x, &R_MEDIUM);
    k.fma(L::splat(std::f64::consts::LN_2), log)
}
