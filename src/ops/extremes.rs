//! The smallest or largest element, with its position.

use super::expand::Expand;
use super::reduce::{EXTREME, KEEP, reduction};
use super::{Form, Op, Param, Reduce, Role, operand, row};
use crate::ir::{Fold, NodeId};
use crate::promotion::Class;
use crate::scalar::prim::Prim;
use crate::types::{DType, Kind};

const ONE_AXIS: &[Param] = &[operand("x"), Param { name: "axis", role: Role::Axis, default: Some("None") }, KEEP];

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "smallest of all elements, or along `axis`",
        special: "It is nan if any element is nan. Complex numbers compare by their real parts first. Without \
                  elements it is `initial`, or an error. Of the elements that `where` chooses it needs `initial`, which takes part",
        examples: &[("min([3, 1, 2])", "1"), ("min([2+1j, 1+5j, 1-5j])", "(1-5j)")],
        params: EXTREME,
        ..reduction("min", Class::Reduction, |e, x, over| extreme(e, x, Fold::Min, over))
    },
    Op {
        summary: "largest of all elements, or along `axis`",
        special: "It is nan if any element is nan. Complex numbers compare by their real parts first. Without \
                  elements it is `initial`, or an error. Of the elements that `where` chooses it needs `initial`, which takes part",
        examples: &[
            ("max([3, 1, 2], where=[false, true, true], initial=0)", "2"),
            ("max([3, 1, 2])", "3"),
            ("max([[1, 5], [4, 2]], axis=-1)", "[5, 4]"),
        ],
        params: EXTREME,
        ..reduction("max", Class::Reduction, |e, x, over| extreme(e, x, Fold::Max, over))
    },
    Op {
        summary: "range of all elements, or along `axis`",
        special: "It is the largest element minus the smallest one. It is nan if any element is nan. Integers wrap. \
                  Without elements it is an error",
        examples: &[("ptp([3, 9, 2])", "7"), ("ptp([[1, 5], [4, 2]], axis=1)", "[4, 2]")],
        domain: &[Kind::Unsigned, Kind::Signed, Kind::Float, Kind::Complex],
        ..reduction("ptp", Class::Reduction, |e, x, over| {
            let (low, high) = (extreme(e, x, Fold::Min, over), extreme(e, x, Fold::Max, over));
            e.sub(high, low)
        })
    },
    Op {
        summary: "index of the smallest element",
        special: "Without `axis` it counts all elements in C order. The first nan wins, or else the first of equal \
                  elements; -0 equals +0. Without elements it is an error",
        examples: &[
            ("argmin([3, 1, 2, 1])", "1"),
            ("argmin([[3, 1], [0, 2]], axis=0)", "[1, 0]"),
            ("argmin([1, nan])", "1"),
        ],
        ..row(
            "argmin",
            ONE_AXIS,
            Class::ArgIndex,
            Form::Fold(|e, x, over| place(e, x, (Fold::ArgMin, Fold::Min), over)),
        )
    },
    Op {
        summary: "index of the largest element",
        special: "Without `axis` it counts all elements in C order. The first nan wins, or else the first of equal \
                  elements; -0 equals +0. Without elements it is an error",
        examples: &[
            ("argmax([3, 9, 2, 9])", "1"),
            ("argmax([[3, 1], [0, 2]])", "0"),
            ("argmax([[3, 1], [0, 2]], axis=-1)", "[0, 1]"),
        ],
        ..row(
            "argmax",
            ONE_AXIS,
            Class::ArgIndex,
            Form::Fold(|e, x, over| place(e, x, (Fold::ArgMax, Fold::Max), over)),
        )
    },
];

/// The smallest or the largest element.
pub(super) fn extreme(e: &mut Expand, x: NodeId, fold: Fold, over: &Reduce) -> NodeId {
    match e.dtype(x).kind() {
        Kind::Complex => complex_extreme(e, x, fold, over),
        Kind::Bool if fold == Fold::Min => e.fold_over(Fold::All, x, over),
        Kind::Bool => e.fold_over(Fold::Any, x, over),
        Kind::Unsigned | Kind::Signed | Kind::Float => e.fold_over(fold, x, over),
    }
}

/// Complex numbers go by the real part first, then by the imaginary one; not-a-number in either part wins.
fn complex_extreme(e: &mut Expand, z: NodeId, fold: Fold, over: &Reduce) -> NodeId {
    let shape = e.shape(z);
    let (re, im) = e.parts(z);
    let (re, im) = (e.broadcast(re, &shape), e.broadcast(im, &shape));
    let (bad_re, bad_im, nan) = (e.is_nan(re), e.is_nan(im), e.number(re, f64::NAN));
    let bad = e.prim(Prim::Or, &[bad_re, bad_im]);
    let re = e.select(bad, nan, re);
    let first = e.fold_keeping(fold, re, &over.axes);
    let everywhere = e.broadcast(first, &shape);
    let tied = e.equal(re, everywhere);
    let last = e.number(im, if fold == Fold::Min { f64::INFINITY } else { f64::NEG_INFINITY });
    let im = e.select(tied, im, last);
    let second = e.fold_over(fold, im, over);
    let first = e.fold_over(fold, re, over);
    let bad = e.is_nan(first);
    let second = e.select(bad, nan, second);
    e.pair(first, second)
}

/// The index of the first extreme element.
fn place(e: &mut Expand, x: NodeId, (arg, fold): (Fold, Fold), over: &Reduce) -> NodeId {
    match e.dtype(x).kind() {
        Kind::Complex => {
            let shape = e.shape(x);
            let found = complex_extreme(e, x, fold, &Reduce { keep: true, ..over.clone() });
            let found = e.broadcast(found, &shape);
            // Beside a NaN nothing equals the extreme, which is a NaN itself.
            let (bad, same) = (e.is_nan(x), e.equal(x, found));
            let first = e.prim(Prim::Or, &[bad, same]);
            let first = e.broadcast(first, &shape);
            e.fold_over(Fold::FirstTrue, first, over)
        }
        Kind::Bool => {
            let number = e.convert(x, DType::U8);
            e.fold_over(arg, number, over)
        }
        Kind::Unsigned | Kind::Signed | Kind::Float => e.fold_over(arg, x, over),
    }
}
