//! Integers as bits, and what is only defined for integers.

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
    Op {
        summary: "how many bits are set",
        special: "a negative integer counts the bits of its two's complement",
        examples: &[("popcount(255u8)", "8"), ("popcount(-1i32)", "32")],
        ..unary("popcount", Class::Integral, |e, x| e.prim(Prim::Popcount, x))
    },
    Op {
        summary: "how many zero bits come before the first that is set",
        special: "of 0 the width; of a negative integer 0",
        examples: &[("clz(1u8)", "7"), ("clz(0i32)", "32")],
        ..unary("clz", Class::Integral, |e, x| e.prim(Prim::Clz, x))
    },
    Op {
        summary: "greatest common divisor, not negative",
        special: "gcd(0, 0) is 0; if it is the magnitude of the smallest integer it wraps",
        examples: &[("gcd(12, -18)", "6"), ("gcd(0u8, 7u8)", "7")],
        ..binary("gcd", Class::Integral, |e, x| e.prim(Prim::Gcd, x))
    },
    Op {
        summary: "least common multiple, not negative",
        special: "0 if either is 0; wraps",
        examples: &[("lcm(4, -6)", "12"), ("lcm(0, 5)", "0"), ("lcm(200u8, 3u8)", "88")],
        ..binary("lcm", Class::Integral, |e, x| {
            let divisor = e.prim(Prim::Gcd, x);
            let (x, y) = (e.prim(Prim::Abs, &[x[0]]), e.prim(Prim::Abs, &[x[1]]));
            // Of 0 and 0 the divisor is 0, and division by it gives 0.
            let share = e.prim(Prim::FloorDiv, &[x, divisor]);
            e.mul(share, y)
        })
    },
];
