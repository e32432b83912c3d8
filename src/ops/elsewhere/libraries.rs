//! Losses and activations of networks, and what SciPy's modules have.

use super::{CallForm, Elsewhere, JAX, NETS, SCIPY, TORCH, advice, code, exact, form};

/// A loss of each pair, and what becomes of all of them.
const fn loss(each: &'static [(&'static str, &'static str)]) -> [CallForm; 4] {
    [
        form("x, y", "mean($each)").with(each),
        form("x, y, reduction=\"mean\"", "mean($each)").with(each),
        form("x, y, reduction=\"sum\"", "sum($each)").with(each),
        form("x, y, reduction=\"none\"", "$each").with(each),
    ]
}

/// The rows.
pub(super) static ROWS: &[Elsewhere] = &[
    // Networks
    exact(
        &["softshrink"],
        TORCH,
        &[
            form("x", "where(abs(x) <= 0.5, 0, x - 0.5*sign(x))"),
            form("x, lambd", "where(abs(x) <= lambd, 0, x - lambd*sign(x))"),
        ],
    ),
    exact(
        &["hardshrink"],
        TORCH,
        &[form("x", "where(abs(x) <= 0.5, 0, x)"), form("x, lambd", "where(abs(x) <= lambd, 0, x)")],
    ),
    exact(&["nn.threshold"], TORCH, &[form("x, threshold, value", "where(x <= threshold, value, x)")]),
    exact(&["mean_squared_error", "mse_loss"], NETS, &loss(&[("each", "square(x - y)")])),
    exact(&["l1_loss"], TORCH, &loss(&[("each", "abs(x - y)")])),
    exact(
        &["smooth_l1_loss", "huber_loss"],
        TORCH,
        &loss(&[("each", "where(abs(x - y) < 1, 0.5*square(x - y), abs(x - y) - 0.5)")]),
    ),
    exact(
        &["binary_cross_entropy"],
        TORCH,
        &loss(&[("each", "-(y*maximum(log(x), -100) + (1 - y)*maximum(log1p(-x), -100))")]),
    ),
    exact(
        &["binary_cross_entropy_with_logits"],
        TORCH,
        &loss(&[("each", "maximum(x, 0) - x*y + log1p(exp(-abs(x)))")]),
    ),
    exact(&["torch.kl_div"], TORCH, &loss(&[("each", "where(y == 0, 0, y*log(y)) - x*y")])),
    exact(&["nll_loss"], TORCH, &[form("x, labels", "-mean(take_along_axis(x, i64(labels)[:, None], axis=1))")]),
    exact(
        &["cross_entropy"],
        TORCH,
        &[form("logits, labels", "-mean(take_along_axis(log_softmax(logits, axis=1), i64(labels)[:, None], axis=1))")],
    ),
    exact(&["pairwise_distance"], TORCH, &[form("x, y", "norm(x - y + 1e-6, axis=-1)")]),
    exact(
        &["cosine_similarity"],
        TORCH,
        &[
            form(
                "a, b",
                "sum(a*b, axis=i64(a.ndim > 1)) / (maximum(norm(a, axis=i64(a.ndim > 1)), 1e-8) * maximum(norm(b, axis=i64(a.ndim > 1)), 1e-8))",
            ),
            form(
                "a, b, axis",
                "sum(a*b, axis=axis) / (maximum(norm(a, axis=axis), 1e-8) * maximum(norm(b, axis=axis), 1e-8))",
            ),
        ],
    ),
    exact(
        &["glu"],
        NETS,
        &[
            form("x", "split(x, 2, axis=-1)[0] * sigmoid(split(x, 2, axis=-1)[1])"),
            form("x, axis", "split(x, 2, axis=axis)[0] * sigmoid(split(x, 2, axis=axis)[1])"),
        ],
    ),
    exact(&["addcmul"], TORCH, &[form("x, a, b", "x + a*b"), form("x, a, b, value", "x + value*a*b")]),
    exact(&["addcdiv"], TORCH, &[form("x, a, b", "x + a/b"), form("x, a, b, value", "x + value*(a/b)")]),
    exact(&["lax.rev"], JAX, &[form("x, axis", "flip(x, axis=axis)")]),
    exact(&["lax.argmax"], JAX, &[form("x, axis, dtype", "astype(argmax(x, axis=axis), dtype)")]),
    exact(&["lax.argmin"], JAX, &[form("x, axis, dtype", "astype(argmin(x, axis=axis), dtype)")]),
    advice(
        &["lax.pad"],
        JAX,
        "margins are `pad(x, ((1, 2),), value=0.0)`, a pair for each axis; there is nothing between elements",
    ),
    advice(
        &["lax.dynamic_slice", "lax.dynamic_update_slice", "dynamic_update_slice_in_dim"],
        JAX,
        "the bounds of a slice may be computed, `x[i:i + 3]`; a variable takes others there, `y[i:i + 3] = values`",
    ),
    // SciPy
    exact(
        &["scipy.fftconvolve"],
        SCIPY,
        &[form("x, y", "convolve(x / 1, y / 1)"), form("x, y, mode", "convolve(x / 1, y / 1, mode=mode)")],
    ),
    exact(&["scipy.euclidean"], SCIPY, &[form("x, y", "norm(x / 1 - y / 1)")]),
    exact(&["scipy.sqeuclidean"], SCIPY, &[form("x, y", "sum(square(x / 1 - y / 1))")]),
    exact(&["scipy.cityblock"], SCIPY, &[form("x, y", "sum(abs(x / 1 - y / 1))")]),
    exact(&["scipy.chebyshev"], SCIPY, &[form("x, y", "max(abs(x / 1 - y / 1))")]),
    exact(
        &["rel_entr"],
        SCIPY,
        &[form(
            "x, y",
            "where((x > 0) & (y > 0), x*log(x/y), where((x == 0) & (y >= 0), 0, where(isnan(x) | isnan(y), nan, inf)))",
        )],
    ),
    exact(
        &["scipy.kl_div"],
        SCIPY,
        &[form(
            "x, y",
            "where((x > 0) & (y > 0), x*log(x/y) - x + y, where((x == 0) & (y >= 0), y, where(isnan(x) | isnan(y), nan, inf)))",
        )],
    ),
    exact(
        &["huber"],
        SCIPY,
        &[form(
            "delta, r",
            "where(delta < 0, inf, where(abs(r) <= delta, 0.5*square(r / 1), delta*(abs(r) - 0.5*delta)))",
        )],
    ),
    exact(
        &["pseudo_huber"],
        SCIPY,
        &[form(
            "delta, r",
            "where(delta < 0, inf, where((delta == 0) | (r == 0), 0, square(delta)*expm1(0.5*log1p(square(r/delta)))))",
        )],
    ),
    exact(&["exprel"], SCIPY, &[form("x", "where(x == 0, 1, where(x > 717, inf, expm1(x)/x))")]),
    exact(&["boxcox"], SCIPY, &[form("x, lmbda", "where(lmbda == 0, log(x), expm1(lmbda*log(x))/lmbda)")]),
    exact(&["inv_boxcox"], SCIPY, &[form("x, lmbda", "where(lmbda == 0, exp(x), exp(log1p(lmbda*x)/lmbda))")]),
    exact(&["exp10"], SCIPY, &[form("x", "10.0**x")]),
    exact(
        &["gmean"],
        SCIPY,
        &[form("x", "exp(mean(log(x), axis=0))"), form("x, axis", "exp(mean(log(x), axis=axis))")],
    ),
    exact(&["hmean"], SCIPY, &[form("x", "1 / mean(1/x, axis=0)"), form("x, axis", "1 / mean(1/x, axis=axis)")]),
    exact(
        &["scipy.skew"],
        SCIPY,
        &[
            form("x", "mean((x - mean(x, axis=0, keepdims=true))**3, axis=0) / var(x, axis=0)**1.5"),
            form("x, axis", "mean((x - mean(x, axis=axis, keepdims=true))**3, axis=axis) / var(x, axis=axis)**1.5"),
        ],
    ),
    exact(
        &["scipy.kurtosis"],
        SCIPY,
        &[
            form("x", "mean((x - mean(x, axis=0, keepdims=true))**4, axis=0) / var(x, axis=0)**2 - 3"),
            form("x, axis", "mean((x - mean(x, axis=axis, keepdims=true))**4, axis=axis) / var(x, axis=axis)**2 - 3"),
        ],
    ),
    exact(
        &["scipy.variation"],
        SCIPY,
        &[form("x", "std(x, axis=0) / mean(x, axis=0)"), form("x, axis", "std(x, axis=axis) / mean(x, axis=axis)")],
    ),
    exact(
        &["median_abs_deviation"],
        SCIPY,
        &[
            form("x", "median(abs(x - median(x, axis=0, keepdims=true)), axis=0)"),
            form("x, axis", "median(abs(x - median(x, axis=axis, keepdims=true)), axis=axis)"),
        ],
    ),
    exact(
        &["scipy.entropy"],
        SCIPY,
        &[form("p", "-sum(where(p == 0, 0, p / sum(p, axis=0) * log(p / sum(p, axis=0))), axis=0)")],
    ),
    exact(
        &["zscore"],
        SCIPY,
        &[
            form("x", "(x - mean(x, axis=0, keepdims=true)) / std(x, axis=0, ddof=0, keepdims=true)"),
            form("x, axis", "(x - mean(x, axis=axis, keepdims=true)) / std(x, axis=axis, ddof=0, keepdims=true)"),
            form(
                "x, axis, ddof",
                "(x - mean(x, axis=axis, keepdims=true)) / std(x, axis=axis, ddof=ddof, keepdims=true)",
            ),
            form("x, ddof", "(x - mean(x, axis=0, keepdims=true)) / std(x, axis=0, ddof=ddof, keepdims=true)"),
        ],
    ),
    exact(
        &["scipy.detrend"],
        SCIPY,
        &[
            form("x, type=\"constant\"", "x - mean(x, axis=-1, keepdims=true)"),
            form("x, axis, type=\"constant\"", "x - mean(x, axis=axis, keepdims=true)"),
        ],
    ),
    exact(
        &["scipy.correlate"],
        SCIPY,
        &[
            form("x, y", "correlate(x, y, mode=\"full\")"),
            form("x, y, mode=\"full\"", "correlate(x, y, mode=\"full\")"),
            form("x, y, mode=\"valid\"", "correlate(x, y, mode=\"valid\")"),
        ],
    ),
    exact(
        &["ndimage.maximum_filter", "ndimage.maximum_filter1d"],
        SCIPY,
        &[form(
            "x, size",
            "max(sliding_window_view(pad(x, (size//2, size - 1 - size//2), mode=\"symmetric\"), size), axis=-1)",
        )],
    ),
    exact(
        &["ndimage.minimum_filter", "ndimage.minimum_filter1d"],
        SCIPY,
        &[form(
            "x, size",
            "min(sliding_window_view(pad(x, (size//2, size - 1 - size//2), mode=\"symmetric\"), size), axis=-1)",
        )],
    ),
    exact(
        &["ndimage.median_filter"],
        SCIPY,
        &[form(
            "x, size",
            "sort(sliding_window_view(pad(x, (size//2, size - 1 - size//2), mode=\"symmetric\"), size), axis=-1)[..., size//2]",
        )],
    ),
    exact(
        &["block_diag"],
        SCIPY,
        &[form(
            "a, b",
            "block([[atleast_2d(a), zeros((atleast_2d(a).shape[0], atleast_2d(b).shape[1]), dtype=a.dtype)], [zeros((atleast_2d(b).shape[0], atleast_2d(a).shape[1]), dtype=b.dtype), atleast_2d(b)]])",
        )],
    ),
    exact(
        &["toeplitz"],
        SCIPY,
        &[
            form("c", "take(concat([flip(conj(c[1:])), c]), arange(c.size)[:, None] - arange(c.size) + (c.size - 1))"),
            form("c, r", "take(concat([flip(r[1:]), c]), arange(c.size)[:, None] - arange(r.size) + (r.size - 1))"),
        ],
    ),
    exact(&["circulant"], SCIPY, &[form("c", "take(c, (arange(c.size)[:, None] - arange(c.size)) % c.size)")]),
    exact(
        &["hankel"],
        SCIPY,
        &[form("c", "take(concat([c, zeros_like(c[1:])]), arange(c.size)[:, None] + arange(c.size))")],
    ),
    exact(
        &["cumulative_trapezoid"],
        SCIPY,
        &[
            form("y", "cumsum((y[..., 1:] + y[..., :-1]) / 2, axis=-1)"),
            form("y, x", "cumsum(diff(x) * (y[..., 1:] + y[..., :-1]) / 2, axis=-1)"),
            form("y, dx", "cumsum(dx * (y[..., 1:] + y[..., :-1]) / 2, axis=-1)"),
            form(
                "y, initial=0",
                "concat([zeros_like((y / 2)[..., :1]), cumsum((y[..., 1:] + y[..., :-1]) / 2, axis=-1)], axis=-1)",
            ),
            form(
                "y, x, initial=0",
                "concat([zeros_like((y / 2)[..., :1]), cumsum(diff(x) * (y[..., 1:] + y[..., :-1]) / 2, axis=-1)], axis=-1)",
            ),
        ],
    ),
    code(&["pearsonr"], SCIPY, &[form("x, y", "corrcoef(x, y)[0, 1]")], "the correlation alone, without its p-value"),
    code(
        &["spearmanr"],
        SCIPY,
        &[form("x, y", "corrcoef(rank(x), rank(y))[0, 1]")],
        "the correlation alone, without its p-value",
    ),
    code(
        &["ndimage.convolve", "ndimage.convolve1d"],
        SCIPY,
        &[form("x, w", "convolve(pad(x, w.size//2, mode=\"symmetric\"), w, mode=\"valid\")")],
        "of vectors, with an odd number of weights",
    ),
    code(
        &["ndimage.correlate", "ndimage.correlate1d"],
        SCIPY,
        &[form("x, w", "correlate(pad(x, w.size//2, mode=\"symmetric\"), w, mode=\"valid\")")],
        "of vectors, with an odd number of weights",
    ),
    code(
        &["ndimage.uniform_filter", "ndimage.uniform_filter1d"],
        SCIPY,
        &[form(
            "x, size",
            "mean(sliding_window_view(pad(x, (size//2, size - 1 - size//2), mode=\"symmetric\"), size), axis=-1)",
        )],
        "of a vector of floats",
    ),
    advice(
        &["rearrange", "einops.rearrange", "einops.reduce", "einops.repeat"],
        TORCH,
        "axes are put in another order by `transpose(x, (0, 2, 1))`, and together or apart by `reshape(x, (2, -1))`",
    ),
];
