//! Order statistics: medians and quantiles.
//!
//! The elements at places of the order are selected; a quantile lies between two neighbours, by one of the methods that
//! NumPy names. What is not a number comes last and makes the result one, unless it is left out.

use super::expand::Expand;
use super::lines::{LineArrangement, LineCall, Lines};
use super::reduce::{AXES, KEEP};
use super::{Form, Op, Param, Role, domain, operand, row};
use crate::ir::routine::Routine;
use crate::ir::{Fold, NodeId, NodeKind, View};
use crate::promotion::Class;
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim, Shape};

const X: Param = operand("x");
const Q: Param = Param { name: "q", role: Role::Fractions, default: None };
const METHOD: Param = Param { name: "method", role: Role::Text, default: Some("\"linear\"") };

/// How two neighbours become one number.
const METHODS: &[&str] = &[
    "linear",
    "lower",
    "higher",
    "nearest",
    "midpoint",
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
    "interpolated_inverted_cdf",
    "hazen",
    "weibull",
    "median_unbiased",
    "normal_unbiased",
];

/// The methods that take one of the two neighbours.
const PICKING: &[&str] = &["lower", "higher", "nearest", "inverted_cdf", "closest_observation"];

const fn statistic(
    name: &'static str,
    params: &'static [Param],
    expand: fn(&mut Expand, &mut LineCall) -> Vec<NodeId>,
) -> Op {
    let lines = Lines::new(LineArrangement::Reduce, expand).words(METHODS).picking(PICKING);
    Op { domain: domain(Class::RealInexact), ..row(name, params, Class::Quantile, Form::Lines(lines)) }
}

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "the middle element in order over axes, or the mean of the two in the middle",
        special: "Of nothing nan, and nan if there is one",
        examples: &[("median([3, 1, 2])", "2.0"), ("median([[1.0, 4.0], [2.0, 8.0]], axis=1)", "[2.5, 5.0]")],
        ..statistic("median", &[X, AXES, KEEP], |e, asked| vec![median(e, asked, Nans::Kept)])
    },
    Op {
        summary: "quantiles over axes: where the share q of the elements lies below",
        special: "Q is a number or several, whose axis comes first; `method` is \"linear\" or another of NumPy's thirteen; of \
                  nothing nan, and nan if there is one. Under `numpy` a method that picks an element, such as \"lower\", \
                  keeps its dtype, and so do the integers 0 and 1 with \"linear\"; then nothing has no quantile of \
                  integers",
        examples: &[
            ("quantile([1, 2, 3, 4], 0.5)", "2.5"),
            ("quantile([1.0, 2.0, 4.0], [0.0, 1.0])", "[1.0, 4.0]"),
            ("quantile([1, 2, 3, 4], 0.4, method=\"lower\")", "2.0"),
        ],
        ..statistic("quantile", &[X, Q, AXES, METHOD, KEEP], |e, asked| vec![quantile(e, asked, 1.0, Nans::Kept)])
    },
    Op {
        summary: "percentiles over axes: quantiles whose q goes to 100",
        special: "As quantile",
        examples: &[("percentile([1, 2, 3, 4, 5], 25)", "2.0")],
        ..statistic("percentile", &[X, Q, AXES, METHOD, KEEP], |e, asked| vec![quantile(e, asked, 100.0, Nans::Kept)])
    },
    Op {
        summary: "the median of what is a number",
        special: "Of nothing nan",
        examples: &[("nanmedian([3.0, nan, 1.0])", "2.0")],
        ..statistic("nanmedian", &[X, AXES, KEEP], |e, asked| vec![median(e, asked, Nans::LeftOut)])
    },
    Op {
        summary: "quantiles of what is a number",
        special: "As quantile; of nothing nan",
        examples: &[("nanquantile([3.0, nan, 1.0], 0.5)", "2.0")],
        ..statistic("nanquantile", &[X, Q, AXES, METHOD, KEEP], |e, asked| vec![quantile(e, asked, 1.0, Nans::LeftOut)])
    },
    Op {
        summary: "percentiles of what is a number",
        special: "As nanquantile",
        examples: &[("nanpercentile([3.0, nan, 1.0], 50)", "2.0")],
        ..statistic("nanpercentile", &[X, Q, AXES, METHOD, KEEP], |e, asked| {
            vec![quantile(e, asked, 100.0, Nans::LeftOut)]
        })
    },
];

/// What becomes of elements that are no numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nans {
    Kept,
    LeftOut,
}

/// The lines that a statistic is of.
struct Sample {
    x: NodeId,
    /// How many elements count, as `i64`: of each line where what is no number is left out.
    count: NodeId,
    nans: Nans,
}

impl Sample {
    fn of(e: &mut Expand, x: NodeId, nans: Nans) -> Sample {
        let x = if e.dtype(x).is_small_float() { e.convert(x, DType::F32) } else { x };
        if nans == Nans::Kept {
            let len = e.line(x);
            return Sample { x, count: e.dim(&len), nans };
        }
        let axis = e.shape(x).len() - 1;
        let numbers = e.prim(Prim::Eq, &[x, x]);
        let numbers = e.convert(numbers, DType::I64);
        Sample { x, count: e.fold_keeping(Fold::Sum, numbers, &[axis]), nans }
    }

    /// The elements that have these places in the order of their lines, and where the result is not a number. A place
    /// is a scalar, or a line for all lines, or one for each.
    fn ranked(&self, e: &mut Expand, places: [NodeId; 2]) -> ([NodeId; 2], NodeId) {
        let zero = e.whole(0);
        let nothing = e.prim(Prim::Eq, &[self.count, zero]);
        let mut places = places.to_vec();
        if self.nans == Nans::Kept {
            // What is not a number is the last.
            let one = e.whole(1);
            let last = e.prim(Prim::Sub, &[self.count, one]);
            let last = e.prim(Prim::Max, &[last, zero]);
            places.push(e.view(last, View::Reshape, vec![Dim::Const(1)]));
        }
        let mut lines = e.shape(self.x);
        lines.pop();
        let shapes: Vec<Shape> = places.iter().map(|&place| e.shape(place)).collect();
        let lengths: Vec<Dim> = shapes.iter().map(|shape| shape.last().cloned().unwrap_or(Dim::Const(1))).collect();
        let wanted = |len: &Dim| lines.iter().cloned().chain([len.clone()]).collect::<Shape>();
        let parts: Vec<NodeId> =
            places.iter().zip(&lengths).map(|(&place, len)| e.broadcast(place, &wanted(len))).collect();
        let all = e.0.concat(&parts, lines.len());
        let line = before_floats(e, self.x).unwrap_or(self.x);
        let found = e.routine(Routine::Ranks, &[line, all], None);
        let found = e.convert(found, e.dtype(self.x));
        let mut from = Dim::Const(0);
        let mut parts = Vec::new();
        for (len, shape) in lengths.into_iter().zip(&shapes) {
            let part = e.piece(found, from.clone(), len.clone());
            parts.push(if shape.is_empty() { e.view(part, View::Reshape, lines.clone()) } else { part });
            from = from.add_scaled(&len, 1).expect("the lengths were added");
        }
        let none = match parts.get(2) {
            Some(&last) => {
                let nan = e.is_nan(last);
                e.prim(Prim::Or, &[nan, nothing])
            }
            None => nothing,
        };
        ([parts[0], parts[1]], none)
    }
}

/// What became floats, if it was integers of four or eight bytes: they have the same order, which is found sooner.
fn before_floats(e: &Expand, x: NodeId) -> Option<NodeId> {
    let NodeKind::Map(Prim::Convert, args) = &e.0.program().node(x).kind else { return None };
    let from = args[0]?;
    let is_word = e.dtype(from).is_integer() && e.dtype(from).size() >= 4;
    (is_word && e.dtype(x).is_float() && e.shape(from) == e.shape(x)).then_some(from)
}

/// `i64` positions in a line: one of its own if they are a scalar.
fn as_line(e: &mut Expand, x: NodeId) -> NodeId {
    if e.shape(x).is_empty() { e.view(x, View::Reshape, vec![Dim::Const(1)]) } else { x }
}

fn nothing(e: &mut Expand, none: NodeId, value: NodeId) -> NodeId {
    let nan = e.number(value, f64::NAN);
    e.select(none, nan, value)
}

fn median(e: &mut Expand, asked: &mut LineCall, nans: Nans) -> NodeId {
    middle_of(e, asked.operands.args[0], nans)
}

/// The median of each line along the last axis, which stays with length 1; nan if there is one.
pub(super) fn middle(e: &mut Expand, x: NodeId) -> NodeId {
    middle_of(e, x, Nans::Kept)
}

fn middle_of(e: &mut Expand, x: NodeId, nans: Nans) -> NodeId {
    let sample = Sample::of(e, x, nans);
    let count = sample.count;
    let (zero, one, two) = (e.whole(0), e.whole(1), e.whole(2));
    let last = e.prim(Prim::Sub, &[count, one]);
    let last = e.prim(Prim::Max, &[last, zero]);
    let (low, high) = (e.prim(Prim::FloorDiv, &[last, two]), e.prim(Prim::FloorDiv, &[count, two]));
    let single = e.prim(Prim::Eq, &[low, high]);
    let (low, high) = (as_line(e, low), as_line(e, high));
    let ([low, high], none) = sample.ranked(e, [low, high]);
    let sum = e.prim(Prim::Add, &[low, high]);
    let two = e.number(sum, 2.0);
    let mean = e.prim(Prim::Div, &[sum, two]);
    let middle = e.select(single, low, mean);
    nothing(e, none, middle)
}

fn quantile(e: &mut Expand, asked: &mut LineCall, scale: f64, nans: Nans) -> NodeId {
    let method = METHODS[asked.options.words[0]];
    let q = asked.operands.fractions.expect("the parameter is required");
    let (zero, most) = (e.of(DType::F64, 0.0), e.of(DType::F64, scale));
    let (low, high) = (e.prim(Prim::Le, &[zero, q]), e.prim(Prim::Le, &[q, most]));
    let inside = e.prim(Prim::And, &[low, high]);
    let outside = e.not(inside);
    let text = if scale > 1.0 { "`q` is {value}, outside of [0, 100]" } else { "`q` is {value}, outside of [0, 1]" };
    asked.refuse(outside, text, q);
    let q = e.select(inside, q, zero);
    let q = e.prim(Prim::Div, &[q, most]);
    let sample = Sample::of(e, asked.operands.args[0], nans);
    let n = e.convert(sample.count, DType::F64);
    let (place, share) = between(e, method, n, q);
    // Before the first and behind the last there is only that one.
    let one = e.of(DType::F64, 1.0);
    let last = e.prim(Prim::Sub, &[n, one]);
    let last = e.prim(Prim::Max, &[last, zero]);
    let inside = |e: &mut Expand, at: NodeId| {
        let at = e.prim(Prim::Max, &[at, zero]);
        let at = e.prim(Prim::Min, &[at, last]);
        e.convert(at, DType::I64)
    };
    let next = e.prim(Prim::Add, &[place, one]);
    let (below, above) = (inside(e, place), inside(e, next));
    let ([low, high], none) = sample.ranked(e, [below, above]);
    let value = match PICKING.contains(&method) {
        true => low,
        false => {
            let share = e.convert(share, e.dtype(low));
            mixed(e, low, high, share)
        }
    };
    if e.dtype(value).is_float() {
        return nothing(e, none, value);
    }
    let zero = e.whole(0);
    let empty = e.prim(Prim::Eq, &[sample.count, zero]);
    asked.refuse(empty, "a quantile of nothing has no value: there are {value} elements", sample.count);
    value
}

/// `low + (high - low) * share`, from the nearer end, and exact where both are equal.
fn mixed(e: &mut Expand, low: NodeId, high: NodeId, share: NodeId) -> NodeId {
    let gap = e.prim(Prim::Sub, &[high, low]);
    let step = e.prim(Prim::Mul, &[gap, share]);
    let up = e.prim(Prim::Add, &[low, step]);
    let (one, half) = (e.number(share, 1.0), e.number(share, 0.5));
    let rest = e.prim(Prim::Sub, &[one, share]);
    let step = e.prim(Prim::Mul, &[gap, rest]);
    let down = e.prim(Prim::Sub, &[high, step]);
    let far = e.prim(Prim::Le, &[half, share]);
    let value = e.select(far, down, up);
    let same = e.prim(Prim::Eq, &[low, high]);
    let value = e.select(same, low, value);
    // The ends are elements, also beside infinities.
    let (zero, one) = (e.number(share, 0.0), e.number(share, 1.0));
    let (first, second) = (e.prim(Prim::Eq, &[share, zero]), e.prim(Prim::Eq, &[share, one]));
    let value = e.select(first, low, value);
    e.select(second, high, value)
}

/// The position below, and how far on the way to the next one the quantile is: what each method says of `n` elements.
fn between(e: &mut Expand, method: &str, n: NodeId, q: NodeId) -> (NodeId, NodeId) {
    let number = |e: &mut Expand, value: f64| e.of(DType::F64, value);
    let (zero, one, half) = (number(e, 0.0), number(e, 1.0), number(e, 0.5));
    let last = e.prim(Prim::Sub, &[n, one]);
    let linear = e.prim(Prim::Mul, &[last, q]);
    let share = |e: &mut Expand, at: NodeId| {
        let floor = e.prim(Prim::Floor, &[at]);
        (floor, e.prim(Prim::Sub, &[at, floor]))
    };
    let nq = e.prim(Prim::Mul, &[n, q]);
    let cdf = e.prim(Prim::Sub, &[nq, one]);
    // `n*q + (alpha + q*(1 - alpha - beta)) - 1`
    let spread = |e: &mut Expand, alpha: f64, beta: f64| {
        let (rest, alpha) = (number(e, 1.0 - alpha - beta), number(e, alpha));
        let shift = e.prim(Prim::Mul, &[q, rest]);
        let shift = e.prim(Prim::Add, &[alpha, shift]);
        let at = e.prim(Prim::Add, &[nq, shift]);
        let at = e.prim(Prim::Sub, &[at, one]);
        share(e, at)
    };
    match method {
        "lower" => (e.prim(Prim::Floor, &[linear]), zero),
        "higher" => (e.prim(Prim::Ceil, &[linear]), zero),
        "nearest" => (e.prim(Prim::Round, &[linear]), zero),
        "midpoint" => {
            let (floor, rest) = share(e, linear);
            let whole = e.prim(Prim::Eq, &[rest, zero]);
            (floor, e.select(whole, zero, half))
        }
        "inverted_cdf" => (e.prim(Prim::Ceil, &[cdf]), zero),
        "averaged_inverted_cdf" => {
            let (floor, rest) = share(e, cdf);
            let whole = e.prim(Prim::Eq, &[rest, zero]);
            (floor, e.select(whole, half, one))
        }
        "closest_observation" => {
            let at = e.prim(Prim::Sub, &[cdf, half]);
            let (floor, rest) = share(e, at);
            let two = number(e, 2.0);
            let odd = e.prim(Prim::Rem, &[floor, two]);
            let (whole, odd) = (e.prim(Prim::Eq, &[rest, zero]), e.prim(Prim::Eq, &[odd, one]));
            let stays = e.prim(Prim::And, &[whole, odd]);
            let next = e.prim(Prim::Add, &[floor, one]);
            (e.select(stays, floor, next), zero)
        }
        "interpolated_inverted_cdf" => spread(e, 0.0, 1.0),
        "hazen" => spread(e, 0.5, 0.5),
        "weibull" => spread(e, 0.0, 0.0),
        "median_unbiased" => spread(e, 1.0 / 3.0, 1.0 / 3.0),
        "normal_unbiased" => spread(e, 3.0 / 8.0, 3.0 / 8.0),
        _ => share(e, linear),
    }
}
