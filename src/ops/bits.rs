//! Bits of integers: and, or, exclusive or, complement, shifts.

use super::{Form, Notation, Op, Scaled, XY, binary, row, unary};
use crate::promotion::Class;
use crate::scalar::prim::Prim;

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        notation: Some(Notation::Infix("&")),
        summary: "bits that both have",
        examples: &[("0b1100 & 0b1010", "8")],
        ..binary("bitwise_and", Class::Bitwise, |e, x| e.prim(Prim::And, &[x[0], x[1]]))
    },
    Op {
        notation: Some(Notation::Infix("|")),
        summary: "bits that one of them has",
        examples: &[("0b1100 | 0b1010", "14")],
        ..binary("bitwise_or", Class::Bitwise, |e, x| e.prim(Prim::Or, &[x[0], x[1]]))
    },
    Op {
        notation: Some(Notation::Infix("^")),
        summary: "bits that exactly one of them has; a power is `**`",
        examples: &[("0b1100 ^ 0b1010", "6"), ("true ^ true", "false")],
        ..binary("bitwise_xor", Class::Bitwise, |e, x| e.prim(Prim::Xor, &[x[0], x[1]]))
    },
    Op {
        notation: Some(Notation::Prefix("~")),
        summary: "all bits flipped; of a `bool` it is not",
        examples: &[("~5", "-6"), ("~0u8", "255")],
        ..unary("invert", Class::Bitwise, |e, x| e.prim(Prim::Not, &[x[0]]))
    },
    Op {
        notation: Some(Notation::Infix("<<")),
        summary: "bits moved to the left",
        special: "a count below 0 or not below the width gives 0",
        examples: &[("1 << 4", "16"), ("1u8 << 8", "0")],
        ..row("left_shift", XY, Class::Shift, Form::Scaled(Scaled::ShiftLeft))
    },
    Op {
        notation: Some(Notation::Infix(">>")),
        summary: "bits moved to the right, keeping the sign",
        special: "a count below 0 or not below the width gives 0, or -1 for negative values",
        examples: &[("-16 >> 2", "-4"), ("-1i8 >> 100", "-1")],
        ..row("right_shift", XY, Class::Shift, Form::Scaled(Scaled::ShiftRight))
    },
];
