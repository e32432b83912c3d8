//! The logistic function, `1 / (1 + exp(-x))`.
//!
//! With `e = exp(-|x|)`, at most 1, it is `1 / (1 + e)` on the right and `e / (1 + e)` on the left. The exponential and
//! the sum are kept with what they round off, and so is the quotient: the result is rounded once.
//!
//! ```
//! use arrlang::scalar::math::{lanes::apply, sigmoid::Sigmoid};
//! assert_eq!([-1000.0, 0.0, 1000.0].map(apply::<Sigmoid, f64, f64>), [0.0, 0.5, 1.0]);
//! ```

use super::exp::{exp_parts, exp_parts_single};
use super::lanes::{Function, Lanes};

/// The logistic function.
#[derive(Clone, Copy, Debug)]
pub struct Sigmoid;

/// The quotient, of `exp(-|x|)` as a sum.
#[inline(always)]
fn quotient<L: Lanes>(x: L, (high, low): (L, L), [zero, one]: [L; 2]) -> L {
    let divisor = one.add(high);
    let divisor_low = one.sub(divisor).add(high).add(low);
    let negative = x.less(zero);
    let (over, over_low) = (L::choose(negative, high, one), L::choose(negative, low, zero));
    let inverse = one.div(divisor);
    let quotient = over.mul(inverse);
    let left = quotient.fnma(divisor, over).add(quotient.fnma(divisor_low, over_low));
    left.fma(inverse, quotient)
}

impl Function<f64> for Sigmoid {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let (high, low, n) = exp_parts(zero.sub(x.abs().at_most(L::splat(760.0))), zero);
        quotient(x, (high.scale(n), low.scale(n)), [zero, one])
    }
}

impl Function<f32> for Sigmoid {
    #[inline(always)]
    fn fast<L: Lanes<Number = f32>>(x: L) -> L {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let (high, low, n) = exp_parts_single(zero.sub(x.abs().at_most(L::splat(110.0))));
        quotient(x, (high.scale(n), low.scale(n)), [zero, one])
    }
}
