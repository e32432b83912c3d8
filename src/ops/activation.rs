//! Functions of neural networks, written so that neither tail overflows.

use super::formula;
use super::{Op, unary};
use crate::promotion::Class;
use crate::scalar::prim::Prim;
use crate::types::Kind;

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "1 / (1 + exp(-x))",
        special: "It is accurate in both tails: 0 for -inf, and 1 for inf",
        examples: &[("sigmoid(0)", "0.5"), ("sigmoid(-inf)", "0.0"), ("sigmoid(800.0)", "1.0")],
        ..unary("sigmoid", Class::RealInexact, |e, x| e.prim(Prim::Sigmoid, x))
    },
    Op {
        summary: "x where it is positive, else 0",
        special: "It keeps nan. For -0 it is +0",
        examples: &[("relu(-3)", "0"), ("relu(2.5)", "2.5"), ("relu(nan)", "nan")],
        ..unary("relu", Class::Ordered, |e, x| match e.dtype(x[0]).kind() {
            Kind::Bool | Kind::Unsigned => x[0],
            Kind::Signed | Kind::Float | Kind::Complex => {
                let zero = e.number(x[0], 0.0);
                e.prim(Prim::Max, &[x[0], zero])
            }
        })
    },
    Op {
        summary: "x * sigmoid(x)",
        special: "For -inf it is -0",
        examples: &[("silu(0.0)", "0.0"), ("silu(-inf)", "-0.0"), ("silu(800.0)", "800.0")],
        ..unary("silu", Class::RealInexact, |e, x| {
            let share = e.prim(Prim::Sigmoid, x);
            // Of -inf the product is no number.
            formula::real(e, [x[0], share], |[x, share]| x.eq(f64::NEG_INFINITY).pick(x.like(-0.0), x * share))
        })
    },
    Op {
        summary: "log(1 + exp(x)), a smooth relu",
        special: "It is computed as max(x, 0) + log1p(exp(-|x|)), so exp does not overflow. For -inf it is 0, and \
                  for inf it is inf",
        examples: &[("softplus(0)", "0.6931471805599453"), ("softplus(1000.0)", "1000.0"), ("softplus(-inf)", "0.0")],
        ..unary("softplus", Class::RealInexact, |e, x| {
            formula::real(e, [x[0]], |[x]| x.max(x.like(0.0)) + (-x.abs()).exp().log1p())
        })
    },
    Op {
        summary: "x/2 * (1 + erf(x / sqrt(2)))",
        special: "This is x times the share of the normal distribution below x: the exact form, not the one with \
                  tanh. For -inf it is -0",
        examples: &[("gelu(0.0)", "0.0"), ("gelu(-inf)", "-0.0"), ("gelu(inf)", "inf")],
        ..unary("gelu", Class::RealInexact, |e, x| e.prim(Prim::Gelu, x))
    },
];
