//! Arithmetic: the rows of the arithmetic operators. Beside them stands what is close to them.

use super::expand::Expand;
use super::{ExactOp, Form, Notation, Op, Param, Role, ScaledOperation, XY, binary, operand, row, ternary, unary};
use super::{complex, formula};
use crate::ir::NodeId;
use crate::promotion::Class;
use crate::scalar::prim::Prim;
use crate::types::{DType, Kind};

const NAN_TO_NUM: &[Param] = &[
    operand("x"),
    Param { name: "nan", role: Role::Number, default: Some("0") },
    Param { name: "posinf", role: Role::Number, default: Some("None") },
    Param { name: "neginf", role: Role::Number, default: Some("None") },
];
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
        summary: "sum of two values",
        special: "For two `bool` it is `or`. Integers wrap",
        examples: &[("1 + 2", "3"), ("255u8 + 1u8", "0"), ("true + true", "true")],
        exact: Some(ExactOp::Add),
        ..binary("add", Class::Arithmetic, |e, x| {
            if e.dtype(x[0]) == DType::Bool { e.prim(Prim::Or, &[x[0], x[1]]) } else { e.add(x[0], x[1]) }
        })
    },
    Op {
        notation: Some(Notation::Infix("-")),
        summary: "difference of two values",
        special: "Integers wrap. Two `bool` are refused: write `x ^ y`",
        examples: &[("5 - 7", "-2"), ("0u8 - 1u8", "255")],
        exact: Some(ExactOp::Subtract),
        ..binary("subtract", Class::Subtraction, |e, x| e.sub(x[0], x[1]))
    },
    Op {
        notation: Some(Notation::Infix("*")),
        summary: "product of two values",
        special: "For two `bool` it is `and`. Integers wrap",
        examples: &[("6 * 7", "42"), ("2j * 2j", "(-4+0j)")],
        masks: true,
        exact: Some(ExactOp::Multiply),
        ..binary("multiply", Class::Arithmetic, |e, x| {
            if e.dtype(x[0]) == DType::Bool { e.prim(Prim::And, &[x[0], x[1]]) } else { e.mul(x[0], x[1]) }
        })
    },
    Op {
        notation: Some(Notation::Infix("/")),
        summary: "quotient of two values",
        special: "Integers become floats first. x / 0 is an infinity, and 0 / 0 is nan. Where the system keeps \
                  integers, as jax.lax does, the quotient is rounded towards 0, and x / 0 is 0",
        examples: &[("1 / 4", "0.25"), ("1.0f32 / 0.0f32", "inf")],
        exact: Some(ExactOp::Divide),
        ..binary("divide", Class::Division, |e, x| match e.dtype(x[0]).kind() {
            Kind::Float | Kind::Complex => e.div(x[0], x[1]),
            Kind::Bool | Kind::Unsigned | Kind::Signed => truncated_quotient(e, x[0], x[1]),
        })
    },
    Op {
        notation: Some(Notation::Infix("//")),
        summary: "quotient, rounded down",
        special: "For integers, x // 0 is 0, and the smallest integer // -1 wraps. For floats, as in NumPy, 1 // 0 \
                  is inf, and -1 // inf is -1",
        examples: &[("-7 // 2", "-4"), ("7i32 // 0i32", "0"), ("7.5 // 2.0", "3.0")],
        exact: Some(ExactOp::FloorDivide),
        ..binary("floor_divide", Class::FloorDivision, |e, x| e.prim(Prim::FloorDiv, &[x[0], x[1]]))
    },
    Op {
        notation: Some(Notation::Infix("%")),
        summary: "remainder with the sign of the divisor",
        special: "For integers, x % 0 is 0; for floats it is nan. A float remainder of zero has the divisor's sign too",
        examples: &[("-7 % 3", "2"), ("7 % -3", "-2"), ("5.5 % 2.0", "1.5")],
        exact: Some(ExactOp::Remainder),
        ..binary("remainder", Class::FloorDivision, |e, x| e.prim(Prim::Rem, &[x[0], x[1]]))
    },
    Op {
        notation: Some(Notation::Infix("**")),
        summary: "x to the power of y",
        special: "Integer powers are exact modulo 2^N, where N is the number of bits. A negative exponent of \
                  integers gives 0, 1 or -1. x ** 2.0 is x * x, and a complex number to a whole power below 100 is a \
                  product too",
        examples: &[("2 ** 10", "1024"), ("2.0 ** -1", "0.5"), ("2i32 ** 31", "-2147483648"), ("2j ** 2", "(-4+0j)")],
        exact: Some(ExactOp::Power),
        ..row("power", XY, Class::Power, Form::Scaled(ScaledOperation::Power))
    },
    Op {
        notation: Some(Notation::Prefix("-")),
        summary: "negation",
        special: "Integers wrap: the negation of 1u8 is 255",
        examples: &[("-(3)", "-3"), ("-(1u8 + 0u8)", "255")],
        exact: Some(ExactOp::Neg),
        ..unary("neg", Class::Negation, |e, x| e.neg(x[0]))
    },
    Op {
        notation: Some(Notation::Prefix("+")),
        summary: "the operand itself",
        examples: &[("+(3)", "3")],
        exact: Some(ExactOp::Positive),
        ..unary("positive", Class::Selection, |_, x| x[0])
    },
    Op {
        summary: "absolute value; magnitude of a complex number",
        special: "The smallest integer wraps to itself. A complex number with an infinite part has the magnitude inf",
        examples: &[("abs(-3)", "3"), ("abs(3+4j)", "5.0"), ("abs(-128i8)", "-128")],
        exact: Some(ExactOp::Abs),
        ..unary("abs", Class::Magnitude, |e, x| match e.dtype(x[0]).kind() {
            Kind::Bool | Kind::Unsigned => x[0],
            Kind::Signed => e.prim(Prim::Abs, &[x[0]]),
            Kind::Float | Kind::Complex => e.magnitude(x[0]),
        })
    },
    Op {
        summary: "the sign of the value: -1, 0 or 1",
        special: "For a complex number z it is z / |z|. It keeps nan and the sign of zero",
        examples: &[("sign(-3)", "-1"), ("sign(-0.0)", "-0.0"), ("sign(3+4j)", "(0.6+0.8j)"), ("sign(7u8)", "1")],
        ..unary("sign", Class::Sign, |e, x| sign(e, x[0]))
    },
    Op {
        summary: "product of a value with itself",
        special: "Integers wrap",
        examples: &[("square(-3)", "9"), ("square(16u8)", "0"), ("square(2j)", "(-4+0j)")],
        exact: Some(ExactOp::Square),
        ..unary("square", Class::Square, |e, x| e.mul(x[0], x[0]))
    },
    Op {
        summary: "x * y + z, rounded once",
        special: "Integers become floats. f16 and bf16 are computed in f32 and then rounded",
        examples: &[("fma(2.0, 3.0, 1.0)", "7.0"), ("fma(0.1, 10.0, -1.0)", "5.551115123125783e-17")],
        ..ternary("fma", Class::RealInexact, |e, x| e.prim(Prim::Fma, x))
    },
    Op {
        summary: "the magnitude of x with the sign of y",
        special: "Zeros and nan have signs too",
        examples: &[("copysign(3.0, -0.0)", "-3.0"), ("copysign(-1, 2)", "1.0")],
        ..binary("copysign", Class::RealInexact, |e, x| e.prim(Prim::Copysign, x))
    },
    Op {
        summary: "the smaller of two values",
        special: "It is nan if either value is nan. -0 is below +0. Complex numbers compare by their real parts \
                  first, then by their imaginary parts",
        examples: &[("minimum(1.5, nan)", "nan"), ("minimum(3, 2)", "2")],
        exact: Some(ExactOp::Minimum),
        ..binary("minimum", Class::Extremum, |e, x| extremum(e, x[0], x[1], Extreme::Smaller))
    },
    Op {
        summary: "the larger of two values",
        special: "It is nan if either value is nan. -0 is below +0. Complex numbers compare by their real parts \
                  first, then by their imaginary parts",
        examples: &[("maximum(-0.0, 0.0)", "0.0"), ("maximum(3, 2)", "3")],
        exact: Some(ExactOp::Maximum),
        ..binary("maximum", Class::Extremum, |e, x| extremum(e, x[0], x[1], Extreme::Larger))
    },
    Op {
        summary: "the smaller of two values, ignoring nan",
        special: "If one value is nan, it is the other one; if both are, it is nan. -0 is below +0. Complex numbers \
                  compare by their real parts first, then by their imaginary parts",
        examples: &[("fmin(1.5, nan)", "1.5"), ("fmin(3, 2)", "2")],
        ..binary("fmin", Class::Extremum, |e, x| number_extremum(e, x[0], x[1], Extreme::Smaller))
    },
    Op {
        summary: "the larger of two values, ignoring nan",
        special: "If one value is nan, it is the other one; if both are, it is nan. -0 is below +0. Complex numbers \
                  compare by their real parts first, then by their imaginary parts",
        examples: &[("fmax(1.5, nan)", "1.5"), ("fmax(3, 2)", "3")],
        ..binary("fmax", Class::Extremum, |e, x| number_extremum(e, x[0], x[1], Extreme::Larger))
    },
    Op {
        summary: "remainder with the sign of x, as in C",
        special: "For integers, fmod(x, 0) is 0. For floats, fmod(x, 0) is nan, and other remainders are exact",
        examples: &[("fmod(-7, 3)", "-1"), ("fmod(5.5, -2.0)", "1.5"), ("fmod(7i32, 0i32)", "0")],
        exact: Some(ExactOp::TruncatedRemainder),
        ..binary("fmod", Class::FloorDivision, |e, x| match e.dtype(x[0]).kind() {
            Kind::Float | Kind::Complex => e.prim(Prim::Fmod, x),
            Kind::Bool | Kind::Unsigned | Kind::Signed => truncated_remainder(e, x[0], x[1]),
        })
    },
    Op {
        summary: "the next value of the dtype from x towards y",
        special: "It is y if both are equal, and nan if either is nan",
        examples: &[("nextafter(1.0, 2.0)", "1.0000000000000002"), ("nextafter(1.0f32, 0.0f32)", "0.99999994")],
        ..row(
            "nextafter",
            XY,
            Class::RealInexact,
            Form::Kept(|e, x, _| match e.dtype(x[0]).is_small_float() {
                true => small_nextafter(e, x[0], x[1]),
                false => e.prim(Prim::Nextafter, x),
            }),
        )
    },
    Op {
        summary: "1 divided by x",
        special: "Where the system keeps integers, as NumPy does, only 1 and -1 have another than 0",
        examples: &[("reciprocal(4.0)", "0.25"), ("reciprocal(0.0)", "inf"), ("reciprocal(2j)", "-0.5j")],
        ..unary("reciprocal", Class::Inexact, |e, x| {
            let one = e.number(x[0], 1.0);
            match e.dtype(x[0]).kind() {
                Kind::Float | Kind::Complex => e.div(one, x[0]),
                // The quotient without its fraction.
                Kind::Bool | Kind::Unsigned | Kind::Signed => {
                    let (zero, mut is_unit) = (e.number(x[0], 0.0), e.equal(x[0], one));
                    // What -1 wraps to in an unsigned dtype is the largest integer.
                    if e.dtype(x[0]).kind() == Kind::Signed {
                        let minus = e.prim(Prim::Neg, &[one]);
                        let is_minus = e.equal(x[0], minus);
                        is_unit = e.prim(Prim::Or, &[is_unit, is_minus]);
                    }
                    e.select(is_unit, x[0], zero)
                }
            }
        })
    },
    Op {
        summary: "0 below 0, 1 above, and y at 0",
        special: "It is nan if x is nan",
        examples: &[("heaviside([-1.5, 0.0, 2.0], 0.5)", "[0.0, 0.5, 1.0]")],
        ..binary("heaviside", Class::RealInexact, |e, x| {
            let (zero, one) = (e.number(x[0], 0.0), e.number(x[0], 1.0));
            let (below, above) = (e.prim(Prim::Lt, &[x[0], zero]), e.prim(Prim::Lt, &[zero, x[0]]));
            let bad = e.is_nan(x[0]);
            let middle = e.select(bad, x[0], x[1]);
            let up = e.select(above, one, middle);
            e.select(below, zero, up)
        })
    },
    Op {
        summary: "absolute value, as a float",
        special: "Integers become floats; `abs` keeps them",
        examples: &[("fabs(-2)", "2.0"), ("fabs(-0.5)", "0.5")],
        ..unary("fabs", Class::RealInexact, |e, x| e.prim(Prim::Abs, x))
    },
    Op {
        summary: "x with numbers in the place of nan, inf and -inf",
        special: "Unless they are given, these are 0 and the largest and the smallest finite value of the dtype. Integers \
                  stay as they are, and complex numbers are mended part by part",
        examples: &[
            ("nan_to_num([1.5, nan])", "[1.5, 0.0]"),
            ("nan_to_num([nan, inf, -inf], nan=-1, posinf=9, neginf=-9)", "[-1.0, 9.0, -9.0]"),
            ("nan_to_num(inf)", "1.7976931348623157e+308"),
        ],
        ..row("nan_to_num", NAN_TO_NUM, Class::Selection, Form::Kept(finite))
    },
    Op {
        summary: "the value, limited to the range lo to hi",
        special: "It is minimum(maximum(x, lo), hi), so it is nan if any of the three is nan, and hi if lo is above \
                  hi. `None` means no bound",
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
                let above = extremum(e, x[0], x[1], Extreme::Larger);
                extremum(e, above, x[2], Extreme::Smaller)
            }),
        )
    },
    Op {
        summary: "x where the condition holds, else y",
        special: "Both x and y are computed. The condition is a bool and takes no part in promotion",
        examples: &[("where(true, 1, 2)", "1"), ("where([true, false], 1.5, -1.0)", "[1.5, -1.0]")],
        ..row("where", WHERE, Class::Selection, Form::Map(|e, x| e.select(x[0], x[1], x[2])))
    },
];

fn finite(e: &mut Expand, x: &[NodeId], numbers: &[f64]) -> NodeId {
    let (x, dtype) = (x[0], e.dtype(x[0]));
    if dtype.is_complex() {
        let (re, im) = e.parts(x);
        let (re, im) = (finite(e, &[re], numbers), finite(e, &[im], numbers));
        return e.pair(re, im);
    }
    // Integers have neither.
    let Some(most) = dtype.largest() else { return x };
    let given = |number: f64, most: f64| if number.is_infinite() { most } else { number };
    let wide = e.widen(x);
    let (nan, high, low) = (e.number(wide, numbers[0]), given(numbers[1], most), given(numbers[2], -most));
    let (high, low) = (e.number(wide, high), e.number(wide, low));
    let (up, down) = (e.number(wide, f64::INFINITY), e.number(wide, f64::NEG_INFINITY));
    let (bad, is_up, is_down) = (e.is_nan(wide), e.equal(wide, up), e.equal(wide, down));
    let instead = e.select(is_up, high, wide);
    let instead = e.select(is_down, low, instead);
    let instead = e.select(bad, nan, instead);
    e.convert(instead, dtype)
}

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

/// Which of two values is taken.
#[derive(Clone, Copy)]
enum Extreme {
    Smaller,
    Larger,
}

fn extremum(e: &mut Expand, x: NodeId, y: NodeId, taken: Extreme) -> NodeId {
    let prim = match (e.dtype(x).kind(), taken) {
        (Kind::Bool, Extreme::Smaller) => Prim::And,
        (Kind::Bool, Extreme::Larger) => Prim::Or,
        (Kind::Unsigned | Kind::Signed | Kind::Float, Extreme::Smaller) => Prim::Min,
        (Kind::Unsigned | Kind::Signed | Kind::Float, Extreme::Larger) => Prim::Max,
        (Kind::Complex, _) => return complex_extremum(e, x, y, taken),
    };
    e.prim(prim, &[x, y])
}

/// The extreme of two numbers of which one may be NaN.
fn number_extremum(e: &mut Expand, x: NodeId, y: NodeId, taken: Extreme) -> NodeId {
    let found = extremum(e, x, y, taken);
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

/// The quotient, rounded towards 0. Without the remainder, x divides exactly.
fn truncated_quotient(e: &mut Expand, x: NodeId, y: NodeId) -> NodeId {
    let rest = truncated_remainder(e, x, y);
    let multiple = e.prim(Prim::Sub, &[x, rest]);
    e.prim(Prim::FloorDiv, &[multiple, y])
}

/// Complex numbers in the order of their real, then their imaginary parts, as NumPy.
fn complex_extremum(e: &mut Expand, x: NodeId, y: NodeId, taken: Extreme) -> NodeId {
    let (high, low) = match taken {
        Extreme::Larger => (x, y),
        Extreme::Smaller => (y, x),
    };
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

/// The next float of a dtype that is computed in another one, by its bits.
fn small_nextafter(e: &mut Expand, x: NodeId, towards: NodeId) -> NodeId {
    let dtype = e.dtype(x);
    let word = super::draws::unsigned(dtype);
    let (from, to) = (e.bitcast(x, word), e.bitcast(towards, word));
    let (x, y) = (e.widen(x), e.widen(towards));
    let (one, top) = (e.integer(word, 1), e.integer(word, 1 << (dtype.bits() - 1)));
    let zero = e.number(x, 0.0);
    let sign = e.prim(Prim::And, &[from, top]);
    let negative = e.prim(Prim::Eq, &[sign, top]);
    let rises = e.prim(Prim::Lt, &[x, y]);
    let outwards = e.prim(Prim::Ne, &[rises, negative]);
    let from_zero = e.prim(Prim::Eq, &[x, zero]);
    let (a, b) = (e.is_nan(x), e.is_nan(y));
    let undefined = e.prim(Prim::Or, &[a, b]);
    // What these have instead is no step: from 1 none of theirs wraps, which `--checked` would tell of.
    let elsewhere = e.prim(Prim::Or, &[from_zero, undefined]);
    let start = e.select(elsewhere, one, from);
    let (further, nearer) = (e.prim(Prim::Add, &[start, one]), e.prim(Prim::Sub, &[start, one]));
    let step = e.select(outwards, further, nearer);
    let least = e.prim(Prim::And, &[to, top]);
    let least = e.prim(Prim::Or, &[least, one]);
    let step = e.select(from_zero, least, step);
    let same = e.prim(Prim::Eq, &[x, y]);
    let bits = e.select(same, to, step);
    let nan = e.of(dtype, f64::NAN);
    let nan = e.bitcast(nan, word);
    let bits = e.select(undefined, nan, bits);
    e.bitcast(bits, dtype)
}
