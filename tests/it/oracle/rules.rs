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

/// Whether an operand is one.
pub(super) fn scalars(operands: &[String]) -> bool {
    operands
        .iter()
        .any(|operand| operand.ends_with(['*', 'A', 'W']) || operand.ends_with("@sc") || operand.ends_with("@0d"))
}

fn literals(operands: &[String]) -> bool {
    operands.iter().all(|operand| operand.ends_with('*'))
}

/// All of them.
pub(super) static ALL: &[Rule] = &[
    Rule {
        systems: "torch",
        ops: "trace tril triu matmul inner tensordot",
        reason: "torch has no code for unsigned integers here, nor for traces and products of bool",
        holds: |operands| operands[0].starts_with(['u', 'b']),
    },
    Rule {
        systems: "numpy numpy1",
        ops: "matmul vecdot",
        reason: "NumPy multiplies matrices of bfloat16 in f32 and leaves them there; arr rounds once, as `*`",
        holds: |operands| operands.iter().any(|operand| operand == "bf16"),
    },
    Rule {
        systems: "jax-lax jax-lax32",
        ops: "sum prod max argmax cumsum cumprod",
        reason: "jax.lax goes along an axis, which a scalar has not",
        holds: |operands| operands[0].ends_with('A'),
    },
    Rule {
        systems: "jax jax32 jax-strict",
        ops: "segment_sum segment_prod",
        reason: "the zeros that jax begins a sum of groups with are integers, which may not meet bool",
        holds: |operands| operands[0].starts_with("bool"),
    },
    Rule {
        systems: "jax jax32 jax-strict",
        ops: "interp",
        reason: "jax.numpy.interp of points in bf16 fails unless everything is",
        holds: |operands| operands[0] == "bf16",
    },
    Rule {
        systems: "numpy",
        ops: "fft.irfft fft.hfft",
        reason: "NumPy rounds real lines of halves to f16, of bfloat16 it makes f64; arr keeps the f32 that they are computed in",
        holds: |operands| operands[0].ends_with("f16"),
    },
    Rule {
        systems: "numpy",
        ops: "erf",
        reason: "SciPy has the error function of complex numbers too",
        holds: |operands| operands[0].starts_with('c'),
    },
    Rule {
        systems: "numpy",
        ops: "intersect1d",
        reason: "NumPy makes arrays of literals before they meet here, and nowhere else in sets",
        holds: |operands| operands.iter().any(|operand| operand.ends_with('*')),
    },
    Rule {
        systems: "torch",
        ops: "nonzero argwhere unique histogram histogram_bin_edges",
        reason: "torch has no kernels of wide unsigned integers, complex numbers and halves here",
        holds: |operands| matches!(operands[0].as_str(), "u16" | "u32" | "u64" | "c64" | "c128" | "f16" | "bf16"),
    },
    Rule {
        systems: "numpy",
        ops: "nanquantile",
        reason: "NumPy computes nanquantile of bfloat16 in f32, and no other quantile of it",
        holds: |operands| operands[0] == "bf16",
    },
    Rule {
        systems: "torch",
        ops: "median nanmedian",
        reason: "torch's median is an element; the mean of two, which it refuses of integers, is NumPy's",
        holds: |operands| operands[0].starts_with(['u', 'i']),
    },
    Rule {
        systems: "torch",
        ops: "remainder power bitwise_and bitwise_or bitwise_xor left_shift right_shift",
        reason: "torch functions need a tensor among their operands; arr computes with constants exactly",
        holds: literals,
    },
    Rule {
        systems: "tf tf-numpy",
        ops: "sort argsort nonzero",
        reason: "TensorFlow has no kernel of this dtype here",
        holds: |operands| matches!(operands[0].as_str(), "u32" | "u64" | "f16"),
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
