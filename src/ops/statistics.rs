//! Statistics beyond plain reductions, written in the language, of operations that have rows.

use super::masked::DTYPE;
use super::reduce::{AXES, KEEP};
use super::{Op, Param, Role, operand, way, written};
use crate::promotion::Class;

const X: Param = operand("x");
const Y: Param = operand("y");
const LAST: Param = Param { name: "axis", role: Role::Axes, default: Some("-1") };

const fn optional(name: &'static str) -> Param {
    Param { name, role: Role::Operand, default: Some("None") }
}

const fn number(name: &'static str, default: &'static str) -> Param {
    Param { name, role: Role::Operand, default: Some(default) }
}

/// Steps below the limit stay; others become what is left of them without whole turns.
const UNWRAPPED: &str = "{
  let v = moveaxis(x / 1, axis, -1)
  let d = diff(v, axis=-1)
  let half: _ = period / 2
  let rest = (d + half) % period - half
  let way = where((rest == -half) & (d > 0), half, rest)
  let turns = where(abs(d) < $limit, 0, way - d)
  var angles = astype(v, turns.dtype)
  angles[..., 1:] = v[..., 1:] + cumsum(turns, axis=-1)
  moveaxis(angles, -1, axis)
}";

/// Slopes by coordinates along an axis: `$ends` stores the first and the last one.
const SLOPES_BY_PLACES: &str = "{
  let len = x.shape[axis]
  assert spacing.size == len  # there is a coordinate for each element along the axis
  $check
  let v = moveaxis(x / 1, axis, -1)
  let d = diff(spacing / 1)
  let (before, after) = (d[:-1], d[1:])
  let left = -after / (before * (before + after))
  let middle = (after - before) / (before * after)
  let right = before / (after * (before + after))
  let inside = left * v[..., :-2] + middle * v[..., 1:-1] + right * v[..., 2:]
  var slopes = astype(v, inside.dtype)
  slopes[..., 1:-1] = inside
  $ends
  moveaxis(slopes, -1, axis)
}";

/// Slopes by one distance along an axis.
const SLOPES: &str = "{
  let v = moveaxis(x / 1, axis, -1)
  let h: _ = spacing
  $check
  var slopes = v
  slopes[..., 1:-1] = (v[..., 2:] - v[..., :-2]) / 2
  $ends
  moveaxis(slopes / h, -1, axis)
}";

/// Three elements decide the slope at an end.
const THREE: (&str, &str) =
    ("check", "assert x.shape[axis] >= 3  # with `edge_order=2` an end has two neighbours beside it");

/// The slopes of parabolas through the first and the last three elements; at one distance, and by coordinates.
const BENT_ENDS: &str = "let half = v / 2
  slopes[..., 0] = v[..., 1] + v[..., 1] - v[..., 0] - half[..., 0] - half[..., 2]
  slopes[..., -1] = half[..., -3] - v[..., -2] - v[..., -2] + v[..., -1] + half[..., -1]";
const BENT_ENDS_BY_PLACES: &str = "let (p, q, r, s) = (d[0], d[1], d[-2], d[-1])
  slopes[..., 0] = (p+q)/(p*q)*v[..., 1] - (p+p+q)/(p*(p+q))*v[..., 0] - p/(q*(p+q))*v[..., 2]
  slopes[..., -1] = s/(r*(r+s))*v[..., -3] - (r+s)/(r*s)*v[..., -2] + (r+s+s)/(s*(r+s))*v[..., -1]";

/// Slopes along several axes, each with its distances. Axes that stay where they are are different ones.
const TWO_SLOPES: &str = "{
  let v = moveaxis(x, axis, axis)
  (
    gradient(v, $h, axis=axis[0], edge_order=edge_order),
    gradient(v, $g, axis=axis[1], edge_order=edge_order)
  )
}";
const THREE_SLOPES: &str = "{
  let v = moveaxis(x, axis, axis)
  (
    gradient(v, $h, axis=axis[0], edge_order=edge_order),
    gradient(v, $g, axis=axis[1], edge_order=edge_order),
    gradient(v, $f, axis=axis[2], edge_order=edge_order)
  )
}";

/// Slopes along all axes.
const ALONG_BOTH: &str = "gradient(x, spacing, axis=(0, 1), edge_order=edge_order)";
const ALONG_THREE: &str = "gradient(x, spacing, axis=(0, 1, 2), edge_order=edge_order)";

const ROW_VARIABLES: Param = Param { name: "rowvar", role: Role::Flag, default: Some("true") };
const BIAS: Param = Param { name: "bias", role: Role::Flag, default: Some("false") };
const EQUAL_NAN: Param = Param { name: "equal_nan", role: Role::Flag, default: Some("false") };
const CLOSE: &[Param] = &[X, Y, number("rtol", "1e-5"), number("atol", "1e-8"), EQUAL_NAN];

const SOFTMAX: &str = "{
  let v = x / 1
  let e = exp(v - max(v, axis=axis, keepdims=true))
  e / sum(e, axis=axis, keepdims=true)
}";
const LOG_SOFTMAX: &str = "{
  let v = x / 1
  let low = v - max(v, axis=axis, keepdims=true)
  low - log(sum(exp(low), axis=axis, keepdims=true))
}";

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "mean of all elements, or along `axis`, each with a weight",
        special: "It is sum(x*weights) / sum(weights). The weights have the shape of x, or are a vector that lies along \
                  `axis`. Without weights it is `mean`",
        examples: &[
            ("average([1.0, 2.0, 6.0])", "3.0"),
            ("average([1.0, 2.0], weights=[3, 1])", "1.25"),
            ("average([[1.0, 2.0], [3.0, 4.0]], axis=0, weights=[1, 3])", "[2.5, 3.5]"),
        ],
        class: Class::Mean,
        ..written(
            "average",
            &[X, AXES, optional("weights"), KEEP],
            &[
                way("x, axis?, keepdims?", "mean(x, axis=axis, keepdims=keepdims)"),
                way(
                    "x, axis, weights[], keepdims?",
                    "{
  let v = along(weights, x, axis)
  assert v.size == x.shape[axis]  # a vector has a weight for each place along `axis`
  let w = broadcast_to(v, x.shape)
  let p = (x / 1) * w
  sum(p, axis=axis, keepdims=keepdims) / sum(astype(w, p.dtype), axis=axis, keepdims=keepdims)
}",
                ),
                way(
                    "x, weights, axis?, keepdims?",
                    "{
  assert x.shape == weights.shape  # there is a weight for each element, or a vector of them along `axis`
  let p = (x / 1) * weights
  sum(p, axis=axis, keepdims=keepdims) / sum(astype(weights, p.dtype), axis=axis, keepdims=keepdims)
}",
                ),
            ],
        )
    },
    Op {
        summary: "logarithm of the sum of exponentials of all elements, or along `axis`",
        special: "The largest element, of complex numbers the largest real part, is taken out first, so that nothing \
                  overflows. If all elements are -inf, or there are none, it is -inf",
        examples: &[("logsumexp([1000.0, 1000.0])", "1000.6931471805599"), ("logsumexp([-inf, -inf])", "-inf")],
        ..written(
            "logsumexp",
            &[X, AXES, KEEP],
            &[way(
                "x, axis?, keepdims?",
                "{
  let v = x / 1
  let high = max(real(v), axis=axis, keepdims=true, initial=-inf)
  let base = astype(where(isfinite(high), high, 0), v.dtype)
  let total = log(sum(exp(v - base), axis=axis, keepdims=keepdims))
  total + max(base, axis=axis, keepdims=keepdims)
}",
            )],
        )
    },
    Op {
        summary: "exponentials along `axis`, divided by their sum",
        special: "The largest element is taken out first, so that nothing overflows. `dtype` is what elements are \
                  converted to first",
        examples: &[
            ("softmax([0.0, 0.0])", "[0.5, 0.5]"),
            ("softmax([[1000.0, 1000.0], [0.0, 0.0]], axis=0)", "[[1.0, 1.0], [0.0, 0.0]]"),
        ],
        ..written(
            "softmax",
            &[X, LAST, DTYPE],
            &[way("x, dtype, axis?", "softmax(astype(x, dtype), axis=axis)"), way("x, axis?", SOFTMAX)],
        )
    },
    Op {
        summary: "logarithm of `softmax`",
        special: "It is computed without dividing, so that small ones keep their digits",
        examples: &[("log_softmax([0.0, 0.0])", "[-0.6931471805599453, -0.6931471805599453]")],
        ..written(
            "log_softmax",
            &[X, LAST, DTYPE],
            &[way("x, dtype, axis?", "log_softmax(astype(x, dtype), axis=axis)"), way("x, axis?", LOG_SOFTMAX)],
        )
    },
    Op {
        summary: "whether all elements are close",
        special: "It is all(isclose(x, y, rtol, atol, equal_nan))",
        examples: &[("allclose([1.0, 2.0], [1.0, 2.0000001])", "true"), ("allclose([1.0, 2.0], [1.0, 2.1])", "false")],
        ..written(
            "allclose",
            CLOSE,
            &[
                way("x, y, rtol?, atol?", "all(isclose(x, y, rtol, atol))"),
                way("x, y, equal_nan=true, rtol?, atol?", "all(isclose(x, y, rtol, atol, equal_nan=true))"),
            ],
        )
    },
    Op {
        summary: "whether all elements are equal",
        special: "Shapes are known before anything runs, so shapes that differ are an error. A nan equals nothing, with \
                  equal_nan=true it equals a nan",
        examples: &[("array_equal([1, 2], [1, 2])", "true"), ("array_equal([1, 2], [1, 3])", "false")],
        ..written(
            "array_equal",
            &[X, Y, EQUAL_NAN],
            &[
                way(
                    "x, y",
                    "{\n  assert x.shape == y.shape  # arrays of different shapes are never equal\n  all(x == y)\n}",
                ),
                way(
                    "x, y, equal_nan=true",
                    "{
  assert x.shape == y.shape  # arrays of different shapes are never equal
  all((x == y) | (isnan(x) & isnan(y)))
}",
                ),
            ],
        )
    },
    Op {
        summary: "covariances of the rows of x",
        special: "A row is a variable, a column an observation. A vector is one variable, and gives its variance. With y, it \
                  is that of the rows of x and y together. Squares are divided by n - ddof, with bias=true by n. With \
                  rowvar=false the columns are variables",
        examples: &[
            ("cov([1.0, 2.0, 6.0])", "7.0"),
            ("cov([1.0, 2.0, 3.0], [3.0, 2.0, 1.0])", "[[1.0, -1.0], [-1.0, 1.0]]"),
        ],
        ..written(
            "cov",
            &[X, optional("y"), number("ddof", "1"), ROW_VARIABLES, BIAS],
            &[
                way(
                    "x, ddof?",
                    "{
  assert x.ndim <= 2  # `cov` takes a vector, or a matrix of variables and observations
  let v = x / 1
  let d = v - mean(v, axis=-1, keepdims=true)
  let halves = (d @ conj(d).T) / 2
  let products = halves + conj(halves).T
  let count = x.shape[-1] - ddof
  squeeze(products / astype(where(count > 0, count, 0), abs(products).dtype))
}",
                ),
                way("x, y, ddof?", "cov(vstack([x, y]), ddof=ddof)"),
                way("x, rowvar=false, ddof?", "cov(x.T, ddof=ddof)"),
                way("x, y, rowvar=false, ddof?", "cov(x.T, y.T, ddof=ddof)"),
                way("x, bias=true, y?, rowvar?", "cov(x, y, ddof=0, rowvar=rowvar)"),
                way("x, bias=true, ddof, y?, rowvar?", "cov(x, y, ddof=ddof, rowvar=rowvar)"),
            ],
        )
    },
    Op {
        summary: "correlations of the rows of x",
        special: "A row is a variable, a column an observation. With y, it is that of the rows of x and y together. With \
                  rowvar=false the columns are variables",
        examples: &[("corrcoef([0.0, 0.0, 2.0, 2.0], [5.0, 5.0, 3.0, 3.0])", "[[1.0, -1.0], [-1.0, 1.0]]")],
        ..written(
            "corrcoef",
            &[X, optional("y"), ROW_VARIABLES],
            &[
                way(
                    "x",
                    "{
  assert x.ndim <= 2  # `corrcoef` takes a vector, or a matrix of variables and observations
  let v = x / 1
  let d = v - mean(v, axis=-1, keepdims=true)
  let size = sqrt(sum(abs(d) * abs(d), axis=-1, keepdims=true))
  let halves = (d @ conj(d).T) / 2
  squeeze((halves + conj(halves).T) / size / size.T)
}",
                ),
                way("x, y", "corrcoef(vstack([x, y]))"),
                way("x, rowvar=false", "corrcoef(x.T)"),
                way("x, y, rowvar=false", "corrcoef(x.T, y.T)"),
            ],
        )
    },
    Op {
        summary: "area under the points y along `axis`, by straight lines between them",
        special: "The distance of points is `dx`, or that of the points `x`: an array of the shape of y, or a vector that \
                  lies along `axis`. Integers become floats first: no sum of neighbours wraps, as NumPy's may",
        examples: &[
            ("trapezoid([1.0, 2.0, 4.0])", "4.5"),
            ("trapezoid([1.0, 2.0, 4.0], [0.0, 1.0, 3.0])", "7.5"),
            ("trapezoid([[0.0, 2.0], [4.0, 4.0]], dx=0.5, axis=0)", "[1.0, 1.5]"),
        ],
        ..written(
            "trapezoid",
            &[Y, optional("x"), number("dx", "1.0"), LAST],
            &[
                way(
                    "y, dx?, axis?",
                    "{
  let v = moveaxis(y / 1, axis, -1)
  sum(dx * (v[..., 1:] + v[..., :-1]) / 2.0, axis=-1)
}",
                ),
                way(
                    "y, x, axis?",
                    "{
  let v = moveaxis(y / 1, axis, -1)
  let d = diff(moveaxis(along(x / 1, y, axis), axis, -1), axis=-1)
  sum(d * (v[..., 1:] + v[..., :-1]) / 2.0, axis=-1)
}",
                ),
            ],
        )
    },
    Op {
        summary: "slope at each element, from its neighbours along an axis",
        special: "Inside it is half the difference of both neighbours, at the ends that to the only neighbour; all divided \
                  by `spacing`, one number. If `spacing` is a vector, it has the coordinates of the elements, and both \
                  neighbours count by their distances. With `edge_order=2` an end has the slope of the parabola through \
                  three elements. Integers give floats. A tuple `axis` gives a tuple of slopes, and so does a matrix or \
                  an array of three axes without `axis`: along the first axis, along the second, and so on. Then a \
                  tuple `spacing` has the distances along each of them",
        examples: &[
            ("gradient([1.0, 2.0, 4.0, 7.0])", "[1.0, 1.5, 2.5, 3.0]"),
            ("gradient([1, 4, 9], 2)", "[1.5, 2.0, 2.5]"),
            ("gradient([0.0, 1.0, 9.0], [0.0, 1.0, 3.0])", "[1.0, 2.0, 4.0]"),
            ("gradient([1.0, 4.0, 9.0, 16.0], edge_order=2)", "[2.0, 4.0, 6.0, 8.0]"),
            ("gradient([[0.0, 2.0], [4.0, 4.0]], axis=0)", "[[4.0, 2.0], [4.0, 2.0]]"),
        ],
        ..written(
            "gradient",
            &[
                X,
                number("spacing", "1.0"),
                Param { name: "axis", role: Role::Axes, default: Some("None") },
                Param { name: "edge_order", role: Role::Whole, default: Some("1") },
            ],
            &[
                way("x, axis(,), spacing(,), edge_order?", TWO_SLOPES)
                    .with(&[("h", "spacing[0]"), ("g", "spacing[1]")]),
                way("x, axis(,), spacing?, edge_order?", TWO_SLOPES).with(&[("h", "spacing"), ("g", "spacing")]),
                way("x, axis(,,), spacing(,,), edge_order?", THREE_SLOPES).with(&[
                    ("h", "spacing[0]"),
                    ("g", "spacing[1]"),
                    ("f", "spacing[2]"),
                ]),
                way("x, axis(,,), spacing?, edge_order?", THREE_SLOPES).with(&[
                    ("h", "spacing"),
                    ("g", "spacing"),
                    ("f", "spacing"),
                ]),
                way("x[,], spacing(,), edge_order?", ALONG_BOTH),
                way("x[,], spacing?, edge_order?", ALONG_BOTH),
                way("x[,,], spacing(,,), edge_order?", ALONG_THREE),
                way("x[,,], spacing?, edge_order?", ALONG_THREE),
                way(
                    "x, spacing[], edge_order?",
                    "{\n  let v: _[n] = x\n  gradient(v, spacing, axis=0, edge_order=edge_order)\n}",
                ),
                way("x, spacing[], axis", SLOPES_BY_PLACES).with(&[
                    ("check", ""),
                    (
                        "ends",
                        "slopes[..., 0] = (v[..., 1] - v[..., 0]) / d[0]
  slopes[..., -1] = (v[..., -1] - v[..., -2]) / d[-1]",
                    ),
                ]),
                way("x, spacing[], axis, edge_order=2", SLOPES_BY_PLACES).with(&[THREE, ("ends", BENT_ENDS_BY_PLACES)]),
                way(
                    "x, spacing?",
                    "{
  let v: _[n] = x / 1
  let h: _ = spacing
  var slopes = v
  slopes[1:-1] = (v[2:] - v[:-2]) / 2
  slopes[0] = v[1] - v[0]
  slopes[-1] = v[-1] - v[-2]
  slopes / h
}",
                ),
                way(
                    "x, edge_order=2, spacing?",
                    "{\n  let v: _[n] = x\n  gradient(v, spacing, axis=0, edge_order=2)\n}",
                ),
                way("x, spacing?, axis", SLOPES).with(&[
                    ("check", ""),
                    (
                        "ends",
                        "slopes[..., 0] = v[..., 1] - v[..., 0]
  slopes[..., -1] = v[..., -1] - v[..., -2]",
                    ),
                ]),
                way("x, edge_order=2, spacing?, axis", SLOPES).with(&[THREE, ("ends", BENT_ENDS)]),
                way(
                    "x, edge_order, spacing?, axis?",
                    "{
  assert edge_order == 1  # `edge_order` is 1 or 2, and known before anything runs
  gradient(x, spacing, axis)
}",
                ),
            ],
        )
    },
    Op {
        summary: "angles without the jumps of whole turns between neighbours along `axis`",
        special: "A step of half a `period` or more, or of more than `discont` if that is larger, is taken the shorter way round. \
                  Integers give floats",
        examples: &[
            ("unwrap([0.0, 3.0, 6.0, 9.0 - 2*pi])", "[0.0, 3.0, 6.0, 9.0]"),
            ("unwrap([350.0, 10.0, 30.0], period=360)", "[350.0, 370.0, 390.0]"),
        ],
        ..written(
            "unwrap",
            &[X, optional("discont"), LAST, number("period", "6.283185307179586")],
            &[
                way("x, axis?, period?", UNWRAPPED).with(&[("limit", "half")]),
                way("x, discont, axis?, period?", UNWRAPPED).with(&[("limit", "discont")]),
            ],
        )
    },
    Op {
        summary: "convolution of two vectors",
        special: "`mode` is \"full\", with n + m - 1 elements; \"same\", with as many as x has; or \"valid\", where y lies \
                  inside of x. For the last two y may not be longer than x. The dtype is that of `@`; JAX makes floats of \
                  integers first. Outside of x there are zeros, with which an inf or nan of y gives nan; NumPy leaves \
                  these products out",
        examples: &[
            ("convolve([1, 2, 3], [0, 1, 2])", "[0.0, 1.0, 4.0, 7.0, 6.0]"),
            ("convolve([1.0, 2.0, 3.0], [0.5, 0.5], mode=\"valid\")", "[1.5, 2.5]"),
            ("convolve([1, 2, 3], [0, 1, 2], mode=\"same\")", "[1.0, 4.0, 7.0]"),
        ],
        ..written(
            "convolve",
            SLIDING_FULL,
            &[
                way("x, y", FULL),
                way("x, y, mode=\"full\"", FULL),
                way("x, y, mode=\"same\"", SAME),
                way("x, y, mode=\"valid\"", VALID),
            ],
        )
    },
    Op {
        summary: "products of y with x, summed at each place of y along x",
        special: "y is conjugated. `mode` is as for `convolve`, but \"valid\" unless given, as in NumPy",
        examples: &[
            ("correlate([1, 2, 3], [0, 1])", "[2.0, 3.0]"),
            ("correlate([1, 2, 3], [0, 1], \"full\")", "[1.0, 2.0, 3.0, 0.0]"),
        ],
        ..written(
            "correlate",
            SLIDING_VALID,
            &[
                way("x, y, mode=\"full\"", "convolve(x, flip(astype(conj(y), y.dtype)))"),
                way("x, y, mode?", CORRELATED),
            ],
        )
    },
];

const fn mode(default: &'static str) -> Param {
    Param { name: "mode", role: Role::Text, default: Some(default) }
}

const SLIDING_FULL: &[Param] = &[X, Y, mode("\"full\"")];
const SLIDING_VALID: &[Param] = &[X, Y, mode("\"valid\"")];

const FULL: &str = "{
  let u: _[n] = x
  let v: _[m] = y
  assert u.size >= 1  # x has no elements, and a convolution is of vectors with elements
  assert v.size >= 1  # y has no elements, and a convolution is of vectors with elements
  sliding_window_view(pad(u, v.size - 1), v.size) @ flip(v)
}";
const CORRELATED: &str = "{
  let u: _[n] = x
  let v: _[m] = y
  assert v.size <= u.size  # y is longer than x, which only the mode \"full\" takes: flip(conj(correlate(y, x, mode))) is what NumPy gives
  convolve(u, flip(astype(conj(v), v.dtype)), mode)
}";
const SAME: &str = "{
  let u: _[n] = x
  let v: _[m] = y
  assert v.size >= 1  # y has no elements, and a convolution is of vectors with elements
  assert v.size <= u.size  # y is longer than x, which only the mode \"full\" takes: convolve(y, x, mode) is what NumPy gives
  let whole = sliding_window_view(pad(u, v.size - 1), v.size) @ flip(v)
  take(whole, arange(u.size) + (v.size - 1)//2)
}";
const VALID: &str = "{
  let u: _[n] = x
  let v: _[m] = y
  assert v.size >= 1  # y has no elements, and a convolution is of vectors with elements
  assert v.size <= u.size  # y is longer than x, which only the mode \"full\" takes: convolve(y, x, mode) is what NumPy gives
  sliding_window_view(u, v.size) @ flip(v)
}";
