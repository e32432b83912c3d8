//! Counts of elements by place. The place is a label, or a bin between edges.

use super::expand::Expand;
use super::lines::{LineArrangement, LineCall, Lines, ResultDType};
use super::order::flag;
use super::{Form, Op, Param, Role, operand, row, way, written};
use crate::ir::routine::Routine;
use crate::ir::{Fold, NodeId, View};
use crate::promotion::Class;
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim, Kind};

const X: Param = operand("x");
const WEIGHTS: Param = Param { name: "weights", role: Role::Weights, default: Some("None") };
const BINS: Param = Param { name: "bins", role: Role::Bins, default: Some("10") };
const INTERVAL: Param = Param { name: "range", role: Role::Interval, default: Some("None") };
const LABELS: Param = Param { name: "labels", role: Role::Positions, default: None };
const REAL: &[Kind] = &[Kind::Bool, Kind::Unsigned, Kind::Signed, Kind::Float];

const fn size(name: &'static str, default: &'static str) -> Param {
    Param { name, role: Role::Size, default: Some(default) }
}

/// Points counted in cells: `bins` and `range` are pairs. A point that is in none gets a number that is left out.
const CELLS: &str = "{
  let left: _[k] = x  # x of `histogram2d` is a vector
  let right: _[k] = y  # x and y of `histogram2d` are vectors of one length
  let (v, w) = (where(false, right, left), where(false, left, right))
  let (a, b) = (histogram_bin_edges(v, bins[0]$of_x), histogram_bin_edges(w, bins[1]$of_y))
  let (rows, columns) = (a[1:].size, b[1:].size)
  let i = i64(searchsorted(a, v, side=\"right\")) - 1 - i64(v == a[-1])
  let j = i64(searchsorted(b, w, side=\"right\")) - 1 - i64(w == b[-1])
  let inside = (i >= 0) & (i < rows) & (j >= 0) & (j < columns)
  let cell = where(inside, i * columns + j, rows * columns)
  let found = bincount(cell$weighted, length=rows * columns)
  let counts = reshape(astype(found, result_type(found, zeros(1))), (rows, columns))
  let widths = astype(expand_dims(a[1:] - a[:-1], 1), counts.dtype)
  let heights = astype(b[1:] - b[:-1], counts.dtype)
  (where(density, counts / widths / heights / sum(counts), counts), a, b)
}";

const HISTOGRAM_OF_TWO: &str = "histogram2d(x, y, (bins, bins), range=range, density=density, weights=weights)";

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "how many labels are 0, 1, 2, and so on up to the largest",
        special: "How many groups there are is a dimension that only data decides, unless `length` says it: then larger \
                  labels are left out; at least `minlength`; with `weights` the sum of those of each label; a negative \
                  label is an error",
        examples: &[
            ("bincount([0, 2, 2])", "[1, 0, 2]"),
            ("bincount([0, 2, 2], weights=[1.0, 2.0, 4.0])", "[1.0, 0.0, 6.0]"),
            ("bincount([0, 2, 2], length=2)", "[1, 0]"),
        ],
        domain: REAL,
        ..row(
            "bincount",
            &[LABELS, WEIGHTS, size("minlength", "0"), size("length", "None")],
            Class::Weights,
            Form::Lines(Lines::new(LineArrangement::Whole, bincount).counting(1)),
        )
    },
    Op {
        summary: "how many elements lie in each bin, and the edges of the bins",
        special: "`bins` is a number of bins of one width between the ends of `range`, or of the elements, or the edges, which \
                  ascend; a bin holds its lower edge, the last one also its upper edge; elements outside, and nan, are \
                  left out, but without `range` they must be finite; the system says whether counts are integers; `density` divides by the widths and the number",
        examples: &[
            ("histogram([1.0, 2.0, 2.5, 4.0], 3)[0]", "[1.0, 2.0, 1.0]"),
            ("histogram([1.0, 2.0, 2.5, 4.0], 3)[1]", "[1.0, 2.0, 3.0, 4.0]"),
            ("histogram([1.0, 2.0, 9.0], [0.0, 2.0, 4.0])[0]", "[1.0, 1.0]"),
            ("histogram([1.0, 2.0, 9.0], 2, range=(0, 4))[0]", "[1.0, 1.0]"),
        ],
        domain: REAL,
        ..row(
            "histogram",
            &[X, BINS, INTERVAL, flag("density", "false"), WEIGHTS],
            Class::Histogram,
            Form::Lines(
                Lines::new(LineArrangement::Whole, histogram).giving(&[ResultDType::Own, ResultDType::Computed]),
            ),
        )
    },
    Op {
        summary: "the edges of the bins of a histogram",
        special: "As histogram",
        examples: &[("histogram_bin_edges([1.0, 2.0, 2.5, 4.0], 3)", "[1.0, 2.0, 3.0, 4.0]")],
        domain: REAL,
        ..row(
            "histogram_bin_edges",
            &[X, BINS, INTERVAL],
            Class::Histogram,
            Form::Lines(
                Lines::new(LineArrangement::Whole, |e, asked| vec![Bins::of(e, asked).edges])
                    .giving(&[ResultDType::Computed]),
            ),
        )
    },
    Op {
        summary: "how many points lie in each cell of a grid, and the edges of its bins along both axes",
        special: "x and y are the coordinates; the first axis of the counts, which are floats, is that of x. `bins` is \
                  a number, or edges, of which there are three or more, for both axes, or a pair of these in a tuple, \
                  `range` a pair of pairs. The rest is as in histogram",
        examples: &[
            ("histogram2d([1.0, 2.0, 2.5], [5.0, 5.0, 9.0], 2)[0]", "[[1.0, 0.0], [1.0, 1.0]]"),
            ("histogram2d([1.0, 3.0], [5.0, 9.0], ([0.0, 2.0, 4.0], 1))[0]", "[[1.0], [1.0]]"),
        ],
        ..written(
            "histogram2d",
            &[X, operand("y"), BINS, INTERVAL, flag("density", "false"), WEIGHTS],
            &[
                way(
                    "x, y, range?, density?, weights?",
                    "histogram2d(x, y, (10, 10), range=range, density=density, weights=weights)",
                ),
                way("x, y, bins[.], range?, density?, weights?", HISTOGRAM_OF_TWO),
                way(
                    "x, y, bins[], range?, density?, weights?",
                    "{
  assert bins.size > 2  # two numbers of bins are a tuple, `bins=(m, n)`, and one bin has edges in one: `bins=(a, b)`
  histogram2d(x, y, (bins, bins), density=density, weights=weights)
}",
                ),
                way(
                    "x, y, bins[,], range?, density?, weights?",
                    "histogram2d(x, y, (bins[0], bins[1]), density=density, weights=weights)",
                ),
                way("x, y, bins, density?", CELLS).with(&[("of_x", ""), ("of_y", ""), ("weighted", "")]),
                way("x, y, bins, range, density?", CELLS).with(&[
                    ("of_x", ", range=range[0]"),
                    ("of_y", ", range=range[1]"),
                    ("weighted", ""),
                ]),
                way("x, y, bins, weights, density?", CELLS).with(&[
                    ("of_x", ""),
                    ("of_y", ""),
                    ("weighted", ", weights=astype(weights, result_type(weights, zeros(1)))"),
                ]),
                way("x, y, bins, range, weights, density?", CELLS).with(&[
                    ("of_x", ", range=range[0]"),
                    ("of_y", ", range=range[1]"),
                    ("weighted", ", weights=astype(weights, result_type(weights, zeros(1)))"),
                ]),
            ],
        )
    },
];

fn bincount(e: &mut Expand, asked: &mut LineCall) -> Vec<NodeId> {
    let labels = countable(e, asked.operands.positions[0]);
    let zero = e.integer(e.dtype(labels), 0);
    let below = e.prim(Prim::Lt, &[labels, zero]);
    asked.refuse(below, "the label {value} at [{place}] is negative; groups are counted from 0", labels);
    // Labels of one byte are at most 255.
    let most = e.dtype(e.0.wider_integers(labels).unwrap_or(labels)).integer_range().map(|(_, most)| most);
    let least = asked.options.sizes[0].clone();
    let has_all = least.known().zip(most).is_some_and(|(least, most)| i128::from(least) > most);
    let groups = match asked.options.sizes.get(1).cloned() {
        Some(length) => length,
        None if has_all => least,
        None => {
            let largest = largest(e, labels);
            let largest = e.convert(largest, DType::I64);
            // What no memory holds stays what no memory holds.
            let (most, one) = (e.whole(1 << 62), e.whole(1));
            let largest = e.prim(Prim::Min, &[largest, most]);
            let count = e.prim(Prim::Add, &[largest, one]);
            let least = e.dim(&least);
            let count = e.prim(Prim::Max, &[count, least]);
            asked.length(e, count)
        }
    };
    vec![counted(e, labels, asked.operands.weights, groups)]
}

/// Labels as they are counted: those that had at most 32 bits before they became positions are `i32`, which is half to
/// read.
fn countable(e: &mut Expand, labels: NodeId) -> NodeId {
    let Some(own) = e.0.wider_integers(labels) else { return labels };
    let fits = |dtype: DType| dtype.integer_range().zip(DType::I32.integer_range());
    let is_narrow = fits(e.dtype(own)).is_some_and(|((low, high), (least, most))| least <= low && high <= most);
    if is_narrow { e.convert(own, DType::I32) } else { labels }
}

/// How many labels are each group, or the sums of the weights of these.
fn counted(e: &mut Expand, labels: NodeId, weights: Option<NodeId>, groups: Dim) -> NodeId {
    let Some(weights) = weights else { return e.routine(Routine::Count, &[labels], Some(groups)) };
    let labels = e.convert(labels, DType::I64);
    let sums = |e: &mut Expand, x: NodeId| {
        let wide = if e.dtype(x).is_small_float() { e.convert(x, DType::F32) } else { x };
        let sums = e.routine(Routine::Segment(Fold::Sum), &[wide, labels], Some(groups.clone()));
        e.convert(sums, e.dtype(x))
    };
    if !e.dtype(weights).is_complex() {
        return sums(e, weights);
    }
    let shape = e.shape(weights);
    let (re, im) = e.parts(weights);
    let (re, im) = (e.broadcast(re, &shape), e.broadcast(im, &shape));
    let (re, im) = (sums(e, re), sums(e, im));
    e.pair(re, im)
}

/// The largest of a line of labels; of nothing -1.
fn largest(e: &mut Expand, labels: NodeId) -> NodeId {
    let none = e.integer(e.dtype(labels), -1);
    match e.line(labels).known() {
        Some(0) => none,
        Some(_) => e.fold(Fold::Max, labels, &[0]),
        None => {
            let none = e.view(none, View::Reshape, vec![Dim::Const(1)]);
            let all = e.0.concat(&[labels, none], 0);
            e.fold(Fold::Max, all, &[0])
        }
    }
}

/// Bins, and the bin of each element: -1 or more than there are where it is in none.
struct Bins {
    edges: NodeId,
    labels: NodeId,
    count: Dim,
}

impl Bins {
    fn of(e: &mut Expand, asked: &mut LineCall) -> Bins {
        let wide =
            |e: &mut Expand, node| if e.dtype(node).is_small_float() { e.convert(node, DType::F32) } else { node };
        let x = wide(e, asked.operands.args[0]);
        match asked.operands.args.get(1) {
            Some(&edges) => {
                let edges = wide(e, edges);
                Bins::between(e, asked, x, edges)
            }
            None => Bins::even(e, asked, x),
        }
    }

    /// Bins between edges.
    fn between(e: &mut Expand, asked: &mut LineCall, x: NodeId, edges: NodeId) -> Bins {
        let count = e.line(edges).add_scaled(&Dim::Const(1), -1).unwrap_or(Dim::Const(0));
        let (low, high) = (e.part(edges, 0, count.clone()), e.part(edges, 1, count.clone()));
        let rises = e.prim(Prim::Le, &[low, high]);
        let falls = e.not(rises);
        asked.refuse(
            falls,
            "the edges of bins must ascend: `bins[{place}]` is {value}, and the next one is less or nan",
            low,
        );
        let one = e.whole(1);
        let bins = e.dim(&count);
        let above = e.routine(Routine::SearchRight, &[edges, x], None);
        let place = e.prim(Prim::Sub, &[above, one]);
        // The last edge belongs to the last bin.
        let end = e.view(bins, View::Reshape, vec![Dim::Const(1)]);
        let end = e.at(edges, end);
        let last = e.prim(Prim::Sub, &[bins, one]);
        let at_end = e.prim(Prim::Eq, &[x, end]);
        let labels = e.select(at_end, last, place);
        Bins { edges, labels, count }
    }

    /// Bins of one width.
    fn even(e: &mut Expand, asked: &mut LineCall, x: NodeId) -> Bins {
        let dtype = e.dtype(x);
        let count = asked.options.sizes[0].clone();
        let (low, high) = ends(e, asked, x);
        // Few places are whole floats, so that nothing is converted until the end.
        let few = count.known().is_some_and(|count| count < 1 << 24);
        let whole = if few { dtype } else { DType::I64 };
        let bins = e.dim(&count);
        let bins = e.convert(bins, whole);
        let bins_float = e.convert(bins, dtype);
        let width = e.prim(Prim::Sub, &[high, low]);
        let step = e.prim(Prim::Div, &[width, bins_float]);
        let edge = |e: &mut Expand, place: NodeId| {
            let place = e.convert(place, dtype);
            let way = e.prim(Prim::Mul, &[place, step]);
            e.prim(Prim::Add, &[way, low])
        };
        let len = count.add_scaled(&Dim::Const(1), 1).unwrap_or(Dim::Const(1));
        let places = e.0.iota(0, vec![len]);
        let places = e.convert(places, whole);
        let end = e.prim(Prim::Eq, &[places, bins]);
        let inner = edge(e, places);
        let edges = e.select(end, high, inner);
        // Where edges ascend, a place found by a product is at most one beside the place that the edges say. So is a
        // place found by a quotient, where a float can barely count the bins.
        let number = |e: &mut Expand, number: i64| {
            let number = e.whole(number);
            e.convert(number, whole)
        };
        let (zero, one) = (number(e, 0), number(e, 1));
        let last = e.prim(Prim::Sub, &[bins, one]);
        let from = e.prim(Prim::Sub, &[x, low]);
        let place = if count.known().is_some_and(|count| count < 1 << 22) {
            let (from, width) = moderate(e, from, width);
            let density = e.prim(Prim::Div, &[bins_float, width]);
            e.prim(Prim::Mul, &[from, density])
        } else {
            let share = e.prim(Prim::Div, &[from, width]);
            e.prim(Prim::Mul, &[share, bins_float])
        };
        // Of bins without a width it is nan, and the first edges say where it belongs.
        let place = if few { e.prim(Prim::Trunc, &[place]) } else { e.convert(place, whole) };
        let behind = e.prim(Prim::Lt, &[zero, place]);
        let place = e.select(behind, place, zero);
        let own = edge(e, place);
        let below = e.prim(Prim::Lt, &[x, own]);
        let less = e.prim(Prim::Sub, &[place, one]);
        let more = e.prim(Prim::Add, &[place, one]);
        let next = edge(e, more);
        let above = e.prim(Prim::Le, &[next, x]);
        let place = e.select(above, more, place);
        let place = e.select(below, less, place);
        // The last bin has the elements at its upper edge.
        let within = e.prim(Prim::Lt, &[place, last]);
        let mut labels = e.select(within, place, last);
        // Elements lie between ends that are their own.
        if asked.operands.interval.is_some() {
            let (after, before) = (e.prim(Prim::Le, &[low, x]), e.prim(Prim::Le, &[x, high]));
            let (inside, none) = (e.prim(Prim::And, &[after, before]), number(e, -1));
            labels = e.select(inside, labels, none);
        }
        let labels = e.convert(labels, if few { DType::I32 } else { DType::I64 });
        let shape = e.shape(x);
        Bins { edges, labels: e.broadcast(labels, &shape), count }
    }
}

/// Distances and the width of all bins, both by one power of two nearer to 1 where the width is so small or so large
/// that a number divided by it is not.
fn moderate(e: &mut Expand, from: NodeId, width: NodeId) -> (NodeId, NodeId) {
    let far = e.dtype(width).largest_part().log2().round() / 2.0;
    let power = |e: &mut Expand, exponent: f64| e.number(width, exponent.exp2());
    let (small, large, one) = (power(e, 4.0 - far), power(e, far - 4.0), power(e, 0.0));
    let (up, down) = (power(e, far), power(e, -far));
    let is_small = e.prim(Prim::Lt, &[width, small]);
    let is_large = e.prim(Prim::Lt, &[large, width]);
    let scale = e.select(is_large, down, one);
    let scale = e.select(is_small, up, scale);
    (e.prim(Prim::Mul, &[from, scale]), e.prim(Prim::Mul, &[width, scale]))
}

/// The two ends between which bins lie: those given, or of the elements; half beside the one where both are the same.
fn ends(e: &mut Expand, asked: &mut LineCall, x: NodeId) -> (NodeId, NodeId) {
    let dtype = e.dtype(x);
    let (low, high) = match asked.operands.interval {
        Some([low, high]) => {
            let (low, high) = (e.convert(low, dtype), e.convert(high, dtype));
            let rises = e.prim(Prim::Le, &[low, high]);
            let falls = e.not(rises);
            asked.refuse(falls, "the `range` of a histogram ascends: {value} is its lower end, not the upper one", low);
            (low, high)
        }
        None => extremes(e, x),
    };
    let width = e.prim(Prim::Sub, &[high, low]);
    let finite = e.prim(Prim::Sub, &[width, width]);
    let broken = e.is_nan(finite);
    let from_low = e.prim(Prim::Sub, &[low, low]);
    let from_low = e.is_nan(from_low);
    let far = e.select(from_low, low, high);
    asked.refuse(
        broken,
        "no bins of a finite width reach {value}; `range=(low, high)` says which elements are counted",
        far,
    );
    let same = e.prim(Prim::Eq, &[low, high]);
    let half = e.number(low, 0.5);
    let (below, above) = (e.prim(Prim::Sub, &[low, half]), e.prim(Prim::Add, &[high, half]));
    (e.select(same, below, low), e.select(same, above, high))
}

/// The smallest and the largest element; of nothing 0 and 1.
fn extremes(e: &mut Expand, x: NodeId) -> (NodeId, NodeId) {
    let len = e.line(x);
    if len.known().is_some_and(|len| len > 0) {
        let own = e.0.rounded_integers(x).unwrap_or(x);
        let [low, high] = [Fold::Min, Fold::Max].map(|fold| e.fold(fold, own, &[0]));
        return (e.convert(low, e.dtype(x)), e.convert(high, e.dtype(x)));
    }
    // The first element once more, which is 0 where there is none.
    let zero = e.whole(0);
    let zero = e.view(zero, View::Reshape, vec![Dim::Const(1)]);
    let first = e.at(x, zero);
    let all = e.0.concat(&[x, first], 0);
    let (low, high) = (e.fold(Fold::Min, all, &[0]), e.fold(Fold::Max, all, &[0]));
    let (count, none, one) = (e.dim(&len), e.whole(0), e.number(high, 1.0));
    let empty = e.prim(Prim::Eq, &[count, none]);
    (low, e.select(empty, one, high))
}

fn histogram(e: &mut Expand, asked: &mut LineCall) -> Vec<NodeId> {
    let Bins { edges, labels, count } = Bins::of(e, asked);
    let counts = counted(e, labels, asked.operands.weights, count.clone());
    let (low, high) = (e.part(edges, 0, count.clone()), e.part(edges, 1, count));
    let counts = match (asked.options.flags[0], asked.operands.weights) {
        (true, _) => {
            let dense = density(e, asked, counts);
            let width = e.prim(Prim::Sub, &[high, low]);
            let within = e.convert(counts, dense.computed_in());
            let total = e.fold(Fold::Sum, within, &[0]);
            let width = e.convert(width, e.dtype(within));
            let quotient = e.div(within, width);
            let quotient = e.div(quotient, total);
            e.convert(quotient, dense)
        }
        (false, Some(_)) => counts,
        (false, None) => e.convert(counts, asked.decided),
    };
    vec![counts, edges]
}

/// The dtype of counts that are divided: where these are integers `f64`, else that of the weights if there are any.
fn density(e: &Expand, asked: &LineCall, counts: NodeId) -> DType {
    let dense = match asked.operands.weights {
        _ if asked.decided.is_integer() => DType::F64,
        Some(_) => e.dtype(counts),
        None => asked.decided,
    };
    if e.dtype(counts).is_complex() { dense.complex() } else { dense }
}
