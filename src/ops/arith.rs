//! Arithmetic: the rows of the arithmetic operators and what is close to them.

use super::expand::Expand;
use super::{Form, Notation, Op, Param, Role, Scaled, XY, binary, operand, row, ternary, unary};
use super::{complex, formula};
use crate::ir::NodeId;
use crate::promotion::Class;
use crate::scalar::prim::Prim;
use crate::types::{DType, Kind};

const CLIP: &[Param] = &[
    operand("x"),
    Param { name: "lo", role: Role::Optional("minimum"), default: Some("None") },
    Param { name: "hi", role: Role::Optional("maximum"), default: Some("None") },
];
const WHERE: &[Param] =
    &[Param { name: "condition", role: Role::Condition, default: None }, operand("x"), operand("y")];

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        notation: Some(Notation::Infix("+")),
        summary: "sum; of two `bool` it is or",
        special: "integers wrap",
        examples: &[("1 + 2", "3"), ("255u8 + 1u8", "0"), ("true + true", "true")],
        ..binary("add", Class::Arithmetic, |e, x| match e.dtype(x[0]) {
            DType::Bool => e.prim(Prim::Or, &[x[0], x[1]]),
            _ => e.add(x[0], x[1]),
        })
    },
    Op {
        notation: Some(Notation::Infix("-")),
        summary: "difference; refused for two `bool` (say `^`)",
        special: "integers wrap",
        examples: &[("5 - 7", "-2"), ("0u8 - 1u8", "255")],
        ..binary("subtract", Class::Subtraction, |e, x| e.sub(x[0], x[1]))
    },
    Op {
        notation: Some(Notation::Infix("*")),
        summary: "product; of two `bool` it is and",
        special: "integers wrap",
        examples: &[("6 * 7", "42"), ("2j * 2j", "(-4+0j)")],
        ..binary("multiply", Class::Arithmetic, |e, x| match e.dtype(x[0]) {
            DType::Bool => e.prim(Prim::And, &[x[0], x[1]]),
            _ => e.mul(x[0], x[1]),
        })
    },
    Op {
        notation: Some(Notation::Infix("/")),
        summary: "quotient; integers become floats first",
        special: "x / 0 is an infinity, 0 / 0 is nan",
        examples: &[("1 / 4", "0.25"), ("1.0f32 / 0.0f32", "inf")],
        ..binary("divide", Class::Division, |e, x| e.div(x[0], x[1]))
    },
    Op {
        notation: Some(Notation::Infix("//")),
        summary: "quotient rounded down",
        special: "integers: x // 0 is 0, MIN // -1 wraps; floats as NumPy: 1 // 0 is inf, -1 // inf is -1",
        examples: &[("-7 // 2", "-4"), ("7i32 // 0i32", "0"), ("7.5 // 2.0", "3.0")],
        ..binary("floor_divide", Class::FloorDivision, |e, x| e.prim(Prim::FloorDiv, &[x[0], x[1]]))
    },
    Op {
        notation: Some(Notation::Infix("%")),
        summary: "remainder with the sign of the divisor",
        special: "integers: x % 0 is 0; floats: x % 0 is nan, a zero remainder has the divisor's sign",
        examples: &[("-7 % 3", "2"), ("7 % -3", "-2"), ("5.5 % 2.0", "1.5")],
        ..binary("remainder", Class::FloorDivision, |e, x| e.prim(Prim::Rem, &[x[0], x[1]]))
    },
    Op {
        notation: Some(Notation::Infix("**")),
        summary: "power",
        special: "integers are exact modulo 2^N, a negative exponent gives 0 or ±1; x ** 2.0 is x * x; \
                  complex numbers to a whole power below 100 are products",
        examples: &[("2 ** 10", "1024"), ("2.0 ** -1", "0.5"), ("2i32 ** 31", "-2147483648"), ("2j ** 2", "(-4+0j)")],
        ..row("power", XY, Class::Power, Form::Scaled(Scaled::Power))
    },
    Op {
        notation: Some(Notation::Prefix("-")),
        summary: "negation",
        special: "integers wrap: -1u8 as an operation is 255",
        examples: &[("-(3)", "-3"), ("-(1u8 + 0u8)", "255")],
        ..unary("neg", Class::Negation, |e, x| e.neg(x[0]))
    },
    Op {
        notation: Some(Notation::Prefix("+")),
        summary: "the operand itself",
        examples: &[("+(3)", "3")],
        ..unary("positive", Class::Selection, |_, x| x[0])
    },
    Op {
        summary: "absolute value; of a complex number its magnitude",
        special: "abs of the smallest integer wraps to itself; abs of a complex number with an infinite part is inf",
        examples: &[("abs(-3)", "3"), ("abs(3+4j)", "5.0"), ("abs(-128i8)", "-128")],
        ..unary("abs", Class::Magnitude, |e, x| match e.dtype(x[0]).kind() {
            Kind::Bool | Kind::Unsigned => x[0],
            Kind::Signed => e.prim(Prim::Abs, &[x[0]]),
            Kind::Float | Kind::Complex => e.magnitude(x[0]),
        })
    },
    Op {
        summary: "-1, 0 or 1 as the value is negative, zero or positive; of a complex number z / |z|",
        special: "keeps nan and the sign of zero",
        examples: &[("sign(-3)", "-1"), ("sign(-0.0)", "-0.0"), ("sign(3+4j)", "(0.6+0.8j)"), ("sign(7u8)", "1")],
        ..unary("sign", Class::Sign, |e, x| sign(e, x[0]))
    },
    Op {
        summary: "product of a value with itself",
        special: "integers wrap",
        examples: &[("square(-3)", "9"), ("square(16u8)", "0"), ("square(2j)", "(-4+0j)")],
        ..unary("square", Class::Square, |e, x| e.mul(x[0], x[0]))
    },
    Op {
        summary: "x * y + z, rounded once",
        special: "integers become floats; f16 and bf16 are computed in f32 and then rounded",
        examples: &[("fma(2.0, 3.0, 1.0)", "7.0"), ("fma(0.1, 10.0, -1.0)", "5.551115123125783e-17")],
        ..ternary("fma", Class::RealInexact, |e, x| e.prim(Prim::Fma, x))
    },
    Op {
        summary: "the magnitude of x with the sign of y",
        special: "zeros and nan have signs too",
        examples: &[("copysign(3.0, -0.0)", "-3.0"), ("copysign(-1, 2)", "1.0")],
        ..binary("copysign", Class::RealInexact, |e, x| e.prim(Prim::Copysign, x))
    },
    Op {
        summary: "the smaller of two values",
        special: "nan if either is nan; -0 is below +0; complex numbers compare by real, then imaginary part",
        examples: &[("minimum(1.5, nan)", "nan"), ("minimum(3, 2)", "2")],
        ..binary("minimum", Class::Extremum, |e, x| extremum(e, x[0], x[1], false))
    },
    Op {
        summary: "the larger of two values",
        special: "nan if either is nan; -0 is below +0; complex numbers compare by real, then imaginary part",
        examples: &[("maximum(-0.0, 0.0)", "0.0"), ("maximum(3, 2)", "3")],
        ..binary("maximum", Class::Extremum, |e, x| extremum(e, x[0], x[1], true))
    },
    Op {
        summary: "the smaller of two values; the other one if one is nan",
        special: "nan if both are; -0 is below +0; complex numbers compare by real, then imaginary part",
        examples: &[("fmin(1.5, nan)", "1.5"), ("fmin(3, 2)", "2")],
        ..binary("fmin", Class::Extremum, |e, x| number_extremum(e, x[0], x[1], false))
    },
    Op {
        summary: "the larger of two values; the other one if one is nan",
        special: "nan if both are; -0 is below +0; complex numbers compare by real, then imaginary part",
        examples: &[("fmax(1.5, nan)", "1.5"), ("fmax(3, 2)", "3")],
        ..binary("fmax", Class::Extremum, |e, x| number_extremum(e, x[0], x[1], true))
    },
    Op {
        summary: "remainder with the sign of the first operand, as in C",
        special: "integers: of a division by 0 it is 0; floats: it is exact, of a division by 0 nan",
        examples: &[("fmod(-7, 3)", "-1"), ("fmod(5.5, -2.0)", "1.5"), ("fmod(7i32, 0i32)", "0")],
        ..binary("fmod", Class::FloorDivision, |e, x| match e.dtype(x[0]).kind() {
            Kind::Float | Kind::Complex => e.prim(Prim::Fmod, x),
            Kind::Bool | Kind::Unsigned | Kind::Signed => truncated_remainder(e, x[0], x[1]),
        })
    },
    Op {
        summary: "the next value of the dtype from x towards y",
        special: "y where both are equal; nan if either is nan",
        examples: &[("nextafter(1.0, 2.0)", "1.0000000000000002"), ("nextafter(1.0f32, 0.0f32)", "0.99999994")],
        ..binary("nextafter", Class::RealInexact, |e, x| e.prim(Prim::Nextafter, x))
    },
    Op {
        summary: "the value, or the nearer of two bounds that it is outside of",
        special: "it is minimum(maximum(x, lo), hi): nan if any is nan, hi if the bounds are crossed; `None` is no bound",
        examples: &[
            ("clip(300, 0, 255)", "255"),
            ("clip([3, 9], None, 5)", "[3, 5]"),
            ("clip([-1.5, 0.5], 0, 1)", "[0.0, 0.5]"),
            ("clip(nan, 0, 1)", "nan"),
        ],
        ..row(
            "clip",
            CLIP,
            Class::Extremum,
            Form::Map(|e, x| {
                let above = extremum(e, x[0], x[1], true);
                extremum(e, above, x[2], false)
            }),
        )
    },
    Op {
        summary: "x where the condition holds, else y",
        special: "both are computed; the condition is bool and takes no part in promotion",
        examples: &[("where(true, 1, 2)", "1"), ("where([true, false], 1.5, -1.0)", "[1.5, -1.0]")],
        ..row("where", WHERE, Class::Selection, Form::Map(|e, x| e.select(x[0], x[1], x[2])))
    },
];

fn sign(e: &mut Expand, x: NodeId) -> NodeId {
    match e.dtype(x).kind() {
        Kind::Bool => x,
        Kind::Unsigned | Kind::Signed => {
            let (zero, one, minus) = (e.number(x, 0.0), e.number(x, 1.0), e.number(x, -1.0));
            let (positive, negative) = (e.prim(Prim::Lt, &[zero, x]), e.prim(Prim::Lt, &[x, zero]));
            let below = e.select(negative, minus, zero);
            e.select(positive, one, below)
        }
        Kind::Float => formula::real(e, [x], |[x]| x.abs().gt(0.0).pick(x.like(1.0).copysign(x), x)),
        Kind::Complex => formula::complex(e, [x], |[z]| complex::sign(z)),
    }
}

fn extremum(e: &mut Expand, x: NodeId, y: NodeId, larger: bool) -> NodeId {
    let prim = match (e.dtype(x).kind(), larger) {
        (Kind::Bool, false) => Prim::And,
        (Kind::Bool, true) => Prim::Or,
        (Kind::Unsigned | Kind::Signed | Kind::Float, false) => Prim::Min,
        (Kind::Unsigned | Kind::Signed | Kind::Float, true) => Prim::Max,
        (Kind::Complex, _) => return complex_extremum(e, x, y, larger),
    };
    e.prim(prim, &[x, y])
}

/// The extreme of two numbers of which one may be NaN.
fn number_extremum(e: &mut Expand, x: NodeId, y: NodeId, larger: bool) -> NodeId {
    let found = extremum(e, x, y, larger);
    if !matches!(e.dtype(x).kind(), Kind::Float | Kind::Complex) {
        return found;
    }
    let (no_x, no_y) = (e.is_nan(x), e.is_nan(y));
    let without_y = e.select(no_y, x, found);
    e.select(no_x, y, without_y)
}

/// The remainder of the quotient rounded towards 0: that of the one rounded down, less the divisor where signs differ.
fn truncated_remainder(e: &mut Expand, x: NodeId, y: NodeId) -> NodeId {
    let down = e.prim(Prim::Rem, &[x, y]);
    if e.dtype(x).kind() != Kind::Signed {
        return down;
    }
    let zero = e.number(x, 0.0);
    let (x_below, y_below) = (e.prim(Prim::Lt, &[x, zero]), e.prim(Prim::Lt, &[y, zero]));
    let (differ, some) = (e.prim(Prim::Xor, &[x_below, y_below]), e.prim(Prim::Ne, &[down, zero]));
    let (over, less) = (e.prim(Prim::And, &[differ, some]), e.prim(Prim::Sub, &[down, y]));
    e.select(over, less, down)
}

/// Complex numbers in the order of their real, then their imaginary parts, as NumPy.
fn complex_extremum(e: &mut Expand, x: NodeId, y: NodeId, larger: bool) -> NodeId {
    let (high, low) = if larger { (x, y) } else { (y, x) };
    let ((a, b), (c, d)) = (e.parts(low), e.parts(high));
    let (before, same) = (e.prim(Prim::Lt, &[a, c]), e.prim(Prim::Eq, &[a, c]));
    let not_after = e.prim(Prim::Le, &[b, d]);
    let tied = e.prim(Prim::And, &[same, not_after]);
    let ordered = e.prim(Prim::Or, &[before, tied]);
    let (x_nan, y_nan) = (e.is_nan(x), e.is_nan(y));
    let y_number = e.not(y_nan);
    let ordered = e.prim(Prim::And, &[ordered, y_number]);
    let first = e.prim(Prim::Or, &[ordered, x_nan]);
    e.select(first, x, y)
}
