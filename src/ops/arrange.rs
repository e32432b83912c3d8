//! Rows of operations that rearrange elements. Nothing here computes, and what can be a view is one.

use super::{Form, Op, Param, Rearrangement, Role, operand, row};
use crate::promotion::Class;

/// How elements are arranged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrange {
    /// Axes at other places.
    MoveAxis,
    /// Turned by right angles.
    Turn,
    /// Each element several times.
    Repeat,
    /// All windows along axes.
    Windows,
    /// The whole several times.
    Tile,
    /// A vector along an axis of another array.
    Along,
    /// At least this many axes: the array with axes of length 1 added.
    AtLeast(u8),
    /// Coordinates of a grid.
    Grid,
    /// Several arrays repeated to one shape.
    Together,
    /// Every part along an axis.
    Unstack,
    /// Parts of one length, or between positions. The field says whether lengths may differ by one.
    Split(bool),
}

const fn param(name: &'static str, role: Role, default: Option<&'static str>) -> Param {
    Param { name, role, default }
}

const X: Param = operand("x");
const FIRST: Param = param("axis", Role::Counts, Some("0"));
const ARRAYS: Param = param("arrays", Role::Several, None);
const SPLIT: &[Param] = &[X, param("sections", Role::Counts, None), FIRST];

const fn arrange(name: &'static str, params: &'static [Param], how: Arrange) -> Op {
    row(name, params, Class::Selection, Form::Layout(Rearrangement::Arrange(how)))
}

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "x with axes moved to other places",
        special: "The other axes keep their order. Several axes are tuples",
        examples: &[
            ("moveaxis([[1, 2, 3]], 0, -1)", "[[1], [2], [3]]"),
            ("moveaxis(zeros((2, 3, 4)), (0, 1), (1, 2)).shape == (4, 2, 3)", "true"),
        ],
        ..arrange(
            "moveaxis",
            &[X, param("source", Role::Counts, None), param("destination", Role::Counts, None)],
            Arrange::MoveAxis,
        )
    },
    Op {
        summary: "x turned by right angles, from the first of two axes towards the second",
        special: "A negative k turns the other way",
        examples: &[
            ("rot90([[1, 2], [3, 4]])", "[[2, 4], [1, 3]]"),
            ("rot90([[1, 2], [3, 4]], k=2)", "[[4, 3], [2, 1]]"),
        ],
        ..arrange(
            "rot90",
            &[X, param("k", Role::Whole, Some("1")), param("axes", Role::Counts, Some("(0, 1)"))],
            Arrange::Turn,
        )
    },
    Op {
        summary: "every element several times, one after the other",
        special: "Without `axis` it repeats all elements in C order. How often is one number, or a count for each; the sum of \
                  counts is a dimension that only data decides",
        examples: &[
            ("repeat([1, 2], 3)", "[1, 1, 1, 2, 2, 2]"),
            ("repeat([[1, 2]], 2, axis=0)", "[[1, 2], [1, 2]]"),
            ("repeat([7, 8, 9], [2, 0, 1])", "[7, 7, 9]"),
        ],
        ..arrange(
            "repeat",
            &[X, param("repeats", Role::Size, None), param("axis", Role::Counts, Some("None"))],
            Arrange::Repeat,
        )
    },
    Op {
        summary: "all windows of some length along an axis, one for each place where one fits",
        special: "The axes of the windows come last. Without `axis` there is a length for each axis",
        examples: &[
            ("sliding_window_view([1, 2, 3, 4], 3)", "[[1, 2, 3], [2, 3, 4]]"),
            ("max(sliding_window_view([3, 1, 4, 1], 2), axis=-1)", "[3, 4, 4]"),
            ("sliding_window_view([[1, 2, 3]], 2, axis=1)", "[[[1, 2], [2, 3]]]"),
        ],
        ..arrange(
            "sliding_window_view",
            &[X, param("window_shape", Role::Counts, None), param("axis", Role::Counts, Some("None"))],
            Arrange::Windows,
        )
    },
    Op {
        summary: "the whole array several times, side by side",
        special: "How often is a number for the last axis, or one for each of the last axes. More numbers than axes make \
                  axes in front",
        examples: &[("tile([1, 2], 2)", "[1, 2, 1, 2]"), ("tile([1, 2], (2, 1))", "[[1, 2], [1, 2]]")],
        ..arrange("tile", &[X, param("repetitions", Role::Counts, None)], Arrange::Tile)
    },
    Op {
        summary: "the vector v, so that it lies along an axis of x",
        special: "The other axes have length 1, so that it broadcasts against x. An array with as many axes as x stays",
        examples: &[
            ("along([1, 2], zeros((2, 3)), 0)", "[[1], [2]]"),
            ("[[1, 2], [3, 4]] * along([1, 10], [[1, 2], [3, 4]], 0)", "[[1, 2], [30, 40]]"),
        ],
        ..arrange("along", &[operand("v"), X, param("axis", Role::Counts, None)], Arrange::Along)
    },
    Op {
        summary: "x with one axis at least",
        examples: &[("atleast_1d(5)", "[5]")],
        ..arrange("atleast_1d", &[X], Arrange::AtLeast(1))
    },
    Op {
        summary: "x with two axes at least",
        special: "A vector becomes a row",
        examples: &[("atleast_2d([1, 2])", "[[1, 2]]")],
        ..arrange("atleast_2d", &[X], Arrange::AtLeast(2))
    },
    Op {
        summary: "x with three axes at least",
        special: "A vector has the shape (1, n, 1), a matrix (n, m, 1)",
        examples: &[("atleast_3d([1, 2])", "[[[1], [2]]]")],
        ..arrange("atleast_3d", &[X], Arrange::AtLeast(3))
    },
    Op {
        summary: "the coordinates of all points of a grid, one array for each vector",
        special: "With indexing=\"xy\" the first vector runs along the second axis, with \"ij\" along the first. Nothing is \
                  copied; with sparse=true the other axes have length 1",
        examples: &[
            ("meshgrid([1, 2], [3, 4])[0]", "[[1, 2], [1, 2]]"),
            ("meshgrid([1, 2], [3, 4], indexing=\"ij\")[0]", "[[1, 1], [2, 2]]"),
        ],
        ..arrange(
            "meshgrid",
            &[ARRAYS, param("indexing", Role::Text, Some("\"xy\"")), param("sparse", Role::Flag, Some("false"))],
            Arrange::Grid,
        )
    },
    Op {
        summary: "arrays repeated to the shape that they have together",
        special: "Operators do that by themselves. Nothing is copied",
        examples: &[("broadcast_arrays([1, 2], [[3], [4]])[1]", "[[3, 3], [4, 4]]")],
        ..arrange("broadcast_arrays", &[ARRAYS], Arrange::Together)
    },
    Op {
        summary: "the parts of x along an axis, which goes",
        special: "The length of the axis is known before anything runs",
        examples: &[("unstack([[1, 2], [3, 4]])[1]", "[3, 4]"), ("unstack([[1, 2], [3, 4]], axis=1)[0]", "[1, 3]")],
        ..arrange("unstack", &[X, FIRST], Arrange::Unstack)
    },
    Op {
        summary: "x cut into parts along an axis",
        special: "`sections` is a number of parts of one length, or the positions to cut at",
        examples: &[("split([1, 2, 3, 4], 2)[0]", "[1, 2]"), ("split([1, 2, 3, 4], (1, 3))[1]", "[2, 3]")],
        ..arrange("split", SPLIT, Arrange::Split(false))
    },
    Op {
        summary: "x cut into parts along an axis, as equal as can be",
        special: "`sections` is a number of parts, the first of which may be one longer, or the positions to cut at",
        examples: &[("array_split([1, 2, 3], 2)[0]", "[1, 2]")],
        ..arrange("array_split", SPLIT, Arrange::Split(true))
    },
];
