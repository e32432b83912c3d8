//! Elements put in or taken out: written in the language.

use super::{Op, Param, Role, operand, way, written};

const X: Param = operand("x");
const I: Param = operand("i");
const AXIS: Param = Param { name: "axis", role: Role::Axis, default: Some("None") };

/// A stable order of all positions has what is put in before the element whose position it is given. The new parts lie
/// along the first axis: as many as there are positions, or any number at one position.
const INSERTION: &str = "{
  assert i.size == 0 or isdtype(i.dtype, \"integral\")  # positions of `insert` are integers
  let (size, places) = (i64(x.shape[axis]), i64(i))
  assert all((places >= -size) & (u64(where(i > 0, i, 0)) <= u64(size)))  # a position of `insert` is outside of x
  let at = ravel(where(places < 0, places + size, places))
  let v = moveaxis(x, axis, 0)
  let new = $parts
  let order = argsort(concat([broadcast_to(at, new.shape[0]), arange(v.shape[0], dtype=i64)]))
  moveaxis(take(concat([new, v]), order, axis=0), 0, axis)
}";

/// Values one after the other, as often as needed, put at positions of all elements.
const OVERWRITTEN: &str = "{
  assert i.size == 0 or isdtype(i.dtype, (\"bool\", \"integral\"))  # positions of `put` are integers
  assert all((i64(i) >= 0) | (i < 0))  # a position of `put` is outside of x
  let at = take(arange(x.size, dtype=i64), i64(ravel(i))$mode)
  let (old, new) = (ravel(x), ravel(astype(values, x.dtype)))
  let size = i64(new.size)
  let turns = arange(at.size, dtype=i64) % maximum(size, i64(1))
  reshape(put_along_axis(old, at, where(size > 0, take(pad(new, (0, 1)), turns), take(old, at))), x.shape)
}";

/// Values one after the other, as often as needed, on a diagonal.
const DIAGONAL: &str = "{
  let given = ravel(astype(value, x.dtype))
  let (size, new) = (i64(given.size), pad(given, (0, 1)))
  let at = arange(x.shape[0], dtype=i64)
  let columns = arange(x.shape[1], dtype=i64)
  where(($mask) & (size > 0), take(new, $number % maximum(size, i64(1))), x)
}";

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "x with values put in before positions",
        special: "Without `axis` it is a vector of all elements. Several positions take one value each, or all the \
                  same. One position takes any number of values there. Along `axis` parts are put in: one position \
                  takes one, or with as many axes as x several, which lie along the first axis of the values, as in \
                  NumPy. Positions count in x as it was, negative ones from its end; its length is the end. The values \
                  become the dtype of x",
        examples: &[
            ("insert([1, 2, 3], 1, 9)", "[1, 9, 2, 3]"),
            ("insert([1, 2, 3], [0, 3], [8, 9])", "[8, 1, 2, 3, 9]"),
            ("insert([[1, 2], [3, 4]], 1, [8, 9], axis=1)", "[[1, 8, 2], [3, 9, 4]]"),
            ("insert([[1, 2]], 0, [[5, 6], [7, 8]], axis=0)", "[[5, 6], [7, 8], [1, 2]]"),
        ],
        ..written(
            "insert",
            &[X, I, operand("values"), AXIS],
            &[
                way(
                    "x, i, values",
                    "{
  assert i.size == 0 or isdtype(i.dtype, \"integral\")  # positions of `insert` are integers
  let v = ravel(x)
  let (size, places) = (i64(v.size), i64(i))
  assert all((places >= -size) & (u64(where(i > 0, i, 0)) <= u64(size)))  # a position of `insert` is outside of x
  let first = ravel(where(places < 0, places + size, places))
  let (at, new) = broadcast_arrays(first, ravel(astype(values, v.dtype)))
  take(concat([new, v]), argsort(concat([at, arange(v.size, dtype=i64)])))
}",
                ),
                way("x, i[], values, axis", INSERTION).with(&[(
                    "parts",
                    "moveaxis(broadcast_arrays(astype(values, x.dtype), \
                     expand_dims(any(x != 0, axis=axis), axis) | (along(at, x, axis) < 0))[0], axis, 0)",
                )]),
                way("x, i, values, axis", INSERTION).with(&[(
                    "parts",
                    "broadcast_arrays(astype(values, x.dtype), expand_dims(any(v != 0, axis=0), 0))[0]",
                )]),
            ],
        )
    },
    Op {
        summary: "x without the elements at positions",
        special: "Without `axis` it is a vector of all elements. `i` is one position, several, or a mask; how many \
                  elements several positions or a mask leave only data decides. Negative positions count from the end, \
                  and one outside is an error",
        examples: &[
            ("delete([1, 2, 3], 1)", "[1, 3]"),
            ("delete([1, 2, 3], [0, -1])", "[2]"),
            ("delete([[1, 2], [3, 4]], 0, axis=1)", "[[2], [4]]"),
        ],
        ..written(
            "delete",
            &[X, I, AXIS],
            &[
                way("x, i", "delete(ravel(x), i, axis=0)"),
                way(
                    "x, i[], axis",
                    "{
  let at = arange(x.shape[axis], dtype=i64)
  take(x, flatnonzero(~isin(at, at[i])), axis=axis)
}",
                ),
                way(
                    "x, i, axis",
                    "{
  let one: _ = i  # `delete` takes one position, several in a vector, or a mask
  let place = arange(x.shape[axis], dtype=i64)[one]
  let at = arange(x.shape[axis] - 1, dtype=i64)
  take(x, where(at < place, at, at + 1), axis=axis)
}",
                ),
            ],
        )
    },
    Op {
        summary: "a vector without the zeros at its ends",
        special: "`trim` is \"fb\" for both ends, \"f\" for the front, \"b\" for the back. How many elements are left \
                  only data decides; nan is not zero",
        examples: &[("trim_zeros([0, 1, 0, 2, 0])", "[1, 0, 2]"), ("trim_zeros([0, 1, 0], \"f\")", "[1, 0]")],
        ..written(
            "trim_zeros",
            &[X, Param { name: "trim", role: Role::Text, default: Some("\"fb\"") }],
            &[
                way("x", "trim_zeros(trim_zeros(x, \"f\"), \"b\")"),
                way("x, trim=\"fb\"", "trim_zeros(trim_zeros(x, \"f\"), \"b\")"),
                way("x, trim=\"bf\"", "trim_zeros(trim_zeros(x, \"f\"), \"b\")"),
                way("x, trim=\"f\"", "{\n  let v: _[n] = x\n  v[cumsum(i64(v != 0)) > 0]\n}"),
                way("x, trim=\"b\"", "{\n  let v: _[n] = x\n  v[flip(cumsum(i64(flip(v != 0)))) > 0]\n}"),
            ],
        )
    },
    Op {
        summary: "x with other values at positions among all elements",
        special: "Positions count all elements in C order, negative ones from the end, and one outside is an error; \
                  with `mode=\"wrap\"` they are taken modulo the number of elements, with \"clip\" they are the \
                  first or the last. Fewer values than positions are used again from the first, and where a position \
                  occurs twice the last one stays. Of no values x is left as it is. The values become the dtype of x",
        examples: &[
            ("put([1, 2, 3], [0, -1], 9)", "[9, 2, 9]"),
            ("put([[1, 2], [3, 4]], [0, 3, 1], [7, 8])", "[[7, 7], [3, 8]]"),
        ],
        ..written(
            "put",
            &[X, I, operand("values"), Param { name: "mode", role: Role::Text, default: Some("\"raise\"") }],
            &[
                way("x, i, values", OVERWRITTEN).with(&[("mode", "")]),
                way("x, i, values, mode=\"raise\"", OVERWRITTEN).with(&[("mode", "")]),
                way("x, i, values, mode=\"wrap\"", OVERWRITTEN).with(&[("mode", ", mode=\"wrap\"")]),
                way("x, i, values, mode=\"clip\"", OVERWRITTEN).with(&[("mode", ", mode=\"clip\"")]),
            ],
        )
    },
    Op {
        summary: "x with other values on its diagonal",
        special: "x is a matrix, or has three axes of one length. Fewer values than elements are used again from the \
                  first, and of none x is left as it is; they become the dtype of x. With wrap=true the diagonal of a \
                  matrix with more rows than columns begins again, a row below its end",
        examples: &[
            ("fill_diagonal([[1, 2, 3], [4, 5, 6]], 0)", "[[0, 2, 3], [4, 0, 6]]"),
            ("fill_diagonal([[1, 2], [3, 4]], [7, 8])", "[[7, 2], [3, 8]]"),
        ],
        ..written(
            "fill_diagonal",
            &[X, operand("value"), Param { name: "wrap", role: Role::Flag, default: Some("false") }],
            &[
                way("x[,], value", DIAGONAL).with(&[("mask", "at[:, None] == columns"), ("number", "columns")]),
                way("x[,], value, wrap=true", DIAGONAL).with(&[
                    ("mask", "(at[:, None] * columns.size + columns) % (columns.size + 1) == 0"),
                    ("number", "((at[:, None] * columns.size + columns) // (columns.size + 1))"),
                ]),
                way(
                    "x[,,], value, wrap?",
                    "{
  assert x.shape[0] == x.shape[1]  # the axes of `fill_diagonal` have one length
  assert x.shape[1] == x.shape[2]  # the axes of `fill_diagonal` have one length
  let given = ravel(astype(value, x.dtype))
  let (size, new) = (i64(given.size), pad(given, (0, 1)))
  let at = arange(x.shape[0], dtype=i64)
  let mask = (at[:, None, None] == at[:, None]) & (at[:, None] == at)
  where(mask & (size > 0), take(new, at % maximum(size, i64(1))), x)
}",
                ),
                way(
                    "x, value, wrap?",
                    "{
  assert x.ndim == 2  # `fill_diagonal` takes a matrix, or three axes of one length
  x
}",
                ),
            ],
        )
    },
    Op {
        summary: "the elements of x, repeated or cut off to another shape",
        special: "They are taken in C order, again from the first where there are too few. Of no elements it makes \
                  zeros. The method `resize` of NumPy's arrays, which puts zeros behind them, is another one",
        examples: &[("resize([1, 2, 3], 5)", "[1, 2, 3, 1, 2]"), ("resize([[1, 2], [3, 4]], (1, 3))", "[[1, 2, 3]]")],
        ..written(
            "resize",
            &[X, Param { name: "shape", role: Role::Shape, default: None }],
            &[way(
                "x, shape",
                "{
  let v = ravel(x)
  let at = arange(ones(shape, dtype=bool).size, dtype=i64)
  reshape(take(pad(v, (0, 1)), at % maximum(i64(v.size), i64(1))), shape)
}",
            )],
        )
    },
];
