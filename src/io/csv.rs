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
use super::{Header, Loaded, Location, ReadOptions, no_member};
use crate::array::Array;
use crate::array::bytes::AlignedBytes;
use crate::diagnostic::codes::running;
use crate::types::dtype::DType;
use ::csv::{ReaderBuilder, StringRecord, Trim};
use std::io::{BufReader, Read};
use std::path::Path;

/// The columns.
pub(super) fn names(source: &Source) -> Result<Vec<String>, IoError> {
    let mut names = Vec::new();
    columns_of(source, &ReadOptions::default(), |header| {
        names = header.iter().take(1000).cloned().collect();
        Ok(Vec::new())
    })?;
    Ok(names)
}

/// Dtype and length of a column. The whole file is read: nothing less tells them.
pub(super) fn header(location: &Location, options: &ReadOptions) -> Result<Header, IoError> {
    let array = read(location, options)?.array;
    Ok(Header { dtype: array.dtype(), shape: array.shape().to_vec() })
}

/// A column.
pub(super) fn read(location: &Location, options: &ReadOptions) -> Result<Loaded, IoError> {
    let source = options.open(&location.path)?;
    let choose = |names: &[String]| {
        let is_it = |name: &String| location.member.as_ref().is_none_or(|member| member == name);
        let found: Vec<usize> = (0..names.len()).filter(|&at| is_it(&names[at])).collect();
        match (&found[..], &location.member) {
            ([_], _) => Ok(found),
            ([_, ..], Some(_)) => Err(bad(&location.whole(), "is the name of two columns")),
            _ => Err(no_member(location, "column", names)),
        }
    };
    let array = columns_of(&source, options, choose)?.remove(0).1;
    Ok(Loaded { array, warnings: Vec::new(), watch: source.watch() })
}

/// All columns of a table, by name, in their order.
///
/// # Errors
/// When the file cannot be read, is no table, or a column is not of one kind.
pub fn columns(path: &Path, options: &ReadOptions) -> Result<Vec<(String, Array)>, IoError> {
    let source = options.open(path)?;
    columns_of(&source, options, |names| Ok((0..names.len()).collect()))
}

fn bad(path: &Path, what: impl AsRef<str>) -> IoError {
    IoError::data(&running::BAD_ARRAY_FILE, path, what)
}

/// Reads the columns that `choose` picks by name.
fn columns_of(
    source: &Source,
    options: &ReadOptions,
    choose: impl FnOnce(&[String]) -> Result<Vec<usize>, IoError>,
) -> Result<Vec<(String, Array)>, IoError> {
    let path = source.path();
    let text = BufReader::with_capacity(1 << 16, source.reader(0)).take(source.len());
    let mut reader = ReaderBuilder::new().trim(Trim::All).from_reader(text);
    let names: Vec<String> = match reader.headers() {
        Ok(header) => header.iter().map(str::to_string).collect(),
        Err(error) => return Err(refused(path, &error)),
    };
    if names.is_empty() {
        return Err(bad(path, "has no header line"));
    }
    let chosen = choose(&names)?;
    if chosen.is_empty() {
        return Ok(Vec::new());
    }
    let mut columns: Vec<Column> = chosen.iter().map(|_| Column::default()).collect();
    let mut record = StringRecord::new();
    let mut bytes = 0;
    while reader.read_record(&mut record).map_err(|error| refused(path, &error))? {
        bytes += size_of::<u64>() * columns.len();
        options.afford(path, bytes)?;
        for (&at, column) in chosen.iter().zip(&mut columns) {
            let line = record.position().map_or(0, ::csv::Position::line);
            let field = record.get(at).unwrap_or_default();
            column.push(field).map_err(|what| {
                bad(path, format!("has {what} in line {line}, column `{}`", shown(Path::new(&names[at]))))
            })?;
        }
    }
    let named = chosen.into_iter().zip(columns).map(|(at, column)| {
        let name = names[at].clone();
        let array = column.array(path, &name)?;
        Ok((name, array))
    });
    named.collect()
}

/// What the reader of tables found wrong; the system's own errors are told apart.
fn refused(path: &Path, error: &::csv::Error) -> IoError {
    let line = error.position().map_or(0, ::csv::Position::line);
    match error.kind() {
        ::csv::ErrorKind::Io(error) => IoError::reading(path, error),
        ::csv::ErrorKind::Utf8 { .. } => bad(path, format!("is not UTF-8 in line {line}")),
        ::csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            bad(path, format!("has {len} fields in line {line}, but {expected_len} columns"))
        }
        _ => bad(path, "is no table"),
    }
}

/// The values of a column so far, as the narrowest kind that holds them.
#[derive(Default)]
struct Column {
    kind: Option<DType>,
    /// Each value as the bits of its kind.
    bits: Vec<u64>,
    /// Whether all were whole numbers, and one did not fit in `i64`.
    whole: bool,
    huge: bool,
}

impl Column {
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
        self.bits.try_reserve(1).map_err(|_| "more values than memory holds")?;
        self.bits.push(bits);
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
            self.bits.iter_mut().for_each(|bits| *bits = (*bits as i64 as f64).to_bits());
        }
        self.kind = Some(DType::F64);
        Ok(number.to_bits())
    }

    fn array(self, path: &Path, name: &str) -> Result<Array, IoError> {
        if self.whole && self.huge {
            let what = format!("has a whole number in column `{}` that does not fit in i64", shown(Path::new(name)));
            return Err(bad(path, what).help("write one of its numbers with a point to read them as f64"));
        }
        let dtype = self.kind.unwrap_or(DType::F64);
        let size = dtype.size();
        let mut bytes =
            AlignedBytes::zeroed(self.bits.len() * size).map_err(|missing| IoError::memory(path, missing))?;
        for (place, bits) in bytes.as_mut_slice().chunks_exact_mut(size).zip(&self.bits) {
            place.copy_from_slice(&bits.to_le_bytes()[..size]);
        }
        Ok(Array::from_bytes(dtype, vec![self.bits.len()], bytes))
    }
}
