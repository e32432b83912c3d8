//! `:vars`: the names of a session, with types and sizes.

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

/// The longest value that is shown beside its name.
const MAX_VALUE_LENGTH: usize = 32;

/// `:vars`
pub(super) fn vars(shell: &mut Shell, _: &str) -> AfterInput {
    let env = &shell.session.env;
    let mut rows: Vec<[String; 4]> = Vec::new();
    let mut bytes = 0;
    for name in env.names().into_iter().filter(|name| !is_result(name)) {
        let Some((stored, _)) = env.get(name) else { continue };
        let own = size(stored);
        bytes += own;
        let size = if own > 0 { io::error::size(own as u64) } else { String::new() };
        let mut note = value(stored);
        if env.is_variable(name) {
            note = format!("var {note}").trim_end().to_owned();
        }
        rows.push([name.to_owned(), describe(&shell.session.sources, stored), size, note]);
    }
    if rows.is_empty() {
        shell.screen.report("there are no names yet: `let x = [1, 2, 3]` or `:load FILE` makes one");
        return AfterInput::Continue;
    }
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for [name, ty, size, note] in &rows {
        let size = format!("{size:>width$}", width = width(2));
        let line = format!("{}   {}   {size}   {note}", tree::pad(name, width(0)), tree::pad(ty, width(1)));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let names = if rows.len() == 1 { "1 name".to_owned() } else { format!("{} names", rows.len()) };
    let _ = writeln!(text, "{names}, {}", io::error::size(bytes as u64));
    shell.screen.answer(&text);
    AfterInput::Continue
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
            let text =
                if array.len() <= MAX_VALUE_LENGTH { array_text(array, &Show::default()) } else { String::new() };
            match array.mapping().map(Mapping::state) {
                Some(MappingState::Lost) => "lost: its file became shorter".to_owned(),
                Some(_) if array.len() > MAX_VALUE_LENGTH => "in its file".to_owned(),
                _ if text.len() <= MAX_VALUE_LENGTH && !text.contains('\n') => text,
                _ => String::new(),
            }
        }
        SessionValue::Tuple(_) | SessionValue::Function(_) | SessionValue::Other(_) => String::new(),
    }
}
