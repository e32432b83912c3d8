//! Codes E042x: indexing and layout.

use super::{ERROR, Row, rows, run, script};

rows! {
    /// An index beyond the ends of its axis.
    INDEX_OUT_OF_RANGE = Row {
        id: "E0420",
        name: "index-out-of-range",
        summary: "an index beyond the ends of its axis",
        levels: ERROR,
        page: "An axis of length `n` has the indices 0 to `n - 1`, and -1 to `-n` counted from its end. Indices that are \
               known are checked before anything runs, and computed ones whose range is outside. Others are checked when \
               the program runs, which then says the index and the length. Bounds of slices are clipped, as in Python.",
        failing: script("let x = [1, 2, 3]\nx[3]"),
        corrected: script("let x = [1, 2, 3]\nx[-1]"),
    };
    /// More indices than axes, or two ellipses.
    TOO_MANY_INDICES = Row {
        id: "E0421",
        name: "too-many-indices",
        summary: "more indices than axes",
        levels: ERROR,
        page: "Each integer and each slice of an index takes an axis, from the first on; `...` stands for as many whole axes as \
               are left, and `None` adds an axis instead of taking one.",
        failing: script("let x = [1, 2, 3]\nx[0, 1]"),
        corrected: script("let x = [[1, 2], [3, 4]]\nx[0, 1]"),
    };
    /// Something in brackets that is no index.
    NOT_AN_INDEX = Row {
        id: "E0422",
        name: "not-an-index",
        summary: "something in brackets that is no index",
        levels: ERROR,
        page: "An index is an integer, a slice `lo:hi:step`, `...`, `None`, an array of integers, or a mask. Where \
               slices stand between arrays, the axes of what they choose come first, as in NumPy.",
        failing: script("let x = [1, 2, 3]\nx[1.0]"),
        corrected: script("let x = [1, 2, 3]\nx[1]"),
    };
    /// A shape that depends on what is not known.
    OPEN_SHAPE = Row {
        id: "E0423",
        name: "open-shape",
        summary: "a shape that depends on what is known only later",
        levels: ERROR,
        page: "Shapes are known before anything runs. Sizes, shifts and the steps of slices are numbers, sizes of inputs and \
               arithmetic on these; whether two named dimensions are equal is known once data is bound, or when they have \
               one name. The bounds of a slice may be computed: its length is then a dimension of its own.",
        failing: script("let x = [3, 1, 2]\nx[::max(x)]"),
        corrected: script("let x = [3, 1, 2]\nx[:max(x)]"),
    };
    /// A new shape with another number of elements.
    BAD_RESHAPE = Row {
        id: "E0424",
        name: "bad-reshape",
        summary: "a new shape with another number of elements",
        levels: ERROR,
        page: "`reshape` keeps the elements and their order, so both shapes have the same number of elements; one length \
               may be -1 and is computed from the others. `squeeze` takes away axes of length 1 only.",
        failing: script("reshape([1, 2, 3, 4], (3, 2))"),
        corrected: script("reshape([1, 2, 3, 4], (-1, 2))"),
    };
    /// A value that does not fit the region that it is assigned to, or a shape that it is repeated to.
    VALUE_SHAPE = Row {
        id: "E0425",
        name: "value-shape",
        summary: "a value that cannot be repeated to a shape",
        levels: ERROR,
        page: "A value is repeated along axes of length 1 and along missing ones, and never enlarges its target.",
        failing: script("broadcast_to([1, 2], (2, 3))"),
        corrected: script("broadcast_to([[1], [2]], (2, 3))"),
    };
    /// A mask that keeps another number of elements than stand beside it.
    MASK_COUNT = Row {
        id: "E0426",
        name: "mask-count",
        summary: "a mask that keeps another number of elements than stand beside it",
        levels: ERROR,
        page: "How many elements a mask keeps is known when the program runs. Then it is compared with the length of the values \
               that are assigned to them, `y[mask] = v`, or of the positions beside the mask, `x[mask, i]`. One value is \
               stored in all of them, however many there are.",
        failing: run("var y = [1, 2, 3]\ny[y > 1] = [7, 8, 9]", &["--mode=all"]),
        corrected: run("var y = [1, 2, 3]\ny[y > 1] = [7, 8]", &["--mode=all"]),
    };
}
