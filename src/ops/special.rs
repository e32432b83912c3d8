//! The error function and the gamma function.

use super::{Op, unary};
use crate::promotion::Class;
use crate::scalar::prim::Prim;

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "error function, 2/sqrt(π) times the integral of exp(-t²) from 0 to x",
        special: "of an infinity ±1",
        examples: &[("erf(0.0)", "0.0"), ("erf(-inf)", "-1.0")],
        ..unary("erf", Class::RealInexact, |e, x| e.prim(Prim::Erf, x))
    },
    Op {
        summary: "1 - erf(x), accurate for large x",
        special: "of inf 0, of -inf 2",
        examples: &[("erfc(0)", "1.0"), ("erfc(-inf)", "2.0")],
        ..unary("erfc", Class::RealInexact, |e, x| e.prim(Prim::Erfc, x))
    },
    Op {
        summary: "gamma function, (x - 1)! for whole x",
        special: "of 0 an infinity with its sign; of negative whole numbers and -inf nan",
        examples: &[("gamma(5)", "24.0"), ("gamma(-1.0)", "nan"), ("gamma(-0.0)", "-inf")],
        ..unary("gamma", Class::RealInexact, |e, x| e.prim(Prim::Gamma, x))
    },
    Op {
        summary: "logarithm of |gamma(x)|",
        special: "of 0 and negative whole numbers inf; of an infinity inf",
        examples: &[("lgamma(1)", "0.0"), ("lgamma(-3.0)", "inf"), ("lgamma(-inf)", "inf")],
        ..unary("lgamma", Class::RealInexact, |e, x| e.prim(Prim::Lgamma, x))
    },
];
