//! Bounds of values: the ends between which all lanes of a vector lie.
//!
//! A conversion of floats to integers saturates, and NaN becomes 0. Where the bounds say that every number fits, it is
//! one instruction instead of five.
//!
//! ```text
//! v4 : f32 = mul v0 v1            from -inf to inf, may be NaN
//! v5 : bool = lt v2 v4            (v2 is 0)
//! v6 : f32 = select v5 v4 v2      from 0 to inf
//! ```

use super::body::{VectorBody, VectorOp, VectorStep, Virtual};
use crate::scalar::prim::Prim;
use crate::scalar::{Scalar, eval};
use crate::types::DType;

/// More than rounding adds to a number, as a part of it: of floats of two bytes, and of others.
const ROUNDING_OF_SMALL: f64 = 1.0 / 64.0;
const ROUNDING: f64 = 1.0 / (1u32 << 20) as f64;

/// What is known of all lanes of a vector of reals.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::exec::jit) struct Bounds {
    /// No lane that is a number is less.
    pub(in crate::exec::jit) low: f64,
    /// No lane that is a number is more.
    pub(in crate::exec::jit) high: f64,
    pub(in crate::exec::jit) may_be_nan: bool,
    /// Whether every number is whole, or infinite.
    pub(in crate::exec::jit) is_whole: bool,
}

/// What is known of a vector of which nothing is known.
const ANYTHING: Bounds = Bounds { low: f64::NEG_INFINITY, high: f64::INFINITY, may_be_nan: true, is_whole: false };

impl Bounds {
    fn exactly(number: f64) -> Bounds {
        match number.is_nan() {
            true => ANYTHING,
            false => Bounds { low: number, high: number, may_be_nan: false, is_whole: number.fract() == 0.0 },
        }
    }

    /// Of any element of a dtype.
    fn of(dtype: DType) -> Bounds {
        match dtype.integer_range() {
            Some((low, high)) => Bounds { low: low as f64, high: high as f64, may_be_nan: false, is_whole: true },
            None => ANYTHING,
        }
    }

    /// Of what is one or the other.
    fn or(self, other: Bounds) -> Bounds {
        Bounds {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            may_be_nan: self.may_be_nan || other.may_be_nan,
            is_whole: self.is_whole && other.is_whole,
        }
    }

    /// The same of negated numbers.
    fn negated(self) -> Bounds {
        Bounds { low: -self.high, high: -self.low, ..self }
    }

    /// Of a sum. That of two infinities may be no number.
    fn plus(self, other: Bounds, dtype: DType) -> Bounds {
        let (low, high) = (self.low + other.low, self.high + other.high);
        let opposite = self.low + other.high + self.high + other.low;
        let may_be_nan = self.may_be_nan || other.may_be_nan || opposite.is_nan();
        let low = if low.is_nan() { ANYTHING.low } else { low };
        let high = if high.is_nan() { ANYTHING.high } else { high };
        Bounds { may_be_nan, ..Bounds::rounded([low, high], dtype) }
    }

    /// Of a product, if its factors are finite.
    fn times(self, other: Bounds, dtype: DType) -> Bounds {
        if !self.size().is_finite() || !other.size().is_finite() {
            return ANYTHING;
        }
        let ends = [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
        let (low, high) = (ends.into_iter().fold(ends[0], f64::min), ends.into_iter().fold(ends[0], f64::max));
        Bounds { may_be_nan: self.may_be_nan || other.may_be_nan, ..Bounds::rounded([low, high], dtype) }
    }

    /// Of numbers between two ends, rounded to a dtype.
    fn rounded([low, high]: [f64; 2], dtype: DType) -> Bounds {
        let rounding = if dtype.is_small_float() { ROUNDING_OF_SMALL } else { ROUNDING };
        // Subnormal numbers are rounded to multiples of the least one. Ends are `f64`, and rounded as its numbers are.
        let least = if dtype == DType::F64 { 0.0 } else { f64::from(dtype.row().min_exponent).exp2() };
        let (low, high) = (low - low.abs() * rounding - least, high + high.abs() * rounding + least);
        let largest = dtype.largest_part();
        Bounds {
            low: if low < -largest { ANYTHING.low } else { low },
            high: if high > largest { ANYTHING.high } else { high },
            may_be_nan: false,
            is_whole: false,
        }
    }

    /// Whether an integer dtype has every number, truncated.
    pub(in crate::exec::jit) fn fit(&self, dtype: DType) -> bool {
        // What is not 0 is true: nothing is truncated.
        let Some((least, most)) = dtype.integer_range().filter(|_| dtype.is_integer()) else { return false };
        self.low > least as f64 - 1.0 && self.high < (most + 1) as f64
    }

    /// The size that no number exceeds.
    pub(in crate::exec::jit) fn size(&self) -> f64 {
        self.low.abs().max(self.high.abs())
    }
}

impl VectorBody {
    /// The bounds of each step's result.
    pub(in crate::exec::jit) fn bounds(&self) -> Vec<Bounds> {
        let mut known = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            known.push(self.bounds_of(step, &known));
        }
        known
    }

    /// The bounds of a step's result, where those of all before it are known.
    #[expect(clippy::wildcard_enum_match_arm, reason = "of other operations nothing is known")]
    fn bounds_of(&self, step: &VectorStep, known: &[Bounds]) -> Bounds {
        let dtype = step.dtype;
        // Floats of one byte have no infinities: what overflows is no number.
        if dtype.is_complex() || dtype.is_float() && dtype.size() == 1 {
            return ANYTHING;
        }
        let of = |at: usize| step.operands[at].map_or(ANYTHING, |value| known[value.0 as usize]);
        match step.op {
            VectorOp::Const(bits) => {
                let number = eval::eval(Prim::Convert, DType::F64, &[Scalar { dtype, bits }]);
                Bounds::exactly(f64::from_bits(number.bits as u64))
            }
            VectorOp::Prim(Prim::Select) => match self.choice(step) {
                Some(Prim::Min) => Bounds { high: of(2).high, may_be_nan: of(2).may_be_nan, ..of(1).or(of(2)) },
                Some(_) => Bounds { low: of(2).low, may_be_nan: of(2).may_be_nan, ..of(1).or(of(2)) },
                None => of(1).or(of(2)),
            },
            VectorOp::Prim(Prim::Convert) => converted(of(0), step.operands[0].map(|from| self.dtype(from)), dtype),
            VectorOp::Prim(Prim::Min) => Bounds { high: of(0).high.min(of(1).high), ..of(0).or(of(1)) },
            VectorOp::Prim(Prim::Max) => Bounds { low: of(0).low.max(of(1).low), ..of(0).or(of(1)) },
            VectorOp::Prim(prim) if dtype.is_float() => of_arithmetic(prim, [of(0), of(1)], dtype),
            _ => Bounds::of(dtype),
        }
    }

    /// Whether a choice is that of the lesser of two (`Min`) or the greater (`Max`). Where neither is less than the
    /// other, or one is no number, the result is the last operand, as it is of `vminps` and `vmaxps`.
    pub(in crate::exec::jit) fn choice(&self, step: &VectorStep) -> Option<Prim> {
        let [Some(condition), Some(yes), Some(no), ..] = step.operands else { return None };
        let VectorStep { op: VectorOp::Prim(Prim::Lt), operands: [Some(left), Some(right), ..], .. } =
            *self.step(condition)
        else {
            return None;
        };
        let (chosen, compared): ([Virtual; 2], [Virtual; 2]) = ([yes, no], [left, right]);
        match compared {
            same if same == chosen => Some(Prim::Min),
            [left, right] if [right, left] == chosen => Some(Prim::Max),
            _ => None,
        }
    }
}

/// The bounds of numbers in another dtype.
fn converted(of: Bounds, from: Option<DType>, to: DType) -> Bounds {
    match from {
        Some(from) if to.is_float() && !from.is_complex() => {
            let all = if from == DType::Bool {
                Bounds { low: 0.0, high: 1.0, may_be_nan: false, is_whole: true }
            } else {
                of
            };
            // What is whole stays it: large floats are.
            let rounded = Bounds::rounded([all.low, all.high], to);
            Bounds { may_be_nan: all.may_be_nan, is_whole: all.is_whole, ..rounded }
        }
        _ => Bounds::of(to),
    }
}

/// The bounds of arithmetic on floats.
#[expect(clippy::wildcard_enum_match_arm, reason = "of other prims nothing is known")]
fn of_arithmetic(prim: Prim, [a, b]: [Bounds; 2], dtype: DType) -> Bounds {
    let whole = |round: fn(f64) -> f64| Bounds { low: round(a.low), high: round(a.high), is_whole: true, ..a };
    match prim {
        Prim::Trunc => whole(f64::trunc),
        Prim::Floor => whole(f64::floor),
        Prim::Ceil => whole(f64::ceil),
        Prim::Round => whole(f64::round_ties_even),
        Prim::Neg => a.negated(),
        Prim::Abs => Bounds { low: 0.0, high: a.size(), ..a },
        Prim::Add => a.plus(b, dtype),
        Prim::Sub => a.plus(b.negated(), dtype),
        Prim::Mul => a.times(b, dtype),
        _ => ANYTHING,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(op: VectorOp, dtype: DType, args: &[u32]) -> VectorStep {
        VectorStep::new(op, dtype, &args.iter().copied().map(Virtual).collect::<Vec<_>>())
    }

    fn number(value: f32) -> VectorStep {
        step(VectorOp::Const(value.to_bits().into()), DType::F32, &[])
    }

    fn prim(prim: Prim, dtype: DType, args: &[u32]) -> VectorStep {
        step(VectorOp::Prim(prim), dtype, args)
    }

    /// `where(0 < x, x, 0)` is no NaN and at least 0; the lesser of that and 99 is an index.
    #[test]
    fn a_choice_of_the_lesser_and_the_greater_bounds_both_sides() {
        let load = step(VectorOp::Load { input: 0, part: 0 }, DType::F32, &[]);
        let steps = vec![
            load,
            number(0.0),
            number(99.0),
            prim(Prim::Lt, DType::Bool, &[1, 0]),
            prim(Prim::Select, DType::F32, &[3, 0, 1]),
            prim(Prim::Trunc, DType::F32, &[4]),
            prim(Prim::Lt, DType::Bool, &[5, 2]),
            prim(Prim::Select, DType::F32, &[6, 5, 2]),
        ];
        let body = VectorBody { steps, tables: Vec::new() };
        let bounds = body.bounds();
        assert_eq!(bounds[0], ANYTHING);
        assert_eq!((bounds[4].low, bounds[4].high, bounds[4].may_be_nan), (0.0, f64::INFINITY, false));
        assert_eq!(bounds[7], Bounds { low: 0.0, high: 99.0, may_be_nan: false, is_whole: true });
        assert!(bounds[7].fit(DType::I8) && bounds[7].fit(DType::U64) && !bounds[4].fit(DType::I64));
        assert!(!bounds[1].fit(DType::Bool));
    }

    /// What has one bound has it after a sum too, and is a number.
    #[test]
    fn sums_of_what_is_bounded_on_one_side_are_bounded_there() {
        let load = step(VectorOp::Load { input: 0, part: 0 }, DType::F64, &[]);
        let one = step(VectorOp::Const(1f64.to_bits().into()), DType::F64, &[]);
        let steps = vec![
            load,
            one,
            prim(Prim::Lt, DType::Bool, &[1, 0]),
            prim(Prim::Select, DType::F64, &[2, 0, 1]),
            prim(Prim::Sub, DType::F64, &[3, 1]),
            prim(Prim::Sub, DType::F64, &[3, 3]),
        ];
        let bounds = VectorBody { steps, tables: Vec::new() }.bounds();
        assert_eq!((bounds[4].low, bounds[4].high, bounds[4].may_be_nan), (0.0, f64::INFINITY, false));
        // The difference of two infinities.
        assert_eq!(bounds[5], ANYTHING);
    }

    /// The other way around NaN stays: `where(x < 0, 0, x)` is `x` where it is NaN.
    #[test]
    fn a_choice_that_keeps_nan_says_so() {
        let load = step(VectorOp::Load { input: 0, part: 0 }, DType::F32, &[]);
        let steps = vec![
            load,
            number(0.0),
            prim(Prim::Lt, DType::Bool, &[0, 1]),
            prim(Prim::Select, DType::F32, &[2, 1, 0]),
            prim(Prim::Max, DType::F32, &[0, 1]),
        ];
        let bounds = VectorBody { steps, tables: Vec::new() }.bounds();
        assert!(bounds[3].may_be_nan && bounds[4].may_be_nan);
        assert_eq!(bounds[4].low, 0.0);
    }

    /// A product below the least number may be rounded up to it.
    #[test]
    fn bounds_of_subnormal_numbers_reach_the_next_one() {
        for dtype in [DType::F32, DType::F16, DType::Bf16] {
            let least = f64::from(dtype.row().min_exponent).exp2();
            let product = Bounds::exactly(1.0).times(Bounds::exactly(0.6 * least), dtype);
            assert!(product.high >= least && product.low <= 0.0, "{dtype}: {product:?}");
        }
    }

    /// A sum of halves that is beyond the largest of them is infinite, and no integer's.
    #[test]
    fn what_overflows_is_not_bounded() {
        let half = |value: f32| {
            let bits = half::f16::from_f32(value).to_bits();
            step(VectorOp::Const(bits.into()), DType::F16, &[])
        };
        let steps = vec![half(60000.0), prim(Prim::Add, DType::F16, &[0, 0])];
        let bounds = VectorBody { steps, tables: Vec::new() }.bounds();
        assert_eq!(bounds[1].high, f64::INFINITY);
        assert!(!bounds[1].fit(DType::I64));
    }
}
