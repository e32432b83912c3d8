//! Linear algebra: systems of equations, factors, eigenvalues, norms.
//!
//! A row cuts its results out of the one matrix that [`crate::ir::library`] gives for each of its operands.

use super::expand::Expand;
use super::factors::{
    adjoint, answer, cell, eigen, factor, lower, orthogonal, real, row_of, singular, singular_values, triangles,
};
use super::lines::{LineArrangement, LineCall, Lines, MatrixShape, ResultDType};
use super::matrices::Matrices;
use super::norms;
use super::reduce::KEEP;
use super::{ANY, Form, Op, Param, Role, operand, row, way, written};
use crate::ir::NodeId;
use crate::ir::library::MatrixFunction;
use crate::promotion::Class;

const X: Param = operand("x");
const ONE: &[Param] = &[X];
const TRIANGLE: &[Param] = &[X, Param { name: "UPLO", role: Role::Text, default: Some("\"L\"") }];

const fn flag(name: &'static str, default: &'static str) -> Param {
    Param { name, role: Role::Flag, default: Some(default) }
}

const fn maybe(name: &'static str) -> Param {
    Param { name, role: Role::Operand, default: Some("None") }
}

const fn of_matrix(
    name: &'static str,
    params: &'static [Param],
    class: Class,
    wanted: MatrixShape,
    expand: fn(&mut Expand, &mut LineCall) -> Vec<NodeId>,
) -> Op {
    lined(name, params, class, Lines::new(LineArrangement::Matrices(wanted), expand).counting(1))
}

const fn lined(name: &'static str, params: &'static [Param], class: Class, lines: Lines) -> Op {
    Op { domain: ANY, ..row(name, params, class, Form::Lines(lines)) }
}

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "the x of a @ x = b, for a square matrix a",
        special: "A vector b has a vector as its answer, and so has each place of a; a matrix b has a column for each of its own. \
                  Axes before these broadcast. A matrix with a pivot that is exactly 0 is an error when the program runs; a \
                  nan in a makes everything nan. The cargo feature `linalg` brings the library for functions of matrices; their \
                  last bits may differ between processors",
        examples: &[
            ("linalg.solve([[2.0, 1.0], [0.0, 4.0]], [4.0, 8.0])", "[1.0, 2.0]"),
            ("linalg.solve([[2.0, 0.0], [0.0, 4.0]], [[2.0], [2.0]])", "[[1.0], [0.5]]"),
        ],
        ..of_matrix("linalg.solve", &[operand("a"), operand("b")], Class::Solution, MatrixShape::System, |e, asked| {
            let args = asked.operands.args.clone();
            vec![answer(e, asked, MatrixFunction::Solve, &args, "singular")]
        })
    },
    Op {
        summary: "the inverse of a square matrix",
        special: "`linalg.solve(a, b)` is faster and closer than `linalg.inv(a) @ b`. A matrix with a pivot that is exactly 0 is \
                  an error when the program runs",
        examples: &[("linalg.inv([[2.0, 0.0], [1.0, 4.0]])", "[[0.5, 0.0], [-0.125, 0.25]]")],
        ..of_matrix("linalg.inv", ONE, Class::Solution, MatrixShape::Square, |e, asked| {
            let args = asked.operands.args.clone();
            vec![answer(e, asked, MatrixFunction::Inverse, &args, "singular")]
        })
    },
    Op {
        summary: "the determinant of a square matrix",
        special: "It is the product of the pivots, so that of integers it may be off by a rounding",
        examples: &[("linalg.det([[2.0, 1.0], [1.0, 3.0]])", "5.0"), ("linalg.det(zeros((0, 0)))", "1.0")],
        ..of_matrix("linalg.det", ONE, Class::Factor, MatrixShape::Square, |e, asked| {
            let found = factor(e, MatrixFunction::Determinant, &asked.operands.args, None);
            vec![cell(e, found, 0)]
        })
    },
    Op {
        summary: "the sign of the determinant, and the logarithm of its magnitude",
        special: "For determinants beyond the range of a float. Of a singular matrix they are 0 and -inf; a complex sign has \
                  magnitude 1",
        examples: &[("linalg.slogdet([[0.0, 1.0], [1.0, 0.0]])[0]", "-1.0")],
        ..lined(
            "linalg.slogdet",
            ONE,
            Class::Factor,
            Lines::new(LineArrangement::Matrices(MatrixShape::Square), |e, asked| {
                let found = factor(e, MatrixFunction::Determinant, &asked.operands.args, None);
                let (sign, log) = (cell(e, found, 1), cell(e, found, 2));
                vec![sign, real(e, log)]
            })
            .giving(&[ResultDType::Decided, ResultDType::Part]),
        )
    },
    Op {
        summary: "the lower triangle l with l @ conj(l.T) = x, for a positive definite matrix",
        special: "Only the lower triangle of x is read. With `upper` it is conj(l.T). A matrix that is not positive definite is \
                  an error when the program runs",
        examples: &[("linalg.cholesky([[4.0, 2.0], [2.0, 5.0]])", "[[2.0, 0.0], [1.0, 2.0]]")],
        ..of_matrix("linalg.cholesky", &[X, flag("upper", "false")], Class::Factor, MatrixShape::Square, |e, asked| {
            let args = asked.operands.args.clone();
            let lower = answer(e, asked, MatrixFunction::Cholesky, &args, "not positive definite");
            vec![if asked.options.flags[0] { adjoint(e, lower) } else { lower }]
        })
    },
    Op {
        summary: "p, l, u with p @ l @ u = x: rows in another order, a lower triangle with ones on its diagonal, an upper one",
        special: "p is square; l has as many columns, and u as many rows, as the smaller side. Elements of l have magnitudes of at \
                  most 1. A matrix may be singular: then u has a 0 on its diagonal. A nan in x makes everything nan",
        examples: &[
            ("linalg.lu([[1.0, 2.0], [4.0, 6.0]])[0]", "[[0.0, 1.0], [1.0, 0.0]]"),
            ("linalg.lu([[1.0, 2.0], [4.0, 6.0]])[1]", "[[1.0, 0.0], [0.25, 1.0]]"),
            ("linalg.lu([[1.0, 2.0], [4.0, 6.0]])[2]", "[[4.0, 6.0], [0.0, 0.5]]"),
        ],
        ..lined(
            "linalg.lu",
            ONE,
            Class::Factor,
            Lines::new(LineArrangement::Matrices(MatrixShape::Any), triangles).counting(1).giving(&[
                ResultDType::Decided,
                ResultDType::Decided,
                ResultDType::Decided,
            ]),
        )
    },
    Op {
        summary: "q with orthogonal columns and an upper triangle r, with q @ r = x",
        special: "`mode` is \"reduced\": as many columns as the smaller side, \"complete\": all, or \"r\": the triangle alone. \
                  The signs of columns are those of the library",
        examples: &[("abs(linalg.qr([[3.0, 1.0], [4.0, 3.0]], mode=\"r\"))", "[[5.0, 3.0], [0.0, 1.0]]")],
        ..lined(
            "linalg.qr",
            &[X, Param { name: "mode", role: Role::Text, default: Some("\"reduced\"") }],
            Class::Factor,
            Lines::new(LineArrangement::Matrices(MatrixShape::Any), orthogonal)
                .counting(1)
                .words(&["reduced", "complete", "r"]),
        )
    },
    Op {
        summary: "u, s, vh with (u * s) @ vh = x: s are the singular values, the largest first",
        special: "u and vh have all rows and columns, or with full_matrices=false as many as the smaller side; with \
                  compute_uv=false s comes alone. If an element is no finite number, everything is nan",
        examples: &[("linalg.svd([[0.0, 2.0], [1.0, 0.0]])[1]", "[2.0, 1.0]")],
        ..lined(
            "linalg.svd",
            &[X, flag("full_matrices", "true"), flag("compute_uv", "true")],
            Class::Factor,
            Lines::new(LineArrangement::Matrices(MatrixShape::Any), singular).counting(1).giving(&[
                ResultDType::Decided,
                ResultDType::Part,
                ResultDType::Decided,
            ]),
        )
    },
    Op {
        summary: "the singular values, the largest first",
        special: "If an element is no finite number, all are nan",
        examples: &[("linalg.svdvals([[0.0, 2.0], [1.0, 0.0]])", "[2.0, 1.0]")],
        ..of_matrix("linalg.svdvals", ONE, Class::Values, MatrixShape::Any, |e, asked| {
            let x = asked.operands.args[0];
            vec![singular_values(e, asked, x)]
        })
    },
    Op {
        summary: "eigenvalues in ascending order, and eigenvectors as columns, of a symmetric or Hermitian matrix",
        special: "Only one triangle is read: the lower one, or with UPLO=\"U\" the upper one. If an element is no finite number, \
                  everything is nan",
        examples: &[("linalg.eigh([[2.0, 0.0], [0.0, 1.0]])[0]", "[1.0, 2.0]")],
        ..lined(
            "linalg.eigh",
            TRIANGLE,
            Class::Factor,
            Lines::new(LineArrangement::Matrices(MatrixShape::Square), |e, asked| {
                let x = lower(e, asked);
                let (values, vectors) = eigen(e, MatrixFunction::HermitianEigen, x);
                vec![real(e, values), vectors]
            })
            .giving(&[ResultDType::Part, ResultDType::Decided])
            .words(&["L", "U"]),
        )
    },
    Op {
        summary: "the eigenvalues of a symmetric or Hermitian matrix in ascending order",
        special: "As linalg.eigh",
        examples: &[("linalg.eigvalsh([[2.0, 1.0], [1.0, 2.0]])", "[1.0, 3.0]")],
        ..lined(
            "linalg.eigvalsh",
            TRIANGLE,
            Class::Values,
            Lines::new(LineArrangement::Matrices(MatrixShape::Square), |e, asked| {
                let x = lower(e, asked);
                let found = factor(e, MatrixFunction::HermitianEigenvalues, &[x], None);
                vec![row_of(e, found, 0)]
            })
            .words(&["L", "U"]),
        )
    },
    Op {
        summary: "eigenvalues and eigenvectors of any square matrix",
        special: "Complex numbers, also where all of them are real, in the order of the library. The vectors are columns of \
                  length 1 whose largest element is real. If an element is no finite number, everything is nan",
        examples: &[("linalg.eig([[0.0, 2.0], [0.0, 0.0]])[0]", "[0j, 0j]")],
        ..of_matrix("linalg.eig", ONE, Class::Eigenvalues, MatrixShape::Square, |e, asked| {
            let (values, vectors) = eigen(e, MatrixFunction::Eigen, asked.operands.args[0]);
            vec![values, vectors]
        })
    },
    Op {
        summary: "the eigenvalues of any square matrix, as complex numbers",
        special: "As linalg.eig",
        examples: &[("linalg.eigvals([[3.0]])", "[(3+0j)]")],
        ..of_matrix("linalg.eigvals", ONE, Class::Eigenvalues, MatrixShape::Square, |e, asked| {
            let found = factor(e, MatrixFunction::Eigenvalues, &asked.operands.args, None);
            vec![row_of(e, found, 0)]
        })
    },
    Op {
        summary: "the x for which a @ x is closest to b; the squared distances; the rank of a; its singular values",
        special: "Of several it is the shortest x. Singular values below `rcond` times the largest one count as 0, the larger \
                  side times eps unless it is given",
        examples: &[("linalg.lstsq([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]], [1.0, 2.0, 3.0])[2]", "2")],
        ..written(
            "linalg.lstsq",
            &[operand("a"), operand("b"), maybe("rcond")],
            &[way("a, b", LEAST_SQUARES), way("a, b, rcond", LEAST_SQUARES_BY)],
        )
    },
    Op {
        summary: "the x of tensordot(a, x, x.ndim) = b: linalg.solve over several axes at once",
        special: "The first axes of a have the lengths of b, and the others, those of x, as many elements. Where other axes of a \
                  go along b, `moveaxis` brings them to the front. A singular a is an error when the program runs",
        examples: &[
            ("linalg.tensorsolve([[[1.0, 0.0], [0.0, 2.0]]], [[3.0, 4.0]])", "[3.0, 2.0]"),
            ("linalg.tensorsolve(reshape(2 * eye(4), (2, 2, 4)), ones((2, 2)))", "[0.5, 0.5, 0.5, 0.5]"),
        ],
        ..written(
            "linalg.tensorsolve",
            &[operand("a"), operand("b")],
            &[way("a, b", "reshape(linalg.solve(reshape(a, (b.size, b.size)), ravel(b)), a.shape[b.ndim:])")],
        )
    },
    Op {
        summary: "the inverse over several axes at once: tensordot(linalg.tensorinv(a, ind), b, ind) is linalg.tensorsolve(a, b)",
        special: "The first `ind` axes of a have as many elements as the others, and are the last of the result",
        examples: &[("linalg.tensorinv(reshape(2 * eye(4), (4, 2, 2)), ind=1)[1, 1]", "[0.0, 0.0, 0.0, 0.5]")],
        ..written(
            "linalg.tensorinv",
            &[operand("a"), Param { name: "ind", role: Role::Whole, default: Some("2") }],
            &[way("a, ind?", TENSOR_INVERSE)],
        )
    },
    Op {
        summary: "the pseudoinverse: the inverse where there is one, else what is closest to it",
        special: "Singular values below `rtol` times the largest one count as 0, the larger side times eps unless it is given",
        examples: &[("linalg.pinv([[2.0, 0.0], [0.0, 0.0]])", "[[0.5, 0.0], [0.0, 0.0]]")],
        ..written("linalg.pinv", &[X, maybe("rtol")], &[way("x", PSEUDO), way("x, rtol", PSEUDO_BY)])
    },
    Op {
        summary: "how many singular values are not 0, but for rounding",
        special: "Those above `tol`, or above `rtol` times the largest one, which is the larger side times eps unless it is given",
        examples: &[("linalg.matrix_rank([[1.0, 2.0], [2.0, 4.0]])", "1")],
        ..written(
            "linalg.matrix_rank",
            &[X, maybe("tol"), maybe("rtol")],
            &[
                way("x[]", "i64(any(x != 0))"),
                way("x", RANK),
                way("x, tol", "count_nonzero(linalg.svdvals(x) > (tol)[..., None], axis=-1)"),
                way("x, rtol", RANK_BY),
            ],
        )
    },
    Op {
        summary: "how much a matrix magnifies errors: the largest singular value divided by the smallest",
        special: "It is inf for a singular matrix. With `p` it is the norm of x times the norm of its inverse, by the norm of \
                  that `ord`",
        examples: &[("linalg.cond([[2.0, 0.0], [0.0, 0.5]])", "4.0")],
        ..written(
            "linalg.cond",
            &[X, maybe("p")],
            &[
                way(
                    "x",
                    "{\n  let s = linalg.svdvals(x)\n  let low = min(s, axis=-1)\n  where(low == 0, inf, max(s, axis=-1) / where(low == 0, 1, low))\n}",
                ),
                way("x, p", "linalg.norm(x, ord=p, axis=(-2, -1)) * linalg.norm(linalg.inv(x), ord=p, axis=(-2, -1))"),
            ],
        )
    },
    Op {
        summary: "a length of all elements, of vectors along an axis, or of matrices along two",
        special: "`ord` of vectors is 2 (without it), inf, -inf (the largest, smallest magnitude), 0 (how many are not 0) or p: \
                  sum(abs(x)**p) ** (1/p). Of matrices it is \"fro\" (without it), \"nuc\" (the sum of the singular \
                  values), 2, -2 (the largest, smallest of them), 1, -1 (of sums of columns), inf, -inf (of sums of rows). The \
                  largest of nothing is 0",
        examples: &[
            ("linalg.norm([3.0, 4.0])", "5.0"),
            ("linalg.norm([3.0, -4.0], ord=1)", "7.0"),
            ("linalg.norm([[1.0, 2.0], [3.0, 4.0]], ord=inf)", "7.0"),
        ],
        ..lined(
            "linalg.norm",
            &[
                X,
                Param { name: "ord", role: Role::Norm, default: Some("None") },
                Param { name: "axis", role: Role::Axes, default: Some("None") },
                KEEP,
            ],
            Class::Variance,
            Lines::new(LineArrangement::Norms, norms::norm).counting(1).words(norms::WORDS),
        )
    },
    Op {
        summary: "a square matrix multiplied by itself n times",
        special: "n is known before anything runs. Of 0 it is the identity; of a negative n it is a power of the inverse, and then \
                  integers become floats",
        examples: &[
            ("linalg.matrix_power([[1, 1], [1, 0]], 10)", "[[89, 55], [55, 34]]"),
            ("linalg.matrix_power([[1, 1], [1, 0]], 0)", "[[1, 0], [0, 1]]"),
        ],
        ..row(
            "linalg.matrix_power",
            &[X, Param { name: "n", role: Role::Whole, default: None }],
            Class::Arithmetic,
            Form::Matrices(Matrices::Power),
        )
    },
    Op {
        summary: "e to the power of a square matrix: the sum of matrix_power(x, k) / k! over all k",
        special: "Of a diagonal matrix it is exp of the diagonal. `exp(x)` is that of each element. If an element is no finite \
                  number, everything is nan",
        examples: &[("linalg.expm([[0.0, 1.0], [0.0, 0.0]])", "[[1.0, 1.0], [0.0, 1.0]]")],
        ..of_matrix("linalg.expm", ONE, Class::Factor, MatrixShape::Square, |e, asked| {
            vec![factor(e, MatrixFunction::Exponential, &asked.operands.args, None)]
        })
    },
    Op {
        summary: "product of several matrices, from left to right",
        special: "As a @ b @ c. The first one may be a vector, which is a row, and the last one, which is a column",
        examples: &[("linalg.multi_dot(([[1, 2], [3, 4]], [[0, 1], [1, 0]], [1, 10]))", "[12, 34]")],
        ..row(
            "linalg.multi_dot",
            &[Param { name: "arrays", role: Role::Arrays, default: None }],
            Class::Arithmetic,
            Form::Matrices(Matrices::Chain),
        )
    },
    Op {
        summary: "the vector that is orthogonal to two vectors of length 3, or to those along an axis",
        special: "Other axes broadcast",
        examples: &[("linalg.cross([1, 0, 0], [0, 1, 0])", "[0, 0, 1]")],
        ..written(
            "linalg.cross",
            &[X, operand("y"), Param { name: "axis", role: Role::Axis, default: Some("-1") }],
            &[way(
                "x, y, axis?",
                "{
  let (a, b) = (moveaxis(x, axis, -1), moveaxis(y, axis, -1))
  assert a.shape[-1] == 3  # a cross product is of vectors with 3 elements, and x has others
  assert b.shape[-1] == 3  # a cross product is of vectors with 3 elements, and y has others
  let (p, q, r) = (a[..., 0], a[..., 1], a[..., 2])
  let (s, t, u) = (b[..., 0], b[..., 1], b[..., 2])
  let c = stack((q*u - r*t, r*s - p*u, p*t - q*s), axis=-1)  # products of narrow integers, and their differences, can wrap here
  moveaxis(c, -1, axis)
}",
            )],
        )
    },
];

// The largest singular value is the first one; where there are none nothing is larger than 0.

const RANK: &str =
    "linalg.matrix_rank(x, rtol=astype(max([x.shape[-2], x.shape[-1]]), (x / 1).real.dtype) * (x / 1).real.dtype.eps)";

const RANK_BY: &str = "{
  let s = linalg.svdvals(x)
  let top = sum(where(arange(s.shape[-1]) == 0, s, 0), axis=-1, keepdims=true)
  count_nonzero(s > top * rtol, axis=-1)
}";

const PSEUDO: &str =
    "linalg.pinv(x, astype(max([x.shape[-2], x.shape[-1]]), (x / 1).real.dtype) * (x / 1).real.dtype.eps)";

const PSEUDO_BY: &str = "{
  let (u, s, vh) = linalg.svd(x, full_matrices=false)
  let top = sum(where(arange(s.shape[-1]) == 0, s, 0), axis=-1, keepdims=true)
  let kept = s > top * rtol
  let t = where(kept, 1 / where(kept, s, 1), 0)
  (conj(swapaxes(vh, -1, -2)) * t[..., None, :]) @ conj(swapaxes(u, -1, -2))
}";

const TENSOR_INVERSE: &str = "{
  let n = zeros(a.shape[:ind]).size
  let turned = tensordot(zeros(a.shape[ind:]), zeros(a.shape[:ind]), axes=0)
  reshape(linalg.inv(reshape(a, (n, n))), turned.shape)
}";

const LEAST_SQUARES: &str =
    "linalg.lstsq(a, b, astype(max([a.shape[-2], a.shape[-1]]), (a / 1).real.dtype) * (a / 1).real.dtype.eps)";

const LEAST_SQUARES_BY: &str = "{
  let (u, s, vh) = linalg.svd(a, full_matrices=false)
  let top = sum(where(arange(s.shape[-1]) == 0, s, 0), axis=-1, keepdims=true)
  let kept = s > top * rcond
  let t = where(kept, 1 / where(kept, s, 1), 0)
  let x = (conj(swapaxes(vh, -1, -2)) * t[..., None, :]) @ (conj(swapaxes(u, -1, -2)) @ b)
  (x, sum(square(abs(b - a @ x)), axis=0), count_nonzero(kept, axis=-1), s)
}";
