//! Groups: elements with one label combined, counted, put into bins.

use super::expand::Expand;
use super::lines::{LineArrangement, LineCall, Lines, ResultDType};
use super::{Form, Op, Param, Role, operand, row};
use crate::ir::routine::Routine;
use crate::ir::{Fold, NodeId};
use crate::promotion::Class;
use crate::scalar::prim::Prim;
use crate::types::{DType, Kind};

const X: Param = operand("x");
const LABELS: Param = Param { name: "labels", role: Role::Positions, default: None };
const N: Param = Param { name: "n", role: Role::Size, default: None };
const GROUPED: &[Param] = &[X, LABELS, N];
const REAL: &[Kind] = &[Kind::Bool, Kind::Unsigned, Kind::Signed, Kind::Float];
const NUMBERS: &[Kind] = &[Kind::Unsigned, Kind::Signed, Kind::Float];

const fn grouped(name: &'static str, class: Class, expand: fn(&mut Expand, &mut LineCall) -> Vec<NodeId>) -> Op {
    row(name, GROUPED, class, Form::Lines(Lines::new(LineArrangement::Groups, expand)))
}

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "sums of the elements with each label from 0 to n-1, along the first axis",
        special: "Of nothing 0; in the order of the elements, the same on every machine; the dtype stays, and integers wrap; a \
                  label outside is an error",
        examples: &[
            ("segment_sum([1.0, 2.0, 4.0], [0, 1, 0], 3)", "[5.0, 2.0, 0.0]"),
            ("segment_sum([[1, 2], [3, 4], [5, 6]], [1, 0, 1], 2)", "[[3, 4], [6, 8]]"),
        ],
        domain: &[Kind::Unsigned, Kind::Signed, Kind::Float, Kind::Complex],
        ..grouped("segment_sum", Class::Reduction, |e, asked| vec![sums(e, asked)])
    },
    Op {
        summary: "means of the elements with each label, along the first axis",
        special: "Of nothing nan; integers as f64",
        examples: &[("segment_mean([1.0, 2.0, 4.0], [0, 1, 0], 2)", "[2.5, 2.0]")],
        domain: REAL,
        ..grouped("segment_mean", Class::Mean, |e, asked| {
            let sums = sums(e, asked);
            let counts = counts(e, asked);
            let counts = e.convert(counts, e.dtype(sums));
            vec![e.div(sums, counts)]
        })
    },
    Op {
        summary: "products of the elements with each label, along the first axis",
        special: "Of nothing 1; as segment_sum",
        examples: &[("segment_prod([2, 3, 4], [0, 1, 0], 2)", "[8, 3]")],
        domain: NUMBERS,
        ..grouped("segment_prod", Class::Reduction, |e, asked| vec![folded(e, asked, Fold::Prod)])
    },
    Op {
        summary: "smallest elements with each label, along the first axis",
        special: "Of nothing the largest value, inf for floats; nan if there is one",
        examples: &[("segment_min([3.0, 2.0, 4.0], [0, 1, 0], 2)", "[3.0, 2.0]")],
        domain: REAL,
        ..grouped("segment_min", Class::Reduction, |e, asked| vec![folded(e, asked, Fold::Min)])
    },
    Op {
        summary: "largest elements with each label, along the first axis",
        special: "Of nothing the smallest value, -inf for floats; nan if there is one",
        examples: &[("segment_max([3.0, 2.0, 4.0], [0, 1, 0], 2)", "[4.0, 2.0]")],
        domain: REAL,
        ..grouped("segment_max", Class::Reduction, |e, asked| vec![folded(e, asked, Fold::Max)])
    },
    Op {
        summary: "how many labels are 0, 1, up to n-1",
        examples: &[("segment_count([0, 1, 0], 3)", "[2, 1, 0]")],
        ..row(
            "segment_count",
            &[LABELS, N],
            Class::Count,
            Form::Lines(
                Lines::new(LineArrangement::Groups, |e, asked| vec![counts(e, asked)]).giving(&[ResultDType::Count]),
            ),
        )
    },
];

/// The labels as positions, with what is outside at fault.
fn labels(e: &mut Expand, asked: &mut LineCall) -> NodeId {
    let labels = asked.operands.positions[0];
    let (zero, len) = (e.whole(0), e.dim(&asked.options.sizes[0]));
    let (below, above) = (e.prim(Prim::Lt, &[labels, zero]), e.prim(Prim::Le, &[len, labels]));
    let outside = e.prim(Prim::Or, &[below, above]);
    asked.refuse(
        outside,
        "the label {value} at [{place}] is none of the groups, which are counted from 0",
        asked.operands.told[0],
    );
    labels
}

fn folded(e: &mut Expand, asked: &mut LineCall, fold: Fold) -> NodeId {
    let labels = labels(e, asked);
    let x = asked.operands.args[0];
    let wide = if e.dtype(x).is_small_float() { e.convert(x, DType::F32) } else { x };
    segments(e, fold, wide, labels, asked)
}

fn segments(e: &mut Expand, fold: Fold, x: NodeId, labels: NodeId, asked: &LineCall) -> NodeId {
    let shape = e.shape(x);
    let labels = e.broadcast(labels, &shape);
    e.routine(Routine::Segment(fold), &[x, labels], Some(asked.options.sizes[0].clone()))
}

fn sums(e: &mut Expand, asked: &mut LineCall) -> NodeId {
    let x = asked.operands.args[0];
    if !e.dtype(x).is_complex() {
        return folded(e, asked, Fold::Sum);
    }
    let labels = labels(e, asked);
    let shape = e.shape(x);
    let (re, im) = e.parts(x);
    let (re, im) = (e.broadcast(re, &shape), e.broadcast(im, &shape));
    let (re, im) = (segments(e, Fold::Sum, re, labels, asked), segments(e, Fold::Sum, im, labels, asked));
    e.pair(re, im)
}

fn counts(e: &mut Expand, asked: &mut LineCall) -> NodeId {
    let labels = labels(e, asked);
    e.routine(Routine::Count, &[labels], Some(asked.options.sizes[0].clone()))
}
