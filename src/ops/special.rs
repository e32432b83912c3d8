//! The error function and the gamma function.

use super::{Op, unary};
use crate::promotion::Class;
use crate::scalar::prim::Prim;

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "error function",
        special: "It is 2/sqrt(π) times the integral of exp(-t²) from 0 to x. For inf it is 1, and for -inf it is -1",
        examples: &[("erf(0.0)", "0.0"), ("erf(-inf)", "-1.0")],
        ..unary("erf", Class::RealInexact, |e, x| e.prim(Prim::Erf, x))
    },
    Op {
        summary: "1 - erf(x), accurate for large x",
        special: "For inf it is 0, and for -inf it is 2",
        examples: &[("erfc(0)", "1.0"), ("erfc(-inf)", "2.0")],
        ..unary("erfc", Class::RealInexact, |e, x| e.prim(Prim::Erfc, x))
    },
    Op {
        summary: "gamma function: (x - 1)! for whole x",
        special: "For 0 and -0 it is an infinity with the same sign. For -inf and negative whole numbers it is nan",
        examples: &[("gamma(5)", "24.0"), ("gamma(-1.0)", "nan"), ("gamma(-0.0)", "-inf")],
        ..unary("gamma", Class::RealInexact, |e, x| e.prim(Prim::Gamma, x))
    },
    Op {
        summary: "logarithm of |gamma(x)|",
        special: "For 0, negative whole numbers and infinities it is inf",
        examples: &[("lgamma(1)", "0.0"), ("lgamma(-3.0)", "inf"), ("lgamma(-inf)", "inf")],
        ..unary("lgamma", Class::RealInexact, |e, x| e.prim(Prim::Lgamma, x))
    },
];
