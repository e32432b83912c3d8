//! Reductions that leave out NaN. A complex number is left out when either part is one.

use super::expand::Expand;
use super::extremes::extreme;
use super::reduce::{AVERAGE, EXTREME, KEEP, TOTAL, reduction};
use super::{Op, Param, Reduce, Role, Way, operand, way, written};
use crate::ir::{Fold, NodeId};
use crate::promotion::Class;
use crate::types::DType;

const PLACE: &[Param] = &[operand("x"), Param { name: "axis", role: Role::Axis, default: Some("None") }, KEEP];

/// Where an extreme is that is known.
const FOUND: Way = way(
    "x, axis?, keepdims?",
    "{
  let found = $extreme(x, axis=axis, keepdims=true)
  assert all(found == found)  # all elements are nan, and none of them has a position
  argmax(u8(x == found), axis=axis, keepdims=keepdims)
}",
);

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "sum of the elements that are not nan",
        special: "It is `sum` with 0 in the place of every nan, so it is 0 if all elements are nan. `dtype`, `where` and \
                  `initial` are those of `sum`",
        examples: &[("nansum([1.0, nan, 2.0])", "3.0"), ("nansum([[nan, 1.0], [nan, 2.0]], axis=0)", "[0.0, 3.0]")],
        params: TOTAL,
        ..reduction("nansum", Class::Sum, sum)
    },
    Op {
        summary: "mean of the elements that are not nan",
        special: "It is `nansum` divided by the number of elements that are not nan. If all elements are nan, it is \
                  nan",
        examples: &[("nanmean([1.0, nan, 2.0])", "1.5"), ("nanmean([nan, nan])", "nan")],
        params: AVERAGE,
        ..reduction("nanmean", Class::Mean, |e, x, over| {
            let (total, shape) = (sum(e, x, over), e.shape(x));
            let bad = e.is_nan(x);
            let good = e.not(bad);
            let good = e.convert(good, DType::I64);
            let good = e.broadcast(good, &shape);
            let count = e.fold_over(Fold::Sum, good, over);
            let count = e.convert(count, e.dtype(total));
            e.div(total, count)
        })
    },
    Op {
        summary: "smallest of the elements that are not nan",
        special: "If all elements are nan, it is nan. Without elements it is an error. With `initial` it is no larger \
                  than that, and `where` chooses elements",
        examples: &[("nanmin([3.0, nan, 2.0])", "2.0"), ("nanmin([nan, nan])", "nan"), ("nanmin([inf, nan])", "inf")],
        params: EXTREME,
        ..reduction("nanmin", Class::Reduction, |e, x, over| least(e, x, (Fold::Min, f64::INFINITY), over))
    },
    Op {
        summary: "largest of the elements that are not nan",
        special: "If all elements are nan, it is nan. Without elements it is an error. With `initial` it is no smaller \
                  than that, and `where` chooses elements",
        examples: &[("nanmax([3.0, nan, 2.0])", "3.0"), ("nanmax([[nan, 1.0], [nan, 2.0]], axis=0)", "[nan, 2.0]")],
        params: EXTREME,
        ..reduction("nanmax", Class::Reduction, |e, x, over| least(e, x, (Fold::Max, f64::NEG_INFINITY), over))
    },
    Op {
        summary: "position of the smallest of the elements that are not nan",
        special: "Without `axis` it counts all elements in C order. Of equal elements it is the first. If all elements \
                  are nan, it is an error when the program runs, as in NumPy. If the smallest is inf, NumPy may give \
                  the position of a nan",
        examples: &[("nanargmin([3.0, nan, 2.0])", "2"), ("nanargmin([[nan, 1.0], [0.0, nan]], axis=1)", "[1, 0]")],
        ..written("nanargmin", PLACE, &[FOUND.with(&[("extreme", "nanmin")])])
    },
    Op {
        summary: "position of the largest of the elements that are not nan",
        special: "As nanargmin",
        examples: &[("nanargmax([3.0, nan, 2.0])", "0"), ("nanargmax([nan, -inf, 1.0, 1.0])", "2")],
        ..written("nanargmax", PLACE, &[FOUND.with(&[("extreme", "nanmax")])])
    },
];

fn has_nan(dtype: DType) -> bool {
    dtype.is_float() || dtype.is_complex()
}

/// `x` with another number in the place of NaN.
fn without(e: &mut Expand, x: NodeId, instead: NodeId) -> NodeId {
    let (bad, shape) = (e.is_nan(x), e.shape(x));
    let kept = e.select(bad, instead, x);
    e.broadcast(kept, &shape)
}

fn sum(e: &mut Expand, x: NodeId, over: &Reduce) -> NodeId {
    let zero = e.number(x, 0.0);
    let kept = if has_nan(e.dtype(x)) { without(e, x, zero) } else { x };
    e.fold_over(Fold::Sum, kept, over)
}

/// The extreme of the others; of nothing but NaN, NaN.
fn least(e: &mut Expand, x: NodeId, (fold, last): (Fold, f64), over: &Reduce) -> NodeId {
    if !has_nan(e.dtype(x)) {
        return extreme(e, x, fold, over);
    }
    let (shape, part) = (e.shape(x), e.dtype(x).part());
    let last = last.clamp(-part.top(), part.top());
    let (last, nan) = (e.of(part, last), e.of(part, f64::NAN));
    let (last, nan) = if e.dtype(x).is_complex() { (e.pair(last, last), e.pair(nan, nan)) } else { (last, nan) };
    let bad = e.is_nan(x);
    let bad = e.broadcast(bad, &shape);
    let kept = without(e, x, last);
    let found = extreme(e, kept, fold, over);
    let none = e.fold_over(Fold::All, bad, over);
    e.select(none, nan, found)
}
