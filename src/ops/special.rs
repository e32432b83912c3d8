//! The special functions: error, gamma, Bessel.

use super::{Op, Param, Role, X, operand, unary, way, written};
use crate::promotion::Class;
use crate::scalar::prim::Prim;

/// Chebyshev series of Cephes, which NumPy has too: up to 8 and from there on.
const I0: &str = "{
  assert not isdtype(x.dtype, \"complex floating\")  # `i0` is of real numbers
  let near = f64([
    -4.4153416464793395e-18, 3.3307945188222384e-17, -2.431279846547955e-16, 1.715391285555133e-15,
    -1.1685332877993451e-14, 7.676185498604936e-14, -4.856446783111929e-13, 2.95505266312964e-12,
    -1.726826291441556e-11, 9.675809035373237e-11, -5.189795601635263e-10, 2.6598237246823866e-09,
    -1.300025009986248e-08, 6.046995022541919e-08, -2.670793853940612e-07, 1.1173875391201037e-06,
    -4.4167383584587505e-06, 1.6448448070728896e-05, -5.754195010082104e-05, 0.00018850288509584165,
    -0.0005763755745385824, 0.0016394756169413357, -0.004324309995050576, 0.010546460394594998,
    -0.02373741480589947, 0.04930528423967071, -0.09490109704804764, 0.17162090152220877,
    -0.3046826723431984, 0.6767952744094761
  ])
  let far = f64([
    -7.233180487874754e-18, -4.830504485944182e-18, 4.46562142029676e-17, 3.461222867697461e-17,
    -2.8276239805165836e-16, -3.425485619677219e-16, 1.7725601330565263e-15, 3.8116806693526224e-15,
    -9.554846698828307e-15, -4.150569347287222e-14, 1.54008621752141e-14, 3.8527783827421426e-13,
    7.180124451383666e-13, -1.7941785315068062e-12, -1.3215811840447713e-11,
    -3.1499165279632416e-11, 1.1889147107846439e-11, 4.94060238822497e-10, 3.3962320257083865e-09,
    2.266668990498178e-08, 2.0489185894690638e-07, 2.8913705208347567e-06, 6.889758346916825e-05,
    0.0033691164782556943, 0.8044904110141088
  ])
  let v = abs(x / 1)
  let small = v <= 8
  let large = where(small, 8, v)
  let (a, b) = (where(small, v / 2.0 - 2, 0), 32.0 / large - 2)
  let (p, p1, p2) = repeat near.size as i with p = 0*a, p1 = 0*a, p2 = 0*a {
    (a*p - p1 + astype(near[i], v.dtype), p, p1)
  }
  let (q, q1, q2) = repeat far.size as i with q = 0*b, q1 = 0*b, q2 = 0*b {
    (b*q - q1 + astype(far[i], v.dtype), q, q1)
  }
  where(small, exp(v) * (0.5*(p - p2)), exp(v) * (0.5*(q - q2)) / sqrt(large))
}";

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "error function",
        special: "It is 2/sqrt(π) times the integral of exp(-t²) from 0 to x. For inf it is 1, and for -inf it is -1",
        examples: &[("erf(0.0)", "0.0"), ("erf(-inf)", "-1.0")],
        ..unary("erf", Class::RealInexact, |e, x| e.prim(Prim::Erf, x))
    },
    Op {
        summary: "1 - erf(x), accurate for large x",
        special: "For inf it is 0, and for -inf it is 2",
        examples: &[("erfc(0)", "1.0"), ("erfc(-inf)", "2.0")],
        ..unary("erfc", Class::RealInexact, |e, x| e.prim(Prim::Erfc, x))
    },
    Op {
        summary: "gamma function: (x - 1)! for whole x",
        special: "For 0 and -0 it is an infinity with the same sign. For -inf and negative whole numbers it is nan",
        examples: &[("gamma(5)", "24.0"), ("gamma(-1.0)", "nan"), ("gamma(-0.0)", "-inf")],
        ..unary("gamma", Class::RealInexact, |e, x| e.prim(Prim::Gamma, x))
    },
    Op {
        summary: "logarithm of |gamma(x)|",
        special: "For 0, negative whole numbers and infinities it is inf",
        examples: &[("lgamma(1)", "0.0"), ("lgamma(-3.0)", "inf"), ("lgamma(-inf)", "inf")],
        ..unary("lgamma", Class::RealInexact, |e, x| e.prim(Prim::Lgamma, x))
    },
    Op {
        summary: "modified Bessel function of the first kind, order 0",
        special: "It is computed as NumPy does, so of an infinity it is nan. Integers give floats",
        examples: &[("i0(0.0)", "1.0"), ("i0([0, 1])", "[1.0, 1.2660658777520082]")],
        ..written("i0", X, &[way("x", I0)])
    },
    Op {
        summary: "Kaiser window of m points, of the shape beta",
        special: "0 is a rectangle, 5 is like a Hamming window, 8.6 like a Blackman window. Of one point it is 1",
        examples: &[("kaiser(3, 0)", "[1.0, 1.0, 1.0]"), ("kaiser(1, 14)", "[1.0]")],
        ..written(
            "kaiser",
            &[Param { name: "m", role: Role::Size, default: None }, operand("beta")],
            &[way(
                "m, beta",
                "{
  let at = linspace(1 - m, m - 1, m) / (m - 1)
  let shape = astype(beta, at.dtype)
  where(m == 1, 1, i0(shape * sqrt(1 - at*at)) / i0(shape))
}",
            )],
        )
    },
];
