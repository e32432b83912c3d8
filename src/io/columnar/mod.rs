//! `.parquet`, `.arrow`, `.feather`: tables of typed columns; each column is an array of rank 1.
//!
//! A column has the dtype that its file states. Dates are days and moments are microseconds since 1970, words are codes
//! in order of first appearance, decimals are the nearest f64. Missing values are NaN among floats; whole numbers that
//! lack some are f64 too, as in tables of text, unless the program declares integers. Nothing is read of other columns.
//! What a file says of its own sizes is compared with what is there before the libraries see it ([`pages`], [`ipc`]),
//! and their panics are errors.
//!
//! ```text
//! t.parquet:price → f64[n]   t.arrow:symbol → codes of words   t.parquet:2 → the second column   t.parquet:* → f64[n, c]
//! ```

mod column;
mod cursor;
mod encode;
mod ipc;
mod pages;
mod parquet;
#[cfg(test)]
mod tests;

pub(super) use encode::{fits, write_arrow, write_parquet};

use super::error::{IoError, printable_path};
use super::file::OpenFile;
use super::stopped::stop_error;
use super::table::{ColumnAnswer, ColumnReading, ReadUpTo};
use super::{Header, LoadedArray, Location, ReadOptions, Warning, no_member};
use crate::array::Array;
use crate::array::bytes::AlignedBytes;
use crate::diagnostic::codes::running;
use crate::panics::catch_panic;
use crate::types::dtype::DType;
use arrow_array::ArrayRef;
use arrow_schema::Fields;
use column::ArrowColumn;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Columns, as far as they are known without their values.
enum ArrowTable {
    Parquet(parquet::ParquetFile),
    Ipc(ipc::IpcFile),
}

/// What went wrong while a file was read.
#[derive(Debug)]
enum ColumnarFault {
    /// It ends early.
    Short,
    /// It is not what it says it is.
    Damaged,
    /// It has something that is not read here.
    Unknown,
}

/// The columns.
pub(super) fn names(path: &Path, options: &ReadOptions) -> Result<Vec<String>, IoError> {
    Ok(ArrowTable::open(path, options)?.0.names().into_iter().take(1000).collect())
}

/// Dtype and length of a column: its values are read, as the missing ones among them decide.
pub(super) fn header(location: &Location, options: &ReadOptions) -> Result<(Header, Vec<Warning>), IoError> {
    let ColumnAnswer { dtype, shape, warnings, .. } = one(location, options, ReadUpTo::Header)?;
    Ok((Header { dtype, shape }, warnings))
}

/// A column.
pub(super) fn read(location: &Location, options: &ReadOptions) -> Result<LoadedArray, IoError> {
    one(location, options, ReadUpTo::Elements)?.into_loaded(&location.path)
}

fn bad(path: &Path, what: impl AsRef<str>) -> IoError {
    IoError::data(&running::BAD_ARRAY_FILE, path, what)
}

fn one(location: &Location, options: &ReadOptions, kept: ReadUpTo) -> Result<ColumnAnswer, IoError> {
    let path = &location.path;
    let (table, source) = ArrowTable::open(path, options)?;
    let names = table.names();
    let watch = Some(source.watch());
    if location.member.as_deref() == Some("*") && !names.iter().any(|name| name == "*") {
        let (shape, array) = all(&table, path, options, kept)?;
        return Ok(ColumnAnswer { dtype: DType::F64, shape, array, warnings: Vec::new(), notes: Vec::new(), watch });
    }
    let place = place(location, &names)?;
    let column = table.column(place, options.column_reading(), path, options)?;
    let mut notes = Vec::new();
    notes.extend(column.note(path));
    let (dtype, shape) = (column.dtype(), vec![column.len()]);
    let array = match kept {
        ReadUpTo::Elements => Some(column.array(path)?),
        ReadUpTo::Header => None,
    };
    Ok(ColumnAnswer { dtype, shape, array, warnings: Vec::new(), notes, watch })
}

/// All columns as one array of floats.
fn all(
    table: &ArrowTable,
    path: &Path,
    options: &ReadOptions,
    kept: ReadUpTo,
) -> Result<(Vec<usize>, Option<Array>), IoError> {
    let (count, mut rows, mut whole) = (table.names().len(), 0, None);
    for place in 0..count {
        let column = table.column(place, ColumnReading::Elements(DType::F64), path, options)?;
        rows = column.len();
        let floats = column.floats(path)?;
        if kept == ReadUpTo::Elements {
            let size = rows.saturating_mul(count).saturating_mul(8);
            options.afford(path, size)?;
            let bytes = match &mut whole {
                Some(bytes) => bytes,
                none => none.insert(AlignedBytes::zeroed(size).map_err(|error| IoError::memory(path, error))?),
            };
            let places = bytes.as_mut_slice().chunks_exact_mut(8).skip(place).step_by(count);
            places.zip(floats).for_each(|(at, value)| at.copy_from_slice(&value.to_ne_bytes()));
        }
    }
    let shape = vec![rows, count];
    Ok((shape.clone(), whole.map(|bytes| Array::from_bytes(DType::F64, shape, bytes))))
}

/// Where the column of a location is: by its name, or by its place from 1.
fn place(location: &Location, names: &[String]) -> Result<usize, IoError> {
    let Some(member) = &location.member else {
        return if names.len() == 1 { Ok(0) } else { Err(no_member(location, "column", (names, names.len()))) };
    };
    let mut found = (0..names.len()).filter(|&at| names[at] == *member);
    match (found.next(), found.next()) {
        (Some(_), Some(_)) => Err(bad(&location.whole(), "is the name of two columns")
            .help("a column is also known by its place, counted from 1: `t.parquet:2`")),
        (Some(at), None) => Ok(at),
        (None, _) => {
            let place = member.parse::<usize>().ok().filter(|place| (1..=names.len()).contains(place));
            place.map(|at| at - 1).ok_or_else(|| no_member(location, "column", (names, names.len())))
        }
    }
}

impl ArrowTable {
    fn open(path: &Path, options: &ReadOptions) -> Result<(ArrowTable, Arc<OpenFile>), IoError> {
        let source = Arc::new(options.open(path)?);
        let magic = source.up_to(0, 6)?;
        let opened = guarded(path, options, || match magic.as_slice() {
            [b'P', b'A', b'R', b'1', ..] => parquet::ParquetFile::open(&source).map(ArrowTable::Parquet),
            _ => ipc::IpcFile::open(&source, magic == *b"ARROW1").map(ArrowTable::Ipc),
        })?;
        Ok((opened, source))
    }

    fn fields(&self) -> &Fields {
        match self {
            ArrowTable::Parquet(file) => file.fields(),
            ArrowTable::Ipc(file) => file.fields(),
        }
    }

    fn names(&self) -> Vec<String> {
        self.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Reads a column, piece by piece.
    fn column(
        &self,
        place: usize,
        wanted: ColumnReading,
        path: &Path,
        options: &ReadOptions,
    ) -> Result<ArrowColumn, IoError> {
        let field = &self.fields()[place];
        let mut column = ArrowColumn::new(field.name(), field.data_type(), wanted, options.table.missing, path)?;
        let mut refused = None;
        let rows = guarded(path, options, || {
            let mut each = |array: ArrayRef| {
                refused = column.push(&*array, path, options).err();
                refused.is_none()
            };
            match self {
                ArrowTable::Parquet(file) => file.each(place, &mut each),
                ArrowTable::Ipc(file) => file.each(place, &mut each).map(|()| None),
            }
        })?;
        match (refused, rows) {
            (Some(error), _) => Err(error),
            (None, Some(rows)) if rows != column.len() as u64 => {
                let what = format!("says that it has {rows} rows, but holds {}", column.len());
                Err(IoError::data(&running::TRUNCATED_FILE, path, what))
            }
            (None, _) => column.finish(path),
        }
    }
}

/// Runs code that reads a file; what it meets is an error that repeats nothing of the file.
fn guarded<T>(
    path: &Path,
    options: &ReadOptions,
    work: impl FnOnce() -> Result<T, ColumnarFault>,
) -> Result<T, IoError> {
    let outcome = catch_panic(work).unwrap_or(Err(ColumnarFault::Damaged));
    if options.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
        return Err(IoError::reading(path, &stop_error()));
    }
    outcome.map_err(|fault| match fault {
        ColumnarFault::Short => IoError::data(&running::TRUNCATED_FILE, path, "is cut short"),
        ColumnarFault::Damaged => bad(path, format!("is damaged, or no {} file", kind(path))),
        ColumnarFault::Unknown => IoError::data(
            &running::UNSUPPORTED_FILE_DTYPE,
            path,
            "has an encoding, packing or encryption that is not read here",
        ),
    })
}

/// What a file is by its name.
fn kind(path: &Path) -> &'static str {
    let is_parquet = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("parquet"));
    if is_parquet { "Parquet" } else { "Arrow" }
}

/// A column's name as messages show it.
fn named(name: &str) -> String {
    format!("`{}`", printable_path(Path::new(name)))
}
