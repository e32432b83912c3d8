//! Reductions over all axes or some: sums, products, averages, truth, counts.

use super::expand::Expand;
use super::masked::{DTYPE, INITIAL, WHERE};
use super::{Form, Op, Param, Reduce, Role, operand, row};
use crate::ir::{Fold, NodeId};
use crate::promotion::Class;
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim, shape};

pub(super) const KEEP: Param = Param { name: "keepdims", role: Role::Keep, default: Some("false") };
pub(super) const AXES: Param = Param { name: "axis", role: Role::Axes, default: Some("None") };
const REDUCE: &[Param] = &[operand("x"), AXES, KEEP];
const X: Param = operand("x");
pub(super) const TOTAL: &[Param] = &[X, AXES, KEEP, DTYPE, WHERE, INITIAL];
pub(super) const AVERAGE: &[Param] = &[X, AXES, KEEP, DTYPE, WHERE];
const TRUTH: &[Param] = &[X, AXES, KEEP, WHERE];
const FREEDOM: Param = Param { name: "ddof", role: Role::Freedom, default: Some("0") };
const SPREAD: &[Param] = &[X, AXES, FREEDOM, KEEP, DTYPE, WHERE];
/// The parameters of an extreme.
pub(super) const EXTREME: &[Param] = &[X, AXES, KEEP, WHERE, INITIAL];

pub(super) const fn reduction(
    name: &'static str,
    class: Class,
    fold: fn(&mut Expand, NodeId, &Reduce) -> NodeId,
) -> Op {
    row(name, REDUCE, class, Form::Fold(fold))
}

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "sum of all elements, or along `axis`",
        special: "Without elements it is 0. Integers wrap. Floats are added in one fixed order, the same on every \
                  machine. `dtype` is what elements are converted to first, and the dtype of the result; `where` chooses \
                  elements; `initial` becomes the dtype of the result and is added",
        examples: &[
            ("sum([1, 2, 3])", "6"),
            ("sum([[1, 2], [3, 4]], axis=0)", "[4, 6]"),
            ("sum([1, 2, 3], where=[true, false, true])", "4"),
            ("sum([200u8, 100u8], dtype=u8)", "44"),
        ],
        params: TOTAL,
        ..reduction("sum", Class::Sum, |e, x, over| e.fold_over(Fold::Sum, x, over))
    },
    Op {
        summary: "product of all elements, or along `axis`",
        special: "Without elements it is 1. Integers wrap. Floats are multiplied in the fixed order of `sum`",
        examples: &[
            ("prod([2, 3, 4])", "24"),
            ("prod([[1, 2], [3, 4]], axis=1)", "[2, 12]"),
            ("prod([1j, 1j])", "(-1+0j)"),
        ],
        params: TOTAL,
        ..reduction("prod", Class::Product, |e, x, over| e.fold_over(Fold::Prod, x, over))
    },
    Op {
        summary: "mean of all elements, or along `axis`",
        special: "Without elements it is nan. Integers are summed and divided as f64, and the quotient is rounded once",
        examples: &[("mean([1.0, 2.0, 6.0])", "3.0"), ("mean([[1, 2], [3, 5]], axis=1)", "[1.5, 4.0]")],
        params: AVERAGE,
        ..reduction("mean", Class::Mean, |e, x, over| mean(e, x, over, over.keep))
    },
    Op {
        summary: "variance of all elements, or along `axis`",
        special: "It is the sum of the squared distances to the mean, divided by n - ddof; ddof must be below n. The \
                  mean and the squares are each summed in the fixed order of `sum`. Integers are computed as f64, \
                  and complex numbers by the squares of their magnitudes. Without elements it is nan",
        examples: &[
            ("var([1.0, 2.0, 6.0])", "4.666666666666667"),
            ("var([1.0, 2.0, 6.0], ddof=1)", "7.0"),
            ("var([1+1j, 1-1j])", "1.0"),
        ],
        ..row("var", SPREAD, Class::Variance, Form::Fold(variance))
    },
    Op {
        summary: "standard deviation of all elements, or along `axis`",
        special: "It is the square root of `var`",
        examples: &[("std([2.0, 4.0])", "1.0"), ("std([[1, 3], [2, 8]], axis=1)", "[1.0, 3.0]")],
        ..row(
            "std",
            SPREAD,
            Class::Variance,
            Form::Fold(|e, x, over| {
                let variance = variance(e, x, over);
                e.prim(Prim::Sqrt, &[variance])
            }),
        )
    },
    Op {
        summary: "Euclidean length of all elements, or along `axis`",
        special: "It is the square root of the sum of the squares, or of the squared magnitudes of complex numbers. \
                  Without elements it is 0. Squares may overflow to inf, as in NumPy",
        examples: &[
            ("norm([3.0, 4.0])", "5.0"),
            ("norm([[3, 4], [5, 12]], axis=1)", "[5.0, 13.0]"),
            ("norm([3+4j])", "5.0"),
        ],
        ..reduction("norm", Class::Variance, |e, x, over| {
            let squares = squares(e, x);
            let sum = e.fold_over(Fold::Sum, squares, over);
            e.prim(Prim::Sqrt, &[sum])
        })
    },
    Op {
        summary: "whether any element is true",
        special: "Without elements it is false. Every number except 0 is true, and nan is true",
        examples: &[("any([0, 2])", "true"), ("any([[true, false], [false, false]], axis=1)", "[true, false]")],
        params: TRUTH,
        ..reduction("any", Class::Truth, |e, x, over| {
            let truth = e.convert(x, DType::Bool);
            e.fold_over(Fold::Any, truth, over)
        })
    },
    Op {
        summary: "whether all elements are true",
        special: "Without elements it is true. Every number except 0 is true, and nan is true",
        examples: &[("all([1, 2])", "true"), ("all([[true, true], [true, false]], axis=1)", "[true, false]")],
        params: TRUTH,
        ..reduction("all", Class::Truth, |e, x, over| {
            let truth = e.convert(x, DType::Bool);
            e.fold_over(Fold::All, truth, over)
        })
    },
    Op {
        summary: "how many elements are not 0",
        special: "A nan is not 0, so it counts",
        examples: &[
            ("count_nonzero([3, 0, 5])", "2"),
            ("count_nonzero([[true, false], [true, true]], axis=0)", "[2, 1]"),
        ],
        ..reduction("count_nonzero", Class::Count, |e, x, over| {
            let truth = e.convert(x, DType::Bool);
            let ones = e.convert(truth, DType::I64);
            e.fold_over(Fold::Sum, ones, over)
        })
    },
];

/// The number of elements that are reduced into one, as `f64`: sizes below 2^53 are exact.
fn count(e: &mut Expand, x: NodeId, over: &Reduce) -> NodeId {
    let dims = e.shape(x);
    let reduced: Vec<Dim> = over.axes.iter().map(|&axis| dims[axis].clone()).collect();
    match shape::sizes(&reduced) {
        Some(sizes) => {
            let count: f64 = sizes.iter().map(|&size| size as f64).product();
            e.0.constant(Scalar::of(count))
        }
        // Symbolic sizes are only checked, never run: a sum of ones stands for the count.
        None => {
            let one = e.of(DType::F64, 1.0);
            let ones = e.broadcast(one, &dims);
            e.fold_over(Fold::Sum, ones, over)
        }
    }
}

/// The sum, divided by how many elements there are.
pub(super) fn mean(e: &mut Expand, x: NodeId, over: &Reduce, keep: bool) -> NodeId {
    let over = Reduce { keep, ..over.clone() };
    let total = e.fold_over(Fold::Sum, x, &over);
    let count = count(e, x, &over);
    let count = e.convert(count, e.dtype(x));
    e.div(total, count)
}

/// The mean first, then the sum of squared distances to it, both in the fixed order.
fn variance(e: &mut Expand, x: NodeId, over: &Reduce) -> NodeId {
    let mean = mean(e, x, over, true);
    let distance = e.sub(x, mean);
    let squares = squares(e, distance);
    let sum = e.fold_over(Fold::Sum, squares, over);
    let (count, freedom, zero) = (count(e, x, over), e.of(DType::F64, over.freedom), e.of(DType::F64, 0.0));
    let free = e.prim(Prim::Sub, &[count, freedom]);
    // Of nothing 0/0, whatever the freedom.
    let free = e.prim(Prim::Max, &[free, zero]);
    let free = e.convert(free, e.dtype(sum));
    e.div(sum, free)
}

/// The square of the magnitude.
pub(super) fn squares(e: &mut Expand, x: NodeId) -> NodeId {
    if !e.dtype(x).is_complex() {
        return e.mul(x, x);
    }
    let shape = e.shape(x);
    let (re, im) = e.parts(x);
    let (re, im) = (e.mul(re, re), e.mul(im, im));
    let sum = e.add(re, im);
    e.broadcast(sum, &shape)
}
