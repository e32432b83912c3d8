//! Rounding to whole numbers; integers are whole already.

use super::expand::Expand;
use super::{Op, unary};
use crate::ir::NodeId;
use crate::promotion::Class;
use crate::scalar::prim::Prim;
use crate::types::Kind;

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "largest whole number that is not above x",
        special: "integers stay as they are",
        examples: &[("floor(-1.5)", "-2.0"), ("floor(7)", "7")],
        ..unary("floor", Class::Rounding, |e, x| whole(e, x[0], Prim::Floor))
    },
    Op {
        summary: "smallest whole number that is not below x",
        special: "integers stay as they are; of -0.5 it is -0",
        examples: &[("ceil(1.5)", "2.0"), ("ceil(-0.5)", "-0.0"), ("ceil(7)", "7")],
        ..unary("ceil", Class::Rounding, |e, x| whole(e, x[0], Prim::Ceil))
    },
    Op {
        aliases: &["fix"],
        summary: "x without its fraction",
        special: "integers stay as they are; of -0.5 it is -0",
        examples: &[("trunc(-1.5)", "-1.0"), ("trunc(7)", "7")],
        ..unary("trunc", Class::Rounding, |e, x| whole(e, x[0], Prim::Trunc))
    },
    Op {
        aliases: &["around"],
        summary: "nearest whole number, half to even",
        special: "integers stay as they are; complex numbers round part by part",
        examples: &[("round(2.5)", "2.0"), ("round(-1.5)", "-2.0"), ("round(7)", "7"), ("round(0.5+1.5j)", "2j")],
        ..unary("round", Class::Round, |e, x| whole(e, x[0], Prim::Round))
    },
];

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
