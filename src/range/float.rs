//! The results of prims for ranges of floats.
//!
//! Operations that IEEE 754 rounds correctly keep order, so the ends of the result are the results of ends. Functions
//! are right but for the last places: what they give for the ends is moved outward by more than that.

use super::{Interval, is_whole, largest_finite};
use crate::scalar::prim::Prim;
use crate::scalar::{Scalar, eval};
use crate::types::DType;
use std::f64::consts::{FRAC_PI_2, PI};

/// Below it a quotient that is rounded down has no error in `f32` either.
const EXACT_BELOW: f64 = 1e6;

/// Floats between two ends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Floats {
    /// The smallest.
    pub low: f64,
    /// The largest.
    pub high: f64,
    /// Whether it may be not-a-number.
    pub nan: bool,
    /// Whether every finite value is an integer.
    pub whole: bool,
}

impl Floats {
    /// Every float.
    pub const ALL: Floats = Floats { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true, whole: false };

    fn between(low: f64, high: f64) -> Floats {
        Floats { low, high, nan: false, whole: false }
    }

    fn has(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    fn infinite(&self) -> bool {
        self.low.is_infinite() || self.high.is_infinite()
    }

    /// The ends as values of a float dtype, which rounding keeps in order.
    fn rounded(self, dtype: DType) -> Floats {
        if dtype != DType::F32 {
            return self;
        }
        Floats { low: f64::from(self.low as f32), high: f64::from(self.high as f32), ..self }
    }

    /// Some units in the last place further out.
    fn outward(self, dtype: DType) -> Floats {
        let top = largest_finite(dtype);
        let room = |value: f64| if value.is_finite() { room(dtype, value) + 1e-37 } else { 0.0 };
        // Beside what overflows there is what does not yet.
        let (low, high) = (self.low.min(top), self.high.max(-top));
        Floats { low: low - room(low), high: high + room(high), ..self }.rounded(dtype)
    }

    /// The smallest and the largest magnitude.
    fn sizes(&self) -> (f64, f64) {
        let (low, high) = (self.low.abs(), self.high.abs());
        (if self.has(0.0) { 0.0 } else { low.min(high) }, low.max(high))
    }
}

/// More than what functions are off by, near a value.
fn room(dtype: DType, value: f64) -> f64 {
    let unit = if dtype == DType::F32 { f64::from(f32::EPSILON) } else { f64::EPSILON };
    value.abs() * 8.0 * unit
}

impl From<Floats> for Interval {
    fn from(floats: Floats) -> Interval {
        let Floats { low, high, nan, whole } = floats;
        Interval::Float { low, high, nan, whole }
    }
}

/// The values that a prim has for floats of `dtype`, `f32` or `f64`. `None` where no rule says anything of them.
pub fn result(prim: Prim, dtype: DType, args: &[Floats]) -> Option<Floats> {
    let nan = args.iter().any(|arg| arg.nan);
    let whole = args.iter().all(|arg| arg.whole);
    let found = match (prim, args) {
        (Prim::Add, [a, b]) => add(*a, *b),
        (Prim::Sub, [a, b]) => add(*a, negated(*b)),
        (Prim::Mul, [a, b]) => product(*a, *b),
        (Prim::Fma, [a, b, c]) => fused(dtype, *a, *b, *c),
        (Prim::Div, [a, b]) => Floats { whole: false, ..quotient(*a, *b) },
        // The remainder of what is infinite, and by 0, is not a number.
        (Prim::Rem, [a, b]) => {
            let nan = a.infinite() || b.has(0.0);
            Floats { nan, whole, ..Floats::between(b.low.min(0.0), b.high.max(0.0)) }
        }
        (Prim::Fmod, [a, b]) => {
            let (nan, most) = (a.infinite() || b.has(0.0), b.sizes().1);
            Floats { nan, whole, ..Floats::between(a.low.min(0.0).max(-most), a.high.max(0.0).min(most)) }
        }
        (Prim::FloorDiv, [a, b]) => floor_quotient(dtype, *a, *b),
        (Prim::Neg, [a]) => negated(*a),
        (Prim::Abs, [a]) => {
            let (least, most) = a.sizes();
            Floats { whole, ..Floats::between(least, most) }
        }
        (Prim::Min, [a, b]) => Floats { whole, ..Floats::between(a.low.min(b.low), a.high.min(b.high)) },
        (Prim::Max, [a, b]) => Floats { whole, ..Floats::between(a.low.max(b.low), a.high.max(b.high)) },
        (Prim::Floor, [a]) => mapped(*a, f64::floor),
        (Prim::Ceil, [a]) => mapped(*a, f64::ceil),
        (Prim::Trunc, [a]) => mapped(*a, f64::trunc),
        (Prim::Round, [a]) => mapped(*a, f64::round_ties_even),
        (Prim::Copysign, [a, _]) => {
            let most = a.sizes().1;
            Floats { whole, ..Floats::between(-most, most) }
        }
        (Prim::Sqrt, [a]) => {
            Floats { nan: a.low < 0.0, ..Floats::between(a.low.max(0.0).sqrt(), a.high.max(0.0).sqrt()) }
        }
        (Prim::Pow, [a, b]) => power(dtype, *a, *b)?,
        (Prim::Hypot, [a, b]) => {
            let ((x, to_x), (y, to_y)) = (a.sizes(), b.sizes());
            let ends = Floats::between(at(prim, dtype, &[x, y]), at(prim, dtype, &[to_x, to_y]));
            positive(ends.outward(dtype))
        }
        (Prim::Atan2, [y, x]) => direction(*y, *x).outward(dtype),
        (_, [a]) => function(prim, dtype, *a)?,
        _ => return None,
    };
    Some(Floats { nan: nan || found.nan, ..found }.rounded(dtype))
}

fn mapped(a: Floats, f: impl Fn(f64) -> f64) -> Floats {
    Floats { whole: true, ..Floats::between(f(a.low), f(a.high)) }
}

fn positive(a: Floats) -> Floats {
    Floats { low: a.low.max(0.0), ..a }
}

fn negated(a: Floats) -> Floats {
    Floats { low: -a.high, high: -a.low, ..a }
}

/// Sums of integers are integers: a float too large to have a fraction is one.
fn add(a: Floats, b: Floats) -> Floats {
    let cancels = |x: f64, y: f64| x == f64::INFINITY && y == f64::NEG_INFINITY;
    let nan = cancels(a.high, b.low) || cancels(b.high, a.low);
    let end = |x: f64, y: f64, none: f64| if (x + y).is_nan() { none } else { x + y };
    Floats {
        low: end(a.low, b.low, f64::NEG_INFINITY),
        high: end(a.high, b.high, f64::INFINITY),
        nan: nan || a.nan || b.nan,
        whole: a.whole && b.whole,
    }
}

fn product(a: Floats, b: Floats) -> Floats {
    let nan = a.has(0.0) && b.infinite() || b.has(0.0) && a.infinite();
    let times = |x: f64, y: f64| if x == 0.0 || y == 0.0 { 0.0 } else { x * y };
    let all = [times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)];
    let ends = all.into_iter().fold((f64::INFINITY, f64::NEG_INFINITY), |ends, x| (ends.0.min(x), ends.1.max(x)));
    Floats { low: ends.0, high: ends.1, nan: nan || a.nan || b.nan, whole: a.whole && b.whole }
}

/// `a*b + c` with one rounding: in each operand it goes up or down, so the ends are at the corners.
fn fused(dtype: DType, a: Floats, b: Floats, c: Floats) -> Floats {
    let loose = add(product(a, b), c);
    if a.infinite() || b.infinite() || c.infinite() {
        return Floats { low: f64::NEG_INFINITY, high: f64::INFINITY, ..loose };
    }
    let at = |x: f64, y: f64, z: f64| {
        if dtype == DType::F32 { f64::from((x as f32).mul_add(y as f32, z as f32)) } else { x.mul_add(y, z) }
    };
    let corners = [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)];
    Floats {
        low: corners.iter().map(|&(x, y)| at(x, y, c.low)).fold(f64::INFINITY, f64::min),
        high: corners.iter().map(|&(x, y)| at(x, y, c.high)).fold(f64::NEG_INFINITY, f64::max),
        ..loose
    }
}

fn quotient(a: Floats, b: Floats) -> Floats {
    if b.has(0.0) || a.infinite() || b.infinite() {
        return Floats::ALL;
    }
    let all = [a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high];
    let ends = all.into_iter().fold((f64::INFINITY, f64::NEG_INFINITY), |ends, x| (ends.0.min(x), ends.1.max(x)));
    Floats::between(ends.0, ends.1)
}

/// The quotient rounded down. It is exact where it is small, and where it is large it is rounded itself.
fn floor_quotient(dtype: DType, a: Floats, b: Floats) -> Floats {
    if b.has(0.0) || a.infinite() {
        return Floats { whole: true, ..Floats::ALL };
    }
    let of = |x: f64, y: f64| at(Prim::FloorDiv, dtype, &[x, y]);
    let ends = hull(&[of(a.low, b.low), of(a.low, b.high), of(a.high, b.low), of(a.high, b.high)]);
    let top = largest_finite(dtype);
    let (low, high) = (ends.low.min(top), ends.high.max(-top));
    let is_exact = |value: f64| value.abs() < EXACT_BELOW || value.is_infinite();
    let down = if is_exact(low) { low } else { (low - room(dtype, low)).floor() };
    let up = if is_exact(high) { high } else { (high + room(dtype, high)).floor() };
    Floats { whole: true, ..Floats::between(down, up) }
}

/// From the smallest of some values to the largest.
fn hull(values: &[f64]) -> Floats {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    Floats::between(low, values.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}

/// What a prim gives for some values, in a float dtype.
fn at(prim: Prim, dtype: DType, args: &[f64]) -> f64 {
    let args: Vec<Scalar> = args.iter().map(|&arg| eval::eval(Prim::Convert, dtype, &[Scalar::of(arg)])).collect();
    let found = eval::eval(Prim::Convert, DType::F64, &[eval::eval(prim, dtype, &args)]);
    f64::from_bits(found.bits as u64)
}

/// A power. Of a base that is not negative it goes up or down in each operand, so the ends are at the corners. `None`
/// for negative powers of what may be 0: those of 0 and of -0 have nothing between them but everything.
fn power(dtype: DType, a: Floats, b: Floats) -> Option<Floats> {
    let (least, most) = a.sizes();
    if least == 0.0 && b.low < 0.0 {
        return None;
    }
    let of = |base: f64, exponent: f64| at(Prim::Pow, dtype, &[base, exponent]);
    let corners = [of(least, b.low), of(least, b.high), of(most, b.low), of(most, b.high)];
    let size = positive(hull(&corners).outward(dtype));
    if a.low >= 0.0 {
        return Some(size);
    }
    let is_whole_number = b.low == b.high && is_whole(b.low) && b.low.is_finite();
    Some(if !is_whole_number {
        // Of a negative base only whole powers are numbers.
        Floats { nan: !b.whole, ..Floats::between(-size.high, size.high) }
    } else if b.low % 2.0 == 0.0 {
        size
    } else if a.high <= 0.0 {
        negated(size)
    } else {
        hull(&[of(a.low, b.low), of(a.high, b.low)]).outward(dtype)
    })
}

/// The angle of points: on the right of the vertical axis, above or below the horizontal one, or anywhere.
fn direction(y: Floats, x: Floats) -> Floats {
    // The signs of zeros count: the angle of (-0, 0) is pi.
    let is_right = x.low > 0.0 || x.low >= 0.0 && (y.low > 0.0 || y.high < 0.0);
    let most = if is_right { FRAC_PI_2 } else { PI };
    let is_above = y.low > 0.0 || is_right && y.low >= 0.0;
    let is_below = y.high < 0.0 || is_right && y.high <= 0.0;
    Floats::between(if is_above { 0.0 } else { -most }, if is_below { 0.0 } else { most })
}

/// A function of one float that is right but for the last places.
#[expect(clippy::wildcard_enum_match_arm, reason = "other functions have no rule")]
fn function(prim: Prim, dtype: DType, a: Floats) -> Option<Floats> {
    let rising = |from: f64, to: f64| {
        let [low, high] = [a.low, a.high].map(|end| at(prim, dtype, &[end.clamp(from, to)]));
        Floats { nan: a.low < from || a.high > to, ..Floats::between(low, high).outward(dtype) }
    };
    let everywhere = || rising(f64::NEG_INFINITY, f64::INFINITY);
    Some(match prim {
        Prim::Exp | Prim::Exp2 | Prim::Sigmoid => positive(everywhere()),
        Prim::Expm1 | Prim::Sinh | Prim::Asinh | Prim::Cbrt | Prim::Atan | Prim::Tanh | Prim::Erf => everywhere(),
        Prim::Log | Prim::Log2 | Prim::Log10 => rising(0.0, f64::INFINITY),
        Prim::Log1p => rising(-1.0, f64::INFINITY),
        Prim::Acosh => rising(1.0, f64::INFINITY),
        Prim::Asin => rising(-1.0, 1.0),
        Prim::Acos => {
            let [low, high] = [a.high, a.low].map(|end| at(prim, dtype, &[end.clamp(-1.0, 1.0)]));
            positive(Floats { nan: a.low < -1.0 || a.high > 1.0, ..Floats::between(low, high).outward(dtype) })
        }
        // Who goes beyond an end does not say that it is met.
        Prim::Atanh if a.low >= -1.0 && a.high <= 1.0 => everywhere(),
        Prim::Tan if a.low > -1.5 && a.high < 1.5 => everywhere(),
        Prim::Cosh => {
            let (least, most) = a.sizes();
            Floats::between(at(prim, dtype, &[least]), at(prim, dtype, &[most])).outward(dtype)
        }
        Prim::Sin | Prim::Cos => Floats { nan: a.infinite(), ..Floats::between(-1.0, 1.0).outward(dtype) },
        Prim::Erfc => Floats::between(0.0, 2.0).outward(dtype),
        Prim::Gelu => {
            let low = if a.low < 0.0 { -0.17 } else { 0.0 };
            Floats::between(low, a.high.max(0.0)).outward(dtype)
        }
        _ => return None,
    })
}

/// A float as an interval of one value.
pub fn single(value: f64) -> Floats {
    if value.is_nan() {
        return Floats::ALL;
    }
    Floats { low: value, high: value, nan: false, whole: is_whole(value) }
}
