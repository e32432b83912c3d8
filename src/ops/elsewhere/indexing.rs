//! Elements chosen by a mask or positions, in words of other libraries.

use super::{
    ElsewhereRow, Home, JAX, MATLAB, NP, PANDAS, PYTHON, SCIPY, STD, TF, TORCH, advice, code, exact, form, missing,
    same,
};

/// PyTorch leaves out what an array has more than its positions; here it is cut off first.
const OF_ONE_SHAPE: &[(&str, &str)] =
    &[("note", "the arrays differ along the axis alone; for positions of fewer rows cut the others first, as `x[:2]`")];

/// The counts of bins of one width, as PyTorch finds the bin of an element. Between two ends that are the same lies
/// everything; where all elements are the same, the bins reach as far as 1 around them.
const COUNTED: &str = "{
  assert bins > 0  # `histc` has at least one bin
  let v = ravel(x)
  let (a, b) = $ends
  assert not (isnan(b - a) | (b - a == inf))  # without ends of the bins the elements are finite
  let low = where(a == b, a - 1, a)
  let high = where(a == b, b + 1, b)
  let kept = v[(low <= v) & (v <= high)]
  let place = i64((kept - low) * bins / (high - low))
  astype(bincount(minimum(place, i64(bins - 1)), length=bins), x.dtype)
}";
const ENDS: &[(&str, &str)] = &[(
    "ends",
    "(where(min == max, amin(v, initial=inf), astype(min, x.dtype)), \
     where(min == max, amax(v, initial=-inf), astype(max, x.dtype)))",
)];

/// The rows.
pub(super) static ROWS: &[ElsewhereRow] = &[
    exact(
        &["take_along_dim"],
        TORCH,
        &[
            form("x, indices", "take(ravel(x), ravel(indices))"),
            form("x, indices, axis", "take_along_axis(x, indices, axis=axis)"),
        ],
    ),
    exact(
        &["torch.gather", "array.gather"],
        TORCH,
        &[form(
            "x, axis, index",
            "{
  let y = take_along_axis(x, index, axis=axis)  #: $note
  assert y.shape == index.shape  # $note
  y
}",
        )
        .with(OF_ONE_SHAPE)],
    ),
    advice(
        &["gather"],
        TORCH,
        "positions of each line are `take_along_axis(x, i, axis)`; along one axis for all `x[i]`",
    ),
    same(&["ismember"], MATLAB, "isin"),
    exact(&["in1d"], NP, &[form("x, values, invert?false", "isin(ravel(x), values, invert=invert)")]),
    exact(&["index_select"], TORCH, &[form("x, axis, index", "take(x, ravel(index), axis=axis)")]),
    exact(&["embedding"], TORCH, &[form("i, x", "take(x, i, axis=0)")]),
    exact(&["masked_fill"], TORCH, &[form("x, mask, value", "where(mask, astype(value, x.dtype), x)")]),
    exact(&["putmask"], NP, &[form("x, mask, value", "where(mask, astype(value, x.dtype), x)")]),
    code(
        &["copyto"],
        NP,
        // A bare `where` would be the parameter; `np.where` is the function.
        &[form("x, values", "x[:] = values"), form("x, values, where", "x[:] = np.where(where, values, x)")],
        "in a variable; those under a mask are `x[mask] = values[mask]`",
    ),
    exact(
        &["place"],
        NP,
        &[form(
            "x, mask, values",
            "where(mask != 0, take(astype(ravel(values), x.dtype), reshape(maximum(cumsum(i64(ravel(mask != 0))) - 1, i64(0)) % ravel(values).size, x.shape)), x)",
        )],
    ),
    code(
        &["index_fill"],
        TORCH,
        &[form("x, i, value", "where(any(arange(x.size)[:, None] == i, axis=1), value, x)")],
        "in a vector, one value; in a variable `y[i] = value`",
    ),
    code(
        &["index_add", "scatter_add", "tensor_scatter_nd_add"],
        NP,
        &[form("x, i, value", "add_at(x, i, value)"), form("x, axis, i, value", "add_at(x, i, value)")],
        "of a vector, or of whole rows along the first axis",
    ),
    exact(
        &["torch.scatter_add", "array.scatter_add"],
        TORCH,
        &[form(
            "x, axis, index, src",
            "{
  let place = take_along_axis(reshape(arange(x.size, dtype=i64), x.shape), index, axis=axis)  #: $note
  assert place.shape == index.shape  # $note
  assert src.shape == index.shape  # $note
  reshape(add_at(ravel(x), ravel(place), ravel(src)), x.shape)
}",
        )
        .with(OF_ONE_SHAPE)],
    ),
    code(&["add.at"], NP, &[form("x, i, value", "x = add_at(x, i, value)")], "it gives a new array"),
    code(&["subtract.at"], NP, &[form("x, i, value", "x = add_at(x, i, -value)")], "it gives a new array"),
    code(&["divide.at"], NP, &[form("x, i, value", "x = multiply_at(x, i, 1 / value)")], "it gives a new array"),
    code(&["logical_or.at"], NP, &[form("x, i, value", "x = max_at(x, i, value)")], "of bools; it gives a new array"),
    code(&["logical_and.at"], NP, &[form("x, i, value", "x = min_at(x, i, value)")], "of bools; it gives a new array"),
    code(
        &["bitwise_or.at"],
        NP,
        &[form("x, i, value", "x[i] |= value")],
        "where no place stands twice in it; of bools `max_at(x, i, value)` is the same wherever they stand",
    ),
    code(
        &["bitwise_and.at"],
        NP,
        &[form("x, i, value", "x[i] &= value")],
        "where no place stands twice in it; of bools `min_at(x, i, value)` is the same wherever they stand",
    ),
    advice(
        &["ufunc.at"],
        NP,
        "there are `add_at`, `multiply_at`, `min_at`, `max_at`; others go one by one in a loop, `repeat`",
    ),
    code(&["multiply.at"], NP, &[form("x, i, value", "x = multiply_at(x, i, value)")], "it gives a new array"),
    code(&["maximum.at"], NP, &[form("x, i, value", "x = max_at(x, i, value)")], "it gives a new array"),
    code(&["minimum.at"], NP, &[form("x, i, value", "x = min_at(x, i, value)")], "it gives a new array"),
    code(&["tensor_scatter_nd_max"], NP, &[form("x, i, value", "max_at(x, i, value)")], ""),
    code(&["tensor_scatter_nd_min"], NP, &[form("x, i, value", "min_at(x, i, value)")], ""),
    code(&["accumarray"], MATLAB, &[form("labels, x", "bincount(labels, weights=x)")], "labels count from 0"),
    advice(
        &["index_put", "index_copy", "scatter", "tensor_scatter_nd_update"],
        TORCH,
        "in a variable `y[i] = value`; for positions of each line `put_along_axis(y, i, value, axis)`",
    ),
    advice(
        &["case_when"],
        PANDAS,
        "the first condition that holds decides in `select((first, second), (a, b), default)`",
    ),
    advice(
        &["lax.cond", "cond", "ifelse"],
        JAX,
        "a choice is written `where(condition, a, b)`, whether of numbers or of arrays",
    ),
    advice(&["lax.switch"], JAX, "a choice is written with `where`, one in another"),
    advice(&["find"], MATLAB, "it is `flatnonzero(mask)`, counted from 0 in C order"),
    exact(
        &["numpy.where", "xp.where", "jax.where", "torch.where"],
        STD,
        &[form("condition", "nonzero(condition)"), form("condition, x, y", "where(condition, x, y)")],
    ),
    exact(&["masked_select", "boolean_mask"], TORCH, &[form("x, mask", "x[mask]")]),
    exact(&["extract"], NP, &[form("condition, x", "take(ravel(x), flatnonzero(condition))")]),
    exact(
        &["compress"],
        NP,
        &[
            form("condition, x", "take(ravel(x), flatnonzero(condition))"),
            form("condition, x, axis", "take(x, flatnonzero(condition), axis=axis)"),
        ],
    ),
    // As a method it has the array before its dot.
    exact(
        &["array.compress", "array.extract"],
        NP,
        &[
            form("x, condition", "take(ravel(x), flatnonzero(condition))"),
            form("x, condition, axis", "take(x, flatnonzero(condition), axis=axis)"),
        ],
    ),
    code(
        &["array.where"],
        &[Home::Torch, Home::Pandas],
        &[form("x, mask, y", "where(mask, x, y)"), form("x, mask", "where(mask, x, nan)")],
        "as a method it keeps its array where the mask holds, and the condition is no array before a dot",
    ),
    exact(&["dropna"], PANDAS, &[form("x", "x[~isnan(x)]")]),
    advice(&["query"], PANDAS, "what a condition keeps is `x[x > 0]`"),
    advice(
        &["ind2sub"],
        MATLAB,
        "positions count from 0 and rows come first: `(i // m, i % m)` for the shape `(n, m)`",
    ),
    advice(&["sub2ind"], MATLAB, "positions count from 0 and rows come first: `ravel_multi_index((i, j), (n, m))`"),
    exact(&["diag_indices"], NP, &[form("n", "(arange(n), arange(n))"), form("n, ndim=2", "(arange(n), arange(n))")]),
    code(&["diag_indices_from"], NP, &[form("x", "(arange(x.shape[0]), arange(x.shape[0]))")], "of a matrix"),
    exact(
        &["tril_indices"],
        NP,
        &[
            form("n", "nonzero(arange(n)[:, None] >= arange(n))"),
            form("n, k", "nonzero(arange(n)[:, None] >= arange(n) - k)"),
            form("n, m", "nonzero(arange(n)[:, None] >= arange(m))"),
            form("n, k, m", "nonzero(arange(n)[:, None] >= arange(m) - k)"),
        ],
    ),
    exact(
        &["torch.tril_indices"],
        TORCH,
        &[
            form("n, m", "stack(nonzero(arange(n)[:, None] >= arange(m)))"),
            form("n, m, k", "stack(nonzero(arange(n)[:, None] >= arange(m) - k))"),
        ],
    ),
    exact(
        &["torch.triu_indices"],
        TORCH,
        &[
            form("n, m", "stack(nonzero(arange(n)[:, None] <= arange(m)))"),
            form("n, m, k", "stack(nonzero(arange(n)[:, None] <= arange(m) - k))"),
        ],
    ),
    exact(&["pandas.unique"], PANDAS, &[form("x", "take(x, sort(unique(x, return_index=true)[1]))")]),
    // The result is in ascending order, whatever `sorted` says.
    exact(
        &["torch.unique"],
        TORCH,
        &[form(
            "x, sorted?true, return_inverse?false, return_counts?false, axis?",
            "unique(x, return_inverse=return_inverse, return_counts=return_counts, axis=axis)",
        )],
    ),
    advice(
        &["tf.unique"],
        TF,
        "TensorFlow gives the values as they come, and the number of each: in ascending order they are `unique(x, return_inverse=true)`",
    ),
    exact(
        &["triu_indices"],
        NP,
        &[
            form("n", "nonzero(arange(n)[:, None] <= arange(n))"),
            form("n, k", "nonzero(arange(n)[:, None] <= arange(n) - k)"),
            form("n, m", "nonzero(arange(n)[:, None] <= arange(m))"),
            form("n, k, m", "nonzero(arange(n)[:, None] <= arange(m) - k)"),
        ],
    ),
    exact(
        &["tril_indices_from"],
        NP,
        &[
            form("x", "nonzero(arange(x.shape[0])[:, None] >= arange(x.shape[1]))"),
            form("x, k", "nonzero(arange(x.shape[0])[:, None] >= arange(x.shape[1]) - k)"),
        ],
    ),
    exact(
        &["triu_indices_from"],
        NP,
        &[
            form("x", "nonzero(arange(x.shape[0])[:, None] <= arange(x.shape[1]))"),
            form("x, k", "nonzero(arange(x.shape[0])[:, None] <= arange(x.shape[1]) - k)"),
        ],
    ),
    advice(
        &["mask_indices"],
        NP,
        "a mask of the triangle is `arange(n)[:, None] >= arange(n)`, of the diagonal `arange(n)[:, None] == arange(n)`; \
         `nonzero` makes positions of it",
    ),
    exact(
        &["bucketize"],
        TORCH,
        &[
            form("x, boundaries", "searchsorted(boundaries, x)"),
            form("x, boundaries, right=false", "searchsorted(boundaries, x)"),
            form("x, boundaries, right=true", "searchsorted(boundaries, x, side=\"right\")"),
        ],
    ),
    code(&["interp1", "interp1d"], MATLAB, &[form("xp, fp, x", "interp(x, xp, fp)")], "straight lines between points"),
    code(&["hist", "histc"], MATLAB, &[form("x, bins", "histogram(x, bins)[0]")], ""),
    code(&["value_counts"], PANDAS, &[form("x", "unique_counts(x)")], "in ascending order of the values"),
    advice(
        &["cut"],
        PANDAS,
        "the number of each bin of given edges is `digitize(x, edges, right=true) - 1`; of 3 bins of one width it is `digitize(x, linspace(min(x), max(x), 4)[1:-1], right=true)`",
    ),
    advice(
        &["qcut"],
        PANDAS,
        "the number of each quarter is `digitize(x, quantile(x, [0.25, 0.5, 0.75]), right=true)`",
    ),
    exact(
        &["torch.histc"],
        TORCH,
        &[
            form("x, bins?100", COUNTED).with(&[("ends", "(amin(v, initial=inf), amax(v, initial=-inf))")]),
            form("x, bins, min, max", COUNTED).with(ENDS),
            form("x, bins?100, min, max", COUNTED).with(ENDS),
        ],
    ),
    advice(
        &["get_dummies"],
        PANDAS,
        "a column for each value is `x[:, None] == unique(x)`, of bools; labels from 0 on have `one_hot(x, n)`",
    ),
    code(
        &["factorize"],
        PANDAS,
        &[form("x", "unique_inverse(x)")],
        "the values come first, in ascending order, then the number of each element",
    ),
    code(
        &["crosstab"],
        PANDAS,
        &[form("i, j", "reshape(bincount(i*m + j, length=n*m), (n, m))")],
        "of labels that count from 0, n and m of them",
    ),
    missing(
        &["histogramdd"],
        NP,
        "of two coordinates it is `histogram2d(x, y, bins)`; of more, number the bins: `ravel_multi_index((digitize(x, a) - 1, digitize(y, b) - 1, digitize(z, c) - 1), (l, m, n))`, where all points lie between the outer edges, and count with `bincount`",
    ),
    same(&["sort_values"], PANDAS, "sort"),
    exact(&["msort"], NP, &[form("x", "sort(x, axis=0)")]),
    // NumPy, whose running sums of an i8 are i64, makes c64 of integers of 8 and 16 bits alone.
    exact(
        &["sort_complex"],
        NP,
        &[form(
            "x",
            "sort(astype(x, result_type(x, (c64, c128)[i64(isdtype(x.dtype, (\"bool\", \"real floating\")) and cumsum(i8([1])).dtype == i64)])))",
        )],
    ),
    exact(&["sorted"], PYTHON, &[form("x", "sort(x)"), form("x, reverse", "sort(x, descending=reverse)")]),
    exact(&["partition"], NP, &[form("x, k", "sort(x, axis=-1)"), form("x, k, axis", "sort(x, axis=axis)")]),
    exact(&["argpartition"], NP, &[form("x, k", "argsort(x, axis=-1)"), form("x, k, axis", "argsort(x, axis=axis)")]),
    code(&["sortrows"], MATLAB, &[form("x", "take(x, lexsort(flip(x, axis=1).T), axis=0)")], "of a matrix"),
    same(&["top_k"], JAX, "topk"),
    code(&["nlargest"], PANDAS, &[form("x, k", "topk(x, k)[0]")], "where there is no nan"),
    exact(&["nsmallest"], PANDAS, &[form("x, k", "topk(x, k, largest=false)[0]")]),
    exact(&["prctile"], MATLAB, &[form("x, q", "nanpercentile(x, q, axis=0, method=\"hazen\")")]),
    exact(&["rankdata"], SCIPY, &[form("x", "rank(ravel(x))"), form("x, axis", "rank(x, axis=axis)")]),
    exact(
        &["iqr"],
        SCIPY,
        &[
            form("x", "quantile(x, 0.75) - quantile(x, 0.25)"),
            form("x, axis", "quantile(x, 0.75, axis=axis) - quantile(x, 0.25, axis=axis)"),
        ],
    ),
    exact(&["kthvalue"], TORCH, &[form("x, k", "(sort(x, axis=-1)[..., k - 1], argsort(x, axis=-1)[..., k - 1])")]),
    advice(&["mode"], SCIPY, "`let (values, counts) = unique_counts(x)`, then `values[argmax(counts)]`"),
    code(&["drop_duplicates"], PANDAS, &[form("x", "unique(x)")], "in ascending order"),
    code(&["nunique"], PANDAS, &[form("x", "unique(x).size")], "nan counts as one"),
    code(&["unique_consecutive"], TORCH, &[form("x", "x[1:][x[1:] != x[:-1]]")], "without the first element"),
    advice(
        &["duplicated"],
        PANDAS,
        "`arange(x.size) != unique_all(x)[1][unique_all(x)[2]]` is a mask of what was there before",
    ),
    same(&["intersect"], MATLAB, "intersect1d"),
    same(&["setdiff"], MATLAB, "setdiff1d"),
    same(&["union"], MATLAB, "union1d"),
    same(&["setxor"], MATLAB, "setxor1d"),
    missing(
        &["groupby", "findgroups", "splitapply", "pivot_table"],
        PANDAS,
        "`let (keys, labels) = unique_inverse(key)` numbers the groups; then `segment_mean(x, labels, keys.size)`, \
         `segment_sum`, `segment_min`, `segment_max`, `segment_count`",
    ),
    same(&["lib.stride_tricks.sliding_window_view"], NP, "sliding_window_view"),
    advice(
        &["rolling", "unfold"],
        &[Home::Pandas, Home::Torch],
        "`sliding_window_view(x, k)` has all windows of k: `mean(sliding_window_view(x, k), axis=-1)`",
    ),
    advice(
        &["as_strided", "lib.stride_tricks.as_strided"],
        &[Home::NumPy, Home::Torch],
        "`sliding_window_view(x, k)` has all windows of k, and `sliding_window_view(x, k)[::s]` those that begin s apart",
    ),
    advice(
        &["expanding"],
        PANDAS,
        "the mean so far is `cumsum(x) / arange(1, x.size + 1)`; there are `cumsum`, `cummax` and `cummin`",
    ),
    exact(
        &["array.mask"],
        PANDAS,
        &[form("x, condition", "where(condition, nan, x)"), form("x, condition, other", "where(condition, other, x)")],
    ),
    exact(&["array.replace"], PANDAS, &[form("x, old, new", "where((x == old) | (isnan(x) & isnan(old)), new, x)")]),
    code(
        &["bfill"],
        PANDAS,
        &[form("x", "flip(flip(x)[cummax(where(isnan(flip(x)), 0, arange(x.size)))])")],
        "of a vector",
    ),
    code(&["ffill"], PANDAS, &[form("x", "x[cummax(where(isnan(x), 0, arange(x.size)))]")], "of a vector"),
    advice(
        &["Series"],
        PANDAS,
        "there are no labels, only the array: write `x` for `pd.Series(x)`; a column of a file is bound on the command \
         line, `x=table.csv:column`",
    ),
    advice(&["sample"], PANDAS, "k elements by chance, each once, are `random.permutation(random.key(0), x)[:k]`"),
    advice(&["ewm"], PANDAS, "for a weight a: `scan x with s = x[0] { (a*x + (1 - a)*s, a*x + (1 - a)*s) }`"),
    missing(
        &["resample", "merge_asof", "join", "melt", "pivot", "describe", "DataFrame", "read_csv", "read_parquet"],
        PANDAS,
        "there are no tables, only arrays: a column of a file is bound on the command line, `x=table.csv:column`",
    ),
    missing(
        &[
            "erfinv",
            "erf_inv",
            "erfcinv",
            "ndtri",
            "psi",
            "digamma",
            "polygamma",
            "zeta",
            "betainc",
            "gammainc",
            "gammaincc",
            "igamma",
            "igammac",
            "i1",
            "i0e",
            "i1e",
            "jv",
            "scipy.j0",
            "scipy.j1",
            "scipy.jn",
            "scipy.y0",
            "scipy.y1",
            "scipy.yn",
            "scipy.yv",
            "scipy.k0",
            "scipy.k1",
            "scipy.kv",
            "scipy.iv",
            "ellipk",
            "multigammaln",
        ],
        SCIPY,
        "nothing computes it yet",
    ),
];
