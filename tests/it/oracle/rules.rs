//! What remains different from the libraries, as rules with their reasons.

use arrlang::ops::Op;
use arrlang::promotion::systems::System;

/// A difference that is known: whose it is, and why it stays.
pub(super) struct Rule {
    systems: &'static str,
    ops: &'static str,
    reason: &'static str,
    holds: fn(operands: &[String]) -> bool,
}

fn literals(operands: &[String]) -> bool {
    operands.iter().all(|operand| operand.ends_with('*'))
}

/// All of them.
pub(super) static ALL: &[Rule] = &[
    Rule {
        systems: "jax-lax jax-lax32",
        ops: "sum prod max argmax cumsum cumprod",
        reason: "jax.lax goes along an axis, which a scalar has not",
        holds: |operands| operands[0].ends_with('A'),
    },
    Rule {
        systems: "torch",
        ops: "remainder power bitwise_and bitwise_or bitwise_xor left_shift right_shift",
        reason: "torch functions need a tensor among their operands; arr computes with constants exactly",
        holds: literals,
    },
    Rule {
        systems: "tf-legacy",
        ops: "left_shift right_shift",
        reason: "tf.bitwise makes i32 of two literals, the NumPy functions beside it i64",
        holds: literals,
    },
    Rule {
        systems: "tf",
        ops: "multiply",
        reason: "mask * 3 is a conjunction in TensorFlow, 3 * mask is refused; arr has one rule for both orders",
        holds: |operands| operands[0].ends_with('*') && operands[1] == "bool",
    },
    Rule {
        systems: "tf-numpy",
        ops: "equal",
        reason: "in mode safe TensorFlow refuses to compare integers whose common dtype is wider; arr compares exactly",
        holds: |operands| operands.iter().all(|it| it.starts_with('u') || it.starts_with('i')),
    },
];

/// The rule that a difference falls under.
pub(super) fn explain(system: &System, op: &Op, operands: &[String]) -> Option<&'static str> {
    let named = |list: &str, name: &str| list.split(' ').any(|it| it == name);
    let rule = ALL.iter().find(|it| named(it.systems, system.name) && named(it.ops, op.name) && (it.holds)(operands));
    rule.map(|rule| rule.reason)
}
