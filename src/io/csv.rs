//! `.csv`: a table with a header line; each column is an array of rank 1.
//!
//! A column of whole numbers is `i64`, of `true` and `false` `bool`, of other numbers `f64`. Nothing else is guessed:
//! an empty field, or a word among numbers, is an error that names line and column, without repeating what stands
//! there.
//!
//! ```
//! use arrlang::io::{csv, ReadOptions};
//! let path = std::env::temp_dir().join(format!("arr-doc-{}.csv", std::process::id()));
//! std::fs::write(&path, "t,ok\n1,true\n2.5,false\n").unwrap();
//! let columns = csv::columns(&path, &ReadOptions::default())?;
//! assert_eq!(columns[0].0, "t");
//! assert_eq!(columns[0].1.to_vec::<f64>(), [1.0, 2.5]);
//! # std::fs::remove_file(&path).unwrap();
//! # Ok::<(), arrlang::io::IoError>(())
//! ```

use super::error::{IoError, shown};
use super::file::Source;
use super::records::records;
use super::{Format, Header, Loaded, Location, ReadOptions, Roots, no_member};
use crate::array::Array;
use crate::array::bytes::AlignedBytes;
use crate::array::bytes::OutOfMemory;
use crate::diagnostic::codes::running;
use crate::types::dtype::DType;
use std::path::Path;

/// The columns.
pub(super) fn names(source: &Source) -> Result<Vec<String>, IoError> {
    let mut names = Vec::new();
    columns_of(source, &ReadOptions::default(), true, |header| {
        names = header.iter().take(1000).cloned().collect();
        Ok(Vec::new())
    })?;
    Ok(names)
}

/// Dtype and length of a column. The whole file is read, though nothing of it is kept: nothing less tells them.
pub(super) fn header(location: &Location, options: &ReadOptions) -> Result<Header, IoError> {
    let column = one(&options.open(&location.path)?, location, options, false)?;
    Ok(Header { dtype: column.dtype(), shape: vec![column.len] })
}

/// A column.
pub(super) fn read(location: &Location, options: &ReadOptions) -> Result<Loaded, IoError> {
    let source = options.open(&location.path)?;
    let array = one(&source, location, options, true)?.array(source.path())?;
    Ok(Loaded { array, warnings: Vec::new(), watch: source.watch() })
}

/// The column that a location names, or the only one.
fn one(source: &Source, location: &Location, options: &ReadOptions, keep: bool) -> Result<Column, IoError> {
    let choose = |names: &[String]| {
        let is_it = |name: &String| location.member.as_ref().is_none_or(|member| member == name);
        let found: Vec<usize> = (0..names.len()).filter(|&at| is_it(&names[at])).collect();
        match (&found[..], &location.member) {
            ([_], _) => Ok(found),
            ([_, ..], Some(_)) => Err(bad(&location.whole(), "is the name of two columns")),
            _ if shows_names(source, options) => Err(no_member(location, "column", names)),
            _ => {
                let what = "holds no such column; its link leads to a file that is no table by its name";
                Err(IoError::data(&running::UNKNOWN_MEMBER, source.path(), what))
            }
        }
    };
    Ok(columns_of(source, options, keep, choose)?.remove(0).1)
}

/// All columns of a table, by name, in their order.
///
/// # Errors
/// When the file cannot be read, is no table, or a column is not of one kind.
pub fn columns(path: &Path, options: &ReadOptions) -> Result<Vec<(String, Array)>, IoError> {
    let source = options.open(path)?;
    let columns = columns_of(&source, options, true, |names| Ok((0..names.len()).collect()))?;
    columns.into_iter().map(|(name, column)| Ok((name, column.array(path)?))).collect()
}

fn bad(path: &Path, what: impl AsRef<str>) -> IoError {
    IoError::data(&running::BAD_ARRAY_FILE, path, what)
}

/// Whether the names of columns, which are the first line of the file, may be shown: a text can name a link that leads to
/// whatever else may be read.
fn shows_names(source: &Source, options: &ReadOptions) -> bool {
    let is_table = |path: &Path| Format::of(path).is_some_and(|format| format.extension == "csv");
    let real = |roots: &Roots| roots.whole(source.path()).canonicalize();
    options.roots.as_ref().is_none_or(|roots| real(roots).is_ok_and(|real| is_table(&real)))
}

/// Reads the columns that `choose` picks by name; what is not to be kept is counted.
fn columns_of(
    source: &Source,
    options: &ReadOptions,
    keep: bool,
    choose: impl FnOnce(&[String]) -> Result<Vec<usize>, IoError>,
) -> Result<Vec<(String, Column)>, IoError> {
    let path = source.path();
    let mut records = records(source, options)?;
    let names: Vec<String> = match records.next()? {
        Some(header) => {
            options.afford(path, header.len() * 2 * size_of::<String>())?;
            (0..header.len()).map(|at| header.get(at).to_string()).collect()
        }
        None => return Err(bad(path, "has no header line")),
    };
    let chosen = choose(&names)?;
    if chosen.is_empty() {
        return Ok(Vec::new());
    }
    let mut columns: Vec<Column> = chosen.iter().map(|_| Column { keep, ..Column::default() }).collect();
    let mut rows = 0usize;
    while let Some(record) = records.next()? {
        let line = record.line;
        if record.len() != names.len() {
            let (len, expected) = (record.len(), names.len());
            return Err(bad(path, format!("has {len} fields in line {line}, but {expected} columns")));
        }
        rows += 1;
        if keep {
            options.afford(path, rows.saturating_mul(size_of::<u64>() * columns.len()))?;
        }
        for (&at, column) in chosen.iter().zip(&mut columns) {
            column.room(path)?;
            column.push(record.get(at)).map_err(|what| {
                let column = named(source, options, &names, at);
                bad(path, format!("has {what} in line {line}, column {column}"))
            })?;
        }
    }
    for (&at, column) in chosen.iter().zip(&columns) {
        column.finish(path, || named(source, options, &names, at))?;
    }
    let columns = chosen.into_iter().map(|at| names[at].clone()).zip(columns).collect();
    Ok(columns)
}

/// A column as messages call it.
fn named(source: &Source, options: &ReadOptions, names: &[String], at: usize) -> String {
    match shows_names(source, options) {
        true => format!("`{}`", shown(Path::new(&names[at]))),
        false => (at + 1).to_string(),
    }
}

/// The values of a column so far, as the narrowest kind that holds them.
#[derive(Default)]
struct Column {
    kind: Option<DType>,
    len: usize,
    /// Whether values are kept.
    keep: bool,
    /// Each value as the bits of its kind, some in each list: growing moves none of them.
    bits: Vec<Vec<u64>>,
    /// Whether all were whole numbers, and one did not fit in `i64`.
    whole: bool,
    huge: bool,
}

/// Most values in one list of a column.
const LIST: usize = 1 << 16;

impl Column {
    /// Makes sure that another value has its place.
    fn room(&mut self, path: &Path) -> Result<(), IoError> {
        if self.keep && self.bits.last().is_none_or(|list| list.len() == list.capacity()) {
            let len = self.len.clamp(16, LIST);
            let missing = |_| IoError::memory(path, OutOfMemory { bytes: len * size_of::<u64>() });
            let mut list = Vec::new();
            list.try_reserve_exact(len).and_then(|()| self.bits.try_reserve(1)).map_err(missing)?;
            self.bits.push(list);
        }
        Ok(())
    }

    fn push(&mut self, field: &str) -> Result<(), &'static str> {
        let flag = match field {
            "true" | "True" | "TRUE" => Some(1),
            "false" | "False" | "FALSE" => Some(0),
            "" => return Err("nothing"),
            _ => None,
        };
        let bits = match (flag, self.kind) {
            (Some(bit), None | Some(DType::Bool)) => {
                self.kind = Some(DType::Bool);
                bit
            }
            (Some(_), _) | (None, Some(DType::Bool)) => return Err("numbers and truth values mixed"),
            (None, kind) => self.number(field, kind)?,
        };
        self.len += 1;
        if let Some(list) = self.bits.last_mut() {
            list.push(bits);
        }
        Ok(())
    }

    fn number(&mut self, field: &str, kind: Option<DType>) -> Result<u64, &'static str> {
        let integer = field.parse::<i64>();
        if let (Ok(integer), None | Some(DType::I64)) = (&integer, kind) {
            (self.kind, self.whole) = (Some(DType::I64), true);
            return Ok(*integer as u64);
        }
        let number: f64 = field.parse().map_err(|_| "something that is no number")?;
        let digits = field.trim_start_matches(['-', '+']).bytes().all(|byte| byte.is_ascii_digit());
        self.huge |= digits && integer.is_err();
        self.whole = digits && (self.whole || kind.is_none());
        if kind == Some(DType::I64) {
            // The same single rounding as reading each of them as a float.
            self.bits.iter_mut().flatten().for_each(|bits| *bits = (*bits as i64 as f64).to_bits());
        }
        self.kind = Some(DType::F64);
        Ok(number.to_bits())
    }

    fn dtype(&self) -> DType {
        self.kind.unwrap_or(DType::F64)
    }

    /// Says what is wrong with the values as a whole.
    fn finish(&self, path: &Path, name: impl Fn() -> String) -> Result<(), IoError> {
        if self.whole && self.huge {
            let what = format!("has a whole number in column {} that does not fit in i64", name());
            return Err(bad(path, what).help("write one of its numbers with a point to read them as f64"));
        }
        Ok(())
    }

    /// The values; each list goes when it is copied, so that they are there once only.
    fn array(self, path: &Path) -> Result<Array, IoError> {
        let (dtype, size) = (self.dtype(), self.dtype().size());
        let mut bytes = AlignedBytes::zeroed(self.len * size).map_err(|missing| IoError::memory(path, missing))?;
        let mut places = bytes.as_mut_slice().chunks_exact_mut(size);
        for list in self.bits {
            for (bits, place) in list.iter().zip(&mut places) {
                place.copy_from_slice(&bits.to_le_bytes()[..size]);
            }
        }
        Ok(Array::from_bytes(dtype, vec![self.len], bytes))
    }
}
