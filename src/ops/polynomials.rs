//! Polynomials, written in the language: vectors of coefficients, that of the highest power first.

use super::{Op, Param, Role, operand, way, written};

const P: Param = operand("p");
const PQ: &[Param] = &[P, operand("q")];
const TIMES: Param = Param { name: "m", role: Role::Whole, default: Some("1") };

/// Zeros come before the shorter of both.
const ALIGNED: &str = "{
  let dtype = result_type(atleast_1d(p), atleast_1d(q))
  let u: _[n] = astype(atleast_1d(p), dtype)
  let v: _[m] = astype(atleast_1d(q), dtype)
  let size = u.size + v.size - u[:v.size].size
  let at = arange(size, dtype=i64) - size + 1
  let (left, right) = (at + u.size, at + v.size)
  let (left, right) = (where(left > 0, left, 0), where(right > 0, right, 0))
  take(pad(u, (1, 0)), left) $sign take(pad(v, (1, 0)), right)
}";

/// One step after the other: each divides by the powers and has a constant behind them.
const INTEGRATED: &str = "{
  assert m >= 1  # an integral is taken once at least
  let v: _[n] = p
  $check
  let at = arange(v.size + m, dtype=i64)
  let dtype = result_type((v / 1).dtype, i64, k)
  repeat m as j with y = pad(astype(v, dtype), (0, m)) {
    let size = v.size + j
    where(at < size, y / astype(size - at, dtype), where(at == size, astype($constant, dtype), 0))
  }
}";

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "polynomial with these roots, the coefficient of the highest power first",
        special: "The first coefficient is 1. Integers give floats. Complex roots give complex coefficients, also \
                  where NumPy leaves out imaginary parts that are 0; f16 stays f16",
        examples: &[("poly([1, 2])", "[1.0, -3.0, 2.0]"), ("poly([0.5])", "[1.0, -0.5]")],
        ..written(
            "poly",
            &[operand("roots")],
            &[way(
                "roots",
                "{
  let v: _[n] = roots
  let x = astype(v, result_type(v, 0.0))
  let at = arange(v.size + 1, dtype=i64)
  repeat v.size as k with y = astype(at == 0, x.dtype) {
    where((at > 0) & (at <= k + 1), y - x[k] * roll(y, 1), y)
  }
}",
            )],
        )
    },
    Op {
        summary: "sum of two polynomials, the coefficient of the highest power first",
        special: "Zeros in front stay, so it is as long as the longer of both",
        examples: &[("polyadd([1, 2], [9, 5, 4])", "[9, 6, 6]"), ("polyadd([1.0, 2.0], 3)", "[1.0, 5.0]")],
        ..written("polyadd", PQ, &[way("p, q", ALIGNED).with(&[("sign", "+")])])
    },
    Op {
        summary: "difference of two polynomials, the coefficient of the highest power first",
        special: "As polyadd",
        examples: &[("polysub([2, 10, -2], [10, -4])", "[2, 0, 2]")],
        ..written("polysub", PQ, &[way("p, q", ALIGNED).with(&[("sign", "-")])])
    },
    Op {
        summary: "product of two polynomials, the coefficient of the highest power first",
        special: "It is convolve(p, q). Zeros in front stay, as in JAX; NumPy drops them, as `trim_zeros(p, \"f\")` \
                  does",
        examples: &[("polymul([1.0, 2.0, 3.0], [9.0, 5.0])", "[9.0, 23.0, 37.0, 15.0]")],
        ..written("polymul", PQ, &[way("p, q", "convolve(atleast_1d(p), atleast_1d(q))")])
    },
    Op {
        summary: "quotient and remainder of two polynomials, the coefficient of the highest power first",
        special: "The remainder begins with its first coefficient that is not within 1e-8 of 0, and has one at least, \
                  as in NumPy; how many it has only data decides. Integers give floats",
        examples: &[
            ("polydiv([3.0, 5.0, 2.0], [2.0, 1.0])[0]", "[1.5, 1.75]"),
            ("polydiv([3.0, 5.0, 2.0], [2.0, 1.0])[1]", "[0.25]"),
        ],
        ..written(
            "polydiv",
            &[operand("u"), operand("v")],
            &[way(
                "u, v",
                "{
  let dtype = result_type(atleast_1d(u) + 0.0, atleast_1d(v) + 0.0)
  let a: _[n] = astype(atleast_1d(u), dtype)
  let b: _[m] = astype(atleast_1d(v), dtype)
  assert a.size >= 1  # u has no coefficients, and a polynomial has one at least
  assert b.size >= 1  # v has no coefficients, and a polynomial has one at least
  let scale = 1 / b[0]
  let at = arange(a.size, dtype=i64)
  let count = a[b.size - 1:].size
  let none = zeros(count + 1 - a[b.size - 1:][:1].size, dtype=dtype)
  let (q, r) = repeat count as k with q = none, r = a {
    let c = scale * r[k]
    var q = q
    q[k] = c
    let place = at - k
    let inside = (place >= 0) & (place < b.size)
    (q, where(inside, r - c * take(b, where(inside, place, 0)), r))
  }
  let first = sum(cumprod(i64(abs(r[:-1]) <= 1e-8)))
  (q, r[first:])
}",
            )],
        )
    },
    Op {
        summary: "derivative of a polynomial, the coefficient of the highest power first",
        special: "It is taken m times, a number from 1 on. The dtype is that of p beside an i64. Of a constant no \
                  coefficient is left",
        examples: &[("polyder([1, 1, 1, 1])", "[3, 2, 1]"), ("polyder([1, 1, 1, 1], 2)", "[6, 2]")],
        ..written(
            "polyder",
            &[P, TIMES],
            &[way(
                "p, m?",
                "{
  assert m >= 1  # a derivative is taken once at least
  let v: _[n] = p
  let at = arange(v.size, dtype=i64)
  let dtype = result_type(v, i64)
  let y = repeat minimum(m, v.size) as j with y = astype(v, dtype) { y * astype(v.size - 1 - j - at, dtype) }
  y[:-m]
}",
            )],
        )
    },
    Op {
        summary: "integral of a polynomial, the coefficient of the highest power first",
        special: "It is taken m times, a number from 1 on. `k` has the constants, one for each time or one for all; \
                  otherwise they are 0. Integers give floats",
        examples: &[("polyint([3, 2, 1])", "[1.0, 1.0, 1.0, 0.0]"), ("polyint([6.0], 2, k=[1, 5])", "[3.0, 1.0, 5.0]")],
        ..written(
            "polyint",
            &[P, TIMES, Param { name: "k", role: Role::Operand, default: Some("None") }],
            &[
                way("p, m?", "polyint(p, m, 0.0)"),
                way("p, k[], m?", INTEGRATED).with(&[
                    (
                        "check",
                        "assert k.size == 1 or k.size >= m  # there is a constant for each integral, or one for all",
                    ),
                    ("constant", "k[where(j < k.size, j, 0)]"),
                ]),
                way("p, k, m?", INTEGRATED).with(&[
                    ("check", "assert k.size == 1  # the constants are a number or a vector"),
                    ("constant", "k"),
                ]),
            ],
        )
    },
];
