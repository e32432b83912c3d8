//! The gamma function, with its logarithm.
//!
//! With `n` the whole number next to `x` and `e = x - n`, `gamma x` is `gamma(1 + e)`, a polynomial, times or over a
//! product of numbers next to whole ones. Both are sums of two floats, so that the logarithm keeps its digits next to
//! its zeros between the poles, where the two cancel. Far from 0 it is Stirling's series, on the left by reflection.
//! Results of `f64` are within one representable value of the correctly rounded one, those of `lgamma` within three;
//! those of `f32` are rounded once.
//!
//! ```
//! use arrlang::scalar::math::gamma::{gamma, lgamma};
//! assert_eq!((gamma(5.0), lgamma(-2.754)), (24.0, 0.012480930304735982));
//! ```

use super::exp::exp_of_sum;
use super::lanes::apply;
use super::log::Log1p;
use super::power::log_sum;
use super::trig::{cos_kernel, sin_kernel};
use std::f64::consts::{LN_2, PI};

/// A number as a sum of a float and what it lacks.
type Sum = (f64, f64);

/// How far products go; beyond it is Stirling's series.
const STIRLING_FROM: f64 = 12.0;
/// How far they go for whole numbers, whose factorials are floats.
const STIRLING_FROM_WHOLE: f64 = 24.0;
/// How many coefficients count as sums where nothing cancels.
const SUMMED_COEFFICIENTS: usize = 4;
/// What pi lacks as a float.
const PI_LOW: f64 = 1.2246467991473532e-16;
/// Half of `log(2 pi)`, as a sum.
const HALF_LOG_TAU: Sum = (0.9189385332046728, -3.8782941580672414e-17);
/// Stirling's series in `1 / x^2`, times `x`.
const STIRLING: [f64; 7] =
    [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0, 1.0 / 156.0];
/// `gamma(1 + e)` in `e` up to a half, to 2^-108, the first coefficients as sums. Chebyshev nodes.
const FIRST: [[f64; 2]; 48] = [
    [1.0, 0.0],
    [-0.5772156649015329, 4.942915152430644e-18],
    [0.9890559953279725, 5.1778575474661087e-17],
    [-0.9074790760808863, 4.2596906861761385e-18],
    [0.9817280868344002, 2.7470614759168484e-17],
    [-0.9819950689031453, 4.9654966220462283e-17],
    [0.9931491146212762, -3.525526412900852e-18],
    [-0.9960017604424315, -3.9878665217594105e-17],
    [0.998105693783129, -4.4621125806291285e-17],
    [-0.9990252676219549, 3.293226527426517e-18],
    [0.9995156560727775, -3.991220400636277e-17],
    [-0.9997565975086012, -4.5560741641643287e-17],
    [0.9998782713151333, -2.336066710309723e-18],
    [-0.9999390642064443, -3.758879633667112e-17],
    [0.999969517763481, 4.237799212453106e-17],
    [-0.9999847526993759, -3.8891052388312676e-17],
    [0.9999923744791304, -2.433588958475946e-17],
    [-0.9999961865895305, 5.357478796331677e-17],
    [0.999998093078823, 3.308288725448668e-17],
    [-0.9999990464666033, -2.0656385043772622e-17],
    [0.9999995232839762, -2.877988660075906e-17],
    [-0.9999997616707148, -4.086573352180084e-17],
    [0.9999998789273079, -3.5722786161717074e-17],
    [-0.9999999385284137, 4.887090354323198e-17],
    [1.0000000088599583, -3.570034163563414e-17],
    [-1.0000000237607263, 9.586116298132778e-17],
    [0.9999993358341862, 1.8799998680494663e-17],
    [-0.9999993395594329, 5.492483810622887e-17],
    [1.0000092312281355, -3.276226089494789e-17],
    [-1.0000092321594531, 4.2832185224778996e-18],
    [0.9998919190634309, 3.222046216892626e-17],
    [-0.999891919296261, -4.7699539993329485e-17],
    [1.0010574864126123, 4.557379426141379e-17],
    [-1.00105748647082, 1.4386636986454586e-17],
    [0.9913340398694404, -2.823610126127922e-17],
    [-0.9913340398839923, 3.489883002320359e-17],
    [1.0594907705582757, 8.67722071348984e-18],
    [-1.0594907705619137, -7.939541974155964e-18],
    [0.6585003892852931, 2.7101293059728515e-17],
    [-0.6585003892862026, -2.7003913614214897e-17],
    [2.6326068817343597, -6.003409357329797e-17],
    [-2.632606881734587, 5.996935638518095e-17],
    [-5.4564148434168604, 4.1571062561384313e-16],
    [5.456414843416804, -4.154098702311779e-16],
    [21.906026510161443, 8.831065705470057e-16],
    [-21.906026510161457, -8.841079168371034e-16],
    [-53.59844934087177, 3.2081223598483594e-15],
    [53.59844934087176, 3.473111904264171e-16],
];
/// The other coefficients.
const REST: [f64; 10] = [
    113.47528445715922,
    -113.47528445715922,
    -175.66456505453522,
    175.66456505453522,
    201.1330668883064,
    -201.1330668883064,
    -146.43707578433575,
    146.43707578433575,
    55.78555267974695,
    -55.78555267974695,
];

/// A sum of two floats, the larger first.
#[inline(always)]
fn normal(high: f64, low: f64) -> Sum {
    let sum = high + low;
    (sum, (high - sum) + low)
}

/// Any two floats.
#[inline(always)]
fn add(x: f64, y: f64) -> Sum {
    let sum = x + y;
    let part = sum - x;
    (sum, (x - (sum - part)) + (y - part))
}

#[inline(always)]
fn times((x, x_low): Sum, (y, y_low): Sum) -> Sum {
    let product = x * y;
    normal(product, x.mul_add(y, -product) + x.mul_add(y_low, x_low * y))
}

#[inline(always)]
fn over(x: Sum, y: Sum) -> Sum {
    let quotient = x.0 / y.0;
    let left = (-quotient).mul_add(y.0, x.0) + (-quotient).mul_add(y.1, x.1);
    normal(quotient, left / y.0)
}

/// `gamma(1 + e)` for `e` from -1/2 to 1/2; `exact` coefficients count as sums.
#[inline(always)]
fn near_one(e: f64, exact: usize) -> Sum {
    let mut value = super::horner(e, &REST);
    for coefficient in FIRST[exact..].iter().rev() {
        value = value.mul_add(e, coefficient[0]);
    }
    let mut sum: Sum = (value, 0.0);
    for &[high, low] in FIRST[..exact].iter().rev() {
        let product = sum.0 * e;
        let (next, lost) = add(high, product);
        sum = normal(next, lost + (low + sum.1.mul_add(e, sum.0.mul_add(e, -product))));
    }
    sum
}

/// The whole number next to `x`, and what is left.
#[inline(always)]
fn split(x: f64) -> (f64, f64) {
    let whole = x.round_ties_even();
    (whole, x - whole)
}

/// `(e + 1) (e + 2) … (e + n)`
#[inline(always)]
fn rising(e: f64, n: f64) -> Sum {
    let (mut product, mut j) = ((1.0, 0.0), 1.0);
    while j <= n {
        product = times(product, add(j, e));
        j += 1.0;
    }
    product
}

/// `e (e - 1) … (e - n)`
#[inline(always)]
fn falling(e: f64, n: f64) -> Sum {
    let (mut product, mut j) = ((e, 0.0), 1.0);
    while j <= n {
        product = times(product, add(-j, e));
        j += 1.0;
    }
    product
}

/// The logarithm of `gamma x` for `x` from [`STIRLING_FROM`] on, as a sum.
#[inline(always)]
fn stirling(x: f64) -> Sum {
    let (log, log_low) = log_sum(x);
    // x (log x - 1) - log(x) / 2 + log(2 pi) / 2 + …
    let (less, lost) = add(log, -1.0);
    let product = times((x, 0.0), (less, lost + log_low));
    let (sum, lost) = add(product.0, -0.5 * log);
    let (sum, more) = add(sum, HALF_LOG_TAU.0);
    let inverse = 1.0 / x;
    let series = inverse * super::horner(inverse * inverse, &STIRLING);
    normal(sum, lost + more + (product.1 - 0.5 * log_low + HALF_LOG_TAU.1) + series)
}

/// `sin(pi e)` for `e` from -1/2 to 1/2, as a sum.
#[inline(always)]
fn sine_of_turns(e: f64) -> Sum {
    let angle = |turns: f64| {
        let high = PI * turns;
        (high, PI.mul_add(turns, -high) + PI_LOW * turns)
    };
    let size = e.abs();
    let (high, low) = if size <= 0.25 {
        let (r, rest) = angle(size);
        sin_kernel(r, rest)
    } else {
        let (r, rest) = angle(0.5 - size);
        cos_kernel(r, rest)
    };
    (high.copysign(e), if e < 0.0 { -low } else { low })
}

/// The gamma function.
#[inline]
pub fn gamma(x: f64) -> f64 {
    if x.is_nan() || x == f64::INFINITY {
        return x;
    }
    let (n, e) = split(x);
    if x < 0.0 && (e == 0.0 && n != 0.0 || x == f64::NEG_INFINITY) {
        return f64::NAN;
    }
    if x.abs() < if e == 0.0 { STIRLING_FROM_WHOLE } else { STIRLING_FROM } {
        let one = near_one(e, SUMMED_COEFFICIENTS);
        let value = match n >= 1.0 {
            true => times(one, rising(e, n - 1.0)),
            // Next to 0 the quotient overflows, or is no sum.
            false if x.abs() < 1e-300 => return 1.0 / x,
            false => over(one, falling(e, -n)),
        };
        return value.0 + value.1;
    }
    if x > 0.0 {
        let (log, low) = stirling(x.min(200.0));
        return exp_of_sum(log, low);
    }
    if x < -190.0 {
        let odd = 2.0 * (0.5 * x.floor()).floor() != x.floor();
        return if odd { -0.0 } else { 0.0 };
    }
    // gamma(x) = -pi / (x sin(pi x) gamma(-x)), in units of 2^-256: the quotient may be large.
    let (log, low) = stirling(-x);
    let (units, lost) = add(256.0 * LN_2, -log);
    let high = exp_of_sum(units, lost - low + 256.0 * 2.3190468138462996e-17);
    let sine = sine_of_turns(e);
    let quotient = over((PI, PI_LOW), times((-x, 0.0), sine));
    let sign = if 2.0 * (0.5 * n).floor() == n { 1.0 } else { -1.0 };
    let value = sign * quotient.0.mul_add(high, quotient.1 * high);
    value * f64::from_bits((1023 - 256) << 52)
}

/// The logarithm of the absolute value of the gamma function.
#[inline]
pub fn lgamma(x: f64) -> f64 {
    // On the right, and far on the left, nothing cancels.
    if !(-32.0..0.0).contains(&x) || x > -0.5 {
        return libm::lgamma(x);
    }
    let (n, e) = split(x);
    if e == 0.0 {
        return f64::INFINITY;
    }
    let product = falling(e, -n);
    let product = if product.0 < 0.0 { (-product.0, -product.1) } else { product };
    let (ratio, ratio_low) = over(near_one(e, SUMMED_COEFFICIENTS), product);
    if !(0.5..2.0).contains(&ratio) {
        let (log, low) = log_sum(ratio);
        return log + (low + ratio_low / ratio);
    }
    // Next to a zero: the two are nearly equal.
    let one = near_one(e, FIRST.len());
    let (high, lost) = add(one.0, -product.0);
    let (beyond, low) = over(normal(high, lost + (one.1 - product.1)), product);
    apply::<Log1p, f64, f64>(beyond) + low / (1.0 + beyond)
}
