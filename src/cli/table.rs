//! `arr table`: what an operation makes of every pair of dtypes, coloured by the modes that allow it.

use super::args::TableArgs;
use super::formats::TableFormat;
use super::painted::{Painted, Styled};
use super::{choose, context, output};
use crate::check::Settings;
use crate::diagnostic::Outcome;
use crate::ops::Op;
use crate::promotion::table::{PaintedCell as Cell, Table as Cells};
use crate::promotion::verdict::Mode;
use crate::types::Elem;
use std::fmt::Write;

/// `arr table [--op OP]`
pub(super) fn print(command: TableArgs) -> Outcome {
    let chosen = context::system_or_default(command.system.as_deref())
        .and_then(|system| Ok((context::of_width(system, command.width.as_deref())?, choose::operation(&command.op)?)));
    let (settings, op) = match chosen {
        Ok(chosen) => chosen,
        Err(code) => return code,
    };
    let table = cells(&settings, op);
    match command.format {
        TableFormat::Text => output::show(&text(&table)).outcome(),
        TableFormat::Markdown => output::print(&table.markdown()),
        TableFormat::Csv => output::print(&table.csv()),
    }
}

/// What an operation makes of its operands in a system.
pub(super) fn cells(settings: &Settings, op: &Op) -> Cells {
    let harden = |elem: Elem| settings.harden(elem);
    let mut table = Cells::by(settings.system, (choose::written(op), op.into()), op.operand_count(), &harden);
    choose::refuse_outside(settings.system, op, &mut table);
    table
}

/// Colours for those who see them, marks for everybody.
fn paint(mode: Mode) -> (Styled, &'static str) {
    match mode {
        Mode::None => (Styled::Green, "="),
        Mode::Safe => (Styled::Blue, ""),
        Mode::All => (Styled::Yellow, "!"),
    }
}

/// The table for people.
pub(super) fn text(table: &Cells) -> Painted {
    let sides = if table.arity == 1 { "" } else { ": rows are the left operand, columns the right one" };
    let mut text = Painted::from(format!("{} in {}{sides}\n\n", table.op, table.system).as_str());
    for line in table.lines() {
        let mut row = Painted::default();
        for Cell { text, mode } in &line {
            let painted = mode.map(paint);
            let word = format!("{}{}", text.trim_end(), painted.map_or("", |(_, mark)| mark));
            match painted {
                Some((style, _)) => row.ink(style, &word),
                None => row.push(&word),
            }
            row.push(&" ".repeat((text.len() + 1).saturating_sub(word.len())));
        }
        row.trim_end();
        text.append(&row);
        text.push("\n");
    }
    let legend =
        [(Mode::None, "in every mode"), (Mode::Safe, "in safe and all"), (Mode::All, "in all only: loses or widens")];
    text.push("\n");
    for (mode, words) in legend {
        let (style, mark) = paint(mode);
        text.ink(style, &format!("i32{mark}"));
        let _ = write!(text, " {words}   ");
    }
    text.push("- refused   i64* weak: takes the dtype of what it meets\n");
    text
}
