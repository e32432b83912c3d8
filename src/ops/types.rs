//! Questions about a dtype or a shape, answered before anything runs.

use super::{Form, Op, Param, Role, row};
use crate::promotion::Class;

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// The dtype of a float, or of the parts of a complex number.
    Float,
    /// The dtype of an integer.
    Integer,
    /// The dtype that values have together.
    Together,
    /// Whether nothing of a dtype is lost in another.
    Holds,
    /// Whether a dtype is of a kind.
    Kind,
    /// The shape that shapes have together.
    Shape,
    /// In which units dates or times count.
    Ticks,
}

const fn param(name: &'static str, role: Role) -> Param {
    Param { name, role, default: None }
}

const DTYPE: &[Param] = &[param("dtype", Role::DType)];

const fn question(name: &'static str, params: &'static [Param], question: Question) -> Op {
    row(name, params, Class::Selection, Form::Question(question))
}

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "the float dtype of an array, or the dtype itself",
        special: "A dtype says `.bits`, `.eps`, `.max`, `.min`, `.smallest_normal` and `.smallest_subnormal` of its \
                  floats: `f32.eps`. Of a complex dtype it is that of the parts",
        examples: &[("finfo(f32).max", "3.4028234663852886e+38"), ("finfo(1.5f16).eps", "0.0009765625")],
        ..question("finfo", DTYPE, Question::Float)
    },
    Op {
        summary: "the integer dtype of an array, or the dtype itself",
        special: "A dtype says `.bits`, `.max` and `.min` of its integers: `u8.max`",
        examples: &[("iinfo(i32).max", "2147483647"), ("iinfo(i8).min", "-128")],
        ..question("iinfo", DTYPE, Question::Integer)
    },
    Op {
        summary: "the dtype that arrays and dtypes have together",
        special: "It is that of the promotion system",
        examples: &[("result_type(i8, u8) == i16", "true"), ("astype(3, result_type(f32, f64))", "3.0")],
        ..question("result_type", &[param("values", Role::Several)], Question::Together)
    },
    Op {
        summary: "whether a dtype becomes another by promotion alone",
        special: "It is whether both together have the second dtype. The first may be an array",
        examples: &[("can_cast(i8, i16)", "true"), ("can_cast(f64, f32)", "false")],
        ..question("can_cast", &[param("from_", Role::Operand), param("to", Role::DType)], Question::Holds)
    },
    Op {
        summary: "whether a dtype is another one, or of a kind",
        special: "Kinds are \"bool\", \"signed integer\", \"unsigned integer\", \"integral\", \"real floating\", \
                  \"complex floating\" and \"numeric\"; a tuple has several",
        examples: &[("isdtype(f32, \"real floating\")", "true"), ("isdtype(u8, (bool, \"integral\"))", "true")],
        ..question("isdtype", &[param("dtype", Role::DType), param("kind", Role::Several)], Question::Kind)
    },
    Op {
        summary: "the shape that shapes have together when they broadcast",
        examples: &[("broadcast_shapes((3, 1), (4,)) == (3, 4)", "true")],
        ..question("broadcast_shapes", &[param("shapes", Role::Several)], Question::Shape)
    },
    Op {
        summary: "how many units of dates or times a day has",
        special: "1 for dates, which count days, and 86400000000 for times, which count microseconds. Other integers count \
                  as dates, and so do states and rows in a loop",
        examples: &[("ticks_per_day([20779])", "1")],
        ..question("ticks_per_day", &[param("x", Role::Operand)], Question::Ticks)
    },
];
