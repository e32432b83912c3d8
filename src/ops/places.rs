//! Elements at places. They are taken from there, and put there.
//!
//! A value is never changed: what puts elements somewhere gives an array of its own.

use super::expand::Expand;
use super::lines::{LineArrangement, LineCall, Lines};
use super::{ANY, Form, Op, Param, Role, operand, row, way, written};
use crate::ir::routine::Routine;
use crate::ir::{Fold, NodeId, Slice, View};
use crate::promotion::Class;
use crate::scalar::prim::Prim;
use crate::types::{DType, Dim, Kind};

/// What happens at places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Places {
    /// Elements of each line are taken.
    TakeAlong,
    /// Elements of each line are replaced.
    PutAlong,
    /// Values are combined with the elements along the first axes, all of them, one after the other.
    Combine(Fold),
}

const X: Param = operand("x");
const INDICES: Param = Param { name: "indices", role: Role::Positions, default: None };
const VALUES: Param = operand("values");
const AXIS: Param = Param { name: "axis", role: Role::Axis, default: Some("-1") };
const REAL: &[Kind] = &[Kind::Bool, Kind::Unsigned, Kind::Signed, Kind::Float];

const fn found(name: &'static str, expand: fn(&mut Expand, &mut LineCall) -> Vec<NodeId>) -> Op {
    let lines = Lines::new(LineArrangement::Whole, expand).counting(1);
    Op { domain: ANY, ..row(name, &[X], Class::Count, Form::Lines(lines)) }
}

const fn combined(name: &'static str, fold: Fold) -> Op {
    row(name, &[X, INDICES, VALUES], Class::Selection, Form::Places(Places::Combine(fold)))
}

/// Positions along each axis, and how many elements a step along it passes.
const COUNTED: &str = "{
  let parts = $parts
  assert isdtype(parts.dtype, \"integral\")  # positions of `ravel_multi_index` are integers
  let lengths = i64(ravel(dims))
  assert parts.shape[0] == lengths.size  # `ravel_multi_index` takes positions along each axis of the shape
  let steps = flip(cumprod(concat([ones(1, dtype=i64), flip(lengths[1:])])))
  let most = where(lengths < 1, lengths, 1).dtype.max // where(lengths < 1, 1, lengths)
  assert all(steps <= most)  # the shape of `ravel_multi_index` has more elements than are counted
  let sizes = along(lengths, parts, 0)
  let cells = $cells
  assert all((cells >= 0) & (cells < sizes))  # a position of `ravel_multi_index` is outside of the shape
  sum(cells * along(steps, cells, 0), axis=0)
}";

/// Positions in arrays that broadcast.
const STACKED: &str = "stack(broadcast_arrays(indices))";

/// Positions along the first axis of an array, by what is done with those outside.
const RAISED: &[(&str, &str)] = &[("parts", "indices"), ("cells", "i64(parts)")];
const WRAPPED: &[(&str, &str)] = &[("parts", "indices"), ("cells", "i64(parts) % sizes")];
const CLIPPED: &[(&str, &str)] = &[("parts", "indices"), ("cells", "clip(i64(parts), 0, sizes - 1)")];

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "where elements are not zero: for each axis a vector of positions, in a tuple",
        special: "In C order; how many there are is a dimension that only data decides; nan is not zero",
        examples: &[("nonzero([3, 0, 5])[0]", "[0, 2]"), ("nonzero([[0, 1], [2, 0]])[1]", "[1, 0]")],
        ..found("nonzero", |e, asked| {
            let (place, shape) = positions(e, asked);
            asked.results.tuple = true;
            (0..shape.len()).map(|axis| along_axis(e, place, &shape, axis)).collect()
        })
    },
    Op {
        summary: "where elements are not zero, counted through all elements in C order",
        special: "As nonzero",
        examples: &[("flatnonzero([[0, 1], [2, 0]])", "[1, 2]")],
        ..found("flatnonzero", |e, asked| vec![positions(e, asked).0])
    },
    Op {
        summary: "where elements are not zero: a row of positions for each",
        special: "As nonzero; a scalar has no axes, and its rows are empty",
        examples: &[("argwhere([[0, 1], [2, 0]])", "[[0, 1], [1, 0]]")],
        ..found("argwhere", |e, asked| {
            let (place, shape) = positions(e, asked);
            let len = e.line(place);
            let columns: Vec<NodeId> = (0..shape.len())
                .map(|axis| {
                    let column = along_axis(e, place, &shape, axis);
                    e.view(column, View::Reshape, vec![len.clone(), Dim::Const(1)])
                })
                .collect();
            vec![match columns.is_empty() {
                // A scalar has no axes, so its rows are empty.
                true => {
                    let column = e.view(place, View::Reshape, vec![len.clone(), Dim::Const(1)]);
                    e.0.slice(column, &[Slice::all(), Slice::all()], vec![len, Dim::Const(0)])
                }
                false => e.0.concat(&columns, 1),
            }]
        })
    },
    Op {
        summary: "elements at positions along an axis, each line at its own",
        special: "`indices` has as many axes as x, and its lines are as long as those of the result; the other axes \
                  broadcast; negative positions count from the end, and one outside is an error",
        examples: &[
            ("take_along_axis([[30, 10], [20, 40]], [[1, 0], [0, 1]])", "[[10, 30], [20, 40]]"),
            ("take_along_axis([[3, 1], [2, 4]], [[1, 0]], axis=0)", "[[2, 1]]"),
        ],
        ..row("take_along_axis", &[X, INDICES, AXIS], Class::Selection, Form::Places(Places::TakeAlong))
    },
    Op {
        summary: "x with other elements at positions along an axis, each line at its own",
        special: "As take_along_axis; the values broadcast, their dtype follows the rule for updates in place, and where \
                  a position occurs twice the last one stays",
        examples: &[("put_along_axis([[1, 2], [3, 4]], [[1], [0]], 9)", "[[1, 9], [9, 4]]")],
        ..row("put_along_axis", &[X, INDICES, VALUES, AXIS], Class::Selection, Form::Places(Places::PutAlong))
    },
    Op {
        summary: "x with values added at positions along the first axis, as often as a position occurs",
        special: "One after the other, in C order; `indices` may be a mask, or a tuple of positions and masks along as many axes; \
                  the values broadcast, and their dtype follows the rule for updates in place",
        examples: &[
            ("add_at([1, 1, 1], [0, 2, 0], [1, 2, 3])", "[5, 1, 3]"),
            ("add_at([[0, 0], [0, 0]], ([1, 1], [0, 0]), 2)", "[[0, 0], [4, 0]]"),
        ],
        ..combined("add_at", Fold::Sum)
    },
    Op {
        summary: "x multiplied by values at positions along the first axis, as often as a position occurs",
        special: "As add_at",
        examples: &[("multiply_at([1, 1, 1], [0, 2, 0], [1, 2, 3])", "[3, 1, 2]")],
        domain: REAL,
        ..combined("multiply_at", Fold::Prod)
    },
    Op {
        summary: "the larger of x and values at positions along the first axis",
        special: "As add_at; nan wins",
        examples: &[("max_at([1, 1, 1], [0, 2, 0], [1, 2, 3])", "[3, 1, 2]")],
        domain: REAL,
        ..combined("max_at", Fold::Max)
    },
    Op {
        summary: "the smaller of x and values at positions along the first axis",
        special: "As add_at; nan wins",
        examples: &[("min_at([2, 2, 2], [0, 2, 0], [1, 2, 3])", "[1, 2, 2]")],
        domain: REAL,
        ..combined("min_at", Fold::Min)
    },
    Op {
        summary: "positions in an array of a shape: for each axis those along it, in a tuple",
        special: "The positions count all elements in C order; one outside is an error, and none counts from the end",
        examples: &[("unravel_index([3, 7], (3, 4))[0]", "[0, 1]"), ("unravel_index([3, 7], (3, 4))[1]", "[3, 3]")],
        ..written(
            "unravel_index",
            &[operand("indices"), Param { name: "shape", role: Role::Shape, default: None }],
            &[way(
                "indices, shape",
                "{
  assert isdtype(indices.dtype, \"integral\")  # positions of `unravel_index` are integers
  let sizes = i64(ravel(shape))
  let steps = flip(cumprod(concat([ones(1, dtype=i64), flip(sizes[1:])])))
  let most = where(sizes < 1, sizes, 1).dtype.max // where(sizes < 1, 1, sizes)
  assert all(steps <= most)  # the shape of `unravel_index` has more elements than are counted
  let cells = expand_dims(i64(indices), 0)
  assert all((cells >= 0) & (steps[0] > 0) & (cells // steps[0] < sizes[0]))  # a position of `unravel_index` is outside of the shape
  unstack(cells // along(steps, cells, 0) % along(sizes, cells, 0))
}",
            )],
        )
    },
    Op {
        summary: "positions among all elements of a shape, of positions along each of its axes",
        special: "They count in C order. `indices` has the positions along each axis, in a tuple or along the first axis; they \
                  broadcast. One outside is an error, and none counts from the end; with `mode=\"wrap\"` they are taken \
                  modulo the length, with \"clip\" those outside are the first or the last one",
        examples: &[
            ("ravel_multi_index(([0, 1], [3, 3]), (3, 4))", "[3, 7]"),
            ("ravel_multi_index((4, -1), (3, 4), mode=\"wrap\")", "7"),
        ],
        ..written(
            "ravel_multi_index",
            &[
                Param { name: "indices", role: Role::Arrays, default: None },
                Param { name: "dims", role: Role::Shape, default: None },
                Param { name: "mode", role: Role::Text, default: Some("\"raise\"") },
            ],
            &[
                way("indices[], dims", COUNTED).with(RAISED),
                way("indices[,], dims", COUNTED).with(RAISED),
                way("indices[,,], dims", COUNTED).with(RAISED),
                way("indices[], dims, mode=\"raise\"", COUNTED).with(RAISED),
                way("indices[,], dims, mode=\"raise\"", COUNTED).with(RAISED),
                way("indices[,,], dims, mode=\"raise\"", COUNTED).with(RAISED),
                way("indices[], dims, mode=\"wrap\"", COUNTED).with(WRAPPED),
                way("indices[,], dims, mode=\"wrap\"", COUNTED).with(WRAPPED),
                way("indices[,,], dims, mode=\"wrap\"", COUNTED).with(WRAPPED),
                way("indices[], dims, mode=\"clip\"", COUNTED).with(CLIPPED),
                way("indices[,], dims, mode=\"clip\"", COUNTED).with(CLIPPED),
                way("indices[,,], dims, mode=\"clip\"", COUNTED).with(CLIPPED),
                way("indices, dims", COUNTED).with(&[("parts", STACKED), ("cells", "i64(parts)")]),
                way("indices, dims, mode=\"raise\"", COUNTED).with(&[("parts", STACKED), ("cells", "i64(parts)")]),
                way("indices, dims, mode=\"wrap\"", COUNTED)
                    .with(&[("parts", STACKED), ("cells", "i64(parts) % sizes")]),
                way("indices, dims, mode=\"clip\"", COUNTED)
                    .with(&[("parts", STACKED), ("cells", "clip(i64(parts), 0, sizes - 1)")]),
            ],
        )
    },
];

/// Where all elements are not zero, and their shape.
fn positions(e: &mut Expand, asked: &mut LineCall) -> (NodeId, Vec<Dim>) {
    let (shape, x) = asked.operands.whole[0].clone();
    let mask = e.convert(x, DType::Bool);
    let count = asked.count(e, mask);
    (e.routine(Routine::Positions, &[mask], Some(count)), shape)
}

/// The position along an axis of places in C order.
fn along_axis(e: &mut Expand, place: NodeId, shape: &[Dim], axis: usize) -> NodeId {
    let mut place = place;
    if let Some(behind) = shape[axis + 1..].iter().try_fold(Dim::Const(1), |count, dim| count.multiply(dim))
        && behind != Dim::Const(1)
    {
        let behind = e.dim(&behind);
        place = e.prim(Prim::FloorDiv, &[place, behind]);
    }
    if axis > 0 {
        let own = e.dim(&shape[axis]);
        place = e.prim(Prim::Rem, &[place, own]);
    }
    place
}
