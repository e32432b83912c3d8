//! Floats as fractions with exponents: written in the language.

use super::{Op, Param, Role, X, domain, operand, way, written};
use crate::promotion::Class;

const XN: &[Param] = &[operand("x"), Param { name: "n", role: Role::Operand, default: None }];

/// The exponent and the fraction of a float, from its bits as `f64`, which is `f32` in systems without 64 bits. What is
/// below the normal numbers is lifted first.
const TAKEN_APART: &str = "{
  let v = copysign(x, x)
  let wide = astype(v, (f64(0) * 1).dtype)
  let whole = (i64(0) * 1).dtype
  let plain = isfinite(wide) & (wide != 0)
  let small = abs(wide) < wide.dtype.smallest_normal
  let bits = bitcast(where(small, wide * 18014398509481984.0, wide), whole)
  let place = astype(where(wide.dtype.bits == 64, 52, 23), whole)
  let ones = astype(where(wide.dtype.bits == 64, 2047, 255), whole)
  let half = astype(where(wide.dtype.bits == 64, 1022, 126), whole)
  let exponent = ((bits >> place) & ones) - half - astype(where(small, 54, 0), whole)
  let fraction = bitcast((bits & ~(ones << place)) | (half << place), wide.dtype)
  $result
}";

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "fraction and whole part of x, both with its sign",
        special: "Of an infinity the fraction is 0. Integers give floats",
        examples: &[("modf([1.5, -2.25])[0]", "[0.5, -0.25]"), ("modf([1.5, -2.25])[1]", "[1.0, -2.0]")],
        domain: domain(Class::RealInexact),
        ..written(
            "modf",
            X,
            &[way(
                "x",
                "{
  let v = copysign(x, x)
  let whole = trunc(v)
  (copysign(where(isinf(v), 0, v - whole), v), whole)
}",
            )],
        )
    },
    Op {
        summary: "x as a fraction and an exponent: x is fraction * 2**exponent",
        special: "The magnitude of the fraction is 0.5 or more and below 1, the exponent an i32. 0, infinities and nan \
                  are their own fraction, with the exponent 0. Integers give floats",
        examples: &[("frexp([8.0, -0.75])[0]", "[0.5, -0.75]"), ("frexp([8.0, -0.75])[1]", "[4, 0]")],
        domain: domain(Class::RealInexact),
        ..written(
            "frexp",
            X,
            &[way("x", TAKEN_APART).with(&[(
                "result",
                "(astype(where(plain, fraction, wide), v.dtype), where(plain, i32(exponent), 0i32))",
            )])],
        )
    },
    Op {
        summary: "x * 2**n, rounded once",
        special: "n is an integer of any size or a bool: no factor overflows on the way. The dtype is that of x, and \
                  integers give floats",
        examples: &[("ldexp(1.5, 3)", "12.0"), ("ldexp([1.0, 5e-324], [-1, 1074])", "[0.5, 1.0]")],
        domain: domain(Class::RealInexact),
        ..written(
            "ldexp",
            XN,
            &[way("x, n", TAKEN_APART).with(&[(
                "result",
                "assert isdtype(n.dtype, (\"integral\", \"bool\"))  # `ldexp` takes an integer for n
  let up = minimum(u64(where(n > 0, n, 0)), u64(5000))
  let power = i64(up) + maximum(i64(where(n < 0, n, 0)), i64(-5000)) + exponent
  let first = clip(power, 1 - half, half + 1)
  let rest = clip(power - first, i64(-60), i64(2))
  let one = half + 1
  let scaled = fraction * bitcast((first + one) << place, wide.dtype) * bitcast((rest + one) << place, wide.dtype)
  astype(where(plain, scaled, wide), v.dtype)",
            )])],
        )
    },
    Op {
        summary: "distance of x to the next number of its dtype, away from 0",
        special: "It has the sign of x, but in f16, where it is the distance to the next larger number, as in NumPy. \
                  Of 0 it is the smallest number, of an infinity nan. Integers give floats",
        examples: &[("spacing([1.0, -1.0])", "[2.220446049250313e-16, -2.220446049250313e-16]")],
        domain: domain(Class::RealInexact),
        ..written(
            "spacing",
            X,
            &[way(
                "x",
                "{
  let v = copysign(x, x)
  let upwards = (v == 0) | (v.dtype == f16)
  let next = nextafter(v, where(upwards, inf, copysign(inf, v)))
  where(isinf(v), nan, next - v)
}",
            )],
        )
    },
];
