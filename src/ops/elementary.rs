//! The elementary functions of one real number, but for the angles.

use super::expand::Expand;
use super::formula::{self, Analytic};
use super::{Op, binary, complex, unary};
use crate::ir::NodeId;
use crate::promotion::Class;
use crate::scalar::prim::Prim;
use std::f64::consts::{LN_2, LOG2_E};

/// A function that is a prim for real numbers and a formula for complex ones.
pub(super) fn analytic(e: &mut Expand, x: NodeId, of_real: Prim, of_complex: Analytic) -> NodeId {
    if e.dtype(x).is_complex() { formula::complex(e, [x], |[z]| of_complex(z)) } else { e.prim(of_real, &[x]) }
}

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "square root",
        special: "For a negative real number it is nan, and for -0 it is -0. The root of a complex number has a real \
                  part that is not negative",
        examples: &[("sqrt(16)", "4.0"), ("sqrt(-1.0)", "nan"), ("sqrt(-4+0j)", "2j")],
        ..unary("sqrt", Class::Inexact, |e, x| analytic(e, x[0], Prim::Sqrt, complex::sqrt))
    },
    Op {
        summary: "cube root",
        special: "For a negative number it is negative",
        examples: &[("cbrt(27.0)", "3.0"), ("cbrt(-8)", "-2.0")],
        ..unary("cbrt", Class::RealInexact, |e, x| e.prim(Prim::Cbrt, x))
    },
    Op {
        summary: "1 / sqrt(x)",
        special: "For 0 it is inf, for -0 it is -inf, and for a negative number it is nan",
        examples: &[("rsqrt(4.0)", "0.5"), ("rsqrt(0.0)", "inf")],
        ..unary("rsqrt", Class::Inexact, |e, x| {
            let root = analytic(e, x[0], Prim::Sqrt, complex::sqrt);
            let one = e.number(root, 1.0);
            e.div(one, root)
        })
    },
    Op {
        summary: "length of the hypotenuse, sqrt(x² + y²)",
        special: "The squares inside do not overflow. It is inf if either value is infinite, even if the other one \
                  is nan",
        examples: &[("hypot(3, 4)", "5.0"), ("hypot(-1e200, 0)", "1e+200"), ("hypot(inf, nan)", "inf")],
        ..binary("hypot", Class::RealInexact, |e, x| e.prim(Prim::Hypot, x))
    },
    Op {
        summary: "e to the power of x",
        special: "It is within one representable value of the exact result",
        examples: &[("exp(0)", "1.0"), ("exp(-inf)", "0.0"), ("exp(0j)", "(1+0j)")],
        ..unary("exp", Class::Inexact, |e, x| analytic(e, x[0], Prim::Exp, complex::exp))
    },
    Op {
        summary: "2 to the power of x",
        special: "It is exact for whole numbers",
        examples: &[("exp2(10)", "1024.0"), ("exp2(-inf)", "0.0")],
        ..unary("exp2", Class::Inexact, |e, x| analytic(e, x[0], Prim::Exp2, complex::exp2))
    },
    Op {
        summary: "exp(x) - 1, accurate for small x",
        special: "For -inf it is -1, and for -0 it is -0",
        examples: &[("expm1(1e-20)", "1e-20"), ("expm1(-inf)", "-1.0")],
        ..unary("expm1", Class::Inexact, |e, x| analytic(e, x[0], Prim::Expm1, complex::expm1))
    },
    Op {
        summary: "natural logarithm",
        special: "For 0 it is -inf, and for a negative real number it is nan. The logarithm of a complex number has \
                  an imaginary part in [-π, π]",
        examples: &[("log(1)", "0.0"), ("log(0.0)", "-inf"), ("log(-1+0j)", "3.141592653589793j")],
        ..unary("log", Class::Inexact, |e, x| analytic(e, x[0], Prim::Log, complex::log))
    },
    Op {
        summary: "logarithm to the base 2",
        special: "For 0 it is -inf, and for a negative number it is nan. It is exact for powers of 2",
        examples: &[("log2(8)", "3.0"), ("log2(0.0)", "-inf")],
        ..unary("log2", Class::Inexact, |e, x| analytic(e, x[0], Prim::Log2, complex::log2))
    },
    Op {
        summary: "logarithm to the base 10",
        special: "For 0 it is -inf, and for a negative number it is nan",
        examples: &[("log10(1000)", "3.0"), ("log10(0.0)", "-inf")],
        ..unary("log10", Class::Inexact, |e, x| analytic(e, x[0], Prim::Log10, complex::log10))
    },
    Op {
        summary: "log(1 + x), accurate for small x",
        special: "For -1 it is -inf, below -1 it is nan, and for -0 it is -0",
        examples: &[("log1p(1e-20)", "1e-20"), ("log1p(-1.0)", "-inf")],
        ..unary("log1p", Class::Inexact, |e, x| analytic(e, x[0], Prim::Log1p, complex::log1p))
    },
    Op {
        summary: "log(exp(x) + exp(y))",
        special: "The exponentials inside do not overflow. For two infinities of the same sign it is that infinity",
        examples: &[("logaddexp(0, 0)", "0.6931471805599453"), ("logaddexp(-inf, -inf)", "-inf")],
        ..binary("logaddexp", Class::RealInexact, |e, x| {
            formula::real(e, [x[0], x[1]], |[x, y]| {
                let sum = x.max(y) + (-(x - y).abs()).exp().log1p();
                // The difference of equal infinities is no number.
                x.same(y).pick(x + LN_2, sum)
            })
        })
    },
    Op {
        summary: "log2(2**x + 2**y)",
        special: "The powers inside do not overflow. For two infinities of the same sign it is that infinity",
        examples: &[("logaddexp2(3, 3)", "4.0"), ("logaddexp2(-inf, -inf)", "-inf")],
        ..binary("logaddexp2", Class::RealInexact, |e, x| {
            formula::real(e, [x[0], x[1]], |[x, y]| {
                let sum = x.max(y) + (-(x - y).abs()).exp2().log1p() * LOG2_E;
                x.same(y).pick(x + 1.0, sum)
            })
        })
    },
];
