//! `and`, `or`, `not`, and tests of single values.

use super::expand::Expand;
use super::{Notation, Op, binary, unary};
use crate::ir::NodeId;
use crate::promotion::Class;
use crate::scalar::prim::Prim;
use crate::types::{DType, Kind};

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        notation: Some(Notation::Infix("and")),
        summary: "whether both are true, element by element",
        special: "as an operator on bool only; the function takes any dtype, where not 0 is true",
        examples: &[("true and false", "false"), ("logical_and(2, 3.5)", "true")],
        ..binary("logical_and", Class::Logical, |e, x| truths(e, Prim::And, x))
    },
    Op {
        notation: Some(Notation::Infix("or")),
        summary: "whether at least one is true, element by element",
        special: "as an operator on bool only; the function takes any dtype, where not 0 is true",
        examples: &[("true or false", "true"), ("logical_or(0, nan)", "true")],
        ..binary("logical_or", Class::Logical, |e, x| truths(e, Prim::Or, x))
    },
    Op {
        summary: "whether exactly one is true, element by element",
        examples: &[("logical_xor(1, 0)", "true")],
        ..binary("logical_xor", Class::Logical, |e, x| truths(e, Prim::Xor, x))
    },
    Op {
        notation: Some(Notation::Prefix("not")),
        summary: "whether the value is false, element by element",
        special: "as an operator on bool only; the function takes any dtype, where not 0 is true",
        examples: &[("not true", "false"), ("logical_not(0.0)", "true")],
        ..unary("logical_not", Class::Logical, |e, x| {
            let truth = e.convert(x[0], DType::Bool);
            e.not(truth)
        })
    },
    Op {
        summary: "whether the value is not a number",
        special: "false for every integer",
        examples: &[("isnan(nan)", "true"), ("isnan(1)", "false")],
        ..unary("isnan", Class::Predicate, |e, x| match e.dtype(x[0]).kind() {
            Kind::Float | Kind::Complex => e.is_nan(x[0]),
            // An integer equals itself.
            Kind::Bool | Kind::Unsigned | Kind::Signed => e.prim(Prim::Ne, &[x[0], x[0]]),
        })
    },
];

fn truths(e: &mut Expand, prim: Prim, x: &[NodeId]) -> NodeId {
    let (left, right) = (e.convert(x[0], DType::Bool), e.convert(x[1], DType::Bool));
    e.prim(prim, &[left, right])
}
