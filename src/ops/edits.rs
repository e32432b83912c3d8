//! Elements put in and taken out: written in the language.

use super::{Op, Param, Role, operand, way, written};

const X: Param = operand("x");
const I: Param = operand("i");
const AXIS: Param = Param { name: "axis", role: Role::Axis, default: Some("None") };

/// A stable order of all positions has what is put in before the element whose position it is given.
macro_rules! inserted {
    ($given:literal) => {
        concat!(
            "{
  assert i.size == 0 or isdtype(i.dtype, \"integral\")  # positions of `insert` are integers
  let (size, places) = (i64(x.shape[axis]), i64(i))
  assert all((places >= -size) & (u64(where(i > 0, i, 0)) <= u64(size)))  # a position of `insert` is outside of x
  let at = ravel(where(places < 0, places + size, places))
  let new = ",
            $given,
            "
  let both = concat([moveaxis(new, axis, 0), moveaxis(x, axis, 0)])
  let order = argsort(concat([at, arange(x.shape[axis], dtype=i64)]))
  moveaxis(take(both, order, axis=0), 0, axis)
}"
        )
    };
}

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "x with values put in before positions",
        special: "Without `axis` it is a vector of all elements. Several positions take one value each, or all the \
                  same. One position takes any number of values there, and one part along `axis`. Positions count in x \
                  as it was, negative ones from its end; its length is the end. The values become the dtype of x",
        examples: &[
            ("insert([1, 2, 3], 1, 9)", "[1, 9, 2, 3]"),
            ("insert([1, 2, 3], [0, 3], [8, 9])", "[8, 1, 2, 3, 9]"),
            ("insert([[1, 2], [3, 4]], 1, [8, 9], axis=1)", "[[1, 8, 2], [3, 9, 4]]"),
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
                way(
                    "x, i[], values, axis",
                    inserted!(
                        "broadcast_to(astype(values, x.dtype), \
                         (expand_dims(any(x != 0, axis=axis), axis) | (along(at, x, axis) < 0)).shape)"
                    ),
                ),
                way(
                    "x, i, values, axis",
                    inserted!("expand_dims(broadcast_to(astype(values, x.dtype), any(x != 0, axis=axis).shape), axis)"),
                ),
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
];
