//! Systems or operations that an option names: a row, or a file of the user.

use super::output;
use crate::diagnostic::{Diagnostics, Outcome, suggest};
use crate::ops::{self, Form, Notation, Op};
use crate::promotion::systems::{self, System};
use crate::promotion::table::{Cell, Table};
use crate::promotion::{Class, Operand};
use crate::session;
use crate::source::Sources;
use std::path::Path;

/// Whether this is the path of a file with a system of the user, and no name.
pub(super) fn names_file(text: &str) -> bool {
    text.contains('/') || Path::new(text).extension().is_some_and(|extension| extension == "toml")
}

/// The system of this name, or of the file of this name. If there is none, that is told, and the error is how the
/// command ends.
pub(super) fn system(name: &str) -> Result<&'static System, Outcome> {
    if let Some(system) = systems::find(name) {
        return Ok(system);
    }
    if names_file(name) {
        let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
        return session::load_system(Path::new(name), &mut sources, &mut found)
            .inspect_err(|_| output::diagnostics(&found, &sources));
    }
    Err(output::usage(&no_system(name)))
}

/// A sentence about a name that no system has.
pub(super) fn no_system(name: &str) -> String {
    let known: Vec<&str> = systems::ALL.iter().map(|system| system.name).collect();
    let near = suggest::closest(name, known.iter().copied()).map(|near| format!(" (did you mean `{near}`?)"));
    format!(
        "there is no promotion system `{name}`{}; there is {}, or FILE.toml",
        near.unwrap_or_default(),
        known.join(", ")
    )
}

/// The systems of a list, `jax,numpy`.
pub(super) fn systems(names: &[String]) -> Result<Vec<&'static System>, Outcome> {
    names.iter().map(|name| system(name.trim())).collect()
}

/// The operation of this symbol or name. If there is none, or it has nothing to promote, that is told, and the error is
/// how the command ends.
pub(super) fn operation(name: &str) -> Result<&'static Op, Outcome> {
    promoting(name).map_err(|why| output::usage(&why.text("arr doc")))
}

/// Why an operation has no table of promotions.
pub(super) enum NotPromoting {
    /// It is written in others.
    Written(&'static Op),
    /// Its dtype is an argument.
    Converts(&'static Op),
    /// There is none of this name, but perhaps another.
    Unknown(String, Option<&'static str>),
}

impl NotPromoting {
    /// A sentence; the command `list` lists the operations.
    pub(super) fn text(&self, list: &str) -> String {
        match self {
            NotPromoting::Written(op) => format!(
                "`{}` is written in others, which promote: `arr explain '{}'` shows them",
                op.name,
                op.signature()
            ),
            NotPromoting::Converts(op) => format!("`{}` promotes nothing: its dtype is an argument", op.name),
            NotPromoting::Unknown(name, near) => {
                let hint = near.map(|near| format!("; there is `{near}`")).unwrap_or_default();
                format!("there is no operation `{name}`{hint}; `{list}` lists them")
            }
        }
    }
}

/// The operation of this symbol or name.
pub(super) fn promoting(name: &str) -> Result<&'static Op, NotPromoting> {
    let found = ops::find_notation_by_text(name).or_else(|| ops::find(name));
    match found {
        Some(op) if matches!(op.form, Form::Written(_)) => Err(NotPromoting::Written(op)),
        Some(op) if op.operand_count() > 0 && !matches!(op.form, Form::Cast(_) | Form::Load(_) | Form::Question(_)) => {
            Ok(op)
        }
        Some(op) => Err(NotPromoting::Converts(op)),
        None => {
            let symbols = ops::all().filter_map(|op| match op.notation {
                Some(Notation::Infix(symbol) | Notation::Prefix(symbol)) => Some(symbol),
                Some(Notation::Attribute(_)) | None => None,
            });
            let near = suggest::closest(name, ops::all().map(|op| op.name).chain(symbols));
            Err(NotPromoting::Unknown(name.to_owned(), near))
        }
    }
}

/// How an operation is written: its symbol or its name, so that both minuses can be told apart. `and`, `or` and `not`
/// are asked about as the functions, which take any dtype.
pub(super) fn written(op: &Op) -> &'static str {
    match op.notation {
        _ if op.class == Class::Logical => op.name,
        Some(Notation::Infix(symbol)) => symbol,
        Some(Notation::Prefix(symbol)) if symbol != "-" => symbol,
        Some(Notation::Prefix(_) | Notation::Attribute(_)) | None => op.name,
    }
}

/// The cell of operands that are outside of an operation's domain is a refusal.
pub(super) fn refuse_outside(system: &System, op: &Op, table: &mut Table) {
    let columns = if table.arity == 1 { 1 } else { table.elems.len() };
    for at in 0..table.cells.len() {
        let right = if table.arity == 1 { at } else { at % columns };
        let pair = [table.elems[at / columns], table.elems[right]].map(Operand::array);
        if op.outside(system, &pair[..table.arity.min(op.operand_count())]).is_some() {
            table.cells[at] = Cell::REFUSED;
            table.shown[at] = "-";
        }
    }
}
