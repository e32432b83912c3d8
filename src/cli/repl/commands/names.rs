//! `:vars`: the names of a session, with their types. The sizes of arrays stand beside them.

use super::super::super::tree;
use super::super::AfterInput;
use super::super::describe::describe;
use super::super::past::is_result;
use super::super::shell::Shell;
use crate::array::mapping::{Mapping, MappingState};
use crate::array::show::{Show, array_text};
use crate::check::env::SessionValue;
use crate::io;
use std::fmt::Write;

/// The most elements of an array whose value is shown beside its name.
const MAX_SHOWN_ELEMENTS: usize = 32;
/// The longest value that is shown beside its name, in characters.
const MAX_VALUE_CHARS: usize = 32;

/// What is shown of a name.
struct VarRow {
    name: String,
    ty: String,
    size: String,
    note: String,
}

/// `:vars`
pub(super) fn vars(shell: &mut Shell, _: &str) -> AfterInput {
    let (rows, bytes) = rows(shell);
    if rows.is_empty() {
        shell.screen.report("there are no names yet: `let x = [1, 2, 3]` or `:load FILE` makes one");
        return AfterInput::Continue;
    }
    let mut text = table(&rows);
    let names = if rows.len() == 1 { "1 name".to_owned() } else { format!("{} names", rows.len()) };
    let _ = writeln!(text, "{names}, {}", io::error::size(bytes as u64));
    shell.screen.answer(&text);
    AfterInput::Continue
}

/// A row for each name of the session, and the bytes of all of them.
fn rows(shell: &Shell) -> (Vec<VarRow>, usize) {
    let env = &shell.session.env;
    let mut rows = Vec::new();
    let mut bytes = 0;
    for name in env.names().into_iter().filter(|name| !is_result(name)) {
        let Some((stored, _)) = env.get(name) else { continue };
        let own = size(stored);
        bytes += own;
        let size = if own > 0 { io::error::size(own as u64) } else { String::new() };
        let value = value(stored);
        let note = if env.is_variable(name) { format!("var {value}").trim_end().to_owned() } else { value };
        rows.push(VarRow { name: name.to_owned(), ty: describe(&shell.session.sources, stored), size, note });
    }
    (rows, bytes)
}

/// The rows below each other, in columns.
fn table(rows: &[VarRow]) -> String {
    let width = |of: fn(&VarRow) -> &str| rows.iter().map(|row| of(row).chars().count()).max().unwrap_or(0);
    let (names, types, sizes) = (width(|row| &row.name), width(|row| &row.ty), width(|row| &row.size));
    let mut text = String::new();
    for VarRow { name, ty, size, note } in rows {
        let line = format!("{}   {}   {size:>sizes$}   {note}", tree::pad(name, names), tree::pad(ty, types));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// Bytes of the elements, wherever they lie.
fn size(stored: &SessionValue) -> usize {
    match stored {
        SessionValue::Array(array, ..) => array.len().saturating_mul(array.dtype().size()),
        SessionValue::Tuple(items) => items.iter().map(size).sum(),
        SessionValue::Const(_) | SessionValue::Function(_) | SessionValue::Other(_) => 0,
    }
}

/// A short value, or where the elements are.
fn value(stored: &SessionValue) -> String {
    match stored {
        SessionValue::Const(value) => value.to_string(),
        SessionValue::Array(array, ..) => {
            let is_long = array.len() > MAX_SHOWN_ELEMENTS;
            let text = if is_long { String::new() } else { array_text(array, &Show::default()) };
            match array.mapping().map(Mapping::state) {
                Some(MappingState::Lost) => "lost: its file became shorter".to_owned(),
                Some(_) if is_long => "in its file".to_owned(),
                _ if text.chars().count() <= MAX_VALUE_CHARS && !text.contains('\n') => text,
                _ => String::new(),
            }
        }
        SessionValue::Tuple(_) | SessionValue::Function(_) | SessionValue::Other(_) => String::new(),
    }
}
