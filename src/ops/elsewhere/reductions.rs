//! Reductions, scans or products that are written with others.

use super::{API, ElsewhereRow, Home, JAX, MATLAB, NETS, NP, PANDAS, PYTHON, TF, TORCH, code, exact, form, noted};

/// Where no more numbers are left than `ddof` takes away.
const FEW_NUMBERS: &[(&str, &str)] = &[("few", "count_nonzero(not isnan(x), axis=axis, keepdims=keepdims) <= ddof")];

/// An array whose last axis has mean 0 and variance 1.
const NORMED: &[(&str, &str)] = &[(
    "normed",
    "assert x.shape[-1:] == normalized_shape  # `normalized_shape` is the length of the last axis, `(d,)`
  (x - mean(x, axis=-1, keepdims=true)) / sqrt(var(x, axis=-1, keepdims=true) + eps)",
)];

/// The rows.
pub(super) static ROWS: &[ElsewhereRow] = &[
    exact(&["avg"], MATLAB, &[form("x, axis?", "mean(x, axis=axis)")]),
    exact(&["fsum"], PYTHON, &[form("x", "sum(x)")]),
    exact(&["sumprod"], PYTHON, &[form("p, q", "dot(p, q)")]),
    exact(&["rms"], MATLAB, &[form("x", "sqrt(mean(square(x), axis=0))")]),
    exact(&["sumsq"], MATLAB, &[form("x", "sum(square(x), axis=0)")]),
    exact(&["reduce_std"], TF, &[form("x, axis?, keepdims?", "std(x, axis=axis, keepdims=keepdims)")]),
    exact(&["reduce_variance"], TF, &[form("x, axis?, keepdims?", "var(x, axis=axis, keepdims=keepdims)")]),
    exact(&["mse"], MATLAB, &[form("x, y", "mean(square(x - y))")]),
    exact(
        &["nanprod"],
        NP,
        &[
            form(
                "x, axis?, keepdims?, initial?",
                "prod(where(isnan(x), 1, x), axis=axis, keepdims=keepdims, initial=initial)",
            ),
            form(
                "x, dtype, axis?, keepdims?, initial?",
                "prod(where(isnan(x), 1, x), axis=axis, dtype=dtype, keepdims=keepdims, initial=initial)",
            ),
            form(
                "x, where, axis?, keepdims?, initial?",
                "prod(x, axis=axis, keepdims=keepdims, initial=initial, where=where and not isnan(x))",
            ),
            form(
                "x, where, dtype, axis?, keepdims?, initial?",
                "prod(x, axis=axis, dtype=dtype, keepdims=keepdims, initial=initial, where=where and not isnan(x))",
            ),
        ],
    ),
    exact(
        &["nancumsum"],
        NP,
        &[
            form("x, axis?", "cumsum(where(isnan(x), 0, x), axis=axis)"),
            form("x, dtype, axis?", "cumsum(where(isnan(x), 0, x), axis=axis, dtype=dtype)"),
        ],
    ),
    exact(
        &["nancumprod"],
        NP,
        &[
            form("x, axis?", "cumprod(where(isnan(x), 1, x), axis=axis)"),
            form("x, dtype, axis?", "cumprod(where(isnan(x), 1, x), axis=axis, dtype=dtype)"),
        ],
    ),
    exact(
        &["nanvar"],
        NP,
        &[
            form(
                "x, axis, ddof, keepdims?",
                "where($few, nan, var(x, axis=axis, ddof=ddof, keepdims=keepdims, where=not isnan(x)))",
            )
            .with(FEW_NUMBERS),
            form("x, axis?, keepdims?", "var(x, axis=axis, keepdims=keepdims, where=not isnan(x))"),
            form("x, dtype, axis?, keepdims?", "var(x, axis=axis, keepdims=keepdims, dtype=dtype, where=not isnan(x))"),
            form(
                "x, ddof, axis?, keepdims?",
                "where($few, nan, var(x, axis=axis, ddof=ddof, keepdims=keepdims, where=not isnan(x)))",
            )
            .with(FEW_NUMBERS),
            form(
                "x, dtype, ddof, axis?, keepdims?",
                "where($few, nan, var(x, axis=axis, ddof=ddof, keepdims=keepdims, dtype=dtype, where=not isnan(x)))",
            )
            .with(FEW_NUMBERS),
        ],
    ),
    exact(
        &["nanstd"],
        NP,
        &[
            form(
                "x, axis, ddof, keepdims?",
                "where($few, nan, std(x, axis=axis, ddof=ddof, keepdims=keepdims, where=not isnan(x)))",
            )
            .with(FEW_NUMBERS),
            form("x, axis?, keepdims?", "std(x, axis=axis, keepdims=keepdims, where=not isnan(x))"),
            form("x, dtype, axis?, keepdims?", "std(x, axis=axis, keepdims=keepdims, dtype=dtype, where=not isnan(x))"),
            form(
                "x, ddof, axis?, keepdims?",
                "where($few, nan, std(x, axis=axis, ddof=ddof, keepdims=keepdims, where=not isnan(x)))",
            )
            .with(FEW_NUMBERS),
            form(
                "x, dtype, ddof, axis?, keepdims?",
                "where($few, nan, std(x, axis=axis, ddof=ddof, keepdims=keepdims, dtype=dtype, where=not isnan(x)))",
            )
            .with(FEW_NUMBERS),
        ],
    ),
    exact(
        &["torch.std"],
        TORCH,
        &[
            form("x, axis, unbiased=true, keepdims?", "std(x, axis=axis, ddof=1, keepdims=keepdims)"),
            form("x, axis, unbiased=false, keepdims?", "std(x, axis=axis, keepdims=keepdims)"),
            form("x, unbiased=true", "std(x, ddof=1)"),
            form("x, unbiased=false", "std(x)"),
            form("x, axis?, keepdims?", "std(x, axis=axis, ddof=1, keepdims=keepdims)"),
            form("x, ddof, keepdims?", "std(x, ddof=ddof, keepdims=keepdims)"),
            form("x, axis, ddof, keepdims?", "std(x, axis=axis, ddof=ddof, keepdims=keepdims)"),
        ],
    ),
    exact(
        &["torch.var"],
        TORCH,
        &[
            form("x, axis, unbiased=true, keepdims?", "var(x, axis=axis, ddof=1, keepdims=keepdims)"),
            form("x, axis, unbiased=false, keepdims?", "var(x, axis=axis, keepdims=keepdims)"),
            form("x, unbiased=true", "var(x, ddof=1)"),
            form("x, unbiased=false", "var(x)"),
            form("x, axis?, keepdims?", "var(x, axis=axis, ddof=1, keepdims=keepdims)"),
            form("x, ddof, keepdims?", "var(x, ddof=ddof, keepdims=keepdims)"),
            form("x, axis, ddof, keepdims?", "var(x, axis=axis, ddof=ddof, keepdims=keepdims)"),
        ],
    ),
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
            form("x, other", "maximum(x, other)"),
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
            form("x, other", "minimum(x, other)"),
        ],
    ),
    // Of an even number it is the lower one, in the dtype of x.
    exact(&["torch.median"], TORCH, &[form("x", "where(isnan(max(x)), max(x), sort(ravel(x))[(x.size - 1) // 2])")]),
    exact(&["torch.nanmedian"], TORCH, &[form("x", "sort(ravel(x))[(count_nonzero(not isnan(x)) - 1) // 2]")]),
    code(
        &["sem"],
        &[Home::Pandas, Home::SciPy],
        &[form("x", "std(x, ddof=1) / sqrt(x.size)")],
        "where there is no nan",
    ),
    code(
        &["mad"],
        PANDAS,
        &[form("x", "mean(abs(x - mean(x)))")],
        "that of the median is `median(abs(x - median(x)))`",
    ),
    exact(&["aminmax"], TORCH, &[form("x", "(min(x), max(x))")]),
    code(&["idxmax"], PANDAS, &[form("x", "argmax(x)")], "where there is no nan"),
    code(&["idxmin"], PANDAS, &[form("x", "argmin(x)")], "where there is no nan"),
    code(
        &["pct_change"],
        PANDAS,
        &[form("x", "x[1:]/x[:-1] - 1")],
        "one element fewer: the first has nothing before it",
    ),
    exact(
        &["nn.standardize"],
        JAX,
        &[form("x", "(x - mean(x, axis=-1, keepdims=true)) / sqrt(var(x, axis=-1, keepdims=true) + 1e-5)")],
    ),
    exact(
        &["standardize"],
        JAX,
        &[form("x", "(x - mean(x, axis=-1, keepdims=true)) / std(x, axis=-1, keepdims=true)")],
    ),
    exact(&["torch.equal"], TORCH, &[form("x, y", "array_equal(x, y)")]),
    exact(&["array_equiv"], NP, &[form("x, y", "all(x == y)")]),
    // TensorFlow and `jax.lax` go along the first axis.
    exact(&["tf.argmax"], TF, &[form("x", "argmax(x, axis=0)"), form("x, axis", "argmax(x, axis=axis)")]),
    exact(&["tf.argmin"], TF, &[form("x", "argmin(x, axis=0)"), form("x, axis", "argmin(x, axis=axis)")]),
    exact(&["tf.cumsum", "lax.cumsum"], TF, &[form("x", "cumsum(x, axis=0)"), form("x, axis", "cumsum(x, axis=axis)")]),
    exact(
        &["tf.cumprod", "lax.cumprod"],
        TF,
        &[form("x", "cumprod(x, axis=0)"), form("x, axis", "cumprod(x, axis=axis)")],
    ),
    exact(&["lax.cummax"], JAX, &[form("x", "cummax(x, axis=0)"), form("x, axis", "cummax(x, axis=axis)")]),
    exact(&["lax.cummin"], JAX, &[form("x", "cummin(x, axis=0)"), form("x, axis", "cummin(x, axis=axis)")]),
    exact(&["tf.rank"], TF, &[form("x", "x.ndim")]),
    exact(&["corr"], PANDAS, &[form("x, y", "corrcoef(x, y)[0, 1]")]),
    code(&["isequal"], MATLAB, &[form("x, y", "all(x == y)")], "of arrays of one shape"),
    // Products
    exact(&["matvec", "mv"], NP, &[form("a, x", "(a @ x[..., None])[..., 0]")]),
    exact(&["vecmat"], NP, &[form("x, a", "(astype(conj(x), x.dtype)[..., None, :] @ a)[..., 0, :]")]),
    exact(&["vdot"], NP, &[form("a, b", "vecdot(ravel(a), ravel(b))")]),
    exact(
        &["addmm", "addmv", "baddbmm"],
        TORCH,
        &[form("b, x, y", "b + x @ y"), form("b, x, y, beta, alpha", "beta*b + alpha*(x @ y)")],
    ),
    exact(
        &["cdist"],
        TORCH,
        &[
            form("x, y", "sqrt(sum(square(x[..., :, None, :] - y[..., None, :, :]), axis=-1))"),
            form("x, y, p", "linalg.norm(x[..., :, None, :] - y[..., None, :, :], ord=p, axis=-1)"),
        ],
    ),
    exact(
        &["torch.normalize"],
        TORCH,
        &[
            form("x", "x / clip(linalg.norm(x, axis=1, keepdims=true), 1e-12)"),
            form("x, p", "x / clip(linalg.norm(x, ord=p, axis=1, keepdims=true), 1e-12)"),
            form("x, axis", "x / clip(linalg.norm(x, axis=axis, keepdims=true), 1e-12)"),
            form("x, p, axis", "x / clip(linalg.norm(x, ord=p, axis=axis, keepdims=true), 1e-12)"),
        ],
    ),
    noted(
        &["layer_norm"],
        TORCH,
        &[
            form("x, normalized_shape(), weight, bias, eps?1e-5", "{\n  $normed*weight + bias\n}").with(NORMED),
            form("x, normalized_shape(), weight, eps?1e-5", "{\n  $normed*weight\n}").with(NORMED),
            form("x, normalized_shape(), eps?1e-5", "{\n  $normed\n}").with(NORMED),
        ],
        "over the last axis, whose length is given as `(d,)`; over two it is the same with `axis=(-2, -1)`, \
         `(x - mean(x, axis=-1, keepdims=true)) / sqrt(var(x, axis=-1, keepdims=true) + 1e-5)`",
    ),
    exact(&["linear"], TORCH, &[form("x, w", "x @ w.T"), form("x, w, b", "x @ w.T + b")]),
    exact(
        &["linalg.trace"],
        API,
        &[
            form("x", "trace(x, axis1=-2, axis2=-1)"),
            form("x, offset", "trace(x, offset, axis1=-2, axis2=-1)"),
            form("x, dtype, offset?", "sum(diagonal(x, offset=offset, axis1=-2, axis2=-1), axis=-1, dtype=dtype)"),
        ],
    ),
    exact(&["logdet"], MATLAB, &[form("a", "linalg.slogdet(a)[1]")]),
    exact(
        &["linalg.matrix_norm", "matrix_norm"],
        API,
        &[
            form("x, keepdims?", "norm(x, axis=(-2, -1), keepdims=keepdims)"),
            form("x, ord, keepdims?", "linalg.norm(x, ord=ord, axis=(-2, -1), keepdims=keepdims)"),
        ],
    ),
    exact(
        &["linalg.vector_norm", "vector_norm"],
        API,
        &[
            form("x", "linalg.norm(ravel(x))"),
            form("x, ord", "linalg.norm(ravel(x), ord=ord)"),
            form("x, axis, keepdims?, ord?", "linalg.norm(x, ord=ord, axis=axis, keepdims=keepdims)"),
        ],
    ),
    // The array API adds integers as widely as `sum` does.
    noted(
        &["cumulative_sum"],
        API,
        &[
            form("x", "cumsum(astype(transpose(x, (0,)), sum(x).dtype))"),
            form("x, axis", "cumsum(astype(x, sum(x).dtype), axis=axis)"),
            form(
                "x, include_initial",
                "cumsum(astype(transpose(x, (0,)), sum(x).dtype), include_initial=include_initial)",
            ),
            form(
                "x, axis, include_initial",
                "cumsum(astype(x, sum(x).dtype), axis=axis, include_initial=include_initial)",
            ),
            form("x, dtype", "cumsum(transpose(x, (0,)), dtype=dtype)"),
            form("x, axis, dtype", "cumsum(x, axis=axis, dtype=dtype)"),
            form(
                "x, dtype, include_initial",
                "cumsum(transpose(x, (0,)), dtype=dtype, include_initial=include_initial)",
            ),
            form(
                "x, axis, dtype, include_initial",
                "cumsum(x, axis=axis, dtype=dtype, include_initial=include_initial)",
            ),
        ],
        "of more axes `axis` says along which one",
    ),
    noted(
        &["cumulative_prod"],
        API,
        &[
            form(
                "x, dtype?, include_initial?false",
                "cumprod(transpose(x, (0,)), dtype=dtype, include_initial=include_initial)",
            ),
            form(
                "x, axis, dtype?, include_initial?false",
                "cumprod(x, axis=axis, dtype=dtype, include_initial=include_initial)",
            ),
        ],
        "of more axes `axis` says along which one",
    ),
    exact(
        &["ediff1d"],
        NP,
        &[
            form("x", "diff(ravel(x))"),
            form("x, to_end", "concat([diff(ravel(x)), astype(ravel(to_end), x.dtype)])"),
            form("x, to_begin", "concat([astype(ravel(to_begin), x.dtype), diff(ravel(x))])"),
            form(
                "x, to_end, to_begin",
                "concat([astype(ravel(to_begin), x.dtype), diff(ravel(x)), astype(ravel(to_end), x.dtype)])",
            ),
        ],
    ),
    exact(
        &["polyval"],
        NP,
        &[form("p, x", "repeat p.size as i with y = zeros((x*p[0]).shape, dot(x, p[0]).dtype) { y*x + p[i] }")],
    ),
    exact(
        &["polyfit"],
        NP,
        &[form("x, y, deg", "linalg.lstsq((x + 0.0)[:, None] ** arange(deg, -1, -1), y + 0.0)[0]")],
    ),
    exact(&["frobenius_norm"], &[Home::Torch], &[form("x", "norm(x)")]),
    exact(&["torch.one_hot"], TORCH, &[form("labels, n", "i64(labels[..., None] == arange(n))")]),
    exact(
        &["tf.one_hot"],
        TF,
        &[
            form("labels, n", "f32(labels[..., None] == arange(n))"),
            form("labels, n, dtype", "astype(labels[..., None] == arange(n), dtype)"),
        ],
    ),
    exact(
        &["one_hot"],
        NETS,
        &[
            form("labels, n", "astype(labels[..., None] == arange(n), ones(0).dtype)"),
            form("labels, n, dtype", "astype(labels[..., None] == arange(n), dtype)"),
        ],
    ),
];
