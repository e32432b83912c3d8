//! The hyperbolic functions that `exp x - 1` gives.
//!
//! `exp x - 1 = 2^n (1 + p) - 1` is kept as a sum of two floats, by which the sine is `(e + e / (e + 1)) / 2` and the
//! cosine `(e + 1 + 1 / (e + 1)) / 2`. Far from 0 they are exponentials. In `f32` they are computed in `f64`.
//!
//! ```
//! use arrlang::scalar::math::{hyperbolic::{Expm1, Sinh}, lanes::apply};
//! assert_eq!(apply::<Expm1, f64, f64>(1e-300), 1e-300);
//! assert_eq!(apply::<Sinh, f64, f64>(1.0), 1.1752011936438014);
//! ```

use super::exp::{self, narrow_power};
use super::lanes::{Function, Lanes, Shift, ShiftedNumber, Single};

/// Beyond it the exponential is all there is.
const PURE_EXPONENTIAL_ABOVE: f64 = 40.0;

/// `exp(x) - 1`.
#[derive(Clone, Copy, Debug)]
pub struct Expm1;

/// The hyperbolic sine.
#[derive(Clone, Copy, Debug)]
pub struct Sinh;

/// The hyperbolic cosine.
#[derive(Clone, Copy, Debug)]
pub struct Cosh;

/// The exponential of a number, of which a whole power of two is apart.
#[derive(Clone, Copy)]
struct Power<L> {
    by: ShiftedNumber<L>,
    root: L,
    /// The number without its multiple of ln 2, and what the exponential has more.
    r: L,
    p: L,
}

impl<L: Lanes<Number = f64>> Power<L> {
    #[inline(always)]
    fn of(x: L) -> Power<L> {
        let (by, root, r, p) = exp::parts_of(x);
        Power { by, root, r, p }
    }

    /// The exponential over `2^less`.
    #[inline(always)]
    fn whole(self, less: f64) -> L {
        let less = L::splat(less);
        let by = ShiftedNumber { n: self.by.n.sub(less), bits: self.by.bits.sub(less), below: self.by.below };
        self.root.fma(self.r.add(self.p), self.root).scale(by)
    }

    /// The exponential less 1, as a sum, for a number from -50 to 60.
    #[inline(always)]
    fn less_one(self) -> (L, L) {
        let one = L::splat(1.0);
        let bits = self.by.bits.sub(L::splat(f64::POWERS - f64::PARTS));
        let scale = self.root.raise(ShiftedNumber { bits, ..self.by });
        let base = scale.sub(one);
        let lost = scale.sub(base.add(one));
        // The base is zero or larger than the term, so that what the sum lost is exact.
        let high = scale.fma(self.r, base);
        let low = scale.fma(self.p, scale.fma(self.r, base.sub(high))).add(lost);
        let sum = high.add(low);
        (sum, high.sub(sum).add(low))
    }
}

impl Function<f64> for Expm1 {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let power = Power::of(x.at_least(L::splat(-50.0)).at_most(L::splat(720.0)));
        L::choose(L::splat(PURE_EXPONENTIAL_ABOVE).less(x), power.whole(0.0), power.less_one().0).copysign(x)
    }
}

/// `e + 1` for a sum `e` from 0, as a sum, and the quotient of 1 and that.
#[inline(always)]
fn one_more<L: Lanes>((high, low): (L, L), one: L) -> (L, L, L) {
    let sum = high.add(one);
    // What the sum lost, exactly, as long as it matters.
    (sum, high.sub(sum.sub(one)).add(low), one.div(sum))
}

impl Function<f64> for Sinh {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let size = x.abs();
        let power = Power::of(size.at_most(L::splat(720.0)));
        let (high, low) = power.less_one();
        let (sum, sum_low, inverse) = one_more((high, low), L::splat(1.0));
        let quotient = high.mul(inverse);
        let rest = quotient.fnma(sum, high).add(quotient.fnma(sum_low, low));
        let total = high.add(quotient);
        let total_low = high.sub(total).add(quotient).add(rest.fma(inverse, low));
        let near = total.add(total_low).mul(L::splat(0.5));
        L::choose(L::splat(PURE_EXPONENTIAL_ABOVE).less(size), power.whole(1.0), near).copysign(x)
    }
}

impl Function<f64> for Cosh {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let (size, one) = (x.abs(), L::splat(1.0));
        let power = Power::of(size.at_most(L::splat(720.0)));
        let (sum, sum_low, inverse) = one_more(power.less_one(), one);
        let rest = inverse.fnma(sum, one).sub(inverse.mul(sum_low));
        let total = sum.add(inverse);
        let total_low = sum.sub(total).add(inverse).add(rest.fma(inverse, sum_low));
        let near = total.add(total_low).mul(L::splat(0.5));
        L::choose(L::splat(PURE_EXPONENTIAL_ABOVE).less(size), power.whole(1.0), near)
    }
}

impl Function<f64> for Single<Expm1> {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let (scale, p) = narrow_power(x.at_least(L::splat(-40.0)).at_most(L::splat(90.0)));
        scale.fma(p, scale.sub(L::splat(1.0))).copysign(x)
    }
}

impl Function<f64> for Single<Sinh> {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let one = L::splat(1.0);
        let (scale, p) = narrow_power(x.abs().at_most(L::splat(91.0)));
        let e = scale.fma(p, scale.sub(one));
        e.add(e.div(e.add(one))).mul(L::splat(0.5)).copysign(x)
    }
}

impl Function<f64> for Single<Cosh> {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let (scale, p) = narrow_power(x.abs().at_most(L::splat(91.0)));
        let e = scale.fma(p, scale);
        e.add(L::splat(1.0).div(e)).mul(L::splat(0.5))
    }
}
