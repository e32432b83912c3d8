//! `arr explain t.csv:price`: why a column has its dtype.

use super::formats::FormatRow;
use super::output;
use crate::diagnostic::{Outcome, visible, wrap};
use crate::exec;
use crate::io::table::{CellKind, KindCount, TableOptions, tally};
use crate::io::{self, Location, ReadOptions};
use serde_json::{Value, json};

const RULE: &str = "A column whose cells are all whole numbers is i64, of numbers f64, of true and false bool, of words their codes.\n\
                    Missing values are NaN, which makes whole numbers floats. A declared dtype decides instead.\n";

/// The column that a text names, or the array, if it names a file of arrays.
pub(super) fn column(text: &str) -> Option<Location> {
    let location = Location::parse(text.as_ref());
    let has_arrays = io::Format::of(&location.path).is_some();
    // No expression has a colon behind a name.
    (has_arrays && (location.member.is_some() || location.path.is_file())).then_some(location)
}

/// Says what the cells of a column are, and what follows.
pub(super) fn explain(text: &str, location: &Location, format: FormatRow) -> Outcome {
    let table = TableOptions { threads: exec::available_threads(), ..TableOptions::default() };
    let options = ReadOptions { table, ..ReadOptions::default() };
    if !io::Format::of(&location.path).is_some_and(io::Format::is_table) {
        return stated(text, &options, format);
    }
    let seen = match tally(location, &options) {
        Ok(seen) => seen,
        Err(error) => return output::report_refusal(&error),
    };
    let found = io::header(text.as_ref(), &options);
    let dtype = found.as_ref().ok().map(|header| header.dtype.to_string());
    let code = match format {
        FormatRow::Json => output::json(&json!({
            "version": 1,
            "column": text,
            "dtype": dtype,
            "cells": seen.iter().map(cells_json).collect::<Vec<Value>>(),
        })),
        FormatRow::Text => {
            let is = dtype.map_or_else(|| "has no dtype".to_owned(), |dtype| format!("is {dtype}"));
            let mut shown = format!("`{}` {is}\n", visible::visible(text));
            seen.iter().for_each(|seen| shown += &line(seen));
            let text = format!("{shown}{RULE}");
            output::print(&match output::width() {
                0 => text,
                columns => wrap::text(&text, columns, 2),
            })
        }
    };
    match found {
        Ok(_) => code,
        Err(error) => output::report_refusal(&error).max(code),
    }
}

/// Says what a file states of an array, and what became of that.
fn stated(text: &str, options: &ReadOptions, format: FormatRow) -> Outcome {
    let loaded = match io::load(text.as_ref(), options) {
        Ok(loaded) => loaded,
        Err(error) => return output::report_refusal(&error),
    };
    let dtype = loaded.array.dtype().to_string();
    match format {
        FormatRow::Json => {
            output::json(&json!({ "version": 1, "column": text, "dtype": dtype, "notes": loaded.notes }))
        }
        FormatRow::Text => {
            let notes: String = loaded.notes.iter().map(|note| format!("  {}\n", visible::visible(note))).collect();
            let means = loaded.array.logical().map(|logical| format!(" ({})", logical.name())).unwrap_or_default();
            let is = format!("`{}` is {dtype}{means}", visible::visible(text));
            output::print(&format!("{is}\n{notes}The file states the dtype of each array in it.\n"))
        }
    }
}

/// One cell, and several.
fn words(cell: CellKind) -> (&'static str, &'static str) {
    match cell {
        CellKind::Whole => ("cell is a whole number", "cells are whole numbers"),
        CellKind::MinusZero => ("cell is a `-0`, which only floats have", "cells are `-0`, which only floats have"),
        CellKind::Padded => ("cell is a number with zeros in front", "cells are numbers with zeros in front"),
        CellKind::Long => (
            "cell is a whole number with more digits than f64 keeps",
            "cells are whole numbers with more digits than f64 keeps",
        ),
        CellKind::Beyond => {
            ("cell is a number that is infinite or 0 as f64", "cells are numbers that are infinite or 0 as f64")
        }
        CellKind::Huge => ("cell is a whole number beyond i64", "cells are whole numbers beyond i64"),
        CellKind::Fraction => {
            ("cell is a number with a point or an exponent", "cells are numbers with a point or an exponent")
        }
        CellKind::Flag => ("cell is true or false", "cells are true or false"),
        CellKind::Missing => ("cell has no value", "cells have no value"),
        CellKind::Date => ("cell is a date", "cells are dates"),
        CellKind::Time => ("cell is a date with a time", "cells are dates with times"),
        CellKind::Written => ("cell is a number written for people", "cells are numbers written for people"),
        CellKind::Word => ("cell is a word", "cells are words"),
    }
}

fn line(seen: &KindCount) -> String {
    let KindCount { cell, count, line, text } = seen;
    let (one, several) = words(*cell);
    let shown = text.as_deref().filter(|text| !text.is_empty());
    let shown = shown.map(|text| format!(": `{}`", visible::visible(text))).unwrap_or_default();
    match count {
        1 => format!("  1 {one}, in line {line}{shown}\n"),
        _ => format!("  {count} {several}, the first in line {line}{shown}\n"),
    }
}

fn cells_json(seen: &KindCount) -> Value {
    let kind = match seen.cell {
        CellKind::Whole => "whole",
        CellKind::MinusZero => "minus-zero",
        CellKind::Padded => "padded",
        CellKind::Long => "long",
        CellKind::Beyond => "beyond",
        CellKind::Huge => "huge",
        CellKind::Fraction => "fraction",
        CellKind::Flag => "flag",
        CellKind::Missing => "missing",
        CellKind::Date => "date",
        CellKind::Time => "time",
        CellKind::Written => "written",
        CellKind::Word => "word",
    };
    json!({ "kind": kind, "count": seen.count, "line": seen.line, "first": seen.text })
}
