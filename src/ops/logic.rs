//! `and`, `or`, `not`, with tests of values.

use super::expand::Expand;
use super::options::option;
use super::{Form, Notation, Op, Param, Role, binary, domain, operand, row, unary};
use crate::ir::NodeId;
use crate::promotion::Class;
use crate::scalar::prim::Prim;
use crate::types::{DType, Kind};

const IS_CLOSE: &[Param] = &[
    operand("x"),
    operand("y"),
    Param { name: "rtol", role: Role::Number, default: Some("1e-05") },
    Param { name: "atol", role: Role::Number, default: Some("1e-08") },
    option("equal_nan", "false"),
];

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        notation: Some(Notation::Infix("and")),
        summary: "whether both values are true",
        special: "The operator takes only bool. The function takes any dtype, and every value except 0 is true",
        examples: &[("true and false", "false"), ("logical_and(2, 3.5)", "true")],
        ..binary("logical_and", Class::Logical, |e, x| truths(e, Prim::And, x))
    },
    Op {
        notation: Some(Notation::Infix("or")),
        summary: "whether at least one value is true",
        special: "The operator takes only bool. The function takes any dtype, and every value except 0 is true",
        examples: &[("true or false", "true"), ("logical_or(0, nan)", "true")],
        ..binary("logical_or", Class::Logical, |e, x| truths(e, Prim::Or, x))
    },
    Op {
        summary: "whether exactly one value is true",
        special: "It takes any dtype, and every value except 0 is true",
        examples: &[("logical_xor(1, 0)", "true")],
        ..binary("logical_xor", Class::Logical, |e, x| truths(e, Prim::Xor, x))
    },
    Op {
        notation: Some(Notation::Prefix("not")),
        summary: "whether the value is false",
        special: "The operator takes only bool. The function takes any dtype, and every value except 0 is true",
        examples: &[("not true", "false"), ("logical_not(0.0)", "true")],
        ..unary("logical_not", Class::Logical, |e, x| {
            let truth = e.convert(x[0], DType::Bool);
            e.not(truth)
        })
    },
    Op {
        summary: "whether the value is not a number",
        special: "It is false for every integer",
        examples: &[("isnan(nan)", "true"), ("isnan(1)", "false")],
        ..unary("isnan", Class::Predicate, |e, x| match e.dtype(x[0]).kind() {
            Kind::Float | Kind::Complex => e.is_nan(x[0]),
            // An integer equals itself.
            Kind::Bool | Kind::Unsigned | Kind::Signed => e.prim(Prim::Ne, &[x[0], x[0]]),
        })
    },
    Op {
        summary: "whether the value is inf or -inf",
        special: "It is false for every integer. A complex number is infinite if one of its parts is",
        examples: &[("isinf(-inf)", "true"), ("isinf(nan)", "false"), ("isinf(1)", "false")],
        ..unary("isinf", Class::Predicate, |e, x| match e.dtype(x[0]).kind() {
            Kind::Float | Kind::Complex => by_magnitude(e, x[0], Prim::Eq, Prim::Or),
            Kind::Bool | Kind::Unsigned | Kind::Signed => e.prim(Prim::Ne, &[x[0], x[0]]),
        })
    },
    Op {
        summary: "whether the value is not inf, -inf or nan",
        special: "It is true for every integer. A complex number is finite if both of its parts are",
        examples: &[("isfinite(1.5)", "true"), ("isfinite(inf)", "false"), ("isfinite(7)", "true")],
        ..unary("isfinite", Class::Predicate, |e, x| match e.dtype(x[0]).kind() {
            Kind::Float | Kind::Complex => by_magnitude(e, x[0], Prim::Lt, Prim::And),
            Kind::Bool | Kind::Unsigned | Kind::Signed => e.prim(Prim::Eq, &[x[0], x[0]]),
        })
    },
    Op {
        summary: "whether the value has a minus sign",
        special: "It is true for -0, and false for nan",
        examples: &[("signbit(-0.0)", "true"), ("signbit(3)", "false"), ("signbit(-2)", "true")],
        domain: domain(Class::Ordered),
        ..unary("signbit", Class::Predicate, |e, x| match e.dtype(x[0]).kind() {
            Kind::Bool | Kind::Unsigned => e.prim(Prim::Ne, &[x[0], x[0]]),
            Kind::Float => {
                let (one, zero) = (e.number(x[0], 1.0), e.number(x[0], 0.0));
                let (bad, signed) = (e.is_nan(x[0]), e.prim(Prim::Copysign, &[one, x[0]]));
                let number = e.select(bad, one, signed);
                e.prim(Prim::Lt, &[number, zero])
            }
            Kind::Signed | Kind::Complex => {
                let zero = e.number(x[0], 0.0);
                e.prim(Prim::Lt, &[x[0], zero])
            }
        })
    },
    Op {
        summary: "whether |x - y| is at most atol + rtol * |y|",
        special: "Equal infinities are close. A nan is close to nothing, with equal_nan=true to a nan",
        examples: &[
            ("isclose(1.0, 1.000001)", "true"),
            ("isclose(100, 101)", "false"),
            ("isclose(100, 101, rtol=0.02)", "true"),
            ("isclose(inf, inf)", "true"),
            ("isclose([nan, 1.0], [nan, nan], equal_nan=true)", "[true, false]"),
        ],
        ..row("isclose", IS_CLOSE, Class::Closeness, Form::Tuned(is_close))
    },
];

/// Compares the magnitude of each part with infinity.
fn by_magnitude(e: &mut Expand, x: NodeId, test: Prim, join: Prim) -> NodeId {
    if e.dtype(x).is_complex() {
        let (re, im) = e.parts(x);
        let (re, im) = (by_magnitude(e, re, test, join), by_magnitude(e, im, test, join));
        return e.prim(join, &[re, im]);
    }
    let (magnitude, infinity) = (e.prim(Prim::Abs, &[x]), e.number(x, f64::INFINITY));
    e.prim(test, &[magnitude, infinity])
}

fn is_close(e: &mut Expand, x: &[NodeId], tolerances: &[f64]) -> NodeId {
    let (x, y) = (x[0], x[1]);
    let difference = e.sub(x, y);
    let (distance, size) = (e.magnitude(difference), e.magnitude(y));
    let (relative, absolute) = (e.number(size, tolerances[0]), e.number(size, tolerances[1]));
    let scaled = e.mul(size, relative);
    let allowed = e.add(absolute, scaled);
    let near = e.prim(Prim::Le, &[distance, allowed]);
    let finite = by_magnitude(e, y, Prim::Lt, Prim::And);
    let near = e.prim(Prim::And, &[near, finite]);
    let same = e.equal(x, y);
    e.prim(Prim::Or, &[near, same])
}

fn truths(e: &mut Expand, prim: Prim, x: &[NodeId]) -> NodeId {
    let (left, right) = (e.convert(x[0], DType::Bool), e.convert(x[1], DType::Bool));
    e.prim(prim, &[left, right])
}
