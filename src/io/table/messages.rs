//! Messages about a table. They say what is wrong with it, and what somebody should know of its columns.
//!
//! Each sentence names the file, the line and the column, never what stands there, and what to write instead.
//!
//! ```text
//! `t.csv` has a number with zeros in front in line 2, column `zip`, and `i64` does not keep them
//! ```

use super::cell::{CellFault, Resemblance};
use super::column::ColumnReading;
use super::joined::{CellRemark, Column};
use super::loss::Loss;
use super::pass::RecordFault;
use super::{NamedTable, bad, shows_contents};
use crate::diagnostic::codes::running;
use crate::io::error::{IoError, Warning, printable_path};
use crate::io::origin::STANDARD_INPUT;
use crate::types::dtype::{DType, Kind};
use std::path::Path;

impl NamedTable<'_> {
    /// What is wrong with a record.
    pub(super) fn broken(&self, line: usize, broken: RecordFault) -> IoError {
        let width = self.names.len();
        match broken {
            RecordFault::Ragged(fields) => {
                let error = bad(
                    self.path,
                    format!("has {} in line {line}, but {}", count(fields, "field"), count(width, "column")),
                );
                match self.options.table.delimiter {
                    None if width == 1 => {
                        let quotes = "a field that has in it what parts fields stands in double quotes";
                        error.help(self.other_delimiter().map_or(quotes, |(_, help)| help))
                    }
                    _ => error,
                }
            }
            RecordFault::Quotes(fault) => fault.told(self.path, line),
        }
    }

    /// What is to be known of a table of one column whose name looks like several: its fields are parted by something
    /// else.
    pub(super) fn one_column_warning(&self) -> Option<Warning> {
        let (delimiter, help) = self.other_delimiter()?;
        let what = format!("has one column, and {delimiter} in its first line");
        Some(Warning::new(&running::MIXED_COLUMN, self.path, what).help(help))
    }

    /// What may part the fields of a table that has one column so far, and what says so.
    pub(super) fn other_delimiter(&self) -> Option<(&'static str, &'static str)> {
        const OTHERS: [(char, &str, &str); 4] = [
            (';', "`;`", "`--delimiter ';'` says what parts its fields"),
            ('\t', "a tab", "`--delimiter tab` says what parts its fields"),
            ('|', "`|`", "`--delimiter '|'` says what parts its fields"),
            (',', "`,`", "`--delimiter ,` says what parts its fields"),
        ];
        let [name] = self.names else { return None };
        if self.quoted || self.options.table.delimiter.is_some() || !shows_contents(self.path, self.options) {
            return None;
        }
        OTHERS.into_iter().find(|(letter, ..)| name.contains(*letter)).map(|(_, what, help)| (what, help))
    }

    /// What is wrong with a cell, and what to write.
    pub(super) fn wrong(&self, at: usize, wanted: ColumnReading, (line, why): (usize, CellFault)) -> IoError {
        let name = self.name(at);
        let error = bad(self.path, format!("has {} in line {line}, column {name}", why.found()));
        match (why, wanted) {
            (CellFault::Missing, _) => error.help(instead_of_nothing(wanted)),
            (CellFault::Filler(number, dtype), _) => {
                error.help(format!("`--missing={number}` does not fit in {dtype}"))
            }
            (CellFault::Beyond(_), _) => error.help(format!("no float holds it either; {WORDS}")),
            (CellFault::Fraction, _) => error.help("read it as `f64`"),
            (CellFault::Pointed, _) => error.help("write it as digits alone, or read it as `f64`"),
            (CellFault::Unfit(_, Some(_)), ColumnReading::Found) => {
                error.help("declare it `u64`, which has no negative numbers, or `f64`, which rounds them")
            }
            (CellFault::Unfit(_, None), ColumnReading::Found) => error.help("declare it `f64`, which rounds it"),
            (CellFault::Unfit(_, None), _) => error.help("no dtype of integers holds it; `f64` rounds it"),
            (CellFault::Unfit(_, Some(DType::U64)), _) => error.help("`u64` holds it, and no negative number"),
            (CellFault::Unfit(DType::U64, Some(other)), _) => {
                error.help(format!("`{other}` holds it, and no number from 2^63 on"))
            }
            (CellFault::Unfit(_, Some(other)), _) => error.help(format!("`{other}` holds it")),
            (CellFault::Date, _) => error.help("`: date[n]` reads dates as days since 1970"),
            (CellFault::Time, _) => error.help("`: time[n]` reads times as microseconds since 1970"),
            (CellFault::Finer, _) => error.help("`time` counts microseconds"),
            (CellFault::Complex, _) => error.help("read its parts as two columns of floats"),
            (CellFault::NoNumber, ColumnReading::Found) => error.help(WORDS),
            (CellFault::NoNumber, ColumnReading::Elements(dtype)) if dtype.is_integer() => error.help(WORDS),
            _ => error,
        }
    }

    /// What is to be known of a column that lacks values.
    pub(super) fn gaps(&self, column: &Column, at: usize) -> Option<String> {
        let (path, name) = (printable_path(self.path), self.name(at));
        if column.floated {
            let count = count(column.gaps, "value");
            return Some(format!(
                "column {name} of `{path}` lacks {count} and is read as f64, with NaN there; `--missing=-1` keeps i64"
            ));
        }
        if column.is_empty {
            return Some(format!("column {name} of `{path}` has no values: all of it is NaN"));
        }
        match column.odd {
            Some(CellRemark { line, what: Resemblance::Missing, .. }) => Some(format!(
                "column {name} of `{path}` lacks a value in line {line}; as a column of words it has a code for that too"
            )),
            _ => None,
        }
    }

    /// What is to be known of a column of words in which somebody may have meant something else.
    pub(super) fn oddity(&self, column: &Column, at: usize) -> Option<Warning> {
        let CellRemark { line, what: odd, .. } = column.odd?;
        let found = match odd {
            Resemblance::Missing => return None,
            Resemblance::Number => "a number",
            Resemblance::Written => "a number that is written for people",
            Resemblance::Flag => "a truth value",
            Resemblance::Date => "a date",
        };
        let name = self.name(at);
        let what =
            format!("has {found} in line {line}, column {name}, which is read as codes because it begins with a word");
        let address = self.address(at);
        let numbers = match odd {
            Resemblance::Date => "declared as `date[n]` or `time[n]` it is read as dates",
            Resemblance::Flag => "declared as `bool[n]` it is read as truth values",
            Resemblance::Written => "numbers are read without signs and groups, with a point: `1234.5`",
            Resemblance::Missing | Resemblance::Number => {
                "declared as `f64[n]` it is read as numbers, and a word is an error"
            }
        };
        let help = format!("`codes(\"{address}\")` says that words are meant; {numbers}");
        Some(Warning::new(&running::MIXED_COLUMN, self.path, what).help(help))
    }

    /// What the numbers of a column lose as elements.
    pub(super) fn losses(&self, column: &Column, wanted: ColumnReading, at: usize) -> Vec<Warning> {
        let (dtype, name, address) = (column.dtype, self.name(at), self.address(at));
        let told = |&CellRemark { line, what: loss, .. }: &CellRemark<Loss>| {
            let place = format!("in line {line}, column {name}");
            let (what, help) = match loss {
                Loss::Zeros => (
                    format!("has a number with zeros in front {place}, which `{dtype}` does not keep"),
                    format!("`codes(\"{address}\")` keeps them as words; declared as `{dtype}[n]` numbers are meant"),
                ),
                Loss::Digits => (
                    format!("has a whole number {place}, of which `{dtype}` does not keep all digits"),
                    match (column.floated, wanted) {
                        (true, _) => "the column is f64 because it lacks values; `--missing=-1` keeps i64".to_owned(),
                        (_, ColumnReading::Found) => {
                            "the column is f64 because not all of its numbers are whole or fit in i64; \
                                           names that are written in digits are read by `codes(\"FILE:COLUMN\")`"
                                .to_owned()
                        }
                        _ => "declared as `i64[n]` or `u64[n]` it keeps them".to_owned(),
                    },
                ),
                Loss::Beyond => (
                    format!("has a number {place}, that is beyond `{dtype}` and no finite number there"),
                    if dtype == DType::F64 {
                        "`inf` says that infinity is meant, `NA` that there is no value".to_owned()
                    } else {
                        "declared as `f64[n]` it holds more; `inf` says that infinity is meant".to_owned()
                    },
                ),
                Loss::Vanished => (
                    format!("has a number {place}, that is too small for `{dtype}` and 0 there"),
                    if dtype == DType::F64 {
                        "`0` says that nothing is meant".to_owned()
                    } else {
                        "declared as `f64[n]` it holds smaller ones".to_owned()
                    },
                ),
            };
            Warning::new(&running::LOSSY_COLUMN, self.path, what).help(help)
        };
        column.losses.iter().map(told).collect()
    }

    /// A line that may be meant as a row.
    pub(super) fn blank(&self, column: &Column) -> Option<Warning> {
        let what = format!("has nothing in line {}, which is no row", column.blank?);
        let help = "`NA` or `\"\"` is a row without a value; a table of one column needs it";
        Some(Warning::new(&running::LOSSY_COLUMN, self.path, what).help(help))
    }

    /// A column as a program names it.
    fn address(&self, at: usize) -> String {
        let name = self.name(at);
        let place = if self.named { name.trim_matches('`').to_owned() } else { name };
        match self.path == Path::new(STANDARD_INPUT) {
            // A text cannot name it.
            true => format!("FILE:{place}"),
            false => format!("{}:{place}", printable_path(self.path)),
        }
    }
}

/// What reads a column of words.
const WORDS: &str = "`: words[n]` reads words as codes, and so does `codes(\"FILE:COLUMN\")`";

/// What to write where a column lacks a value and what is wanted has none that says so.
fn instead_of_nothing(wanted: ColumnReading) -> String {
    match wanted {
        ColumnReading::Dates => "`--missing=0` puts a day in its place, counted from 1970".to_owned(),
        ColumnReading::Times => "`--missing=0` puts a time in its place, in microseconds since 1970".to_owned(),
        ColumnReading::Elements(dtype) if dtype.is_integer() => {
            let number = if dtype.kind() == Kind::Signed { -1 } else { 0 };
            format!("`f64` holds NaN there; `--missing={number}` puts a number in its place")
        }
        ColumnReading::Elements(dtype) if dtype.is_complex() => "read its parts as two columns of floats".to_owned(),
        ColumnReading::Elements(_) | ColumnReading::Found | ColumnReading::Words => {
            "no truth value stands for it; `: words[n]` reads all cells as words".to_owned()
        }
    }
}

/// `1 field`, `2 fields`
fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
