//! Powers or roots through a logarithm in two parts.
//!
//! `x^y = exp(y log x)` needs eleven bits of the logarithm beyond a float, so here it is a sum of two; the special
//! values are those of C's Annex F.
//!
//! ```
//! use arrlang::scalar::math::{lanes::{apply, apply2}, power::{Cbrt, Pow}};
//! assert_eq!(apply2::<Pow, f64>(-2.0, 3.0), -8.0);
//! assert_eq!(apply2::<Pow, f64>(f64::NAN, 0.0), 1.0);
//! assert_eq!(apply::<Cbrt, f64, f64>(-27.0), -3.0);
//! ```

use super::exp::{LN2, exp_of_sum, exp_single};
use super::lanes::{Function, Function2, Lanes, Shift, ShiftedNumber, Single, polynomial};
use super::log::log_medium;

/// 2/3 as a sum.
const TWO_THIRDS: [f64; 2] = [2.0 / 3.0, 3.700743415417188e-17];
/// `((log((1 + s) / (1 - s)) - 2 s) / s^3 - 2/3) / s^2` in `s^2` up to 1/25, to 2^-65.7 of the logarithm. Chebyshev
/// nodes.
const R: [f64; 10] = [
    0.4,
    0.2857142857142857,
    0.2222222222222141,
    0.18181818182076911,
    0.15384615342794572,
    0.13333337210439558,
    0.11764487538135868,
    0.10533898365686804,
    0.09365819318705838,
    0.10485787060903903,
];

/// `x` to the power of `y`.
#[derive(Clone, Copy, Debug)]
pub struct Pow;

/// The cube root.
#[derive(Clone, Copy, Debug)]
pub struct Cbrt;

/// The length of a vector.
#[derive(Clone, Copy, Debug)]
pub struct Hypot;

/// The natural logarithm of a positive finite number as a sum, to about 2^-65.
#[inline(always)]
pub(super) fn log_sum<L: Lanes<Number = f64>>(x: L) -> (L, L) {
    let (zero, one, two) = (L::splat(0.0), L::splat(1.0), L::splat(2.0));
    let (k, f) = (x.exponent(false), x.mantissa(false).sub(one));
    let sum = two.add(f);
    let sum_low = f.sub(sum.sub(two));
    let inverse = one.div(sum);
    let s = f.mul(inverse);
    let s_low = inverse.mul(s.fnma(sum_low, s.fnma(sum, f)));
    let z = s.mul(s);
    let z_low = s.add(s).fma(s_low, s.fma(s, zero.sub(z)));
    let t = z.mul(polynomial(z, &R));
    let [base, base_low] = TWO_THIRDS.map(L::splat);
    let b = base.add(t);
    let b_low = base.sub(b).add(t).add(base_low);
    let r = z.mul(b);
    let r_low = z.fma(b, zero.sub(r)).add(z.fma(b_low, z_low.mul(b)));
    let p = s.mul(r);
    let p_low = s.fma(r, zero.sub(p)).add(s.fma(r_low, s_low.mul(r)));
    let twice = s.add(s);
    let high = twice.add(p);
    let low = twice.sub(high).add(p).add(s_low.add(s_low).add(p_low));
    let base = k.mul(L::splat(LN2[0]));
    let total = base.add(high);
    let rest = base.sub(total).add(high).add(k.fma(L::splat(LN2[1]), low));
    let sum = total.add(rest);
    (sum, total.sub(sum).add(rest))
}

/// The result of a power from that of `|x|`, by C's Annex F.
#[inline(always)]
fn special<L: Lanes<Number = f64>>(x: L, y: L, value: L) -> L {
    let (zero, one, half) = (L::splat(0.0), L::splat(1.0), L::splat(0.5));
    let (infinity, nan) = (L::splat(f64::INFINITY), L::splat(f64::NAN));
    let size = x.abs();
    let (whole, halved) = (y.trunc(), y.mul(half));
    let odd = L::both(whole.same(y), halved.trunc().abs().less(halved.abs()));
    let (falls, grows) = (y.less(zero), zero.less(y));
    let value = L::choose(size.same(zero), L::choose(falls, infinity, zero), value);
    let value = L::choose(size.same(infinity), L::choose(falls, zero, infinity), value);
    let above = L::choose(grows, infinity, zero);
    let below = L::choose(grows, zero, infinity);
    let beyond = L::choose(one.less(size), above, L::choose(size.same(one), one, below));
    let value = L::choose(y.abs().same(infinity), beyond, value);
    let value = L::choose(odd, value.copysign(x), value);
    // The root of a negative number, or what is no number.
    let root = L::both(L::both(x.less(zero), size.less(infinity)), whole.abs().less(y.abs()));
    let value = L::choose(root, nan, value);
    let value = L::choose(L::both(x.same(x), y.same(y)), value, nan);
    L::choose(L::either(y.same(zero), x.same(one)), one, value)
}

impl Function2<f64> for Pow {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L, y: L) -> L {
        let (high, low) = log_sum(x.abs());
        let product = y.mul(high);
        let rest = y.fma(low, y.fma(high, L::splat(0.0).sub(product)));
        special(x, y, exp_of_sum(product, rest))
    }
}

impl Function2<f64> for Single<Pow> {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L, y: L) -> L {
        special(x, y, exp_single(y.mul(log_medium(x.abs()))))
    }
}

/// `m^(-1/3)` for `m` from 3/4 to 3/2, to 2^-17.2. Chebyshev nodes.
const INVERSE_ROOT: [f64; 6] = [
    1.9565538748514082,
    -2.2805713080217367,
    2.401160751891607,
    -1.5301744924549066,
    0.5296113095806222,
    -0.0765827871485857,
];

/// A positive number as `m` times `2^(3 n)` with `m` from 3/8 to 3, an approximation of `m^(-1/3)`, and `n`.
#[inline(always)]
fn thirds<L: Lanes<Number = f64>>(x: L, normal: bool) -> (L, L, ShiftedNumber<L>) {
    let (k, m) = (x.exponent(normal), x.mantissa(normal));
    let third = ShiftedNumber::of(k.fma(L::splat(1.0 / 3.0), L::splat(f64::WHOLE)), f64::WHOLE, 0);
    let rest = third.n.fnma(L::splat(3.0), k);
    let (down, up) = (rest.less(L::splat(-0.5)), L::splat(0.5).less(rest));
    let by = |less: f64, more: f64| L::choose(down, L::splat(less), L::choose(up, L::splat(more), L::splat(1.0)));
    let root = polynomial(m, &INVERSE_ROOT).mul(by(1.259_921_049_894_873_2, 0.793_700_525_984_099_8));
    (m.mul(by(0.5, 2.0)), root, third)
}

/// The root of a size with the sign of the number; zero and what is not finite are their own roots.
#[inline(always)]
fn signed<L: Lanes<Number = f64>>(x: L, root: L) -> L {
    let size = x.abs();
    let finite = L::both(L::splat(0.0).less(size), size.less(L::splat(f64::INFINITY)));
    L::choose(finite, root.copysign(x), x)
}

impl Function<f64> for Cbrt {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let (m, y, by) = thirds(x.abs(), false);
        // One step for the inverse root with a remainder of the fourth order, then one for the root, in double
        // precision.
        let e = m.mul(y).fnma(y.mul(y), L::splat(1.0));
        let series = polynomial(e, &[1.0 / 3.0, 2.0 / 9.0, 14.0 / 81.0]);
        let y = y.mul(e).fma(series, y);
        let square = y.mul(y);
        let root = m.mul(square);
        let rr = root.mul(root);
        let rr_low = root.fma(root, L::splat(0.0).sub(rr));
        let rest = rr_low.fnma(root, rr.fnma(root, m));
        let root = rest.fma(square.mul(L::splat(1.0 / 3.0)), root);
        signed(x, root.raise(by))
    }
}

impl Function<f64> for Single<Cbrt> {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L) -> L {
        let (m, y, by) = thirds(x.abs(), true);
        let e = m.mul(y).fnma(y.mul(y), L::splat(1.0));
        let y = y.mul(e).fma(polynomial(e, &[1.0 / 3.0, 2.0 / 9.0]), y);
        signed(x, m.mul(y.mul(y)).raise(by))
    }
}

impl Function2<f64> for Hypot {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L, y: L) -> L {
        let (x, y, zero, one) = (x.abs(), y.abs(), L::splat(0.0), L::splat(1.0));
        let turned = x.less(y);
        let (a, b) = (L::choose(turned, y, x), L::choose(turned, x, y));
        // Squares of what is scaled neither overflow nor vanish where they matter.
        let (up, down) = (L::splat(2f64.powi(600)), L::splat(2f64.powi(-600)));
        let (large, small) = (L::splat(2f64.powi(500)).less(a), a.less(L::splat(2f64.powi(-450))));
        let scale = L::choose(large, down, L::choose(small, up, one));
        let back = L::choose(large, up, L::choose(small, down, one));
        let (a, b) = (a.mul(scale), b.mul(scale));
        let (aa, bb) = (a.mul(a), b.mul(b));
        let (aa_low, bb_low) = (a.fma(a, zero.sub(aa)), b.fma(b, zero.sub(bb)));
        let sum = aa.add(bb);
        let rest = aa.sub(sum).add(bb).add(aa_low.add(bb_low));
        let root = sum.sqrt();
        let residue = root.fnma(root, sum).add(rest);
        let value = residue.fma(L::splat(0.5).div(root), root).mul(back);
        let value = L::choose(a.add(b).same(zero), zero, value);
        let infinity = L::splat(f64::INFINITY);
        L::choose(L::either(x.same(infinity), y.same(infinity)), infinity, value)
    }
}

impl Function2<f64> for Single<Hypot> {
    #[inline(always)]
    fn fast<L: Lanes<Number = f64>>(x: L, y: L) -> L {
        let (value, infinity) = (x.fma(x, y.mul(y)).sqrt(), L::splat(f64::INFINITY));
        L::choose(L::either(x.abs().same(infinity), y.abs().same(infinity)), infinity, value)
    }
}
