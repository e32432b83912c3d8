//! The range of one prim's result, from the ranges of its operands. It also says which ends of the range somebody
//! wrote.

use super::float::{self, Floats};
use super::integer::{self, Ends};
use super::{Interval, Range, integers};
use crate::scalar::prim::Prim;
use crate::scalar::{Scalar, eval};
use crate::types::{DType, Kind};

pub(super) fn ends(args: &[Range]) -> Option<Vec<Ends>> {
    args.iter().map(|range| range.interval.integer_ends()).collect()
}

pub(super) fn both(a: Range, b: Range) -> Range {
    Range {
        interval: a.interval.union(b.interval),
        low_stated: a.low_stated && b.low_stated,
        high_stated: a.high_stated && b.high_stated,
        of_data: a.of_data || b.of_data,
    }
}

/// A result of operands with these ranges.
pub(super) fn arithmetic(prim: Prim, args: &[Range], interval: Interval) -> Range {
    let (low_stated, high_stated) = stated(prim, args);
    Range { interval, low_stated, high_stated, of_data: args.iter().any(|arg| arg.of_data) }
}

/// The range of a prim's result; `from` is the dtype of its first operand.
#[expect(clippy::wildcard_enum_match_arm, reason = "every other prim is arithmetic on floats or on integers")]
pub(super) fn range_of_prim(prim: Prim, from: DType, dtype: DType, args: &[Range]) -> Range {
    let known = |interval| arithmetic(prim, args, interval);
    match prim {
        Prim::Convert => converted(args[0], dtype),
        Prim::Eq | Prim::Ne | Prim::Lt | Prim::Le => {
            Range { low_stated: true, high_stated: true, ..known(comparison(prim, args)) }
        }
        Prim::Bitcast | Prim::Real | Prim::Imag | Prim::Pair | Prim::Select => Range::of_dtype(dtype),
        // Of a function that has no rule nothing is stated, whatever is of its operands.
        _ if matches!(dtype.kind(), Kind::Float) => {
            match floats(args).and_then(|args| float::result(prim, from, &args)) {
                Some(values) => known(values.into()),
                None => Range::of_dtype(dtype),
            }
        }
        _ => match ends(args).and_then(|args| integer::exact(prim, dtype, &args)) {
            Some((low, high)) if Interval::of_dtype(dtype).contains(low, high) => {
                known(Interval::Integer { low, high })
            }
            _ if prim == Prim::Shl => Range::of_dtype(dtype).with(shifted(args[1].interval, dtype)),
            _ => Range::of_dtype(dtype),
        },
    }
}

/// What is moved to the left ends in zeros, also where bits were moved out.
fn shifted(by: Interval, dtype: DType) -> Interval {
    let (low, high) = integers(dtype);
    let count = by.single().unwrap_or(0).clamp(0, i128::from(dtype.bits()) - 1);
    Interval::Integer { low, high: high & !((1 << count) - 1) }
}

impl Range {
    /// A range of integers that is also known to lie between two ends, as far as these are of the dtype. They come from
    /// where those of another range come from.
    pub(super) fn or_within(self, from: Range, (low, high): Ends, dtype: DType) -> Range {
        match self.interval {
            Interval::Integer { low: least, high: most }
                if dtype.is_integer() && Interval::of_dtype(dtype).contains(low, high) =>
            {
                let (low, high) = (low.max(least), high.min(most));
                if low > high { self } else { from.with(Interval::Integer { low, high }) }
            }
            Interval::Integer { .. } | Interval::Float { .. } | Interval::Complex => self,
        }
    }
}

impl Interval {
    pub(super) fn contains(self, low: i128, high: i128) -> bool {
        matches!(self, Interval::Integer { low: least, high: most } if least <= low && high <= most)
    }
}

fn floats(args: &[Range]) -> Option<Vec<Floats>> {
    let float = |range: &Range| match range.interval {
        Interval::Float { low, high, nan, whole } => Some(Floats { low, high, nan, whole }),
        Interval::Integer { .. } | Interval::Complex => None,
    };
    args.iter().map(float).collect()
}

/// Which ends of a prim's result follow from what somebody wrote.
fn stated(prim: Prim, args: &[Range]) -> (bool, bool) {
    let all = args.iter().all(Range::is_stated);
    let bounds = |range: &Range| match range.interval {
        Interval::Integer { low, high } => (low as f64, high as f64),
        Interval::Float { low, high, .. } => (low, high),
        Interval::Complex => (f64::NEG_INFINITY, f64::INFINITY),
    };
    match (prim, args) {
        (Prim::Add, [a, b]) => (a.low_stated && b.low_stated, a.high_stated && b.high_stated),
        (Prim::Sub, [a, b]) => (a.low_stated && b.high_stated, a.high_stated && b.low_stated),
        (Prim::Neg, [a]) => (a.high_stated, a.low_stated),
        // The smaller end decides; of the other end, whichever operand has it.
        (Prim::Min, [a, b]) => {
            let high = if bounds(a).1 <= bounds(b).1 { a.high_stated } else { b.high_stated };
            (a.low_stated && b.low_stated, high)
        }
        (Prim::Max, [a, b]) => {
            let low = if bounds(a).0 >= bounds(b).0 { a.low_stated } else { b.low_stated };
            (low, a.high_stated && b.high_stated)
        }
        (Prim::Rem, [_, b]) => (b.is_stated(), b.is_stated()),
        (Prim::And, [a, b]) => {
            let masks = |range: &Range| range.is_stated() && bounds(range).0 >= 0.0;
            let masked = all || masks(a) || masks(b);
            (masked, masked)
        }
        (Prim::Popcount | Prim::Clz, _) => (true, true),
        _ => (all, all),
    }
}

/// One rounding, or wrapping, to another dtype.
fn converted(from: Range, dtype: DType) -> Range {
    let kept = |interval| Range { interval, ..from };
    match (from.interval, dtype.kind()) {
        (_, Kind::Bool) => Range::stated(Interval::of_dtype(DType::Bool)),
        // What is too large is not a number where there are no infinities.
        (interval, Kind::Float) if !dtype.row().infinities && !interval.within(dtype) => Range::of_dtype(dtype),
        (Interval::Integer { low, high }, Kind::Unsigned | Kind::Signed) => {
            match Interval::of_dtype(dtype).contains(low, high) {
                true => from,
                false => Range::of_dtype(dtype),
            }
        }
        (Interval::Integer { low, high }, Kind::Float) => {
            let (low, high) = (float_end(low, false, dtype), float_end(high, true, dtype));
            kept(Interval::Float { low, high, nan: false, whole: true })
        }
        (Interval::Float { low, high, nan, whole }, Kind::Float) => {
            kept(Interval::Float { low: round_to_dtype(low, dtype), high: round_to_dtype(high, dtype), nan, whole })
        }
        (Interval::Float { low, high, nan, .. }, Kind::Unsigned | Kind::Signed) => {
            // Truncates and saturates; not-a-number is 0.
            let (least, most) = integers(dtype);
            let end = |value: f64| (value.trunc() as i128).clamp(least, most);
            let (low, high) = (end(low), end(high));
            let (low, high) = if nan { (low.min(0), high.max(0)) } else { (low, high) };
            kept(Interval::Integer { low, high })
        }
        _ => Range::of_dtype(dtype),
    }
}

/// The float that a value of a float dtype is rounded to.
pub(super) fn round_to_dtype(value: f64, dtype: DType) -> f64 {
    let narrow = eval::eval(Prim::Convert, dtype, &[Scalar::of(value)]);
    f64::from_bits(eval::eval(Prim::Convert, DType::F64, &[narrow]).bits as u64)
}

/// A float that an end of integers is rounded to, or one beyond it. Where there are no infinities, the integer is
/// within the dtype, and no result lies outside.
fn float_end(value: i128, up: bool, dtype: DType) -> f64 {
    let float = value as f64;
    if value.unsigned_abs() <= 1 << dtype.row().value_bits {
        return float;
    }
    let room = float.abs() * 2f64.powi(1 - dtype.row().value_bits as i32);
    let (end, top) = (if up { float + room } else { float - room }, dtype.top());
    round_to_dtype(end.clamp(-top, top), dtype)
}

fn comparison(prim: Prim, args: &[Range]) -> Interval {
    let truth = |value: bool| Interval::Integer { low: value.into(), high: value.into() };
    let open = Interval::of_dtype(DType::Bool);
    let [a, b] = args else { return open };
    let (Interval::Integer { low: al, high: ah }, Interval::Integer { low: bl, high: bh }) = (a.interval, b.interval)
    else {
        return open;
    };
    decide(prim, (al, ah), (bl, bh)).map_or(open, truth)
}

/// The answer of a comparison, if the ends of both sides leave only one.
#[expect(clippy::wildcard_enum_match_arm, reason = "where no arm applies, both answers are possible")]
pub(crate) fn decide<T: PartialOrd>(prim: Prim, (a_low, a_high): (T, T), (b_low, b_high): (T, T)) -> Option<bool> {
    match prim {
        Prim::Lt if a_high < b_low => Some(true),
        Prim::Lt if a_low >= b_high => Some(false),
        Prim::Le if a_high <= b_low => Some(true),
        Prim::Le if a_low > b_high => Some(false),
        Prim::Eq if a_high < b_low || b_high < a_low => Some(false),
        Prim::Ne if a_high < b_low || b_high < a_low => Some(true),
        _ => None,
    }
}
