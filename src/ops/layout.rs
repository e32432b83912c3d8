//! The same elements in another shape or order, or put together.
//!
//! Nothing here computes but `diff`; what can be a view is one. Shapes, axes and widths are known before anything
//! runs. Operands that come together are joined as by an array literal.

use super::arrange::Arrange;
use super::options::option;
use super::{Form, Op, Param, Role, operand, row};
use crate::promotion::Class;

/// What becomes of the elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rearrangement {
    /// Another shape, the same order.
    Reshape,
    /// One axis, the same order.
    Ravel,
    /// Axes in another order.
    Transpose,
    /// Two axes change places.
    SwapAxes,
    /// Repeated to a larger shape.
    BroadcastTo,
    /// New axes of length 1.
    ExpandDims,
    /// Axes of length 1 go.
    Squeeze,
    /// Backwards along axes.
    Flip,
    /// Shifted along axes; what leaves at one end comes in at the other.
    Roll,
    /// Differences of neighbours.
    Diff,
    /// A margin.
    Pad,
    /// Elements at positions.
    Take,
    /// Arrays side by side along a new axis.
    Stack,
    /// Arrays one after the other along an axis.
    Concat,
    /// Arrays one after the other along an axis that depends on how many axes they have.
    Beside(Placement),
    /// Arrays in rows and columns, as lists of lists say.
    Block,
    /// Grids, repeated elements, axes that move, arrays taken apart.
    Arrange(Arrange),
}

/// How arrays of few axes are put beside each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Placement {
    /// Vectors one after the other, other arrays along the second axis.
    Across,
    /// Vectors as rows, along the first axis.
    Below,
    /// Vectors as columns, along the second axis.
    Columns,
    /// Along the third axis, which vectors and matrices are given.
    Behind,
}

const fn param(name: &'static str, role: Role, default: Option<&'static str>) -> Param {
    Param { name, role, default }
}

const X: Param = operand("x");
const AXIS: Param = param("axis", Role::Axes, Some("None"));
const LIST: &[Param] = &[param("arrays", Role::Arrays, None)];
const ARRAYS: &[Param] = &[
    param("arrays", Role::Arrays, None),
    param("axis", Role::Axes, Some("0")),
    param("dtype", Role::DType, Some("None")),
];

const fn layout(name: &'static str, params: &'static [Param], layout: Rearrangement) -> Op {
    row(name, params, Class::Selection, Form::Layout(layout))
}

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "the same elements, in order, in another shape",
        special: "One length may be -1: it is computed from the others. `x.reshape(2, 3)` is `reshape(x, (2, 3))`",
        examples: &[
            ("reshape(arange(6), (2, 3))", "[[0, 1, 2], [3, 4, 5]]"),
            ("arange(6).reshape(-1, 2)", "[[0, 1], [2, 3], [4, 5]]"),
        ],
        ..layout("reshape", &[X, param("shape", Role::Sizes, None)], Rearrangement::Reshape)
    },
    Op {
        summary: "all elements along one axis",
        examples: &[("ravel([[1, 2], [3, 4]])", "[1, 2, 3, 4]")],
        ..layout("ravel", &[X], Rearrangement::Ravel)
    },
    Op {
        summary: "x with its axes in another order",
        special: "Without `axes` the order is reversed, as by `x.T`",
        examples: &[
            ("transpose([[1, 2], [3, 4], [5, 6]])", "[[1, 3, 5], [2, 4, 6]]"),
            ("transpose([[[1, 2]], [[3, 4]]], (1, 0, 2))", "[[[1, 2], [3, 4]]]"),
        ],
        ..layout("transpose", &[X, param("axes", Role::Order, Some("None"))], Rearrangement::Transpose)
    },
    Op {
        summary: "x with two axes exchanged",
        examples: &[("swapaxes([[1, 2, 3]], 0, -1)", "[[1], [2], [3]]")],
        ..layout(
            "swapaxes",
            &[X, param("axis1", Role::Counts, None), param("axis2", Role::Counts, None)],
            Rearrangement::SwapAxes,
        )
    },
    Op {
        summary: "x repeated to a larger shape",
        special: "It repeats missing axes and axes of length 1. Nothing is copied",
        examples: &[("broadcast_to([1, 2], (2, 2))", "[[1, 2], [1, 2]]")],
        ..layout("broadcast_to", &[X, param("shape", Role::Shape, None)], Rearrangement::BroadcastTo)
    },
    Op {
        summary: "x with new axes of length 1",
        special: "`axis` says where they stand in the result",
        examples: &[("expand_dims([1, 2], 1)", "[[1], [2]]"), ("expand_dims([1, 2], 0)", "[[1, 2]]")],
        ..layout("expand_dims", &[X, param("axis", Role::Axes, None)], Rearrangement::ExpandDims)
    },
    Op {
        summary: "x without axes of length 1",
        special: "Without `axis` it removes all of them. A named dimension stays, even if its length turns out to be 1, \
                  and so does its slice `:1`: write `x[:, 0]`, or say which `axis`",
        examples: &[("squeeze([[[1], [2]]])", "[1, 2]"), ("squeeze([[1, 2]], axis=0)", "[1, 2]")],
        ..layout("squeeze", &[X, AXIS], Rearrangement::Squeeze)
    },
    Op {
        summary: "x with its elements reversed along axes",
        special: "Without `axis` it reverses all axes",
        examples: &[("flip([1, 2, 3])", "[3, 2, 1]"), ("flip([[1, 2], [3, 4]], axis=0)", "[[3, 4], [1, 2]]")],
        ..layout("flip", &[X, AXIS], Rearrangement::Flip)
    },
    Op {
        summary: "x with its elements shifted along axes",
        special: "What leaves at one end comes in at the other. A negative shift goes towards the start. Without \
                  `axis` it shifts all elements in C order",
        examples: &[
            ("roll([1, 2, 3, 4], 1)", "[4, 1, 2, 3]"),
            ("roll([[1, 2, 3], [4, 5, 6]], -1, axis=1)", "[[2, 3, 1], [5, 6, 4]]"),
        ],
        ..layout("roll", &[X, param("shift", Role::Counts, None), AXIS], Rearrangement::Roll)
    },
    Op {
        summary: "differences of neighbours along an axis",
        special: "It takes differences `n` times, at most 64. For bool it says whether neighbours differ. Integers \
                  wrap. `prepend` and `append` are put before and behind x first: a number, or an array that is joined \
                  along `axis`",
        examples: &[
            ("diff([1, 4, 9, 16])", "[3, 5, 7]"),
            ("diff([1, 4, 9, 16], n=2)", "[2, 2]"),
            ("diff([1, 4, 9], prepend=0, append=[16])", "[1, 3, 5, 7]"),
        ],
        ..layout(
            "diff",
            &[
                X,
                param("n", Role::Counts, Some("1")),
                param("axis", Role::Axes, Some("-1")),
                option("prepend", "None"),
                option("append", "None"),
            ],
            Rearrangement::Diff,
        )
    },
    Op {
        summary: "x with a margin of one value, or of its own elements",
        special: "`width` is a number, a pair `(before, after)`, or such a pair for each axis. `mode` says what is in the \
                  margin: \"constant\" is the value, which takes the dtype of x and may be pairs as well; \"edge\" the \
                  element at the end; \"symmetric\" and \"reflect\" the elements backwards, with the one at the end and \
                  without; \"wrap\" those from the other end; \"maximum\", \"minimum\", \"mean\" and \"median\" those \
                  numbers of the axis, rounded to integers of integers; \"linear_ramp\" equal steps from the value, \
                  outermost, to the element at the end. A margin may be longer than the axis",
        examples: &[
            ("pad([1, 2], 1)", "[0, 1, 2, 0]"),
            ("pad([[1, 2]], ((0, 1), (1, 0)), value=9)", "[[9, 1, 2], [9, 9, 9]]"),
            ("pad([1, 2, 3], 2, mode=\"edge\")", "[1, 1, 1, 2, 3, 3, 3]"),
            ("pad([1, 2, 3], 2, mode=\"reflect\")", "[3, 2, 1, 2, 3, 2, 1]"),
            ("pad([1, 2, 6], 1, mode=\"mean\")", "[3, 1, 2, 6, 3]"),
            ("pad([4.0, 8.0], 2, mode=\"linear_ramp\")", "[0.0, 2.0, 4.0, 8.0, 4.0, 0.0]"),
        ],
        ..layout(
            "pad",
            &[
                X,
                param("width", Role::Counts, None),
                param("mode", Role::Text, Some("\"constant\"")),
                param("value", Role::Filling, Some("0")),
            ],
            Rearrangement::Pad,
        )
    },
    Op {
        summary: "elements at given positions along an axis",
        special: "The shape of `indices` takes the place of the axis. Without `axis` the positions count all \
                  elements in C order. Negative positions count from the end. A position outside is an error, at the \
                  latest when the program runs; with `mode=\"wrap\"` positions are taken modulo the length, with \"clip\" those \
                  outside are the first or the last one",
        examples: &[
            ("take([10, 20, 30], [2, 0, -1])", "[30, 10, 30]"),
            ("take([[1, 2], [3, 4]], [1, 1, 0], axis=1)", "[[2, 2, 1], [4, 4, 3]]"),
            ("take([10, 20, 30], [3, -4, 1], mode=\"wrap\")", "[10, 30, 20]"),
            ("take([10, 20, 30], [3, -4, 1], mode=\"clip\")", "[30, 10, 20]"),
        ],
        ..layout(
            "take",
            &[X, param("indices", Role::Positions, None), AXIS, option("mode", "\"raise\"")],
            Rearrangement::Take,
        )
    },
    Op {
        summary: "arrays of one shape, joined along a new axis",
        special: "All arrays are promoted to one dtype, or converted to `dtype`, which is of no lower kind",
        examples: &[
            ("stack([[1, 2], [3, 4]])", "[[1, 2], [3, 4]]"),
            ("stack(([1, 2], [3, 4]), axis=1)", "[[1, 3], [2, 4]]"),
        ],
        ..layout("stack", ARRAYS, Rearrangement::Stack)
    },
    Op {
        summary: "arrays joined along an axis that they have",
        special: "Their shapes may differ only along that axis. With `axis=None` all elements are joined along one \
                  axis. All arrays are promoted to one dtype, or converted to `dtype`, which is of no lower kind",
        examples: &[
            ("concat([[1, 2], [3]])", "[1, 2, 3]"),
            ("concat(([[1], [2]], [[3], [4]]), axis=1)", "[[1, 3], [2, 4]]"),
        ],
        ..layout("concat", ARRAYS, Rearrangement::Concat)
    },
    Op {
        summary: "arrays joined beside each other",
        special: "Vectors are joined end to end, and matrices along the second axis. All arrays are promoted to one \
                  dtype",
        examples: &[("hstack([[1, 2], [3]])", "[1, 2, 3]"), ("hstack([[[1], [2]], [[3], [4]]])", "[[1, 3], [2, 4]]")],
        ..layout("hstack", LIST, Rearrangement::Beside(Placement::Across))
    },
    Op {
        summary: "arrays joined below each other",
        special: "Vectors become rows, and matrices are joined along the first axis. All arrays are promoted to one \
                  dtype",
        examples: &[
            ("vstack([[1, 2], [3, 4]])", "[[1, 2], [3, 4]]"),
            ("vstack([[[1, 2]], [3, 4]])", "[[1, 2], [3, 4]]"),
        ],
        ..layout("vstack", LIST, Rearrangement::Beside(Placement::Below))
    },
    Op {
        summary: "arrays joined as columns of a matrix",
        special: "Vectors become columns, and matrices are joined along the second axis. All arrays are promoted to \
                  one dtype",
        examples: &[("column_stack([[1, 2], [3, 4]])", "[[1, 3], [2, 4]]")],
        ..layout("column_stack", LIST, Rearrangement::Beside(Placement::Columns))
    },
    Op {
        summary: "arrays joined behind each other",
        special: "They are joined along the third axis. All arrays are promoted to one dtype",
        examples: &[("dstack([[1, 2], [3, 4]])", "[[[1, 3], [2, 4]]]")],
        ..layout("dstack", LIST, Rearrangement::Beside(Placement::Behind))
    },
    Op {
        summary: "arrays joined in rows and columns",
        special: "Arrays of the innermost lists are joined along the last axis, those lists along the one before it, and so \
                  on. Missing axes come first, with length 1. All arrays are promoted to one dtype",
        examples: &[
            ("block([1, arange(2, 4)])", "[1, 2, 3]"),
            ("block([[eye(2), zeros((2, 1))], [ones((1, 3))]])", "[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 1.0]]"),
        ],
        ..layout("block", LIST, Rearrangement::Block)
    },
];
