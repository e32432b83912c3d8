//! Methods of PyTorch's tensors that mean something else than the functions of these names: under its system they are
//! refused, with what to write.

use super::{ElsewhereRow, TORCH, code, form};

/// The rows.
pub(super) static ROWS: &[ElsewhereRow] = &[
    code(
        &["tensor.transpose"],
        TORCH,
        &[form("x, dim0, dim1", "swapaxes(x, dim0, dim1)")],
        "PyTorch's swaps two axes; all axes in an order are `transpose(x, (0, 1))`",
    ),
    code(
        &["tensor.repeat"],
        TORCH,
        &[form("x, n", "tile(x, n)"), form("x, n, m", "tile(x, (n, m))"), form("x, n, m, k", "tile(x, (n, m, k))")],
        "PyTorch's repeats the whole; each element is repeated by `repeat(x, 2)`",
    ),
    code(
        &["tensor.std"],
        TORCH,
        &[form("x", "std(x, ddof=1)"), form("x, axis, keepdims?", "std(x, axis=axis, ddof=1, keepdims=keepdims)")],
        "PyTorch's divides by n - 1; `std(x)` divides by n",
    ),
    code(
        &["tensor.var"],
        TORCH,
        &[form("x", "var(x, ddof=1)"), form("x, axis, keepdims?", "var(x, axis=axis, ddof=1, keepdims=keepdims)")],
        "PyTorch's divides by n - 1; `var(x)` divides by n",
    ),
    code(
        &["tensor.max"],
        TORCH,
        &[form(
            "x, axis, keepdims?",
            "(max(x, axis=axis, keepdims=keepdims), argmax(x, axis=axis, keepdims=keepdims))",
        )],
        "PyTorch's gives positions too; the values alone are `max(x, axis=0)`",
    ),
    code(
        &["tensor.min"],
        TORCH,
        &[form(
            "x, axis, keepdims?",
            "(min(x, axis=axis, keepdims=keepdims), argmin(x, axis=axis, keepdims=keepdims))",
        )],
        "PyTorch's gives positions too; the values alone are `min(x, axis=0)`",
    ),
    code(
        &["tensor.sort"],
        TORCH,
        &[form(
            "x, axis?, descending?",
            "(sort(x, axis=axis, descending=descending), argsort(x, axis=axis, descending=descending))",
        )],
        "PyTorch's gives positions too; the values alone are `sort(x)`",
    ),
    code(
        &["tensor.median"],
        TORCH,
        &[form("x, axis?", "quantile(x, 0.5, axis=axis, method=\"lower\")")],
        "PyTorch's is the lower of two in the middle, and along an axis it gives positions too; their mean is `median(x)`",
    ),
    code(
        &["tensor.nanmedian"],
        TORCH,
        &[form("x, axis?", "nanquantile(x, 0.5, axis=axis, method=\"lower\")")],
        "PyTorch's is the lower of two in the middle, and along an axis it gives positions too; their mean is \
         `nanmedian(x)`",
    ),
    code(
        &["tensor.cummax"],
        TORCH,
        &[form("x, axis", "cummax(x, axis=axis)")],
        "these are the values; PyTorch's gives positions too",
    ),
    code(
        &["tensor.cummin"],
        TORCH,
        &[form("x, axis", "cummin(x, axis=axis)")],
        "these are the values; PyTorch's gives positions too",
    ),
    code(
        &["tensor.nonzero"],
        TORCH,
        &[form("x", "argwhere(x)")],
        "PyTorch's is one matrix; a tuple of positions along each axis is `nonzero(x)`",
    ),
    code(
        &["tensor.equal"],
        TORCH,
        &[form("x, y", "array_equal(x, y)")],
        "PyTorch's is one answer for both; of each element it is `x == y`",
    ),
    code(
        &["tensor.split"],
        TORCH,
        &[
            form("x, size", "split(x, x.shape[0] // size)"),
            form("x, size, axis", "split(x, x.shape[axis] // size, axis=axis)"),
        ],
        "PyTorch's takes the size of a part; so many parts are `split(x, 3)`",
    ),
];
