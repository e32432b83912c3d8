//! Arrays from files that the script names itself.

use super::{Form, Op, Param, Role, row};
use crate::promotion::Class;

const PATH: &[Param] = &[Param { name: "path", role: Role::Path, default: None }];

/// The rows.
pub(super) static ROWS: &[Op] = &[Op {
    summary: "the array in a file",
    special: "The file states its dtype and shape. The path is a string literal, relative to the script's folder; \
              files elsewhere need `--allow-read DIR`. `d.npz:x`, `m.safetensors:weight` and `t.csv:column` name one \
              array of several. With a type, as in `let x: f32[n] = load(\"x.npy\")`, `arr check` goes on without \
              the file",
    examples: &[("max(load(\"examples/data/iris.npy\"), axis=0)", "[7.9, 4.4, 6.9, 2.5]")],
    ..row("load", PATH, Class::Selection, Form::Load)
}];
