//! Trigonometric or hyperbolic functions, with their inverses.

use super::elementary::analytic;
use super::expand::Expand;
use super::formula;
use super::{ANY, Op, binary, complex, unary};
use crate::ir::NodeId;
use crate::promotion::Class;
use crate::scalar::prim::Prim;

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "sine of an angle in radians",
        special: "For an infinity it is nan. It is accurate for angles of any size",
        examples: &[("sin(0.0)", "0.0"), ("sin(inf)", "nan")],
        ..unary("sin", Class::Inexact, |e, x| analytic(e, x[0], Prim::Sin, complex::sin))
    },
    Op {
        summary: "cosine of an angle in radians",
        special: "For an infinity it is nan. It is accurate for angles of any size",
        examples: &[("cos(0)", "1.0"), ("cos(pi)", "-1.0")],
        ..unary("cos", Class::Inexact, |e, x| analytic(e, x[0], Prim::Cos, complex::cos))
    },
    Op {
        summary: "tangent of an angle in radians",
        special: "For an infinity it is nan. It is accurate for angles of any size",
        examples: &[("tan(0.0)", "0.0"), ("tan(-inf)", "nan")],
        ..unary("tan", Class::Inexact, |e, x| analytic(e, x[0], Prim::Tan, complex::tan))
    },
    Op {
        summary: "angle in [-π/2, π/2] whose sine is x",
        special: "For a real x outside [-1, 1] it is nan",
        examples: &[("asin(0.0)", "0.0"), ("asin(1)", "1.5707963267948966"), ("asin(2.0)", "nan")],
        ..unary("asin", Class::Inexact, |e, x| analytic(e, x[0], Prim::Asin, complex::asin))
    },
    Op {
        summary: "angle in [0, π] whose cosine is x",
        special: "For a real x outside [-1, 1] it is nan",
        examples: &[("acos(1.0)", "0.0"), ("acos(-1)", "3.141592653589793")],
        ..unary("acos", Class::Inexact, |e, x| analytic(e, x[0], Prim::Acos, complex::acos))
    },
    Op {
        summary: "angle in [-π/2, π/2] whose tangent is x",
        special: "For inf it is π/2, and for -inf it is -π/2",
        examples: &[("atan(0.0)", "0.0"), ("atan(inf)", "1.5707963267948966")],
        ..unary("atan", Class::Inexact, |e, x| analytic(e, x[0], Prim::Atan, complex::atan))
    },
    Op {
        summary: "angle in [-π, π] of a point",
        special: "The first argument is the vertical coordinate of the point, the second its horizontal one. Zeros \
                  count with their signs: atan2(0.0, -0.0) is π",
        examples: &[("atan2(1, 0)", "1.5707963267948966"), ("atan2(0.0, -0.0)", "3.141592653589793")],
        domain: ANY,
        ..binary("atan2", Class::RealInexact, |e, x| match e.dtype(x[0]).is_complex() {
            true => complex_atan2(e, x[0], x[1]),
            false => e.prim(Prim::Atan2, x),
        })
    },
    Op {
        summary: "degrees, converted to radians",
        special: "It is x times pi/180, rounded once",
        examples: &[("deg2rad(180)", "3.141592653589793"), ("deg2rad(0.0)", "0.0")],
        ..unary("deg2rad", Class::RealInexact, |e, x| scaled(e, x[0], std::f64::consts::PI / 180.0))
    },
    Op {
        summary: "radians, converted to degrees",
        special: "It is x times 180/pi, rounded once",
        examples: &[("rad2deg(pi)", "180.0"), ("rad2deg(0.0)", "0.0")],
        ..unary("rad2deg", Class::RealInexact, |e, x| scaled(e, x[0], 180.0 / std::f64::consts::PI))
    },
    Op {
        summary: "hyperbolic sine",
        examples: &[("sinh(0.0)", "0.0"), ("sinh(-inf)", "-inf")],
        ..unary("sinh", Class::Inexact, |e, x| analytic(e, x[0], Prim::Sinh, complex::sinh))
    },
    Op {
        summary: "hyperbolic cosine",
        examples: &[("cosh(0)", "1.0"), ("cosh(-inf)", "inf")],
        ..unary("cosh", Class::Inexact, |e, x| analytic(e, x[0], Prim::Cosh, complex::cosh))
    },
    Op {
        summary: "hyperbolic tangent",
        examples: &[("tanh(0.0)", "0.0"), ("tanh(inf)", "1.0")],
        ..unary("tanh", Class::Inexact, |e, x| analytic(e, x[0], Prim::Tanh, complex::tanh))
    },
    Op {
        summary: "number whose hyperbolic sine is x",
        examples: &[("asinh(0.0)", "0.0"), ("asinh(inf)", "inf")],
        ..unary("asinh", Class::Inexact, |e, x| analytic(e, x[0], Prim::Asinh, complex::asinh))
    },
    Op {
        summary: "number from 0 up whose hyperbolic cosine is x",
        special: "For a real x below 1 it is nan",
        examples: &[("acosh(1)", "0.0"), ("acosh(0.5)", "nan"), ("acosh(inf)", "inf")],
        ..unary("acosh", Class::Inexact, |e, x| analytic(e, x[0], Prim::Acosh, complex::acosh))
    },
    Op {
        summary: "number whose hyperbolic tangent is x",
        special: "For 1 it is inf, for -1 it is -inf, and for a real x outside [-1, 1] it is nan",
        examples: &[("atanh(0.0)", "0.0"), ("atanh(1.0)", "inf"), ("atanh(2.0)", "nan")],
        ..unary("atanh", Class::Inexact, |e, x| analytic(e, x[0], Prim::Atanh, complex::atanh))
    },
];

/// `-i log((x + i y) / sqrt(x² + y²))`, for the systems that define it.
fn complex_atan2(e: &mut Expand, y: NodeId, x: NodeId) -> NodeId {
    let turned = formula::complex(e, [y], |[y]| y.times_i());
    let (point, xx, yy) = (e.add(x, turned), e.mul(x, x), e.mul(y, y));
    let sum = e.add(xx, yy);
    let length = formula::complex(e, [sum], |[sum]| complex::sqrt(sum));
    let direction = e.div(point, length);
    formula::complex(e, [direction], |[direction]| complex::log(direction).over_i())
}

fn scaled(e: &mut Expand, x: NodeId, factor: f64) -> NodeId {
    let factor = e.number(x, factor);
    e.mul(x, factor)
}
