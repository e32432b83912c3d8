//! Rounding to whole numbers, or to some decimals; integers are whole already.

use super::expand::Expand;
use super::{Form, Op, Param, Role, operand, row, unary};
use crate::ir::NodeId;
use crate::promotion::Class;
use crate::scalar::prim::Prim;
use crate::types::Kind;

const ROUND: &[Param] = &[operand("x"), Param { name: "decimals", role: Role::Whole, default: Some("0") }];

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "largest whole number that is not above x",
        special: "Integers stay as they are",
        examples: &[("floor(-1.5)", "-2.0"), ("floor(7)", "7")],
        ..unary("floor", Class::Rounding, |e, x| whole(e, x[0], Prim::Floor))
    },
    Op {
        summary: "smallest whole number that is not below x",
        special: "Integers stay as they are. For -0.5 it is -0",
        examples: &[("ceil(1.5)", "2.0"), ("ceil(-0.5)", "-0.0"), ("ceil(7)", "7")],
        ..unary("ceil", Class::Rounding, |e, x| whole(e, x[0], Prim::Ceil))
    },
    Op {
        summary: "x without its fraction",
        special: "Integers stay as they are. For -0.5 it is -0",
        examples: &[("trunc(-1.5)", "-1.0"), ("trunc(7)", "7")],
        ..unary("trunc", Class::Rounding, |e, x| whole(e, x[0], Prim::Trunc))
    },
    Op {
        summary: "the whole number nearest to x, as a float",
        special: "Halves go to the even neighbour. Complex numbers round part by part",
        examples: &[("rint(2.5)", "2.0"), ("rint(-1.5)", "-2.0"), ("rint(7)", "7.0")],
        ..unary("rint", Class::Inexact, |e, x| rounded(e, x[0], 0.0))
    },
    Op {
        summary: "x rounded to a number of decimals",
        special: "Halves go to the even neighbour. x is multiplied by 10**decimals, rounded, and divided again, as \
                  in NumPy. Integers change only if `decimals` is negative. Complex numbers round part by part",
        examples: &[
            ("round(2.5)", "2.0"),
            ("round(-1.5)", "-2.0"),
            ("round(7)", "7"),
            ("round(0.5+1.5j)", "2j"),
            ("round(3.14159, 2)", "3.14"),
            ("round(1250, decimals=-2)", "1200"),
        ],
        ..row("round", ROUND, Class::Round, Form::Tuned(|e, x, decimals| rounded(e, x[0], decimals[0])))
    },
];

fn rounded(e: &mut Expand, x: NodeId, decimals: f64) -> NodeId {
    match e.dtype(x).kind() {
        _ if decimals == 0.0 => return whole(e, x, Prim::Round),
        Kind::Bool => return x,
        Kind::Unsigned | Kind::Signed if decimals > 0.0 => return x,
        Kind::Unsigned | Kind::Signed => return multiple(e, x, -decimals),
        Kind::Complex => {
            let (re, im) = e.parts(x);
            let (re, im) = (rounded(e, re, decimals), rounded(e, im, decimals));
            return e.pair(re, im);
        }
        Kind::Float => {}
    }
    let factor = e.number(x, 10f64.powi(decimals.abs() as i32));
    let (enlarge, reduce) = if decimals > 0.0 { (Prim::Mul, Prim::Div) } else { (Prim::Div, Prim::Mul) };
    let large = e.prim(enlarge, &[x, factor]);
    let near = e.prim(Prim::Round, &[large]);
    e.prim(reduce, &[near, factor])
}

/// The multiple of a power of 10 that is nearest to an integer, of two the even one.
fn multiple(e: &mut Expand, x: NodeId, zeros: f64) -> NodeId {
    let dtype = e.dtype(x);
    let factor = 10i128.checked_pow(zeros.min(40.0) as u32).unwrap_or(i128::MAX);
    let zero = e.integer(dtype, 0);
    if dtype.integer_range().is_none_or(|(_, high)| factor > high) {
        let shape = e.shape(x);
        return e.broadcast(zero, &shape);
    }
    let (factor, one) = (e.integer(dtype, factor), e.integer(dtype, 1));
    let (quotient, over) = (e.prim(Prim::FloorDiv, &[x, factor]), e.prim(Prim::Rem, &[x, factor]));
    let (down, short) = (e.prim(Prim::Sub, &[x, over]), e.prim(Prim::Sub, &[factor, over]));
    let last = e.prim(Prim::And, &[quotient, one]);
    let (odd, tied) = (e.prim(Prim::Ne, &[last, zero]), e.prim(Prim::Eq, &[over, short]));
    let (to_even, above) = (e.prim(Prim::And, &[tied, odd]), e.prim(Prim::Lt, &[short, over]));
    let (up, raised) = (e.prim(Prim::Or, &[to_even, above]), e.prim(Prim::Add, &[down, factor]));
    e.select(up, raised, down)
}

fn whole(e: &mut Expand, x: NodeId, prim: Prim) -> NodeId {
    match e.dtype(x).kind() {
        Kind::Bool | Kind::Unsigned | Kind::Signed => x,
        Kind::Float => e.prim(prim, &[x]),
        Kind::Complex => {
            let (re, im) = e.parts(x);
            let (re, im) = (e.prim(prim, &[re]), e.prim(prim, &[im]));
            e.pair(re, im)
        }
    }
}
