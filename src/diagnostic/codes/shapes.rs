//! Codes E04xx: shapes.

use super::{ERROR, Row, rows, script};

rows! {
    /// Shapes that do not broadcast.
    SHAPES_DIFFER = Row {
        id: "E0401",
        name: "shapes-differ",
        summary: "shapes that do not broadcast",
        levels: ERROR,
        page: "Shapes are aligned at the right; lengths must be equal, or one of them 1. A named dimension equals only itself: if two are meant to be equal, give them one name. Arithmetic counts: `x[1:]` of `f32[n]` has length `n-1`.",
        failing: script("[1, 2, 3] + [1, 2]"),
        corrected: script("[1, 2, 3] + [1, 2, 0]"),
    };
    /// An axis that the array does not have.
    BAD_AXIS = Row {
        id: "E0402",
        name: "bad-axis",
        summary: "an axis that the array does not have, twice the same, or too many of them",
        levels: ERROR,
        page: "Axes count from 0; negative ones count from the end. `argmin`, `argmax` and the scans go along one axis, or along all elements in C order.",
        failing: script("sum([1, 2], axis=1)"),
        corrected: script("sum([1, 2], axis=0)"),
    };
    /// An array literal with rows of different shapes.
    RAGGED_ARRAY = Row {
        id: "E0403",
        name: "ragged-array",
        summary: "an array literal with rows of different shapes",
        levels: ERROR,
        page: "All elements of an array literal have one shape.",
        failing: script("[[1, 2], [3]]"),
        corrected: script("[[1, 2], [3, 4]]"),
    };
    /// A dimension that is neither a number nor made of names.
    BAD_DIMENSION = Row {
        id: "E0404",
        name: "bad-dimension",
        summary: "a dimension that is neither a number nor made of names",
        levels: ERROR,
        page: "A dimension is a number, a name, or arithmetic on them: `f32[2*n - 1]`, `f32[n//2]`, `f32[min(5, n)]`.",
        failing: script("input x: f32[1.5]\nx"),
        corrected: script("input x: f32[2]\nx"),
    };
    /// The smallest or largest of nothing.
    EMPTY_REDUCTION = Row {
        id: "E0405",
        name: "empty-reduction",
        summary: "the smallest or largest of nothing",
        levels: ERROR,
        page: "`min` and `max`, `argmin` and `argmax`, `nanmin` and `nanmax` of an axis of length 0 have no value. Of a selection that is found out when the program runs. (`sum` of nothing is 0.)",
        failing: script("max(zeros(0))"),
        corrected: script("sum(zeros(0))"),
    };
    /// An array that cannot exist.
    TOO_LARGE = Row {
        id: "E0406",
        name: "array-too-large",
        summary: "an array of more than 2^48 elements",
        levels: ERROR,
        page: "No array has more than 2^48 elements, be they in memory or not: repeated and counted ones are elements too. Nothing is allocated before this is checked.",
        failing: script("zeros((4294967296, 4294967296))"),
        corrected: script("zeros((4, 4))"),
    };
    /// An array of too many dimensions.
    RANK_LIMIT = Row {
        id: "E0407",
        name: "rank-limit",
        summary: "an array of more than 32 dimensions",
        levels: ERROR,
        page: "Arrays have at most 32 dimensions.",
        failing: script("zeros((1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1))"),
        corrected: script("zeros((1, 1))"),
    };
    /// A size that is not known yet where a number is needed.
    SYMBOLIC_DIMENSION = Row {
        id: "E0408",
        name: "symbolic-dimension",
        summary: "a size that is not known where a number is needed",
        levels: ERROR,
        page: "A named dimension has a value once data is bound. As a size, `zeros(n)`, and in arithmetic it may stay a name.",
        failing: script("input x: f32[n]\nsum(x, axis=n)"),
        corrected: script("input x: f32[n]\nsum(x, axis=0) / n"),
    };
    /// A value whose shape is not the annotated one.
    ANNOTATED_SHAPE = Row {
        id: "E0409",
        name: "annotated-shape",
        summary: "a value that does not have the annotated shape",
        levels: ERROR,
        page: "An annotation is a check: the shape must be the one that is written.",
        failing: script("let x: f32[3] = [1, 2]"),
        corrected: script("let x: f32[2] = [1, 2]"),
    };
    /// A value that is larger than the variable that it is assigned to.
    UPDATE_SHAPE = Row {
        id: "E0410",
        name: "update-shape",
        summary: "a value that is larger than the variable that it is assigned to",
        levels: ERROR,
        page: "A variable keeps the shape of its first value; what is assigned to it is stretched to that shape, never the other way round.",
        failing: script("var total = [1, 2]\ntotal += [[1, 2], [3, 4]]"),
        corrected: script("var total = [[0, 0], [0, 0]]\ntotal += [1, 2]"),
    };
}
