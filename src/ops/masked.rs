//! The arguments of a reduction that choose elements or start it: `where=`, `initial=`.

use super::{Op, Param, Role, Way, way};

/// The dtype that elements are converted to before anything else, and that the result has.
pub(super) const DTYPE: Param = Param { name: "dtype", role: Role::DType, default: Some("None") };
/// Which elements take part.
pub(super) const WHERE: Param = Param { name: "where", role: Role::Condition, default: Some("true") };
/// What the reduction starts with.
pub(super) const INITIAL: Param = Param { name: "initial", role: Role::Filling, default: Some("None") };

/// What stands for elements that do not take part.
#[derive(Clone, Copy, Debug)]
pub enum MaskFiller {
    /// The number that changes nothing.
    Neutral(i8),
    /// The argument `initial`, which has to be there.
    Initial,
    /// Nothing could: this is computed instead.
    Ways(&'static [Way]),
}

/// A reduction with what it makes of them.
#[derive(Clone, Copy, Debug)]
pub struct Reducer {
    name: &'static str,
    /// What stands for elements that do not take part.
    pub masked: MaskFiller,
    /// The operation that combines `initial` with the result, if it takes one.
    pub combine: Option<&'static str>,
}

const fn reducer(name: &'static str, masked: MaskFiller, combine: Option<&'static str>) -> Reducer {
    Reducer { name, masked, combine }
}

static MEAN: &[Way] = &[way(
    "x, where, axis?, keepdims?",
    "{
  let (v, m) = broadcast_arrays(x / 1, where)
  let total = sum(select_where(m, v, 0), axis=axis, keepdims=keepdims)
  total / astype(count_nonzero(m, axis=axis, keepdims=keepdims), total.dtype)
}",
)];

static NANMEAN: &[Way] =
    &[way("x, where, axis?, keepdims?", "mean(x, axis=axis, keepdims=keepdims, where=where and not isnan(x))")];

static VAR: &[Way] = &[way(
    "x, where, axis?, ddof?, keepdims?",
    "{
  let (v, m) = broadcast_arrays(x / 1, where)
  let total = sum(select_where(m, v, 0), axis=axis, keepdims=true)
  let middle = total / astype(count_nonzero(m, axis=axis, keepdims=true), total.dtype)
  let d = abs(select_where(m, v - middle, 0))
  let squares = sum(d * d, axis=axis, keepdims=keepdims)
  let free = count_nonzero(m, axis=axis, keepdims=keepdims) - ddof
  squares / astype(select_where(free > 0, free, 0), squares.dtype)
}",
)];

static STD: &[Way] =
    &[way("x, where, axis?, ddof?, keepdims?", "sqrt(var(x, axis=axis, ddof=ddof, keepdims=keepdims, where=where))")];

static REDUCERS: &[Reducer] = &[
    reducer("sum", MaskFiller::Neutral(0), Some("add")),
    reducer("prod", MaskFiller::Neutral(1), Some("multiply")),
    reducer("any", MaskFiller::Neutral(0), None),
    reducer("all", MaskFiller::Neutral(1), None),
    reducer("min", MaskFiller::Initial, Some("minimum")),
    reducer("max", MaskFiller::Initial, Some("maximum")),
    reducer("mean", MaskFiller::Ways(MEAN), None),
    reducer("var", MaskFiller::Ways(VAR), None),
    reducer("std", MaskFiller::Ways(STD), None),
    reducer("nansum", MaskFiller::Neutral(0), Some("add")),
    reducer("nanmin", MaskFiller::Initial, Some("fmin")),
    reducer("nanmax", MaskFiller::Initial, Some("fmax")),
    reducer("nanmean", MaskFiller::Ways(NANMEAN), None),
];

/// The ways of all of them, each with its row.
pub(super) fn ways() -> impl Iterator<Item = (&'static Op, &'static Way)> {
    REDUCERS.iter().flat_map(|reducer| {
        let ways: &'static [Way] = if let MaskFiller::Ways(ways) = reducer.masked { ways } else { &[] };
        ways.iter().filter_map(|way| Some((super::by_name(reducer.name)?, way)))
    })
}

/// What a reduction makes of them.
pub fn of(op: &Op) -> Option<Reducer> {
    REDUCERS.iter().find(|reducer| reducer.name == op.name).copied()
}
