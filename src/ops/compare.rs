//! Comparisons, which are exact between integers of any two dtypes.

use super::expand::Expand;
use super::{ExactOp, Form, Notation, Op, XY, row};
use crate::ir::NodeId;
use crate::promotion::Class;
use crate::scalar::prim::Prim;
use crate::types::{DType, Kind};
use std::cmp::Ordering;

const fn compare(
    name: &'static str,
    symbol: &'static str,
    class: Class,
    expand: fn(&mut Expand, NodeId, NodeId) -> NodeId,
) -> Op {
    Op { notation: Some(Notation::Infix(symbol)), ..row(name, XY, class, Form::Compare(expand)) }
}

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "whether two values are equal",
        special: "A nan equals nothing, not even itself. Integers of different dtypes compare exactly",
        examples: &[("1 == 1.0", "true"), ("18446744073709551615u64 == -1i64", "false")],
        exact: Some(ExactOp::Compare(|order| order == Some(Ordering::Equal))),
        ..compare("equal", "==", Class::Equality, equal)
    },
    Op {
        summary: "whether two values differ",
        special: "A nan differs from everything, even from itself",
        examples: &[("nan != nan", "true")],
        exact: Some(ExactOp::Compare(|order| order != Some(Ordering::Equal))),
        ..compare("not_equal", "!=", Class::Equality, |e, x, y| {
            let same = equal(e, x, y);
            e.not(same)
        })
    },
    Op {
        summary: "whether x is below y",
        special: "The result is false if either value is nan. Complex numbers have no order and are refused",
        examples: &[("1 < 2", "true"), ("200u8 < -1i8", "false")],
        exact: Some(ExactOp::Compare(|order| order.is_some_and(Ordering::is_lt))),
        ..compare("less", "<", Class::Ordering, |e, x, y| below(e, Prim::Lt, x, y))
    },
    Op {
        summary: "whether x is at most y",
        special: "The result is false if either value is nan. Complex numbers have no order and are refused",
        examples: &[("2 <= 2", "true"), ("0 <= 5 < 3", "false")],
        exact: Some(ExactOp::Compare(|order| order.is_some_and(Ordering::is_le))),
        ..compare("less_equal", "<=", Class::Ordering, |e, x, y| below(e, Prim::Le, x, y))
    },
    Op {
        summary: "whether x is above y",
        special: "The result is false if either value is nan. Complex numbers have no order and are refused",
        examples: &[("2 > 1", "true")],
        exact: Some(ExactOp::Compare(|order| order.is_some_and(Ordering::is_gt))),
        ..compare("greater", ">", Class::Ordering, |e, x, y| below(e, Prim::Lt, y, x))
    },
    Op {
        summary: "whether x is at least y",
        special: "The result is false if either value is nan. Complex numbers have no order and are refused",
        examples: &[("2 >= nan", "false")],
        exact: Some(ExactOp::Compare(|order| order.is_some_and(Ordering::is_ge))),
        ..compare("greater_equal", ">=", Class::Ordering, |e, x, y| below(e, Prim::Le, y, x))
    },
];

/// Two integers of one dtype that holds both.
struct IntegerPair {
    x: NodeId,
    y: NodeId,
    /// For `u64` beside a signed dtype, whether the signed one is negative (its converted value is then meaningless).
    negative: Option<Negative>,
}

/// Whether one of two values is negative.
struct Negative {
    is: NodeId,
    on_the_right: bool,
}

fn align(e: &mut Expand, x: NodeId, y: NodeId) -> IntegerPair {
    let (left, right) = (e.dtype(x), e.dtype(y));
    if left == right {
        return IntegerPair { x, y, negative: None };
    }
    let signed = |dtype: DType| dtype.kind() == Kind::Signed;
    let wide = |dtype: DType| dtype == DType::U64;
    if (wide(left) && signed(right)) || (wide(right) && signed(left)) {
        let on_the_right = signed(right);
        let is = e.is_negative(if on_the_right { y } else { x });
        let (x, y) = (e.convert(x, DType::U64), e.convert(y, DType::U64));
        return IntegerPair { x, y, negative: Some(Negative { is, on_the_right }) };
    }
    let common = if wide(left) || wide(right) { DType::U64 } else { DType::I64 };
    IntegerPair { x: e.convert(x, common), y: e.convert(y, common), negative: None }
}

fn equal(e: &mut Expand, x: NodeId, y: NodeId) -> NodeId {
    let IntegerPair { x, y, negative } = align(e, x, y);
    let same = e.equal(x, y);
    match negative {
        None => same,
        Some(Negative { is, .. }) => {
            let possible = e.not(is);
            e.prim(Prim::And, &[same, possible])
        }
    }
}

fn below(e: &mut Expand, test: Prim, x: NodeId, y: NodeId) -> NodeId {
    let IntegerPair { x, y, negative } = align(e, x, y);
    let holds = e.prim(test, &[x, y]);
    match negative {
        None => holds,
        // A negative right operand is below every u64; a negative left one is below.
        Some(Negative { is, on_the_right: true }) => {
            let possible = e.not(is);
            e.prim(Prim::And, &[holds, possible])
        }
        Some(Negative { is, on_the_right: false }) => e.prim(Prim::Or, &[holds, is]),
    }
}
