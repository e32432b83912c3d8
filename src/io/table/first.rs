//! The first rows of a table, as text: what `arr head` shows.

use super::fields::Fields;
use super::open_table::{OpenTable, shows_contents};
use super::{OpenOrigin, bad};
use crate::io::ReadOptions;
use crate::io::error::IoError;
use std::path::Path;

/// The longest cell, in bytes.
const MAX_CELL: usize = 200;

/// The first rows of a table.
#[derive(Debug)]
pub struct TableHead {
    names: Vec<String>,
    /// The cells of each row, without quotes.
    pub rows: Vec<Vec<String>>,
}

impl TableHead {
    /// Where the column of this name is, or the only one.
    pub fn place(&self, name: Option<&str>) -> Option<usize> {
        let Some(name) = name else { return (self.names.len() == 1).then_some(0) };
        let by_place = || name.parse::<usize>().ok()?.checked_sub(1).filter(|&at| at < self.names.len());
        self.names.iter().position(|own| own == name).or_else(by_place)
    }
}

/// Reads the first rows, of the first block at most.
///
/// # Errors
/// When the file cannot be read or is no table.
pub fn first(path: &Path, options: &ReadOptions, count: usize) -> Result<TableHead, IoError> {
    let origin = OpenOrigin::open(path, options)?;
    let OpenTable { names, delimiter, first: (block, behind), .. } = OpenTable::new(&origin, path, options)?;
    if !shows_contents(path, options) {
        return Err(bad(path, "is a link to a file that is no table by its name"));
    }
    let mut fields = Fields::new(&block.bytes[behind..], delimiter);
    let mut rows = Vec::with_capacity(count);
    while rows.len() < count && fields.record() {
        let mut row = Vec::with_capacity(names.len().min(1000));
        loop {
            let Ok(field) = fields.next() else { return Ok(TableHead { names, rows }) };
            let said = field.said();
            row.push(String::from_utf8_lossy(&said[..said.len().min(MAX_CELL)]).into_owned());
            if field.last {
                break;
            }
        }
        rows.push(row);
    }
    Ok(TableHead { names, rows })
}
