//! Options with which an operation is written in the language: `take(x, i, mode="wrap")` is `take` of other positions.
//!
//! A parameter of the role [`Role::Written`] is one. Without any, the row is what its form says.
//!
//! ```text
//! interp(x, xp, fp, left=0.0)   →   where(x < xp[0], left, interp(x, xp, fp))
//! ```

use super::{Op, Param, Role, Way, way};

/// A parameter that the row's form does not see.
pub(super) const fn option(name: &'static str, default: &'static str) -> Param {
    Param { name, role: Role::Written, default: Some(default) }
}

static INTERP: &[Way] = &[
    way("x, xp, fp, left", "where(x < xp[0], left, interp(x, xp, fp))"),
    way("x, xp, fp, right", "where(x > xp[-1], right, interp(x, xp, fp))"),
    way("x, xp, fp, left, right", "where(x < xp[0], left, where(x > xp[-1], right, interp(x, xp, fp)))"),
    // Both neighbours of the ends are in the next turns.
    way(
        "x, xp, fp, period, left?, right?",
        "{
  let turn: _ = abs(period)
  let order = argsort(xp % turn)
  let (at, values) = (take(xp % turn, order), take(fp, order))
  interp(x % turn, concat([at[-1:] - turn, at, at[:1] + turn]), concat([values[-1:], values, values[:1]]))
}",
    ),
];

static TAKE: &[Way] = &[
    way("x, indices, mode=\"raise\", axis?", "take(x, indices, axis=axis)"),
    way("x, indices, mode=\"wrap\"", "take(x, i64(indices) % x.size)"),
    way("x, indices, mode=\"wrap\", axis", "take(x, i64(indices) % x.shape[axis], axis=axis)"),
    way("x, indices, mode=\"clip\"", "take(x, clip(i64(indices), 0, x.size - 1))"),
    way("x, indices, mode=\"clip\", axis", "take(x, clip(i64(indices), 0, x.shape[axis] - 1), axis=axis)"),
];

/// Lines are sorted by one column after the other, the last first; `ids` are numbers of equal ones. Nan equals nothing.
const LINES: &str = "{
  let lines = moveaxis(x, axis, 0)
  let table = reshape(lines, lines.shape[0], any(lines == lines, axis=0).size)
  let order = repeat table.shape[1] as j with order = argsort(zeros(table.shape[0], dtype=bool)) {
    take(order, argsort(take(take(table, table.shape[1] - 1 - j, axis=1), order)))
  }
  let sorted = take(table, order, axis=0)
  let changes = cumsum(any(sorted[1:] != sorted[:-1], axis=1))
  let ids = take(concat([zeros(1, dtype=changes.dtype), changes]), argsort(order))
  let (numbers, index, inverse, counts) = unique_all(ids)
  $answer
}";

/// Differences of x and what stands beside it; a number is one part along the axis.
const DIFFERENCES: &str = "{
  assert n >= 1  # with `prepend` or `append` differences are taken once at least
  diff(concat($arrays, axis=axis), n, axis)
}";

/// The same with a number, in lines along the first axis.
const DIFFERENCES_OF_NUMBER: &str = "{
  assert n >= 1  # with `prepend` or `append` differences are taken once at least
  let v = moveaxis(x, axis, 0)
  let part = broadcast_to($number, expand_dims(any(v != 0, axis=0), 0).shape)
  moveaxis(diff(concat($arrays, axis=0), n, axis=0), 0, axis)
}";

const BEFORE: &[(&str, &str)] = &[("arrays", "[prepend, x]")];
const BEHIND: &[(&str, &str)] = &[("arrays", "[x, append]")];
const JOINED: &str = "diff(concat([x, append], axis=axis), n, axis, prepend=prepend)";

static DIFF: &[Way] = &[
    way("x, prepend[], n?, axis?", DIFFERENCES).with(BEFORE),
    way("x, prepend[,], n?, axis?", DIFFERENCES).with(BEFORE),
    way("x, prepend[,,], n?, axis?", DIFFERENCES).with(BEFORE),
    way("x, prepend, n?, axis?", DIFFERENCES_OF_NUMBER).with(&[("number", "prepend"), ("arrays", "[part, v]")]),
    way("x, append[], n?, axis?", DIFFERENCES).with(BEHIND),
    way("x, append[,], n?, axis?", DIFFERENCES).with(BEHIND),
    way("x, append[,,], n?, axis?", DIFFERENCES).with(BEHIND),
    way("x, append, n?, axis?", DIFFERENCES_OF_NUMBER).with(&[("number", "append"), ("arrays", "[v, part]")]),
    way("x, append[], prepend, n?, axis?", JOINED),
    way("x, append[,], prepend, n?, axis?", JOINED),
    way("x, append[,,], prepend, n?, axis?", JOINED),
    way(
        "x, append, prepend, n?, axis?",
        "{
  let v = moveaxis(x, axis, 0)
  let part = broadcast_to(append, expand_dims(any(v != 0, axis=0), 0).shape)
  diff(moveaxis(concat([v, part], axis=0), 0, axis), n, axis, prepend=prepend)
}",
    ),
];

static UNIQUE: &[Way] = &[
    way("x, axis", LINES).with(&[("answer", "take(x, index, axis=axis)")]),
    way("x, axis, return_index=true", LINES).with(&[("answer", "(take(x, index, axis=axis), index)")]),
    way("x, axis, return_inverse=true", LINES).with(&[("answer", "(take(x, index, axis=axis), inverse)")]),
    way("x, axis, return_counts=true", LINES).with(&[("answer", "(take(x, index, axis=axis), counts)")]),
    way("x, axis, return_index=true, return_inverse=true", LINES)
        .with(&[("answer", "(take(x, index, axis=axis), index, inverse)")]),
    way("x, axis, return_index=true, return_counts=true", LINES)
        .with(&[("answer", "(take(x, index, axis=axis), index, counts)")]),
    way("x, axis, return_inverse=true, return_counts=true", LINES)
        .with(&[("answer", "(take(x, index, axis=axis), inverse, counts)")]),
    way("x, axis, return_index=true, return_inverse=true, return_counts=true", LINES)
        .with(&[("answer", "(take(x, index, axis=axis), index, inverse, counts)")]),
];

static ANGLE: &[Way] = &[way("x, deg=true", "rad2deg(angle(x))"), way("x, deg=false", "angle(x)")];

static IS_CLOSE: &[Way] = &[
    way("x, y, equal_nan=true, rtol?, atol?", "isclose(x, y, rtol=rtol, atol=atol) | (isnan(x) & isnan(y))"),
    way("x, y, equal_nan=false, rtol?, atol?", "isclose(x, y, rtol=rtol, atol=atol)"),
];

static IS_IN: &[Way] =
    &[way("x, values, invert=true", "~isin(x, values)"), way("x, values, invert=false", "isin(x, values)")];

static SEARCH: &[Way] =
    &[way("sorted, values, sorter, side?", "searchsorted(take(sorted, sorter), values, side=side)")];

static OPTIONS: &[(&str, &[Way])] = &[
    ("angle", ANGLE),
    ("diff", DIFF),
    ("interp", INTERP),
    ("isclose", IS_CLOSE),
    ("isin", IS_IN),
    ("searchsorted", SEARCH),
    ("take", TAKE),
    ("unique", UNIQUE),
];

/// The ways of all of them, each with its row.
pub(super) fn ways() -> impl Iterator<Item = (&'static Op, &'static Way)> {
    OPTIONS.iter().flat_map(|&(name, ways)| ways.iter().filter_map(move |way| Some((super::by_name(name)?, way))))
}

/// How an operation is written with its options.
pub fn of(op: &Op) -> Option<&'static [Way]> {
    OPTIONS.iter().find(|(name, _)| *name == op.name).map(|&(_, ways)| ways)
}
