//! Arrays made from sizes or numbers. One number everywhere is never stored more than once, and counts are computed
//! where they are used.

use super::{Form, Op, Param, Role, operand, row};
use crate::promotion::Class;

/// What is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Creation {
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

const fn make(name: &'static str, params: &'static [Param], make: Creation) -> Op {
    row(name, params, Class::Selection, Form::Make(make))
}

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "an array of zeros",
        special: "Its dtype is the system's default float unless `dtype` is given",
        examples: &[("zeros(2)", "[0.0, 0.0]"), ("zeros((1, 2), dtype=i32)", "[[0, 0]]")],
        ..make("zeros", SHAPE, Creation::Fill(Fill::Number(0)))
    },
    Op {
        summary: "an array of ones",
        special: "Its dtype is the system's default float unless `dtype` is given",
        examples: &[("ones(2)", "[1.0, 1.0]"), ("ones((1, 2), dtype=bool)", "[[true, true]]")],
        ..make("ones", SHAPE, Creation::Fill(Fill::Number(1)))
    },
    Op {
        summary: "an array of one value",
        special: "Its dtype is that of the value. A literal gives a weak array where the system has weak arrays. \
                  With `dtype`, a literal must be in the range of that dtype",
        examples: &[
            ("full(2, 7)", "[7, 7]"),
            ("full((2, 2), [1, 2])", "[[1, 2], [1, 2]]"),
            ("full(2, 7, dtype=f32)", "[7.0, 7.0]"),
        ],
        ..make("full", FULL, Creation::Fill(Fill::Given))
    },
    Op {
        summary: "zeros with the shape and the dtype of x",
        special: "If x is weak, the result is weak too. `dtype` replaces only the dtype",
        examples: &[("zeros_like([1, 2])", "[0, 0]"), ("zeros_like([1, 2], dtype=f32)", "[0.0, 0.0]")],
        ..make("zeros_like", LIKE, Creation::Like(Fill::Number(0)))
    },
    Op {
        summary: "ones with the shape and the dtype of x",
        special: "If x is weak, the result is weak too. `dtype` replaces only the dtype",
        examples: &[("ones_like([[5u8], [6u8]])", "[[1], [1]]"), ("ones_like(2.5)", "1.0")],
        ..make("ones_like", LIKE, Creation::Like(Fill::Number(1)))
    },
    Op {
        summary: "one value with the shape and the dtype of x",
        special: "The value must be exact in the dtype of x. With `dtype` it is cast to that dtype instead, and a \
                  literal must be in its range",
        examples: &[("full_like([1u8, 2u8], 9)", "[9, 9]"), ("full_like([1u8, 2u8], 0.5, dtype=f32)", "[0.5, 0.5]")],
        ..make("full_like", FULL_LIKE, Creation::Like(Fill::Given))
    },
    Op {
        summary: "numbers from start up to stop, without stop",
        special: "With one argument it counts from 0 up to that number. Its dtype is the system's default integer or \
                  float unless `dtype` is given. Element i of a range of floats is start + i*step",
        examples: &[
            ("arange(4)", "[0, 1, 2, 3]"),
            ("arange(1, 2, 0.5)", "[1.0, 1.5]"),
            ("arange(3, 0, -1)", "[3, 2, 1]"),
        ],
        ..make("arange", RANGE, Creation::Range)
    },
    Op {
        summary: "numbers at equal distances from start to stop",
        special: "The last element is exactly stop unless endpoint=false, and num=1 gives start. Element i is i*step \
                  + start, in the float dtype of start and stop. The step is (stop - start)/(num - 1), or (stop - \
                  start)/num with endpoint=false; if it underflows to 0, element i is i/(num - 1)*(stop - start) + \
                  start. An integer dtype rounds down",
        examples: &[
            ("linspace(0, 1, 5)", "[0.0, 0.25, 0.5, 0.75, 1.0]"),
            ("linspace(0, 1, num=4, endpoint=false)", "[0.0, 0.25, 0.5, 0.75]"),
            ("linspace(0, 9, 4, dtype=u8)", "[0, 3, 6, 9]"),
        ],
        ..row("linspace", SPACED, Class::Spacing, Form::Make(Creation::Spaced))
    },
    Op {
        summary: "ones on a diagonal, zeros elsewhere",
        special: "It has n rows and m columns; m is n unless given. A positive k moves the diagonal to the right, a \
                  negative k to the left. Its dtype is the system's default float unless `dtype` is given",
        examples: &[("eye(2)", "[[1.0, 0.0], [0.0, 1.0]]"), ("eye(2, 3, k=1, dtype=i8)", "[[0, 1, 0], [0, 0, 1]]")],
        ..make("eye", DIAGONAL, Creation::Diagonal)
    },
];
