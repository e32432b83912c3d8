//! Order: sorting, ranks, where values belong.

use super::expand::Expand;
use super::lines::{LineArrangement, LineCall, Lines, ResultDType};
use super::options::option;
use super::{Form, Op, Param, Role, domain, operand, row, way, written};
use crate::ir::routine::Routine;
use crate::ir::{Fold, NodeId, Slice};
use crate::promotion::Class;
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim, Kind};

const X: Param = operand("x");
const AXIS: Param = Param { name: "axis", role: Role::Axis, default: Some("-1") };
pub(super) const fn flag(name: &'static str, default: &'static str) -> Param {
    Param { name, role: Role::Flag, default: Some(default) }
}
const DESCENDING: Param = flag("descending", "false");
const STABLE: Param = flag("stable", "true");
/// How to sort, in NumPy's words: every answer here is that of the first.
const KIND: Param = Param { name: "kind", role: Role::Text, default: Some("\"stable\"") };
const KINDS: &[&str] = &["stable", "quicksort", "mergesort", "heapsort"];
const SIDE: Param = Param { name: "side", role: Role::Text, default: Some("\"left\"") };
const REAL: &[Kind] = &[Kind::Bool, Kind::Unsigned, Kind::Signed, Kind::Float];

/// Sorted by one key after the other, the last one last: equal elements keep the order of those before.
const BY_KEYS: &str = "{
  let parts = $keys
  let first = argsort(zeros_like(parts[0], dtype=bool), axis=axis)
  repeat parts.shape[0] as j with order = first {
    take_along_axis(order, argsort(take_along_axis(parts[j], order, axis=axis), axis=axis), axis=axis)
  }
}";

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "in ascending order along an axis",
        special: "Equal elements keep their order, also in descending order; nan comes last, in descending order first; -0 \
                  and 0 are equal; complex numbers go by the real part first. `kind` may be any word of \
                  NumPy, and changes nothing",
        examples: &[
            ("sort([3, 1, 2])", "[1, 2, 3]"),
            ("sort([[3, 1], [0, 2]], axis=0)", "[[0, 1], [3, 2]]"),
            ("sort([1.0, nan, -inf], descending=true)", "[nan, 1.0, -inf]"),
        ],
        ..row(
            "sort",
            &[X, AXIS, DESCENDING, STABLE, KIND],
            Class::Reduction,
            Form::Lines(Lines::new(LineArrangement::Along, sort).words(KINDS)),
        )
    },
    Op {
        summary: "the positions of the elements in ascending order along an axis",
        special: "As sort; x at these positions is sorted",
        examples: &[("argsort([30, 10, 20])", "[1, 2, 0]"), ("argsort([1, 2, 1], descending=true)", "[1, 0, 2]")],
        ..row(
            "argsort",
            &[X, AXIS, DESCENDING, STABLE, KIND],
            Class::ArgIndex,
            Form::Lines(Lines::new(LineArrangement::Along, argsort).words(KINDS)),
        )
    },
    Op {
        summary: "the positions in the order of several keys: the last decides, among equals the one before it",
        special: "The keys are arrays of one shape in a tuple or a list, or the parts of an array along its first \
                  axis; they are promoted to one dtype. `axis` is an axis of a key. They are in order as for argsort",
        examples: &[
            ("lexsort(([9, 4, 0, 4], [1, 5, 1, 5]))", "[2, 0, 1, 3]"),
            ("lexsort([[3, 1, 2], [0, 0, 0]])", "[1, 2, 0]"),
        ],
        ..written(
            "lexsort",
            &[Param { name: "keys", role: Role::Arrays, default: None }, AXIS],
            &[
                way("keys[,], axis?", BY_KEYS).with(&[("keys", "keys")]),
                way("keys[,,], axis?", BY_KEYS).with(&[("keys", "keys")]),
                way("keys, axis?", BY_KEYS).with(&[("keys", "stack(keys)  # the keys of `lexsort` have one shape")]),
            ],
        )
    },
    Op {
        summary: "the k largest elements along an axis in descending order, and their positions",
        special: "Of equal ones the first; nan is the largest; with `largest=false` the smallest ones in ascending order. \
                  An axis of fewer than k is an error",
        examples: &[
            ("topk([1, 5, 3, 4], 2)[0]", "[5, 4]"),
            ("topk([1, 5, 3, 4], 2)[1]", "[1, 3]"),
            ("topk([1, 5, 3, 4], 2, largest=false)[0]", "[1, 3]"),
        ],
        ..row(
            "topk",
            &[X, Param { name: "k", role: Role::Size, default: None }, AXIS, flag("largest", "true")],
            Class::Reduction,
            Form::Lines(Lines::new(LineArrangement::Along, topk).giving(&[ResultDType::Decided, ResultDType::Place])),
        )
    },
    Op {
        summary: "ranks from 1 along an axis; equal elements share the mean of theirs",
        special: "Nan is the largest and has a rank too",
        examples: &[("rank([30, 10, 20, 20])", "[4.0, 1.0, 2.5, 2.5]")],
        domain: REAL,
        ..row("rank", &[X, AXIS], Class::Rank, Form::Lines(Lines::new(LineArrangement::Along, rank)))
    },
    Op {
        summary: "where values belong in a sorted vector: before how many elements each comes",
        special: "Among equal elements the first place, with `side=\"right\"` the last; nan is the largest; a vector that is \
                  not in order gives some place. With `sorter`, the positions that sort it, it need not be in order",
        examples: &[
            ("searchsorted([1, 3, 5], [0, 3, 6])", "[0, 1, 3]"),
            ("searchsorted([1, 3, 5], 3, side=\"right\")", "2"),
        ],
        domain: REAL,
        ..row(
            "searchsorted",
            &[operand("sorted"), operand("values"), SIDE, option("sorter", "None")],
            Class::Search,
            Form::Lines(
                Lines::new(LineArrangement::Lookup { values: 1, any: false }, searchsorted).words(&["left", "right"]),
            ),
        )
    },
    Op {
        summary: "in which bin each value lies: i where bins[i-1] <= x < bins[i]",
        special: "The bins ascend, or descend: then i where bins[i-1] > x >= bins[i]; with `right=true` the other end belongs to \
                  a bin; outside 0 or the number of bins",
        examples: &[
            ("digitize([0.5, 1.0, 9.0], [2.0, 1.0])", "[2, 1, 0]"),
            ("digitize([0.5, 1.0, 9.0], [1.0, 2.0])", "[0, 1, 2]"),
            ("digitize([1], [1, 2], right=true)", "[0]"),
        ],
        domain: REAL,
        ..row(
            "digitize",
            &[X, operand("bins"), flag("right", "false")],
            Class::Search,
            Form::Lines(Lines::new(LineArrangement::Lookup { values: 0, any: false }, digitize)),
        )
    },
    Op {
        summary: "whether each value is among others",
        special: "Nan is not; integers are compared exactly, with and without a sign. With invert=true it says which are \
                  not",
        examples: &[
            ("isin([1, 2, 5], [2, 5])", "[false, true, true]"),
            ("isin([9223372036854775808u64], [9223372036854775807i64])", "[false]"),
        ],
        domain: REAL,
        ..row(
            "isin",
            &[X, operand("values"), option("invert", "false")],
            Class::Ordering,
            Form::Lines(Lines::new(LineArrangement::Lookup { values: 0, any: true }, isin).of_equals()),
        )
    },
    Op {
        summary: "a line through points, at x",
        special: "`xp` ascends, which is checked; beyond its ends `left` and `right`, by default the first and the last of `fp`; \
                  nan stays. With `period` points are taken modulo that, in any order, and the line goes on from the last \
                  to the first",
        examples: &[
            ("interp([0.0, 9.0], [1.0, 2.0], [10.0, 20.0], left=-1.0, right=nan)", "[-1.0, nan]"),
            ("interp([-10.0, 370.0], [0.0, 180.0], [0.0, 18.0], period=360)", "[1.0, 1.0]"),
            ("interp([1.5, 0.0, 9.0], [1.0, 2.0], [10.0, 20.0])", "[15.0, 10.0, 20.0]"),
        ],
        domain: domain(Class::RealInexact),
        ..row(
            "interp",
            &[
                X,
                operand("xp"),
                operand("fp"),
                option("left", "None"),
                option("right", "None"),
                option("period", "None"),
            ],
            Class::Interpolation,
            Form::Lines(Lines::new(LineArrangement::Lookup { values: 0, any: false }, interp)),
        )
    },
];

fn sort(e: &mut Expand, asked: &mut LineCall) -> Vec<NodeId> {
    vec![sort_elements(e, asked.operands.args[0], asked.options.flags[0])]
}

pub(super) fn sort_elements(e: &mut Expand, x: NodeId, descending: bool) -> NodeId {
    if !descending {
        return e.routine(Routine::Sort, &[x], None);
    }
    // Backwards twice keeps equal elements in order.
    let x = e.backwards(x);
    let x = e.routine(Routine::Sort, &[x], None);
    e.backwards(x)
}

fn argsort(e: &mut Expand, asked: &mut LineCall) -> Vec<NodeId> {
    let (x, descending) = (asked.operands.args[0], asked.options.flags[0]);
    let len = e.line(x);
    vec![e.first_in_order(x, descending, len)]
}

fn topk(e: &mut Expand, asked: &mut LineCall) -> Vec<NodeId> {
    let (x, k, descending) = (asked.operands.args[0], asked.options.sizes[0].clone(), asked.options.flags[0]);
    let at = e.first_in_order(x, descending, k.clone());
    let values = e.along(x, at).unwrap_or_else(|| {
        let line = sort_elements(e, x, descending);
        e.part(line, 0, k)
    });
    vec![values, at]
}

fn rank(e: &mut Expand, asked: &mut LineCall) -> Vec<NodeId> {
    let x = asked.operands.args[0];
    let line = e.routine(Routine::Sort, &[x], None);
    let below = e.routine(Routine::SearchLeft, &[line, x], None);
    let most = e.routine(Routine::SearchRight, &[line, x], None);
    let sum = e.prim(Prim::Add, &[below, most]);
    let sum = e.convert(sum, DType::F64);
    let (half, quarter) = (e.of(DType::F64, 0.5), e.of(DType::F64, 1.0));
    let sum = e.prim(Prim::Add, &[sum, quarter]);
    vec![e.prim(Prim::Mul, &[sum, half])]
}

fn searchsorted(e: &mut Expand, asked: &mut LineCall) -> Vec<NodeId> {
    let routine = if asked.options.words[0] == 0 { Routine::SearchLeft } else { Routine::SearchRight };
    vec![e.routine(routine, &[asked.operands.args[0], asked.operands.args[1]], None)]
}

/// Bins that descend are searched backwards, and counted from their other end.
fn digitize(e: &mut Expand, asked: &mut LineCall) -> Vec<NodeId> {
    let routine = if asked.options.flags[0] { Routine::SearchLeft } else { Routine::SearchRight };
    let (x, bins) = (asked.operands.args[0], asked.operands.args[1]);
    let count = e.line(bins);
    let Some(less) = count.add_scaled(&Dim::Const(1), -1).filter(|_| !matches!(count, Dim::Const(0 | 1))) else {
        return vec![e.routine(routine, &[bins, x], None)];
    };
    let steps_down = |e: &mut Expand, bins: NodeId| {
        let (low, high) = (e.part(bins, 0, less.clone()), e.part(bins, 1, less.clone()));
        (e.prim(Prim::Lt, &[high, low]), low)
    };
    let (down, _) = steps_down(e, bins);
    let falls = e.fold(Fold::Any, down, &[0]);
    let turned = e.backwards(bins);
    let ascending = e.select(falls, turned, bins);
    let (down, value) = steps_down(e, ascending);
    asked.refuse(down, "the bins of `digitize` must ascend or descend: they turn after {value}", value);
    let place = e.routine(routine, &[ascending, x], None);
    let count = e.dim(&count);
    let other = e.sub(count, place);
    vec![e.select(falls, other, place)]
}

fn isin(e: &mut Expand, asked: &mut LineCall) -> Vec<NodeId> {
    let [(_, x), (_, values)] = asked.operands.whole[..] else {
        return vec![among(e, asked.operands.args[0], asked.operands.args[1])];
    };
    // Floats do not hold all integers with and without a sign. In 64 bits each keeps its own dtype; x as one of
    // `values` is that number where the one of the two that has a sign is not below 0.
    let wide = |e: &mut Expand, node| {
        let signed = e.dtype(node).row().kind == Kind::Signed;
        (e.convert(node, if signed { DType::I64 } else { DType::U64 }), signed)
    };
    let ((x, signed), (values, others)) = (wide(e, x), wide(e, values));
    if signed == others {
        return vec![among(e, x, values)];
    }
    let dtype = e.dtype(values);
    let as_value = e.convert(x, dtype);
    let found = among(e, as_value, values);
    let with_sign = if signed { x } else { as_value };
    let zero = e.whole(0);
    let fits = e.prim(Prim::Le, &[zero, with_sign]);
    vec![e.prim(Prim::And, &[found, fits])]
}

/// An element is compared with at most this many values one after the other; among more values it is looked up.
const MAX_COMPARED_VALUES: u64 = 12;

/// Whether each element of a line is among others.
pub(super) fn among(e: &mut Expand, x: NodeId, values: NodeId) -> NodeId {
    if let [Dim::Const(count @ 1..=MAX_COMPARED_VALUES)] = e.shape(values)[..] {
        // A few are compared sooner than one is looked up.
        let one = |e: &mut Expand, at: u64| {
            let value = e.0.slice(values, &[Slice { start: Dim::Const(at), step: 1 }], vec![Dim::Const(1)]);
            e.prim(Prim::Eq, &[x, value])
        };
        let first = one(e, 0);
        return (1..count).fold(first, |found, at| {
            let other = one(e, at);
            e.prim(Prim::Or, &[found, other])
        });
    }
    let line = e.routine(Routine::Sort, &[values], None);
    let below = e.routine(Routine::SearchLeft, &[line, x], None);
    if let [len] = &e.shape(values)[..] {
        // The first that is not below is the value itself, or none is; of no values there is no first.
        let len = len.clone();
        let first = e.0.gather(line, below, 0);
        let found = e.prim(Prim::Eq, &[first, x]);
        if len.known().is_some_and(|len| len > 0) {
            return found;
        }
        let (zero, len) = (e.whole(0), e.dim(&len));
        let some = e.prim(Prim::Lt, &[zero, len]);
        return e.prim(Prim::And, &[found, some]);
    }
    let most = e.routine(Routine::SearchRight, &[line, x], None);
    let found = e.prim(Prim::Lt, &[below, most]);
    let number = e.prim(Prim::Eq, &[x, x]);
    e.prim(Prim::And, &[found, number])
}

/// `slope * (x - xp[i]) + fp[i]` for the last point at or below x, as NumPy writes it.
fn interp(e: &mut Expand, asked: &mut LineCall) -> Vec<NodeId> {
    let wide = |e: &mut Expand, node| if e.dtype(node).is_small_float() { e.convert(node, DType::F32) } else { node };
    let (x, xp, fp) = (asked.operands.args[0], asked.operands.args[1], asked.operands.args[2]);
    let (x, xp, fp) = (wide(e, x), wide(e, xp), wide(e, fp));
    let count = e.line(xp);
    if count.known().is_none_or(|count| count == 0) {
        let (count, zero) = (e.dim(&count), e.whole(0));
        let none = e.prim(Prim::Eq, &[count, zero]);
        asked.refuse(none, "`interp` needs a point, and `xp` has none", count);
    }
    if let Some(less) = count.add_scaled(&Dim::Const(1), -1) {
        let (low, high) = (e.part(xp, 0, less.clone()), e.part(xp, 1, less));
        let rises = e.prim(Prim::Le, &[low, high]);
        let falls = e.not(rises);
        asked.refuse(
            falls,
            "the points of `interp` must ascend: `xp[{place}]` is {value}, and the next one is less or nan",
            low,
        );
    }
    let count = e.dim(&count);
    let (zero, one) = (e.whole(0), e.whole(1));
    let last = e.prim(Prim::Sub, &[count, one]);
    let place = e.routine(Routine::SearchRight, &[xp, x], None);
    let place = e.prim(Prim::Sub, &[place, one]);
    let place = e.prim(Prim::Max, &[place, zero]);
    let place = e.prim(Prim::Min, &[place, last]);
    let next = e.prim(Prim::Add, &[place, one]);
    let next = e.prim(Prim::Min, &[next, last]);
    let (x0, x1, y0, y1) = (e.at(xp, place), e.at(xp, next), e.at(fp, place), e.at(fp, next));
    let (rise, run) = (e.prim(Prim::Sub, &[y1, y0]), e.prim(Prim::Sub, &[x1, x0]));
    let slope = e.prim(Prim::Div, &[rise, run]);
    let from = e.prim(Prim::Sub, &[x, x0]);
    let step = e.prim(Prim::Mul, &[slope, from]);
    let y = e.prim(Prim::Add, &[step, y0]);
    let back = e.prim(Prim::Sub, &[x, x1]);
    let other = e.prim(Prim::Mul, &[slope, back]);
    let other = e.prim(Prim::Add, &[other, y1]);
    // Where an infinite slope makes nan, the other point may not.
    let flat = e.prim(Prim::Eq, &[y0, y1]);
    let missing = e.is_nan(y);
    let y = e.select(missing, other, y);
    let missing = e.is_nan(y);
    let level = e.prim(Prim::And, &[missing, flat]);
    let y = e.select(level, y0, y);
    // At a point, before the first and behind the last: that point.
    let at = e.prim(Prim::Le, &[x, x0]);
    let end = e.prim(Prim::Eq, &[place, last]);
    let there = e.prim(Prim::Or, &[at, end]);
    let y = e.select(there, y0, y);
    let nan = e.is_nan(x);
    vec![e.select(nan, x, y)]
}
