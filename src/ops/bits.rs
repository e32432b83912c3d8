//! Integers as bits, with operations that only integers have.

use super::{
    ExactOp, Form, Notation, Op, Param, Role, ScaledOperation, X, XY, binary, domain, operand, row, unary, way, written,
};
use crate::promotion::Class;
use crate::scalar::prim::Prim;

const AXIS: Param = Param { name: "axis", role: Role::Axis, default: Some("None") };
const COUNT: Param = Param { name: "count", role: Role::Whole, default: Some("None") };
const ORDER: Param = Param { name: "bitorder", role: Role::Text, default: Some("\"big\"") };

/// Lines in eights, filled up with zeros.
const PACKED: &str = "{
  assert isdtype(x.dtype, (\"bool\", \"integral\"))  # `packbits` takes bools or integers
  let size = x.shape[axis]
  let at = 8 * arange((size + 7) // 8, dtype=i64)[:, None] + arange(8, dtype=i64)
  let inside = at < size
  let bits = take(moveaxis(x != 0, axis, -1), where(inside, at, size - 1), axis=-1) & inside
  let bytes = sum(i64(bits) << $places, axis=-1)
  moveaxis(u8(bytes & 255), -1, axis)
}";

/// `count` bits of each line of bytes.
const UNPACKED: &str = "{
  assert x.dtype == u8  # `unpackbits` takes bytes, which are u8
  let size = x.shape[axis]
  assert $count >= 0  # `unpackbits` leaves out no more bits than there are
  let at = arange($count, dtype=i64)
  let inside = at < 8*size
  let bytes = take(moveaxis(x, axis, -1), where(inside, at // 8, size - 1), axis=-1)
  let bits = (bytes >> u8($place)) & 1
  moveaxis(where(inside, bits, 0), -1, axis)
}";

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        notation: Some(Notation::Infix("&")),
        summary: "bits that are set in both values",
        examples: &[("0b1100 & 0b1010", "8")],
        exact: Some(ExactOp::And),
        ..binary("bitwise_and", Class::Bitwise, |e, x| e.prim(Prim::And, &[x[0], x[1]]))
    },
    Op {
        notation: Some(Notation::Infix("|")),
        summary: "bits that are set in at least one value",
        examples: &[("0b1100 | 0b1010", "14")],
        exact: Some(ExactOp::Or),
        ..binary("bitwise_or", Class::Bitwise, |e, x| e.prim(Prim::Or, &[x[0], x[1]]))
    },
    Op {
        notation: Some(Notation::Infix("^")),
        summary: "bits that are set in exactly one value",
        special: "A power is written `x ** y`",
        examples: &[("0b1100 ^ 0b1010", "6"), ("true ^ true", "false")],
        exact: Some(ExactOp::Xor),
        ..binary("bitwise_xor", Class::Bitwise, |e, x| e.prim(Prim::Xor, &[x[0], x[1]]))
    },
    Op {
        notation: Some(Notation::Prefix("~")),
        summary: "all bits flipped",
        special: "For a `bool` it is `not`",
        examples: &[("~5", "-6"), ("~0u8", "255")],
        exact: Some(ExactOp::Invert),
        ..unary("invert", Class::Bitwise, |e, x| e.prim(Prim::Not, &[x[0]]))
    },
    Op {
        notation: Some(Notation::Infix("<<")),
        summary: "the bits of x, y places further left",
        special: "The result is 0 if y is negative, or if y is the width of the dtype or more",
        examples: &[("1 << 4", "16"), ("1u8 << 8", "0")],
        exact: Some(ExactOp::ShiftLeft),
        ..row("left_shift", XY, Class::Shift, Form::Scaled(ScaledOperation::ShiftLeft))
    },
    Op {
        notation: Some(Notation::Infix(">>")),
        summary: "the bits of x, y places further right",
        special: "The sign stays. If y is negative, or the width of the dtype or more, the result is 0, or -1 if x \
                  is negative",
        examples: &[("-16 >> 2", "-4"), ("-1i8 >> 100", "-1")],
        exact: Some(ExactOp::ShiftRight),
        ..row("right_shift", XY, Class::Shift, Form::Scaled(ScaledOperation::ShiftRight))
    },
    Op {
        summary: "how many bits are set",
        special: "For a negative integer it counts the bits of its two's complement",
        examples: &[("popcount(255u8)", "8"), ("popcount(-1i32)", "32")],
        ..unary("popcount", Class::Integral, |e, x| e.prim(Prim::Popcount, x))
    },
    Op {
        summary: "how many bits of the magnitude are set, as u8",
        special: "It is u8(popcount(abs(x))), as in NumPy; for a negative integer `popcount` counts other bits",
        examples: &[("bitwise_count([255, -1])", "[8, 1]"), ("bitwise_count(true)", "1")],
        domain: domain(Class::Shift),
        // What is shifted is no bool any more.
        ..written("bitwise_count", X, &[way("x", "u8(popcount(astype(abs(x), x.dtype) << astype(0, x.dtype)))")])
    },
    Op {
        summary: "how many zero bits come before the first set bit",
        special: "For 0 it is the width of the dtype, and for a negative integer it is 0",
        examples: &[("clz(1u8)", "7"), ("clz(0i32)", "32")],
        ..unary("clz", Class::Integral, |e, x| e.prim(Prim::Clz, x))
    },
    Op {
        summary: "greatest common divisor, not negative",
        special: "gcd(0, 0) is 0. A result that does not fit the dtype wraps: gcd(-128i8, 0i8) is -128",
        examples: &[("gcd(12, -18)", "6"), ("gcd(0u8, 7u8)", "7")],
        ..binary("gcd", Class::Integral, |e, x| e.prim(Prim::Gcd, x))
    },
    Op {
        summary: "least common multiple, not negative",
        special: "It is 0 if either value is 0. A result that does not fit the dtype wraps",
        examples: &[("lcm(4, -6)", "12"), ("lcm(0, 5)", "0"), ("lcm(200u8, 3u8)", "88")],
        ..binary("lcm", Class::Integral, |e, x| {
            let divisor = e.prim(Prim::Gcd, x);
            let (x, y) = (e.prim(Prim::Abs, &[x[0]]), e.prim(Prim::Abs, &[x[1]]));
            // Of 0 and 0 the divisor is 0, and division by it gives 0.
            let share = e.prim(Prim::FloorDiv, &[x, divisor]);
            e.mul(share, y)
        })
    },
    Op {
        summary: "bits packed into bytes: the elements that are not 0 are set",
        special: "Without `axis` all elements are one line. With bitorder=\"big\" the first of eight is the highest \
                  bit, with \"little\" the lowest. Bits that are missing at the end are 0",
        examples: &[
            ("packbits([1, 0, 1, 1, 0, 0, 0, 1, 1])", "[177, 128]"),
            ("packbits([1, 0, 1], bitorder=\"little\")", "[5]"),
        ],
        ..written(
            "packbits",
            &[operand("x"), AXIS, ORDER],
            &[
                way("x, bitorder?", "packbits(ravel(x), axis=0, bitorder=bitorder)"),
                way("x, axis, bitorder=\"big\"", PACKED).with(&[("places", "arange(7, -1, -1, dtype=i64)")]),
                way("x, axis, bitorder=\"little\"", PACKED).with(&[("places", "arange(8, dtype=i64)")]),
                way("x, axis", PACKED).with(&[("places", "arange(7, -1, -1, dtype=i64)")]),
            ],
        )
    },
    Op {
        summary: "the bits of bytes, each a u8 of 0 or 1",
        special: "Without `axis` all bytes are one line. `count` says how many bits there are: those beyond the bytes \
                  are 0, and a negative one says how many are left out at the end. `bitorder` is as for `packbits`",
        examples: &[
            ("unpackbits([177u8])", "[1, 0, 1, 1, 0, 0, 0, 1]"),
            ("unpackbits([177u8], count=3)", "[1, 0, 1]"),
            ("unpackbits([5u8], count=-5, bitorder=\"little\")", "[1, 0, 1]"),
        ],
        ..written(
            "unpackbits",
            &[operand("x"), AXIS, COUNT, ORDER],
            &[
                way("x, bitorder?", "unpackbits(ravel(x), axis=0, bitorder=bitorder)"),
                way("x, count, bitorder?", "unpackbits(ravel(x), axis=0, count=count, bitorder=bitorder)"),
                way("x, axis, bitorder=\"big\"", UNPACKED).with(&[("count", "8*size"), ("place", "7 - at % 8")]),
                way("x, axis, bitorder=\"little\"", UNPACKED).with(&[("count", "8*size"), ("place", "at % 8")]),
                way("x, axis", UNPACKED).with(&[("count", "8*size"), ("place", "7 - at % 8")]),
                way("x, axis, count, bitorder=\"big\"", UNPACKED)
                    .with(&[("count", "where(count < 0, 8*size + minimum(count, 0), count)"), ("place", "7 - at % 8")]),
                way("x, axis, count, bitorder=\"little\"", UNPACKED)
                    .with(&[("count", "where(count < 0, 8*size + minimum(count, 0), count)"), ("place", "at % 8")]),
                way("x, axis, count", UNPACKED)
                    .with(&[("count", "where(count < 0, 8*size + minimum(count, 0), count)"), ("place", "7 - at % 8")]),
            ],
        )
    },
];
