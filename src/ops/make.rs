//! Arrays made from sizes and numbers.

use super::{Form, Op, Param, Role, row};
use crate::promotion::Class;

/// What is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Make {
    /// One number everywhere: 0.
    Zeros,
    /// Numbers at equal distances.
    Range,
}

const SHAPE: &[Param] = &[
    Param { name: "shape", role: Role::Shape, default: None },
    Param { name: "dtype", role: Role::DType, default: Some("f64") },
];

const RANGE: &[Param] = &[
    Param { name: "start", role: Role::Number, default: None },
    Param { name: "stop", role: Role::Number, default: Some("None") },
    Param { name: "step", role: Role::Number, default: Some("1") },
    Param { name: "dtype", role: Role::DType, default: Some("None") },
];

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "an array of zeros",
        special: "the dtype is the system's default float",
        examples: &[("zeros(2)", "[0.0, 0.0]"), ("zeros((1, 2), dtype=i32)", "[[0, 0]]")],
        ..row("zeros", SHAPE, Class::Selection, Form::Make(Make::Zeros))
    },
    Op {
        summary: "numbers from start up to stop, which is left out",
        special: "with one argument it counts from 0; the dtype is the system's default integer or float",
        examples: &[
            ("arange(4)", "[0, 1, 2, 3]"),
            ("arange(1, 2, 0.5)", "[1.0, 1.5]"),
            ("arange(3, 0, -1)", "[3, 2, 1]"),
        ],
        ..row("arange", RANGE, Class::Selection, Form::Make(Make::Range))
    },
];
