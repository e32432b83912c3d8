//! Names of libraries for networks or science: losses, activations, SciPy's modules.

use super::{CallForm, ElsewhereRow, JAX, MATLAB, NETS, NP, SCIPY, TF, TORCH, advice, code, exact, form};

/// A loss of each pair, and what becomes of all of them.
const fn loss(each: &'static [(&'static str, &'static str)]) -> [CallForm; 4] {
    [
        form("x, y", "mean($each)").with(each),
        form("x, y, reduction=\"mean\"", "mean($each)").with(each),
        form("x, y, reduction=\"sum\"", "sum($each)").with(each),
        form("x, y, reduction=\"none\"", "$each").with(each),
    ]
}

/// A loss with a bound, which is 1 if nothing is said. `bounded` are the parameters with the bound, without and with the
/// three words.
const fn bent(bounded: [&'static str; 4], each: &'static [(&'static str, &'static str)]) -> [CallForm; 8] {
    let [plain, mean, sum, none] = bounded;
    let [a, b, c, d] = loss(BENT);
    let more = [form(plain, "mean($each)"), form(mean, "mean($each)"), form(sum, "sum($each)"), form(none, "$each")];
    let [e, f, g, h] = more;
    [a, b, c, d, e.with(each), f.with(each), g.with(each), h.with(each)]
}

/// The size of a difference of a pair, up to a bound squared and beyond it straight.
const BENT: &[(&str, &str)] = &[("each", "where(abs(x - y) < 1, 0.5*square(x - y), abs(x - y) - 0.5)")];
const BENT_AT_DELTA: &[(&str, &str)] =
    &[("each", "where(abs(x - y) < delta, 0.5*square(x - y), delta*(abs(x - y) - 0.5*delta))")];
const BENT_AT_BETA: &[(&str, &str)] =
    &[("each", "where(abs(x - y) < beta, 0.5*square(x - y)/beta, abs(x - y) - 0.5*beta)")];

/// The score of the class of each label: -100 says that there is none. Other negative labels are no classes.
const LABELLED: (&str, &str) = (
    "taken",
    "take_along_axis($scores, \
     where(i64(y) == -100, 0, where(i64(y) < 0, x.shape[1], i64(y)))[:, None], axis=1)",
);

/// What becomes of the scores of labels.
const fn labelled(scores: &'static [(&'static str, &'static str)]) -> [CallForm; 4] {
    [
        form("x, y", "-mean($taken, where=i64(y)[:, None] != -100)").with(scores),
        form("x, y, reduction=\"mean\"", "-mean($taken, where=i64(y)[:, None] != -100)").with(scores),
        form("x, y, reduction=\"sum\"", "-sum($taken, where=i64(y)[:, None] != -100)").with(scores),
        form("x, y, reduction=\"none\"", "where(i64(y) == -100, 0, -$taken[:, 0])").with(scores),
    ]
}

const KL: &[(&str, &str)] = &[("each", "where(y == 0, 0, y*log(y)) - x*y")];

/// Of vectors that are longer than 0; the shape is that of both.
const COSINE: &str = "sum(x1*x2, axis=$axis) / \
     (clip(norm(where(false, x1*x2, x1), axis=$axis), astype(f64(1e-8), norm(x1*x2).dtype)) * \
     clip(norm(where(false, x1*x2, x2), axis=$axis), astype(f64(1e-8), norm(x1*x2).dtype)))";

/// Where all elements are the same but for rounding, it is nan.
const ZSCORE: &str = "where(std(x, axis=$axis, ddof=$ddof, keepdims=true) <= \
     finfo(mean(x).dtype).eps*abs(mean(x, axis=$axis, keepdims=true)), nan, \
     (x - mean(x, axis=$axis, keepdims=true)) / std(x, axis=$axis, ddof=$ddof, keepdims=true))";
const SKEW: &str = "where(var(x, axis=$axis) <= square(finfo(mean(x).dtype).eps*mean(x, axis=$axis)), nan, \
     mean((x - mean(x, axis=$axis, keepdims=true))**3, axis=$axis) / var(x, axis=$axis)**1.5)";
const KURTOSIS: &str = "where(var(x, axis=$axis) <= square(finfo(mean(x).dtype).eps*mean(x, axis=$axis)), nan, \
     mean((x - mean(x, axis=$axis, keepdims=true))**4, axis=$axis) / var(x, axis=$axis)**2 - 3)";

/// Of parts that are divided by their sum.
const ENTROPY: &str = "sum(where($part == 0, 0, where($part < 0, -inf, -($part)*log($part))), axis=$axis)";
const DOWN: &[(&str, &str)] = &[("part", "p / sum(p, axis=$axis, keepdims=true)"), ("axis", "0")];
const ALONG: &[(&str, &str)] = &[("part", "p / sum(p, axis=$axis, keepdims=true)"), ("axis", "axis")];
const BASE_DOWN: &[(&str, &str)] =
    &[("entropy", ENTROPY), ("part", "p / sum(p, axis=$axis, keepdims=true)"), ("axis", "0")];
const BASE_ALONG: &[(&str, &str)] =
    &[("entropy", ENTROPY), ("part", "p / sum(p, axis=$axis, keepdims=true)"), ("axis", "axis")];
const RELATIVE: &[(&str, &str)] = &[
    (
        "entropy",
        "sum(where(($part > 0) & ($other > 0), $part*log($part/($other)), where(($part == 0) & ($other >= 0), 0, \
         where(isnan($part) | isnan($other), nan, inf))), axis=0)",
    ),
    ("part", "$p / sum($p, axis=0, keepdims=true)"),
    ("other", "$q / sum($q, axis=0, keepdims=true)"),
    ("p", "where(false, p/1 + q/1, p/1)"),
    ("q", "where(false, p/1 + q/1, q/1)"),
];

/// An operand in the dtype that it has together with others: a choice takes it there before a function does more.
const WITH_LAMBDA: &[(&str, &str)] = &[("x", "where(false, lmbda*(x / 1), x / 1)")];
const WITH_X: &[(&str, &str)] = &[("a", "where(false, x*a*b, a)")];

/// A convolution in SciPy's three modes; `same` is as long as x, also where y is longer.
const fn convolved(operands: &'static [(&'static str, &'static str)]) -> [CallForm; 4] {
    [
        form("x, y", "convolve($left, $right)").with(operands),
        form("x, y, mode=\"full\"", "convolve($left, $right)").with(operands),
        form("x, y, mode=\"same\"", "convolve($left, $right)[(y.size - 1)//2:][:x.size]").with(operands),
        form("x, y, mode=\"valid\"", "convolve($left, $right, mode=\"valid\")").with(operands),
    ]
}

/// The rows.
pub(super) static ROWS: &[ElsewhereRow] = &[
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
    exact(&["torch.threshold"], TORCH, &[form("x, threshold, value", "where(x <= threshold, value, x)")]),
    exact(&["mean_squared_error", "mse_loss"], NETS, &loss(&[("each", "square(x - y)")])),
    exact(&["l1_loss"], TORCH, &loss(&[("each", "abs(x - y)")])),
    exact(
        &["huber_loss"],
        TORCH,
        &bent(
            [
                "x, y, delta",
                "x, y, reduction=\"mean\", delta",
                "x, y, reduction=\"sum\", delta",
                "x, y, reduction=\"none\", delta",
            ],
            BENT_AT_DELTA,
        ),
    ),
    exact(
        &["smooth_l1_loss"],
        TORCH,
        &bent(
            [
                "x, y, beta",
                "x, y, reduction=\"mean\", beta",
                "x, y, reduction=\"sum\", beta",
                "x, y, reduction=\"none\", beta",
            ],
            BENT_AT_BETA,
        ),
    ),
    exact(
        &["binary_cross_entropy"],
        TORCH,
        &loss(&[("each", "-(y*clip(log(x), -100) + (1 - y)*clip(log1p(-x), -100))")]),
    ),
    exact(&["binary_cross_entropy_with_logits"], TORCH, &loss(&[("each", "(1 - y)*x + softplus(-x)")])),
    // That of `torch` itself gives each element.
    exact(
        &["nn.kl_div"],
        TORCH,
        &[
            form("x, y", "mean($each)").with(KL),
            form("x, y, reduction=\"mean\"", "mean($each)").with(KL),
            form("x, y, reduction=\"sum\"", "sum($each)").with(KL),
            form("x, y, reduction=\"none\"", "$each").with(KL),
            form("x, y, reduction=\"batchmean\"", "sum($each) / x.shape[0]").with(KL),
        ],
    ),
    exact(&["nll_loss"], TORCH, &labelled(&[LABELLED, ("scores", "x")])),
    exact(&["cross_entropy"], TORCH, &labelled(&[LABELLED, ("scores", "log_softmax(x, axis=1)")])),
    exact(&["pairwise_distance"], TORCH, &[form("x, y", "norm(x - y + 1e-6, axis=-1)")]),
    exact(
        &["cosine_similarity"],
        TORCH,
        &[
            form("x1, x2", COSINE).with(&[("axis", "i64((x1*x2).ndim > 1)")]),
            form("x1, x2, axis", COSINE).with(&[("axis", "axis")]),
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
    exact(
        &["addcmul"],
        TORCH,
        &[form("x, a, b", "x + $a*b").with(WITH_X), form("x, a, b, value", "x + value*$a*b").with(WITH_X)],
    ),
    exact(
        &["addcdiv"],
        TORCH,
        &[form("x, a, b", "x + $a/b").with(WITH_X), form("x, a, b, value", "x + value*($a/b)").with(WITH_X)],
    ),
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
    exact(&["scipy.fftconvolve"], SCIPY, &convolved(&[("left", "x / 1"), ("right", "y / 1")])),
    exact(&["scipy.convolve"], SCIPY, &convolved(&[("left", "x"), ("right", "y")])),
    exact(
        &["scipy.cdist"],
        SCIPY,
        &[
            form("x, y", "sqrt(sum(square((x / 1)[:, None] - y / 1), axis=-1))"),
            form("x, y, metric=\"euclidean\"", "sqrt(sum(square((x / 1)[:, None] - y / 1), axis=-1))"),
            form("x, y, metric=\"sqeuclidean\"", "sum(square((x / 1)[:, None] - y / 1), axis=-1)"),
            form("x, y, metric=\"cityblock\"", "sum(abs((x / 1)[:, None] - y / 1), axis=-1)"),
            form("x, y, metric=\"chebyshev\"", "max(abs((x / 1)[:, None] - y / 1), axis=-1)"),
        ],
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
            "where(delta < 0, inf, where(abs(r) <= delta, 0.5*square($r), delta*(abs(r) - 0.5*delta)))",
        )
        .with(&[("r", "where(false, delta*(r / 1), r / 1)")])],
    ),
    exact(
        &["pseudo_huber"],
        SCIPY,
        &[form(
            "delta, r",
            "where(delta < 0, inf, where((delta == 0) | (r == 0), 0, square($delta)*expm1(0.5*log1p(square(r/delta)))))",
        )
        .with(&[("delta", "where(false, r/delta, delta / 1)")])],
    ),
    exact(&["exprel"], SCIPY, &[form("x", "where(x == 0, 1, where(x > 717, inf, expm1(x / 1)/x))")]),
    exact(
        &["boxcox"],
        SCIPY,
        &[form("x, lmbda", "where(lmbda == 0, log($x), expm1(lmbda*log($x))/lmbda)").with(WITH_LAMBDA)],
    ),
    exact(
        &["inv_boxcox"],
        SCIPY,
        &[form("x, lmbda", "where(lmbda == 0, exp($x), exp(log1p(lmbda*$x)/lmbda))").with(WITH_LAMBDA)],
    ),
    exact(&["exp10"], SCIPY, &[form("x", "10.0**x")]),
    exact(
        &["gmean"],
        SCIPY,
        &[form("x", "exp(mean(log(x / 1), axis=0))"), form("x, axis", "exp(mean(log(x / 1), axis=axis))")],
    ),
    exact(
        &["hmean"],
        SCIPY,
        &[
            form("x", "where(all(x >= 0, axis=0), 1 / mean(1/x, axis=0), nan)"),
            form("x, axis", "where(all(x >= 0, axis=axis), 1 / mean(1/x, axis=axis), nan)"),
        ],
    ),
    advice(
        &["scipy.stats.beta", "scipy.stats.logistic", "scipy.stats.trapezoid"],
        SCIPY,
        "of the distributions there is the normal one: `scipy.stats.norm.pdf(x)`, and its `cdf`, `sf` and `logpdf`",
    ),
    exact(
        &["scipy.skew"],
        SCIPY,
        &[form("x", SKEW).with(&[("axis", "0")]), form("x, axis", SKEW).with(&[("axis", "axis")])],
    ),
    exact(
        &["scipy.kurtosis"],
        SCIPY,
        &[form("x", KURTOSIS).with(&[("axis", "0")]), form("x, axis", KURTOSIS).with(&[("axis", "axis")])],
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
        &[
            form("p", ENTROPY).with(DOWN),
            form("p, q", "$entropy").with(RELATIVE),
            form("p, q, base", "$entropy / log(base)").with(RELATIVE),
            // The second place is that of another distribution.
            form("p, base", "$entropy / log(base)").with(BASE_DOWN),
            form("p, axis", ENTROPY).with(ALONG),
            form("p, base, axis", "$entropy / log(base)").with(BASE_ALONG),
        ],
    ),
    exact(
        &["zscore"],
        SCIPY,
        &[
            form("x", ZSCORE).with(&[("axis", "0"), ("ddof", "0")]),
            form("x, axis", ZSCORE).with(&[("axis", "axis"), ("ddof", "0")]),
            form("x, axis, ddof", ZSCORE).with(&[("axis", "axis"), ("ddof", "ddof")]),
            form("x, ddof", ZSCORE).with(&[("axis", "0"), ("ddof", "ddof")]),
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
            form("x, y, mode=\"same\"", "correlate(x, y, mode=\"full\")[(y.size - 1)//2:][:x.size]"),
            form("x, y, mode=\"valid\"", "correlate(x, y, mode=\"valid\")"),
        ],
    ),
    exact(
        &["ndimage.maximum_filter", "ndimage.maximum_filter1d"],
        SCIPY,
        &[form(
            "x, size",
            "max(sliding_window_view(pad(transpose(x, (0,)), (size//2, size - 1 - size//2), mode=\"symmetric\"), size), axis=-1)",
        )],
    ),
    exact(
        &["ndimage.minimum_filter", "ndimage.minimum_filter1d"],
        SCIPY,
        &[form(
            "x, size",
            "min(sliding_window_view(pad(transpose(x, (0,)), (size//2, size - 1 - size//2), mode=\"symmetric\"), size), axis=-1)",
        )],
    ),
    exact(
        &["ndimage.median_filter"],
        SCIPY,
        &[form(
            "x, size",
            "sort(sliding_window_view(pad(transpose(x, (0,)), (size//2, size - 1 - size//2), mode=\"symmetric\"), size), axis=-1)[..., size//2]",
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
    // Vectors alone have one axis.
    exact(
        &["toeplitz"],
        SCIPY,
        &[
            form(
                "c",
                "take(concat([flip(conj(transpose(c, (0,))[1:])), c]), \
                 arange(c.size)[:, None] - arange(c.size) + (c.size - 1))",
            ),
            form(
                "c, r",
                "take(concat([flip(transpose(r, (0,))[1:]), transpose(c, (0,))]), \
                 arange(c.size)[:, None] - arange(r.size) + (r.size - 1))",
            ),
        ],
    ),
    exact(
        &["circulant"],
        SCIPY,
        &[form("c", "take(transpose(c, (0,)), (arange(c.size)[:, None] - arange(c.size)) % c.size)")],
    ),
    exact(
        &["hankel"],
        SCIPY,
        &[form("c", "take(concat([transpose(c, (0,)), zeros_like(c[1:])]), arange(c.size)[:, None] + arange(c.size))")],
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
            form(
                "y, dx, initial=0",
                "concat([zeros_like((y / 2)[..., :1]), cumsum(dx * (y[..., 1:] + y[..., :-1]) / 2, axis=-1)], axis=-1)",
            ),
        ],
    ),
    code(
        &["pearsonr"],
        SCIPY,
        &[form("x, y", "corrcoef(x, y)[0, 1]")],
        "of vectors: the correlation alone, without its p-value",
    ),
    code(
        &["spearmanr"],
        SCIPY,
        &[form("x, y", "corrcoef(rank(x), rank(y))[0, 1]")],
        "of vectors: the correlation alone, without its p-value",
    ),
    code(
        &["ndimage.convolve", "ndimage.convolve1d"],
        SCIPY,
        &[form("x, w", "convolve(pad(x, w.size//2, mode=\"symmetric\"), w, mode=\"valid\")")],
        "of vectors, with an odd number of weights; of a matrix and k by k weights it is \
         `sum(sliding_window_view(pad(x, k//2, mode=\"symmetric\"), (k, k))*flip(w), axis=(-2, -1))`",
    ),
    code(
        &["ndimage.correlate", "ndimage.correlate1d"],
        SCIPY,
        &[form("x, w", "correlate(pad(x, w.size//2, mode=\"symmetric\"), w, mode=\"valid\")")],
        "of vectors, with an odd number of weights; of a matrix and k by k weights it is \
         `sum(sliding_window_view(pad(x, k//2, mode=\"symmetric\"), (k, k))*w, axis=(-2, -1))`",
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
        &["cumtrapz"],
        MATLAB,
        "SciPy's is `cumulative_trapezoid(y)`; that of MATLAB begins with 0, `cumulative_trapezoid(y, initial=0)`",
    ),
    advice(&["linsolve"], MATLAB, "of a square matrix it is `linalg.solve(A, b)`, and of others `linalg.lstsq(A, b)`"),
    exact(
        &["solve_triangular", "linalg.solve_triangular"],
        SCIPY,
        &[
            form("a, b", "linalg.solve(triu(a), b)"),
            form("a, b, lower=false", "linalg.solve(triu(a), b)"),
            form("a, b, lower=true", "linalg.solve(tril(a), b)"),
            form("a, b, upper=true", "linalg.solve(triu(a), b)"),
            form("a, b, upper=false", "linalg.solve(tril(a), b)"),
        ],
    ),
    exact(&["tf.reverse"], TF, &[form("x, axis", "flip(x, axis=axis)")]),
    exact(&["asfarray"], NP, &[form("x", "astype(x, f64)")]),
    advice(
        &["rearrange", "einops.rearrange", "einops.reduce", "einops.repeat"],
        TORCH,
        "axes are put in another order by `transpose(x, (0, 2, 1))`, and together or apart by `reshape(x, (2, -1))`",
    ),
];
