//! `arr table`: what an operation makes of every pair of dtypes, coloured by the modes that allow it.

use super::args::TableArgs;
use super::formats::TableFormat;
use super::painted::{StyledText, TextStyle};
use super::{choose, context, output};
use crate::check::Settings;
use crate::diagnostic::Outcome;
use crate::ops::Op;
use crate::promotion::table::{PaintedCell as Cell, Table as Cells};
use crate::promotion::verdict::Mode;
use crate::types::Elem;
use std::fmt::Write;
use std::ops::Range;

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
        TableFormat::Text => {
            // On a pipe a row stays whole, unless there is a width to keep to.
            let is_open = output::width() == 0 && !output::is_watched();
            let columns = if is_open { usize::MAX } else { output::columns() };
            output::show(&text(&table, columns)).outcome()
        }
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
fn paint(mode: Mode) -> (TextStyle, &'static str) {
    match mode {
        Mode::None => (TextStyle::Green, "="),
        Mode::Safe => (TextStyle::Blue, ""),
        Mode::All => (TextStyle::Yellow, "!"),
    }
}

/// The table for people. Columns that do not fit side by side stand below each other.
pub(super) fn text(table: &Cells, columns: usize) -> StyledText {
    let sides = match table.arity {
        1 => "",
        _ if table.more => ": rows are the first operand, columns all others, which are alike",
        _ => ": rows are the left operand, columns the right one",
    };
    let mut text = StyledText::from(format!("{} in {}{sides}\n", table.op, table.system).as_str());
    let lines = table.lines();
    let widths: Vec<usize> = lines.first().into_iter().flatten().map(|cell| cell.text.len() + 1).collect();
    for block in blocks(&widths, columns) {
        text.push("\n");
        for line in &lines {
            let mut row = StyledText::default();
            line.iter().take(1).chain(&line[block.clone()]).for_each(|cell| put(cell, &mut row));
            row.trim_end();
            text.append(&row);
            text.push("\n");
        }
    }
    text.push("\n");
    for line in legend().lines(columns) {
        text.append(&line);
        text.push("\n");
    }
    text
}

/// A cell in the colour of its mode, with its mark.
fn put(cell: &Cell, row: &mut StyledText) {
    let painted = cell.mode.map(paint);
    let word = format!("{}{}", cell.text.trim_end(), painted.map_or("", |(_, mark)| mark));
    match painted {
        Some((style, _)) => row.ink(style, &word),
        None => row.push(&word),
    }
    row.push(&" ".repeat((cell.text.len() + 1).saturating_sub(word.len())));
}

/// The columns behind the names that stand side by side, for each part of the table.
fn blocks(widths: &[usize], columns: usize) -> Vec<Range<usize>> {
    let names = widths.first().copied().unwrap_or(0);
    let mut found = Vec::new();
    let (mut start, mut used) = (1, names);
    for (at, width) in widths.iter().enumerate().skip(1) {
        // The last column needs no blank behind it.
        if at > start && used + width - 1 > columns {
            found.push(start..at);
            (start, used) = (at, names);
        }
        used += width;
    }
    found.push(start..widths.len().max(start));
    found
}

/// What the colours and marks mean; what belongs together stays together.
fn legend() -> StyledText {
    let modes =
        [(Mode::None, "in every mode"), (Mode::Safe, "in safe and all"), (Mode::All, "in all only: loses or widens")];
    let mut text = StyledText::default();
    let whole = |words: &str| words.replace(' ', "\u{a0}");
    for (mode, words) in modes {
        let (style, mark) = paint(mode);
        text.ink(style, &format!("i32{mark}"));
        let _ = write!(text, "\u{a0}{}   ", whole(words));
    }
    let _ = write!(text, "{}   {}", whole("- refused"), whole("i64* weak: takes the dtype of what it meets"));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops;

    #[test]
    fn a_table_fits_the_window() {
        let table = cells(&Settings::default(), ops::by_name("maximum").unwrap());
        for columns in [70, 80, 120] {
            let text = text(&table, columns).plain();
            assert!(text.lines().all(|line| line.chars().count() <= columns), "{text}");
        }
        assert_eq!(blocks(&[9, 9, 9, 9], 26), [1..3, 3..4]);
        assert_eq!(blocks(&[9, 9, 9], 80).len(), 1);
        assert_eq!(blocks(&[9, 90], 80).len(), 1);
    }
}
