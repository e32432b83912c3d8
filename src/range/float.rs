//! The results of prims for ranges of floats.
//!
//! Operations that IEEE 754 rounds correctly keep order, so the ends of the result are the results of ends. Of
//! functions that are right but for the last places, the ends are moved outward by more than that.

use super::{Interval, is_whole};
use crate::scalar::prim::Prim;
use crate::types::DType;

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
        let unit = if dtype == DType::F32 { f64::from(f32::EPSILON) } else { f64::EPSILON };
        let room = |value: f64| if value.is_finite() { value.abs() * 8.0 * unit + 1e-37 } else { 0.0 };
        Floats { low: self.low - room(self.low), high: self.high + room(self.high), ..self }.rounded(dtype)
    }
}

impl From<Floats> for Interval {
    fn from(floats: Floats) -> Interval {
        let Floats { low, high, nan, whole } = floats;
        Interval::Float { low, high, nan, whole }
    }
}

/// The values that a prim has for floats of `dtype`, `f32` or `f64`.
pub fn result(prim: Prim, dtype: DType, args: &[Floats]) -> Floats {
    let nan = args.iter().any(|arg| arg.nan);
    let whole = args.iter().all(|arg| arg.whole);
    let found = match (prim, args) {
        (Prim::Add, [a, b]) => add(*a, *b),
        (Prim::Sub, [a, b]) => add(*a, negated(*b)),
        (Prim::Mul, [a, b]) => product(*a, *b),
        (Prim::Fma, [a, b, c]) => fused(dtype, *a, *b, *c),
        (Prim::Div, [a, b]) => Floats { whole: false, ..quotient(*a, *b) },
        (Prim::Rem, [a, b]) if b.low > 0.0 && b.high.is_finite() && !a.infinite() => {
            Floats { whole, ..Floats::between(0.0, b.high) }
        }
        (Prim::FloorDiv, [..]) => Floats { whole: true, ..Floats::ALL },
        (Prim::Neg, [a]) => negated(*a),
        (Prim::Abs, [a]) => {
            let most = a.low.abs().max(a.high.abs());
            let least = if a.has(0.0) { 0.0 } else { a.low.abs().min(a.high.abs()) };
            Floats { whole, ..Floats::between(least, most) }
        }
        (Prim::Min, [a, b]) => Floats { whole, ..Floats::between(a.low.min(b.low), a.high.min(b.high)) },
        (Prim::Max, [a, b]) => Floats { whole, ..Floats::between(a.low.max(b.low), a.high.max(b.high)) },
        (Prim::Floor, [a]) => mapped(*a, f64::floor),
        (Prim::Ceil, [a]) => mapped(*a, f64::ceil),
        (Prim::Trunc, [a]) => mapped(*a, f64::trunc),
        (Prim::Round, [a]) => mapped(*a, f64::round_ties_even),
        (Prim::Copysign, [a, _]) => {
            let most = a.low.abs().max(a.high.abs());
            Floats { whole, ..Floats::between(-most, most) }
        }
        (Prim::Sqrt, [a]) => {
            Floats { nan: a.low < 0.0, ..Floats::between(a.low.max(0.0).sqrt(), a.high.max(0.0).sqrt()) }
        }
        (Prim::Exp, [a]) => positive(Floats::between(a.low.exp(), a.high.exp()).outward(dtype)),
        (Prim::Exp2, [a]) => positive(Floats::between(a.low.exp2(), a.high.exp2()).outward(dtype)),
        (Prim::Expm1, [a]) => Floats::between(a.low.exp_m1(), a.high.exp_m1()).outward(dtype),
        (Prim::Log, [a]) => logarithm(*a, f64::ln, dtype),
        (Prim::Log2, [a]) => logarithm(*a, f64::log2, dtype),
        (Prim::Log10, [a]) => logarithm(*a, f64::log10, dtype),
        (Prim::Sin | Prim::Cos, [a]) => Floats { nan: a.infinite(), ..Floats::between(-1.0, 1.0).outward(dtype) },
        (Prim::Tanh | Prim::Erf, [_]) => Floats::between(-1.0, 1.0).outward(dtype),
        (Prim::Sigmoid, [_]) => Floats::between(0.0, 1.0).outward(dtype),
        (Prim::Gelu, [a]) => {
            let low = if a.low < 0.0 { -0.17 } else { 0.0 };
            Floats::between(low, a.high.max(0.0)).outward(dtype)
        }
        (Prim::Erfc, [_]) => Floats::between(0.0, 2.0).outward(dtype),
        (Prim::Atan, [_]) => Floats::between(-1.6, 1.6),
        (Prim::Hypot, [_, _]) => Floats::between(0.0, f64::INFINITY),
        _ => Floats::ALL,
    };
    Floats { nan: nan || found.nan, ..found }.rounded(dtype)
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

fn logarithm(a: Floats, f: impl Fn(f64) -> f64, dtype: DType) -> Floats {
    let end = |x: f64| if x <= 0.0 { f64::NEG_INFINITY } else { f(x) };
    Floats { nan: a.low < 0.0, ..Floats::between(end(a.low), end(a.high)).outward(dtype) }
}

/// A float as an interval of one value.
pub fn single(value: f64) -> Floats {
    if value.is_nan() {
        return Floats::ALL;
    }
    Floats { low: value, high: value, nan: false, whole: is_whole(value) }
}
