//! Elementary functions of one number.

use super::{Op, unary};
use crate::promotion::Class;
use crate::scalar::prim::Prim;
use crate::types::Kind;

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "square root",
        special: "of a negative number nan; of -0 it is -0; correctly rounded",
        examples: &[("sqrt(16)", "4.0"), ("sqrt(-1.0)", "nan")],
        ..unary("sqrt", Class::Inexact, |e, x| e.prim(Prim::Sqrt, &[x[0]]))
    },
    Op {
        summary: "e to the power of x",
        special: "within one representable value of the exact result",
        examples: &[("exp(0)", "1.0"), ("exp(-inf)", "0.0")],
        ..unary("exp", Class::Inexact, |e, x| e.prim(Prim::Exp, &[x[0]]))
    },
    Op {
        summary: "natural logarithm",
        special: "of 0 it is -inf, of a negative number nan",
        examples: &[("log(1)", "0.0"), ("log(0.0)", "-inf")],
        ..unary("log", Class::Inexact, |e, x| e.prim(Prim::Log, &[x[0]]))
    },
    Op {
        summary: "sine of an angle in radians",
        special: "of an infinity nan; accurate for arguments of any size",
        examples: &[("sin(0.0)", "0.0"), ("sin(inf)", "nan")],
        ..unary("sin", Class::Inexact, |e, x| e.prim(Prim::Sin, &[x[0]]))
    },
    Op {
        summary: "largest whole number that is not above x",
        special: "integers stay as they are",
        examples: &[("floor(-1.5)", "-2.0"), ("floor(7)", "7")],
        ..unary("floor", Class::Rounding, |e, x| match e.dtype(x[0]).kind() {
            Kind::Float => e.prim(Prim::Floor, &[x[0]]),
            Kind::Bool | Kind::Unsigned | Kind::Signed | Kind::Complex => x[0],
        })
    },
];
