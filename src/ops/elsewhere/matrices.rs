//! Functions of matrices that differ in one library from all others.

use super::{ElsewhereRow, SCIPY, TF, TORCH, advice, exact, form};

/// The singular values between the left and the right vectors, which are columns. Vectors without a value are left out.
const SOME: &str = "(linalg.svd(x, full_matrices=false)[0], linalg.svd(x, full_matrices=false)[1], \
     conj(swapaxes(linalg.svd(x, full_matrices=false)[2], -1, -2)))";
const ALL: &str = "(linalg.svd(x)[0], linalg.svd(x)[1], conj(swapaxes(linalg.svd(x)[2], -1, -2)))";
/// The values first.
const VALUES_AND_SOME: &str = "(linalg.svd(x, full_matrices=false)[1], linalg.svd(x, full_matrices=false)[0], \
     conj(swapaxes(linalg.svd(x, full_matrices=false)[2], -1, -2)))";
const VALUES_AND_ALL: &str = "(linalg.svd(x)[1], linalg.svd(x)[0], conj(swapaxes(linalg.svd(x)[2], -1, -2)))";

/// The rows.
pub(super) static ROWS: &[ElsewhereRow] = &[
    exact(
        &["torch.linalg.matrix_norm"],
        TORCH,
        &[
            form("x", "norm(x, axis=(-2, -1))"),
            form("x, ord", "linalg.norm(x, ord=ord, axis=(-2, -1))"),
            form("x, ord, axis, keepdims?", "linalg.norm(x, ord=ord, axis=axis, keepdims=keepdims)"),
            form("x, axis, keepdims?", "norm(x, axis=axis, keepdims=keepdims)"),
            form("x, keepdims", "norm(x, axis=(-2, -1), keepdims=keepdims)"),
            form("x, ord, keepdims", "linalg.norm(x, ord=ord, axis=(-2, -1), keepdims=keepdims)"),
        ],
    ),
    // Along several axes this is a norm of a vector too, not of a matrix. `axis + 0` takes one number alone.
    exact(
        &["torch.linalg.vector_norm"],
        TORCH,
        &[
            form("x", "norm(x)"),
            form("x, ord", "linalg.norm(ravel(x), ord=ord)"),
            form("x, ord, axis, keepdims?", "linalg.norm(x, ord=ord, axis=axis + 0, keepdims=keepdims)"),
            form("x, axis, keepdims?", "norm(x, axis=axis, keepdims=keepdims)"),
            form("x, keepdims", "norm(x, keepdims=keepdims)"),
        ],
    ),
    exact(
        &["torch.norm"],
        TORCH,
        &[
            form("x", "norm(x)"),
            form("x, p=fro", "norm(x)"),
            form("x, p", "linalg.norm(ravel(x), ord=p)"),
            form("x, p=fro, axis, keepdims?", "norm(x, axis=axis, keepdims=keepdims)"),
            form("x, p, axis, keepdims?", "linalg.norm(x, ord=p, axis=axis + 0, keepdims=keepdims)"),
            form("x, axis, keepdims?", "norm(x, axis=axis, keepdims=keepdims)"),
            form("x, keepdims", "norm(x, keepdims=keepdims)"),
        ],
    ),
    exact(
        &["tf.norm", "tf.linalg.norm"],
        TF,
        &[
            form("x", "norm(x)"),
            form("x, ord=euclidean", "norm(x)"),
            form("x, ord", "linalg.norm(ravel(x), ord=ord)"),
            form("x, ord=euclidean, axis, keepdims?", "norm(x, axis=axis, keepdims=keepdims)"),
            form("x, ord, axis, keepdims?", "linalg.norm(x, ord=ord, axis=axis, keepdims=keepdims)"),
            form("x, axis, keepdims?", "norm(x, axis=axis, keepdims=keepdims)"),
            form("x, keepdims", "norm(x, keepdims=keepdims)"),
        ],
    ),
    exact(&["torch.svd"], TORCH, &[form("x", SOME), form("x, some=true", SOME), form("x, some=false", ALL)]),
    exact(
        &["tf.svd", "tf.linalg.svd"],
        TF,
        &[
            form("x", VALUES_AND_SOME),
            form("x, full_matrices=false", VALUES_AND_SOME),
            form("x, full_matrices=true", VALUES_AND_ALL),
            form("x, compute_uv=false", "linalg.svdvals(x)"),
            form("x, full_matrices, compute_uv=false", "linalg.svdvals(x)"),
            form("x, full_matrices=false, compute_uv=true", VALUES_AND_SOME),
            form("x, full_matrices=true, compute_uv=true", VALUES_AND_ALL),
        ],
    ),
    exact(
        &["scipy.linalg.qr"],
        SCIPY,
        &[
            form("x", "linalg.qr(x, mode=\"complete\")"),
            form("x, mode=full", "linalg.qr(x, mode=\"complete\")"),
            form("x, mode=economic", "linalg.qr(x)"),
        ],
    ),
    exact(
        &["scipy.linalg.cholesky"],
        SCIPY,
        &[
            form("x", "linalg.cholesky(x, upper=true)"),
            form("x, lower=false", "linalg.cholesky(x, upper=true)"),
            form("x, lower=true", "linalg.cholesky(x)"),
        ],
    ),
    exact(&["tf.linalg.lstsq"], TF, &[form("a, b", "linalg.lstsq(a, b)[0]")]),
    advice(
        &["torch.lu", "tf.linalg.lu"],
        TORCH,
        "both triangles are in one matrix there: `let (p, l, u) = linalg.lu(x)` gives three, \
         with `p @ l @ u` equal to x",
    ),
    // The axis is the first one of length 3.
    exact(
        &["torch.cross"],
        TORCH,
        &[
            form("x, y", "linalg.cross(x, y, axis=i64(x.shape[0] != 3))"),
            form("x, y, axis", "linalg.cross(x, y, axis=axis)"),
        ],
    ),
    exact(
        &["torch.linalg.vander"],
        TORCH,
        &[form("x", "x[..., None] ** arange(x.shape[-1])"), form("x, n", "x[..., None] ** arange(n)")],
    ),
];
