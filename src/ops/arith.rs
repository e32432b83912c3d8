//! Arithmetic: the rows of the arithmetic operators and what is close to them.

use super::{Form, Notation, Op, Param, Role, Scaled, XY, binary, operand, row, unary};
use crate::promotion::Class;
use crate::scalar::prim::Prim;
use crate::types::{DType, Kind};

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
        special: "integers are exact modulo 2^N, a negative exponent gives 0 or ±1; x ** 2.0 is x * x",
        examples: &[("2 ** 10", "1024"), ("2.0 ** -1", "0.5"), ("2i32 ** 31", "-2147483648")],
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
            Kind::Signed | Kind::Float => e.prim(Prim::Abs, &[x[0]]),
            Kind::Complex => {
                let (re, im) = e.parts(x[0]);
                e.prim(Prim::Hypot, &[re, im])
            }
        })
    },
    Op {
        summary: "the smaller of two values",
        special: "nan if either is nan; -0 is below +0",
        examples: &[("minimum(1.5, nan)", "nan"), ("minimum(3, 2)", "2")],
        ..binary("minimum", Class::Extremum, |e, x| extremum(e, x, false))
    },
    Op {
        summary: "the larger of two values",
        special: "nan if either is nan; -0 is below +0",
        examples: &[("maximum(-0.0, 0.0)", "0.0"), ("maximum(3, 2)", "3")],
        ..binary("maximum", Class::Extremum, |e, x| extremum(e, x, true))
    },
    Op {
        summary: "x where the condition holds, else y",
        special: "both are computed; the condition is bool and takes no part in promotion",
        examples: &[("where(true, 1, 2)", "1"), ("where([true, false], 1.5, -1.0)", "[1.5, -1.0]")],
        ..row("where", WHERE, Class::Selection, Form::Map(|e, x| e.select(x[0], x[1], x[2])))
    },
];

fn extremum(e: &mut super::Expand, x: &[crate::ir::NodeId], larger: bool) -> crate::ir::NodeId {
    let bits = if larger { Prim::Or } else { Prim::And };
    let numbers = if larger { Prim::Max } else { Prim::Min };
    let prim = if e.dtype(x[0]) == DType::Bool { bits } else { numbers };
    e.prim(prim, &[x[0], x[1]])
}
