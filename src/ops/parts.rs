//! Parts of complex numbers. A real number is its own real part.

use super::expand::Expand;
use super::options::option;
use super::{ExactOp, Notation, Op, operand, unary};
use crate::ir::NodeId;
use crate::promotion::Class;
use crate::scalar::prim::Prim;

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        notation: Some(Notation::Attribute("real")),
        summary: "real part",
        special: "For a real number it is the number itself",
        examples: &[("real(3+4j)", "3.0"), ("(1+2j).real", "1.0"), ("real(7)", "7")],
        exact: Some(ExactOp::Real),
        ..unary("real", Class::Part, |e, x| match e.dtype(x[0]).is_complex() {
            true => part(e, x[0], Prim::Real),
            false => x[0],
        })
    },
    Op {
        notation: Some(Notation::Attribute("imag")),
        summary: "imaginary part",
        special: "For a real number it is 0",
        examples: &[("imag(3+4j)", "4.0"), ("(1+2j).imag", "2.0"), ("imag(7)", "0")],
        exact: Some(ExactOp::Imag),
        ..unary("imag", Class::Part, |e, x| match e.dtype(x[0]).is_complex() {
            true => part(e, x[0], Prim::Imag),
            false => {
                let (zero, shape) = (e.number(x[0], 0.0), e.shape(x[0]));
                e.broadcast(zero, &shape)
            }
        })
    },
    Op {
        summary: "complex conjugate",
        special: "The imaginary part changes its sign. Real numbers stay as they are",
        examples: &[("conj(1+2j)", "(1-2j)"), ("conj(7)", "7")],
        ..unary("conj", Class::Conjugate, |e, x| match e.dtype(x[0]).is_complex() {
            true => {
                let (re, im) = e.parts(x[0]);
                let im = e.neg(im);
                e.pair(re, im)
            }
            false => x[0],
        })
    },
    Op {
        summary: "angle of a complex number, in [-π, π]",
        special: "It is measured from the positive real axis. For a negative real number it is π, and for -0 too. With \
                  deg=true it is in degrees",
        examples: &[
            ("angle(1j)", "1.5707963267948966"),
            ("angle(-2.0)", "3.141592653589793"),
            ("angle(1j, deg=true)", "90.0"),
        ],
        params: &[operand("x"), option("deg", "false")],
        ..unary("angle", Class::Angle, |e, x| {
            let (re, im) = match e.dtype(x[0]).is_complex() {
                true => e.parts(x[0]),
                false => (x[0], e.number(x[0], 0.0)),
            };
            e.prim(Prim::Atan2, &[im, re])
        })
    },
];

/// A part that is known, such as the zero of a real number, has no shape of its own.
fn part(e: &mut Expand, z: NodeId, part: Prim) -> NodeId {
    let shape = e.shape(z);
    let part = e.prim(part, &[z]);
    e.broadcast(part, &shape)
}
