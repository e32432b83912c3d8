//! Arrays elsewhere: made, put together, taken apart, turned.

use super::{
    API, CallForm, Counterpart, ElsewhereRow, Home, JAX, MATLAB, NP, PANDAS, PYTHON, STD, TF, TORCH, advice, code,
    exact, form, noted,
};

/// A window that is the same from both ends, and one that goes on where it ends.
const fn window([sym, periodic]: [&'static str; 2]) -> [CallForm; 3] {
    [form("n", sym), form("n, sym=true", sym), form("n, sym=false", periodic)]
}

/// From start to stop by equal factors. Both ends are exact, and everything is computed in the dtype of the result.
const GEOMETRIC: &str = "where($way == 0, start, where($way == 1, stop, \
     (start + 0*$way) * ((stop + 0*$way) / (start + 0*$way))**$way))";
const EVENLY: &[(&str, &str)] = &[("way", "linspace(0, 1, num=num, endpoint=endpoint)")];
const EVENLY_THERE: &[(&str, &str)] =
    &[("way", "linspace(0, 1, num=num, endpoint=endpoint, dtype=(start / stop).dtype)")];
const GEOMETRIC_THERE: &[(&str, &str)] =
    &[("geometric", GEOMETRIC), ("way", "linspace(0, 1, num=num, endpoint=endpoint, dtype=(start / stop).dtype)")];
const GEOMETRIC_EVENLY: &[(&str, &str)] =
    &[("geometric", GEOMETRIC), ("way", "linspace(0, 1, num=num, endpoint=endpoint)")];
/// PyTorch's exponents are in the dtype of the powers, unless these are integers or halves.
const PLACES_THERE: &[(&str, &str)] = &[("places", "linspace(start, end, num=steps, dtype=result_type(dtype, f32))")];

/// The extreme of the elements so far, and the position of the last one that is it.
const EXTREMES_SO_FAR: &str = "($extreme(x, axis=axis), cummax(where((x == $extreme(x, axis=axis)) | isnan(x), \
                               cumsum(ones(x.shape, i64), axis=axis) - 1, 0), axis=axis))";

/// The rows.
pub(super) static ROWS: &[ElsewhereRow] = &[
    // Construction
    exact(
        &["array", "asarray", "tensor", "as_tensor", "asanyarray", "from_numpy", "to_numpy", "convert_to_tensor"],
        STD,
        &[
            form("x", "astype(x, x.dtype)"),
            form("x, dtype", "astype(x, dtype)"),
            form("x, dtype, copy?", "astype(x, dtype)"),
            form("x, copy?", "astype(x, x.dtype)"),
            form("x, ndmin=0", "astype(x, x.dtype)"),
            form("x, ndmin=1", "atleast_1d(astype(x, x.dtype))"),
            form("x, ndmin=2", "atleast_2d(astype(x, x.dtype))"),
            form("x, dtype, ndmin=1", "atleast_1d(astype(x, dtype))"),
            form("x, dtype, ndmin=2", "atleast_2d(astype(x, dtype))"),
        ],
    ),
    // Without a dtype a number of Python stays weak in JAX, and a list does not.
    exact(
        &["jax.array", "jax.asarray"],
        JAX,
        &[
            form("x, dtype", "astype(x, dtype)"),
            form("x", "(x, astype(x, x.dtype))[i64(x.ndim > 0)]"),
            form("x, dtype, copy?", "astype(x, dtype)"),
            form("x, copy?", "(x, astype(x, x.dtype))[i64(x.ndim > 0)]"),
            form("x, ndmin=0", "(x, astype(x, x.dtype))[i64(x.ndim > 0)]"),
            form("x, ndmin=1", "atleast_1d(astype(x, x.dtype))"),
            form("x, ndmin=2", "atleast_2d(astype(x, x.dtype))"),
            form("x, dtype, ndmin=1", "atleast_1d(astype(x, dtype))"),
            form("x, dtype, ndmin=2", "atleast_2d(astype(x, dtype))"),
        ],
    ),
    ElsewhereRow {
        names: &["copy", "clone", "deepcopy", "ascontiguousarray", "asfortranarray", "contiguous", "require"],
        homes: NP,
        becomes: Counterpart::Code {
            forms: &[form("x", "x")],
            note: "a value never changes under another name, so nothing needs a copy",
            exact: true,
        },
    },
    exact(
        &[
            "asarray_chkfinite",
            "from_dlpack",
            "detach",
            "cpu",
            "cuda",
            "numpy",
            "tolist",
            "to_list",
            "block_until_ready",
            "stop_gradient",
            "device_put",
            "device_get",
        ],
        NP,
        &[form("x", "x")],
    ),
    exact(&["item"], NP, &[form("x", "reshape(x, ())"), form("x, i", "ravel(x)[i]")]),
    exact(&["nn.identity"], JAX, &[form("x", "x")]),
    exact(&["identity"], NP, &[form("n", "eye(n)"), form("n, dtype", "eye(n, dtype=dtype)")]),
    exact(
        &["torch.logspace"],
        TORCH,
        &[
            form("start, end, steps", "10 ** linspace(start, end, num=steps)"),
            form("start, end, steps, base", "base ** linspace(start, end, num=steps)"),
            form("start, end, steps, dtype", "astype(10 ** $places, dtype)").with(PLACES_THERE),
            form("start, end, steps, base, dtype", "astype(base ** $places, dtype)").with(PLACES_THERE),
        ],
    ),
    exact(
        &["logspace"],
        NP,
        &[
            form("start, stop, num?50, endpoint?true", "10 ** linspace(start, stop, num=num, endpoint=endpoint)"),
            form(
                "start, stop, num?50, endpoint?true, base",
                "base ** linspace(start, stop, num=num, endpoint=endpoint)",
            ),
            form(
                "start, stop, num?50, endpoint?true, dtype",
                "astype(10 ** linspace(start, stop, num=num, endpoint=endpoint), dtype)",
            ),
            form(
                "start, stop, num?50, endpoint?true, base, dtype",
                "astype(base ** linspace(start, stop, num=num, endpoint=endpoint), dtype)",
            ),
        ],
    ),
    exact(
        &["geomspace"],
        NP,
        &[
            form("start, stop, num?50, endpoint?true", GEOMETRIC).with(EVENLY),
            form("start, stop, num?50, endpoint?true, dtype", "astype($geometric, dtype)").with(GEOMETRIC_EVENLY),
        ],
    ),
    // In the dtype that both ends have together, not that of the steps.
    exact(
        &["jax.geomspace"],
        JAX,
        &[
            form("start, stop, num?50, endpoint?true", GEOMETRIC).with(EVENLY_THERE),
            form("start, stop, num?50, endpoint?true, dtype", "astype($geometric, dtype)").with(GEOMETRIC_THERE),
        ],
    ),
    exact(
        &["hanning", "hann", "scipy.hann"],
        NP,
        &window([
            "where(n == 1, 1.0, 0.5 + 0.5*cos(pi*linspace(1 - n, n - 1, n)/(n - 1)))",
            "where(n == 1, 1.0, 0.5 - 0.5*cos(2*pi*(arange(n)/n)))",
        ]),
    ),
    exact(
        &["hamming", "scipy.hamming"],
        NP,
        &window([
            "where(n == 1, 1.0, 0.54 + 0.46*cos(pi*linspace(1 - n, n - 1, n)/(n - 1)))",
            "where(n == 1, 1.0, 0.54 - 0.46*cos(2*pi*(arange(n)/n)))",
        ]),
    ),
    exact(
        &["blackman", "scipy.blackman"],
        NP,
        &window([
            "where(n == 1, 1.0, 0.42 + 0.5*cos(pi*linspace(1 - n, n - 1, n)/(n - 1)) + \
             0.08*cos(2*pi*linspace(1 - n, n - 1, n)/(n - 1)))",
            "where(n == 1, 1.0, 0.42 - 0.5*cos(2*pi*(arange(n)/n)) + 0.08*cos(4*pi*(arange(n)/n)))",
        ]),
    ),
    // Periodic, unless they are told to be as NumPy's.
    exact(
        &["hann_window"],
        TORCH,
        &[
            form("n", "where(n == 1, 1.0, 0.5 - 0.5*cos(2*pi*(arange(n)/n)))"),
            form("n, periodic=true", "where(n == 1, 1.0, 0.5 - 0.5*cos(2*pi*(arange(n)/n)))"),
            form("n, periodic=false", "where(n == 1, 1.0, 0.5 + 0.5*cos(pi*linspace(1 - n, n - 1, n)/(n - 1)))"),
        ],
    ),
    exact(
        &["hamming_window"],
        TORCH,
        &[
            form("n", "where(n == 1, 1.0, 0.54 - 0.46*cos(2*pi*(arange(n)/n)))"),
            form("n, periodic=true", "where(n == 1, 1.0, 0.54 - 0.46*cos(2*pi*(arange(n)/n)))"),
            form("n, periodic=false", "where(n == 1, 1.0, 0.54 + 0.46*cos(pi*linspace(1 - n, n - 1, n)/(n - 1)))"),
        ],
    ),
    exact(
        &["bartlett", "scipy.bartlett"],
        NP,
        &window([
            "where(n == 1, 1.0, 1 - abs(linspace(1 - n, n - 1, n))/(n - 1))",
            "where(n == 1, 1.0, 1 - abs(2*(arange(n)/n) - 1))",
        ]),
    ),
    exact(
        &["jax.tri"],
        JAX,
        &[
            form("n, m, k?0, dtype?f32", "tril(ones((n, m), dtype=dtype), k=k)"),
            form("n, k?0, dtype?f32", "tril(ones((n, n), dtype=dtype), k=k)"),
        ],
    ),
    exact(
        &["tri"],
        NP,
        &[
            form("n, m, k?0, dtype?", "tril(ones((n, m), dtype=dtype), k=k)"),
            form("n, k?0, dtype?", "tril(ones((n, n), dtype=dtype), k=k)"),
        ],
    ),
    exact(
        &["linalg.diagonal"],
        API,
        &[form("x", "diagonal(x, axis1=-2, axis2=-1)"), form("x, offset", "diagonal(x, offset, axis1=-2, axis2=-1)")],
    ),
    exact(&["diagflat"], NP, &[form("v", "diag(ravel(v))"), form("v, k", "diag(ravel(v), k)")]),
    code(&["diag_embed"], TORCH, &[form("v", "diag(v)")], "of a vector"),
    exact(
        &["indices"],
        NP,
        &[
            form("shape", "stack(unravel_index(reshape(arange(ones(shape, dtype=bool).size), shape), shape))"),
            form(
                "shape, dtype",
                "astype(stack(unravel_index(reshape(arange(ones(shape, dtype=bool).size), shape), shape)), dtype)",
            ),
        ],
    ),
    advice(
        &["mgrid"],
        NP,
        "`np.mgrid[a:b]` is `arange(a, b)`, and `np.mgrid[a:b, c:d]` is `meshgrid(arange(a, b), arange(c, d), indexing=\"ij\")`, one array for each axis",
    ),
    advice(
        &["ogrid"],
        NP,
        "`np.ogrid[a:b, c:d]` is `(arange(a, b)[:, None], arange(c, d))`; the two broadcast to the grid",
    ),
    advice(&["r_"], NP, "arrays one after the other are `concat([a, b])`, and `np.r_[a:b]` is `arange(a, b)`"),
    advice(&["c_"], NP, "vectors as columns are `column_stack([a, b])`"),
    advice(&["s_", "index_exp"], NP, "a slice stands in its brackets: `x[1:3]`"),
    noted(
        &["ix_"],
        NP,
        &[
            form("i", "{\n  let u: _[a] = i  # indices of `ix_` are vectors\n  (u,)\n}"),
            form(
                "i, j",
                "{\n  let u: _[a] = i  # indices of `ix_` are vectors\n  let v: _[b] = j  # indices of `ix_` are vectors\n  (u[:, None], v[None])\n}",
            ),
            form(
                "i, j, k",
                "{\n  let u: _[a] = i  # indices of `ix_` are vectors\n  let v: _[b] = j  # indices of `ix_` are vectors\n  let w: _[c] = k  # indices of `ix_` are vectors\n  (u[:, None, None], v[:, None], w[None, None])\n}",
            ),
        ],
        "positions along each axis are a vector, and those where a mask is true are `flatnonzero(mask)`",
    ),
    code(
        &["fromfunction"],
        NP,
        &[
            form("f, shape", "f(f64(arange(shape[0]))[:, None], f64(arange(shape[1])))"),
            form("f, shape, dtype", "f(dtype(arange(shape[0]))[:, None], dtype(arange(shape[1])))"),
        ],
        "of two axes",
    ),
    exact(&["iota"], JAX, &[form("dtype, n", "arange(n, dtype=dtype)")]),
    exact(&["colon"], MATLAB, &[form("a, b", "arange(a, b + 1)")]),
    // Put together
    exact(
        &["append"],
        NP,
        &[
            form("x, values", "concat([ravel(x), ravel(values)])"),
            form("x, values, axis", "concat([x, values], axis=axis)"),
        ],
    ),
    exact(
        &["horzcat"],
        MATLAB,
        &[form("a, b", "concat([a, b], axis=1)"), form("a, b, c", "concat([a, b, c], axis=1)")],
    ),
    exact(
        &["vertcat"],
        MATLAB,
        &[form("a, b", "concat([a, b], axis=0)"), form("a, b, c", "concat([a, b, c], axis=0)")],
    ),
    // Turned
    exact(&["t"], TORCH, &[form("x", "x.T")]),
    // Not every system has `conj` for real elements in their own dtype.
    code(&["ctranspose"], MATLAB, &[form("x", "x.T")], "of complex elements `conj(x.T)`"),
    exact(&["fliplr"], NP, &[form("x", "flip(x, axis=1)")]),
    exact(&["flipud"], NP, &[form("x", "flip(x, axis=0)")]),
    exact(&["matrix_transpose", "linalg.matrix_transpose", "mT"], API, &[form("x", "swapaxes(x, -1, -2)")]),
    noted(
        &["torch.split"],
        TORCH,
        &[
            // Where the last part would be smaller, this asks for more parts than there are elements, which is an
            // error.
            form("x, size", "split(x, x.shape[0] // size + x.shape[0] * (x.shape[0] % size))"),
            form(
                "x, size, axis",
                "split(x, x.shape[axis] // size + x.shape[axis] * (x.shape[axis] % size), axis=axis)",
            ),
        ],
        "parts of other sizes are cut at positions: those of the sizes `[1, 3]` are `split(x, (1,))`, \
         and those of the sizes 2, 2 and 1 are `split(x, (2, 4))`",
    ),
    exact(
        &["torch.meshgrid"],
        TORCH,
        &[
            form("x, y", "meshgrid(x, y, indexing=\"ij\")"),
            form("x, y, indexing", "meshgrid(x, y, indexing=indexing)"),
            form("x, y, z", "meshgrid(x, y, z, indexing=\"ij\")"),
        ],
    ),
    exact(&["torch.nonzero"], TORCH, &[form("x", "argwhere(x)"), form("x, as_tuple", "nonzero(x)")]),
    exact(
        &["torch.sort"],
        TORCH,
        &[
            form("x", "(sort(x, axis=-1), argsort(x, axis=-1))"),
            form("x, axis", "(sort(x, axis=axis), argsort(x, axis=axis))"),
            form(
                "x, descending",
                "(sort(x, axis=-1, descending=descending), argsort(x, axis=-1, descending=descending))",
            ),
            form(
                "x, axis, descending",
                "(sort(x, axis=axis, descending=descending), argsort(x, axis=axis, descending=descending))",
            ),
        ],
    ),
    exact(
        &["torch.argsort"],
        TORCH,
        &[
            form("x", "argsort(x, axis=-1)"),
            form("x, axis", "argsort(x, axis=axis)"),
            form("x, descending", "argsort(x, axis=-1, descending=descending)"),
            form("x, axis, descending", "argsort(x, axis=axis, descending=descending)"),
        ],
    ),
    code(
        &["ndarray"],
        NP,
        &[form("shape", "zeros(shape)"), form("shape, dtype", "zeros(shape, dtype=dtype)")],
        "an array with values is `array([1, 2])`",
    ),
    exact(
        &["torch.zeros"],
        TORCH,
        &[
            form("n", "zeros(n)"),
            form("n, m", "zeros((n, m))"),
            form("n, dtype", "zeros(n, dtype=dtype)"),
            form("n, m, k", "zeros((n, m, k))"),
            form("n, m, dtype", "zeros((n, m), dtype=dtype)"),
        ],
    ),
    exact(
        &["torch.ones"],
        TORCH,
        &[
            form("n", "ones(n)"),
            form("n, m", "ones((n, m))"),
            form("n, dtype", "ones(n, dtype=dtype)"),
            form("n, m, k", "ones((n, m, k))"),
            form("n, m, dtype", "ones((n, m), dtype=dtype)"),
        ],
    ),
    // A list has the sizes of parts there, and is no whole number here.
    noted(
        &["tf.split"],
        TF,
        &[
            form("x, num_or_size_splits", "split(x, num_or_size_splits // 1)"),
            form("x, num_or_size_splits, axis", "split(x, num_or_size_splits // 1, axis=axis)"),
        ],
        "parts of other sizes are cut at positions: those of the sizes `[1, 3]` are `split(x, (1,))`",
    ),
    advice(
        &["lax.split"],
        JAX,
        "parts are cut at positions: those of the sizes 1, 2 and 3 are `split(x, [1, 3])`, \
         along another axis `split(x, [1, 3], axis=1)`",
    ),
    exact(
        &["tf.unstack"],
        TF,
        &[
            form("x", "unstack(x)"),
            form("x, num", "unstack(x)"),
            form("x, num, axis", "unstack(x, axis=axis)"),
            form("x, axis", "unstack(x, axis=axis)"),
        ],
    ),
    // Of equal elements the last one has the position, and nan is the largest and the smallest.
    exact(&["torch.cummax"], TORCH, &[form("x, axis", EXTREMES_SO_FAR).with(&[("extreme", "cummax")])]),
    exact(&["torch.cummin"], TORCH, &[form("x, axis", EXTREMES_SO_FAR).with(&[("extreme", "cummin")])]),
    exact(&["torch.transpose"], TORCH, &[form("x, dim0, dim1", "swapaxes(x, dim0, dim1)")]),
    exact(&["circshift"], MATLAB, &[form("x, k", "roll(x, k, axis=0)")]),
    code(
        &["shift"],
        PANDAS,
        &[form("x, k", "concat([full(k, nan, dtype=x.dtype), x[:-k]])")],
        "of floats, for k from 1 to the length; back by one it is `concat([x[1:], [nan]])`",
    ),
    // This is for vectors alone. With more axes, one axis is split into several and the others stay.
    noted(
        &["unflatten"],
        TORCH,
        &[form("x, axis, shape", "reshape(transpose(x, (0,)), shape)")],
        "of more axes write `reshape(x, shape)`, where the shape has the lengths of the other axes too",
    ),
    exact(
        &["rollaxis"],
        NP,
        &[
            form("x, axis", "moveaxis(x, axis, 0)"),
            form("x, axis, start=0", "moveaxis(x, axis, 0)"),
            form(
                "x, axis, start",
                "moveaxis(x, axis, start + x.ndim*i64(start < 0) - i64(axis % x.ndim < start + x.ndim*i64(start < 0)))",
            ),
        ],
    ),
    // Taken apart
    exact(&["hsplit"], NP, &[form("x, sections", "split(x, sections, axis=minimum(x.ndim, 2) - 1)")]),
    exact(&["vsplit"], NP, &[form("x, sections", "split(x, sections, axis=0)")]),
    exact(&["dsplit"], NP, &[form("x, sections", "split(x, sections, axis=2)")]),
    noted(
        &["chunk"],
        TORCH,
        &[form("x, k", "split(x, k)"), form("x, k, axis", "split(x, k, axis=axis)")],
        "parts of one length are `split`; PyTorch makes all but the last as long as can be: `split(x, (2, 4))` says where",
    ),
    exact(&["repmat"], MATLAB, &[form("x, n", "tile(x, (n, n))"), form("x, n, m", "tile(x, (n, m))")]),
    code(&["narrow"], TORCH, &[form("x, axis, start, length", "x[start:start + length]")], "along the first axis"),
    exact(&["expand_as"], TORCH, &[form("x, y", "broadcast_to(x, y.shape)")]),
    exact(&["head"], PANDAS, &[form("x", "x[:5]"), form("x, n", "x[:n]")]),
    exact(&["tail"], PANDAS, &[form("x", "x[-5:]"), form("x, n", "x[-n:]")]),
    exact(&["dynamic_slice_in_dim"], JAX, &[form("x, start, size", "take(x, start + arange(size), axis=0)")]),
    // What an array says of itself
    exact(&["size", "numel"], NP, &[form("x", "x.size"), form("x, axis", "x.shape[axis]")]),
    exact(&["shape"], NP, &[form("x", "x.shape")]),
    exact(&["ndim", "ndims", "dim"], NP, &[form("x", "x.ndim")]),
    noted(
        &["length"],
        MATLAB,
        &[form("x", "transpose(x, (0,)).shape[0]")],
        "of more axes the longest is `max(x.shape)`, and the first `x.shape[0]`",
    ),
    exact(&["isempty"], MATLAB, &[form("x", "x.size == 0")]),
    exact(&["len", "__len__"], PYTHON, &[form("x", "x.shape[0]")]),
    exact(&["intmax", "realmax"], MATLAB, &[form("dtype", "dtype.max")]),
    exact(&["intmin"], MATLAB, &[form("dtype", "dtype.min")]),
    exact(&["realmin"], MATLAB, &[form("dtype", "dtype.smallest_normal")]),
    exact(&["view_as_real"], TORCH, &[form("z", "stack([z.real, z.imag], axis=-1)")]),
    exact(&["view_as_complex"], TORCH, &[form("x", "x[..., 0] + x[..., 1]*1j")]),
    exact(
        &["view"],
        &[Home::NumPy, Home::Torch],
        &[
            form("x, dtype!", "bitcast(x, dtype)"),
            form("x, shape", "reshape(x, shape)"),
            form("x, a, b", "reshape(x, (a, b))"),
            form("x, a, b, c", "reshape(x, (a, b, c))"),
            form("x, a, b, c, d", "reshape(x, (a, b, c, d))"),
        ],
    ),
    advice(
        &["common_type"],
        NP,
        "of floats it is `result_type(x, y)`; an integer counts as f64 there, `result_type(x, y, f64)`",
    ),
    advice(
        &["min_scalar_type"],
        NP,
        "`arr promote f32 i32` says what dtypes meet as and what that loses, `arr table` shows all of them",
    ),
    code(&["fill"], NP, &[form("x, value", "x[:] = value")], "in a variable; a new array is `full_like(x, value)`"),
    code(&["tf.fill"], TF, &[form("shape, value", "full(shape, value)")], ""),
    advice(&["bmat"], NP, "blocks are put together with `block`: `block([[a, b], [c, d]])`"),
];
