//! Arrays from files that the script names itself.

use super::{Form, Op, Param, Role, row};
use crate::promotion::Class;

const PATH: &[Param] = &[Param { name: "path", role: Role::Path, default: None }];

/// What a file's array is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileCells {
    /// What the file says, or its declared type.
    Stated,
    /// Words, each of which has a code.
    Words,
}

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "the array in a file",
        special: "The file states its dtype and shape. The path is a string literal, relative to the script's folder; \
                  files elsewhere need `--allow-read DIR`. `d.npz:x`, `m.safetensors:weight` and `t.csv:column` name one \
                  array of several. With a type, as in `let x: f32[n] = load(\"x.npy\")`, `arr check` goes on without \
                  the file",
        examples: &[("max(load(\"examples/data/iris.npy\"), axis=0)", "[7.9, 4.4, 6.9, 2.5]")],
        ..row("load", PATH, Class::Selection, Form::Load(FileCells::Stated))
    },
    Op {
        summary: "the words of a column of a table, as codes: the first word is 0, the next new one 1",
        special: "The path is a string literal, as in `load`. The result is `i32`; the words are shown beside the codes, and \
                  `x == \"AAPL\"` compares with the code of a word. `load` reads a column of words like this too, unless it \
                  begins with a number",
        examples: &[("sum(codes(\"examples/data/prices.csv:symbol\") == \"MSFT\")", "3")],
        ..row("codes", PATH, Class::Selection, Form::Load(FileCells::Words))
    },
];
