//! `arr table`: what an operation makes of every pair of dtypes, coloured by the modes that allow it.

use super::args::{Table, TableFormat};
use super::{choose, output};
use crate::ops::Op;
use crate::promotion::systems::System;
use crate::promotion::table::{Painted, Table as Cells};
use crate::promotion::verdict::Mode;
use std::fmt::Write;

/// `arr table [--op OP]`
pub(super) fn print(command: Table) -> u8 {
    let chosen = choose::system_or_default(command.system.as_deref())
        .and_then(|system| Ok((system, choose::operation(&command.op)?)));
    let (system, op) = match chosen {
        Ok(chosen) => chosen,
        Err(code) => return code,
    };
    let table = cells(system, op);
    output::print(&match command.format {
        TableFormat::Text => text(&table),
        TableFormat::Markdown => table.markdown(),
        TableFormat::Csv => table.csv(),
    })
}

/// What an operation makes of its operands in a system.
pub(super) fn cells(system: &'static System, op: &Op) -> Cells {
    let mut table = Cells::of(system, choose::written(op), op, op.operand_count());
    choose::refuse_outside(system, op, &mut table);
    table
}

/// Colours for those who see them, marks for everybody.
fn paint(mode: Option<Mode>) -> (&'static str, &'static str) {
    match mode {
        Some(Mode::None) => ("\x1b[32m", "="),
        Some(Mode::Safe) => ("\x1b[34m", ""),
        Some(Mode::All) => ("\x1b[33m", "!"),
        None => ("", ""),
    }
}

/// The table for people.
pub(super) fn text(table: &Cells) -> String {
    let sides = if table.arity == 1 { "" } else { ": rows are the left operand, columns the right one" };
    let mut text = format!("{} in {}{sides}\n\n", table.op, table.system);
    for line in table.lines() {
        let pieces = line.iter().map(|Painted { text, mode }| {
            let (colour, mark) = paint(*mode);
            let word = format!("{}{mark}", text.trim_end());
            let gap = " ".repeat(7usize.saturating_sub(word.chars().count()));
            if colour.is_empty() { format!("{word}{gap}") } else { format!("{colour}{word}\x1b[0m{gap}") }
        });
        let line: String = pieces.collect();
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let shown = |mode, words| {
        let (colour, mark) = paint(Some(mode));
        format!("{colour}i32{mark}\x1b[0m {words}")
    };
    let legend = [
        shown(Mode::None, "in every mode"),
        shown(Mode::Safe, "in safe and all"),
        shown(Mode::All, "in all only: loses or widens"),
    ];
    let _ = writeln!(text, "\n{}   - refused   i64* weak: takes the dtype of what it meets", legend.join("   "));
    text
}
