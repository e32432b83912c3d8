//! Reductions over all axes or some.

use super::expand::Expand;
use super::{Form, Op, Param, Reduce, Role, operand, row};
use crate::ir::{Fold, NodeId};
use crate::promotion::Class;
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim, shape};

const REDUCE: &[Param] = &[
    operand("x"),
    Param { name: "axis", role: Role::Axes, default: Some("None") },
    Param { name: "keepdims", role: Role::Flag, default: Some("false") },
];

const fn reduction(name: &'static str, class: Class, fold: fn(&mut Expand, NodeId, &Reduce) -> NodeId) -> Op {
    row(name, REDUCE, class, Form::Fold(fold))
}

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "sum over axes",
        special: "of nothing 0; integers wrap; floats are added in one fixed order, the same on every machine",
        examples: &[("sum([1, 2, 3])", "6"), ("sum([[1, 2], [3, 4]], axis=0)", "[4, 6]")],
        ..reduction("sum", Class::Sum, |e, x, over| e.fold(Fold::Sum, x, &over.axes, over.keep))
    },
    Op {
        summary: "arithmetic mean over axes",
        special: "of nothing nan",
        examples: &[("mean([1.0, 2.0, 6.0])", "3.0"), ("mean([[1, 2], [3, 5]], axis=1)", "[1.5, 4.0]")],
        ..reduction("mean", Class::Mean, |e, x, over| {
            let total = e.fold(Fold::Sum, x, &over.axes, over.keep);
            let count = count(e, x, over);
            let count = e.convert(count, e.dtype(x));
            e.div(total, count)
        })
    },
    Op {
        summary: "smallest element over axes",
        special: "nan if there is one; complex numbers go by the real part first; refused when an axis has no elements",
        examples: &[("min([3, 1, 2])", "1"), ("min([2+1j, 1+5j, 1-5j])", "(1-5j)")],
        ..reduction("min", Class::Reduction, |e, x, over| extreme(e, x, over, (Fold::Min, Fold::All)))
    },
    Op {
        summary: "largest element over axes",
        special: "nan if there is one; complex numbers go by the real part first; refused when an axis has no elements",
        examples: &[("max([3, 1, 2])", "3"), ("max([[1, 5], [4, 2]], axis=-1)", "[5, 4]")],
        ..reduction("max", Class::Reduction, |e, x, over| extreme(e, x, over, (Fold::Max, Fold::Any)))
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
            e.fold(Fold::Sum, ones, &over.axes, over.keep)
        }
    }
}

fn extreme(e: &mut Expand, x: NodeId, over: &Reduce, (numbers, bits): (Fold, Fold)) -> NodeId {
    if e.dtype(x).is_complex() {
        return complex_extreme(e, x, over, numbers);
    }
    let fold = if e.dtype(x) == DType::Bool { bits } else { numbers };
    e.fold(fold, x, &over.axes, over.keep)
}

/// Complex numbers go by the real part first, then by the imaginary one; not-a-number in either part wins.
fn complex_extreme(e: &mut Expand, z: NodeId, over: &Reduce, fold: Fold) -> NodeId {
    let shape = e.shape(z);
    let (re, im) = e.parts(z);
    let (re, im) = (e.broadcast(re, &shape), e.broadcast(im, &shape));
    let (bad_re, bad_im, nan) = (e.is_nan(re), e.is_nan(im), e.number(re, f64::NAN));
    let bad = e.prim(Prim::Or, &[bad_re, bad_im]);
    let re = e.select(bad, nan, re);
    let first = e.fold(fold, re, &over.axes, true);
    let everywhere = e.broadcast(first, &shape);
    let tied = e.equal(re, everywhere);
    let last = e.number(im, if fold == Fold::Min { f64::INFINITY } else { f64::NEG_INFINITY });
    let im = e.select(tied, im, last);
    let second = e.fold(fold, im, &over.axes, over.keep);
    let first = e.fold(fold, re, &over.axes, over.keep);
    let bad = e.is_nan(first);
    let second = e.select(bad, nan, second);
    e.pair(first, second)
}
