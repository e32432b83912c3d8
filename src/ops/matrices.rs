//! Matrices: products, diagonals, triangles.
//!
//! All products are one thing: axes of operands have labels, those with one label go along each other, and a label that
//! the result does not have is summed over. The checker makes labels of what a row says and one [`crate::ir::routine`]
//! of labels.

use super::{Form, Op, Param, Role, XY, operand, row};
use crate::promotion::Class;

/// What is done with matrices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Matrices {
    /// `x @ y`: the last axis of x along the one before the last of y, the axes before them together.
    Matmul,
    /// As `Matmul`, but the axes before them each with each; of scalars the product.
    Dot,
    /// The last axis of both; of scalars the product.
    Inner,
    /// All elements each with each.
    Outer,
    /// The last axis of both, or another one, the other axes together, the first factor conjugated.
    Vecdot,
    /// All elements each with each, block by block.
    Kronecker,
    /// Some axes of x along some of y.
    Tensordot,
    /// Axes with letters.
    Einsum,
    /// Several matrices, one after the other.
    Chain,
    /// The product of a square matrix with itself, as many times as an exponent says.
    Power,
    /// The sum of a diagonal.
    Trace,
    /// A diagonal.
    Diagonal,
    /// A matrix with a diagonal, or the diagonal of a matrix.
    Diag,
    /// What is on or below a diagonal.
    Lower,
    /// What is on or above one.
    Upper,
}

const fn whole(name: &'static str, default: &'static str) -> Param {
    Param { name, role: Role::Whole, default: Some(default) }
}

const fn maybe(name: &'static str) -> Param {
    Param { name, role: Role::Operand, default: Some("None") }
}

const DIAGONAL: &[Param] = &[operand("x"), whole("offset", "0"), whole("axis1", "0"), whole("axis2", "1")];
const OFFSET_PARAMS: &[Param] = &[operand("x"), whole("k", "0")];

const fn product(name: &'static str, params: &'static [Param], matrices: Matrices) -> Op {
    row(name, params, Class::Arithmetic, Form::Matrices(matrices))
}

const fn part(name: &'static str, params: &'static [Param], matrices: Matrices) -> Op {
    row(name, params, Class::Selection, Form::Matrices(matrices))
}

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        notation: Some(super::Notation::Infix("@")),
        summary: "product of two matrices: each row of x by each column of y",
        special: "A vector is a row on the left and a column on the right, and its axis is not in the result. Axes before the \
                  last two broadcast: a product for each place there. The dtype is that of x * y, and integers wrap in it; of \
                  `bool` it is whether any pair is true. Each element begins as 0 and takes the products in order, each \
                  multiplied and added with one rounding, so it has the same bits on every machine; two vectors are \
                  summed as by `sum(x * y)`. f16 and bf16 are computed in f32 and rounded once",
        examples: &[
            ("[[1, 2], [3, 4]] @ [[5, 6], [7, 8]]", "[[19, 22], [43, 50]]"),
            ("matmul([[1.0, 2.0]], [3.0, 4.0])", "[11.0]"),
            ("[1, 2] @ [3, 4]", "11"),
        ],
        ..product("matmul", XY, Matrices::Matmul)
    },
    Op {
        summary: "sum of products over the last axis of x and the one before the last of y",
        special: "Of two vectors it is sum(x * y), of two matrices x @ y. If x or y is a scalar, dot multiplies. The axes \
                  that are not summed over are all in the result, first those of x",
        examples: &[
            ("dot([1, 2, 3], [4, 5, 6])", "32"),
            ("dot([[1, 2], [3, 4]], [5, 6])", "[17, 39]"),
            ("dot([1, 2], 3)", "[3, 6]"),
        ],
        ..product("dot", XY, Matrices::Dot)
    },
    Op {
        summary: "sum of products over the last axes of x and y",
        special: "If x or y is a scalar, inner multiplies. The other axes are all in the result, first those of x",
        examples: &[
            ("inner([[1, 2], [3, 4]], [[5, 6], [7, 8]])", "[[17, 23], [39, 53]]"),
            ("inner([1, 2], [3, 4])", "11"),
        ],
        ..product("inner", XY, Matrices::Inner)
    },
    Op {
        summary: "products of each element of x with each of y, as a matrix",
        special: "x and y are taken as vectors of all their elements",
        examples: &[("outer([1, 2], [3, 4, 5])", "[[3, 4, 5], [6, 8, 10]]")],
        ..product("outer", XY, Matrices::Outer)
    },
    Op {
        summary: "sums of the products conj(x) * y along an axis",
        special: "The other axes broadcast",
        examples: &[("vecdot([[1, 2], [3, 4]], [5, 6])", "[17, 39]"), ("vecdot([1j], [1j])", "(1+0j)")],
        ..product("vecdot", &[operand("x"), operand("y"), whole("axis", "-1")], Matrices::Vecdot)
    },
    Op {
        summary: "the Kronecker product: y times each element of x, as blocks",
        special: "An operand with fewer axes is given axes of length 1 in front",
        examples: &[
            ("kron([1, 10], [[1, 2], [3, 4]])", "[[1, 2, 10, 20], [3, 4, 30, 40]]"),
            ("kron([1, 2], [3, 4])", "[3, 4, 6, 8]"),
        ],
        ..product("kron", XY, Matrices::Kronecker)
    },
    Op {
        summary: "sums of products over some axes of x and some of y",
        special: "A number n for `axes` means the last n axes of x and the first n of y; a pair of axes, or of tuples of \
                  axes, names those of x and those of y. The other axes are all in the result, first those of x",
        examples: &[
            ("tensordot([[1, 2], [3, 4]], [[5, 6], [7, 8]])", "70"),
            ("tensordot([[1, 2], [3, 4]], [[5, 6], [7, 8]], axes=((1), (0)))", "[[19, 22], [43, 50]]"),
            ("tensordot(ones((2, 3, 4)), ones((4, 3, 5)), axes=([1, 2], [1, 0])).shape == (2, 5)", "true"),
            ("tensordot([1, 2], [3, 4], axes=0)", "[[3, 4], [6, 8]]"),
        ],
        ..product(
            "tensordot",
            &[operand("x"), operand("y"), Param { name: "axes", role: Role::Counts, default: Some("2") }],
            Matrices::Tensordot,
        )
    },
    Op {
        summary: "sums of products over axes with letters",
        special: "Each operand has a letter for each axis, the result those behind `->`; a letter that is not there is \
                  summed over. Without `->` the result has the letters that occur once, in alphabetical order. `...` \
                  stands for axes that broadcast. Of three and more operands the first two come first",
        examples: &[
            ("einsum(\"ij,jk->ik\", [[1, 2], [3, 4]], [[5, 6], [7, 8]])", "[[19, 22], [43, 50]]"),
            ("einsum(\"ii->i\", [[1, 2], [3, 4]])", "[1, 4]"),
            ("einsum(\"i,j->ji\", [1, 2], [3, 4])", "[[3, 6], [4, 8]]"),
        ],
        ..product(
            "einsum",
            &[
                Param { name: "subscripts", role: Role::Text, default: None },
                operand("a"),
                maybe("b"),
                maybe("c"),
                maybe("d"),
                maybe("e"),
            ],
            Matrices::Einsum,
        )
    },
    Op {
        summary: "sum of a diagonal",
        special: "As sum(diagonal(x, offset, axis1, axis2), axis=-1)",
        examples: &[("trace([[1, 2], [3, 4]])", "5"), ("trace([[1, 2], [3, 4]], offset=1)", "2")],
        ..row("trace", DIAGONAL, Class::Sum, Form::Matrices(Matrices::Trace))
    },
    Op {
        summary: "the elements of a diagonal, along a last axis",
        special: "Along axis1 and axis2; a positive offset moves to the right, a negative one down",
        examples: &[("diagonal([[1, 2], [3, 4]])", "[1, 4]"), ("diagonal([[1, 2], [3, 4]], -1)", "[3]")],
        ..part("diagonal", DIAGONAL, Matrices::Diagonal)
    },
    Op {
        summary: "the matrix with a vector on a diagonal, or the diagonal of a matrix",
        special: "A positive k moves the diagonal to the right, a negative one down",
        examples: &[("diag([1, 2])", "[[1, 0], [0, 2]]"), ("diag([[1, 2], [3, 4]], k=1)", "[2]")],
        ..part("diag", OFFSET_PARAMS, Matrices::Diag)
    },
    Op {
        summary: "x with zeros above a diagonal of its last two axes",
        special: "A positive k moves the diagonal to the right, a negative one down",
        examples: &[("tril([[1, 2], [3, 4]])", "[[1, 0], [3, 4]]")],
        ..part("tril", OFFSET_PARAMS, Matrices::Lower)
    },
    Op {
        summary: "x with zeros below a diagonal of its last two axes",
        special: "A positive k moves the diagonal to the right, a negative one down",
        examples: &[("triu([[1, 2], [3, 4]], k=1)", "[[0, 2], [0, 0]]")],
        ..part("triu", OFFSET_PARAMS, Matrices::Upper)
    },
];
