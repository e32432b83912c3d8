//! Methods of NumPy's functions of elements: `np.add.reduce`, `np.maximum.accumulate`, `np.gcd.outer`.

use super::{CallForm, ElsewhereRow, NP, code, exact, form, noted};

const XOR: &[(&str, &str)] =
    &[("step", "repeat m.shape[0] as i with s = zeros(m.shape[1:], dtype=m.dtype) { s ^ m[i] }")];
const OR: &[(&str, &str)] =
    &[("step", "repeat m.shape[0] as i with s = zeros(m.shape[1:], dtype=m.dtype) { s | m[i] }")];
const AND: &[(&str, &str)] =
    &[("step", "repeat m.shape[0] as i with s = ~zeros(m.shape[1:], dtype=m.dtype) { s & m[i] }")];
const GCD: &[(&str, &str)] =
    &[("step", "repeat m.shape[0] as i with s = zeros(m.shape[1:], dtype=m.dtype) { gcd(s, m[i]) }")];
const LCM: &[(&str, &str)] = &[("step", "repeat m.shape[0] - 1 as i with s = m[0] { lcm(s, m[i + 1]) }")];

/// A fold of the rows along one axis, the first unless told otherwise, or of all elements; `step` is what the code does
/// with `m`, whose rows they are.
const fn folded(step: &'static [(&'static str, &'static str)]) -> [CallForm; 5] {
    [
        form("x", "{\n  let m = x\n  $step\n}").with(step),
        form("x, axis=None", "{\n  let m = ravel(x)\n  $step\n}").with(step),
        form("x, axis", "{\n  let m = moveaxis(x, axis, 0)\n  $step\n}").with(step),
        form("x, keepdims=true", "{\n  let m = x\n  let s = $step\n  expand_dims(s, 0)\n}").with(step),
        form("x, axis, keepdims=true", "{\n  let m = moveaxis(x, axis, 0)\n  let s = $step\n  expand_dims(s, axis)\n}")
            .with(step),
    ]
}

const OUTER: &str = "{
  let u: _[j] = a  # `outer` is of vectors; of other arrays the first gets an axis of length 1 for each of the second
  let v: _[k] = b  # `outer` is of vectors; of other arrays the first gets an axis of length 1 for each of the second
  $step
}";

/// A function of each element of one vector with each of another.
const fn outer(names: &'static [&'static str], forms: &'static [CallForm]) -> ElsewhereRow {
    noted(names, NP, forms, "of other arrays the first gets an axis of length 1 behind its own for each of the second")
}

/// The rows.
pub(super) static ROWS: &[ElsewhereRow] = &[
    // Ufuncs as reductions go along the first axis unless told otherwise.
    exact(
        &["add.reduce"],
        NP,
        &[
            form(
                "x, axis, dtype?, keepdims?, initial?",
                "sum(x, axis=axis, dtype=dtype, keepdims=keepdims, initial=initial)",
            ),
            form("x, dtype?, keepdims?, initial?", "sum(x, axis=0, dtype=dtype, keepdims=keepdims, initial=initial)"),
            form(
                "x, axis, where, dtype?, keepdims?, initial?",
                "sum(x, axis=axis, dtype=dtype, keepdims=keepdims, initial=initial, where=where)",
            ),
            form(
                "x, where, dtype?, keepdims?, initial?",
                "sum(x, axis=0, dtype=dtype, keepdims=keepdims, initial=initial, where=where)",
            ),
        ],
    ),
    exact(
        &["multiply.reduce"],
        NP,
        &[
            form(
                "x, axis, dtype?, keepdims?, initial?",
                "prod(x, axis=axis, dtype=dtype, keepdims=keepdims, initial=initial)",
            ),
            form("x, dtype?, keepdims?, initial?", "prod(x, axis=0, dtype=dtype, keepdims=keepdims, initial=initial)"),
            form(
                "x, axis, where, dtype?, keepdims?, initial?",
                "prod(x, axis=axis, dtype=dtype, keepdims=keepdims, initial=initial, where=where)",
            ),
            form(
                "x, where, dtype?, keepdims?, initial?",
                "prod(x, axis=0, dtype=dtype, keepdims=keepdims, initial=initial, where=where)",
            ),
        ],
    ),
    exact(
        &["maximum.reduce"],
        NP,
        &[
            form("x, axis, keepdims?, initial?", "max(x, axis=axis, keepdims=keepdims, initial=initial)"),
            form("x, keepdims?, initial?", "max(x, axis=0, keepdims=keepdims, initial=initial)"),
            form(
                "x, axis, initial, where, keepdims?",
                "max(x, axis=axis, keepdims=keepdims, initial=initial, where=where)",
            ),
            form("x, initial, where, keepdims?", "max(x, axis=0, keepdims=keepdims, initial=initial, where=where)"),
        ],
    ),
    exact(
        &["minimum.reduce"],
        NP,
        &[
            form("x, axis, keepdims?, initial?", "min(x, axis=axis, keepdims=keepdims, initial=initial)"),
            form("x, keepdims?, initial?", "min(x, axis=0, keepdims=keepdims, initial=initial)"),
            form(
                "x, axis, initial, where, keepdims?",
                "min(x, axis=axis, keepdims=keepdims, initial=initial, where=where)",
            ),
            form("x, initial, where, keepdims?", "min(x, axis=0, keepdims=keepdims, initial=initial, where=where)"),
        ],
    ),
    exact(
        &["logical_and.reduce"],
        NP,
        &[
            form("x, axis, keepdims?", "all(x, axis=axis, keepdims=keepdims)"),
            form("x, keepdims?", "all(x, axis=0, keepdims=keepdims)"),
            form("x, axis, where, keepdims?", "all(x, axis=axis, keepdims=keepdims, where=where)"),
            form("x, where, keepdims?", "all(x, axis=0, keepdims=keepdims, where=where)"),
        ],
    ),
    exact(
        &["logical_or.reduce"],
        NP,
        &[
            form("x, axis, keepdims?", "any(x, axis=axis, keepdims=keepdims)"),
            form("x, keepdims?", "any(x, axis=0, keepdims=keepdims)"),
            form("x, axis, where, keepdims?", "any(x, axis=axis, keepdims=keepdims, where=where)"),
            form("x, where, keepdims?", "any(x, axis=0, keepdims=keepdims, where=where)"),
        ],
    ),
    exact(
        &["logaddexp.reduce"],
        NP,
        &[
            form("x, axis, keepdims?", "logsumexp(x, axis=axis, keepdims=keepdims)"),
            form("x, keepdims?", "logsumexp(x, axis=0, keepdims=keepdims)"),
        ],
    ),
    exact(&["bitwise_xor.reduce"], NP, &folded(XOR)),
    exact(&["bitwise_or.reduce"], NP, &folded(OR)),
    exact(&["bitwise_and.reduce"], NP, &folded(AND)),
    exact(&["gcd.reduce"], NP, &folded(GCD)),
    exact(&["lcm.reduce"], NP, &folded(LCM)),
    code(
        &["hypot.reduce"],
        NP,
        &[
            form("x", "linalg.norm(x, axis=0)"),
            form("x, axis, keepdims?", "linalg.norm(x, axis=axis, keepdims=keepdims)"),
        ],
        "",
    ),
    code(&["fmax.reduce"], NP, &[form("x", "nanmax(x, axis=0)"), form("x, axis", "nanmax(x, axis=axis)")], ""),
    code(&["fmin.reduce"], NP, &[form("x", "nanmin(x, axis=0)"), form("x, axis", "nanmin(x, axis=axis)")], ""),
    exact(
        &["logical_xor.reduce"],
        NP,
        &[
            form("x", "count_nonzero(x, axis=0) % 2 == 1"),
            form("x, axis, keepdims?", "count_nonzero(x, axis=axis, keepdims=keepdims) % 2 == 1"),
        ],
    ),
    exact(&["add.accumulate"], NP, &[form("x", "cumsum(x, axis=0)"), form("x, axis", "cumsum(x, axis=axis)")]),
    exact(&["multiply.accumulate"], NP, &[form("x", "cumprod(x, axis=0)"), form("x, axis", "cumprod(x, axis=axis)")]),
    exact(&["maximum.accumulate"], NP, &[form("x", "cummax(x, axis=0)"), form("x, axis", "cummax(x, axis=axis)")]),
    exact(&["minimum.accumulate"], NP, &[form("x", "cummin(x, axis=0)"), form("x, axis", "cummin(x, axis=axis)")]),
    code(
        &["logical_and.accumulate"],
        NP,
        &[form("x", "cummin(x, axis=0)"), form("x, axis", "cummin(x, axis=axis)")],
        "of truth values",
    ),
    code(
        &["logical_or.accumulate"],
        NP,
        &[form("x", "cummax(x, axis=0)"), form("x, axis", "cummax(x, axis=axis)")],
        "of truth values",
    ),
    // Sums and products are as wide as those of all elements.
    code(
        &["add.reduceat"],
        NP,
        &[
            form(
                "x, i",
                "segment_sum(astype(x, sum(x).dtype), searchsorted(i, arange(x.shape[0]), side=\"right\") - 1, i.size)",
            ),
            form(
                "x, i, axis",
                "moveaxis(segment_sum(moveaxis(astype(x, sum(x).dtype), axis, 0), \
                 searchsorted(i, arange(x.shape[axis]), side=\"right\") - 1, i.size), 0, axis)",
            ),
        ],
        "for places that ascend from 0",
    ),
    code(
        &["multiply.reduceat"],
        NP,
        &[
            form(
                "x, i",
                "segment_prod(astype(x, prod(x).dtype), \
                 searchsorted(i, arange(x.shape[0]), side=\"right\") - 1, i.size)",
            ),
            form(
                "x, i, axis",
                "moveaxis(segment_prod(moveaxis(astype(x, prod(x).dtype), axis, 0), \
                 searchsorted(i, arange(x.shape[axis]), side=\"right\") - 1, i.size), 0, axis)",
            ),
        ],
        "for places that ascend from 0",
    ),
    code(
        &["maximum.reduceat"],
        NP,
        &[
            form("x, i", "segment_max(x, searchsorted(i, arange(x.shape[0]), side=\"right\") - 1, i.size)"),
            form(
                "x, i, axis",
                "moveaxis(segment_max(moveaxis(x, axis, 0), \
                 searchsorted(i, arange(x.shape[axis]), side=\"right\") - 1, i.size), 0, axis)",
            ),
        ],
        "for places that ascend from 0",
    ),
    code(
        &["minimum.reduceat"],
        NP,
        &[
            form("x, i", "segment_min(x, searchsorted(i, arange(x.shape[0]), side=\"right\") - 1, i.size)"),
            form(
                "x, i, axis",
                "moveaxis(segment_min(moveaxis(x, axis, 0), \
                 searchsorted(i, arange(x.shape[axis]), side=\"right\") - 1, i.size), 0, axis)",
            ),
        ],
        "for places that ascend from 0",
    ),
    outer(&["subtract.outer"], &[form("a, b", OUTER).with(&[("step", "u[:, None] - v")])]),
    outer(&["add.outer"], &[form("a, b", OUTER).with(&[("step", "u[:, None] + v")])]),
    outer(&["multiply.outer"], &[form("a, b", OUTER).with(&[("step", "u[:, None] * v")])]),
    outer(&["maximum.outer"], &[form("a, b", OUTER).with(&[("step", "maximum(u[:, None], v)")])]),
    outer(&["minimum.outer"], &[form("a, b", OUTER).with(&[("step", "minimum(u[:, None], v)")])]),
    outer(&["power.outer"], &[form("a, b", OUTER).with(&[("step", "u[:, None] ** v")])]),
    outer(&["divide.outer"], &[form("a, b", OUTER).with(&[("step", "u[:, None] / v")])]),
    outer(&["hypot.outer"], &[form("a, b", OUTER).with(&[("step", "hypot(u[:, None], v)")])]),
    outer(&["equal.outer"], &[form("a, b", OUTER).with(&[("step", "u[:, None] == v")])]),
    outer(&["less.outer"], &[form("a, b", OUTER).with(&[("step", "u[:, None] < v")])]),
    outer(&["greater.outer"], &[form("a, b", OUTER).with(&[("step", "u[:, None] > v")])]),
    outer(&["logical_and.outer"], &[form("a, b", OUTER).with(&[("step", "logical_and(u[:, None], v)")])]),
    outer(&["logical_or.outer"], &[form("a, b", OUTER).with(&[("step", "logical_or(u[:, None], v)")])]),
    outer(&["logical_xor.outer"], &[form("a, b", OUTER).with(&[("step", "logical_xor(u[:, None], v)")])]),
    outer(&["gcd.outer"], &[form("a, b", OUTER).with(&[("step", "gcd(u[:, None], v)")])]),
    outer(&["lcm.outer"], &[form("a, b", OUTER).with(&[("step", "lcm(u[:, None], v)")])]),
    outer(&["floor_divide.outer"], &[form("a, b", OUTER).with(&[("step", "u[:, None] // v")])]),
    outer(&["remainder.outer"], &[form("a, b", OUTER).with(&[("step", "u[:, None] % v")])]),
    outer(&["mod.outer"], &[form("a, b", OUTER).with(&[("step", "u[:, None] % v")])]),
    outer(&["fmod.outer"], &[form("a, b", OUTER).with(&[("step", "fmod(u[:, None], v)")])]),
    outer(&["true_divide.outer"], &[form("a, b", OUTER).with(&[("step", "u[:, None] / v")])]),
    outer(&["arctan2.outer"], &[form("a, b", OUTER).with(&[("step", "atan2(u[:, None], v)")])]),
    outer(&["logaddexp.outer"], &[form("a, b", OUTER).with(&[("step", "logaddexp(u[:, None], v)")])]),
    outer(&["not_equal.outer"], &[form("a, b", OUTER).with(&[("step", "u[:, None] != v")])]),
    outer(&["less_equal.outer"], &[form("a, b", OUTER).with(&[("step", "u[:, None] <= v")])]),
    outer(&["greater_equal.outer"], &[form("a, b", OUTER).with(&[("step", "u[:, None] >= v")])]),
    outer(&["bitwise_and.outer"], &[form("a, b", OUTER).with(&[("step", "u[:, None] & v")])]),
    outer(&["bitwise_or.outer"], &[form("a, b", OUTER).with(&[("step", "u[:, None] | v")])]),
    outer(&["bitwise_xor.outer"], &[form("a, b", OUTER).with(&[("step", "u[:, None] ^ v")])]),
];
