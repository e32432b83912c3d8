//! Arrays made from sizes and numbers. One number everywhere is never stored more than once, and counts are computed
//! where they are used.

use super::{Form, Op, Param, Role, operand, row};
use crate::promotion::Class;

/// What is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Make {
    /// One number everywhere, in a shape that is given.
    Fill(Fill),
    /// One number everywhere, with the shape and the dtype of an operand.
    Like(Fill),
    /// Numbers at a given distance.
    Range,
    /// A given number of numbers at equal distances.
    Spaced,
    /// Ones on a diagonal, zeros elsewhere.
    Diagonal,
}

/// Which number is everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fill {
    /// This one.
    Number(i8),
    /// The one that is an argument.
    Given,
}

const SIZES: Param = Param { name: "shape", role: Role::Shape, default: None };
const FLOAT: Param = Param { name: "dtype", role: Role::DType, default: Some("f64") };
const DTYPE: Param = Param { name: "dtype", role: Role::DType, default: Some("None") };
const STOP: Param = Param { name: "stop", role: Role::Number, default: Some("None") };

const SHAPE: &[Param] = &[SIZES, FLOAT];
const FULL: &[Param] = &[SIZES, operand("fill_value"), DTYPE];
const LIKE: &[Param] = &[operand("x"), DTYPE];
const FULL_LIKE: &[Param] = &[operand("x"), Param { name: "fill_value", role: Role::Filling, default: None }, DTYPE];
const RANGE: &[Param] = &[
    Param { name: "start", role: Role::Number, default: None },
    STOP,
    Param { name: "step", role: Role::Number, default: Some("1") },
    DTYPE,
];
const SPACED: &[Param] = &[
    operand("start"),
    operand("stop"),
    Param { name: "num", role: Role::Size, default: Some("50") },
    Param { name: "endpoint", role: Role::Flag, default: Some("true") },
    DTYPE,
];
const DIAGONAL: &[Param] = &[
    Param { name: "n", role: Role::Size, default: None },
    Param { name: "m", role: Role::Size, default: Some("None") },
    Param { name: "k", role: Role::Whole, default: Some("0") },
    FLOAT,
];

const fn make(name: &'static str, params: &'static [Param], make: Make) -> Op {
    row(name, params, Class::Selection, Form::Make(make))
}

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "an array of zeros",
        special: "the dtype is the system's default float",
        examples: &[("zeros(2)", "[0.0, 0.0]"), ("zeros((1, 2), dtype=i32)", "[[0, 0]]")],
        ..make("zeros", SHAPE, Make::Fill(Fill::Number(0)))
    },
    Op {
        summary: "an array of ones",
        special: "the dtype is the system's default float",
        examples: &[("ones(2)", "[1.0, 1.0]"), ("ones((1, 2), dtype=bool)", "[[true, true]]")],
        ..make("ones", SHAPE, Make::Fill(Fill::Number(1)))
    },
    Op {
        summary: "an array of one value",
        special: "the dtype is that of the value, a literal's stays weak where the system has weak arrays; with dtype a \
                  literal must fit it",
        examples: &[
            ("full(2, 7)", "[7, 7]"),
            ("full((2, 2), [1, 2])", "[[1, 2], [1, 2]]"),
            ("full(2, 7, dtype=f32)", "[7.0, 7.0]"),
        ],
        ..make("full", FULL, Make::Fill(Fill::Given))
    },
    Op {
        summary: "zeros with the shape and the dtype of x",
        special: "of a weak x weak; dtype replaces the dtype alone",
        examples: &[("zeros_like([1, 2])", "[0, 0]"), ("zeros_like([1, 2], dtype=f32)", "[0.0, 0.0]")],
        ..make("zeros_like", LIKE, Make::Like(Fill::Number(0)))
    },
    Op {
        summary: "ones with the shape and the dtype of x",
        special: "of a weak x weak; dtype replaces the dtype alone",
        examples: &[("ones_like([[5u8], [6u8]])", "[[1], [1]]"), ("ones_like(2.5)", "1.0")],
        ..make("ones_like", LIKE, Make::Like(Fill::Number(1)))
    },
    Op {
        summary: "one value with the shape and the dtype of x",
        special: "the value must be exact in that dtype; with dtype it is cast to that one",
        examples: &[("full_like([1u8, 2u8], 9)", "[9, 9]"), ("full_like([1u8, 2u8], 0.5, dtype=f32)", "[0.5, 0.5]")],
        ..make("full_like", FULL_LIKE, Make::Like(Fill::Given))
    },
    Op {
        summary: "numbers from start up to stop, which is left out",
        special: "with one argument it counts from 0; the dtype is the system's default integer or float; element i of a \
                  range of floats is start + i*step",
        examples: &[
            ("arange(4)", "[0, 1, 2, 3]"),
            ("arange(1, 2, 0.5)", "[1.0, 1.5]"),
            ("arange(3, 0, -1)", "[3, 2, 1]"),
        ],
        ..make("arange", RANGE, Make::Range)
    },
    Op {
        summary: "numbers at equal distances from start to stop, the end included unless endpoint=false",
        special: "element i is i*step + start with step = (stop - start)/(num - 1), or /num without the end, computed in \
                  the dtype of start and stop as floats; the last is stop itself; where step underflows to 0 it is i/(num - \
                  1)*(stop - start) + start; an integer dtype rounds down; num=1 gives start",
        examples: &[
            ("linspace(0, 1, 5)", "[0.0, 0.25, 0.5, 0.75, 1.0]"),
            ("linspace(0, 1, num=4, endpoint=false)", "[0.0, 0.25, 0.5, 0.75]"),
            ("linspace(0, 9, 4, dtype=u8)", "[0, 3, 6, 9]"),
        ],
        ..row("linspace", SPACED, Class::Spacing, Form::Make(Make::Spaced))
    },
    Op {
        summary: "ones on the diagonal of n rows and m columns, zeros elsewhere",
        special: "k moves the diagonal to the right, below 0 to the left; m is n unless given; the dtype is the system's \
                  default float",
        examples: &[("eye(2)", "[[1.0, 0.0], [0.0, 1.0]]"), ("eye(2, 3, k=1, dtype=i8)", "[[0, 1, 0], [0, 0, 1]]")],
        ..make("eye", DIAGONAL, Make::Diagonal)
    },
];
