//! Arrays made, put together, taken apart and turned.

use super::{API, Becomes, Form, Home, JAX, MATLAB, NP, PANDAS, PYTHON, Row, STD, TORCH, advice, code, exact};

const fn form(params: &'static str, code: &'static str) -> Form {
    Form { params, code }
}

/// The rows.
pub(super) const ROWS: &[Row] = &[
    // Construction
    exact(
        &["array", "asarray", "tensor", "as_tensor", "asanyarray", "from_numpy", "to_numpy", "convert_to_tensor"],
        STD,
        &[form("x", "x"), form("x, dtype", "dtype(x)"), form("x, dtype, copy?", "dtype(x)"), form("x, copy?", "x")],
    ),
    Row {
        names: &["copy", "clone", "deepcopy", "ascontiguousarray", "asfortranarray", "contiguous", "require"],
        homes: NP,
        becomes: Becomes::Code {
            forms: &[form("x", "x")],
            note: "a value never changes under another name, so nothing needs a copy",
            exact: true,
        },
    },
    exact(
        &[
            "asarray_chkfinite",
            "detach",
            "cpu",
            "numpy",
            "tolist",
            "item",
            "block_until_ready",
            "stop_gradient",
            "device_put",
            "device_get",
        ],
        NP,
        &[form("x", "x")],
    ),
    exact(&["identity"], NP, &[form("n", "eye(n)"), form("n, dtype", "eye(n, dtype=dtype)")]),
    exact(
        &["logspace"],
        NP,
        &[
            form("start, stop", "10 ** linspace(start, stop, 50)"),
            form("start, stop, num", "10 ** linspace(start, stop, num)"),
            form("start, stop, num, base", "base ** linspace(start, stop, num)"),
        ],
    ),
    exact(
        &["geomspace"],
        NP,
        &[
            form("start, stop", "exp(linspace(log(start), log(stop), 50))"),
            form("start, stop, num", "exp(linspace(log(start), log(stop), num))"),
        ],
    ),
    exact(
        &["fftfreq", "fft.fftfreq"],
        NP,
        &[form("n", "((arange(n) + n//2) % n - n//2) / n"), form("n, d", "((arange(n) + n//2) % n - n//2) / (n*d)")],
    ),
    exact(
        &["rfftfreq", "fft.rfftfreq"],
        NP,
        &[form("n", "arange(n//2 + 1) / n"), form("n, d", "arange(n//2 + 1) / (n*d)")],
    ),
    exact(&["fftshift", "fft.fftshift"], NP, &[form("x", "roll(x, x.shape[0]//2, axis=0)")]),
    exact(&["ifftshift", "fft.ifftshift"], NP, &[form("x", "roll(x, -(x.shape[0]//2), axis=0)")]),
    exact(&["hanning", "hann"], NP, &[form("n", "0.5 - 0.5*cos(2*pi*arange(n)/(n - 1))")]),
    exact(&["hamming"], NP, &[form("n", "0.54 - 0.46*cos(2*pi*arange(n)/(n - 1))")]),
    exact(&["blackman"], NP, &[form("n", "0.42 - 0.5*cos(2*pi*arange(n)/(n - 1)) + 0.08*cos(4*pi*arange(n)/(n - 1))")]),
    exact(&["bartlett"], NP, &[form("n", "1 - abs(2*arange(n)/(n - 1) - 1)")]),
    exact(
        &["tri"],
        NP,
        &[form("n", "f64(arange(n)[:, None] >= arange(n))"), form("n, m", "f64(arange(n)[:, None] >= arange(m))")],
    ),
    exact(
        &["tril"],
        STD,
        &[
            form("x", "where(arange(x.shape[-2])[:, None] >= arange(x.shape[-1]), x, 0)"),
            form("x, k", "where(arange(x.shape[-2])[:, None] >= arange(x.shape[-1]) - k, x, 0)"),
        ],
    ),
    exact(
        &["triu"],
        STD,
        &[
            form("x", "where(arange(x.shape[-2])[:, None] <= arange(x.shape[-1]), x, 0)"),
            form("x, k", "where(arange(x.shape[-2])[:, None] <= arange(x.shape[-1]) - k, x, 0)"),
        ],
    ),
    code(
        &["diag", "diagonal", "linalg.diagonal"],
        STD,
        &[form("x", "take(ravel(x), arange(x.shape[0])*(x.shape[1] + 1))")],
        "of a square matrix; a matrix with the vector v on its diagonal is `v * eye(v.size)`",
    ),
    exact(&["diagflat", "diag_embed"], NP, &[form("v", "ravel(v) * eye(v.size)")]),
    code(
        &["fill_diagonal"],
        NP,
        &[form("x, value", "where(eye(x.shape[0], x.shape[1]) == 1, value, x)")],
        "it is a new array: `x = …` of a variable, or `let x = …`",
    ),
    exact(
        &["meshgrid"],
        STD,
        &[form("x, y", "(broadcast_to(x, (y.size, x.size)), broadcast_to(y[:, None], (y.size, x.size)))")],
    ),
    code(
        &["indices", "mgrid", "ogrid", "ix_"],
        NP,
        &[form("shape", "(arange(shape[0])[:, None], arange(shape[1]))")],
        "of two axes; the two broadcast to the grid",
    ),
    code(&["fromfunction"], NP, &[form("f, shape", "f(arange(shape[0])[:, None], arange(shape[1]))")], "of two axes"),
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
    code(&["insert"], NP, &[form("x, i, value", "concat([x[:i], [value], x[i:]])")], "into a vector"),
    code(&["delete"], NP, &[form("x, i", "concat([x[:i], x[i + 1:]])")], "from a vector, for i from 0 on"),
    // Repeated
    exact(
        &["repeat", "repeat_interleave"],
        STD,
        &[
            form("x, k", "take(x, arange(x.size*k)//k)"),
            form("x, k, axis", "take(x, arange(x.shape[axis]*k)//k, axis=axis)"),
        ],
    ),
    code(
        &["tile", "repmat"],
        STD,
        &[form("x, k", "take(x, arange(x.size*k) % x.size)")],
        "of a vector; of a matrix tile one axis after the other with `axis=`",
    ),
    code(
        &["resize"],
        NP,
        &[form("x, n", "take(x, arange(n) % x.size)")],
        "to one axis; `reshape` keeps the number of elements",
    ),
    // Turned
    exact(&["t", "ctranspose"], TORCH, &[form("x", "x.T")]),
    exact(&["fliplr"], NP, &[form("x", "flip(x, axis=1)")]),
    exact(&["flipud"], NP, &[form("x", "flip(x, axis=0)")]),
    exact(&["matrix_transpose", "linalg.matrix_transpose", "mT"], API, &[form("x", "swapaxes(x, -1, -2)")]),
    exact(&["torch.transpose"], TORCH, &[form("x, dim0, dim1", "swapaxes(x, dim0, dim1)")]),
    exact(&["circshift"], MATLAB, &[form("x, k", "roll(x, k)")]),
    exact(&["shift"], PANDAS, &[form("x, k", "concat([full(k, nan), x[:-k]])")]),
    exact(&["rot90"], NP, &[form("x", "flip(x.T, axis=0)")]),
    code(
        &["moveaxis", "rollaxis", "movedim"],
        STD,
        &[form("x, from, to", "transpose(x, (1, 2, 0))")],
        "`axes` is the new order, here that of moving the first of three axes to the end; `swapaxes` exchanges two",
    ),
    exact(&["unflatten"], TORCH, &[form("x, axis, shape", "reshape(x, shape)")]),
    code(&["atleast_1d"], NP, &[form("x", "ravel(x)")], "of a scalar; what has axes stays as it is"),
    code(&["atleast_2d"], NP, &[form("x", "x[None]")], "of a vector; a matrix stays"),
    code(&["atleast_3d"], NP, &[form("x", "x[..., None]")], "of a matrix; `x[None, :, None]` of a vector"),
    code(
        &["broadcast_arrays"],
        STD,
        &[form("x, y", "(broadcast_to(x, shape), broadcast_to(y, shape))")],
        "operators broadcast by themselves",
    ),
    // Taken apart
    code(
        &["split", "array_split", "hsplit", "chunk"],
        STD,
        &[form("x, k", "(x[:x.shape[0]//k], x[x.shape[0]//k:])")],
        "slices are views and cost nothing: `let (a, b) = (x[:n], x[n:])`",
    ),
    code(
        &["vsplit"],
        NP,
        &[form("x, k", "(x[:x.shape[0]//k], x[x.shape[0]//k:])")],
        "slices are views and cost nothing",
    ),
    code(&["dsplit"], NP, &[form("x, k", "(x[:, :, :n], x[:, :, n:])")], "slices are views and cost nothing"),
    code(
        &["unstack", "unbind"],
        API,
        &[form("x", "(x[0], x[1])")],
        "each part is written: `let (a, b) = (x[0], x[1])`",
    ),
    code(&["narrow"], TORCH, &[form("x, axis, start, length", "x[start:start + length]")], "along the first axis"),
    code(
        &["trim_zeros"],
        NP,
        &[form("x", "x[1:-1]")],
        "shapes are known before anything runs, so the bounds are numbers",
    ),
    exact(&["head"], PANDAS, &[form("x", "x[:5]"), form("x, n", "x[:n]")]),
    exact(&["tail"], PANDAS, &[form("x", "x[-5:]"), form("x, n", "x[-n:]")]),
    exact(&["dynamic_slice_in_dim"], JAX, &[form("x, start, size", "take(x, start + arange(size), axis=0)")]),
    // What an array says of itself
    exact(&["size", "numel"], NP, &[form("x", "x.size"), form("x, axis", "x.shape[axis]")]),
    exact(&["shape"], NP, &[form("x", "x.shape")]),
    exact(&["ndim", "ndims"], NP, &[form("x", "x.ndim")]),
    exact(&["length"], MATLAB, &[form("x", "x.shape[0]")]),
    exact(&["isempty"], MATLAB, &[form("x", "x.size == 0")]),
    exact(&["len", "__len__"], PYTHON, &[form("x", "x.shape[0]")]),
    code(
        &["result_type", "promote_types", "common_type"],
        NP,
        &[form("x, y", "(x + y).dtype")],
        "`arr promote f32 i32` tells it of dtypes, for every system",
    ),
    code(
        &["finfo"],
        STD,
        &[form("dtype", "nextafter(dtype(1), dtype(2)) - 1")],
        "that is `finfo(…).eps`; the largest f32 is 3.4028235e38, the largest f64 1.7976931348623157e308",
    ),
    code(
        &["iinfo"],
        STD,
        &[form("dtype", "saturate(inf, dtype)")],
        "that is `iinfo(…).max`; `saturate(-inf, dtype)` is the smallest",
    ),
    code(&["intmax", "realmax"], MATLAB, &[form("dtype", "saturate(inf, dtype)")], "of an integer dtype"),
    code(&["intmin", "realmin"], MATLAB, &[form("dtype", "saturate(-inf, dtype)")], "of an integer dtype"),
    exact(&["view_as_real"], TORCH, &[form("z", "stack([z.real, z.imag], axis=-1)")]),
    exact(&["view_as_complex"], TORCH, &[form("x", "x[..., 0] + x[..., 1]*1j")]),
    advice(
        &["view"],
        &[Home::Torch, Home::NumPy],
        "another shape is `reshape(x, (2, -1))`, the same bits as another dtype are `bitcast(x, u32)`",
    ),
    advice(
        &["can_cast", "min_scalar_type", "find_common_type"],
        NP,
        "`arr promote f32 i32` says what dtypes meet as and what that loses, `arr table` shows all of them",
    ),
    advice(&["fill"], NP, "one value everywhere is `full_like(x, value)`; a variable takes it with `x[:] = value`"),
    advice(
        &["bmat", "block"],
        NP,
        "blocks are put together with `concat`: `concat([concat([a, b], axis=1), concat([c, d], axis=1)])`",
    ),
];
