//! Reductions, scans and products that are written with others.

use super::{API, Form, Home, JAX, MATLAB, NETS, NP, PANDAS, PYTHON, Row, SCIPY, STD, TF, TORCH, code, exact};

const fn form(params: &'static str, code: &'static str) -> Form {
    Form { params, code }
}

/// The rows.
pub(super) const ROWS: &[Row] = &[
    exact(
        &["average"],
        NP,
        &[
            form("x, axis?", "mean(x, axis=axis)"),
            form("x, axis?, weights", "sum(x*weights, axis=axis) / sum(weights)"),
        ],
    ),
    exact(&["avg"], MATLAB, &[form("x, axis?", "mean(x, axis=axis)")]),
    exact(&["fsum"], PYTHON, &[form("x", "sum(x)")]),
    exact(&["sumprod"], PYTHON, &[form("p, q", "dot(p, q)")]),
    exact(&["rms"], MATLAB, &[form("x, axis?", "sqrt(mean(square(x), axis=axis))")]),
    exact(&["sumsq"], MATLAB, &[form("x, axis?", "sum(square(x), axis=axis)")]),
    exact(&["mse"], MATLAB, &[form("x, y", "mean(square(x - y))")]),
    code(
        &["nanprod"],
        NP,
        &[form("x, axis?, keepdims?", "prod(where(isnan(x), 1, x), axis=axis, keepdims=keepdims)")],
        "",
    ),
    exact(&["nancumsum"], NP, &[form("x, axis?", "cumsum(where(isnan(x), 0, x), axis=axis)")]),
    exact(&["nancumprod"], NP, &[form("x, axis?", "cumprod(where(isnan(x), 1, x), axis=axis)")]),
    exact(&["nanargmin"], NP, &[form("x, axis?", "argmin(where(isnan(x), inf, x), axis=axis)")]),
    exact(&["nanargmax"], NP, &[form("x, axis?", "argmax(where(isnan(x), -inf, x), axis=axis)")]),
    exact(&["nanvar"], NP, &[form("x, axis?", "nanmean(square(x - nanmean(x, axis=axis, keepdims=true)), axis=axis)")]),
    exact(
        &["nanstd"],
        NP,
        &[form("x, axis?", "sqrt(nanmean(square(x - nanmean(x, axis=axis, keepdims=true)), axis=axis))")],
    ),
    exact(&["torch.std"], TORCH, &[form("x, axis?, keepdims?", "std(x, axis=axis, ddof=1, keepdims=keepdims)")]),
    exact(&["torch.var"], TORCH, &[form("x, axis?, keepdims?", "var(x, axis=axis, ddof=1, keepdims=keepdims)")]),
    exact(
        &["torch.std_mean", "std_mean"],
        TORCH,
        &[form("x, axis?", "(std(x, axis=axis, ddof=1), mean(x, axis=axis))")],
    ),
    exact(
        &["torch.var_mean", "var_mean"],
        TORCH,
        &[form("x, axis?", "(var(x, axis=axis, ddof=1), mean(x, axis=axis))")],
    ),
    exact(
        &["torch.max"],
        TORCH,
        &[
            form("x", "max(x)"),
            form(
                "x, axis, keepdims?",
                "(max(x, axis=axis, keepdims=keepdims), argmax(x, axis=axis, keepdims=keepdims))",
            ),
        ],
    ),
    exact(
        &["torch.min"],
        TORCH,
        &[
            form("x", "min(x)"),
            form(
                "x, axis, keepdims?",
                "(min(x, axis=axis, keepdims=keepdims), argmin(x, axis=axis, keepdims=keepdims))",
            ),
        ],
    ),
    exact(&["aminmax"], TORCH, &[form("x", "(min(x), max(x))")]),
    exact(&["idxmax"], PANDAS, &[form("x", "argmax(x)")]),
    exact(&["idxmin"], PANDAS, &[form("x", "argmin(x)")]),
    exact(&["pct_change"], PANDAS, &[form("x", "x[1:]/x[:-1] - 1")]),
    exact(&["zscore"], SCIPY, &[form("x", "(x - mean(x)) / std(x)")]),
    exact(
        &["standardize"],
        JAX,
        &[form("x", "(x - mean(x, axis=-1, keepdims=true)) / std(x, axis=-1, keepdims=true)")],
    ),
    exact(&["allclose"], STD, &[form("x, y, rtol?, atol?", "all(isclose(x, y, rtol=rtol, atol=atol))")]),
    code(&["array_equal", "array_equiv"], NP, &[form("x, y", "all(x == y)")], "of arrays of one shape"),
    code(&["isequal"], MATLAB, &[form("x, y", "all(x == y)")], "of arrays of one shape"),
    exact(
        &["softmax", "special.softmax"],
        NETS,
        &[
            form(
                "x",
                "exp(x - max(x, axis=-1, keepdims=true)) / sum(exp(x - max(x, axis=-1, keepdims=true)), axis=-1, keepdims=true)",
            ),
            form(
                "x, axis",
                "exp(x - max(x, axis=axis, keepdims=true)) / sum(exp(x - max(x, axis=axis, keepdims=true)), axis=axis, keepdims=true)",
            ),
        ],
    ),
    exact(
        &["log_softmax"],
        NETS,
        &[
            form(
                "x",
                "x - max(x, axis=-1, keepdims=true) - log(sum(exp(x - max(x, axis=-1, keepdims=true)), axis=-1, keepdims=true))",
            ),
            form(
                "x, axis",
                "x - max(x, axis=axis, keepdims=true) - log(sum(exp(x - max(x, axis=axis, keepdims=true)), axis=axis, keepdims=true))",
            ),
        ],
    ),
    exact(
        &["logsumexp", "reduce_logsumexp"],
        SCIPY,
        &[
            form("x", "max(x) + log(sum(exp(x - max(x))))"),
            form("x, axis", "max(x, axis=axis) + log(sum(exp(x - max(x, axis=axis, keepdims=true)), axis=axis))"),
        ],
    ),
    // Ufuncs as reductions go along the first axis unless told otherwise.
    exact(&["add.reduce"], NP, &[form("x", "sum(x, axis=0)"), form("x, axis", "sum(x, axis=axis)")]),
    exact(&["multiply.reduce"], NP, &[form("x", "prod(x, axis=0)"), form("x, axis", "prod(x, axis=axis)")]),
    exact(&["maximum.reduce"], NP, &[form("x", "max(x, axis=0)"), form("x, axis", "max(x, axis=axis)")]),
    exact(&["minimum.reduce"], NP, &[form("x", "min(x, axis=0)"), form("x, axis", "min(x, axis=axis)")]),
    exact(&["logical_and.reduce"], NP, &[form("x", "all(x, axis=0)"), form("x, axis", "all(x, axis=axis)")]),
    exact(&["logical_or.reduce"], NP, &[form("x", "any(x, axis=0)"), form("x, axis", "any(x, axis=axis)")]),
    exact(&["add.accumulate"], NP, &[form("x", "cumsum(x, axis=0)"), form("x, axis", "cumsum(x, axis=axis)")]),
    exact(&["multiply.accumulate"], NP, &[form("x", "cumprod(x, axis=0)"), form("x, axis", "cumprod(x, axis=axis)")]),
    exact(&["maximum.accumulate"], NP, &[form("x", "cummax(x, axis=0)"), form("x, axis", "cummax(x, axis=axis)")]),
    exact(&["minimum.accumulate"], NP, &[form("x", "cummin(x, axis=0)"), form("x, axis", "cummin(x, axis=axis)")]),
    code(&["subtract.outer"], NP, &[form("a, b", "a[:, None] - b")], "of vectors"),
    code(&["add.outer"], NP, &[form("a, b", "a[:, None] + b")], "of vectors"),
    code(&["multiply.outer"], NP, &[form("a, b", "a[:, None] * b")], "of vectors"),
    // Products
    code(&["outer", "linalg.outer", "ger"], STD, &[form("a, b", "a[:, None] * b")], "of vectors"),
    code(&["inner"], NP, &[form("a, b", "dot(a, b)")], "where b is a vector"),
    code(&["matvec", "mv"], NP, &[form("a, x", "dot(a, x)")], "of real numbers, where a is a matrix and x a vector"),
    code(&["vecmat"], NP, &[form("x, a", "dot(a.T, conj(x))")], "where a is a matrix and x a vector"),
    exact(&["vdot"], NP, &[form("a, b", "sum(conj(ravel(a)) * ravel(b))")]),
    exact(
        &["vecdot", "linalg.vecdot"],
        API,
        &[form("a, b", "sum(conj(a) * b, axis=-1)"), form("a, b, axis", "sum(conj(a) * b, axis=axis)")],
    ),
    code(
        &["matmul", "linalg.matmul", "mm", "mtimes"],
        STD,
        &[form("a, b", "sum(a[:, :, None] * b, axis=1)")],
        "of matrices that are not too large; `dot(a, v)` is the product of a matrix and a vector",
    ),
    code(
        &["bmm"],
        TORCH,
        &[form("a, b", "sum(a[:, :, :, None] * b[:, None], axis=2)")],
        "of matrices that are not too large",
    ),
    code(&["kron"], NP, &[form("a, b", "ravel(a[:, None] * b)")], "of vectors"),
    code(
        &["cross", "linalg.cross"],
        STD,
        &[form("a, b", "roll(a, -1)*roll(b, -2) - roll(a, -2)*roll(b, -1)")],
        "of two vectors of length 3; for rows of them add `axis=-1` to each `roll`",
    ),
    code(
        &["trace", "linalg.trace"],
        STD,
        &[form("x", "sum(take(ravel(x), arange(x.shape[0])*(x.shape[1] + 1)))")],
        "of a square matrix",
    ),
    code(
        &["linalg.det", "det"],
        NP,
        &[form("a", "a[0, 0]*a[1, 1] - a[0, 1]*a[1, 0]")],
        "of a 2 by 2 matrix; there is no linear algebra yet",
    ),
    exact(
        &["linalg.matrix_norm", "matrix_norm"],
        API,
        &[form("x, keepdims?", "norm(x, axis=(-2, -1), keepdims=keepdims)")],
    ),
    code(
        &["cov"],
        NP,
        &[
            form("x, y", "sum((x - mean(x)) * (y - mean(y))) / (x.size - 1)"),
            form(
                "x",
                "sum((x - mean(x, axis=1, keepdims=true))[:, None] * (x - mean(x, axis=1, keepdims=true)), axis=-1) / (x.shape[1] - 1)",
            ),
        ],
        "of two vectors the covariance of both; of a matrix that of its rows",
    ),
    code(
        &["corrcoef", "corr"],
        NP,
        &[form("x, y", "mean((x - mean(x)) * (y - mean(y))) / (std(x) * std(y))")],
        "of two vectors the coefficient of both",
    ),
    exact(
        &["trapezoid", "trapz"],
        NP,
        &[
            form("y", "sum((y[1:] + y[:-1]) / 2)"),
            form("y, x", "sum((y[1:] + y[:-1])/2 * diff(x))"),
            form("y, dx", "sum((y[1:] + y[:-1]) / 2) * dx"),
        ],
    ),
    code(
        &["gradient"],
        NP,
        &[
            form("y", "concat([y[1:2] - y[:1], (y[2:] - y[:-2]) / 2, y[-1:] - y[-2:-1]])"),
            form("y, dx", "concat([y[1:2] - y[:1], (y[2:] - y[:-2]) / 2, y[-1:] - y[-2:-1]]) / dx"),
        ],
        "along one axis, at equal distances",
    ),
    code(
        &["convolve"],
        NP,
        &[form(
            "x, k",
            "sum(take(pad(x, k.size - 1), arange(x.size + k.size - 1)[:, None] + arange(k.size)) * flip(k), axis=1)",
        )],
        "the full convolution of vectors; for a short kernel a sum of slices is faster: `k[1]*x[1:] + k[0]*x[:-1]`",
    ),
    code(
        &["correlate"],
        NP,
        &[form("x, k", "sum(take(x, arange(x.size - k.size + 1)[:, None] + arange(k.size)) * k, axis=1)")],
        "where the kernel lies inside (mode=\"valid\")",
    ),
    exact(&["ediff1d"], NP, &[form("x", "diff(ravel(x))")]),
    exact(&["polyval"], NP, &[form("p, x", "sum(p * x[:, None]**arange(p.size)[::-1], axis=-1)")]),
    exact(&["mean_squared_error", "mse_loss"], TF, &[form("x, y", "mean(square(x - y))")]),
    exact(&["l1_loss"], TORCH, &[form("x, y", "mean(abs(x - y))")]),
    exact(&["cosine_similarity"], TORCH, &[form("a, b", "dot(a, b) / (norm(a) * norm(b))")]),
    exact(&["frobenius_norm"], &[Home::Torch], &[form("x", "norm(x)")]),
    exact(&["one_hot"], NETS, &[form("labels, n", "f32(labels[..., None] == arange(n))")]),
    code(
        &["cross_entropy"],
        TORCH,
        &[form(
            "logits, labels",
            "mean(log(sum(exp(logits), axis=1)) - take(ravel(logits), arange(labels.size)*logits.shape[1] + labels))",
        )],
        "for logits that are not large; subtract their maximum first",
    ),
    code(
        &["bincount"],
        NP,
        &[form("x, weights?, minlength", "count_nonzero(x[:, None] == arange(minlength), axis=0)")],
        "it takes n*bins steps; the number of bins is known before anything runs",
    ),
];
