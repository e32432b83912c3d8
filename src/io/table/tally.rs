//! The kinds of a column's cells, each with its first line: why the column has its dtype.
//!
//! ```text
//! 7 · 8 · 2.5 · NA   →   2 whole numbers from line 2 on, 1 fraction in line 4, 1 missing in line 5
//! ```

use super::cell;
use super::fields::{Delimiter, Fields};
use super::loss::{self, Loss};
use super::open_table::{OpenTable, shows_contents};
use super::pass::lines;
use super::{ColumnRequest, NamedTable, OpenOrigin, bad};
use crate::array::calendar;
use crate::io::error::IoError;
use crate::io::{Location, ReadOptions};

/// The longest text of a cell, in bytes.
const MAX_SHOWN_BYTES: usize = 40;

/// What a cell can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellKind {
    /// A whole number that fits in `i64`.
    Whole,
    /// `-0`, which only floats have.
    MinusZero,
    /// One with zeros in front, which no number keeps.
    Padded,
    /// A whole number that fits in `i64`, and not all of its digits in `f64`.
    Long,
    /// A whole number that does not fit in `i64`.
    Huge,
    /// A number that is infinite or 0 as `f64`.
    Beyond,
    /// Another number.
    Fraction,
    /// `true` or `false`.
    Flag,
    /// Nothing, or a word for it.
    Missing,
    /// A date.
    Date,
    /// A moment.
    Time,
    /// A number as people write it, which is read as a word: `1,234`, `$5`.
    Written,
    /// Anything else.
    Word,
}

/// How many cells are of a kind, and the first of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KindCount {
    /// What the cells are.
    pub cell: CellKind,
    /// How many there are.
    pub count: usize,
    /// The line of the first, from 1.
    pub line: usize,
    /// Its text. `None` where it may not be shown.
    pub text: Option<String>,
}

impl CellKind {
    fn of(text: &[u8]) -> CellKind {
        match text {
            _ if cell::is_missing(text) => CellKind::Missing,
            _ if cell::flag(text).is_some() => CellKind::Flag,
            _ if let Some(number) = cell::float(text) => CellKind::of_number(text, number),
            _ if calendar::date(text).is_some() => CellKind::Date,
            _ if calendar::time(text).is_ok() => CellKind::Time,
            _ if cell::odd(text) == Some(cell::Resemblance::Written) => CellKind::Written,
            _ => CellKind::Word,
        }
    }
}

impl CellKind {
    fn of_number(text: &[u8], number: f64) -> CellKind {
        match (loss::of_value(text, number), cell::int(text)) {
            (Some(Loss::Beyond | Loss::Vanished), _) => CellKind::Beyond,
            _ if cell::is_minus_zero(text) => CellKind::MinusZero,
            _ if loss::has_leading_zero(text) => CellKind::Padded,
            (Some(_), Some(_)) => CellKind::Long,
            (None, Some(_)) => CellKind::Whole,
            _ if cell::is_whole(text) => CellKind::Huge,
            _ => CellKind::Fraction,
        }
    }
}

/// What the cells of a column are, in the order in which kinds appear.
///
/// # Errors
/// When the file cannot be read, is no table, or has no such column.
pub fn tally(location: &Location, options: &ReadOptions) -> Result<Vec<KindCount>, IoError> {
    let path = &location.path;
    let origin = OpenOrigin::open(path, options)?;
    let OpenTable { names, named, quoted, delimiter, mut blocks, first: (mut block, mut behind), .. } =
        OpenTable::new(&origin, path, options)?;
    let request = ColumnRequest { member: location.member.clone(), wanted: super::ColumnReading::Found };
    let table = NamedTable { path, options, names: &names, named, quoted };
    let [place] = table.places(&request)?[..] else { return Err(bad(path, "has no single dtype for all columns")) };
    let mut column = ColumnTally { place, delimiter, shows: shows_contents(path, options), line: 1, seen: Vec::new() };
    loop {
        column.block(&block.bytes, behind);
        behind = 0;
        if !blocks.next(&mut block)? {
            return Ok(column.seen);
        }
    }
}

struct ColumnTally {
    place: usize,
    delimiter: Delimiter,
    shows: bool,
    line: usize,
    seen: Vec<KindCount>,
}

impl ColumnTally {
    fn block(&mut self, bytes: &[u8], behind: usize) {
        let mut fields = Fields::new(&bytes[behind..], self.delimiter);
        let mut counted = 0;
        'records: while fields.record() {
            let at = behind + fields.at();
            self.line += lines(&bytes[counted..at]);
            counted = at;
            for place in 0.. {
                // Where the quotes of a field are wrong, nothing says where the next one begins.
                let Ok(field) = fields.next() else { break 'records };
                if place == self.place {
                    self.take(field.bare());
                }
                if field.last {
                    break;
                }
            }
        }
        self.line += lines(&bytes[counted..]);
    }

    fn take(&mut self, text: &[u8]) {
        let cell = CellKind::of(text);
        match self.seen.iter_mut().find(|seen| seen.cell == cell) {
            Some(seen) => seen.count += 1,
            None => {
                let shown = || String::from_utf8_lossy(&text[..text.len().min(MAX_SHOWN_BYTES)]).into_owned();
                self.seen.push(KindCount { cell, count: 1, line: self.line, text: self.shows.then(shown) });
            }
        }
    }
}
