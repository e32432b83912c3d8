//! Functions of Python or others that the language has notation for.

use super::{ElsewhereRow, Home, JAX, MATLAB, NP, PANDAS, PYTHON, TORCH, advice, code, exact, form, same};

/// The rows.
pub(super) static ROWS: &[ElsewhereRow] = &[
    advice(
        &["print", "disp", "display", "fprintf", "printf", "echo", "show"],
        PYTHON,
        "an expression on a line of its own is printed",
    ),
    advice(&["output"], PYTHON, "a result is named, `output y = …`; an expression on a line of its own is printed"),
    advice(
        &["range", "xrange", "enumerate", "zip"],
        PYTHON,
        "numbers in a row are `arange(n)`; operators work on whole arrays, so nothing is counted through",
    ),
    advice(
        &["bin"],
        PYTHON,
        "the bits of an integer are `(x >> arange(8)[::-1]) & 1`; at the prompt `:bits x` shows them",
    ),
    exact(&["reversed"], PYTHON, &[form("x", "x[::-1]")]),
    advice(
        &["slice"],
        PYTHON,
        "a slice stands in its brackets, `x[1:3]`; what is left of a vector without it is `concat([x[:1], x[3:]])`",
    ),
    advice(&["list", "tuple", "dict", "set"], PYTHON, "an array is written `[1, 2, 3]`, several results `(a, b)`"),
    advice(&["lambda"], PYTHON, "a function is written `fn f(x) = …`"),
    exact(&["float"], TORCH, &[form("x", "f32(x)")]),
    exact(&["int"], TORCH, &[form("x", "i32(x)")]),
    exact(&["bool"], TORCH, &[form("x", "x != 0")]),
    same(&["ln"], PYTHON, "log"),
    exact(&["not_"], PYTHON, &[form("x", "not x")]),
    exact(&["type_as"], TORCH, &[form("x, y", "astype(x, y.dtype)")]),
    exact(&["numpy.e", "math.e", "jax.e", "torch.e", "xp.e"], PYTHON, &[form("", "2.718281828459045")]),
    advice(
        &[".at"],
        JAX,
        "a variable is assigned to: `var y = x`, then `y[i] = v`, `y[i] += v`; the old value stays as it is",
    ),
    advice(&[".loc", ".iloc", ".iat"], PANDAS, "positions stand between brackets, counted from 0: `x[2]`, `x[1:4]`"),
    exact(&[".values", ".array", ".data", ".dt"], PANDAS, &[form("x", "x")]),
    exact(&[".year"], PANDAS, &[form("x", "year_of(x)")]),
    exact(&[".month"], PANDAS, &[form("x", "month_of(x)")]),
    exact(&[".day"], PANDAS, &[form("x", "day_of(x)")]),
    exact(&[".weekday", ".dayofweek", ".day_of_week"], PANDAS, &[form("x", "weekday_of(x)")]),
    exact(&[".hour"], PANDAS, &[form("x", "hour_of(x)")]),
    exact(&[".mT", ".mH"], &[Home::ArrayApi], &[form("x", "swapaxes(x, -1, -2)")]),
    exact(&[".H"], NP, &[form("x", "conj(x.T)")]),
    exact(&[".flat"], NP, &[form("x", "ravel(x)")]),
    exact(&[".length"], MATLAB, &[form("x", "x.shape[0]")]),
    exact(&[".nelements"], TORCH, &[form("x", "x.size")]),
    advice(
        &[".columns", ".index"],
        PANDAS,
        "there are no tables, only arrays: a column of a file is bound on the command line, `x=table.csv:column`",
    ),
    advice(&[".str", ".cat"], PANDAS, "words are compared and grouped; their letters are no values here"),
    advice(
        &[".grad", ".device", ".is_cuda", ".strides", ".flags", ".base"],
        NP,
        "a value here is its elements, its dtype and its shape, and nothing else",
    ),
    code(&[".itemsize"], NP, &[form("x", "x.dtype.itemsize")], ""),
    code(&[".nbytes"], NP, &[form("x", "x.size * x.dtype.itemsize")], ""),
    exact(&["euler_gamma"], PYTHON, &[form("", "0.5772156649015329")]),
    exact(&["NINF"], NP, &[form("", "-inf")]),
];
